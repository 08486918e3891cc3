// SPDX-License-Identifier: Apache-2.0
// A camera's first frames say nothing of the scene: they are black, then the exposure is hunted for. And an infrared camera's lamp often shines in
// every second frame only. Such frames are kept from the judge, who would call the scene dark (failure cases 3 and 4). A scene that
// really is dark is dark for longer than any warm-up, and is told then.

public import Biometrics

/// Decides which frames of one camera are worth looking at.
public struct WarmUp: Sendable {
    /// Longest warm-up after the first frame, in milliseconds.
    static let longest: UInt64 = 2_000
    /// Mean luminance below which a frame of the warm-up is black.
    static let black = 16
    /// A frame whose mean differs by more than this part from the one before belongs to the hunt for the exposure.
    static let settledChange = 0.15
    /// A lit frame of a strobed camera is at least so many times as bright as the dark one beside it.
    static let strobe = 1.6

    private let role: CameraRole
    private var began: UInt64?
    private var isSettled = false
    private var before: Int?

    /// The filter of a camera of this kind.
    public init(role: CameraRole) { self.role = role }

    /// Whether the next frame of the camera is to be looked at.
    public mutating func admits(_ frame: Frame) -> Bool {
        let mean = WarmUp.mean(of: frame)
        defer { before = mean }
        let began = self.began ?? frame.timestamp
        self.began = began
        if !isSettled, frame.timestamp >= began, frame.timestamp - began < WarmUp.longest {
            guard mean >= WarmUp.black else { return false }
            // The first lit frame counts unless black ones went before it: then the exposure is still on its way.
            if let before {
                let change = Double(abs(mean - before)) / Double(max(1, mean))
                guard change <= WarmUp.settledChange else { return false }
            }
        }
        isSettled = true
        guard role == .infrared, let before else { return true }
        return Double(before) < WarmUp.strobe * Double(max(1, mean))
    }

    /// Mean luminance of a sample of the pixels (green stands for luminance in colour), 0 to 255.
    static func mean(of frame: Frame) -> Int {
        let step = frame.format.bytesPerPixel * 7
        let first = frame.format == .rgb ? 1 : 0
        var sum = 0
        var count = 0
        for i in stride(from: first, to: frame.pixels.count, by: step) {
            sum += Int(frame.pixels[i])
            count += 1
        }
        return sum / max(1, count)
    }
}
