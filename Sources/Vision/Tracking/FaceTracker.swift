// SPDX-License-Identifier: Apache-2.0
// Numbers for faces: the same number only while nothing speaks against it being the same face. Everything that is judged later hangs on
// this, so a doubt ends a track; a number is never given twice.

import Biometrics

/// Follows boxes from frame to frame.
struct FaceTracker {
    /// Least overlap of a box with the same face's last one; faces at arm's length keep above 0.6 even when they move fast.
    static let leastOverlap: Float = 0.3
    /// Most growth or shrinking of the area between two sights.
    static let mostGrowth: Float = 2
    /// A face that is not seen for longer than this is another one when it comes back, in milliseconds.
    ///
    /// Detectors miss single frames.
    static let longestGap: UInt64 = 300

    private struct Track {
        var number: UInt32
        var box: Box
        var seen: UInt64
    }

    private var tracks: [Track] = []
    private(set) var next: UInt32

    /// Numbers begin at `first`.
    init(first: UInt32 = 1) { next = first }

    /// The numbers of the boxes seen at `time`, in their order.
    ///
    /// Each track goes to the one box that overlaps it most.
    mutating func follow(_ boxes: [Box], at time: UInt64) -> [UInt32] {
        tracks.removeAll { time < $0.seen || time - $0.seen > FaceTracker.longestGap }
        var pairs: [(overlap: Float, track: Int, box: Int)] = []
        for (t, track) in tracks.enumerated() {
            for (b, box) in boxes.enumerated() {
                let overlap = track.box.overlap(with: box)
                let growth = (box.width * box.height) / (track.box.width * track.box.height)
                guard overlap >= FaceTracker.leastOverlap, growth <= FaceTracker.mostGrowth,
                    growth >= 1 / FaceTracker.mostGrowth
                else { continue }
                pairs.append((overlap, t, b))
            }
        }
        var numbers = [UInt32?](repeating: nil, count: boxes.count)
        var taken = Set<Int>()
        for pair in pairs.sorted(by: { $0.overlap > $1.overlap }) where numbers[pair.box] == nil {
            guard taken.insert(pair.track).inserted else { continue }
            numbers[pair.box] = tracks[pair.track].number
            tracks[pair.track].box = boxes[pair.box]
            tracks[pair.track].seen = time
        }
        return zip(boxes, numbers).map { box, number in
            if let number { return number }
            tracks.append(Track(number: next, box: box, seen: time))
            // 2^32 faces do not come by in a session; should they, the session ends here rather than a number coming twice.
            next += 1
            return tracks[tracks.count - 1].number
        }
    }
}
