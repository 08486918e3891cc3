// SPDX-License-Identifier: Apache-2.0
// How long a face has to be seen before nobody needs to be asked. The worker compares when that time is over, and the judge rules at a
// comparison: were the two times chosen apart, one of them could just miss the other and the person would wait for the next.

/// The stretch of frames that a verdict without a question rests on.
public enum EvidenceSpan {
    /// Milliseconds from the first to the last of its frames, by the camera's clock; docs/accuracy.md has the measurement.
    public static let frames: UInt64 = 390
}
