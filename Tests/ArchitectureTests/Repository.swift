// SPDX-License-Identifier: Apache-2.0
// Reads the sources of this repository as text, for the tests that hold them against a rule.

import Foundation

enum Repository {
    /// The root folder, found from where this file was compiled.
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    static func folders(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return names.sorted()
    }

    /// Paths below the root.
    static func swiftFiles(in folder: String) -> [String] {
        guard let all = FileManager.default.enumerator(atPath: "\(root)/\(folder)") else { return [] }
        return all.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }.sorted()
    }

    static func lines(of file: String) -> [String] {
        guard let text = try? String(contentsOfFile: "\(root)/\(file)", encoding: .utf8) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    static func withoutComment(_ line: String) -> String {
        guard let start = line.range(of: "//") else { return line }
        return String(line[..<start.lowerBound])
    }

    static func hasWord(_ word: String, in line: String) -> Bool {
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == word }
    }

    /// The modules a file imports.
    static func imports(in file: String) -> Set<String> {
        var found: Set<String> = []
        let before: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        for line in lines(of: file) {
            var words = withoutComment(line).split(separator: " ").filter { !$0.hasPrefix("@") }[...]
            while let first = words.first, before.contains(first) { words.removeFirst() }
            guard words.first == "import", var name = words.dropFirst().first else { continue }
            if ["struct", "class", "enum", "func", "protocol"].contains(name), let next = words.dropFirst(2).first {
                name = next
            }
            found.insert(String(name.split(separator: ".")[0]))
        }
        return found
    }
}
