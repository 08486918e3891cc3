// SPDX-License-Identifier: Apache-2.0
// libpam for the admin command: an authentication in a process of its own, so that no module, whatever it does, can
// keep the command from taking a change back.
#ifndef SECONDLOOK_CPAM_H
#define SECONDLOOK_CPAM_H
#include <stddef.h>

/// What is tried.
struct cpam_trial {
    const char *service;
    const char *user;
    /// The folder of the PAM files, or NULL for the machine's own.
    const char *folder;
    /// What is typed at every hidden question, or NULL: then a person at the terminal is asked.
    const char *password;
    /// The process is killed after so many seconds, 1 to 600.
    int seconds;
};

/// Authenticates in a child and waits for it. 0 and the PAM code in `*code`, or a negative errno: -ETIME when it was
/// killed for want of an answer, -ECHILD when a module ended the process.
int cpam_try(const struct cpam_trial *trial, int *code);
/// Loads a module in a child and looks for its pam_sm_authenticate. 0, or a negative errno with what the loader says in
/// `problem`.
int cpam_load_module(const char *path, char *problem, size_t room);
/// The folder of libpam's own modules, found beside libpam; the length or a negative errno.
int cpam_find_module_folder(char *path, size_t room);
/// What libpam calls a code. Never NULL.
const char *cpam_describe(int code);
#endif
