// SPDX-License-Identifier: Apache-2.0
// Which of the helper's troubles an error is.

import Capture
import Platform
import Wire

/// Errors as troubles.
enum Trouble {
    /// The kind, and one line that fits the message.
    static func describe(_ error: any Error) -> (TroubleKind, String) {
        switch error {
        case let error as CaptureError: (kind(of: error), line(error.description))
        case let error as PictureError: (kind(of: error), line(error.description))
        case PlatformError.tooLarge: (.pictureTooLarge, line("\(error)"))
        default: (.failed, line("\(error)"))
        }
    }

    private static func kind(of error: CaptureError) -> TroubleKind {
        switch error {
        case .busy: .busy
        case .gone: .gone
        case .noFormat: .noFormat
        case .timedOut: .timedOut
        case .failed, .unreadable: .failed
        case .tooLarge: .pictureTooLarge
        }
    }

    private static func kind(of error: PictureError) -> TroubleKind {
        switch error {
        case .tooLarge: .pictureTooLarge
        case .empty, .unknownKind, .damaged, .unsupported, .outOfMemory: .pictureUnreadable
        }
    }

    /// Cut to the message's 512 bytes at a character's border, without NULs.
    static func line(_ text: String) -> String {
        var result = ""
        for character in text where character != "\0" {
            guard result.utf8.count + character.utf8.count <= 512 else { break }
            result.append(character)
        }
        return result
    }
}
