// SPDX-License-Identifier: Apache-2.0
// Who is enrolled, as the judge needs it. The judge compares against one normalised mean of all samples: measured, that rule beats the
// best of k, and it leaves one comparison an attempt, so that the false-match rate is that of the table.

public import Biometrics

/// One enrolment of a user: several samples taken together under a label.
public struct Template: Sendable, Equatable {
    /// What the user calls it ("default", "glasses").
    public var label: String
    /// The samples, at least one.
    public var embeddings: [Embedding]
    /// SHA-256 of the recogniser's file, lower-case hex: samples of another recogniser compare with nothing.
    public var model: String

    /// A template.
    public init(label: String, embeddings: [Embedding], model: String) {
        self.label = label
        self.embeddings = embeddings
        self.model = model
    }
}

/// A user with everything that is enrolled.
public struct EnrolledUser: Sendable, Equatable {
    /// The user's name.
    public var name: String
    /// What is enrolled.
    public var templates: [Template]

    /// A user.
    public init(name: String, templates: [Template]) {
        self.name = name
        self.templates = templates
    }

    /// The one embedding attempts are compared with: the normalised mean of all samples made by the recogniser `model`.
    ///
    /// Nil when there is none. (Failure case 20: a sample of another model is never compared.)
    public func reference(model: String) -> Embedding? {
        Embedding.mean(of: templates.filter { $0.model == model }.flatMap(\.embeddings))
    }
}
