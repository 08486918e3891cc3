// SPDX-License-Identifier: Apache-2.0
// Files and folders by descriptor.
#define _GNU_SOURCE
#include "clinux_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int folder_or_cwd(int at) {
    return at < 0 ? AT_FDCWD : at;
}

int clinux_open(int at, const char *name, int way, uint32_t mode) {
    static const int flags[] = {
        [CLINUX_READ] = O_RDONLY | O_NONBLOCK,
        [CLINUX_READ_WRITE] = O_RDWR | O_NONBLOCK,
        [CLINUX_FOLDER] = O_RDONLY | O_DIRECTORY,
        [CLINUX_CREATE] = O_WRONLY | O_CREAT | O_EXCL,
        [CLINUX_DEVICE] = O_RDWR | O_NONBLOCK,
        [CLINUX_OPEN_OR_CREATE] = O_RDWR | O_CREAT | O_NONBLOCK,
        [CLINUX_APPEND_OR_CREATE] = O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK,
    };
    if (way < 0 || way > CLINUX_APPEND_OR_CREATE)
        return -EINVAL;
    int fd;
    do
        fd = openat(folder_or_cwd(at), name, flags[way] | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, (mode_t)mode);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

static void copy_status(const struct stat *from, struct clinux_status *to) {
    *to = (struct clinux_status){
        .device = from->st_dev,
        .inode = from->st_ino,
        .size = from->st_size > 0 ? (uint64_t)from->st_size : 0,
        .modified = (int64_t)from->st_mtim.tv_sec * 1000000000 + from->st_mtim.tv_nsec,
        .changed = (int64_t)from->st_ctim.tv_sec * 1000000000 + from->st_ctim.tv_nsec,
        .uid = from->st_uid,
        .gid = from->st_gid,
        .mode = from->st_mode & 07777,
        .kind = S_ISREG(from->st_mode)    ? 'f'
                : S_ISDIR(from->st_mode)  ? 'd'
                : S_ISCHR(from->st_mode)  ? 'c'
                : S_ISLNK(from->st_mode)  ? 'l'
                : S_ISSOCK(from->st_mode) ? 's'
                                          : '?',
    };
    if (to->kind == 'c')
        to->node = from->st_rdev;
}

int clinux_find_status(int fd, struct clinux_status *status) {
    struct stat found;
    if (fstat(fd, &found) != 0)
        return -errno;
    copy_status(&found, status);
    return 0;
}

int clinux_find_status_at(int at, const char *name, struct clinux_status *status) {
    struct stat found;
    if (fstatat(folder_or_cwd(at), name, &found, AT_SYMLINK_NOFOLLOW) != 0)
        return -errno;
    copy_status(&found, status);
    return 0;
}

int clinux_close(int fd) {
    return close(fd) != 0 ? -errno : 0;
}

int clinux_duplicate(int fd) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return copy < 0 ? -errno : copy;
}

long clinux_read(int fd, void *bytes, size_t room) {
    ssize_t got;
    do
        got = read(fd, bytes, room);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : (long)got;
}

long clinux_read_at(int fd, void *bytes, size_t room, uint64_t offset) {
    ssize_t got;
    do
        got = pread(fd, bytes, room, (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : (long)got;
}

long clinux_write(int fd, const void *bytes, size_t count) {
    ssize_t put;
    do
        put = write(fd, bytes, count);
    while (put < 0 && errno == EINTR);
    return put < 0 ? -errno : (long)put;
}

int clinux_sync(int fd) {
    return fsync(fd) != 0 ? -errno : 0;
}

int clinux_rename(int at, const char *from, const char *to) {
    return renameat(folder_or_cwd(at), from, folder_or_cwd(at), to) != 0 ? -errno : 0;
}

int clinux_unlink(int at, const char *name) {
    return unlinkat(folder_or_cwd(at), name, 0) != 0 ? -errno : 0;
}

int clinux_remove_folder(int at, const char *name) {
    return unlinkat(folder_or_cwd(at), name, AT_REMOVEDIR) != 0 ? -errno : 0;
}

int clinux_make_folder(int at, const char *name, uint32_t mode) {
    return mkdirat(folder_or_cwd(at), name, (mode_t)mode) != 0 ? -errno : 0;
}

int clinux_set_mode(int fd, uint32_t mode) {
    return fchmod(fd, (mode_t)mode) != 0 ? -errno : 0;
}

int clinux_set_owner(int fd, uint32_t user, uint32_t group) {
    return fchown(fd, user, group) != 0 ? -errno : 0;
}

long clinux_read_link(const char *path, char *text, size_t room) {
    ssize_t length = readlink(path, text, room);
    if (length < 0)
        return -errno;
    return (size_t)length == room ? -ENAMETOOLONG : (long)length;
}

long clinux_list_folder(const char *path, char *names, size_t room) {
    DIR *folder = opendir(path);
    if (folder == NULL)
        return -errno;
    size_t used = 0;
    long result = 0;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) {
            result = errno != 0 ? -errno : (long)used;
            break;
        }
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        size_t length = strlen(entry->d_name) + 1;
        if (length > room - used) {
            result = -ENOBUFS;
            break;
        }
        memcpy(names + used, entry->d_name, length);
        used += length;
    }
    closedir(folder);
    return result;
}

int clinux_lock(int fd) {
    int result;
    do
        result = flock(fd, LOCK_EX);
    while (result != 0 && errno == EINTR);
    return result != 0 ? -errno : 0;
}

int clinux_try_lock(int fd) {
    int result;
    do
        result = flock(fd, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result != 0 ? -errno : 0;
}

static struct flock write_lock(uint64_t start, uint64_t length) {
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)start, .l_len = (off_t)length, .l_pid = 0};
}

int clinux_lock_byte(int fd, uint64_t offset) {
    struct flock wanted = write_lock(offset, 1);
    int result;
    do
        result = fcntl(fd, F_OFD_SETLK, &wanted);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return 0;
    return errno == EACCES ? -EAGAIN : -errno;
}

int clinux_is_locked(int fd, uint64_t start, uint64_t end) {
    // A length of 0 would mean "to the end of the file".
    if (end <= start)
        return 0;
    struct flock found = write_lock(start, end - start);
    if (fcntl(fd, F_OFD_GETLK, &found) != 0)
        return -errno;
    return found.l_type != F_UNLCK;
}

int64_t clinux_take_number(int fd) {
    long put = clinux_write(fd, "", 1);
    if (put < 0)
        return put;
    off_t end = lseek(fd, 0, SEEK_CUR);
    return end < 0 ? -errno : (int64_t)end;
}
