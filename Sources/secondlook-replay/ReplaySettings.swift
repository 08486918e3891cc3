// SPDX-License-Identifier: Apache-2.0
// What is played: `replay.conf` beside the program, lines of `key=value`. There is no word on the command line for any of it, and the program is
// never installed.

import Platform

/// The settings of one replay.
struct ReplaySettings: Equatable {
    /// How frames are made of the clip.
    enum Mode: String {
        /// As they are.
        case clip
        /// A head that turns as the control file says, drawn from the first frame.
        case head
        /// The first frame as a photo that is moved, tilted, turned and brought nearer.
        case photo
        /// The first frame as a photo held perfectly still before a camera with a little noise.
        case still
        /// The very same frame again and again.
        case frozen
    }

    /// What an infrared camera beside it sees of the scene.
    enum Infrared: String {
        /// There is none.
        case none
        /// The same in grey, shifted by the parallax.
        case grey
        /// Nothing: all before the colour camera is a screen.
        case dark
    }

    /// Raw RGB frames, one after the other; empty for a script.
    var frames = ""
    /// Width of a frame in pixels.
    var width = 640
    /// Height of a frame in pixels.
    var height = 480
    /// Frames a second.
    var rate = 30
    /// How they are shown.
    var mode = Mode.clip
    /// The infrared camera.
    var infrared = Infrared.none
    /// Pixels by which its picture is shifted to the right.
    var parallax = 24
    /// At the end of the clip: back and forth, or an orderly end.
    var repeats = true
    /// A file that says where the head is to turn: "left", "right", "less-left", "less-right", "down", "up" or "centre", ended
    /// by a NUL.
    var control = ""
    /// Frames after which the process ends as if it had crashed; 0 never.
    var diesAfter = 0
    /// Frames after which it hangs; 0 never.
    var stallsAfter = 0
    /// A file that a report of every attempt to escape is written into; empty: none is made.
    var report = ""
    /// A file of raw messages to play to the helper instead of looking; see ScriptPlayer.
    var script = ""

    /// Reads the lines.
    init(_ text: String) throws(ReplayError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, set(parts[0], parts[1]) else { throw .setting(line: index + 1) }
        }
        guard frames.isEmpty != script.isEmpty else { throw .setting(line: 0) }
    }

    /// The file beside the running program.
    static func besideProgram() throws(ReplayError) -> ReplaySettings {
        let bytes: [UInt8]
        do throws(PlatformError) {
            bytes = try SafeFile.readUnchecked(try OwnProcess.programFolder() + "/replay.conf", limit: 65_536)
        } catch {
            throw .file(error.description)
        }
        return try ReplaySettings(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func set(_ key: String, _ value: String) -> Bool {
        switch key {
        case "frames": frames = value
        case "control": control = value
        case "report": report = value
        case "script": script = value
        case "mode":
            guard let mode = Mode(rawValue: value) else { return false }
            self.mode = mode
        case "infrared":
            guard let infrared = Infrared(rawValue: value) else { return false }
            self.infrared = infrared
        case "repeat":
            guard ["yes", "no"].contains(value) else { return false }
            repeats = value == "yes"
        default:
            guard let number = Int(value), (0...1_000_000).contains(number) else { return false }
            return set(key, number)
        }
        return true
    }

    private mutating func set(_ key: String, _ number: Int) -> Bool {
        switch key {
        case "width" where (1...4096).contains(number): width = number
        case "height" where (1...4096).contains(number): height = number
        case "rate" where (1...240).contains(number): rate = number
        case "parallax" where number < width: parallax = number
        case "die_after_frames": diesAfter = number
        case "stall_after_frames": stallsAfter = number
        default: return false
        }
        return true
    }
}

/// Why nothing can be played.
enum ReplayError: Error, Equatable, CustomStringConvertible {
    /// A line of `replay.conf` makes no sense; line 0: neither frames nor a script, or both.
    case setting(line: Int)
    /// A file cannot be used.
    case file(String)
    /// No face in the first frame, which a head or photo is drawn from.
    case noFace

    var description: String {
        switch self {
        case .setting(let line): "replay.conf, line \(line): not understood"
        case .file(let words): words
        case .noFace: "no face in the first frame"
        }
    }
}
