// SPDX-License-Identifier: Apache-2.0
// What a face's aligned picture shows of light and focus, for callers that look at single pictures and need no session.

public import Biometrics

/// Light and focus of a face, by the measures that a login's evidence has.
public struct FaceMeasures: Sendable, Equatable {
    /// Mean luminance, 0 to 255.
    public let brightness: Float
    /// Standard deviation of the luminance, 0 to 128.
    public let contrast: Float
    /// Variance of the Laplacian of the 112x112 grey face; below about 20 is blurred.
    public let sharpness: Float

    /// Measures a face; nil when its landmarks coincide.
    public init?(_ frame: Frame, _ landmarks: Landmarks) {
        guard let grey = Aligner.align(frame, landmarks)?.luminance else { return nil }
        (brightness, contrast) = grey.spread()
        sharpness = grey.sharpness()
    }
}
