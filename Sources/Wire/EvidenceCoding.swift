// SPDX-License-Identifier: Apache-2.0
// Evidence as bytes. The reader is where a hostile worker's numbers are first met: each is checked against its range here.

import Biometrics

private enum Range {
    static let coordinate: ClosedRange<Float> = -4096...8192
    static let side: ClosedRange<Float> = 1e-3...8192
    static let luminance: ClosedRange<Float> = 0...255
    static let contrast: ClosedRange<Float> = 0...128
    static let sharpness: ClosedRange<Float> = 0...1e6
    static let logit: ClosedRange<Float> = -100...100
    static let motion: ClosedRange<Float> = -512...512
    static let unit: ClosedRange<Float> = 0...1
    static let embeddingValue: ClosedRange<Float> = -2...2
    static let embeddingLength: ClosedRange<Float> = 0.5...2
}

extension FrameEvidence {
    /// Bytes of a frame with the most faces, each with everything.
    static let longestEncoding = 34 + mostFaces * FaceEvidence.longestEncoding

    func write(to writer: inout ByteWriter) {
        writer.put(sequence)
        writer.put(timestamp)
        writer.put(role.rawValue)
        writer.put(width)
        writer.put(height)
        writer.put(brightness)
        writer.put(contrast)
        writer.put(fingerprint)
        let reported = faces.prefix(FrameEvidence.mostFaces)
        writer.put(UInt8(reported.count))
        for face in reported { face.write(to: &writer) }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let sequence: UInt32 = try reader.integer()
        let timestamp: UInt64 = try reader.integer()
        guard let role = CameraRole(rawValue: try reader.byte()) else { throw .range("role") }
        let width: UInt16 = try reader.integer()
        let height: UInt16 = try reader.integer()
        guard (1...Frame.largestSide).contains(Int(width)), (1...Frame.largestSide).contains(Int(height)) else {
            throw .range("size")
        }
        let brightness = try reader.float("brightness", Range.luminance)
        let contrast = try reader.float("contrast", Range.contrast)
        let fingerprint: UInt64 = try reader.integer()
        let count = Int(try reader.byte())
        guard count <= FrameEvidence.mostFaces else { throw .range("number of faces") }
        var faces: [FaceEvidence] = []
        for _ in 0..<count { faces.append(try FaceEvidence(from: &reader)) }
        self.init(
            sequence: sequence, timestamp: timestamp, role: role, width: width, height: height, brightness: brightness,
            contrast: contrast, fingerprint: fingerprint, faces: faces)
    }
}

extension FaceEvidence {
    /// Bytes of a face with everything.
    static let longestEncoding = 77 + 4 * (Embedding.dimension + 1 + 1 + 6 + 1)

    func write(to writer: inout ByteWriter) {
        writer.put(track)
        for value in [box.x, box.y, box.width, box.height, score] { writer.put(value) }
        for point in landmarks.points { writer.put(point) }
        for value in [brightness, contrast, sharpness] { writer.put(value) }
        let present = [embedding != nil, passive != nil, secondOpinion != nil, motion != nil, screen != nil]
        writer.put(present.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
        if let embedding { for value in embedding.values { writer.put(value) } }
        if let passive { writer.put(passive) }
        if let secondOpinion { writer.put(secondOpinion) }
        if let motion {
            writer.put(motion.face)
            writer.put(motion.surround)
            writer.put(motion.faceChange)
            writer.put(motion.surroundChange)
        }
        if let screen { writer.put(screen) }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let track: UInt32 = try reader.integer()
        let box = Box(
            x: try reader.float("box", Range.coordinate), y: try reader.float("box", Range.coordinate),
            width: try reader.float("box", Range.side), height: try reader.float("box", Range.side))
        let score = try reader.float("score", Range.unit)
        var points: [Point] = []
        for _ in 0..<5 { points.append(try reader.point("landmark", Range.coordinate)) }
        let brightness = try reader.float("face brightness", Range.luminance)
        let contrast = try reader.float("face contrast", Range.contrast)
        let sharpness = try reader.float("sharpness", Range.sharpness)
        let flags = try reader.byte()
        guard flags < 32 else { throw .range("face flags") }
        self.init(
            track: track, box: box, score: score,
            landmarks: Landmarks(
                rightEye: points[0], leftEye: points[1], nose: points[2], rightMouth: points[3], leftMouth: points[4]),
            brightness: brightness, contrast: contrast, sharpness: sharpness)
        if flags & 1 != 0 { embedding = try reader.embedding() }
        if flags & 2 != 0 { passive = try reader.float("passive", Range.logit) }
        if flags & 4 != 0 { secondOpinion = try reader.float("second opinion", Range.logit) }
        if flags & 8 != 0 { motion = try reader.motion() }
        if flags & 16 != 0 { screen = try reader.float("screen", Range.unit) }
    }
}

extension ByteReader {
    fileprivate mutating func point(_ field: String, _ range: ClosedRange<Float>) throws(WireError) -> Point {
        Point(try float(field, range), try float(field, range))
    }

    fileprivate mutating func motion() throws(WireError) -> Motion {
        Motion(
            face: try point("motion", Range.motion), surround: try point("motion", Range.motion),
            faceChange: try float("change", Range.luminance), surroundChange: try float("change", Range.luminance))
    }

    fileprivate mutating func embedding() throws(WireError) -> Embedding {
        var values: [Float] = []
        values.reserveCapacity(Embedding.dimension)
        for _ in 0..<Embedding.dimension { values.append(try float("embedding", Range.embeddingValue)) }
        let length = values.reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
        guard Range.embeddingLength.contains(length), let embedding = Embedding(values) else {
            throw .range("embedding")
        }
        return embedding
    }
}
