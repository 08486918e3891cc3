// SPDX-License-Identifier: Apache-2.0
// What the person at the login or at an enrolment reads stands in the catalogue (Texts in Sources/Policy) and nowhere else.

import Foundation
import Testing

@Suite struct TextsTests {
    /// Where a sentence or a prompt may stand besides the catalogue: words for the administrator, who reads tables, help and settings.
    static let forAdministrators: Set<String> = [
        "Sources/Policy/Settings+Table.swift", "Sources/Policy/Settings+Sample.swift",
    ]
    static let catalogue: Set<String> = ["Sources/Policy/Notice.swift", "Sources/Policy/Texts+Enrolment.swift"]
    /// Where the command speaks to the person being enrolled.
    static let tellers = [
        "Sources/secondlook/Verbs/EnrolmentTeller.swift", "Sources/secondlook/Verbs/TrialVerbs.swift",
    ]

    /// Texts between quotation marks that begin with a capital letter and end like a sentence or a prompt.
    static func sentences(in line: String) -> [String] {
        let code = Repository.withoutComment(line)
        return code.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            .filter { text in
                guard let first = text.first, first.isUppercase, text.contains(" ") else { return false }
                // Statements of a database begin with a word in capitals.
                guard text.dropFirst().first?.isUppercase != true else { return false }
                return [".", "!", "?", ":"].contains { text.hasSuffix($0) || text.hasSuffix($0 + " ") }
            }
    }

    @Test(arguments: ["Sources/Policy", "Sources/Monitor", "Sources/secondlook-helper"])
    func standInTheCatalogueAlone(_ folder: String) {
        for file in Repository.swiftFiles(in: folder)
        where !Self.catalogue.contains(file) && !Self.forAdministrators.contains(file) {
            Self.check(file)
        }
    }

    @Test(arguments: tellers) func areNotMadeUpByWhoTellsThem(_ file: String) {
        #expect(!Repository.lines(of: file).isEmpty, "\(file) has gone elsewhere")
        // Its verbs' summaries are for the administrator.
        Self.check(file) { !$0.contains("summary: ") }
    }

    static func check(_ file: String, _ isMeant: (String) -> Bool = { _ in true }) {
        for line in Repository.lines(of: file).filter(isMeant) {
            for text in sentences(in: line) { Issue.record("\(file): '\(text)' belongs into the catalogue") }
        }
    }

    @Test func theCatalogueHasThem() {
        let texts = Self.catalogue.flatMap(Repository.lines).flatMap(Self.sentences)
        #expect(texts.contains("Look at the camera."))
        #expect(texts.count > 20)
    }

    @Test(arguments: [
        ("        case .x: \"Look at the camera.\"", ["Look at the camera."]),
        ("send(\"The camera failed. Recovery code: \") // \"No comment.\"", ["The camera failed. Recovery code: "]),
        ("\"UPDATE enrolments SET a=?\"", []), ("\"Camera\", \"cannot open it.\"", []),
    ])
    func areTold(_ line: String, _ found: [String]) { #expect(Self.sentences(in: line) == found) }
}
