// SPDX-License-Identifier: Apache-2.0
// Resizing into planes: colours, order, margins and mirrored borders.

import Biometrics
import Testing

@testable import Vision

@Suite struct ResizerTests {
    private func resized(_ frame: Frame, x: Axis, y: Axis, layout: PlaneLayout, count: Int) -> [Float] {
        var planes = [Float](repeating: -1, count: count)
        var resizer = Resizer()
        var span = planes.mutableSpan
        resizer.resize(frame, x: x, y: y, into: &span, layout: layout)
        return planes
    }

    @Test func averagesBlocksByColour() throws {
        // 2x2 pixels become one: red 10 20 30 40, green 0 0 4 4, blue 255.
        let frame = try #require(
            Frame(
                width: 2, height: 2, format: .rgb,
                pixels: [10, 0, 255, 20, 0, 255, 30, 4, 255, 40, 4, 255], timestamp: 0))
        let axis = Axis(origin: 0, length: 2, limit: 2, count: 1)
        let layout = PlaneLayout(rowStride: 1, planeStride: 1, order: [2, 1, 0], scale: 1)
        #expect(resized(frame, x: axis, y: axis, layout: layout, count: 3) == [255, 2, 25])
    }

    @Test func leavesTheMarginAlone() throws {
        let frame = try #require(Frame(width: 2, height: 1, format: .grey, pixels: [50, 100], timestamp: 0))
        let x = Axis(origin: 0, length: 2, limit: 2, count: 2)
        let y = Axis(origin: 0, length: 1, limit: 1, count: 1)
        let layout = PlaneLayout(rowStride: 3, planeStride: 6, order: [0, 1, 2], scale: 0.5)
        let planes = resized(frame, x: x, y: y, layout: layout, count: 18)
        #expect(planes == [25, 50, -1, -1, -1, -1, 25, 50, -1, -1, -1, -1, 25, 50, -1, -1, -1, -1])
    }

    @Test func mirrorsBeyondTheBorder() throws {
        let frame = try #require(Frame(width: 3, height: 1, format: .grey, pixels: [1, 2, 3], timestamp: 0))
        let x = Axis(origin: -2, length: 7, limit: 3, count: 7)
        let y = Axis(origin: 0, length: 1, limit: 1, count: 1)
        let layout = PlaneLayout(rowStride: 7, planeStride: 7, order: [0, 1, 2], scale: 1)
        #expect(Array(resized(frame, x: x, y: y, layout: layout, count: 21).prefix(7)) == [3, 2, 1, 2, 3, 2, 1])
    }

    @Test func repeatsTheBorderPixelWhereTold() throws {
        let frame = try #require(Frame(width: 3, height: 1, format: .grey, pixels: [1, 2, 3], timestamp: 0))
        let x = Axis(origin: -2, length: 7, limit: 3, count: 7, border: .repeated)
        let y = Axis(origin: -4, length: 1, limit: 1, count: 1, border: .repeated)
        let layout = PlaneLayout(rowStride: 7, planeStride: 7, order: [0, 1, 2], scale: 1)
        #expect(Array(resized(frame, x: x, y: y, layout: layout, count: 21).prefix(7)) == [1, 1, 1, 2, 3, 3, 3])
    }

    @Test func equalsASlowResizing() {
        let frame = texture(97, 61)
        let x = Axis(origin: 0, length: 97, limit: 97, count: 40)
        let y = Axis(origin: 0, length: 61, limit: 61, count: 25)
        let layout = PlaneLayout(rowStride: 40, planeStride: 1000, order: [0, 1, 2], scale: 1)
        let planes = resized(frame, x: x, y: y, layout: layout, count: 3000)
        for (row, column, colour) in [(0, 0, 0), (24, 39, 2), (11, 17, 1), (7, 30, 0)] {
            var sum: Float = 0
            for v in y.firsts[row]..<y.firsts[row + 1] {
                for u in x.firsts[column]..<x.firsts[column + 1] {
                    let at = (y.sources[v] * 97 + x.sources[u]) * 3 + colour
                    sum += y.weights[v] * x.weights[u] * Float(frame.pixels[at])
                }
            }
            #expect(abs(planes[colour * 1000 + row * 40 + column] - sum) < 1e-3)
        }
    }
}
