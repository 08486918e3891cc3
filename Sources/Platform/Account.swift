// SPDX-License-Identifier: Apache-2.0
// Looks accounts up as the name service of the machine knows them.

import CLinux

/// An account of the machine.
public struct Account: Equatable, Sendable {
    /// The name as the name service spells it.
    public let name: String
    /// The user's number.
    public let user: UInt32
    /// The number of the user's first group.
    public let group: UInt32
    /// The home folder.
    public let home: String

    /// An account made by hand, for tests.
    public init(name: String, user: UInt32, group: UInt32, home: String) {
        self.name = name
        self.user = user
        self.group = group
        self.home = home
    }

    /// The account of this name; nil when there is none, when the name cannot be one, or when the answer has another spelling.
    public static func find(name: String) throws(PlatformError) -> Account? {
        guard AccountName.isPlausible(name) else { return nil }
        let account = try unsafe look("find the user '\(name)'") { room, size, entry in
            // SAFETY: room and entry are lent by `look` for the call.
            unsafe clinux_find_user(name, room, size, entry)
        }
        // A name service that folds case or cuts realms must not make two names one account with two lockouts.
        return account.flatMap { AccountName.isSpelled(name, as: $0.name) ? $0 : nil }
    }

    /// The account of this number, or nil.
    public static func find(user: UInt32) throws(PlatformError) -> Account? {
        try unsafe look("find the user \(user)") { room, size, entry in
            // SAFETY: as above.
            unsafe clinux_find_user_by_id(user, room, size, entry)
        }
    }

    private static func look(
        _ action: String, _ call: (UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<clinux_user>) -> Int32
    ) throws(PlatformError) -> Account? {
        var size = 2048
        while true {
            var entry = unsafe clinux_user()
            var account: Account?
            let result = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { room in
                // SAFETY: the C side keeps within `size`, and the texts it points to lie in `room`, which is still lent here.
                let result = unsafe call(room.baseAddress, size, &entry)
                if result == 1 {
                    account = unsafe Account(
                        name: text(entry.name), user: entry.uid, group: entry.gid, home: text(entry.home))
                }
                return result
            }
            if result == -34, size < 1 << 20 {
                size *= 4
                continue
            }
            try check(result, action)
            return account
        }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        // SAFETY: a NUL-terminated text that the C library filled in.
        return unsafe String(cString: pointer)
    }
}
