// SPDX-License-Identifier: Apache-2.0
// Puts Second Look's line into a file of libpam, or takes it out, so that every other line means what it meant: jumps are corrected, and the
// result is tried in every way its modules can answer. Pure.

/// A change of one file.
struct PAMEdit: Equatable, Sendable {
    /// The file before and after.
    let old: PAMFile
    let new: PAMFile
    /// Lines (numbers from 1, of the old file) whose jumps were corrected.
    let corrected: [Int]

    /// The line that is put in.
    static func line(module: String) -> String { "auth\trequired\t\(module) factor=face" }

    /// The change that puts `text` behind the password in the stack of `name`.
    ///
    /// - Parameters:
    ///   - isManaged: put it where pam-auth-update would, into its block of additional modules.
    ///   - others: the names of all services, whose jumps may lead over the file.
    static func enabling(
        _ name: String, line text: String, isManaged: Bool = false, others: [String], load: @escaping PAMLoader
    ) throws(PAMError) -> PAMEdit {
        guard let old = try load(name) else { throw .missing(file: name, includedBy: nil) }
        let stack = try PAMStack(service: name, load: load)
        guard stack.ours.isEmpty else { throw .impossible("'\(old.path)' has the line already") }
        let place = try isManaged ? managedPlace(in: stack, of: old, name) : place(in: stack, of: old, name)
        try refuseForeignJumps(over: name, others, load)
        let (moved, corrected) = try correctJumps(old, name, stack) { landing, step in
            // A password's jump that ends where the line begins is to lead to it; any other is to lead where it led.
            landing > place.step || (landing == place.step && !stack.isPassword(step)) ? 1 : 0
        } over: {
            $0 < place.step
        }
        let new = try moved.inserting(text, beforeLine: place.line)
        let edit = PAMEdit(old: old, new: new, corrected: corrected)
        try edit.verify(name, load)
        return edit
    }

    /// The change that takes every line of Second Look out of a file.
    static func disabling(
        _ name: String, others: [String], load: @escaping PAMLoader
    ) throws(PAMError) -> PAMEdit {
        guard let old = try load(name) else { throw .missing(file: name, includedBy: nil) }
        let stack = try PAMStack(service: name, load: load)
        let mine = stack.ours.filter { stack.steps[$0].file == name }
        guard !mine.isEmpty else { throw .impossible("'\(old.path)' has no line of Second Look") }
        try refuseForeignJumps(over: name, others, load)
        var new = old
        var corrected: [Int] = []
        for step in mine.reversed() {
            let now = try PAMStack(service: name, load: replacing(name, by: new, load))
            let (moved, lines) = try correctJumps(new, name, now) { landing, _ in
                landing > step ? -1 : 0
            } over: {
                $0 < step
            }
            corrected += lines
            new = try moved.removing(now.steps[step].statement)
        }
        let edit = PAMEdit(old: old, new: new, corrected: Array(Set(corrected)).sorted())
        try edit.verifyRemoval(name, load)
        return edit
    }

    /// A loader that gives `file` in the place of what has its name.
    static func replacing(_ name: String, by file: PAMFile, _ load: @escaping PAMLoader) -> PAMLoader {
        { asked throws(PAMError) in
            if asked == name { return file }
            return try load(asked)
        }
    }
}

// Where the line goes.
extension PAMEdit {
    private struct Place {
        /// Steps before this one stay before the line.
        var step: Int
        /// The physical line before which it is put.
        var line: Int
    }

    /// Behind the last statement that brings a password, and behind whatever the password's jumps lead over.
    private static func place(in stack: PAMStack, of file: PAMFile, _ name: String) throws(PAMError) -> Place {
        guard let last = stack.steps.indices.last(where: stack.isPassword) else {
            throw .impossible(
                "'\(file.path)' asks for no password, behind which a look could come; name a service that does")
        }
        var place = last + 1
        while let further = stack.steps.indices.filter({ $0 < place && stack.isPassword($0) }).flatMap({ step in
            (stack.steps[step].rule?.control.jumps ?? []).compactMap { stack.landing(from: step, count: $0) }
        }).max(), further > place { place = further }
        // Not within what one statement of this file brings, and not between a jump and what it leads to.
        while place < stack.steps.count,
            stack.steps[place].top == stack.steps[place - 1].top || stack.steps[place].rule?.name == "pam_permit"
        { place += 1 }
        if let line = managedEnd(of: file) {
            let behind = stack.steps.firstIndex { $0.file == name && $0.line > line } ?? stack.steps.count
            if behind >= place { return Place(step: behind, line: line) }
        }
        let statement = file.statements[stack.steps[place - 1].top]
        return Place(step: place, line: statement.lines.upperBound + 1)
    }

    /// The head of the block of additional modules.
    static func additionalBlock(of file: PAMFile) -> Int? {
        let mark = Array("# and here are more per-package modules (the \"Additional\" block)".utf8)
        return file.lines.firstIndex { $0.starts(with: mark) }.map { $0 + 1 }
    }

    /// Whether a physical line lies in that block.
    static func isManaged(_ line: Int, of file: PAMFile) -> Bool {
        guard let begin = additionalBlock(of: file), let end = managedEnd(of: file) else { return false }
        return (begin..<end).contains(line)
    }

    private static func managedPlace(
        in stack: PAMStack, of file: PAMFile, _ name: String
    ) throws(PAMError) -> Place {
        guard let line = additionalBlock(of: file) else {
            throw .impossible("'\(file.path)' is not looked after by pam-auth-update")
        }
        let step = stack.steps.firstIndex { $0.file == name && $0.line > line } ?? stack.steps.count
        return Place(step: step, line: line)
    }

