// SPDX-License-Identifier: Apache-2.0
// Files of libpam as Debian 12 and its packages write them, comments shortened.

@testable import secondlook

/// Files of a machine by their names.
struct PAMFixture {
    var files: [String: String]

    /// Debian 12 as it is installed.
    static let debian = PAMFixture(files: [
        "common-auth": commonAuth, "sudo": sudo, "login": login, "sshd": sshd, "su": su, "other": other,
    ])

    static let commonAuth = """
        #
        # /etc/pam.d/common-auth - authentication settings common to all services
        #
        # As of pam 1.0.1-6, this file is managed by pam-auth-update by default.

        # here are the per-package modules (the "Primary" block)
        auth	[success=1 default=ignore]	pam_unix.so nullok
        # here's the fallback if no module succeeds
        auth	requisite			pam_deny.so
        # prime the stack with a positive return value if there isn't one already;
        auth	required			pam_permit.so
        # and here are more per-package modules (the "Additional" block)
        auth	optional			pam_cap.so 
        # end of pam-auth-update config

        """
    /// With winbind and sssd enabled: what pam-auth-update makes of three primary modules.
    static let commonAuthWithThree = """
        # here are the per-package modules (the "Primary" block)
        auth	[success=3 default=ignore]	pam_unix.so nullok
        auth	[success=2 default=ignore]	pam_winbind.so krb5_auth krb5_ccache_type=FILE cached_login try_first_pass
        auth	[success=1 default=ignore]	pam_sss.so use_first_pass
        # here's the fallback if no module succeeds
        auth	requisite			pam_deny.so
        # prime the stack with a positive return value if there isn't one already;
        auth	required			pam_permit.so
        # and here are more per-package modules (the "Additional" block)
        auth	optional			pam_cap.so 
        # end of pam-auth-update config

        """
    static let sudo = """
        #%PAM-1.0

        # Set up user limits from /etc/security/limits.conf.
        session    required   pam_limits.so

        @include common-auth
        @include common-account
        @include common-session-noninteractive

        """
    static let login = """
        # Enforce a minimal delay in case of failure (in microseconds).
        auth       optional   pam_faildelay.so  delay=3000000
        auth       requisite  pam_nologin.so
        session [success=ok ignore=ignore module_unknown=ignore default=bad] pam_selinux.so close
        session    required     pam_loginuid.so
        # Standard Un*x authentication.
        @include common-auth
        auth       optional   pam_group.so
        session    required   pam_limits.so
        @include common-account
        @include common-session

        """
    static let sshd = """
        # PAM configuration for the Secure Shell service

        # Standard Un*x authentication.
        @include common-auth

        # Disallow non-root logins when /etc/nologin exists.
        account    required     pam_nologin.so
        @include common-account
        session [success=ok ignore=ignore module_unknown=ignore default=bad]        pam_selinux.so close
        @include common-session
        @include common-password

        """
    static let su = """
        # This allows root to su without passwords (normal operation)
        auth       sufficient pam_rootok.so
        # auth       required   pam_wheel.so
        session       required   pam_env.so readenv=1
        @include common-auth
        @include common-account
        @include common-session

        """
    static let other = """
        @include common-auth
        @include common-account
        @include common-password
        @include common-session
        """

    /// Finds the files; those that only other types need are empty.
    var load: PAMLoader {
        { name throws(PAMError) in
            let empty = ["common-account", "common-session", "common-password", "common-session-noninteractive"]
            guard let text = files[name] ?? (empty.contains(name) ? "" : nil) else { return nil }
            return try PAMFile(path: "/etc/pam.d/" + name, Array(text.utf8))
        }
    }

    /// The same with another file.
    func with(_ name: String, _ text: String) -> PAMFixture {
        var changed = self
        changed.files[name] = text
        return changed
    }

    /// A machine with one service.
    static func only(_ text: String) -> PAMFixture { debian.with("x", text) }

    func enabling(_ name: String, isManaged: Bool = false) throws -> PAMEdit {
        try PAMEdit.enabling(
            name, line: PAMEdit.line(module: "pam_secondlook.so"), isManaged: isManaged, others: files.keys.sorted(),
            load: load)
    }

    func disabling(_ name: String) throws -> PAMEdit {
        try PAMEdit.disabling(name, others: files.keys.sorted(), load: load)
    }

    func stack(_ name: String) throws -> PAMStack { try PAMStack(service: name, load: load) }
}

/// The text of a file.
func text(_ file: PAMFile) -> String { String(decoding: file.bytes, as: UTF8.self) }
