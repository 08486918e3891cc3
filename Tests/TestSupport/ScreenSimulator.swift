// SPDX-License-Identifier: Apache-2.0
// What a phone or monitor does to a picture held before a camera: its own, coarser resolution, a pixel grid that beats with the sensor's, a bright flat edge, a
// mirrored lamp, and light that pulses against the exposure.

public import Biometrics
import Foundation

/// Shows pictures on a simulated screen.
public struct ScreenSimulator: Sendable {
    private let beat: (x: Float, y: Float, angle: Float, strength: Float)
    private let glare: (x: Float, y: Float, size: Float, strength: Float)
    private let gain: Float
    private let tint: (red: Float, blue: Float)
    private let flicker: (period: Float, strength: Float)
    private let sway: Float
    private let margin: Float
    /// Camera pixels to one of the screen's.
    private let pitch: Float
    private let dots: Bool

    /// A screen whose faults follow from `seed`; `dots` false is one so fine that its grid neither shows nor beats.
    public init(seed: UInt64, dots: Bool = true) {
        self.dots = dots
        var generator = SeededGenerator(seed: seed)
        func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * generator.uniform() }
        beat = (between(4, 14), between(4, 14), between(-0.3, 0.3), between(3, 9))
        glare = (between(0.2, 0.8), between(0.2, 0.8), between(0.05, 0.18), between(20, 90))
        gain = between(0.8, 1.15)
        tint = (between(0.92, 1), between(1, 1.12))
        flicker = (between(90, 400), between(1, 8))
        sway = between(0.5, 2)
        margin = between(0.9, 1.5)
        pitch = between(1, 1.8)
    }

    /// `picture` on the screen, which is held so that the face at `face` fills it; beyond the device's edge the picture shows the room.
    public func shown(_ picture: Frame, face: Landmarks, _ now: UInt64) -> Frame {
        let t = Float(now % 1_000_000)
        let pulse = flicker.strength * sin(2 * .pi * t / flicker.period)
        let shiftX = sway * sin(t / 610)
        let shiftY = sway * sin(t / 830)
        let unit = face.eyeDistance
        let half = (x: unit * (1.5 + margin), y: unit * (2.2 + margin))
        let channels = picture.format.bytesPerPixel
        var pixels = picture.pixels
        let (c, s) = (cos(beat.angle), sin(beat.angle))
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let dx = Float(x) - face.nose.x - shiftX
                let dy = Float(y) - face.nose.y - shiftY
                let index = (y * picture.width + x) * channels
                let edge = max(abs(dx) - half.x, abs(dy) - half.y)
                if edge > 0 {
                    // A dark bezel, then a dim room.
                    let grey: Float = edge < unit * 0.18 ? 18 : 92 + 30 * Float(x) / Float(picture.width)
                    for channel in 0..<channels { pixels[index + channel] = UInt8(grey) }
                    continue
                }
                let column = Cell(x - Int(shiftX.rounded()), pitch, limit: picture.width)
                let row = Cell(y - Int(shiftY.rounded()), pitch, limit: picture.height)
                let moire =
                    !dots
                    ? 0
                    : beat.strength * sin(2 * .pi * (dx * c + dy * s) / beat.x)
                        * sin(2 * .pi * (dy * c - dx * s) / beat.y)
                let gx = dx / half.x - (glare.x - 0.5) * 2
                let gy = dy / half.y - (glare.y - 0.5) * 2
                let shine = glare.strength * exp(-(gx * gx + gy * gy) / (8 * glare.size * glare.size))
                for channel in 0..<channels {
                    let colour: Float = channels == 1 ? 1 : channel == 0 ? tint.red : channel == 2 ? tint.blue : 1
                    // Alternating subpixel columns lean to one colour each.
                    let grid: Float = channels == 1 || !dots ? 0 : (x + channel) % 3 == 0 ? 3 : -1.5
                    let value =
                        column.value(picture.pixels, row, picture.width, channels, channel) * gain * colour + moire
                        + shine + pulse + grid
                    pixels[index + channel] = UInt8(max(0, min(255, value)))
                }
            }
        }
        return Frame(
            width: picture.width, height: picture.height, format: picture.format, pixels: pixels,
            timestamp: picture.timestamp) ?? picture
    }
}

/// Where a place lies between the neighbouring pixels of the screen along one axis.
private struct Cell {
    let low: Int
    let high: Int
    let part: Float

    init(_ place: Int, _ pitch: Float, limit: Int) {
        let position = Float(max(0, place)) / pitch
        let whole = position.rounded(.down)
        low = min(limit - 1, Int((whole * pitch).rounded()))
        high = min(limit - 1, Int(((whole + 1) * pitch).rounded()))
        part = position - whole
    }

    /// Interpolated between the four pixels around, of which this is the column.
    @inline(__always)
    func value(_ pixels: [UInt8], _ row: Cell, _ width: Int, _ channels: Int, _ channel: Int) -> Float {
        func at(_ y: Int, _ x: Int) -> Float { Float(pixels[(y * width + x) * channels + channel]) }
        let upper = at(row.low, low) * (1 - part) + at(row.low, high) * part
        let lower = at(row.high, low) * (1 - part) + at(row.high, high) * part
        return upper * (1 - row.part) + lower * row.part
    }
}
