// SPDX-License-Identifier: Apache-2.0
// Finds, chooses and opens cameras. A node is believed for what the kernel says of it (sysfs, QUERYCAP), never for its name, and what was opened is
// checked to be the node that was chosen.

import CLinux

/// The cameras of the machine.
public struct CameraNodes: Sendable {
    /// What a node says of itself.
    public struct Answer: Equatable, Sendable {
        /// The kernel's driver.
        public var driver: String
        /// What it calls itself.
        public var card: String
        /// Where it is plugged in.
        public var bus: String
        /// It takes pictures and streams them through mapped buffers.
        public var isCamera: Bool
        /// Four-character codes.
        public var formats: [String]

        /// An answer.
        public init(driver: String, card: String, bus: String, isCamera: Bool, formats: [String]) {
            self.driver = driver
            self.card = card
            self.bus = bus
            self.isCamera = isCamera
            self.formats = formats
        }
    }

    /// Asks the node at a path, which must have this device number.
    public typealias Ask = @Sendable (_ path: String, _ number: UInt64) throws(PlatformError) -> Answer

    /// Drivers that show what a program feeds them.
    static let virtualDrivers: Set<String> = [
        "v4l2 loopback", "v4l2loopback", "akvcam", "vivid", "vimc", "vicodec", "vim2m",
    ]
    /// Parts of a device's place in sysfs that mean there is no such hardware.
    static let virtualPlaces = ["/devices/virtual/", "/vhci_hcd", "/dummy_hcd", "/dummy_udc"]

    private let sysfs: String
    private let devices: String
    private let ask: Ask

    /// The cameras of this machine.
    public init() {
        self.init(sysfs: "/sys/class/video4linux", devices: "/dev") { path, number throws(PlatformError) in
            try CameraNodes.ask(try CameraNodes.open(path, number: number))
        }
    }

    /// Cameras that a test has made up.
    public init(sysfs: String, devices: String, ask: @escaping Ask) {
        self.sysfs = sysfs
        self.devices = devices
        self.ask = ask
    }

    /// All nodes, by their number; those that cannot be used say why.
    public func list() -> [CameraNode] {
        let names = (try? CameraNodes.names(in: sysfs)) ?? []
        let numbered = names.compactMap { name in
            name.hasPrefix("video") ? Int(name.dropFirst(5)).map { (number: $0, name: name) } : nil
        }
        return numbered.sorted { $0.number < $1.number }.compactMap { node(named: $0.name) }
    }

    /// The camera that the settings mean.
    ///
    /// - Parameters:
    ///   - wanted: "auto" takes the first usable colour camera (an infrared one when there is no other), else a list of names, parted by
    ///     commas, of which the first usable one wins; see `CameraNode.answers(to:)`.
    ///   - allowVirtual: whether a camera that a program feeds may be used.
    public func choose(_ wanted: String, allowVirtual: Bool) throws(CameraChoiceError) -> CameraNode {
        try CameraNodes.choose(wanted, among: list(), allowVirtual: allowVirtual)
    }

    /// The same among given nodes.
    public static func choose(
        _ wanted: String, among nodes: [CameraNode], allowVirtual: Bool
    ) throws(CameraChoiceError) -> CameraNode {
        let cameras = nodes.filter { $0.problem != .notCamera }
        let ranked: [CameraNode]
        if wanted == "auto" {
            ranked = cameras.filter { !$0.isInfrared } + cameras.filter(\.isInfrared)
        } else {
            let names = wanted.split(separator: ",").map { $0.drop { $0 == " " } }
            ranked = names.flatMap { typed in
                let (name, isInfrared) = CameraNodes.role(in: String(typed))
                return nodes.filter { $0.answers(to: name) }.map { node in
                    var node = node
                    node.declaredInfrared = isInfrared
                    return node
                }
            }
        }
        if let usable = ranked.first(where: { $0.obstacle(allowVirtual: allowVirtual) == nil }) { return usable }
        guard let first = ranked.first, let problem = first.obstacle(allowVirtual: allowVirtual) else {
            throw .missing(wanted)
        }
        throw .unusable(first.name, problem)
    }

    /// A name without the word for a kind behind it, and whether that says infrared; serial numbers may have spaces, too.
    static func role(in typed: String) -> (name: String, isInfrared: Bool?) {
        for (word, isInfrared) in [(" infrared", true), (" colour", false)] where typed.hasSuffix(word) {
            return (String(typed.dropLast(word.count)), isInfrared)
        }
        return (typed, nil)
    }

    /// Opens a node that was chosen, for reading and writing, without waiting; fails when another device has taken its place.
    public static func open(_ node: CameraNode) throws(PlatformError) -> Descriptor {
        try open(node.path, number: node.number)
    }

    private static func open(_ path: String, number: UInt64) throws(PlatformError) -> Descriptor {
        // SAFETY: a text lent for the call.
        let opened = unsafe clinux_open(-1, path, Int32(CLINUX_DEVICE.rawValue), 0)
        let descriptor = Descriptor(owning: try check(opened, "open", path))
        let status = try descriptor.status()
        guard status.kind == .device, status.node == number else {
            throw .unsafeFile(path: path, problem: "is not the camera that was chosen")
        }
        return descriptor
    }

