// SPDX-License-Identifier: Apache-2.0
/*
 * The PAM module: the part of Second Look that runs inside login programs. It decides nothing. It carries the request
 * to the helper, the helper's words to the person, and the helper's verdict back, and whatever goes wrong on the way is
 * a refusal. It must not print, keep state, start threads, change the caller's surroundings or be in memory of a secret
 * longer than needed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define PAM_SM_AUTH
#include "arguments.h"
#include "confinement.h"
#include "conversation.h"
#include "helper.h"
#include "standard.h"

#include <errno.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#ifndef SECONDLOOK_HELPER_PATH
#error "SECONDLOOK_HELPER_PATH is to be the installed helper's absolute path"
#endif
#ifndef SECONDLOOK_SOCKET_PATH
#error "SECONDLOOK_SOCKET_PATH is to be the path of the service's socket"
#endif

enum {
    NOTICES_MOST = 64,       /* messages in one attempt; more is a flood */
    PROMPTS_MOST = 8,        /* questions in one attempt */
    GRACE_MS = 60,           /* for a helper to end by itself after a fault */
    GRACE_CANCELLED_MS = 500 /* for one that is told to cancel: it has a record to write */
};

/* One call of pam_sm_authenticate. */
struct attempt {
    pam_handle_t *pamh;
    int flags;
    struct arguments arguments;
    struct helper helper;
    const char *place; /* where the helper was looked for */
    bool settled;      /* a verdict was heard */
    bool ready;        /* the helper has said so */
    bool told;         /* everything the factors need was sent */
    int notices;
    int prompts;
};

/* The closed table of verdicts. What is not in it is a fault. */
static int code_of(uint8_t outcome) {
    switch (outcome) {
    case WIRE_ACCEPTED:
        return PAM_SUCCESS;
    case WIRE_REFUSED:
        return PAM_AUTH_ERR;
    case WIRE_NOT_JUDGED:
        return PAM_AUTHINFO_UNAVAIL;
    case WIRE_LOCKED:
        return PAM_MAXTRIES;
    case WIRE_UNKNOWN_USER:
        return PAM_USER_UNKNOWN;
    case WIRE_SKIPPED:
        return PAM_IGNORE;
    case WIRE_FAULT:
        return PAM_SYSTEM_ERR;
    }
    return PAM_SYSTEM_ERR;
}

static int fault(const struct attempt *attempt, enum helper_status status) {
    errno = attempt->helper.error;
    if (status == HELPER_SYSTEM || status == HELPER_ABSENT || status == HELPER_UNTRUSTED)
        pam_syslog(attempt->pamh, LOG_ERR, "cannot use '%s': %s: %m", attempt->place, helper_describe(status));
    else
        pam_syslog(attempt->pamh, LOG_ERR, "the helper failed: %s", helper_describe(status));
    return PAM_SYSTEM_ERR;
}

static int misbehaved(const struct attempt *attempt, const char *how) {
    pam_syslog(attempt->pamh, LOG_ERR, "the helper failed: %s", how);
    return PAM_SYSTEM_ERR;
}

/* The item's text; a missing one is empty. False when libpam fails. */
static bool item_of(pam_handle_t *pamh, int item, const char **text) {
    const void *value = NULL;
    if (pam_get_item(pamh, item, &value) != PAM_SUCCESS)
        return false;
    *text = value;
    return true;
}

/* Starts the helper, or connects to the service where the caller is not root or where root is confined. */
static enum helper_status reach_helper(struct attempt *attempt) {
    const struct arguments *arguments = &attempt->arguments;
    bool confined = false;
    attempt->place = SECONDLOOK_SOCKET_PATH;
    if (geteuid() != 0) {
        if (arguments->conf != NULL)
            pam_syslog(attempt->pamh, LOG_NOTICE, "the service has settings of its own, conf= is not used");
        return helper_connect(&attempt->helper, attempt->place, arguments->deadline);
    }
    /* Settings that were named cannot be had from the service. */
    if (arguments->conf == NULL && !confinement_detect(&confined)) {
        attempt->helper = (struct helper){.socket = -1, .process = -1, .error = errno};
        return HELPER_SYSTEM;
    }
    if (confined) {
        const enum helper_status status = helper_connect(&attempt->helper, attempt->place, arguments->deadline);
        if (status != HELPER_ABSENT)
            return status;
        if (helper_end(&attempt->helper, 0) != HELPER_OK)
            return HELPER_SYSTEM;
    }
    attempt->place = SECONDLOOK_HELPER_PATH;
    return helper_start(&attempt->helper, attempt->place, arguments->conf, arguments->deadline);
}

