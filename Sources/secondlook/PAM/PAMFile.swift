// SPDX-License-Identifier: Apache-2.0
// One file of /etc/pam.d, read as libpam reads it and written back byte for byte but for the change that is wanted. Pure.

/// A line that names a module.
struct PAMRule: Equatable, Sendable {
    /// `auth`, `account`, `session` or `password`.
    var type: String
    /// `-auth`: a module that is not there is not logged.
    var isSilent: Bool
    /// What is done with the answers.
    var control: PAMControl
    /// As it stands in the file: a name or a path.
    var module: String
    /// The words after the module.
    var arguments: [String]

    /// The module's name without folders and `.so`.
    var name: String {
        let last = module.split(separator: "/").last.map(String.init) ?? module
        return last.hasSuffix(".so") ? String(last.dropLast(3)) : last
    }
    /// Whether the line is Second Look's.
    var isOurs: Bool { name == "pam_secondlook" }
}

/// One of the files.
struct PAMFile: Equatable, Sendable {
    /// What a statement says.
    enum Meaning: Equatable, Sendable {
        /// `@include NAME`: every line of another file.
        case includeAll(String)
        /// `auth include NAME`: the lines of one type.
        case include(type: String, file: String)
        /// `auth substack NAME`: the same, and an end inside ends the inner stack only.
        case substack(type: String, file: String)
        /// A module.
        case rule(PAMRule)
    }

    /// A statement and the physical lines it takes.
    struct Statement: Equatable, Sendable {
        var meaning: Meaning
        /// Indices into `lines`.
        var lines: ClosedRange<Int>
    }

    /// The largest file that is read, in bytes.
    static let longest = 65_536

    /// As messages name it.
    let path: String
    /// The folder of all such files: what is included by its path from there is the file of that name.
    let folder: String
    /// The physical lines, each with its end; the last may have none.
    private(set) var lines: [[UInt8]]
    /// The statements in their order.
    private(set) var statements: [Statement]

    /// Reads the bytes of a file.
    init(path: String, _ bytes: [UInt8], folder: String = PAMPaths().folder) throws(PAMError) {
        self.path = path
        self.folder = folder
        if let cut = bytes.firstIndex(of: 0) {
            let number = bytes[..<cut].filter { $0 == 10 }.count + 1
            throw .line(file: path, number: number, problem: "has a NUL byte")
        }
        lines = PAMFile.split(bytes)
        statements = []
        var at = 0
        while at < lines.count {
            let (words, last) = try PAMFile.words(lines, from: at, path: path)
            if let first = words.first {
                let number = PAMFile.firstLine(lines, from: at) + 1
                let meaning = try PAMFile.meaning(first, Array(words.dropFirst()), path: path, number: number)
                statements.append(Statement(meaning: named(meaning), lines: (number - 1)...last))
            }
            at = last + 1
        }
    }

    /// The bytes as they are to be written.
    var bytes: [UInt8] { lines.flatMap { $0 } }

    /// What the file says, with included files named by their place in another folder.
    ///
    /// libpam looks for them in its own folder however the file itself was found.
    func text(includingFrom folder: String) -> String {
        statements.map { statement in
            switch statement.meaning {
            case .includeAll(let name): "@include \(PAMFile.place(name, folder))\n"
            case .include(let type, let name): "\(type) include \(PAMFile.place(name, folder))\n"
            case .substack(let type, let name): "\(type) substack \(PAMFile.place(name, folder))\n"
            case .rule(let rule):
                "\(rule.isSilent ? "-" : "")\(rule.type) "
                    + ([rule.control.text, rule.module] + rule.arguments).joined(separator: " ") + "\n"
            }
        }.joined()
    }

    /// What it includes by the name that the file has for everybody else, so that it is known again.
    private func named(_ meaning: Meaning) -> Meaning {
        func short(_ name: String) -> String {
            let rest = name.hasPrefix(folder + "/") ? String(name.dropFirst(folder.count + 1)) : name
            return rest.isEmpty || rest.contains("/") ? name : rest
        }
        switch meaning {
        case .includeAll(let name): return .includeAll(short(name))
        case .include(let type, let name): return .include(type: type, file: short(name))
        case .substack(let type, let name): return .substack(type: type, file: short(name))
        case .rule: return meaning
        }
    }

    private static func place(_ name: String, _ folder: String) -> String {
        name.hasPrefix("/") ? name : folder + "/" + name
    }

    /// The rule of a statement, if it is one.
    func rule(_ index: Int) -> PAMRule? {
        if case .rule(let rule) = statements[index].meaning { rule } else { nil }
    }

    /// The same file with a line put in before the physical line `index`; behind the last one where it equals their number.
    func inserting(_ text: String, beforeLine index: Int) throws(PAMError) -> PAMFile {
        var changed = lines
        if index == lines.count, let last = lines.last, last.last != 10 {
            // The file's last line has no end, and so has the new last one: taking it out again gives the same bytes.
            changed[lines.count - 1] = last + [10]
            changed.append(Array(text.utf8))
        } else {
            changed.insert(Array(text.utf8) + [10], at: index)
        }
        return try PAMFile(path: path, changed.flatMap { $0 }, folder: folder)
    }

