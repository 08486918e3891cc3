// SPDX-License-Identifier: Apache-2.0
// The arithmetic that turns YuNet's twelve outputs into faces; pure, so that tests feed it numbers.

import Biometrics

/// Decoding and suppression.
enum YuNet {
    /// Decodes the outputs: cls, obj, bbox and kps, each for strides 8, 16 and 32.
    ///
    /// For the cell (column, row) of stride S: score = sqrt(cls * obj), both clamped to 0...1; centre = (cell + bbox[0..1]) * S; size =
    /// exp(bbox[2..3]) * S; landmark i = (cell + kps[2i..2i+1]) * S.
    static func decode(_ outputs: [[Float]], columns: Int, rows: Int, threshold: Float) -> [Detection] {
        var found: [Detection] = []
        for (level, stride) in Detector.strides.enumerated() {
            let (classes, objects) = (outputs[level], outputs[3 + level])
            let (boxes, points) = (outputs[6 + level], outputs[9 + level])
            let (across, step) = (columns / stride, Float(stride))
            for cell in 0..<(across * (rows / stride)) {
                let product = min(1, max(0, classes[cell])) * min(1, max(0, objects[cell]))
                // Also false for a number that is none.
                guard product >= threshold * threshold else { continue }
                let (x, y) = (Float(cell % across), Float(cell / across))
                let b = cell * 4
                let (width, height) = (exponential(boxes[b + 2]) * step, exponential(boxes[b + 3]) * step)
                let box = Box(
                    x: (x + boxes[b]) * step - width / 2, y: (y + boxes[b + 1]) * step - height / 2, width: width,
                    height: height)
                func point(_ i: Int) -> Point {
                    Point((x + points[cell * 10 + 2 * i]) * step, (y + points[cell * 10 + 2 * i + 1]) * step)
                }
                found.append(
                    Detection(
                        box: box, score: product.squareRoot(),
                        landmarks: Landmarks(
                            rightEye: point(0), leftEye: point(1), nose: point(2), rightMouth: point(3),
                            leftMouth: point(4))))
            }
        }
        return found
    }

    /// Keeps the best of every heap of overlapping boxes (greedy non-maximum suppression).
    static func suppressed(_ detections: [Detection], mostOverlap: Float) -> [Detection] {
        // The detector answers a few dozen at most in a real scene; a hostile one must not cost quadratic time.
        let best = detections.sorted { $0.score > $1.score }.prefix(512)
        var kept: [Detection] = []
        for candidate in best where kept.allSatisfy({ $0.box.overlap(with: candidate.box) <= mostOverlap }) {
            kept.append(candidate)
        }
        return kept
    }
}
