// SPDX-License-Identifier: Apache-2.0
// When to run the recogniser: it takes ten times as long as all the rest of a frame together, and a login needs few views of a face.

import Biometrics

/// Which faces of a frame are embedded.
public enum EmbeddingChoice: Sendable, Equatable {
    /// None.
    case none
    /// Good views of each followed face, as many as a login needs.
    case sparing
    /// Every face that can be aligned, as for measuring and enrolment.
    case every
}

/// Remembers what was embedded of each track.
///
/// A face that no longer looks like the one compared is compared at once, so that nobody else's life is taken for the person's between two comparisons.
/// A picture made to look the same by these coarse measures is not told (docs/threat-model.md).
struct EmbeddingPlan {
    /// From the first view of a track to the one that comes when the judge may have seen enough, in milliseconds.
    static let decisive: UInt64 = EvidenceSpan.frames
    /// Afterwards from one to the next.
    static let interval: UInt64 = 250

    private struct View {
        let appearance: Appearance
        let first: UInt64
        let at: UInt64

        /// When the next one comes if nothing changes.
        var next: UInt64 {
            let decisive = first + EmbeddingPlan.decisive
            return at < decisive ? decisive : at + EmbeddingPlan.interval
        }
    }

    private var compared: [UInt32: View] = [:]

    /// Whether to embed a face of this appearance now; remembers it when so.
    mutating func wants(_ track: UInt32, _ appearance: Appearance, at time: UInt64) -> Bool {
        // A clock that was set back begins anew.
        let latest = compared[track].flatMap { $0.at <= time ? $0 : nil }
        if let latest, time < latest.next, appearance.resembles(latest.appearance) { return false }
        // Tracks that are long gone are forgotten all at once; a login meets few.
        if compared.count >= 64 { compared.removeAll() }
        compared[track] = View(appearance: appearance, first: latest?.first ?? time, at: time)
        return true
    }
}
