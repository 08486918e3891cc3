// SPDX-License-Identifier: Apache-2.0
/* What a calling program may have done to itself before it calls PAM, and whether all of it is still so afterwards. */
#ifndef MODULE_TESTS_SURROUNDINGS_H
#define MODULE_TESTS_SURROUNDINGS_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* A picture of the process that has to be the same before and after. */
struct picture {
    char descriptors[4096]; /* number and target of each, but those of the report */
    struct sigaction actions[NSIG];
    sigset_t mask;
    char directory[4096];
    mode_t umask;
    uid_t ids[6];
    unsigned long limits[2];
};

/* Takes a picture; the descriptor `report` is left out. */
void surroundings_picture(struct picture *picture, int report);

/* Writes what differs between two pictures to `report`. */
void surroundings_compare(const struct picture *before, const struct picture *after, FILE *report);

/* Sets SIGCHLD: default, ignore, no-wait, reap (a handler that reaps whatever it finds), wait (one that waits for a
 * child). */
bool surroundings_set_children(const char *how);

/* How often the handler ran and what it reaped. */
extern volatile sig_atomic_t surroundings_handled;
extern volatile sig_atomic_t surroundings_reaped;

/* Interrupts the process by SIGALRM every `microseconds`, without restarting calls. */
bool surroundings_storm(long microseconds);

/* Starts a thread that waits for any child, for ever. It has SIGALRM blocked, so that a storm meets the caller. */
bool surroundings_start_waiting_thread(void);

/* Changes to a directory that is then removed. */
bool surroundings_lose_directory(void);

/* Puts variables into the environment that a helper must never see. */
void surroundings_poison_environment(void);

/* A namespace whose /dev is a tmpfs with nothing but null, as systemd's PrivateDevices= makes it. */
bool surroundings_private_dev(void);

#endif
