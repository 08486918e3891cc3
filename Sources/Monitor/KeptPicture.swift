// SPDX-License-Identifier: Apache-2.0
// The picture of an enrolment that is to keep one: the aligned face of the first accepted view. Only in an enrolment that asked for it are pictures
// wanted from the worker at all, and all but the one are forgotten at once.

import Biometrics

/// Remembers the pictures of the newest frames until one of them is chosen.
struct KeptPicture {
    /// Frames whose pictures are remembered: as many as a pose is held, and some.
    private static let most = 32
    private var recent: [(frame: UInt32, crop: FaceCrop)] = []
    /// The one that is kept.
    private(set) var crop: FaceCrop?

    /// The picture that came with a frame.
    mutating func note(_ picture: SharedPicture?, frame: UInt32) {
        guard crop == nil, let picture, let crop = FaceCrop(picture.pixels) else { return }
        if recent.count >= KeptPicture.most { recent.removeFirst() }
        recent.append((frame, crop))
    }

    /// Keeps the picture of a frame, unless one is kept already.
    mutating func keep(frame: UInt32) {
        guard crop == nil, let found = recent.first(where: { $0.frame == frame }) else { return }
        crop = found.crop
        recent = []
    }
}
