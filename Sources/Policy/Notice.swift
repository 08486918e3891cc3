// SPDX-License-Identifier: Apache-2.0
// What the person at the camera may be told. A closed catalogue of plain sentences that a screen reader can read; none tells which factor
// failed or how near a face came.

/// A text for the person.
public enum Notice: String, Sendable, Equatable, CaseIterable {
    // While looking.
    case lookAtCamera = "look-at-camera"
    case waitForCamera = "wait-for-camera"
    case moreLight = "more-light"
    case lessLight = "less-light"
    case moveCloser = "move-closer"
    case moveIntoView = "move-into-view"
    case onePersonOnly = "one-person-only"
    case lookStraight = "look-straight"
    case holdStill = "hold-still"

    // A challenge.
    case turnLeft = "turn-left"
    case turnRight = "turn-right"
    case turnFurther = "turn-further"
    case backToCentre = "back-to-centre"
    case startAgain = "start-again"

    // The end.
    case refused = "refused"
    case couldNotLook = "could-not-look"
    case locked = "locked"
    case disabled = "disabled"
    case fault = "fault"
}

/// The catalogue.
public enum Texts {
    /// The sentence for a notice.
    public static func text(_ notice: Notice) -> String {
        switch notice {
        case .lookAtCamera: "Look at the camera."
        case .waitForCamera: "Another login is using the camera. Please wait."
        case .moreLight: "It is too dark. Turn on a light or face the window."
        case .lessLight: "It is too bright. Turn away from the light."
        case .moveCloser: "Come a little closer."
        case .moveIntoView: "Move into the middle of the picture."
        case .onePersonOnly: "Only one person may be in view."
        case .lookStraight: "Look straight at the camera."
        case .holdStill: "Hold still for a moment."
        case .turnLeft: "Turn your head to your left, then back."
        case .turnRight: "Turn your head to your right, then back."
        case .turnFurther: "Turn a little further."
        case .backToCentre: "Good. Look straight at the camera again."
        case .startAgain: "The face was lost. Once more from the beginning."
        case .refused: "Not recognised."
        case .couldNotLook: "The camera could not see you."
        case .locked: "Too many attempts. Wait a while before the next."
        case .disabled: "Too many attempts. An administrator has to unlock you."
        case .fault: "Second Look is not working. Ask an administrator."
        }
    }

    /// The sentence with which an attempt ends; empty for success.
    public static func text(_ verdict: Verdict) -> String {
        switch verdict.outcome {
        case .accepted, .skipped: ""
        case .refused, .unknownUser: text(.refused)
        case .notJudged: unjudged(verdict.reason)
        case .locked: text(verdict.reason == .disabled ? .disabled : .locked)
        case .fault: text(.fault)
        }
    }

    /// Asks for a one-time code in place of a camera that failed.
    public static let recoveryCode = "The camera failed. Recovery code: "

    private static func unjudged(_ reason: Reason) -> String {
        switch reason {
        case .tooDark: text(.moreLight)
        case .severalFaces: text(.onePersonOnly)
        case .notEnrolled: "No face is enrolled for you. An administrator has to enrol you."
        case .cameraMissing: "No camera was found. It has to be plugged in."
        case .cameraDenied, .cameraVirtual, .cameraFailed: "The camera cannot be used. The system's log says why."
        case .cameraBusy: "The camera is in use by another program."
        case .remoteSession: "The camera is used for logins at this computer only."
        default: text(.couldNotLook)
        }
    }
}
