// SPDX-License-Identifier: Apache-2.0
// The manual page names every verb and every option of the table, and no verb besides.

import Foundation
import Testing

@testable import secondlook

@Suite struct ManualPageTests {
    static let lines: [String] = {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let text = (try? String(contentsOfFile: root + "/docs/man/secondlook.8", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }()

    /// The line that introduces a verb.
    static func entry(_ verb: Verb) -> String? {
        lines.first { line in
            guard line.hasPrefix(".It Cm \(verb.name)") else { return false }
            let rest = line.dropFirst(".It Cm \(verb.name)".count)
            return rest.isEmpty || rest.hasPrefix(" Op ") || rest.hasPrefix(" Oo ") || rest.hasPrefix(" Ar ")
        }
    }

    @Test(arguments: Verbs.all.map(\.name))
    func describesEveryVerbWithItsOptions(_ name: String) throws {
        let verb = try #require(Verbs.all.first { $0.name == name })
        let line = try #require(Self.entry(verb), "no entry of '\(name)'")
        for option in verb.options { #expect(line.contains("Fl Fl \(option.name)"), "\(name): --\(option.name)") }
    }

    @Test func describesNoVerbThatThereIsNot() {
        let entries = Self.lines.filter { $0.hasPrefix(".It Cm ") }
        #expect(entries.count == Verbs.all.count)
    }
}
