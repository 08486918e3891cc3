// SPDX-License-Identifier: Apache-2.0
// Switches the look on and off for one service: the change is tried on a private copy of the machine's files before anything is written, and
// taken back when the machine does not say to it what the copy said.

import Platform

/// A change that is wanted, and what is to be said of it.
struct PAMChange {
    /// The file before and after.
    let edit: PAMEdit
    /// Whether pam-auth-update makes it.
    let isManaged: Bool
    /// Remarks, one line each.
    var remarks: [String] = []

    /// As `diff -u` shows it.
    var diff: [String] { UnifiedDiff.lines(path: edit.old.path, edit.old.lines, edit.new.lines) }
}

/// The switch of one service.
struct PAMSwitch {
    /// The service, or a file that services include (common-auth).
    let service: String
    /// The files.
    let files: PAMFolder
    /// libpam.
    let library: any PAMLibrary
    /// Who tries the stack with a wrong password: an account that exists everywhere and that nobody logs in with.
    var nobody = "nobody"

    /// Whether pam-auth-update looks after the file and knows of Second Look.
    var isManaged: Bool {
        guard service == "common-auth", let file = try? files.load(service) else { return false }
        return PAMEdit.additionalBlock(of: file) != nil && SafeFile.exists(files.paths.updater)
            && SafeFile.exists(files.paths.profiles + "/secondlook")
    }

    /// The stack as it is.
    func stack() throws(CommandError) -> PAMStack {
        try inPAM { () throws(PAMError) in try PAMStack(service: service, load: files.load) }
    }

    /// What switching on would change.
    ///
    /// - Parameter module: how the line names the module.
    func planEnabling(module: String) throws(CommandError) -> PAMChange {
        let isManaged = self.isManaged
        let line = isManaged ? "auth\trequired\t\t\t\(module) factor=face" : PAMEdit.line(module: module)
        let edit = try inPAM { () throws(PAMError) in
            try PAMEdit.enabling(service, line: line, isManaged: isManaged, others: files.services, load: files.load)
        }
        var change = PAMChange(edit: edit, isManaged: isManaged)
        try refuseSecondLines(PAMEdit.replacing(service, by: edit.new, files.load))
        let after = try inPAM { () throws(PAMError) in
            try PAMStack(service: service, load: PAMEdit.replacing(service, by: edit.new, files.load))
        }
        change.remarks = after.findings.map { $0.text(in: after) }
        return change
    }

    /// Refuses where another service that includes the file has a line of its own: it would look twice.
    private func refuseSecondLines(_ load: PAMLoader) throws(CommandError) {
        for other in files.services where other != service {
            guard let stack = try? PAMStack(service: other, load: load), stack.ours.count > 1 else { continue }
            throw .failed(
                "pam: '\(other)' has a line of its own and would look twice; first: secondlook pam disable \(other)")
        }
    }

    /// What switching off would change.
    func planDisabling() throws(CommandError) -> PAMChange {
        let edit = try inPAM { () throws(PAMError) in
            try PAMEdit.disabling(service, others: files.services, load: files.load)
        }
        let mine = edit.old.statements.first { statement in
            if case .rule(let rule) = statement.meaning { rule.isOurs } else { false }
        }
        let isInBlock = mine.map { PAMEdit.isManaged($0.lines.lowerBound, of: edit.old) } ?? false
        return PAMChange(edit: edit, isManaged: isManaged && isInBlock)
    }
}

// Making the change.
extension PAMSwitch {
    /// Makes a change; everything is as before when it throws.
    ///
    /// - Parameters:
    ///   - folder: for the private copy; it is removed again.
    ///   - user: who is asked for a real attempt at the terminal before anything is written; nil for none.
    /// - Returns: where the file as it was is kept, if there was one.
    func make(_ change: PAMChange, copyIn folder: String, trial user: String?) throws(CommandError) -> String? {
        let isEnabling = change.edit.new.statements.indices.contains { change.edit.new.rule($0)?.isOurs == true }
        try tryCopy(change, folder, user, isEnabling: isEnabling)
        try requireUnchanged(change)
        let before = try inFiles { () throws(PlatformError) -> [UInt8]? in
            try files.status(of: service) == nil ? nil : change.edit.old.bytes
        }
        let backup = try inFiles { () throws(PlatformError) in try files.backUp(service) }
        do throws(CommandError) {
            if change.isManaged {
                try update(isEnabling ? "--enable" : "--disable")
                try confirmUpdate(isEnabling: isEnabling)
            } else {
                try inFiles { () throws(PlatformError) in try files.write(service, change.edit.new.bytes) }
            }
            let machine = files.paths.folder == PAMPaths().folder ? nil : files.paths.folder
            if !hasRoot(change.edit.new) { try refuses(wrongPasswordIn: machine) }
        } catch {
            if change.isManaged, isEnabling { try? update("--disable") }
            try inFiles { () throws(PlatformError) in try files.restore(service, before) }
            throw .failed("\(error.description); '\(change.edit.old.path)' is as it was")
        }
        return backup
    }

    /// Refuses where somebody else has changed the file since the change was worked out: that change would be lost.
    private func requireUnchanged(_ change: PAMChange) throws(CommandError) {
        let now = try inPAM { () throws(PAMError) in try files.load(service) }
        guard now?.path == change.edit.old.path, now?.bytes == change.edit.old.bytes else {
            throw .failed("pam: '\(change.edit.old.path)' was changed by somebody else meanwhile; nothing was changed")
        }
    }