    /// The line after the block that pam-auth-update looks after: it asks that local lines be before or behind it.
    private static func managedEnd(of file: PAMFile) -> Int? {
        let mark = Array("# end of pam-auth-update config".utf8)
        return file.lines.firstIndex { $0.starts(with: mark) }.map { $0 + 1 }
    }
}

// What must not change.
extension PAMEdit {
    /// Puts jumps right that lead over a place: the file, and the lines that were corrected.
    private static func correctJumps(
        _ file: PAMFile, _ name: String, _ stack: PAMStack, by shift: (_ landing: Int, _ step: Int) -> Int,
        over isBefore: (Int) -> Bool
    ) throws(PAMError) -> (PAMFile, [Int]) {
        var file = file
        var corrected: [Int] = []
        for index in stack.steps.indices where isBefore(index) && stack.steps[index].level == 0 {
            guard let rule = stack.steps[index].rule else { continue }
            let control = rule.control.changingJumps { count in
                stack.landing(from: index, count: count).map { count + shift($0, index) } ?? count
            }
            guard control != rule.control else { continue }
            let step = stack.steps[index]
            guard step.file == name else {
                throw .impossible(
                    "a jump in '\(step.file)' line \(step.line) leads over the place of the line; change it by hand")
            }
            file = try file.replacingControl(of: step.statement, by: control)
            corrected.append(step.line)
        }
        return (file, corrected)
    }

    /// Refuses where the jump of another file leads over this file, which is about to have one line more or less.
    private static func refuseForeignJumps(
        over name: String, _ others: [String], _ load: PAMLoader
    ) throws(PAMError) {
        for other in others where other != name {
            guard let stack = try? PAMStack(service: other, load: load) else { continue }
            let inside = stack.steps.indices.filter { stack.steps[$0].file == name }
            guard let first = inside.first else { continue }
            for index in stack.steps.indices where index < first && stack.steps[index].file != name {
                let landings = (stack.steps[index].rule?.control.jumps ?? []).compactMap {
                    stack.landing(from: index, count: $0)
                }
                if landings.contains(where: { $0 > first }) {
                    throw .impossible(
                        "a jump in '\(stack.steps[index].file)' line \(stack.steps[index].line) leads over '\(name)'; "
                            + "change that by hand")
                }
            }
        }
    }

    /// The look holds in the new stack, and where it says yes the stack ends as it did without it.
    private func verify(_ name: String, _ load: @escaping PAMLoader) throws(PAMError) {
        let before = try PAMStack(service: name, load: PAMEdit.replacing(name, by: old, load))
        let after = try PAMStack(service: name, load: PAMEdit.replacing(name, by: new, load))
        for finding in after.findings {
            // What let people by the password before lets them by the look now: said, not refused, unless it is the password's own line.
            if case .skipped(let step) = finding, !after.isPassword(step) { continue }
            throw .impossible("no line is put into '\(old.path)': \(finding.text(in: after))")
        }
        guard PAMEdit.isSame(before, after) else {
            throw .impossible("no line is put into '\(old.path)': it would change what other lines mean")
        }
    }

    /// Without the line the stack ends as it did where the look said yes, and still asks for a password.
    private func verifyRemoval(_ name: String, _ load: @escaping PAMLoader) throws(PAMError) {
        let before = try PAMStack(service: name, load: PAMEdit.replacing(name, by: old, load))
        let after = try PAMStack(service: name, load: PAMEdit.replacing(name, by: new, load))
        // Where the line itself asks for the password: when none is right, nobody may get in who did not before.
        let asks = before.ours.contains { before.steps[$0].file == name && before.isPassword($0) }
        let opens =
            !after.steps.indices.contains(where: after.isPassword)
            || asks && !PAMEdit.compare(after, before, look: .authError, passwords: .authError) { $0 <= $1 }
        guard !opens else {
            throw .impossible(
                "without its line nothing in '\(old.path)' asks for a password; put '@include common-auth' "
                    + "or what was there in its place, by hand")
        }
        guard PAMEdit.isSame(after, before) else {
            throw .impossible("the line stays in '\(old.path)': taking it out would change what other lines mean")
        }
    }

    /// Whether two stacks that differ in Second Look's lines only end the same in every world in which the look says yes.
    private static func isSame(_ without: PAMStack, _ with: PAMStack) -> Bool {
        compare(without, with, look: .success, passwords: nil) { $0 == $1 }
    }

    /// Goes through all worlds of both stacks, 1 standing for success, until `holds` is false.
    private static func compare(
        _ without: PAMStack, _ with: PAMStack, look: PAMResult, passwords: PAMResult?, _ holds: (Int, Int) -> Bool
    ) -> Bool {
        let rest = with.steps.indices.filter { with.steps[$0].rule?.isOurs != true }
        let own = without.steps.indices.filter { without.steps[$0].rule?.isOurs != true }
        guard rest.count == own.count else { return false }
        let place = Dictionary(zip(rest, own)) { first, _ in first }
        var all = true
        PAMWorlds(without).forEach { answer in
            func said(_ step: Int) -> PAMResult {
                if without.steps[step].rule?.isOurs == true { return look }
                if let passwords, without.isPassword(step) { return passwords }
                return answer(step)
            }
            let first = without.run(said)
            let second = with.run { with.steps[$0].rule?.isOurs == true ? look : said(place[$0] ?? 0) }
            all = holds(first.isSuccess ? 1 : 0, second.isSuccess ? 1 : 0)
            return all
        }
        return all
    }
}
