// SPDX-License-Identifier: Apache-2.0
// Pages that say "this is handled, and that test proves it" are held against the tree: each suite, function, script and scenario they name is
// there, and a row without a proof says so.

import Foundation
import Testing

/// The proofs that a row of a table names.
private struct NamedProofs {
    /// Suites with one of their functions, or with none when the whole suite is meant.
    var tests: [(suite: String, function: String?)] = []
    /// Files and folders.
    var paths: [String] = []
    /// Lines of the demo.
    var scenarios: [String] = []
    var isEmpty: Bool { tests.isEmpty && paths.isEmpty && scenarios.isEmpty }

    /// Reads the cell; `.name` belongs to the suite named before it.
    init(_ cell: Substring) {
        var suite = ""
        for (index, part) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            guard index % 2 == 1 else {
                let quoted = part.split(separator: "\"", omittingEmptySubsequences: false)
                scenarios += quoted.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
                continue
            }
            if part.hasPrefix("Tests/") {
                paths.append(String(part))
                continue
            }
            guard part.hasPrefix(".") || part.first?.isUppercase == true else { continue }
            let words = part.split(separator: ".", omittingEmptySubsequences: false)
            if let first = words.first, !first.isEmpty { suite = String(first) }
            tests.append((suite, words.count > 1 ? String(words[1]) : nil))
        }
    }
}

@Suite struct NamedTestsTests {
    static let pages = ["docs/failure-cases.md", "docs/threat-model.md"]
    /// The functions of each suite.
    static let suites: [String: Set<String>] = {
        var found: [String: Set<String>] = [:]
        for file in Repository.swiftFiles(in: "Tests") {
            var suite = ""
            for line in Repository.lines(of: file) {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
                if let at = words.firstIndex(of: "struct"), at + 1 < words.count, words[at + 1].hasSuffix("Tests") {
                    suite = words[at + 1]
                    found[suite, default: []].formUnion([])
                }
                if let at = words.firstIndex(of: "func"), at + 1 < words.count {
                    found[suite, default: []].insert(words[at + 1])
                }
            }
        }
        return found
    }()

    private func rows(of page: String) -> [[Substring]] {
        Repository.lines(of: page).filter { $0.hasPrefix("|") && !$0.hasPrefix("| ---") }
            .map { $0.split(separator: "|").filter { $0 != " " } }
    }

    @Test(arguments: pages)
    func everyTestThatIsNamedExists(page: String) {
        let demo = Repository.folders(in: "Tests/demo").filter { $0.hasSuffix(".py") }
            .flatMap { Repository.lines(of: "Tests/demo/\($0)") }.joined(separator: "\n")
        var count = 0
        for row in rows(of: page) where row.count == 3 {
            let proofs = NamedProofs(row[2])
            for (suite, function) in proofs.tests {
                count += 1
                let functions = Self.suites[suite]
                // A folder of suites may be meant as a whole.
                let isFolder = function == nil && !Repository.folders(in: "Tests/\(suite)").isEmpty
                #expect(functions != nil || isFolder, "\(page) names the suite \(suite)")
                if let function { #expect(functions?.contains(function) == true, "\(page): \(suite).\(function)") }
            }
            for path in proofs.paths {
                #expect(FileManager.default.fileExists(atPath: "\(Repository.root)/\(path)"), "\(page): \(path)")
            }
            for scenario in proofs.scenarios { #expect(demo.contains(scenario), "\(page): scenario \(scenario)") }
        }
        #expect(count >= 30)
    }

    @Test func everyKindOfFaultHasAProofOrSaysThatItHasNone() {
        var numbers: [Int] = []
        for row in rows(of: "docs/failure-cases.md") where row.count == 3 {
            guard let number = Int(row[0].split(separator: ".")[0].drop { $0 == " " }) else { continue }
            numbers.append(number)
            #expect(!NamedProofs(row[2]).isEmpty || row[1].contains("not tested"), "kind \(number)")
        }
        #expect(numbers == Array(1...27))
    }
}
