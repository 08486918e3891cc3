// SPDX-License-Identifier: Apache-2.0
// Whether anybody can still become root once a look is required: a machine whose administrator is locked out is worse off than one without a
// second factor. Pure.

/// What is known of the ways to root.
struct RootWay: Sendable {
    /// Services through which root itself logs in.
    static let logins = [
        "login", "sshd", "gdm-password", "sddm", "lightdm", "xdm", "kdm", "lxdm", "cockpit", "su", "su-l", "remote",
    ]

    /// Whether root has a template, or a recovery code.
    var rootIsEnrolled: Bool
    /// Whether root's password is locked: then nobody logs in as root, and root is reached by sudo.
    var rootIsLocked: Bool
    /// Who called sudo, and whether that user is enrolled; nil when nobody did.
    var sudoUser: (name: String, isEnrolled: Bool)?
    /// Whether anybody is enrolled.
    var somebodyIsEnrolled: Bool
    /// Whether the settings skip who is not enrolled, for the service that is changed.
    var skipsNotEnrolled: Bool
    /// Services of `logins` that there are, with whether a look is required there after the change.
    var services: [(name: String, looks: Bool)]
    /// Whether a look is required at sudo after the change.
    var sudoLooks: Bool

    /// Why nobody could become root; nil when somebody can.
    var problem: String? {
        if skipsNotEnrolled { return nil }
        let open = services.filter { !$0.looks }
        if !rootIsLocked, rootIsEnrolled || !open.isEmpty { return nil }
        if !sudoLooks && rootIsLocked { return nil }
        if let sudoUser {
            if sudoUser.isEnrolled { return nil }
            return "'\(sudoUser.name)', who called sudo, is not enrolled and could not become root any more; "
                + "first: sudo secondlook enroll \(sudoUser.name)"
        }
        if rootIsLocked {
            if somebodyIsEnrolled { return nil }
            return "root has no password and nobody is enrolled, so nobody could become root any more; "
                + "first: secondlook enroll USER"
        }
        return "root is not enrolled and could not log in any more; first: secondlook enroll root, "
            + "or: secondlook recovery new root"
    }

    /// What is to be said though root can still get in.
    var remark: String? {
        if skipsNotEnrolled { return nil }
        if !somebodyIsEnrolled { return "nobody is enrolled: this service refuses everybody until somebody is" }
        if let sudoUser, !sudoUser.isEnrolled {
            return "'\(sudoUser.name)' is not enrolled and is refused here; see: secondlook enroll \(sudoUser.name)"
        }
        return nil
    }
}
