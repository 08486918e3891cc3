// SPDX-License-Identifier: Apache-2.0
// Stream sockets that carry bytes and at most one descriptor at a time, and waiting with a deadline. EINTR is retried
// here and nowhere above.
#define _GNU_SOURCE
#include "clinux_channel.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "clinux_system.h"

int clinux_make_socket_pair(int *first, int *second) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    *first = pair[0];
    *second = pair[1];
    return 0;
}

long clinux_send(int fd, const void *bytes, size_t count, int passed) {
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = sizeof control.room;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &passed, sizeof(int));
    }
    ssize_t sent;
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : (long)sent;
}

// Takes the descriptors out of a received message; all but a single one are closed and make the message invalid.
static bool take_descriptors(struct msghdr *message, int *passed) {
    bool valid = (message->msg_flags & MSG_CTRUNC) == 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
            valid = false;
            continue;
        }
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
            if (valid && *passed < 0 && count == 1)
                *passed = fd;
            else {
                close(fd);
                valid = false;
            }
        }
    }
    if (!valid && *passed >= 0) {
        close(*passed);
        *passed = -1;
    }
    return valid;
}

long clinux_receive(int fd, void *bytes, size_t room, int *passed) {
    union {
        char room[CMSG_SPACE(8 * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = room};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    *passed = -1;
    ssize_t got;
    do
        got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return -errno;
    if (!take_descriptors(&message, passed))
        return -EBADMSG;
    return (long)got;
}

int clinux_wait_ready(const int *fds, unsigned count, unsigned writers, uint64_t deadline) {
    struct pollfd polled[8];
    if (count == 0 || count > 8)
        return -EINVAL;
    for (unsigned i = 0; i < count; i++)
        polled[i] = (struct pollfd){.fd = fds[i], .events = (writers >> i & 1) != 0 ? POLLOUT : POLLIN};
    for (;;) {
        uint64_t now = clinux_monotonic_milliseconds();
        uint64_t left = deadline > now ? deadline - now : 0;
        int ready = poll(polled, count, left > INT_MAX ? INT_MAX : (int)left);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0)
            return -errno;
        if (ready == 0 && clinux_monotonic_milliseconds() < deadline)
            continue;
        int bits = 0;
        for (unsigned i = 0; i < count; i++) {
            if ((polled[i].revents & POLLNVAL) != 0)
                return -EBADF;
            if (polled[i].revents != 0)
                bits |= 1 << i;
        }
        return bits;
    }
}

int clinux_find_peer(int fd, int *pid, uint32_t *uid, uint32_t *gid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
        return -errno;
    if (length != sizeof peer)
        return -EPROTO;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int clinux_is_local_stream(int fd) {
    int type = 0;
    int domain = 0;
    socklen_t length = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0)
        return errno == ENOTSOCK ? 0 : -errno;
    length = sizeof domain;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0)
        return -errno;
    return type == SOCK_STREAM && domain == AF_UNIX;
}

int clinux_end_sending(int fd) {
    return shutdown(fd, SHUT_WR) != 0 ? -errno : 0;
}

static int fill_address(const char *path, struct sockaddr_un *address) {
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address->sun_path)
        return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    return 0;
}

int clinux_listen(const char *path, uint32_t mode, int backlog) {
    struct sockaddr_un address;
    int result = fill_address(path, &address);
    if (result != 0)
        return result;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || chmod(path, mode) != 0 ||
        listen(fd, backlog) != 0) {
        result = -errno;
        close(fd);
        return result;
    }
    return fd;
}

int clinux_accept(int fd) {
    int connection;
    do
        connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    while (connection < 0 && errno == EINTR);
    return connection < 0 ? -errno : connection;
}

int clinux_connect(const char *path) {
    struct sockaddr_un address;
    int result = fill_address(path, &address);
    if (result != 0)
        return result;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        result = -errno;
        close(fd);
        return result;
    }
    return fd;
}
