// SPDX-License-Identifier: Apache-2.0
// Attacks made from live frames, with a seed: what a thief with a photo, a phone or a program could show the camera. They are crude where
// the real thing is crude, and they never tell the judge anything but pixels.

public import Biometrics
import Foundation

/// A kind of simulated attack.
public enum SimulatedAttack: String, Sendable, CaseIterable {
    /// One frame filling the view, moved, tilted, turned and brought nearer like a large photo.
    case photoMoved = "photo-moved"
    /// The same photo, held perfectly still: only the sensor's noise changes.
    case photoStill = "photo-still"
    /// A smaller print before the room: halftone dots, gloss, paper edges, hands that shake.
    case print = "print"
    /// The clip played on a phone or monitor: pixel grid, moire, device edge, glare, flicker, its own brightness.
    case replay = "replay"
    /// One frame, byte for byte, again and again.
    case frozen = "frozen"
    /// A piece of 2 to 6 frames of the clip, byte for byte, over and over.
    case looped = "looped"
    /// A photo first, another living face cut in at its place.
    case cutIn = "cut-in"
    /// A photo of the owner beside a living other person.
    case beside = "stranger-beside-photo"
    /// A head made of one photo that answers every prompt, full frame: a virtual camera's view.
    case head = "rendered-head"
    /// The same head shown on a simulated screen.
    case headOnScreen = "rendered-head-on-screen"
    /// The print again, so fine that no dot shows.
    case finePrint = "fine-print"
    /// The clip again, on a screen so fine that nothing of its grid shows.
    case fineReplay = "fine-replay"
    /// The rendered head on such a screen.
    case headOnFineScreen = "rendered-head-on-fine-screen"
}

/// Makes the frames of one simulated attack.
public struct AttackSimulator: Sendable {
    /// Milliseconds from frame to frame.
    public static let interval: UInt64 = 66

    private let kind: SimulatedAttack
    private let clip: [Frame]
    private let other: [Frame]
    private let face: Landmarks
    private var plane: PlaneRenderer?
    private var head: HeadRenderer?
    private var screen: ScreenSimulator
    private var noise: SensorNoise
    private var script = ScriptedHead(extent: 0.55)
    private var phases: [Float]
    private let loop: Int
    private var count: UInt64 = 0

    /// An attack of a kind.
    ///
    /// - Parameters:
    ///   - clip: frames of the person whose face is misused, at least one, all of one size, of format RGB.
    ///   - other: frames of another living person of the same size; `cutIn` and `beside` need them.
    ///   - face: the landmarks of the first frame of `clip`.
    public init(_ kind: SimulatedAttack, clip: [Frame], other: [Frame] = [], face: Landmarks, seed: UInt64) {
        self.kind = kind
        self.clip = clip
        self.other = other
        self.face = face
        var generator = SeededGenerator(seed: seed)
        phases = (0..<8).map { _ in generator.uniform() * 2 * .pi }
        loop = 2 + Int(generator.next() % 5)
        noise = SensorNoise(deviation: 1.5 + generator.uniform() * 2, seed: generator.next())
        screen = ScreenSimulator(seed: generator.next(), dots: kind != .fineReplay && kind != .headOnFineScreen)
        let photo = clip[0]
        if kind == .print || kind == .finePrint {
            let paper = PrintSimulator(seed: generator.next(), dots: kind == .print).printed(photo)
            let extent = AttackSimulator.paper(face, in: photo)
            plane = PlaneRenderer(
                photo: paper, extent: extent, pivot: face.nose,
                background: AttackSimulator.room(like: photo, generator.next()),
                seed: generator.next())
        } else {
            plane = PlaneRenderer(photo: photo, pivot: face.nose, background: photo, seed: generator.next())
        }
        head = HeadRenderer(photo: photo, face: face, seed: generator.next())
    }

    /// Tells the attacker's program what the person was asked: -1 to 1 towards the own left, and towards the chin.
    public mutating func hear(yaw: Float, pitch: Float, at now: UInt64) { script.turn(yaw: yaw, pitch: pitch, at: now) }

