// SPDX-License-Identifier: Apache-2.0
/*
 * A neighbour in the stack: `set=TEXT` leaves a password as an earlier module would, `dump=FILE` writes down the one
 * that a later module finds, `code=N` is what it returns (0 when not given).
 */
#define _GNU_SOURCE
#include <security/pam_modules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    int code = PAM_SUCCESS;
    (void)flags;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "set=", 4) == 0)
            pam_set_item(pamh, PAM_AUTHTOK, argv[i] + 4);
        if (strncmp(argv[i], "code=", 5) == 0)
            code = atoi(argv[i] + 5);
        if (strncmp(argv[i], "dump=", 5) == 0) {
            const void *token = NULL;
            FILE *file = fopen(argv[i] + 5, "w");
            if (file == NULL || pam_get_item(pamh, PAM_AUTHTOK, &token) != PAM_SUCCESS)
                return PAM_SYSTEM_ERR;
            fprintf(file, "%s", token != NULL ? (const char *)token : "(none)");
            fclose(file);
        }
    }
    return code;
}

int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    (void)pamh;
    (void)flags;
    (void)argc;
    (void)argv;
    return PAM_SUCCESS;
}
