// SPDX-License-Identifier: Apache-2.0
// The control field of a PAM line: what is done with each answer of its module. It keeps its spelling, so that a number can be corrected
// and everything else stays as the administrator wrote it.

/// The answers a module can give, by the names that control fields use.
enum PAMResult: String, CaseIterable, Sendable {
    case success, ignore
    case openError = "open_err"
    case symbolError = "symbol_err"
    case serviceError = "service_err"
    case systemError = "system_err"
    case bufferError = "buf_err"
    case permissionDenied = "perm_denied"
    case authError = "auth_err"
    case credentialsInsufficient = "cred_insufficient"
    case authInfoUnavailable = "authinfo_unavail"
    case userUnknown = "user_unknown"
    case maxTries = "maxtries"
    case newTokenRequired = "new_authtok_reqd"
    case accountExpired = "acct_expired"
    case sessionError = "session_err"
    case credentialsUnavailable = "cred_unavail"
    case credentialsExpired = "cred_expired"
    case credentialsError = "cred_err"
    case noModuleData = "no_module_data"
    case conversationError = "conv_err"
    case tokenError = "authtok_err"
    case tokenRecoveryError = "authtok_recover_err"
    case tokenLockBusy = "authtok_lock_busy"
    case tokenDisableAging = "authtok_disable_aging"
    case tryAgain = "try_again"
    case abort
    case tokenExpired = "authtok_expired"
    case moduleUnknown = "module_unknown"
    case badItem = "bad_item"
    case conversationAgain = "conv_again"
    case incomplete
}

/// What a control field does with an answer.
enum PAMAction: Equatable, Sendable {
    case ok, done, bad, die, ignore, reset
    /// Skips so many lines.
    case jump(Int)
}

/// A control field.
struct PAMControl: Equatable, Sendable {
    /// As it stands in the file.
    let text: String
    /// Actions that are named; others have `fallback`.
    private let named: [PAMResult: PAMAction]
    private let fallback: PAMAction
    /// Where the numbers of jumps stand in `text`, as ranges of its UTF-8, in order.
    private let numbers: [Range<Int>]

    /// Reads a field; nil when libpam would not take it.
    init?(_ text: String) {
        self.text = text
        switch text.lowercased() {
        case "required":
            (named, fallback) = ([.success: .ok, .newTokenRequired: .ok, .ignore: .ignore], .bad)
        case "requisite":
            (named, fallback) = ([.success: .ok, .newTokenRequired: .ok, .ignore: .ignore], .die)
        case "sufficient": (named, fallback) = ([.success: .done, .newTokenRequired: .done], .ignore)
        case "optional": (named, fallback) = ([.success: .ok, .newTokenRequired: .ok], .ignore)
        default:
            guard let pairs = PAMControl.pairs(Array(text.utf8)) else { return nil }
            var found: [PAMResult: PAMAction] = [:]
            var rest = PAMAction.bad
            for pair in pairs {
                if pair.name == "default" {
                    rest = pair.action
                } else if let result = PAMResult(rawValue: pair.name) {
                    found[result] = pair.action
                } else {
                    return nil
                }
            }
            (named, fallback) = (found, rest)
            numbers = pairs.compactMap(\.number)
            return
        }
        numbers = []
    }

    /// What is done with an answer.
    func action(for result: PAMResult) -> PAMAction { named[result] ?? fallback }

    /// The numbers of all jumps.
    var jumps: [Int] {
        let bytes = Array(text.utf8)
        return numbers.compactMap { Int(String(decoding: bytes[$0], as: UTF8.self)) }
    }

    /// The same field with every jump's number put through `change`.
    func changingJumps(_ change: (Int) -> Int) -> PAMControl {
        var bytes = Array(text.utf8)
        for range in numbers.reversed() {
            guard let old = Int(String(decoding: bytes[range], as: UTF8.self)), change(old) != old else { continue }
            bytes.replaceSubrange(range, with: Array(String(change(old)).utf8))
        }
        return PAMControl(String(decoding: bytes, as: UTF8.self)) ?? self
    }

    private struct Pair {
        var name: String
        var action: PAMAction
        var number: Range<Int>?
    }

    /// The `name=action` pairs of a field in brackets.
    private static func pairs(_ bytes: [UInt8]) -> [Pair]? {
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"), bytes.count > 2 else { return nil }
        let end = bytes.count - 1
        var at = 1
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == 10 }
        func word() -> Range<Int> {
            while at < end, isBlank(bytes[at]) { at += 1 }
            let begin = at
            while at < end, !isBlank(bytes[at]), bytes[at] != UInt8(ascii: "=") { at += 1 }
            return begin..<at
        }
        var found: [Pair] = []
        while true {
            let name = word()
            if name.isEmpty { return at == end && !found.isEmpty ? found : nil }
            while at < end, isBlank(bytes[at]) { at += 1 }
            guard at < end, bytes[at] == UInt8(ascii: "=") else { return nil }
            at += 1
            let value = word()
            guard let action = action(String(decoding: bytes[value], as: UTF8.self)) else { return nil }
            var number: Range<Int>?
            if case .jump = action { number = value }
            found.append(Pair(name: String(decoding: bytes[name], as: UTF8.self), action: action, number: number))
        }
    }

    private static func action(_ word: String) -> PAMAction? {
        switch word {
        case "ok": return .ok
        case "done": return .done
        case "bad": return .bad
        case "die": return .die
        case "ignore": return .ignore
        case "reset": return .reset
        default:
            guard let number = Int(word), word.allSatisfy(\.isNumber), (1...1000).contains(number) else { return nil }
            return .jump(number)
        }
    }
}
