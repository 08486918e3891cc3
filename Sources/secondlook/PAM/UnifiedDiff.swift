// SPDX-License-Identifier: Apache-2.0
// The difference of two small files as `diff -u` shows it. Pure.

/// Differences of texts.
enum UnifiedDiff {
    private enum Mark: Character {
        case same = " "
        case out = "-"
        case into = "+"
    }

    /// The lines of the difference; empty when there is none.
    ///
    /// - Parameter context: how many unchanged lines are shown around a change.
    static func lines(path: String, _ old: [[UInt8]], _ new: [[UInt8]], context: Int = 3) -> [String] {
        let script = script(old, new)
        guard script.contains(where: { $0.mark != .same }) else { return [] }
        var shown: [String] = ["--- \(path)", "+++ \(path) (changed)"]
        let changes = script.indices.filter { script[$0].mark != .same }
        var groups: [Range<Int>] = []
        for index in changes {
            let range = max(0, index - context)..<min(script.count, index + context + 1)
            if let last = groups.last, range.lowerBound <= last.upperBound {
                groups[groups.count - 1] = last.lowerBound..<range.upperBound
            } else {
                groups.append(range)
            }
        }
        for group in groups {
            let before = script[..<group.lowerBound]
            let from = before.filter { $0.mark != .into }.count + 1
            let to = before.filter { $0.mark != .out }.count + 1
            let fromCount = script[group].filter { $0.mark != .into }.count
            let toCount = script[group].filter { $0.mark != .out }.count
            shown.append("@@ -\(fromCount == 0 ? from - 1 : from),\(fromCount) +\(to),\(toCount) @@")
            for entry in script[group] {
                let text = entry.line.last == 10 ? entry.line.dropLast() : entry.line[...]
                let words = String(decoding: text, as: UTF8.self).split(
                    separator: "\t", omittingEmptySubsequences: false)
                shown.append(String(entry.mark.rawValue) + words.map { Shown.safe(String($0)) }.joined(separator: "\t"))
                if entry.line.last != 10 { shown.append("\\ No newline at end of file") }
            }
        }
        return shown
    }

    /// The shortest way from the old lines to the new, by the longest common subsequence of what lies between equal ends.
    private static func script(_ old: [[UInt8]], _ new: [[UInt8]]) -> [(mark: Mark, line: [UInt8])] {
        var head = 0
        while head < old.count, head < new.count, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < old.count - head, tail < new.count - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
            tail += 1
        }
        let left = Array(old[head..<(old.count - tail)])
        let right = Array(new[head..<(new.count - tail)])
        var length = [[Int]](repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
        for i in left.indices.reversed() {
            for j in right.indices.reversed() {
                length[i][j] =
                    left[i] == right[j] ? length[i + 1][j + 1] + 1 : max(length[i + 1][j], length[i][j + 1])
            }
        }
        var script: [(mark: Mark, line: [UInt8])] = old[..<head].map { (.same, $0) }
        var i = 0
        var j = 0
        while i < left.count || j < right.count {
            if i < left.count, j < right.count, left[i] == right[j] {
                script.append((.same, left[i]))
                i += 1
                j += 1
            } else if i < left.count, j == right.count || length[i + 1][j] >= length[i][j + 1] {
                script.append((.out, left[i]))
                i += 1
            } else {
                script.append((.into, right[j]))
                j += 1
            }
        }
        return script + old[(old.count - tail)...].map { (.same, $0) }
    }
}
