// SPDX-License-Identifier: Apache-2.0
// Everything that can go wrong between a descriptor and a decoded frame. The kinds are those that the worker reports, so that "in use"
// is never shown as "broken".

/// Why no frame came out of a camera or a picture.
public enum CaptureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another program has the camera.
    case busy
    /// The camera was unplugged.
    case gone
    /// It is not a camera, or offers nothing that can be decoded; the text names what it offers.
    case noFormat(String)
    /// Nothing came before the deadline; the text says what was waited for.
    case timedOut(String)
    /// A request failed with an error number, or the driver contradicts itself.
    case failed(String, errno: Int32)
    /// The bytes are not a picture, or a damaged one.
    case unreadable(String)
    /// A side beyond `Frame.largestSide`, or zero.
    case tooLarge(width: Int, height: Int)

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .busy: "camera in use by another program"
        case .gone: "camera unplugged"
        case .noFormat(let offered): "camera offers no format that can be decoded: \(offered)"
        case .timedOut(let wanted): "camera did not deliver in time: \(wanted)"
        case .failed(let what, let number):
            number == 0 ? "camera fault: \(what)" : "camera fault: \(what): error \(number)"
        case .unreadable(let why): "unreadable picture: \(why)"
        case .tooLarge(let width, let height): "picture of \(width)x\(height) is beyond 1 to 4096 pixels a side"
        }
    }
}
