// SPDX-License-Identifier: Apache-2.0
// The system-call filter around the worker: what decoding and inference need, nothing that opens, connects, creates or
// inspects.
#include "CSeccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

// Allowed whatever the arguments are. Measured with the inference runtime's thread pool running (see the design's facts
// about it).
static const int plain_calls[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(lseek),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(recvmsg),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(futex),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(sched_yield),
    SCMP_SYS(getcpu),
    SCMP_SYS(getrandom),
    SCMP_SYS(gettid),
    SCMP_SYS(getpid),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(shutdown),
};

// The camera's requests by number: the type letter alone would let through those of virtual terminals.
static const unsigned long camera_requests[] = {
    VIDIOC_QUERYCAP,        VIDIOC_ENUM_FMT,
    VIDIOC_G_FMT,           VIDIOC_S_FMT,
    VIDIOC_TRY_FMT,         VIDIOC_REQBUFS,
    VIDIOC_QUERYBUF,        VIDIOC_QBUF,
    VIDIOC_DQBUF,           VIDIOC_STREAMON,
    VIDIOC_STREAMOFF,       VIDIOC_G_PARM,
    VIDIOC_S_PARM,          VIDIOC_G_CTRL,
    VIDIOC_S_CTRL,          VIDIOC_QUERYCTRL,
    VIDIOC_ENUMINPUT,       VIDIOC_G_INPUT,
    VIDIOC_S_INPUT,         VIDIOC_G_STD,
    VIDIOC_ENUM_FRAMESIZES, VIDIOC_ENUM_FRAMEINTERVALS,
};

static const unsigned int descriptor_commands[] = {F_GETFD, F_GETFL, F_SETFL};

bool cseccomp_is_available(void) {
    return seccomp_api_get() >= 2; // 2: the filter can be spread to all threads
}

// The condition that an argument, seen through a mask, has a value.
static struct scmp_arg_cmp where(unsigned int argument, uint64_t mask, uint64_t value) {
    struct scmp_arg_cmp condition = {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
    return condition;
}

static int allow_plain_calls(scmp_filter_ctx filter) {
    for (size_t i = 0; i < sizeof plain_calls / sizeof *plain_calls; i++) {
        int result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, plain_calls[i], 0);
        if (result != 0)
            return result;
    }
    return 0;
}

static int allow_camera_requests(scmp_filter_ctx filter) {
    // The kernel looks at the lower 32 bits only, so the filter does too.
    for (size_t i = 0; i < sizeof camera_requests / sizeof *camera_requests; i++) {
        int result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
                                      where(1, 0xffffffffu, camera_requests[i] & 0xffffffffu));
        if (result != 0)
            return result;
    }
    return 0;
}

static int allow_restricted_calls(scmp_filter_ctx filter) {
    int result = 0;
    for (size_t i = 0; i < sizeof descriptor_commands / sizeof *descriptor_commands && result == 0; i++)
        result =
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, where(1, 0xffffffffu, descriptor_commands[i]));
    // No memory becomes code once everything is loaded.
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, where(2, PROT_EXEC, 0));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, where(2, PROT_EXEC, 0));
    // The socket is connected: an address is never wanted.
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1, where(4, UINT64_MAX, 0));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(recvfrom), 1, where(4, UINT64_MAX, 0));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendmsg), 0);
    return result;
}

int cseccomp_confine_worker(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL)
        return -ENOMEM;
    int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (result == 0)
        result = allow_plain_calls(filter);
    if (result == 0)
        result = allow_camera_requests(filter);
    if (result == 0)
        result = allow_restricted_calls(filter);
    if (result == 0)
        result = seccomp_load(filter);
    seccomp_release(filter);
    return result;
}
