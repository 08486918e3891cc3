// SPDX-License-Identifier: Apache-2.0
// The choice of a camera, on a made-up sysfs: a laptop with a colour and an infrared half, a second webcam, a loopback device, a metadata node.

import Foundation
import Platform
import Testing

/// A folder like /sys/class/video4linux with its links, removed at its end.
private final class FakeSysfs {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("cameras-\(UUID().uuidString)").path
    var classFolder: String { root + "/class/video4linux" }

    init() throws { try make(classFolder) }
    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func write(_ text: String, _ path: String) throws {
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path))
    }

    /// A node of a USB device.
    func addUSB(
        _ name: String, minor: Int, port: String, interface: Int, index: Int, vendor: String, serial: String = ""
    ) throws {
        let device = "\(root)/devices/pci0/usb1/\(port)"
        let function = "\(device)/\(port):1.\(interface)"
        let node = "\(function)/video4linux/\(name)"
        try make(node)
        try write(vendor, "\(device)/idVendor")
        try write("0825", "\(device)/idProduct")
        if !serial.isEmpty { try write(serial, "\(device)/serial") }
        try write(String(format: "%02x", interface), "\(function)/bInterfaceNumber")
        try FileManager.default.createSymbolicLink(
            atPath: "\(node)/device", withDestinationPath: "../../../\(port):1.\(interface)")
        try finish(
            node, name, minor, index, link: "../../devices/pci0/usb1/\(port)/\(port):1.\(interface)/video4linux/\(name)"
        )
    }

    func addVirtual(_ name: String, minor: Int, place: String = "virtual") throws {
        let node = "\(root)/devices/\(place)/video4linux/\(name)"
        try make(node)
        try finish(node, name, minor, 0, link: "../../devices/\(place)/video4linux/\(name)")
    }

    private func finish(_ node: String, _ name: String, _ minor: Int, _ index: Int, link: String) throws {
        try write("81:\(minor)", "\(node)/dev")
        try write("Camera \(name)", "\(node)/name")
        try write("\(index)", "\(node)/index")
        try FileManager.default.createSymbolicLink(atPath: "\(classFolder)/\(name)", withDestinationPath: link)
    }

    func nodes(_ ask: @escaping CameraNodes.Ask) -> CameraNodes {
        CameraNodes(sysfs: classFolder, devices: "/dev", ask: ask)
    }
}

private func answer(_ formats: [String], driver: String = "uvcvideo", isCamera: Bool = true) -> CameraNodes.Answer {
    CameraNodes.Answer(
        driver: driver, card: "A camera", bus: "usb-0000:00:14.0-3", isCamera: isCamera, formats: formats)
}

private func laptop() throws -> (FakeSysfs, CameraNodes) {
    let sysfs = try FakeSysfs()
    try sysfs.addVirtual("video0", minor: 0)
    try sysfs.addUSB("video1", minor: 1, port: "1-3", interface: 0, index: 0, vendor: "046d", serial: "AB/12")
    try sysfs.addUSB("video2", minor: 2, port: "1-3", interface: 0, index: 1, vendor: "046d", serial: "AB/12")
    try sysfs.addUSB("video10", minor: 300, port: "1-3", interface: 2, index: 0, vendor: "046d", serial: "AB/12")
    let nodes = sysfs.nodes { path, _ throws(PlatformError) in
        switch path {
        case "/dev/video0": answer(["YUYV"], driver: "v4l2 loopback")
        case "/dev/video1": answer(["MJPG", "YUYV"])
        case "/dev/video2": answer([], isCamera: false)
        default: answer(["GREY", "Y16 -BE"])
        }
    }
    return (sysfs, nodes)
}

@Suite struct CameraNodesTests {
    @Test func knowsANodeByItsPlaceAndKind() throws {
        let (sysfs, nodes) = try laptop()
        defer { withExtendedLifetime(sysfs) {} }
        let all = nodes.list()
        #expect(all.map(\.path) == ["/dev/video0", "/dev/video1", "/dev/video2", "/dev/video10"])
        #expect(all.map(\.number) == [0x5100, 0x5101, 0x5102, 0x10_512C])
        #expect(all.map(\.isVirtual) == [true, false, false, false])
        #expect(all.map(\.isInfrared) == [false, false, false, true])
        #expect(all.map(\.problem) == [nil, nil, .notCamera, nil])
        #expect(all[1].name == "usb-0000:00:14.0-3/046d:0825/AB_12/0.0")
        #expect(all[3].name == "usb-0000:00:14.0-3/046d:0825/AB_12/2.0")
    }

