// SPDX-License-Identifier: Apache-2.0
/* The person's side of an attempt: see conversation.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "conversation.h"

#include <security/pam_ext.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int conversation_fault(int code) {
    return code == PAM_CONV_AGAIN || code == PAM_INCOMPLETE ? PAM_INCOMPLETE : PAM_CONV_ERR;
}

int conversation_get_secret(pam_handle_t *pamh, enum arguments_token token, const char *prompt, const char **secret) {
    const void *known = NULL;
    *secret = NULL;
    if (token != ARGUMENTS_ASK) {
        if (pam_get_item(pamh, PAM_AUTHTOK, &known) != PAM_SUCCESS)
            return PAM_CONV_ERR;
        *secret = known;
        if (*secret != NULL)
            return PAM_SUCCESS;
        if (token == ARGUMENTS_USE_TOKEN)
            return PAM_AUTHTOK_RECOVERY_ERR;
    } else if (pam_set_item(pamh, PAM_AUTHTOK, NULL) != PAM_SUCCESS) {
        return PAM_CONV_ERR;
    }
    const int code = pam_get_authtok(pamh, PAM_AUTHTOK, secret, prompt[0] != 0 ? prompt : NULL);
    if (code != PAM_SUCCESS)
        return conversation_fault(code);
    return *secret != NULL ? PAM_SUCCESS : PAM_CONV_ERR;
}

void conversation_show(pam_handle_t *pamh, int flags, bool is_error, const char *text) {
    if (is_error && (flags & PAM_SILENT) != 0)
        return;
    if (is_error)
        (void)pam_error(pamh, "%s", text);
    else
        (void)pam_info(pamh, "%s", text);
}

int conversation_ask(pam_handle_t *pamh, bool echo, const char *text, char **answer) {
    *answer = NULL;
    const int code = pam_prompt(pamh, echo ? PAM_PROMPT_ECHO_ON : PAM_PROMPT_ECHO_OFF, answer, "%s", text);
    if (code == PAM_SUCCESS && *answer != NULL)
        return PAM_SUCCESS;
    conversation_discard(*answer);
    *answer = NULL;
    return code == PAM_SUCCESS ? PAM_CONV_ERR : conversation_fault(code);
}

void conversation_discard(char *answer) {
    if (answer == NULL)
        return;
    explicit_bzero(answer, strlen(answer));
    free(answer);
}
