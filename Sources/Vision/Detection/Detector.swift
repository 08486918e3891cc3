// SPDX-License-Identifier: Apache-2.0
// YuNet: finds faces and their five landmarks. The picture is shrunk so that its longer side has at most the size asked for, laid into the
// upper left corner of the next multiples of 32, and what comes out is decoded and put back into the frame's own pixels.

public import Biometrics

/// A face as the detector reports it, in pixels of the frame.
public struct Detection: Sendable, Equatable {
    /// Where the face is.
    public var box: Box
    /// 0 to 1.
    public var score: Float
    /// The five points.
    public var landmarks: Landmarks

    /// A face.
    public init(box: Box, score: Float, landmarks: Landmarks) {
        self.box = box
        self.score = score
        self.landmarks = landmarks
    }
}

/// The detector over a loaded network.
public struct Detector {
    /// The network's strides: each output has one cell for so many pixels.
    static let strides = [8, 16, 32]
    /// Boxes that overlap a better one by more than this are the same face.
    static let mostOverlap: Float = 0.3

    private let engine: any InferenceEngine
    private let longest: Int
    private let threshold: Float
    private var resizer = Resizer()
    private var axes: (x: Axis, y: Axis, size: [Int])?
    /// Columns and rows of what the network saw of the last frame.
    private var seen = (columns: 0, rows: 0)

    /// The shrunk grey picture of the last run, and how many of the frame's pixels one of its pixels stands for.
    private(set) var luminance = Luminance(width: 0, height: 0, values: [])
    private(set) var reduction: Float = 1

    /// Takes a network with YuNet's input and outputs and refuses another by name.
    ///
    /// - Parameters:
    ///   - longest: the longer side of what the network sees, 64 to 1,280; faces below about 1/20 of it are missed.
    ///   - threshold: the lowest score that counts as a face; 0.6 finds turned faces, 0.9 only the clearest.
    public init(engine: any InferenceEngine, longest: Int = 320, threshold: Float = 0.6) throws(VisionError) {
        try engine.demand(
            .detector, input: ("input", [1, 3, 64, 64]),
            outputs: Detector.tensors(width: 64, height: 64).map { ($0.name, $0.shape) })
        self.engine = engine
        self.longest = max(64, min(1280, longest))
        self.threshold = threshold
    }

    /// Finds the faces of a frame, largest first, at most `FrameEvidence.mostFaces`.
    public mutating func find(in frame: Frame) throws(VisionError) -> [Detection] {
        try find(in: frame, longest: longest)
    }

    /// The same with another size of what the network sees: still pictures may show a small face in a large scene.
    public mutating func find(in frame: Frame, longest: Int) throws(VisionError) -> [Detection] {
        let scale = min(1, Double(longest) / Double(max(frame.width, frame.height)))
        let width = max(1, Int((Double(frame.width) * scale).rounded()))
        let height = max(1, Int((Double(frame.height) * scale).rounded()))
        let (columns, rows) = ((width + 31) / 32 * 32, (height + 31) / 32 * 32)
        let size = [frame.width, frame.height, width, height]
        let isNewSize = axes?.size != size
        if isNewSize {
            axes = (
                Axis(origin: 0, length: frame.width, limit: frame.width, count: width),
                Axis(origin: 0, length: frame.height, limit: frame.height, count: height), size
            )
        }
        guard let axes else { return [] }
        seen = (columns, rows)
        let layout = PlaneLayout(rowStride: columns, planeStride: columns * rows, order: [2, 1, 0], scale: 1)
        // Held apart from self, which the closure may not change.
        var (resizer, grey) = (Resizer(), Luminance(width: 0, height: 0, values: []))
        swap(&resizer, &self.resizer)
        let outputs = try engine.run(
            input: Tensor("input", [1, 3, rows, columns]), outputs: Detector.tensors(width: columns, height: rows)
        ) { planes in
            // The margin has to be black, and a picture of another size may have been where it is.
            if isNewSize { for i in 0..<planes.count { planes[i] = 0 } }
            resizer.resize(frame, x: axes.x, y: axes.y, into: &planes, layout: layout)
            grey = Luminance(planes: planes, width: width, height: height, layout: layout)
        }
        swap(&resizer, &self.resizer)
        luminance = grey
        reduction = Float(frame.width) / Float(width)
        let found = YuNet.decode(outputs, columns: columns, rows: rows, threshold: threshold)
        let kept = YuNet.suppressed(found, mostOverlap: Detector.mostOverlap)
        let (sx, sy) = (Float(frame.width) / Float(width), Float(frame.height) / Float(height))
        return Array(
            kept.map { $0.scaled(sx, sy) }.filter(\.isWithinLimits)
                .sorted { $0.box.width * $0.box.height > $1.box.width * $1.box.height }
                .prefix(FrameEvidence.mostFaces))
    }

