// SPDX-License-Identifier: Apache-2.0
// One key changes and nothing else does; whatever would make the file wrong is refused.

import Testing

@testable import Policy

@Suite struct SettingsEditTests {
    struct Edit: Sendable {
        let name: String
        let file: String
        let place: String
        let value: String
        let result: String
    }

    static let edits = [
        Edit(
            name: "a line that sets it", file: "# a\nmatch   =  strict \n# b\nliveness = auto\n", place: "match",
            value: "paranoid", result: "# a\nmatch   =  paranoid\n# b\nliveness = auto\n"),
        Edit(
            name: "below its sample", file: "# why\n#match = strict\n\n# more\n#liveness = auto\n", place: "match",
            value: "0.6", result: "# why\n#match = strict\nmatch = 0.6\n\n# more\n#liveness = auto\n"),
        Edit(
            name: "after the last key", file: "match = strict\n\n# about sudo\n[sudo]\nmatch = balanced\n",
            place: "remote", value: "skip",
            result: "match = strict\nremote = skip\n\n# about sudo\n[sudo]\nmatch = balanced\n"),
        Edit(
            name: "before the first section and its comment", file: "# head\n\n# about sudo\n[sudo]\n", place: "match",
            value: "strict", result: "# head\n\nmatch = strict\n# about sudo\n[sudo]\n"),
        Edit(
            name: "into a section", file: "match = strict\n[sudo]\nremote = skip\n\n[login]\n", place: "sudo.match",
            value: "paranoid", result: "match = strict\n[sudo]\nremote = skip\nmatch = paranoid\n\n[login]\n"),
        Edit(
            name: "into an empty section", file: "[sudo]\n\n[login]\n", place: "sudo.match", value: "strict",
            result: "[sudo]\nmatch = strict\n\n[login]\n"),
        Edit(
            name: "into a section that is not there", file: "match = strict", place: "polkit-1.x.match",
            value: "strict",
            result: "match = strict\n\n[polkit-1.x]\nmatch = strict\n"),
        Edit(
            name: "not the same key of another section", file: "[sudo]\nmatch = strict\n[login]\nmatch = balanced\n",
            place: "login.match", value: "paranoid",
            result: "[sudo]\nmatch = strict\n[login]\nmatch = paranoid\n"),
        Edit(name: "into an empty file", file: "", place: "match", value: "strict", result: "match = strict\n"),
        Edit(
            name: "without a last line end", file: "match = strict", place: "remote", value: "skip",
            result: "match = strict\nremote = skip\n"),
        Edit(
            name: "with the line ends of an editor", file: "\u{FEFF}match = strict\r\n# x\r\n", place: "match",
            value: "balanced", result: "\u{FEFF}match = balanced\r\n# x\r\n"),
        Edit(
            name: "adds with the same line ends", file: "match = strict\r\n", place: "remote", value: "skip",
            result: "match = strict\r\nremote = skip\r\n"),
        Edit(
            name: "mends the line that was wrong", file: "match = sure\n", place: "match", value: "strict",
            result: "match = strict\n"),
        Edit(
            name: "an empty text", file: "prompt_text = Hello:\n", place: "prompt_text", value: "",
            result: "prompt_text = \n"),
        Edit(
            name: "without blanks around the sign", file: "match=strict\n", place: "match", value: "balanced",
            result: "match= balanced\n"),
    ]

    @Test(arguments: edits)
    func changesOneLine(_ edit: Edit) throws {
        let result = try SettingsEdit.set(SettingPlace(edit.place), to: edit.value, in: Array(edit.file.utf8))
        #expect(String(decoding: result, as: UTF8.self) == edit.result, "\(edit.name)")
        #expect(SettingsEdit.value(SettingPlace(edit.place), in: result) == edit.value)
    }

