// SPDX-License-Identifier: Apache-2.0
// What a printer does to a photo: fewer colours, dots in a screen, the paper's white, a gloss where a lamp is mirrored.

public import Biometrics
import Foundation

/// Prints pictures.
public struct PrintSimulator: Sendable {
    private let pitch: Float
    private let angle: Float
    private let contrast: Float
    /// Grey levels of the dots in middle tones.
    private let dots: Float
    private let gloss: (x: Float, y: Float, size: Float, strength: Float)

    /// A printer with a dot pitch, contrast and gloss that follow from `seed`; `dots` false is one so fine that no dot is seen.
    public init(seed: UInt64, dots: Bool = true) {
        self.dots = dots ? 18 : 0
        var generator = SeededGenerator(seed: seed)
        pitch = 2.2 + generator.uniform() * 1.6
        angle = 0.3 + generator.uniform() * 0.8
        contrast = 0.65 + generator.uniform() * 0.2
        gloss = (
            generator.uniform(), generator.uniform(), 0.1 + 0.2 * generator.uniform(), 30 + 70 * generator.uniform()
        )
    }

    /// The picture on paper.
    public func printed(_ photo: Frame) -> Frame {
        var pixels = photo.pixels
        let channels = photo.format.bytesPerPixel
        let (c, s) = (cos(angle), sin(angle))
        for y in 0..<photo.height {
            for x in 0..<photo.width {
                let (fx, fy) = (Float(x), Float(y))
                // A round-dot screen, its strength greatest in the middle tones.
                let dot = cos(2 * .pi * (fx * c + fy * s) / pitch) * cos(2 * .pi * (fy * c - fx * s) / pitch)
                let dx = fx / Float(photo.width) - gloss.x
                let dy = fy / Float(photo.height) - gloss.y
                let shine = gloss.strength * exp(-(dx * dx + dy * dy) / (2 * gloss.size * gloss.size))
                for channel in 0..<channels {
                    let index = (y * photo.width + x) * channels + channel
                    let value = Float(pixels[index])
                    let middle = 1 - abs(value - 128) / 128
                    let ink = 128 + (value - 128) * contrast + dots * dot * middle + 14 + shine
                    pixels[index] = UInt8(max(0, min(255, ink)))
                }
            }
        }
        return Frame(
            width: photo.width, height: photo.height, format: photo.format, pixels: pixels, timestamp: photo.timestamp)
            ?? photo
    }
}
