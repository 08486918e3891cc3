// SPDX-License-Identifier: Apache-2.0
// A picture that can be drawn on. Everything is clipped: boxes and points come from the process that sees, and may lie anywhere.

import Biometrics

/// 8-bit interleaved red, green, blue, row by row.
struct Canvas: Equatable {
    /// A colour.
    struct Colour: Equatable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8

        static let box = Colour(red: 60, green: 255, blue: 60)
        static let point = Colour(red: 255, green: 70, blue: 70)
        static let text = Colour(red: 235, green: 235, blue: 235)
    }

    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]

    /// The picture, with so many black rows below it.
    init(_ picture: SharedPicture, below rows: Int = 0) {
        width = picture.width
        height = picture.height + rows
        pixels = picture.pixels + [UInt8](repeating: 0, count: rows * picture.width * 3)
    }

    /// The colour at a place within the picture.
    func colour(_ x: Int, _ y: Int) -> Colour {
        let at = (y * width + x) * 3
        return Colour(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
    }

    /// Fills what of a rectangle lies within the picture.
    mutating func fill(x: Int, y: Int, width w: Int, height h: Int, _ colour: Colour) {
        // Sides first brought near, so that the sums below cannot overflow.
        let (left, top) = (max(0, min(width, x)), max(0, min(height, y)))
        let (right, bottom) = (max(0, min(width, x + w)), max(0, min(height, y + h)))
        guard left < right, top < bottom else { return }
        for row in top..<bottom {
            for column in left..<right {
                let at = (row * width + column) * 3
                pixels[at] = colour.red
                pixels[at + 1] = colour.green
                pixels[at + 2] = colour.blue
            }
        }
    }

    /// Draws the sides of a rectangle, `thickness` pixels inwards.
    mutating func outline(x: Int, y: Int, width w: Int, height h: Int, thickness: Int, _ colour: Colour) {
        fill(x: x, y: y, width: w, height: thickness, colour)
        fill(x: x, y: y + h - thickness, width: w, height: thickness, colour)
        fill(x: x, y: y, width: thickness, height: h, colour)
        fill(x: x + w - thickness, y: y, width: thickness, height: h, colour)
    }

    /// Draws the boxes and landmarks of a frame of `frameWidth` pixels.
    mutating func annotate(_ faces: [FaceEvidence], frameWidth: Int, thickness: Int = 2) {
        let scale = Float(width) / Float(max(1, frameWidth))
        // A coordinate of the protocol is at most 16,384 away from 0.
        func place(_ value: Float) -> Int { Int(max(-16_384, min(16_384, value * scale)).rounded()) }
        for face in faces {
            outline(
                x: place(face.box.x), y: place(face.box.y), width: max(1, place(face.box.width)),
                height: max(1, place(face.box.height)), thickness: thickness, .box)
            for point in face.landmarks.points {
                fill(
                    x: place(point.x) - thickness, y: place(point.y) - thickness, width: 2 * thickness + 1,
                    height: 2 * thickness + 1, .point)
            }
        }
    }
}
