// SPDX-License-Identifier: Apache-2.0
// What somebody who helps needs to know of a machine, and nothing that says who uses it: no names, no serial numbers, no places, no
// templates. It is made of counts, words that this program knows, and texts from which every known name was removed.

import Monitor
import Platform
import Policy
import TemplateStore

/// Takes names out of texts.
struct Scrubber {
    static let removed = "(removed)"
    private let words: [String]

    /// Removes these wherever they stand; those of fewer than three letters where they stand as words.
    init(_ words: some Sequence<String>) {
        // The longest first: what one name leaves of another would still be a part of it.
        self.words = Set(words).filter { !$0.isEmpty && $0 != "-" }.sorted { ($0.count, $0) > ($1.count, $1) }
    }

    func clean(_ text: String) -> String {
        var text = Shown.safe(text)
        for word in words { text = Scrubber.replace(word, in: text) }
        return text
    }

    private static func replace(_ word: String, in text: String) -> String {
        var out = ""
        var rest = text[...]
        while let found = rest.firstRange(of: word) {
            let isWhole =
                !isLetter(rest[..<found.lowerBound].last ?? out.last) && !isLetter(rest[found.upperBound...].first)
            out += rest[..<found.lowerBound]
            out += word.count >= 3 || isWhole ? removed : word
            rest = rest[found.upperBound...]
        }
        return out + rest
    }

    private static func isLetter(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber } ?? false
    }
}

/// A report under way: headed groups of lines.
struct SupportReport {
    /// Lines under a heading.
    struct Group: Equatable {
        var name: String
        var lines: [String]
    }

    private(set) var groups: [Group] = []
    let scrubber: Scrubber

    init(scrubber: Scrubber) { self.scrubber = scrubber }

    /// Adds a group; every line is cleaned.
    mutating func add(_ name: String, _ lines: [String]) {
        groups.append(Group(name: name, lines: lines.map(scrubber.clean)))
    }

    /// The text, for a plain terminal or a mail.
    var text: String {
        groups.map { group in ([group.name + ":"] + group.lines.map { "  " + $0 }).joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    /// The same as one object.
    var json: JSON {
        .object(groups.map { JSON.Member(name: $0.name, value: .array($0.lines.map(JSON.string))) })
    }
}

/// What goes into the groups.
enum SupportFacts {
    /// Services whose names say nothing of anybody.
    static let usualServices: Set<String> = [
        "sudo", "sudo-i", "su", "su-l", "login", "sshd", "gdm-password", "gdm", "lightdm", "sddm", "kde",
        "kscreenlocker",
        "polkit-1", "xscreensaver", "swaylock", "i3lock", "cron", "other",
    ]

    /// The first words of the kernel's name, and the distribution's.
    static func system(release: [UInt8]?, kernel: [UInt8]?) -> [String] {
        var lines: [String] = []
        for line in String(decoding: release ?? [], as: UTF8.self).split(separator: "\n") {
            for key in ["ID=", "VERSION_ID="] where line.hasPrefix(key) {
                lines.append(key.dropLast().lowercased() + " " + line.dropFirst(key.count).filter { $0 != "\"" })
            }
        }
        if let kernel { lines.append("kernel " + String(decoding: kernel.prefix { $0 > 0x20 }, as: UTF8.self)) }
        #if arch(x86_64)
            lines.append("processor x86_64")
        #elseif arch(arm64)
            lines.append("processor aarch64")
        #else
            lines.append("processor other")
        #endif
        return lines
    }

    /// The keys that differ from their defaults, above all sections and in each; texts that a person made up are not shown.
    static func settings(_ file: [UInt8]) -> [String] {
        let common: Settings
        do throws(SettingsError) { common = try Settings.parse(file, service: "") } catch {
            return ["faulty" + (error.line.map { ", line \($0)" } ?? "")]
        }
        var lines = changed(common, from: Settings())
        for section in Settings.sections(in: file) {
            guard let own = try? Settings.parse(file, service: section) else { continue }
            let name = usualServices.contains(section) ? section : "another service"
            lines += changed(own, from: common).map { "[\(name)] \($0)" }
        }
        return lines.isEmpty ? ["all at their defaults"] : lines
    }

    private static func changed(_ settings: Settings, from others: Settings) -> [String] {
        Settings.table.filter { $0.value(in: settings) != $0.value(in: others) }.map { row in
            let value = row.value(in: settings)
            return "\(row.name) = \(madeUp.contains(row.name) && value != "auto" && value != "off" ? "(set)" : value)"
        }
    }

    /// Keys whose value may be the name of a thing or a sentence.
    private static let madeUp: Set<String> = ["camera", "infrared", "prompt_text"]

    /// The names of cameras in the settings, and the serial numbers in them, wherever else they turn up.
    static func names(in settings: Settings) -> [String] {
        var names: [String] = []
        for value in [settings.camera, settings.infrared, settings.promptText] where value != "auto" && value != "off" {
            names.append(value)
            names += value.split(separator: "/").map(String.init).filter { $0.count > 3 }
        }
        return names
    }

    /// Driver, kind and formats; not what the device calls itself, nor where it is plugged in.
    static func cameras(_ nodes: [CameraNode], allowVirtual: Bool) -> [String] {
        let lines = nodes.filter { $0.problem != .notCamera }.map { node -> String in
            let kind = node.isInfrared ? "infrared" : "colour"
            let model = node.vendor.isEmpty ? "" : " \(node.vendor):\(node.product)"
            let obstacle = node.obstacle(allowVirtual: allowVirtual).map { "; not usable: \($0.description)" } ?? ""
            return "\(node.driver)\(model), \(kind), \(node.formats.joined(separator: " "))\(obstacle)"
        }
        return lines.isEmpty ? ["none"] : lines
    }

    /// How much is enrolled, and by which recogniser.
    static func enrolments(_ found: [EnrolmentSummary], recogniser: String?) -> [String] {
        let others = found.filter { recogniser != nil && $0.model != recogniser }.count
        let samples = found.map(\.samples).sorted()
        var lines = [
            "\(Count.text(Set(found.map(\.user)).count, "user")), \(Count.text(found.count, "template"))",
            "of another recogniser: \(others)",
        ]
        if let least = samples.first, let most = samples.last {
            lines.append("samples a template: \(least) to \(most)")
        }
        return lines
    }

    /// How often each verdict came, and how long it took.
    static func attempts(_ attempts: [Attempt]) -> [String] {
        var byVerdict: [String: [Int]] = [:]
        for attempt in attempts {
            let verdict = attempt.record.verdict
            byVerdict["\(verdict.outcome) \(verdict.reason.rawValue)", default: []].append(attempt.record.milliseconds)
        }
        let ranked = byVerdict.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
        return [Count.text(attempts.count, "attempt")]
            + ranked.map { name, times in
                let sorted = times.sorted()
                let (middle, late) = (sorted[(sorted.count - 1) / 2], sorted[(sorted.count - 1) * 95 / 100])
                return "\(sorted.count) x \(name): median \(middle) ms, 95 % \(late) ms"
            }
    }
}
