// SPDX-License-Identifier: Apache-2.0
// The auth stack of a service with everything it includes, in the order in which libpam goes through it, and where its jumps lead. Pure.

/// Finds a file of the PAM folder by its name; nil when there is none.
typealias PAMLoader = (_ name: String) throws(PAMError) -> PAMFile?

/// The auth stack of one service.
struct PAMStack: Equatable, Sendable {
    /// One place of the stack.
    struct Step: Equatable, Sendable {
        /// The name of the file, as it was asked for.
        var file: String
        /// Which of the file's statements it is.
        var statement: Int
        /// The line's number, from 1.
        var line: Int
        /// 0, and one more within each substack.
        var level: Int
        /// Nil for the place that begins a substack.
        var rule: PAMRule?
        /// Which statement of the service's own file brought it.
        var top: Int
    }

    /// Files included by files included by files: more levels than this are an error.
    static let deepest = 16

    /// The name of the service.
    let service: String
    /// In order.
    let steps: [Step]

    /// The stack of a service.
    init(service: String, load: PAMLoader) throws(PAMError) {
        self.service = service
        steps = try PAMStack.steps(of: service, includedBy: nil, level: 0, depth: 0, top: nil, load)
    }

    private static func steps(
        of name: String, includedBy: String?, level: Int, depth: Int, top: Int?, _ load: PAMLoader
    ) throws(PAMError) -> [Step] {
        guard depth < deepest else { throw .nested(file: name) }
        guard let file = try load(name) else { throw .missing(file: name, includedBy: includedBy) }
        let path = file.path
        var found: [Step] = []
        for (index, statement) in file.statements.enumerated() {
            let top = top ?? index
            let step = Step(
                file: name, statement: index, line: statement.lines.lowerBound + 1, level: level, rule: nil, top: top)
            func inner(_ file: String, _ level: Int) throws(PAMError) -> [Step] {
                try steps(of: file, includedBy: path, level: level, depth: depth + 1, top: top, load)
            }
            switch statement.meaning {
            case .includeAll(let name), .include("auth", let name):
                found += try inner(name, level)
            case .substack("auth", let name):
                found.append(step)
                found += try inner(name, level + 1)
            case .rule(let rule) where rule.type == "auth":
                var step = step
                step.rule = rule
                found.append(step)
            case .include, .substack, .rule: break
            }
        }
        return found
    }

    /// The steps that are Second Look's lines.
    var ours: [Int] { steps.indices.filter { steps[$0].rule?.isOurs == true } }

    /// Whether a step asks for the password or checks it.
    func isPassword(_ index: Int) -> Bool {
        guard let rule = steps[index].rule else { return false }
        return PAMStack.passwordModules.contains(rule.name) || (rule.isOurs && !rule.arguments.contains("factor=face"))
    }

    /// Modules that check a password, or what stands for one.
    static let passwordModules: Set<String> = [
        "pam_unix", "pam_sss", "pam_winbind", "pam_ldap", "pam_krb5", "pam_systemd_home", "pam_extrausers",
        "pam_userdb", "pam_pwdfile", "pam_himmelblau", "pam_aad", "pam_radius_auth", "pam_tacplus", "pam_mysql",
        "pam_pgsql", "pam_google_authenticator", "pam_oath",
    ]

    /// Where a jump of `count` lines from a step lands: the index after the last skipped step, or nil when it leaves its stack, which libpam
    /// answers with a refusal.
    func landing(from index: Int, count: Int) -> Int? {
        let level = steps[index].level
        var at = index
        for _ in 0..<count {
            guard at + 1 < steps.count, steps[at + 1].level >= level else { return nil }
            at += 1
            while at + 1 < steps.count, steps[at + 1].level > level { at += 1 }
        }
        return at + 1
    }
}
