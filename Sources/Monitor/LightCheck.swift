// SPDX-License-Identifier: Apache-2.0
// A short look at the light before somebody sits for an enrolment. It compares nobody with anybody.

import Biometrics
import Platform
public import Policy
import Wire

/// What a short look found.
public struct LightReport: Sendable, Equatable {
    /// Frames that were looked at.
    public var frames = 0
    /// Those that would be judged.
    public var usable = 0
    /// Mean luminance of the frames, 0 to 255; nil without a frame.
    public var brightness: Float?
    /// What stood in the way most often; nil when nothing did.
    public var advice: Notice?
}

/// Looks at the light.
public enum LightCheck {
    /// Looks for so many milliseconds.
    ///
    /// - Parameter progress: called with the luminance of each frame; false ends the look.
    /// - Throws: any fault of worker and camera.
    public static func run(
        _ environment: LoginEnvironment, settings: Settings, milliseconds: UInt64 = 3_000,
        progress: (Float) -> Bool
    ) throws(MonitorError) -> LightReport {
        var sighting = try Sighting(environment, settings: settings)
        try sighting.openCamera(embedEvery: false)
        var report = LightReport()
        var sum: Float = 0
        var obstacles: [Notice: Int] = [:]
        let deadline = environment.time.now() + settings.cameraTimeout + milliseconds
        var last: UInt64?
        while environment.time.now() < last ?? deadline, let reply = try sighting.next(until: last ?? deadline) {
            if case .end = reply { break }
            guard case .frame(let evidence) = reply else { continue }
            // The time counts from the first frame: until then the camera starts.
            if last == nil { last = environment.time.now() + milliseconds }
            report.frames += 1
            sum += evidence.brightness
            switch FaceQuality(evidence) {
            case .usable: report.usable += 1
            case .dark: obstacles[.moreLight, default: 0] += 1
            case .empty: obstacles[.lookAtCamera, default: 0] += 1
            case .several: obstacles[.onePersonOnly, default: 0] += 1
            case .unusable(let notice): obstacles[notice, default: 0] += 1
            }
            guard progress(evidence.brightness) else { break }
        }
        if report.frames > 0 { report.brightness = sum / Float(report.frames) }
        let worst = obstacles.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        if let worst, worst.value > report.usable { report.advice = worst.key }
        return report
    }
}
