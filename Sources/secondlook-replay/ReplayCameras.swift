// SPDX-License-Identifier: Apache-2.0
// In the place of the machine's cameras: the clip, made ready before the walls stand.

import Biometrics
import Platform
import Vision
import Worker

/// A worker's own frames.
struct ReplayCameras: CameraOpening {
    private let settings: ReplaySettings
    private var source: ReplaySource?
    private var infrared: InfraredReplay?

    init(_ settings: ReplaySettings, detector: any InferenceEngine, clock: any TimeSource) throws {
        self.settings = settings
        var detector = try Detector(engine: detector)
        source = try ReplaySource(settings, clock: clock) { try detector.find(in: $0).first?.landmarks }
        if settings.infrared != .none {
            let scene = try ReplaySource(settings, clock: clock) { try detector.find(in: $0).first?.landmarks }
            infrared = InfraredReplay(scene, settings)
        }
    }

    var bringsFrames: Bool { true }

    mutating func ownFrames() -> OpenedCamera? {
        source.map {
            OpenedCamera(
                source: $0, width: settings.width, height: settings.height, code: 0x3342_4752,
                rate: settings.rate * 10)
        }
    }

    mutating func ownInfraredFrames() -> OpenedCamera? {
        infrared.map {
            OpenedCamera(
                source: $0, width: settings.width, height: settings.height, code: 0x5945_5247,
                rate: settings.rate * 10)
        }
    }

    func open(_ descriptor: consuming Descriptor, role: CameraRole, rotation: UInt16) throws -> OpenedCamera {
        throw ReplayError.file("this worker brings its own frames")
    }
}
