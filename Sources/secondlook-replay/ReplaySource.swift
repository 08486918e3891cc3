// SPDX-License-Identifier: Apache-2.0
// The clip as a camera: frames come at their rate, and those that were not asked for in time are lost.

import Biometrics
import CProbe
import Capture
import Platform
import TestSupport

/// A source of frames out of a mapped clip.
final class ReplaySource: FrameSource {
    private enum Drawing {
        case clip
        case head(HeadRenderer, HeadMotion)
        case photo(PlaneRenderer)
        case still
        case frozen
    }

    private let settings: ReplaySettings
    private let clip: MappedFile
    private let control: MappedFile?
    private let clock: any TimeSource
    private var drawing: Drawing
    private var noise = SensorNoise(deviation: 2, seed: 7)
    private var began: UInt64?
    private var wantedFrom: UInt64 = 0
    private var shown = 0
    private var delivered = 0
    /// Milliseconds of motion drawn so far, and how many of them the head has followed.
    private var moved: UInt64 = 0
    private var followed: UInt64 = 0
    /// The head as it was drawn last, without noise.
    private var drawn: (pose: [Float], frame: Frame)?

    private var frameBytes: Int { settings.width * settings.height * 3 }
    private var count: Int { clip.count / frameBytes }

    /// Maps the clip.
    ///
    /// - Parameter find: finds the face of the first frame where one is drawn from it.
    init(
        _ settings: ReplaySettings, clock: any TimeSource, find: (Frame) throws -> Landmarks?
    ) throws {
        self.settings = settings
        self.clock = clock
        clip = try MappedFile(settings.frames)
        control = settings.control.isEmpty ? nil : try MappedFile(settings.control, writable: true)
        drawing = .clip
        guard let first = frame(0, timestamp: 0) else { throw ReplayError.file("'\(settings.frames)' has no frame") }
        switch settings.mode {
        case .clip: break
        case .frozen: drawing = .frozen
        case .still: drawing = .still
        case .head, .photo:
            guard let face = try find(first) else { throw ReplayError.noFace }
            drawing =
                settings.mode == .head
                ? .head(HeadRenderer(photo: first, face: face, deviation: 0, seed: 11), HeadMotion())
                : .photo(PlaneRenderer(photo: first, pivot: face.nose, seed: 13))
        }
    }

    private func frame(_ index: Int, timestamp: UInt64) -> Frame? {
        Frame(
            width: settings.width, height: settings.height, format: .rgb,
            pixels: clip.bytes(at: index * frameBytes, count: frameBytes), timestamp: timestamp)
    }

    func skip(before moment: UInt64) { wantedFrom = moment }

    func next(until deadline: UInt64) throws -> Frame? {
        misbehave()
        let began = self.began ?? clock.now()
        self.began = began
        // The number of the next frame that a camera of this rate would have ready.
        let wanted = wantedFrom > began ? (Int(wantedFrom - began) * settings.rate + 999) / 1000 : 0
        let due = max(shown, Int(clock.now() - began) * settings.rate / 1000, wanted)
        let time = began + UInt64(due * 1000 / settings.rate)
        guard time <= deadline else {
            cprobe_sleep_until(deadline)
            throw CaptureError.timedOut("a frame")
        }
        cprobe_sleep_until(time)
        if !settings.repeats, due >= count { return nil }
        // What is drawn moves no further between two frames than a camera of 10 frames a second would see, however loaded the machine is.
        moved += UInt64(min(due + 1 - shown, max(1, settings.rate / 10)) * 1000 / settings.rate)
        shown = due + 1
        delivered += 1
        return draw(due, timestamp: time)
    }

    /// Ends or hangs when the settings say so.
    private func misbehave() {
        if settings.diesAfter > 0, delivered >= settings.diesAfter { cprobe_die() }
        if settings.stallsAfter > 0, delivered >= settings.stallsAfter { cprobe_sleep_until(.max / 2000) }
    }

    private func draw(_ number: Int, timestamp: UInt64) -> Frame? {
        switch drawing {
        case .frozen: return frame(0, timestamp: timestamp)
        case .still: return frame(0, timestamp: timestamp).map { noise.added(to: $0) }
        case .clip:
            // Back and forth; from the second time on with noise, since no sensor delivers the same frame twice.
            let period = max(1, 2 * count - 2)
            let place = number % period
            let picture = frame(place < count ? place : period - place, timestamp: timestamp)
            return number < count ? picture : picture.map { noise.added(to: $0) }
        case .photo(var renderer):
            let picture = renderer.render(PhotoMotion.pose(after: moved), timestamp: timestamp)
            drawing = .photo(renderer)
            return picture
        case .head(var renderer, var motion):
            motion.follow(control?.text() ?? "", milliseconds: moved - followed)
            followed = moved
            let pose = [motion.yaw, motion.pitch]
            // A head at rest is drawn once; only its noise is new.
            if drawn?.pose != pose {
                drawn = renderer.render(yaw: motion.yaw, pitch: motion.pitch, timestamp: timestamp).map { (pose, $0) }
            }
            drawing = .head(renderer, motion)
            return (drawn?.frame).flatMap { picture in
                Frame(
                    width: picture.width, height: picture.height, format: picture.format,
                    pixels: noise.added(to: picture.pixels), timestamp: timestamp)
            }
        }
    }
}
