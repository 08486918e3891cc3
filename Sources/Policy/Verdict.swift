// SPDX-License-Identifier: Apache-2.0
// How an attempt ends. One closed list, from which the byte on the wire, the exit code, the record and the effect on the tally follow.

/// The outcome of an attempt, as the module learns it.
///
/// The raw value is the byte on the wire and the helper's exit code. None is 0 or 1, so that no ordinary end of a process looks like a
/// verdict.
public enum Outcome: UInt8, Sendable, Equatable, CaseIterable {
    /// Password right, live, same person: PAM_SUCCESS. ('A')
    case accepted = 0x41
    /// Judged and refused, or the wrong password: PAM_AUTH_ERR. ('R')
    case refused = 0x52
    /// Not judged: PAM_AUTHINFO_UNAVAIL. ('N')
    case notJudged = 0x4E
    /// Locked by earlier refusals: PAM_MAXTRIES. ('L')
    case locked = 0x4C
    /// No such user: PAM_USER_UNKNOWN. ('U')
    case unknownUser = 0x55
    /// Skipped by a setting that an administrator wrote down: PAM_IGNORE. ('I')
    case skipped = 0x49
    /// Anything unforeseen: PAM_SYSTEM_ERR. ('F')
    case fault = 0x46
}

/// What the record says of an outcome; the person at the camera sees a general sentence only.
public enum Reason: String, Sendable, Equatable, CaseIterable {
    /// Everything was right.
    case matched = "matched"
    /// A one-time recovery code was used in place of the camera.
    case recoveryCode = "recovery-code"

    // Judged and refused.
    case otherPerson = "other-person"
    case notLive = "not-live"
    case frozenFrames = "frozen-frames"
    case screen = "screen"
    case challengeFailed = "challenge-failed"
    case challengeTimeout = "challenge-timeout"
    case faceSwapped = "face-swapped"
    case notInInfrared = "not-in-infrared"
    case wrongPassword = "wrong-password"
    case wrongRecoveryCode = "wrong-recovery-code"
    case accountLocked = "account-locked"
    case accountEmpty = "account-empty-password"
    case accountExpired = "account-expired"

    // Not judged.
    case noFace = "no-face"
    case tooDark = "too-dark"
    case severalFaces = "several-faces"
    case noUsableFace = "no-usable-face"
    case cameraMissing = "camera-missing"
    case cameraBusy = "camera-busy"
    case cameraDenied = "camera-denied"
    case cameraVirtual = "camera-virtual"
    case cameraFailed = "camera-failed"
    case workerDied = "worker-died"
    case deadline = "deadline"
    case cancelled = "cancelled"

    // Decided before anyone looked.
    case locked = "locked"
    case disabled = "disabled"
    case unknownUser = "unknown-user"
    case notEnrolled = "not-enrolled"
    case remoteSession = "remote-session"

    // Faults.
    case badSettings = "bad-settings"
    case badStore = "bad-store"
    case badTemplate = "bad-template"
    case badModel = "bad-model"
    case badEvidence = "bad-evidence"
    case badRequest = "bad-request"
    case sandboxUnavailable = "sandbox-unavailable"
    case system = "system"
}

/// An outcome with its reason.
public struct Verdict: Sendable, Equatable {
    /// What the module is told.
    public let outcome: Outcome
    /// What the record says.
    public let reason: Reason

    /// A verdict.
    public init(_ outcome: Outcome, _ reason: Reason) {
        self.outcome = outcome
        self.reason = reason
    }
}
