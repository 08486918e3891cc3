// SPDX-License-Identifier: Apache-2.0
// The settings file: everything an editor, a script or a slip of the hand may leave in it.

import Policy
import TestSupport
import Testing

@Suite struct SettingsParsingTests {
    private func parse(_ text: String, _ service: String = "sudo") throws -> Settings {
        try Settings.parse(Array(text.utf8), service: service)
    }

    private func fault(_ text: String) -> SettingsError? {
        do {
            _ = try Settings.parse(Array(text.utf8), service: "sudo")
            return nil
        } catch { return error }
    }

    @Test(arguments: ["", "\n\n", "# nothing\n", "\u{FEFF}", "   \t \r\n"])
    func takesAnEmptyFileAsTheDefaults(text: String) throws { #expect(try parse(text) == Settings()) }

    @Test func readsEveryKind() throws {
        let settings = try parse(
            """
            match = 0.6
            liveness=challenge
              camera = usb-0bda_5689
            rotation\t=\t180
            allow_virtual_cameras = yes
            timeout = 1 min
            challenge_after = 700ms
            lockout_misses = 3
            sandbox = best-effort
            prompt_text = Password # really:
            """)
        #expect(settings.match == .cosine(0.6))
        #expect(settings.liveness == .challenge)
        #expect(settings.camera == "usb-0bda_5689")
        #expect(settings.rotation == 180)
        #expect(settings.allowVirtualCameras)
        #expect(settings.timeout == 60_000)
        #expect(settings.challengeAfter == 700)
        #expect(settings.lockoutMisses == 3)
        #expect(settings.sandbox == .bestEffort)
        #expect(settings.promptText == "Password # really:")
    }

    @Test func forgivesMarkAndLineEndsOfOtherSystems() throws {
        #expect(try parse("\u{FEFF}match = paranoid\r\nremote = skip\r\n").match == .paranoid)
        #expect(try parse("\u{FEFF}match = paranoid\r\nremote = skip\r\n").remote == .skip)
    }

    @Test func givesASectionToItsServiceOnly() throws {
        let text = "match = balanced\n[sudo]\nmatch = paranoid\n[login]\nliveness = challenge\n"
        #expect(try parse(text, "sudo").match == .paranoid)
        #expect(try parse(text, "sudo").liveness == .auto)
        #expect(try parse(text, "login").match == .balanced)
        #expect(try parse(text, "login").liveness == .challenge)
        #expect(try parse(text, "gdm") == parse("match = balanced\n"))
    }

    static let faults: [(id: String, text: String, line: Int?, says: [String])] = [
        ("unknown key", "\n\nmacth = strict\n", 3, ["line 3", "macth", "match"]),
        ("unknown key far from any", "zzzzzzzzzzzz = 1\n", 1, ["remove the line"]),
        ("no equals sign", "match strict\n", 1, ["key = value"]),
        ("no key", " = strict\n", 1, ["key = value"]),
        ("duplicate", "match = strict\n#\nmatch = strict\n", 3, ["line 1"]),
        ("duplicate in section", "[sudo]\nmatch = strict\nmatch = strict\n", 3, ["line 2"]),
        ("duplicate section", "[sudo]\n[login]\n[sudo]\n", 3, ["line 1"]),
        ("open section", "[sudo\n", 1, ["[service]"]),
        ("empty section", "[]\n", 1, ["service name"]),
        ("path as section", "[../sudo]\n", 1, ["service name"]),
        ("comma", "match = 0,6\n", 1, ["point", "0.30 to 0.95"]),
        ("NaN", "match = NaN\n", 1, ["match"]), ("nan", "match = nan\n", 1, ["match"]),
        ("infinity", "match = inf\n", 1, ["match"]), ("zero", "match = 0\n", 1, ["match"]),
        ("minus", "match = -1\n", 1, ["match"]), ("huge", "match = 1e9\n", 1, ["match"]),
        ("one", "match = 1.0\n", 1, ["match"]), ("empty value", "match =\n", 1, ["match"]),
        ("capital", "liveness = Auto\n", 1, ["auto | passive | challenge"]),
        ("comment after value", "remote = skip # for ssh\n", 1, ["line of its own"]),
        ("no unit", "timeout = 20\n", 1, ["ms, s or min"]),
        ("other unit", "timeout = 1 h\n", 1, ["ms, s or min"]),
        ("fraction", "timeout = 1.5 s\n", 1, ["ms, s or min"]),
        ("too long", "timeout = 99999999999999999999 min\n", 1, ["timeout"]),
        ("overflow", "timeout = 9999999999999999999 min\n", 1, ["timeout"]),
        ("misses beyond NIST", "lockout_misses = 6\n", 1, ["1 to 5"]),
        ("no misses", "lockout_misses = 0\n", 1, ["1 to 5"]),
        ("total beyond NIST", "lockout_total = 51\n", 1, ["5 to 50"]),
        ("odd rotation", "rotation = 45\n", 1, ["0 | 90 | 180 | 270"]),
        ("not per service", "[sudo]\nlockout_misses = 3\n", 2, ["above the first section"]),
        ("NUL", "match = strict\n\u{0}\n", 2, ["UTF-8"]),
        ("lone CR", "match = strict\rremote = skip\n", 1, ["UTF-8"]),
        ("two marks", "\u{FEFF}\u{FEFF}match = strict\n", 1, ["unknown key"]),
        ("other service's section", "[login]\nmatch = lax\n", 2, ["match"]),
        ("dark after face", "dark_timeout = 8 s\n", nil, ["dark_timeout (8 s)", "no_face_timeout (7 s)"]),
        ("equal deadlines", "camera_timeout = 5 s\n", nil, ["camera_timeout", "dark_timeout"]),
        ("usable after all", "timeout = 9 s\n", nil, ["usable_timeout", "timeout (9 s)"]),
        ("no time for a challenge", "timeout = 15 s\n", nil, ["challenge_timeout", "timeout (15 s)"]),
        ("deadlines in a section", "[login]\ntimeout = 9 s\n", nil, ["[login]", "usable_timeout"]),
        (
            "lock shorter than first", "lockout_time = 2 min\nlockout_max = 1 min\n", nil,
            ["lockout_time", "lockout_max"]
        ),
    ]

    @Test(arguments: faults.indices) func namesLineAndRemedy(index: Int) throws {
        let (id, text, line, says) = Self.faults[index]
        let error = try #require(fault(text), "\(id) was accepted")
        #expect(error.line == line, "\(id)")
        for word in says { #expect(error.description.contains(word), "\(id): \(error.description)") }
        #expect(!error.description.contains("\n") && !error.description.hasSuffix("."), "\(id)")
    }

    @Test func refusesBytesThatAreNotText() {
        for bytes in [[0xFF, 0xFE, 0x6D, 0x00], [0x6D, 0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            #expect(throws: SettingsError.encoding(line: 1)) { try Settings.parse(bytes, service: "sudo") }
        }
    }

    @Test func refusesLengthBeyondLimit() {
        let bytes = [UInt8](repeating: 0x23, count: Settings.longestFile + 1)
        #expect(throws: SettingsError.tooLong(bytes: bytes.count)) { try Settings.parse(bytes, service: "sudo") }
    }

    @Test func neverAcceptsWhatItDoesNotShowAgain() throws {
        // Whatever mutation of the sample is accepted holds values within the table's ranges.
        var generator = SeededGenerator(seed: 4)
        let sample = Array(Settings.sample.utf8)
        for _ in 0..<500 {
            var bytes = sample
            for _ in 0..<3 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            guard let settings = try? Settings.parse(bytes, service: "sudo") else { continue }
            for row in Settings.table where row.name != "prompt_text" {
                let written = try Settings.parse(Array(shown(settings).utf8), service: "sudo")
                #expect(row.value(in: written) == row.value(in: settings))
            }
        }
    }

    private func shown(_ settings: Settings) -> String {
        Settings.table.filter { $0.name != "prompt_text" }.map { "\($0.name) = \($0.value(in: settings))\n" }.joined()
    }
}
