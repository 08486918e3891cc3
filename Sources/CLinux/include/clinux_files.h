// SPDX-License-Identifier: Apache-2.0
// Files and folders by descriptor.
#ifndef SECONDLOOK_CLINUX_FILES_H
#define SECONDLOOK_CLINUX_FILES_H
#include <stddef.h>
#include <stdint.h>

/// What fstat says, as far as it is wanted.
struct clinux_status {
    uint64_t device;
    uint64_t inode;
    uint64_t size;
    /// The device number a node stands for, or 0.
    uint64_t node;
    /// When the content and when anything changed last, in nanoseconds since 1970; the latter cannot be set by a
    /// program.
    int64_t modified;
    int64_t changed;
    uint32_t uid;
    uint32_t gid;
    /// The permission bits with set-id and sticky bits, 0 to 07777.
    uint32_t mode;
    /// 'f' regular file, 'd' folder, 'c' character device, 'l' symbolic link, 's' socket, '?' anything else.
    char kind;
};

enum clinux_way {
    /// For reading.
    CLINUX_READ = 0,
    /// For reading and writing.
    CLINUX_READ_WRITE = 1,
    /// A folder, to look names up in.
    CLINUX_FOLDER = 2,
    /// A new file for writing; fails when the name exists.
    CLINUX_CREATE = 3,
    /// For reading and writing, without waiting (a camera node).
    CLINUX_DEVICE = 4,
    /// For reading and writing, made when it is not there.
    CLINUX_OPEN_OR_CREATE = 5,
    /// For reading, and for writing at the end, made when it is not there.
    CLINUX_APPEND_OR_CREATE = 6,
};

/// Opens `name` in the folder `at` (-1: from the working directory or the root) by one of the ways above. Never follows
/// a symbolic link in the last place, never blocks on a FIFO, always close-on-exec. The descriptor or a negative errno.
int clinux_open(int at, const char *name, int way, uint32_t mode);
int clinux_find_status(int fd, struct clinux_status *status);
/// The status of a name without following a symbolic link in the last place; `at` as above.
int clinux_find_status_at(int at, const char *name, struct clinux_status *status);
int clinux_close(int fd);
int clinux_duplicate(int fd);
/// Bytes read, 0 at the end, or a negative errno.
long clinux_read(int fd, void *bytes, size_t room);
long clinux_read_at(int fd, void *bytes, size_t room, uint64_t offset);
long clinux_write(int fd, const void *bytes, size_t count);
int clinux_sync(int fd);
int clinux_rename(int at, const char *from, const char *to);
int clinux_unlink(int at, const char *name);
int clinux_remove_folder(int at, const char *name);
int clinux_make_folder(int at, const char *name, uint32_t mode);
int clinux_set_mode(int fd, uint32_t mode);
int clinux_set_owner(int fd, uint32_t user, uint32_t group);
/// Where a symbolic link points, for /proc/self/exe and the like; the length or a negative errno.
long clinux_read_link(const char *path, char *text, size_t room);
/// The names in a folder, one after the other, each ended by a NUL; `.` and `..` left out. The bytes used or a negative
/// errno
/// (-ENOBUFS when the room does not suffice).
long clinux_list_folder(const char *path, char *names, size_t room);
/// Waits for a lock on the whole file or folder that ends with the descriptor; 0 or a negative errno.
int clinux_lock(int fd);
/// The same without waiting: -EAGAIN when another has it.
int clinux_try_lock(int fd);
/// Locks one byte of a file, which need not be there, without waiting; the lock belongs to the open file and ends with
/// its last descriptor. 0, -EAGAIN when another has it, or a negative errno.
int clinux_lock_byte(int fd, uint64_t offset);
/// Whether another open file has a lock on any of the bytes from `start` to before `end`: 1, 0 or a negative errno.
int clinux_is_locked(int fd, uint64_t start, uint64_t end);
/// Appends a byte to a file opened for appending and returns where the file ends then: a number that nobody else gets.
int64_t clinux_take_number(int fd);
#endif
