// SPDX-License-Identifier: Apache-2.0
// An infrared camera beside the replayed one, made up from the same frames: in grey and from a little to the side, or dark as a screen is in
// infrared light. It proves the path and the geometry, not what skin looks like in infrared.

import Biometrics
import TestSupport

/// The scene as an infrared camera beside the colour camera sees it.
final class InfraredReplay: FrameSource {
    private let scene: ReplaySource
    private let settings: ReplaySettings
    private var noise = SensorNoise(deviation: 2, seed: 29)

    init(_ scene: ReplaySource, _ settings: ReplaySettings) {
        self.scene = scene
        self.settings = settings
    }

    func skip(before moment: UInt64) { scene.skip(before: moment) }

    func next(until deadline: UInt64) throws -> Frame? {
        guard let frame = try scene.next(until: deadline) else { return nil }
        var pixels = [UInt8](repeating: 26, count: frame.width * frame.height)
        if settings.infrared == .grey {
            for y in 0..<frame.height {
                for x in settings.parallax..<frame.width {
                    let from = (y * frame.width + x - settings.parallax) * 3
                    // Green alone: near enough for a grey picture of a scene.
                    pixels[y * frame.width + x] = frame.pixels[from + 1]
                }
            }
        }
        return Frame(
            width: frame.width, height: frame.height, format: .grey, pixels: noise.added(to: pixels),
            timestamp: frame.timestamp)
    }
}