    /// The next frame.
    public mutating func next(at now: UInt64) -> Frame? {
        defer { count += 1 }
        let index = Int(count)
        switch kind {
        case .photoMoved:
            let pose = waved(0.3, shift: 0.04)
            return plane?.render(pose, timestamp: now)
        case .photoStill: return noise.added(to: stamped(clip[0], now))
        case .print, .finePrint:
            let pose = waved(0.2, shift: 0.02)
            return plane?.render(pose, timestamp: now)
        case .replay, .fineReplay:
            return noise.added(to: stamped(screen.shown(clip[index % clip.count], face: face, now), now))
        case .frozen: return stamped(clip[0], now)
        case .looped: return stamped(clip[index % min(loop, clip.count)], now)
        case .cutIn:
            let frame = index < 20 || other.isEmpty ? clip[0] : other[index % other.count]
            return noise.added(to: stamped(frame, now))
        case .beside: return beside(now)
        case .head, .headOnScreen, .headOnFineScreen:
            let pose = script.pose(at: now)
            // A living head never stands quite still; neither does one that pretends.
            let sway = 0.03 * sin(Float(now) / 700 + phases[0])
            guard let frame = head?.render(yaw: pose.yaw + sway, pitch: pose.pitch, timestamp: now) else { return nil }
            return kind == .head ? frame : noise.added(to: stamped(screen.shown(frame, face: face, now), now))
        }
    }

    /// A hand that moves a plane about: slow sines of unrelated periods.
    private func waved(_ tilt: Float, shift: Float) -> PlanePose {
        let t = Float(count) * Float(AttackSimulator.interval) / 1_000
        func wave(_ period: Float, _ phase: Int) -> Float { sin(2 * .pi * t / period + phases[phase]) }
        return PlanePose(
            yaw: tilt * 1.5 * wave(2.9, 0), pitch: tilt * wave(3.7, 1), roll: 0.1 * wave(4.3, 2),
            scale: 1.08 + 0.08 * wave(5.1, 3), x: shift * wave(2.3, 4), y: shift * wave(3.1, 5))
    }

    private mutating func beside(_ now: UInt64) -> Frame? {
        guard !other.isEmpty else { return nil }
        // The photo, smaller, in the left half of the living person's picture.
        let room = other[Int(count) % other.count]
        let photo = clip[0]
        let half = Float(photo.width) / 2
        let frame = Warp.render(photo, width: room.width, height: room.height, background: room, timestamp: now) {
            u, v in
            u < half * 0.9
                ? (face.nose.x + (u - half * 0.45) * 1.6, face.nose.y + (v - Float(photo.height) * 0.5) * 1.6) : nil
        }
        return frame.map { noise.added(to: $0) }
    }

    private func stamped(_ frame: Frame, _ now: UInt64) -> Frame {
        Frame(width: frame.width, height: frame.height, format: frame.format, pixels: frame.pixels, timestamp: now)
            ?? frame
    }

    /// The part of the photo that is on the paper: the face with its neck and some of what is around it.
    private static func paper(_ face: Landmarks, in photo: Frame) -> Box {
        let unit = face.eyeDistance
        let left = max(2, face.nose.x - 1.8 * unit)
        let top = max(2, face.nose.y - 2.2 * unit)
        return Box(
            x: left, y: top, width: min(Float(photo.width) - 3 - left, 3.6 * unit),
            height: min(Float(photo.height) - 3 - top, 4.6 * unit))
    }

    /// A dull room: a lit wall with a few things on it.
    private static func room(like photo: Frame, _ seed: UInt64) -> Frame? {
        var generator = SeededGenerator(seed: seed)
        let things = (0..<14).map { _ in
            (
                x: Int(generator.next() % UInt64(photo.width)), y: Int(generator.next() % UInt64(photo.height)),
                size: 10 + Int(generator.next() % 60), grey: Int(generator.next() % 160)
            )
        }
        var pixels = [UInt8](repeating: 0, count: photo.width * photo.height * 3)
        for y in 0..<photo.height {
            for x in 0..<photo.width {
                var grey = 110 + 50 * x / photo.width + 20 * y / photo.height
                for thing in things where abs(x - thing.x) < thing.size && abs(y - thing.y) < thing.size / 2 {
                    grey = thing.grey
                }
                let index = (y * photo.width + x) * 3
                (pixels[index], pixels[index + 1], pixels[index + 2]) = (
                    UInt8(grey), UInt8(grey), UInt8(max(0, grey - 8))
                )
            }
        }
        return Frame(width: photo.width, height: photo.height, format: .rgb, pixels: pixels, timestamp: 0)
    }
}
