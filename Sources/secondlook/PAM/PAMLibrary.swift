// SPDX-License-Identifier: Apache-2.0
// libpam as the command uses it: in a child process, with a password that is nobody's or a person at the terminal.

import CPam

/// What libpam says to one attempt.
struct PAMAnswer: Equatable, Sendable {
    /// Its code; 0 is success.
    let code: Int32
    /// Its words.
    let text: String

    /// Codes that stand for "no" and not for a fault: the module was reached and it judged.
    var isRefusal: Bool { PAMAnswer.refusals.contains(code) }

    // PAM_PERM_DENIED, AUTH_ERR, CRED_INSUFFICIENT, AUTHINFO_UNAVAIL, USER_UNKNOWN, MAXTRIES, NEW_AUTHTOK_REQD, ACCT_EXPIRED.
    private static let refusals: Set<Int32> = [6, 7, 8, 9, 10, 11, 12, 13]
}

/// libpam; tests put another in its place.
protocol PAMLibrary: Sendable {
    /// The folder in which libpam looks for modules without a path.
    var moduleFolder: String? { get }
    /// Why a module cannot be loaded; nil when it can.
    func problem(ofModule path: String) -> String?
    /// One attempt with the files of `folder` (nil: the machine's); `password` nil asks the person at the terminal.
    ///
    /// Nil when there was no answer: a module hung or ended its process.
    func authenticate(service: String, user: String, folder: String?, password: String?, seconds: Int32) -> PAMAnswer?
}

/// The machine's libpam.
struct SystemPAM: PAMLibrary {
    var moduleFolder: String? {
        let path = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
            unsafe room.initialize(repeating: 0)
            // SAFETY: the C side writes at most `count` bytes and ends them with a NUL.
            let length = unsafe cpam_find_module_folder(room.baseAddress, room.count)
            return unsafe String(
                decoding: room.prefix(Int(max(0, length))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return path.isEmpty ? nil : path
    }

    func problem(ofModule path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { room in
            unsafe room.initialize(repeating: 0)
            // SAFETY: a text and room lent for the call; the C side ends what it writes with a NUL.
            let result = unsafe cpam_load_module(path, room.baseAddress, room.count)
            let text = unsafe String(
                decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return result == 0 ? nil : text.isEmpty ? "it cannot be loaded" : text
        }
    }

    func authenticate(
        service: String, user: String, folder: String?, password: String?, seconds: Int32
    ) -> PAMAnswer? {
        var code: Int32 = 0
        let result = unsafe withOptional(folder) { folder in
            unsafe withOptional(password) { password in
                unsafe service.withCString { service in
                    unsafe user.withCString { user in
                        // SAFETY: every text is lent for the call, which waits for the child that copied them.
                        var trial = unsafe cpam_trial(
                            service: service, user: user, folder: folder, password: password, seconds: seconds)
                        return unsafe cpam_try(&trial, &code)
                    }
                }
            }
        }
        guard result == 0 else { return nil }
        // SAFETY: a constant text of libpam.
        return PAMAnswer(code: code, text: unsafe String(cString: cpam_describe(code)).lowercased())
    }

    private func withOptional<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return unsafe text.withCString { unsafe body($0) }
    }
}
