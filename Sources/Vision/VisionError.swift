// SPDX-License-Identifier: Apache-2.0
// Every fault of the half that sees. A picture without a face is not among them: that is evidence.

/// What went wrong in Vision.
public enum VisionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The inference library cannot be opened; its place and the loader's words.
    case runtime(String, String)
    /// A model's file cannot be read; its role and why.
    case modelUnreadable(ModelRole, String)
    /// The library refuses a model's bytes; its role and the library's words.
    case modelRefused(ModelRole, String)
    /// The file is a network, but not the one its role needs; the role and what differs.
    case modelSwapped(ModelRole, String)
    /// A run failed; the role and the library's words.
    case inference(ModelRole, String)

    /// One line, without a full stop.
    public var description: String {
        switch self {
        case .runtime(let place, let words): "cannot open the inference library '\(place)': \(words)"
        case .modelUnreadable(let role, let words): "cannot read the model '\(role.rawValue)': \(words)"
        case .modelRefused(let role, let words): "the model '\(role.rawValue)' is not accepted: \(words)"
        case .modelSwapped(let role, let words): "the model '\(role.rawValue)' is another network: \(words)"
        case .inference(let role, let words): "the model '\(role.rawValue)' failed: \(words)"
        }
    }
}
