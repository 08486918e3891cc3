// SPDX-License-Identifier: Apache-2.0
// A picture for a terminal: by the program chafa where there is one, which knows the terminal's own ways (sixel, kitty, coloured characters), else in
// plain characters. chafa is given a picture that was written here, runs as nobody, and must answer in time.

import Platform

/// Paints pictures for one terminal.
struct PicturePainter {
    /// What is known of the terminal.
    struct Surroundings: Equatable {
        var term: String
        var colourTerm: String
        var isUnicode: Bool

        /// From the variables of the environment.
        static func of(_ variable: (String) -> String?) -> Surroundings {
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first { !$0.isEmpty } ?? ""
            let code = locale.uppercased()
            return Surroundings(
                term: word(variable("TERM")), colourTerm: word(variable("COLORTERM")),
                isUnicode: code.contains("UTF-8") || code.contains("UTF8"))
        }

        /// Names of terminals are short words; anything else is none.
        private static func word(_ text: String?) -> String {
            guard let text, text.utf8.count <= 64 else { return "" }
            let isWord = text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789+-._".unicodeScalars.contains(scalar))
            }
            return isWord ? text : ""
        }
    }

    /// Where chafa is looked for.
    static let program = "/usr/bin/chafa"
    /// Milliseconds after which chafa is given up.
    static let patience: UInt64 = 2_000
    private static let mostBytes = 8 << 20

    private let surroundings: Surroundings
    private let account: Account?
    private var usesChafa: Bool

    /// - Parameter isPlain: our own characters, whatever is installed.
    init(_ surroundings: Surroundings, isPlain: Bool) {
        self.surroundings = surroundings
        account = try? Account.find(name: "nobody")
        let isRoot = Machine.effectiveUser == 0
        usesChafa =
            !isPlain && !["", "dumb"].contains(surroundings.term) && (!isRoot || account != nil)
            && SafeFile.existsFollowing(PicturePainter.program)
    }

    /// The bytes that show the picture from the upper left corner on, in at most so many columns and rows.
    mutating func paint(_ canvas: Canvas, columns: Int, rows: Int, time: any TimeSource) -> [UInt8] {
        if usesChafa {
            if let bytes = chafa(canvas, columns, rows, until: time.now() + PicturePainter.patience) {
                let isKitty = bytes.starts(with: Array("\u{1B}_G".utf8))
                // What was shown before lies below, and takes the terminal's memory.
                return isKitty ? Array("\u{1B}_Ga=d\u{1B}\\".utf8) + bytes : bytes
            }
            // It failed once; it will not be tried with every frame.
            usesChafa = false
        }
        let lines = CharacterPicture.lines(of: canvas, columns: columns, rows: rows)
        return Array(lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n").utf8)
    }

    private func chafa(_ canvas: Canvas, _ columns: Int, _ rows: Int, until deadline: UInt64) -> [UInt8]? {
        var arguments = [
            "chafa", "--animate", "off", "--polite", "on", "--threads", "1", "--work", "3", "--margin-bottom", "0",
            "--size", "\(columns)x\(rows)",
        ]
        if !surroundings.isUnicode { arguments += ["--symbols", "ascii"] }
        var environment = ["TERM=\(surroundings.term)"]
        if !surroundings.colourTerm.isEmpty { environment.append("COLORTERM=\(surroundings.colourTerm)") }
        do throws(PlatformError) {
            let program = try SafeFile.open(SafeFile.resolved(PicturePainter.program), checking: .everyFolder)
            let null = try SafeFile.openNull()
            let pair = try Channel.makePair()
            var child = try Child(
                program: program, arguments: arguments + ["-"], environment: environment,
                placements: [
                    Child.Placement(pair.second.raw, at: 0), .init(pair.second.raw, at: 1), .init(null.raw, at: 2),
                ], becoming: Machine.effectiveUser == 0 ? account : nil)
            let near = pair.takeFirst()
            try near.send(PNG.encode(canvas), until: deadline)
            try near.endSending()
            var bytes: [UInt8] = []
            while let received = try near.receive(until: deadline) {
                bytes += received.bytes
                guard bytes.count <= PicturePainter.mostBytes else { return nil }
            }
            return try child.wait(until: deadline) == .exited(0) && !bytes.isEmpty ? bytes : nil
        } catch {
            return nil
        }
    }
}
