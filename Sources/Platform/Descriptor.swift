// SPDX-License-Identifier: Apache-2.0
// A file descriptor with one owner. It is closed when its owner ends, once, and never used after that.

import CLinux

/// An open file descriptor that this value owns.
public struct Descriptor: ~Copyable, Sendable {
    /// The number, for calls that borrow it; it must not be closed by the borrower.
    public let raw: Int32

    /// Takes over an open descriptor; the number must not be negative.
    public init(owning raw: Int32) {
        precondition(raw >= 0)
        self.raw = raw
    }

    deinit { _ = clinux_close(raw) }

    /// Gives the number away; whoever takes it has to close it.
    public consuming func take() -> Int32 {
        let number = raw
        discard self
        return number
    }

    /// A second descriptor of the same open file, close-on-exec.
    public func duplicate() throws(PlatformError) -> Descriptor {
        Descriptor(owning: try check(clinux_duplicate(raw), "duplicate a descriptor"))
    }

    /// Whether a person sits at the other end.
    public var isTerminal: Bool { clinux_is_terminal(raw) == 1 }

    /// What the kernel says of the open file.
    public func status() throws(PlatformError) -> FileStatus {
        var status = clinux_status()
        // SAFETY: the C side fills the structure it is lent for the call.
        try check(unsafe clinux_find_status(raw, &status), "inspect a file")
        return FileStatus(status)
    }
}

/// Kind, owner, permission bits and size of a file.
public struct FileStatus: Equatable, Sendable {
    /// What a name stands for.
    public enum Kind: Sendable {
        /// A regular file.
        case file
        /// A folder.
        case folder
        /// A character device, a camera for instance.
        case device
        /// A symbolic link.
        case link
        /// A local socket.
        case socket
        /// Anything else.
        case other
    }

    /// What it is.
    public let kind: Kind
    /// The owner's number.
    public let owner: UInt32
    /// The group's number.
    public let group: UInt32
    /// Permission, set-id and sticky bits, 0 to 0o7777.
    public let mode: UInt32
    /// Bytes of content.
    public let size: UInt64
    /// Device and inode: the same pair is the same file.
    public let identity: [UInt64]
    /// The device number a device node stands for, else 0.
    public let node: UInt64
    /// Device, inode, size, time of the last write and of the last change of anything.
    ///
    /// While it stays the same, nobody has written to the file through the file system.
    public let fingerprint: String

    init(_ status: clinux_status) {
        kind =
            switch UInt8(bitPattern: status.kind) {
            case UInt8(ascii: "f"): .file
            case UInt8(ascii: "d"): .folder
            case UInt8(ascii: "c"): .device
            case UInt8(ascii: "l"): .link
            case UInt8(ascii: "s"): .socket
            default: .other
            }
        owner = status.uid
        group = status.gid
        mode = status.mode
        size = status.size
        identity = [status.device, status.inode]
        node = status.node
        fingerprint = "\(status.device):\(status.inode):\(status.size):\(status.modified):\(status.changed)"
    }
}