    private static func ask(_ descriptor: consuming Descriptor) throws(PlatformError) -> Answer {
        var identity = clinux_video_identity()
        // SAFETY: structures and integers are lent for the calls.
        try check(unsafe clinux_video_identify(descriptor.raw, &identity), "ask a camera what it is")
        let bits = Int(identity.capabilities)
        let memoryToMemory = CLINUX_VIDEO_MEMORY_TO_MEMORY | CLINUX_VIDEO_MEMORY_TO_MEMORY_PLANES
        let isCamera =
            bits & CLINUX_VIDEO_CAPTURE != 0 && bits & CLINUX_VIDEO_STREAMING != 0 && bits & memoryToMemory == 0
        var formats: [String] = []
        while isCamera, formats.count < 128 {
            var code: UInt32 = 0
            guard unsafe clinux_video_format_at(descriptor.raw, UInt32(formats.count), &code) == 0 else { break }
            formats.append(FourCharacters.text(of: code))
        }
        return Answer(
            driver: text(&identity.driver), card: text(&identity.card), bus: text(&identity.bus), isCamera: isCamera,
            formats: formats)
    }

    /// A fixed array of C, read up to its NUL; unprintable characters become question marks.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        let bytes = unsafe withUnsafeBytes(of: &characters) { unsafe Array($0.prefix { $0 != 0 }) }
        return printable(bytes)
    }

    private static func printable(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}

extension CameraNodes {
    private func node(named name: String) -> CameraNode? {
        let folder = "\(sysfs)/\(name)"
        // "81:0"
        guard let dev = CameraNodes.line(of: "\(folder)/dev"), let number = CameraNodes.deviceNumber(dev) else {
            return nil
        }
        let place = CameraNodes.resolve(folder)
        var node = CameraNode(
            path: "\(devices)/\(name)", number: number, card: CameraNodes.line(of: "\(folder)/name") ?? "", driver: "",
            bus: "", vendor: "", product: "", serial: "", function: "", formats: [], isVirtual: false, problem: nil)
        describeHardware(&node, folder: folder, place: place)
        do throws(PlatformError) {
            let answer = try ask(node.path, number)
            (node.driver, node.card, node.bus) = (answer.driver, answer.card, answer.bus)
            node.formats = answer.formats
            node.problem = !answer.isCamera ? .notCamera : answer.formats.isEmpty ? .noFormat : nil
        } catch {
            node.problem = error.isDenied ? .denied : error.isBusy ? .busy : .failed(error.description)
        }
        node.isVirtual =
            CameraNodes.virtualDrivers.contains(node.driver)
            || CameraNodes.virtualPlaces.contains { place.contains($0) }
        return node
    }

    /// Vendor, product and serial number stand at the USB device, the number of the function at its interface, one level below.
    private func describeHardware(_ node: inout CameraNode, folder: String, place: String) {
        let index = CameraNodes.line(of: "\(folder)/index") ?? "0"
        let interface = CameraNodes.line(of: "\(folder)/device/bInterfaceNumber").flatMap { Int($0, radix: 16) } ?? 0
        node.function = "\(interface).\(index)"
        // .../usb1/1-3/1-3:1.0/video4linux/video0
        let parts = place.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 3 else { return }
        let device = parts.dropLast(3).joined(separator: "/")
        node.vendor = CameraNodes.line(of: "\(device)/idVendor") ?? ""
        node.product = CameraNodes.line(of: "\(device)/idProduct") ?? ""
        node.serial = (CameraNodes.line(of: "\(device)/serial") ?? "").replacing("/", with: "_").replacing(
            ",", with: "_")
    }

    /// The first line of a small file, or nil.
    private static func line(of path: String) -> String? {
        guard let bytes = try? SafeFile.readUnchecked(path, limit: 4096) else { return nil }
        return printable(bytes.prefix { $0 != 0x0A })
    }

    /// Major and minor as the kernel packs them in `st_rdev` of 64 bits.
    static func deviceNumber(_ text: String) -> UInt64? {
        let parts = text.split(separator: ":").map { UInt64($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1], major < 4096, minor < 1 << 20 else {
            return nil
        }
        return (major & 0xFFF) << 8 | (minor & 0xFF) | (minor & ~0xFF) << 12
    }

    /// The class folder holds links; where one leads is the device's place.
    private static func resolve(_ path: String) -> String {
        guard let target = try? OwnProcess.readLink(path) else { return path }
        guard !target.hasPrefix("/") else { return target }
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func names(in folder: String) throws(PlatformError) -> [String] {
        var length = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { room, count in
            length = unsafe room.withMemoryRebound(to: CChar.self) { texts in
                // SAFETY: the C side writes at most `texts.count` bytes and tells how many.
                unsafe clinux_list_folder(folder, texts.baseAddress, texts.count)
            }
            count = max(0, length)
        }
        try check(length, "list", folder)
        return bytes.split(separator: 0).map(printable)
    }
}
