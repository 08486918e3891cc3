// SPDX-License-Identifier: Apache-2.0
// Stream sockets that carry bytes and at most one descriptor at a time, and waiting with a deadline.
#ifndef SECONDLOOK_CLINUX_CHANNEL_H
#define SECONDLOOK_CLINUX_CHANNEL_H
#include <stddef.h>
#include <stdint.h>

/// A connected pair of close-on-exec stream sockets; 0 or a negative errno.
int clinux_make_socket_pair(int *first, int *second);
/// Sends without blocking and without SIGPIPE; `passed` is a descriptor to send along or -1. Bytes sent or a negative
/// errno.
long clinux_send(int fd, const void *bytes, size_t count, int passed);
/// Receives without blocking. `passed` becomes the descriptor that came along, or -1; more than one, or any other
/// ancillary data, is closed and answered with -EBADMSG. Bytes received, 0 at the end of the stream, or a negative
/// errno.
long clinux_receive(int fd, void *bytes, size_t room, int *passed);
/// Waits until one of `count` (at most 8) descriptors can be read (or, where its bit in `writers` is set, written), or
/// has ended. The bits of the ready ones, 0 at the deadline (milliseconds of the monotonic clock), or a negative errno.
int clinux_wait_ready(const int *fds, unsigned count, unsigned writers, uint64_t deadline);
/// The credentials of the process that connected (SO_PEERCRED); 0 or a negative errno.
int clinux_find_peer(int fd, int *pid, uint32_t *uid, uint32_t *gid);
/// 1 when `fd` is a stream socket of the local domain, 0 when it is something else, or a negative errno.
int clinux_is_local_stream(int fd);
/// Closes the sending half; 0 or a negative errno.
int clinux_end_sending(int fd);
/// A listening local socket with the given mode at `path`; the descriptor or a negative errno.
int clinux_listen(const char *path, uint32_t mode, int backlog);
/// The next connection, close-on-exec, or a negative errno.
int clinux_accept(int fd);
/// A connection to the local socket at `path`; the descriptor or a negative errno.
int clinux_connect(const char *path);
#endif
