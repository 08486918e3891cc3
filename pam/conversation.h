// SPDX-License-Identifier: Apache-2.0
/*
 * What is shown to the person and asked of them, through the calling program's conversation function. That function may
 * be absent, may fail, and may answer by itself; nothing it does makes an attempt succeed.
 */
#ifndef SECONDLOOK_CONVERSATION_H
#define SECONDLOOK_CONVERSATION_H

#include "arguments.h"

#include <security/pam_modules.h>
#include <stdbool.h>

/*
 * Puts the password into `secret` and leaves it in PAM_AUTHTOK for the modules after this one. `prompt` may be empty.
 * The string belongs to libpam. Gives PAM_SUCCESS, PAM_AUTHTOK_RECOVERY_ERR when there is none and none may be asked
 * for, PAM_INCOMPLETE when the caller will call again, else PAM_CONV_ERR.
 */
int conversation_get_secret(pam_handle_t *pamh, enum arguments_token token, const char *prompt, const char **secret);

/*
 * Shows a notice. PAM_SILENT hides how it ended, but not what the person is to do, without which nobody could answer:
 * sudo always asks for silence. That it could not be shown is no fault: it only informs.
 */
void conversation_show(pam_handle_t *pamh, int flags, bool is_error, const char *text);

/* Asks; `answer` is to be given to conversation_discard. PAM_SUCCESS, PAM_INCOMPLETE or PAM_CONV_ERR. */
int conversation_ask(pam_handle_t *pamh, bool echo, const char *text, char **answer);

/* Wipes and frees an answer; null is allowed. */
void conversation_discard(char *answer);

#endif
