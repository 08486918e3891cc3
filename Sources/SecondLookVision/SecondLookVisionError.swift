// SPDX-License-Identifier: Apache-2.0
// Everything that can go wrong in this library. A picture without a face is no error: that is an empty list.

/// A fault of SecondLookVision.
public enum SecondLookVisionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The picture cannot be taken: its sides, its length or its bytes.
    case picture(String)
    /// A model or the inference library is missing or not the one that is needed.
    case models(String)
    /// A network failed while it ran.
    case inference(String)
    /// The numbers are no template.
    case template(String)

    /// One line, without a full stop.
    public var description: String {
        switch self {
        case .picture(let words), .models(let words), .inference(let words), .template(let words): words
        }
    }
}
