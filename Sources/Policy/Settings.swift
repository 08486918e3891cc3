// SPDX-License-Identifier: Apache-2.0
// What an administrator may choose, as values. Where the file lies and who may write it is checked elsewhere; this never touches a file.

/// How sure the comparison of faces must be.
public enum MatchLevel: Sendable, Equatable {
    /// One false match in 10,000 attempts.
    case balanced
    /// One in 100,000; the default.
    case strict
    /// One in 1,000,000.
    case paranoid
    /// A cosine written down by hand.
    case cosine(Float)
}

/// How liveness is proven.
public enum LivenessMode: String, Sendable, Equatable, CaseIterable {
    /// The passive network where it suffices, else a challenge.
    case auto
    /// Never ask; needs the passive network.
    case passive
    /// Always ask.
    case challenge
}

/// What happens where the factor cannot apply.
public enum RefuseOrSkip: String, Sendable, Equatable, CaseIterable {
    /// The login is refused.
    case refuse
    /// PAM is told to go on without this factor.
    case skip
}

/// Who counts wrong passwords.
public enum PasswordLockout: String, Sendable, Equatable, CaseIterable {
    /// This factor, for the timed lock only.
    case own
    /// Another module (pam_faillock).
    case faillock
}

/// Whether the worker may run with a wall missing.
public enum SandboxRule: String, Sendable, Equatable, CaseIterable {
    /// Every wall the design names must stand.
    case require
    /// Go on with those the kernel has.
    case bestEffort = "best-effort"
}

/// The settings in force for one service.
///
/// All times are milliseconds.
public struct Settings: Sendable, Equatable {
    /// A longer file is refused unread.
    public static let longestFile = 65_536

    /// How sure the comparison must be.
    public var match = MatchLevel.strict
    /// How liveness is proven.
    public var liveness = LivenessMode.auto
    /// `auto`, or the stable name of a camera.
    public var camera = "auto"
    /// `off`, or the stable name of the infrared camera that looks beside `camera`.
    public var infrared = "off"
    /// Whether an infrared camera has to see the face as well.
    public var hasInfrared: Bool { infrared != "off" }
    /// Degrees clockwise by which frames are turned before anything looks at them: 0, 90, 180 or 270.
    public var rotation: UInt64 = 0
    /// Whether a virtual camera may be used.
    public var allowVirtualCameras = false
    /// What happens to a user without templates.
    public var notEnrolled = RefuseOrSkip.refuse
    /// What happens in a remote session.
    public var remote = RefuseOrSkip.refuse
    /// From the right password to the end of the attempt.
    public var timeout: UInt64 = 20_000
    /// From opening the camera to its first frame.
    public var cameraTimeout: UInt64 = 4_000
    /// After this a picture that stayed dark is "too dark".
    public var darkTimeout: UInt64 = 5_000
    /// After this a picture without a face is "no face".
    public var noFaceTimeout: UInt64 = 7_000
    /// After this a face that stayed unusable or doubtful ends the attempt.
    public var usableTimeout: UInt64 = 9_000
    /// From the first prompt of a challenge to its end.
    public var challengeTimeout: UInt64 = 10_000
    /// How long the person is watched before a challenge is asked.
    public var challengeAfter: UInt64 = 1_000
    /// Judged misses in a row before the timed lock, 1 to 5.
    public var lockoutMisses: UInt64 = 5
    /// The first timed lock.
    public var lockoutTime: UInt64 = 30_000
    /// The longest timed lock.
    public var lockoutMax: UInt64 = 900_000
    /// Judged misses, without a success between, before the factor is disabled until an administrator acts.
    public var lockoutTotal: UInt64 = 50
    /// Who counts wrong passwords.
    public var passwordLockout = PasswordLockout.own
    /// Whether the worker may run with a wall missing.
    public var sandbox = SandboxRule.require
    /// The password prompt; empty is the module's own.
    public var promptText = ""
    /// Whether a recovery code may stand in for a camera that failed.
    public var recovery = true

    /// Everything at its default.
    public init() {}
}