    @Test(arguments: Settings.table.map(\.name))
    func setsEveryKeyInTheSampleFileBelowItsSample(_ key: String) throws {
        let row = try #require(Settings.table.first { $0.name == key })
        let sample = Array(Settings.sample.utf8)
        let result = try SettingsEdit.set(SettingPlace(key), to: row.defaultValue, in: sample)
        let lines = String(decoding: result, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let at = try #require(lines.firstIndex { $0.hasPrefix("\(key) =") })
        #expect(lines[at - 1].hasPrefix("#\(key) ="))
        var without = lines
        without.remove(at: at)
        #expect(without.joined(separator: "\n") == Settings.sample)
        #expect(try SettingsEdit.unset(SettingPlace(key), in: result) == sample)
    }

    @Test(arguments: [
        ("livenes", "auto", "there is no key 'livenes'; did you mean 'liveness'?"),
        ("sudo.livenes", "auto", "there is no key 'livenes'; did you mean 'liveness'?"),
        ("nonsense", "1", "there is no key 'nonsense'; see: secondlook config show"),
        (
            "match", "sure",
            "match = 'sure' is not allowed; allowed: balanced | strict | paranoid, or a cosine from 0.30 to 0.95"
        ),
        ("match", "strict\nremote = skip", "match = 'strict\nremote = skip' is not allowed"),
        ("prompt_text", "Hello:\n[sudo]", "prompt_text = 'Hello:\n[sudo]' is not allowed"),
        ("prompt_text", "Hello: ", "prompt_text = 'Hello: ' is not allowed"),
        ("sudo.camera", "auto", "'camera' holds for all services; leave out 'sudo'"),
        ("su do.match", "strict", "'su do' is not a service name"),
        (".match", "strict", "'' is not a service name"),
        ("]\n[x.match", "strict", "is not a service name"),
        ("timeout", "9 s", "usable_timeout (9 s) must be shorter than timeout (9 s)"),
        ("sudo.timeout", "9 s", "section [sudo]: usable_timeout (9 s) must be shorter"),
    ])
    func refuses(_ place: String, _ value: String, _ message: String) throws {
        let file = Array("match = balanced\n\n[sudo]\nremote = skip\n".utf8)
        do {
            _ = try SettingsEdit.set(SettingPlace(place), to: value, in: file)
            Issue.record("not refused")
        } catch {
            #expect(error.description.contains(message), "\(error)")
        }
    }

    @Test func refusesToChangeAFileThatIsWrongElsewhere() {
        let file = Array("match = balanced\nlivenes = auto\n".utf8)
        #expect(
            throws: SettingsEditError.result(.unknownKey(line: 2, key: "livenes", nearest: "liveness"))
        ) { try SettingsEdit.set(SettingPlace("match"), to: "strict", in: file) }
        let twice = Array("match = balanced\nmatch = strict\n".utf8)
        #expect(throws: SettingsEditError.result(.duplicateKey(line: 2, key: "match", first: 1))) {
            try SettingsEdit.set(SettingPlace("match"), to: "strict", in: twice)
        }
    }

    @Test func takesAKeyOutAndLeavesTheRest() throws {
        let file = Array("# a\nmatch = balanced\n# b\n[sudo]\nmatch = strict\n".utf8)
        let result = try #require(try SettingsEdit.unset(SettingPlace("match"), in: file))
        #expect(String(decoding: result, as: UTF8.self) == "# a\n# b\n[sudo]\nmatch = strict\n")
        #expect(try SettingsEdit.unset(SettingPlace("remote"), in: file) == nil)
        #expect(try SettingsEdit.unset(SettingPlace("login.match"), in: file) == nil)
        #expect(throws: SettingsEditError.unknownKey("nonsense", nearest: nil)) {
            try SettingsEdit.unset(SettingPlace("nonsense"), in: file)
        }
    }

    @Test func refusesToTakeOutWhatHoldsTheRestTogether() {
        let file = Array("usable_timeout = 30 s\ntimeout = 60 s\n".utf8)
        #expect(throws: SettingsEditError.self) { try SettingsEdit.unset(SettingPlace("timeout"), in: file) }
    }
}
