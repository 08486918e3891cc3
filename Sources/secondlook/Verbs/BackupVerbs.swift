// SPDX-License-Identifier: Apache-2.0
// Takes what is enrolled to a file sealed under a passphrase, and back. The passphrase is typed or comes on a descriptor; it is never a word
// of the command line nor a variable, which other users can read.

import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let backupVerbs = [
        Verb(
            name: "export", summary: "Write what is enrolled, of all or one user, to a file under a passphrase.",
            operands: [Operand(name: "FILE", isRequired: true), Operand(name: "USER", isRequired: false)],
            options: [passphrase], run: export),
        Verb(
            name: "import", summary: "Enrol again what a file of 'export' has, all of it or nothing.",
            operands: [Operand(name: "FILE", isRequired: true), Operand(name: "USER", isRequired: false)],
            options: [
                Option(name: "replace", values: .none, help: "what these users have enrolled now gives way"),
                passphrase,
            ], run: restore),
    ]

    private static let passphrase = Option(
        name: "passphrase-fd", values: .one("N"), help: "read the passphrase from this open descriptor")

    @Sendable private static func export(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("export")
        let path = session.absolute(typed.operands[0])
        let user = typed.operands.count > 1 ? try UserName.checked(typed.operands[1]) : nil
        // Said before anybody types a passphrase.
        guard !SafeFile.exists(path) else { throw .failed("export: '\(path)' exists; name a new file") }
        var saved: [SavedEnrolment] = []
        if session.hasStore {
            var store = try session.openStore()
            saved = try inStore { () throws(StoreError) in try store.saved(of: user) }
        }
        guard !saved.isEmpty else {
            throw .failed("export: " + (user.map { "'\($0)' is not enrolled" } ?? "nobody is enrolled"))
        }
        let secret = try Passphrase.new(typed, verb: "export", session)
        let file = try inStore { () throws(StoreError) in
            try Backup.seal(saved, passphrase: secret, cost: session.backupCost)
        }
        do throws(PlatformError) { try SafeFile.writeNew(path, with: file) } catch {
            throw .failed("export: \(error.description)\(error.code == 17 ? "; name a new file" : "")")
        }
        report("exported", saved, path, typed, &session)
    }

    @Sendable private static func restore(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("import")
        let path = session.absolute(typed.operands[0])
        let user = typed.operands.count > 1 ? try UserName.checked(typed.operands[1]) : nil
        let file: [UInt8]
        do throws(PlatformError) {
            file = try SafeFile.read(try SafeFile.openForReading(path), limit: Backup.longestFile, path: path)
        } catch {
            throw .failed("import: \(error.description)")
        }
        try inBackup(path) { () throws(StoreError) in try Backup.check(file) }
        let secret = try Passphrase.existing(typed, verb: "import", session)
        var saved = try inBackup(path) { () throws(StoreError) in try Backup.open(file, passphrase: secret) }
        if let user { saved = saved.filter { AccountName.isSpelled($0.user, as: user) } }
        guard !saved.isEmpty else {
            throw .failed("import: '\(path)' has nothing" + (user.map { " of '\($0)'" } ?? ""))
        }
        try prepare(&saved, session)
        var store = try session.openStore(creating: true)
        do throws(StoreError) { try store.restore(saved, replacing: typed.has("replace")) } catch {
            guard case .userTaken(let name) = error else { return try inStore { () throws(StoreError) in throw error } }
            throw .failed("import: '\(name)' is enrolled already; use --replace, or remove '\(name)' first")
        }
        report("imported", saved, path, typed, &session)
    }

    /// Refuses templates of another recogniser and users who do not exist, and takes the user numbers of this machine.
    private static func prepare(_ saved: inout [SavedEnrolment], _ session: Session) throws(CommandError) {
        let model: String
        do throws(MonitorError) { model = try ModelSet(session.paths.installation).recogniserHash } catch {
            throw .failed("import: \(error.description); install it again")
        }
        for index in saved.indices {
            let (user, template) = (try UserName.checked(saved[index].user), saved[index].template)
            guard template.model == model else {
                throw .failed(
                    "import: '\(template.label)' of '\(user)' was made by another recogniser "
                        + "(\(Shown.safe(String(template.model.prefix(12))))...) than the one installed; enrol again")
            }
            saved[index].template.label = try Label.checked(template.label)
            saved[index].uid = try session.account(user).user
        }
    }

    private static func inBackup<Result>(
        _ path: String, _ step: () throws(StoreError) -> Result
    ) throws(CommandError) -> Result {
        do throws(StoreError) { return try step() } catch {
            guard case .backup = error else { throw .failed("import: \(error.description)") }
            throw .failed("import: '\(path)' \(error.description)")
        }
    }

    private static func report(
        _ done: String, _ saved: [SavedEnrolment], _ path: String, _ typed: Invocation, _ session: inout Session
    ) {
        let users = Dictionary(saved.map { (Array($0.user.utf8), $0.user) }) { first, _ in first }.values.sorted()
        if typed.has("json") {
            session.output.line(
                JSON.of([
                    "file": .string(path), "users": .array(users.map(JSON.string)), "templates": .integer(saved.count),
                ]).text)
            return
        }
        session.output.line(
            "\(done) \(Count.text(saved.count, "template")) of \(Count.text(users.count, "user"))")
    }
}

/// Where a passphrase comes from.
enum Passphrase {
    /// A shorter one is not taken for a new file.
    static let shortest = 8

    /// For a new file: typed twice.
    static func new(_ typed: Invocation, verb: String, _ session: Session) throws(CommandError) -> SecretBytes {
        if let secret = try handed(typed, verb) { return try longEnough(secret, verb) }
        let first = try longEnough(try asked("Passphrase for the file: ", verb), verb)
        let second = try asked("The same once more: ", verb)
        guard first.isEqual(to: second) else {
            throw .failed("\(verb): the two passphrases differ; nothing was written")
        }
        return first
    }

    /// For a file that is there.
    static func existing(_ typed: Invocation, verb: String, _ session: Session) throws(CommandError) -> SecretBytes {
        if let secret = try handed(typed, verb) { return secret }
        return try asked("Passphrase of the file: ", verb)
    }

    private static func longEnough(
        _ secret: consuming SecretBytes, _ verb: String
    ) throws(CommandError) -> SecretBytes {
        guard secret.count >= shortest else { throw .failed("\(verb): a passphrase has at least \(shortest) bytes") }
        return secret
    }

    /// From the descriptor of `--passphrase-fd`; nil without that option.
    private static func handed(_ typed: Invocation, _ verb: String) throws(CommandError) -> SecretBytes? {
        guard let text = typed.value("passphrase-fd") else { return nil }
        guard let number = Int32(text), (0...1_048_576).contains(number), number != 1, number != 2 else {
            throw .usage("\(verb): --passphrase-fd needs the number of an open descriptor, 0 or 3 and more")
        }
        do throws(PlatformError) { return try HiddenInput.line(of: Descriptor(owning: number)) } catch {
            throw .failed("\(verb): \(error.description)")
        }
    }

    private static func asked(_ prompt: String, _ verb: String) throws(CommandError) -> SecretBytes {
        do throws(PlatformError) { return try HiddenInput.typed(prompt: prompt) } catch {
            let remedy = error.code == 6 ? "; without a terminal use --passphrase-fd" : ""
            throw .failed("\(verb): \(error.description)\(remedy)")
        }
    }
}

/// Numbers of things in words.
enum Count {
    /// "1 template", "2 templates".
    static func text(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
}
