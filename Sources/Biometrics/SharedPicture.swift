// SPDX-License-Identifier: Apache-2.0
// Pictures that the process that sees hands to the admin command: for `preview`, `snapshot` and an enrolment whose pictures are kept. A login
// never asks for one and never takes one. They are pixels and nothing else, so that nobody has to decode them.

/// Which pictures a worker is asked to hand out.
public struct PictureSharing: Sendable, Equatable {
    /// The longer side that a view may be given, in pixels.
    public static let sides: ClosedRange<UInt16> = 16...640
    /// The least milliseconds between two views that may be asked for.
    public static let intervals: ClosedRange<UInt16> = 20...10_000

    /// Frames made smaller.
    public var views: Bool
    /// Of each face with an embedding, the very picture the recogniser was given.
    public var faces: Bool
    /// The longer side of a view, in pixels.
    public var side: UInt16
    /// Milliseconds from view to view of one camera, at least.
    public var interval: UInt16

    /// What is wanted; side and interval are brought into their ranges.
    public init(views: Bool = false, faces: Bool = false, side: UInt16 = 640, interval: UInt16 = 100) {
        self.views = views
        self.faces = faces
        self.side = min(max(side, PictureSharing.sides.lowerBound), PictureSharing.sides.upperBound)
        self.interval = min(max(interval, PictureSharing.intervals.lowerBound), PictureSharing.intervals.upperBound)
    }

    /// Whether anything is wanted.
    public var wantsAny: Bool { views || faces }
}

/// A picture that was handed out: 8-bit interleaved red, green, blue, row by row without padding.
public struct SharedPicture: Sendable, Equatable {
    /// What is on it.
    public enum Subject: Sendable, Hashable {
        /// The whole frame, made smaller.
        case view
        /// The upright face of this track, `faceSide` pixels a side, as the recogniser is given it.
        case face(UInt32)
    }

    /// Pixels along a side of a face.
    public static let faceSide = 112

    /// What is on it.
    public let subject: Subject
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// `width * height * 3` bytes.
    public let pixels: [UInt8]

    /// Nil when the sides are out of range, a face has other sides than a face's, or `pixels` another length than the sides demand.
    public init?(subject: Subject, width: Int, height: Int, pixels: [UInt8]) {
        let longest = Int(PictureSharing.sides.upperBound)
        guard (1...longest).contains(width), (1...longest).contains(height), pixels.count == width * height * 3 else {
            return nil
        }
        if case .face = subject, width != SharedPicture.faceSide || height != SharedPicture.faceSide { return nil }
        self.subject = subject
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The frame made so small that its longer side has at most `side` pixels; grey becomes colour.
    ///
    /// Each pixel is the mean of those that it covers, so that a picture of a face stays recognisable in few of them.
    public init?(view frame: Frame, side: Int) {
        let longer = max(frame.width, frame.height)
        let kept = min(longer, max(1, side))
        let width = max(1, frame.width * kept / longer)
        let height = max(1, frame.height * kept / longer)
        let channels = frame.format.bytesPerPixel
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        let columns = (0..<width).map { $0 * frame.width / width..<($0 + 1) * frame.width / width }
        for y in 0..<height {
            let rows = y * frame.height / height..<(y + 1) * frame.height / height
            for column in columns {
                var sum = SIMD4<Int32>(repeating: 0)
                for row in rows {
                    for x in column {
                        let at = (row * frame.width + x) * channels
                        sum &+= SIMD4(
                            Int32(frame.pixels[at]), Int32(frame.pixels[at + (channels > 1 ? 1 : 0)]),
                            Int32(frame.pixels[at + channels - 1]), 1)
                    }
                }
                for channel in 0..<3 { pixels.append(UInt8(clamping: sum[channel] / max(1, sum[3]))) }
            }
        }
        self.init(subject: .view, width: width, height: height, pixels: pixels)
    }
}
