// SPDX-License-Identifier: Apache-2.0
// What is passed for a camera or a picture and is none: the reason is told, and the worker lives on for the next. The camera is opened by the real
// code, on descriptors that the kernel really gives.

import Biometrics
import Capture
import Foundation
import Platform
import Testing
import Wire
import Worker

@Suite(.serialized) struct BadInputTests {
    private static func isTrouble(_ reply: WorkerReply) -> Bool { if case .trouble = reply { true } else { false } }

    @Test(arguments: ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty0", "/etc/passwd", "/proc/self/status"])
    func aNodeThatIsNoCameraIsRefusedWithTheReason(path: String) throws {
        guard let file = try? SafeFile.openForReading(path) else { return }
        let conversation = try Conversation(isKernel: true)
        let request = WorkerRequest.camera(role: .colour, rotation: 0, deadline: 1_000)
        try conversation.send(request, passing: file)
        let replies = try conversation.replies(through: Self.isTrouble)
        guard case .trouble(let kind, let detail) = replies.last else {
            Issue.record("\(path) was taken for a camera")
            return
        }
        #expect([.noFormat, .failed].contains(kind) && !detail.isEmpty, "\(kind): \(detail)")
        #expect(conversation.close() == nil, "the worker lives on")
    }

    /// A JPEG that announces these sides and has nothing behind them.
    private static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8)]
            + [UInt8(width & 255), 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    }

    @Test(arguments: [
        (4097, 1, TroubleKind.pictureTooLarge), (1, 4097, .pictureTooLarge), (65_500, 65_500, .pictureTooLarge),
        // Beyond what the library itself reads, no size at all, and nothing behind a plausible one.
        (65_535, 65_535, .pictureUnreadable), (0, 480, .pictureUnreadable), (0, 0, .pictureUnreadable),
        (640, 480, .pictureUnreadable),
    ])
    func aJPEGBombIsRefusedByItsSides(width: Int, height: Int, expected: TroubleKind) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bomb-\(UUID().uuidString)").path
        try Data(Self.jpeg(width, height)).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let conversation = try Conversation()
        try conversation.send(.look(embedEvery: true))
        let began = SystemTime().now()
        try conversation.send(.picture, passing: try SafeFile.openForReading(path))
        guard case .trouble(let kind, let detail) = try conversation.replies(through: Self.isTrouble).last else {
            Issue.record("\(width)x\(height) was taken")
            return
        }
        #expect(kind == expected, "\(detail)")
        #expect(SystemTime().now() - began < 5_000)
        #expect(conversation.close() == nil, "the worker lives on")
    }
}