    /// The same file without the lines of a statement.
    func removing(_ index: Int) throws(PAMError) -> PAMFile {
        var changed = lines
        let range = statements[index].lines
        let endsOpen = range.upperBound == lines.count - 1 && lines[range.upperBound].last != 10
        changed.removeSubrange(range)
        if endsOpen, let last = changed.last, last.last == 10 { changed[changed.count - 1].removeLast() }
        return try PAMFile(path: path, changed.flatMap { $0 }, folder: folder)
    }

    /// The same file with another control field in a statement; everything else of the line stays as it is.
    func replacingControl(of index: Int, by control: PAMControl) throws(PAMError) -> PAMFile {
        guard let old = rule(index)?.control, old != control else { return self }
        var changed = lines
        let needle = Array(old.text.utf8)
        for line in statements[index].lines {
            guard let found = changed[line].firstRange(of: needle) else { continue }
            changed[line].replaceSubrange(found, with: Array(control.text.utf8))
            return try PAMFile(path: path, changed.flatMap { $0 }, folder: folder)
        }
        let number = statements[index].lines.lowerBound + 1
        throw .line(file: path, number: number, problem: "its control field goes over several lines; write it on one")
    }
}

// Reading.
extension PAMFile {
    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for byte in bytes {
            line.append(byte)
            if byte == 10 {
                lines.append(line)
                line = []
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 }

    /// The first line at or after `from` that is neither empty nor a comment.
    private static func firstLine(_ lines: [[UInt8]], from: Int) -> Int {
        lines[from...].firstIndex { line in
            line.first { !isBlank($0) }.map { $0 != UInt8(ascii: "#") } ?? false
        } ?? from
    }

    /// The words of one statement and the index of its last line.
    ///
    /// As libpam puts it together: a hash ends it, a backslash at the end of a line goes on with the next line, and empty lines and comments
    /// in between are passed over.
    private static func words(
        _ lines: [[UInt8]], from first: Int, path: String
    ) throws(PAMError) -> (words: [String], last: Int) {
        var joined: [UInt8] = []
        var at = first
        while at < lines.count {
            var line = Array(lines[at].drop(while: isBlank))
            if line.isEmpty || line.first == UInt8(ascii: "#") {
                if joined.isEmpty { return ([], at) }
                at += 1
                continue
            }
            let hasComment = line.contains(UInt8(ascii: "#"))
            line = Array(line.prefix { $0 != UInt8(ascii: "#") })
            while let end = line.last, isBlank(end) { line.removeLast() }
            guard !line.contains(13) else {
                throw .line(
                    file: path, number: at + 1,
                    problem: "has a carriage return, which libpam takes for a part of the word; write the file without")
            }
            if line.last == UInt8(ascii: "\\"), !hasComment {
                joined += line.dropLast() + [32]
                at += 1
                if at == lines.count {
                    throw .line(file: path, number: at, problem: "ends in a backslash, and no line follows")
                }
                continue
            }
            joined += line
            break
        }
        return (try tokens(joined, path: path, number: first + 1), min(at, lines.count - 1))
    }

    /// Words between blanks; what is in brackets is one word, in which `\]` is a bracket.
    private static func tokens(_ bytes: [UInt8], path: String, number: Int) throws(PAMError) -> [String] {
        var words: [String] = []
        var at = 0
        while true {
            while at < bytes.count, isBlank(bytes[at]) { at += 1 }
            guard at < bytes.count else { return words }
            let begin = at
            if bytes[at] == UInt8(ascii: "[") {
                while at < bytes.count, bytes[at] != UInt8(ascii: "]") {
                    at += bytes[at] == UInt8(ascii: "\\") && at + 1 < bytes.count ? 2 : 1
                }
                guard at < bytes.count else {
                    throw .line(file: path, number: number, problem: "a '[' has no ']'")
                }
                at += 1
            } else {
                while at < bytes.count, !isBlank(bytes[at]) { at += 1 }
            }
            words.append(String(decoding: bytes[begin..<at], as: UTF8.self))
        }
    }

    private static func meaning(
        _ first: String, _ rest: [String], path: String, number: Int
    ) throws(PAMError) -> Meaning {
        if first == "@include" {
            guard let file = rest.first else {
                throw .line(file: path, number: number, problem: "'@include' names no file")
            }
            return .includeAll(file)
        }
        let isSilent = first.hasPrefix("-")
        let type = (isSilent ? String(first.dropFirst()) : first).lowercased()
        guard ["auth", "account", "session", "password"].contains(type) else {
            throw .line(file: path, number: number, problem: "'\(Shown.safe(first))' is no type of module")
        }
        guard rest.count >= 2 else {
            throw .line(file: path, number: number, problem: "needs a control field and a module")
        }
        switch rest[0].lowercased() {
        case "include": return .include(type: type, file: rest[1])
        case "substack": return .substack(type: type, file: rest[1])
        default: break
        }
        guard let control = PAMControl(rest[0]) else {
            throw .line(file: path, number: number, problem: "'\(Shown.safe(rest[0]))' is no control field")
        }
        return .rule(
            PAMRule(
                type: type, isSilent: isSilent, control: control, module: rest[1], arguments: Array(rest.dropFirst(2))))
    }
}