static int send_begin(struct attempt *attempt, const char *user) {
    uint8_t frame[WIRE_BEGIN_MOST];
    size_t length;
    struct wire_begin begin = {.face_only = attempt->arguments.face_only,
                               .debug = attempt->arguments.debug,
                               .deadline = attempt->arguments.deadline,
                               .user = user};
    if (!item_of(attempt->pamh, PAM_SERVICE, &begin.service) || !item_of(attempt->pamh, PAM_TTY, &begin.tty) ||
        !item_of(attempt->pamh, PAM_RHOST, &begin.rhost) || !item_of(attempt->pamh, PAM_RUSER, &begin.ruser))
        return PAM_SYSTEM_ERR;
    if (wire_encode_begin(&begin, frame, &length) != WIRE_OK) {
        pam_syslog(attempt->pamh, LOG_NOTICE, "the user's name is empty, too long or not UTF-8");
        return PAM_SYSTEM_ERR;
    }
    const enum helper_status status = helper_send(&attempt->helper, frame, length);
    return status == HELPER_OK ? PAM_SUCCESS : fault(attempt, status);
}

/* Sends a secret or an answer and forgets it. One that is too long to be anybody's is a wrong one. */
static int send_typed(struct attempt *attempt, enum wire_type type, const char *typed) {
    uint8_t frame[WIRE_TYPED_MOST];
    size_t length;
    if (wire_encode_typed(type, typed, strlen(typed), frame, &length) != WIRE_OK)
        return PAM_AUTH_ERR;
    const enum helper_status status = helper_send(&attempt->helper, frame, length);
    explicit_bzero(frame, sizeof frame);
    return status == HELPER_OK ? PAM_SUCCESS : fault(attempt, status);
}

/* The helper is ready: the secret is asked for, if one is wanted. */
static int begin_judgement(struct attempt *attempt, const struct wire_reply *reply) {
    const char *secret;
    if (attempt->ready || reply->flag == attempt->arguments.face_only)
        return misbehaved(attempt, "it is ready out of order");
    attempt->ready = true;
    attempt->told = !reply->flag;
    if (!reply->flag)
        return PAM_SUCCESS;
    enum helper_status status = helper_pause(&attempt->helper, true);
    if (status != HELPER_OK)
        return fault(attempt, status);
    const int code = conversation_get_secret(attempt->pamh, attempt->arguments.token, reply->text, &secret);
    status = helper_resume(&attempt->helper);
    if (status == HELPER_OK && code == PAM_SUCCESS)
        status = helper_is_quiet(&attempt->helper, &attempt->told);
    if (status != HELPER_OK)
        return fault(attempt, status);
    /* One that has spoken or left meanwhile is heard first, and cannot accept what it was not told. */
    return code == PAM_SUCCESS && attempt->told ? send_typed(attempt, WIRE_SECRET, secret) : code;
}

static int show_notice(struct attempt *attempt, const struct wire_reply *reply) {
    if (++attempt->notices > NOTICES_MOST)
        return misbehaved(attempt, "it sends too many notices");
    enum helper_status status = helper_pause(&attempt->helper, false);
    if (status == HELPER_OK) {
        conversation_show(attempt->pamh, attempt->flags, reply->flag, reply->text);
        status = helper_resume(&attempt->helper);
    }
    return status == HELPER_OK ? PAM_SUCCESS : fault(attempt, status);
}

static int answer_prompt(struct attempt *attempt, const struct wire_reply *reply) {
    char *answer;
    if (!attempt->told || ++attempt->prompts > PROMPTS_MOST)
        return misbehaved(attempt, "it sends too many prompts, or one out of order");
    enum helper_status status = helper_pause(&attempt->helper, true);
    if (status != HELPER_OK)
        return fault(attempt, status);
    int code = conversation_ask(attempt->pamh, reply->flag, reply->text, &answer);
    status = helper_resume(&attempt->helper);
    if (status != HELPER_OK)
        code = fault(attempt, status);
    if (code == PAM_SUCCESS)
        code = send_typed(attempt, WIRE_ANSWER, answer);
    conversation_discard(answer);
    return code;
}