    /// The face's landmarks as a second look at it alone finds them, with the face as large as the network likes it.
    ///
    /// The first look sees a face at half its size or less. Landmarks that are off by a pixel there turn and shift the aligned picture: on
    /// pictures of Labeled Faces in the Wild the second look halves the recogniser's misses. The first look's landmarks are the answer when
    /// the second one does not find the same face.
    public mutating func refined(_ detection: Detection, in frame: Frame) throws(VisionError) -> Landmarks {
        let side = Detector.closeSide
        let longer = max(detection.box.width, detection.box.height)
        let length = Int((longer * Detector.closeSpan).rounded())
        guard length >= 16, length <= 4 * Frame.largestSide else { return detection.landmarks }
        let left = Int((detection.box.centre.x - Float(length) / 2).rounded())
        let top = Int((detection.box.centre.y - Float(length) / 2).rounded())
        let x = Axis(origin: left, length: length, limit: frame.width, count: side)
        let y = Axis(origin: top, length: length, limit: frame.height, count: side)
        // A whole frame of this shape would find what is written now in its margin.
        if seen == (side, side) { axes = nil }
        let layout = PlaneLayout(rowStride: side, planeStride: side * side, order: [2, 1, 0], scale: 1)
        var resizer = Resizer()
        swap(&resizer, &self.resizer)
        let outputs = try engine.run(
            input: Tensor("input", [1, 3, side, side]), outputs: Detector.tensors(width: side, height: side)
        ) { planes in
            resizer.resize(frame, x: x, y: y, into: &planes, layout: layout)
        }
        swap(&resizer, &self.resizer)
        let scale = Float(length) / Float(side)
        let found = YuNet.decode(outputs, columns: side, rows: side, threshold: threshold)
            .map { $0.scaled(scale, scale).moved(Float(left), Float(top)) }
            .filter { $0.isWithinLimits && $0.box.overlap(with: detection.box) >= Detector.sameFace }
        return found.max { $0.score < $1.score }?.landmarks ?? detection.landmarks
    }

    /// Side of what the network sees in a second look, in pixels.
    static let closeSide = 320
    /// What it sees over the longer side of the face's box.
    static let closeSpan: Float = 1.5
    /// Overlap from which a face of the second look is that of the first.
    static let sameFace: Float = 0.4

    static func tensors(width: Int, height: Int) -> [Tensor] {
        [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)].flatMap { name, depth in
            strides.map { Tensor("\(name)_\($0)", [1, (width / $0) * (height / $0), depth]) }
        }
    }
}

extension Detection {
    func scaled(_ x: Float, _ y: Float) -> Detection {
        func moved(_ point: Point) -> Point { Point(point.x * x, point.y * y) }
        return Detection(
            box: Box(x: box.x * x, y: box.y * y, width: box.width * x, height: box.height * y), score: score,
            landmarks: Landmarks(
                rightEye: moved(landmarks.rightEye), leftEye: moved(landmarks.leftEye), nose: moved(landmarks.nose),
                rightMouth: moved(landmarks.rightMouth), leftMouth: moved(landmarks.leftMouth)))
    }

    func moved(_ x: Float, _ y: Float) -> Detection {
        func moved(_ point: Point) -> Point { Point(point.x + x, point.y + y) }
        return Detection(
            box: Box(x: box.x + x, y: box.y + y, width: box.width, height: box.height), score: score,
            landmarks: Landmarks(
                rightEye: moved(landmarks.rightEye), leftEye: moved(landmarks.leftEye), nose: moved(landmarks.nose),
                rightMouth: moved(landmarks.rightMouth), leftMouth: moved(landmarks.leftMouth)))
    }

    /// What the wire carries and arithmetic can take: finite, and not far outside the frame.
    var isWithinLimits: Bool {
        let all = landmarks.points + [Point(box.x, box.y), Point(box.x + box.width, box.y + box.height)]
        return all.allSatisfy { $0.x >= -4096 && $0.x <= 8192 && $0.y >= -4096 && $0.y <= 8192 }
            && box.width > 1 && box.height > 1 && landmarks.eyeDistance > 0.5
    }
}
