// SPDX-License-Identifier: Apache-2.0
// The measurements there are.

/// The table of verbs.
enum Verbs {
    /// Name, options and code of each.
    static let all: [(name: String, usage: String, run: @Sendable (Arguments) throws -> Void)] = [
        ("verification", VerificationVerb.usage, { try VerificationVerb.run($0) }),
        ("calibrate", CalibrateVerb.usage, { try CalibrateVerb.run($0) }),
        ("liveness", LivenessVerb.usage, { try LivenessVerb.run($0) }),
        ("bench-stages", BenchStagesVerb.usage, { try BenchStagesVerb.run($0) }),
        ("bench-gallery", BenchGalleryVerb.usage, { try BenchGalleryVerb.run($0) }),
        ("bench-store", BenchStoreVerb.usage, { try BenchStoreVerb.run($0) }),
        ("depth", DepthVerb.usage, { try DepthVerb.run($0) }),
        ("appearance", AppearanceVerb.usage, { try AppearanceVerb.run($0) }),
        ("attempts", AttemptsVerb.usage, { try AttemptsVerb.run($0) }),
        ("simulate", SimulateVerb.usage, { try SimulateVerb.run($0) }),
    ]

    /// What the terminal shows on a wrong command line.
    static var usage: String {
        "usage:\n" + all.map { "  secondlook-evaluate \($0.name) \($0.usage)\n" }.joined()
            + "Models: --models DIR, or the environment's SECONDLOOK_MODELS.\n"
    }
}
