// SPDX-License-Identifier: Apache-2.0
// Looks through a real kernel camera with the product's own code, behind the product's own walls, and says what it saw. For tests in a virtual
// machine; never installed.
//
//     capture-probe list                                    a line a node: path, name, formats, infrared, virtual, problem
//     capture-probe compare NODE FORMAT REFERENCE.rgb SECONDS
//                                                           one picture in FORMAT (YUYV, or any) against the one that is played
//     capture-probe watch NODE SECONDS                      how many frames came, then how the stream ended

import Biometrics
import Capture
import Platform

let clock = SystemTime()
let output = Descriptor(owning: 1)

/// A line at once: whoever waits for it may be another process.
///
/// Behind the walls the output must be no file, since files cannot grow there.
func say(_ text: String) { try? SafeFile.write(Array((text + "\n").utf8), to: output, path: "output") }

func code(_ text: String) -> UInt32 {
    let base = text.hasSuffix("-BE") ? String(text.dropLast(3)) : text
    let letters = Array(base.utf8) + [0x20, 0x20, 0x20, 0x20]
    let value = (0..<4).reduce(UInt32(0)) { $0 | UInt32(letters[$1]) << (8 * UInt32($1)) }
    return text.hasSuffix("-BE") ? value | 0x8000_0000 : value
}

func list() {
    for node in CameraNodes().list() {
        let problem = node.problem?.description ?? "usable"
        let parts = [
            node.path, node.name, node.formats.joined(separator: ","), node.isInfrared ? "infrared" : "colour",
            node.isVirtual ? "virtual" : "real", problem,
        ]
        say(parts.joined(separator: "|"))
    }
}

/// Opens the node as the helper does, then shuts this process in as the worker does.
func openShutIn(_ path: String) throws -> Descriptor {
    guard let node = CameraNodes().list().first(where: { $0.path == path }) else {
        throw PlatformError.protocolBroken("no node \(path)")
    }
    let descriptor = try CameraNodes.open(node)
    let layers = try Sandbox.enter(Sandbox.Plan(account: (user: 64_123, group: 64_123), strictness: .bestEffort))
    say("walls \(layers.rawValue)")
    return descriptor
}

/// Mean absolute difference to the reference, whose pixels are RGB; a grey frame is held against the luminance.
func difference(_ frame: Frame, _ reference: [UInt8]) -> Double {
    let count = frame.width * frame.height
    guard reference.count == count * 3 else { return 255 }
    var sum = 0
    for i in 0..<count {
        if frame.format == .rgb {
            for part in 0..<3 { sum += abs(Int(frame.pixels[3 * i + part]) - Int(reference[3 * i + part])) }
        } else {
            let (red, green, blue) = (Int(reference[3 * i]), Int(reference[3 * i + 1]), Int(reference[3 * i + 2]))
            sum += abs(Int(frame.pixels[i]) - (299 * red + 587 * green + 114 * blue) / 1000) * 3
        }
    }
    return Double(sum) / Double(count * 3)
}

func compare(_ words: [String]) throws {
    let reference = try SafeFile.readUnchecked(words[2], limit: 1 << 26)
    let began = clock.now()
    let device: any VideoDevice = KernelVideoDevice(try openShutIn(words[0]))
    let chosen: any VideoDevice = words[1] == "any" ? device : OnlyFormat(device, code: code(words[1]))
    let camera = try Camera(chosen, role: .colour, rotation: .none, clock: clock)
    let deadline = clock.now() + (UInt64(words[3]) ?? 10) * 1000
    var best = 255.0
    var frames = 0
    // The first frames may be from before the picture was changed.
    while best > 12, frames < 10 {
        let frame = try camera.frame(until: deadline)
        frames += 1
        best = min(best, difference(frame, reference))
    }
    let stream = camera.stream
    say(
        "\(FourCharacters.text(of: stream.code)) \(stream.width)x\(stream.height) rate \(stream.rate) frames \(frames) "
            + "error \(best) after \(clock.now() - began) ms")
}

func watch(_ words: [String]) throws {
    let camera = try Camera(KernelVideoDevice(try openShutIn(words[0])), role: .colour, rotation: .none, clock: clock)
    let end = clock.now() + (UInt64(words[1]) ?? 10) * 1000
    var frames = 0
    say("streaming")
    while clock.now() < end {
        do {
            _ = try camera.frame(until: min(end, clock.now() + 3_000))
            frames += 1
        } catch {
            say("after \(frames) frames: \(error)")
            return
        }
    }
    say("after \(frames) frames: still streaming")
}

let words = Array(CommandLine.arguments.dropFirst())
do {
    switch (words.first, words.count) {
    case ("list", 1): list()
    case ("compare", 5): try compare(Array(words.dropFirst()))
    case ("watch", 3): try watch(Array(words.dropFirst()))
    default: say("capture-probe: wrong usage")
    }
} catch {
    say("error: \(error)")
}
