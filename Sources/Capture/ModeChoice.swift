// SPDX-License-Identifier: Apache-2.0
// Which of a camera's modes is used. A face needs some 640 pixels across the picture; more only costs time. A size with other proportions than
// the sensor's may be a stretched one (failure case 9), so the proportions of the largest size are kept where that is possible.

import Biometrics

/// A format and size to ask the driver for.
public struct CameraMode: Sendable, Equatable {
    /// The pixel format.
    public var format: PixelFormat
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// A mode.
    public init(format: PixelFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }
}

/// The choice among what a camera offers.
public enum ModeChoice {
    /// The least width that shows a face well, in pixels.
    public static let goodWidth = 640
    /// The least height, so that very wide modes do not cut the face.
    public static let goodHeight = 360
    /// Tenths of frames a second that suffice for motion cues.
    public static let goodRate = 250

    /// A size with the rate it reaches (tenths, 0 unknown).
    public struct Candidate: Sendable, Equatable {
        /// Width in pixels.
        public var width: Int
        /// Height in pixels.
        public var height: Int
        /// Tenths of frames a second, 0 when unknown.
        public var rate: Int

        /// A size and its rate.
        public init(_ width: Int, _ height: Int, rate: Int = 0) {
            self.width = width
            self.height = height
            self.rate = rate
        }
    }

    /// Single sizes out of what is offered; of a range those that are wanted and its ends.
    ///
    /// Sizes beyond `Frame.largestSide` are left out.
    public static func sizes(in offers: [OfferedSize]) -> [Candidate] {
        var found: [Candidate] = []
        for offer in offers {
            for (width, height) in [(640, 480), (640, 360), (1280, 720)] {
                let fits =
                    offer.width.contains(width) && offer.height.contains(height)
                    && (width - offer.width.lowerBound) % offer.widthStep == 0
                    && (height - offer.height.lowerBound) % offer.heightStep == 0
                if fits { found.append(Candidate(width, height)) }
            }
            for end in [
                Candidate(offer.width.lowerBound, offer.height.lowerBound),
                Candidate(offer.width.upperBound, offer.height.upperBound),
            ] where !found.contains(end) { found.append(end) }
        }
        let sides = 1...Frame.largestSide
        return found.filter { sides.contains($0.width) && sides.contains($0.height) }
    }

    /// The best of the sizes: large enough, fast enough, the sensor's proportions, then the smallest; if none is large enough, the largest.
    public static func best(of candidates: [Candidate]) -> Candidate? {
        guard let largest = candidates.max(by: { $0.width * $0.height < $1.width * $1.height }) else { return nil }
        func keepsProportions(_ size: Candidate) -> Bool {
            let difference = abs(size.width * largest.height - size.height * largest.width)
            return difference * 50 <= size.height * largest.width
        }
        func rank(_ size: Candidate) -> [Int] {
            let isLarge = size.width >= goodWidth && size.height >= goodHeight
            let isFast = size.rate == 0 || size.rate >= goodRate
            let area = size.width * size.height
            return [isLarge ? 0 : 1, isFast ? 0 : 1, keepsProportions(size) ? 0 : 1, isLarge ? area : -area]
        }
        return candidates.min { rank($0).lexicographicallyPrecedes(rank($1)) }
    }
}