    @Test func autoTakesTheFirstRealColourCamera() throws {
        let (sysfs, nodes) = try laptop()
        defer { withExtendedLifetime(sysfs) {} }
        #expect(try nodes.choose("auto", allowVirtual: false).path == "/dev/video1")
        #expect(try nodes.choose("auto", allowVirtual: true).path == "/dev/video0")
    }

    @Test(arguments: [
        ("usb-0000:00:14.0-3/046d:0825/AB_12/2.0", "/dev/video10"),
        ("046d:0825", "/dev/video1"), ("046d:0825/AB_12", "/dev/video1"),
        ("1234:5678, usb-0000:00:14.0-3/046d:0825/AB_12/2.0", "/dev/video10"),
    ])
    func findsByNameWhateverTheNumber(name: String, path: String) throws {
        let (sysfs, nodes) = try laptop()
        defer { withExtendedLifetime(sysfs) {} }
        #expect(try nodes.choose(name, allowVirtual: false).path == path)
    }

    @Test func theSettingsKindWinsOverTheFormats() throws {
        let (_, nodes) = try laptop()
        for node in nodes.list() where node.problem == nil && !node.isVirtual {
            let chosen = try nodes.choose("\(node.name) infrared", allowVirtual: false)
            #expect(chosen.number == node.number && chosen.isInfrared)
            #expect(try !nodes.choose("\(node.name) colour", allowVirtual: false).isInfrared)
        }
    }

    @Test func refusesWithTheReason() throws {
        let (sysfs, nodes) = try laptop()
        defer { withExtendedLifetime(sysfs) {} }
        let virtual = try #require(nodes.list().first)
        let metadata = "usb-0000:00:14.0-3/046d:0825/AB_12/0.1"
        let cases: [(String, CameraChoiceError)] = [
            ("1234:5678", .missing("1234:5678")), ("/dev/video1", .missing("/dev/video1")),
            (virtual.name, .unusable(virtual.name, .virtual)), (metadata, .unusable(metadata, .notCamera)),
        ]
        for (name, expected) in cases {
            #expect(throws: expected) { try nodes.choose(name, allowVirtual: false) }
        }
    }

    @Test func saysBusyDeniedAndGone() throws {
        let sysfs = try FakeSysfs()
        try sysfs.addUSB("video0", minor: 0, port: "1-1", interface: 0, index: 0, vendor: "046d")
        for (code, expected) in [(16, CameraNode.Problem.busy), (13, .denied), (1, .denied)]
            as [(Int32, CameraNode.Problem)]
        {
            let nodes = sysfs.nodes { path, _ throws(PlatformError) in
                throw .system(action: "open", subject: path, code: code)
            }
            #expect(nodes.list().map(\.problem) == [expected])
            #expect(throws: CameraChoiceError.unusable(nodes.list()[0].name, expected)) {
                try nodes.choose("auto", allowVirtual: true)
            }
        }
    }

    @Test(arguments: ["virtual", "platform/vhci_hcd.0/usb3/3-1/3-1:1.0", "platform/dummy_hcd.0/usb9/9-1/9-1:1.0"])
    func knowsThatThereIsNoSuchHardware(place: String) throws {
        let sysfs = try FakeSysfs()
        try sysfs.addVirtual("video0", minor: 0, place: place)
        let nodes = sysfs.nodes { _, _ throws(PlatformError) in answer(["MJPG"]) }
        #expect(nodes.list().map(\.isVirtual) == [true])
    }

    @Test func aMachineWithoutCamerasHasNone() {
        let nodes = CameraNodes(sysfs: "/nonexistent", devices: "/dev") { _, _ throws(PlatformError) in answer([]) }
        #expect(nodes.list().isEmpty)
        #expect(throws: CameraChoiceError.missing("auto")) { try nodes.choose("auto", allowVirtual: true) }
    }

    @Test func namesFormats() {
        #expect(FourCharacters.text(of: 0x5659_5559) == "YUYV")
        #expect(FourCharacters.text(of: 0xA036_3159) == "Y16 -BE")
        #expect(FourCharacters.text(of: 0x0102_0304) == "....")
    }
}
