// SPDX-License-Identifier: Apache-2.0
// What a camera node is, found out without decoding a pixel: the helper chooses and opens the camera with this, the worker sees through it. Numbers
// like /dev/video0 change from boot to boot, so a camera is known by where it is plugged in and what it says it is.

/// A Video4Linux node and what is known of it.
public struct CameraNode: Equatable, Sendable {
    /// Why a node cannot be used.
    public enum Problem: Equatable, Sendable {
        /// Metadata, codec, output or radio node; not something that takes pictures.
        case notCamera
        /// A program feeds it.
        case virtual
        /// Opening it was denied.
        case denied
        /// Another program has it.
        case busy
        /// It vanished, or any other fault, with its words.
        case failed(String)
        /// It offers no pixel format at all.
        case noFormat

        /// A few words.
        public var description: String {
            switch self {
            case .notCamera: "not a camera"
            case .virtual: "a virtual camera, and allow_virtual_cameras is no"
            case .denied: "permission denied"
            case .busy: "in use by another program"
            case .failed(let words): words
            case .noFormat: "offers no pixel format"
            }
        }
    }

    /// The device node, for instance "/dev/video0"; it may be another after the next boot.
    public var path: String
    /// The device number.
    public var number: UInt64
    /// What it calls itself: "Integrated Camera".
    public var card: String
    /// The kernel's driver: "uvcvideo".
    public var driver: String
    /// Where it is plugged in: "usb-0000:00:14.0-3".
    public var bus: String
    /// USB vendor, four hexadecimal digits, or empty.
    public var vendor: String
    /// USB product, four hexadecimal digits, or empty.
    public var product: String
    /// Serial number, often empty.
    public var serial: String
    /// Which of the device's functions and nodes it is: "0.0"; the infrared half of a camera has another.
    public var function: String
    /// Four-character codes of the formats, in the driver's order.
    public var formats: [String]
    /// Fed by a program instead of a sensor.
    public var isVirtual: Bool
    /// Why it is not a usable camera, whatever the settings are; nil when it is one.
    public var problem: Problem?

    /// What the settings say of its kind; nil leaves it to the formats.
    public var declaredInfrared: Bool?

    /// The settings say so, or it offers luminance only.
    public var isInfrared: Bool {
        if let declaredInfrared { return declaredInfrared }
        return !formats.isEmpty && formats.allSatisfy(FourCharacters.monochrome.contains)
    }

    /// The name by which the settings call it; stable over boots while it stays in its socket.
    public var name: String {
        [bus, vendor.isEmpty ? "-" : "\(vendor):\(product)", serial.isEmpty ? "-" : serial, function]
            .joined(separator: "/")
    }

    /// Whether the settings mean this node: by its whole `name`, by "vendor:product", or by "vendor:product/serial".
    ///
    /// The short forms hold wherever it is plugged in.
    public func answers(to wanted: String) -> Bool {
        if wanted == name { return true }
        guard !vendor.isEmpty else { return false }
        let kind = "\(vendor):\(product)"
        return wanted == kind || (!serial.isEmpty && wanted == "\(kind)/\(serial)")
    }

    /// What stands against using it.
    public func obstacle(allowVirtual: Bool) -> Problem? {
        problem ?? (isVirtual && !allowVirtual ? .virtual : nil)
    }
}

/// Why no camera was chosen.
public enum CameraChoiceError: Error, Equatable, CustomStringConvertible, Sendable {
    /// There is no camera at all, or none of that name.
    case missing(String)
    /// The only one (or the one named) cannot be used.
    case unusable(String, CameraNode.Problem)

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .missing(let name): name == "auto" ? "no camera found" : "no camera '\(name)' found"
        case .unusable(let name, let problem): "camera '\(name)' cannot be used: \(problem.description)"
        }
    }
}