    /// The same change on a private copy: the module loads and answers, a wrong password is refused, and who is to try gets in.
    private func tryCopy(
        _ change: PAMChange, _ folder: String, _ user: String?, isEnabling: Bool
    ) throws(CommandError) {
        let file = withoutRoot(change.edit.new)
        try inFiles { () throws(PlatformError) in
            if SafeFile.exists(folder) { try SafeFile.removeFolder(folder) }
            try files.copy(to: folder, replacing: service, by: file)
        }
        defer { try? SafeFile.removeFolder(folder) }
        if isEnabling { try tryModule(change.edit.new, folder) }
        try refuses(wrongPasswordIn: folder)
        guard let user else { return }
        let answer = library.authenticate(service: service, user: user, folder: folder, password: nil, seconds: 180)
        guard let answer else { throw .failed("pam: the attempt of '\(user)' had no end; nothing was changed") }
        guard answer.code == 0 else {
            throw .failed("pam: the attempt of '\(user)' was refused (\(answer.text)); nothing was changed")
        }
    }

    /// The module's line alone, for somebody who is not enrolled: a refusal shows that module, helper and settings work.
    private func tryModule(_ file: PAMFile, _ folder: String) throws(CommandError) {
        guard let index = file.statements.indices.first(where: { file.rule($0)?.isOurs == true }),
            let rule = file.rule(index)
        else { return }
        let path = rule.module.hasPrefix("/") ? rule.module : (library.moduleFolder ?? "") + "/" + rule.module
        if let problem = library.problem(ofModule: path) {
            throw .failed("pam: '\(path)' cannot be loaded: \(Shown.safe(problem))")
        }
        let service = "secondlook-trial"
        try inFiles { () throws(PlatformError) in
            let line = "auth required \(rule.module) factor=face\n"
            try SafeFile.makeFile(folder + "/" + service, with: Array(line.utf8), mode: 0o600)
        }
        let answer = library.authenticate(
            service: service, user: nobody, folder: folder, password: "", seconds: 60)
        guard let answer, answer.isRefusal else {
            let words = answer.map { $0.text } ?? "no answer"
            throw .failed(
                "pam: the module cannot do its work here (\(words)); see the system log and: secondlook doctor")
        }
    }

    private func refuses(wrongPasswordIn folder: String?) throws(CommandError) {
        let answer = library.authenticate(
            service: service, user: nobody, folder: folder, password: "not the password of anybody", seconds: 60)
        guard let answer else { throw .failed("pam: a trial of the stack had no answer") }
        if answer.code == 0 { throw .failed("pam: the stack let '\(nobody)' in with a wrong password") }
        guard answer.isRefusal else {
            throw .failed("pam: a trial of the stack ended in a fault (\(answer.text)); see the system log")
        }
    }

    /// The command itself runs as root, whom pam_rootok would let in before anything is tried.
    private func withoutRoot(_ file: PAMFile) -> PAMFile {
        var file = file
        while let index = file.statements.indices.first(where: { file.rule($0)?.name == "pam_rootok" }) {
            guard let less = try? file.removing(index) else { return file }
            file = less
        }
        return file
    }

    private func hasRoot(_ file: PAMFile) -> Bool {
        file.statements.indices.contains { file.rule($0)?.name == "pam_rootok" }
    }

    /// Runs pam-auth-update.
    private func update(_ way: String) throws(CommandError) {
        try inFiles { () throws(PlatformError) in
            let perl = try SafeFile.open(SafeFile.resolved("/usr/bin/perl"))
            let nothing = try SafeFile.openNull()
            var child = try Child(
                program: perl, arguments: ["perl", "-w", files.paths.updater, way, "secondlook"],
                environment: [
                    "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C",
                    "DEBCONF_NOWARNINGS=yes",
                ], placements: [.init(nothing.raw, at: 0), .init(nothing.raw, at: 1), .init(nothing.raw, at: 2)])
            guard try child.wait(until: SystemTime().now() + 120_000) == .exited(0) else {
                throw .protocolBroken("pam-auth-update \(way) secondlook failed; run it by hand to see why")
            }
        }
    }

    /// pam-auth-update ends well, too, where it leaves a file alone that somebody changed.
    private func confirmUpdate(isEnabling: Bool) throws(CommandError) {
        let now = try stack()
        guard isEnabling != now.ours.isEmpty else {
            throw .failed(
                "pam: pam-auth-update left '\(files.path(of: service))' alone, for it has local changes; "
                    + "see pam-auth-update(8) about --force, or name a service: secondlook pam enable sudo")
        }
        if isEnabling, let fault = now.findings.first(where: \.isFault) {
            throw .failed("pam: what pam-auth-update wrote does not hold: \(fault.text(in: now))")
        }
    }
}

/// Runs a step on PAM files; its faults become one line.
func inPAM<Result>(_ step: () throws(PAMError) -> Result) throws(CommandError) -> Result {
    do throws(PAMError) { return try step() } catch { throw .failed("pam: \(error.description)") }
}

/// The same for a step of the system.
func inFiles<Result>(_ step: () throws(PlatformError) -> Result) throws(CommandError) -> Result {
    do throws(PlatformError) { return try step() } catch { throw .failed("pam: \(error.description)") }
}
