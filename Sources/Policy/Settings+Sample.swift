// SPDX-License-Identifier: Apache-2.0
// The sample file that is installed: every key at its default, commented out. Made from the table, so that it cannot go stale.

extension Settings {
    /// The text of etc/secondlook.conf.
    public static var sample: String {
        var lines = [
            "# Settings of Second Look. Every key is shown at its default; remove the '#' before a key to change it.",
            "# A section such as [sudo] at the end of the file changes keys for one service; keys marked (all services)",
            "# stand above the first section only. 'secondlook config check' names the line of a mistake.",
        ]
        for row in table {
            lines.append("")
            lines += wrapped(row.help + (row.perService ? "" : " (all services)"))
            lines += wrapped("Allowed: \(row.range).")
            lines.append(row.defaultValue.isEmpty ? "#\(row.name) =" : "#\(row.name) = \(row.defaultValue)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = "#"
        for word in text.split(separator: " ") {
            if line.count + 1 + word.count > 100 {
                lines.append(line)
                line = "#"
            }
            line += " \(word)"
        }
        lines.append(line)
        return lines
    }
}