/*
 * A verdict that helper_receive vouches for. Before the factors were heard nobody is accepted, nor skipped: the
 * settings skip the face only, and the stack behind PAM_IGNORE may ask for nothing more.
 */
static int obey(struct attempt *attempt, const struct wire_reply *reply) {
    attempt->settled = true;
    if (reply->outcome == WIRE_ACCEPTED && !attempt->told)
        return misbehaved(attempt, "it accepts out of order");
    if (reply->outcome == WIRE_SKIPPED && !attempt->told && !attempt->arguments.face_only)
        return misbehaved(attempt, "it skips before it has the password");
    if (attempt->arguments.debug)
        pam_syslog(attempt->pamh, LOG_DEBUG, "verdict %c", reply->outcome);
    return code_of(reply->outcome);
}

/* Passes messages on until one of them, or a fault, settles the attempt. */
static int converse(struct attempt *attempt) {
    for (;;) {
        struct wire_reply reply;
        int code = PAM_SYSTEM_ERR;
        const enum helper_status status = helper_receive(&attempt->helper, &reply);
        if (status != HELPER_OK)
            return fault(attempt, status);
        switch (reply.type) {
        case WIRE_VERDICT:
            return obey(attempt, &reply);
        case WIRE_READY:
            code = begin_judgement(attempt, &reply);
            break;
        case WIRE_NOTICE:
            code = show_notice(attempt, &reply);
            break;
        case WIRE_PROMPT:
            code = answer_prompt(attempt, &reply);
            break;
        case WIRE_BEGIN:
        case WIRE_SECRET:
        case WIRE_CANCEL:
        case WIRE_ANSWER:
            break; /* the codec receives none of these */
        }
        if (code != PAM_SUCCESS)
            return code;
    }
}

/* Ends the helper, in peace where the caller gave up, and makes sure that nothing of it is left. */
static int finish(struct attempt *attempt, int code) {
    int grace = GRACE_MS;
    if (!attempt->settled && code != PAM_SYSTEM_ERR) {
        uint8_t frame[WIRE_HEADER];
        wire_encode_cancel(frame);
        if (helper_send(&attempt->helper, frame, sizeof frame) == HELPER_OK)
            grace = GRACE_CANCELLED_MS;
    }
    const enum helper_status status = helper_end(&attempt->helper, grace);
    if (attempt->helper.exit_code != 0 && (code == PAM_SYSTEM_ERR || attempt->arguments.debug))
        pam_syslog(attempt->pamh, LOG_INFO, "the helper ended by %s %d",
                   attempt->helper.exit_code == CLD_EXITED ? "exit" : "signal", attempt->helper.exit_status);
    return status == HELPER_OK ? code : fault(attempt, status);
}

static int authenticate(struct attempt *attempt, const char *user) {
    const enum helper_status status = reach_helper(attempt);
    int code = status == HELPER_OK ? PAM_SUCCESS : fault(attempt, status);
    if (code == PAM_SUCCESS)
        code = send_begin(attempt, user);
    if (code == PAM_SUCCESS)
        code = converse(attempt);
    code = finish(attempt, code);
    explicit_bzero(&attempt->helper, sizeof attempt->helper);
    return code;
}

/* Gets the user's name, which may ask for it. */
static int user_of(pam_handle_t *pamh, const char **user) {
    *user = NULL;
    const int code = pam_get_user(pamh, user, NULL);
    if (code == PAM_CONV_AGAIN)
        return PAM_INCOMPLETE;
    return code == PAM_SUCCESS && *user != NULL ? PAM_SUCCESS : PAM_CONV_ERR;
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    const int caller_errno = errno;
    struct attempt attempt = {.pamh = pamh, .flags = flags};
    struct standard standard;
    const char *user;
    int code = PAM_SYSTEM_ERR;
    if (arguments_parse(pamh, argc, argv, &attempt.arguments)) {
        code = user_of(pamh, &user);
        if (code == PAM_SUCCESS) {
            code = standard_fill(&standard) ? authenticate(&attempt, user) : PAM_SYSTEM_ERR;
            if (!standard_restore(&standard))
                code = PAM_SYSTEM_ERR;
        }
    }
    errno = caller_errno;
    return code;
}

/* There are no credentials of this module to set; a required module has to say that this went well. */
int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    (void)pamh;
    (void)flags;
    (void)argc;
    (void)argv;
    return PAM_SUCCESS;
}
