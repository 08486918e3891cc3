// SPDX-License-Identifier: Apache-2.0
// The installed sample file and the man page against the table.

import Foundation
import Policy
import Testing

@Suite struct SettingsSampleTests {
    private func repositoryFile(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func isTheInstalledFile() throws { #expect(try repositoryFile("etc/secondlook.conf") == Settings.sample) }

    @Test func meansTheDefaultsCommentedOrNot() throws {
        #expect(try Settings.parse(Array(Settings.sample.utf8), service: "sudo") == Settings())
        let lines = Settings.sample.split(separator: "\n", omittingEmptySubsequences: false)
        let live = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? String($0.dropFirst()) : String($0) }
        #expect(live.count(where: { !$0.hasPrefix("#") && !$0.isEmpty }) == Settings.table.count)
        #expect(try Settings.parse(Array(live.joined(separator: "\n").utf8), service: "sudo") == Settings())
    }

    @Test func hasNoLineBeyondAHundredColumns() {
        for line in Settings.sample.split(separator: "\n") { #expect(line.count <= 120) }
    }

    @Test func manPageDescribesEveryKeyWithItsDefault() throws {
        let page = try repositoryFile("docs/man/secondlook.conf.5")
        for row in Settings.table {
            #expect(page.contains(".It Ic \(row.name)\n"), "no entry for \(row.name)")
            let shown = row.defaultValue.isEmpty ? "empty" : row.defaultValue
            #expect(page.contains("Default: \(shown)"), "no default \(shown) for \(row.name)")
        }
        let entries = page.split(separator: "\n").filter { $0.hasPrefix(".It Ic ") }
        #expect(entries.count == Settings.table.count)
    }

    @Test func namesEveryKeyOnce() {
        #expect(Set(Settings.table.map(\.name)).count == Settings.table.count)
        for row in Settings.table { #expect(!row.help.isEmpty && !row.range.isEmpty) }
    }
}
