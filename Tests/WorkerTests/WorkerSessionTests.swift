// SPDX-License-Identifier: Apache-2.0
// The conversation, message by message.

import Biometrics
import Capture
import Foundation
import Platform
import Testing
import Wire
import Worker

private func isEnd(_ reply: WorkerReply) -> Bool { reply == .end }

private func isTrouble(_ reply: WorkerReply) -> Bool {
    if case .trouble = reply { true } else { false }
}

/// The kind of an answer without its content.
private func kind(_ reply: WorkerReply) -> String {
    switch reply {
    case .hello: "hello"
    case .started: "started"
    case .frame(let evidence): "frame \(evidence.sequence)"
    case .trouble(let kind, _): "trouble \(kind)"
    case .end: "end"
    case .pixels(let rows): rows.subject == .view ? "view" : "face"
    }
}

/// A file with these bytes, removed at its end.
private final class File {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("worker-\(UUID().uuidString)").path
    init(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

private func png(level: UInt8 = 90) throws -> [UInt8] {
    let pixels = [UInt8](repeating: level, count: 40 * 30 * 3)
    return try Picture.encodePNG(
        try #require(Frame(width: 40, height: 30, format: .rgb, pixels: pixels, timestamp: 0)))
}

@Suite(.serialized) struct WorkerSessionTests {
    private let camera = WorkerRequest.camera(role: .colour, rotation: 0, deadline: 1_000)

    @Test func saysHelloWithTheWallsAndEndsWithTheSocket() throws {
        let conversation = try Conversation()
        let hello = WorkerHello(bringsFrames: false, hasPassive: true, hasSecondOpinion: false, sandbox: [.seccomp])
        #expect(try conversation.reply() == .hello(hello))
        #expect(conversation.close() == nil)
    }

    @Test func streamsEvidenceInOrderAndSaysEnd() throws {
        let steps: [CameraStep] = [.frame(100), .frame(101), .frame(102), .end]
        let conversation = try Conversation(cameras: ScriptedCameras(own: steps))
        try conversation.send(.look(embedEvery: true))
        let replies = try conversation.replies(through: isEnd)
        #expect(replies.map(kind) == ["hello", "started", "frame 0", "frame 1", "frame 2", "end"])
        guard case .frame(let evidence) = replies[3] else { return }
        #expect(evidence.brightness == 101)
        #expect(evidence.contrast == 1, "every face was to be embedded")
        #expect(conversation.close() == nil)
    }

    /// 30 frames a second whose brightness is their number.
    private static let thirty = (0..<30).map { CameraStep.frame(100 + $0) }

    private func brightness(_ replies: [WorkerReply]) -> [Int] {
        replies.compactMap { if case .frame(let evidence) = $0 { Int(evidence.brightness) } else { nil } }
    }

    @Test(arguments: [true, false]) func looksAtEverySecondFrameOfThirtyASecond(sourceSkips: Bool) throws {
        let cameras = ScriptedCameras(own: Self.thirty + [.end], interval: 33, skips: sourceSkips)
        let conversation = try Conversation(cameras: cameras)
        try conversation.send(.look(embedEvery: false))
        let looked = brightness(try conversation.replies(through: isEnd))
        #expect(looked == stride(from: 100, to: 130, by: 2).map(\.self))
    }

    @Test func takesEveryFrameOfAStrobedInfraredCamera() throws {
        let file = try File([0])
        // Lit frames are every second one; were every second frame let go unseen, all of them might be.
        let steps = (0..<24).map { CameraStep.frame($0 % 2 == 1 ? 100 : 20) } + [.end]
        let conversation = try Conversation(cameras: ScriptedCameras(steps: steps, interval: 33))
        try conversation.send(.look(embedEvery: false))
        try conversation.send(.camera(role: .infrared, rotation: 0, deadline: 1_000), with: file.path)
        let looked = brightness(try conversation.replies(through: isEnd))
        #expect(looked.count { $0 == 100 } >= 10 && looked.count { $0 == 20 } <= 1, "\(looked)")
    }

    @Test func letsFramesGoUntilItIsToLook() throws {
        let file = try File([0])
        let conversation = try Conversation(cameras: ScriptedCameras(steps: [.frame(100), .frame(100), .end]))
        try conversation.send(camera, with: file.path)
        #expect(try conversation.replies(through: isEnd).map(kind) == ["hello", "started", "end"])
    }

    @Test(arguments: [
        (CaptureError.busy, TroubleKind.busy), (.gone, .gone), (.noFormat("none"), .noFormat),
        (.timedOut("x"), .timedOut), (.failed("x", errno: 5), .failed),
        (.tooLarge(width: 5000, height: 1), .pictureTooLarge),
    ])
    func reportsWhyACameraDoesNotOpen(error: CaptureError, expected: TroubleKind) throws {
        let file = try File([0])
        let cameras = ScriptedCameras(openFault: ScriptedFault { error })
        let conversation = try Conversation(cameras: cameras)
        try conversation.send(camera, with: file.path)
        let replies = try conversation.replies(through: isTrouble)
        #expect(replies.last == .trouble(expected, detail: error.description))
        #expect(conversation.close() == nil, "the worker lives on")
    }

    @Test func reportsAnUnpluggedCamera() throws {
        let file = try File([0])
        let gone = CameraStep.fault(ScriptedFault { CaptureError.gone })
        let conversation = try Conversation(cameras: ScriptedCameras(steps: [.frame(90), gone]))
        try conversation.send(.look(embedEvery: false))
        try conversation.send(camera, with: file.path)
        #expect(
            try conversation.replies(through: isTrouble).map(kind) == ["hello", "started", "frame 0", "trouble gone"])
    }

    @Test func givesUpOnASilentCameraAtItsDeadline() throws {
        let file = try File([0])
        let silent = CameraStep.fault(ScriptedFault { CaptureError.timedOut("a frame") })
        let steps = Array(repeating: silent, count: 1_000_000)
        let conversation = try Conversation(cameras: ScriptedCameras(steps: steps))
        let began = SystemTime().now()
        try conversation.send(.camera(role: .colour, rotation: 0, deadline: 200), with: file.path)
        #expect(try conversation.replies(through: isTrouble).map(kind) == ["hello", "started", "trouble timedOut"])
        let took = SystemTime().now() - began
        #expect((200..<2_000).contains(took), "\(took) ms")
    }

    @Test func anInfraredCamerasFramesAreMarkedAsSuch() throws {
        let file = try File([0])
        let conversation = try Conversation(cameras: ScriptedCameras(steps: [.frame(90), .end]))
        try conversation.send(.look(embedEvery: false))
        try conversation.send(.camera(role: .infrared, rotation: 180, deadline: 1_000), with: file.path)
        let replies = try conversation.replies(through: isEnd)
        guard case .frame(let evidence) = replies[2] else {
            Issue.record("\(replies)")
            return
        }
        #expect(evidence.role == .infrared)
    }

    @Test func answersEachPictureAndEnds() throws {
        let good = try File(try png())
        let conversation = try Conversation()
        try conversation.send(.picture, with: good.path)
        try conversation.send(.picture, with: good.path)
        try conversation.send(.look(embedEvery: true))
        #expect(try conversation.replies(through: isEnd).map(kind) == ["hello", "frame 0", "frame 1", "end"])
        try conversation.send(.picture, with: good.path)
        #expect(try conversation.replies(through: isEnd).map(kind) == ["frame 2", "end"])
        #expect(conversation.close() == nil)
    }

    @Test func reportsAnUnreadablePictureAndTakesTheNext() throws {
        let bad = try File([1, 2, 3])
        let empty = try File([])
        let truncated = try File(Array(try png().dropLast(30)))
        let good = try File(try png())
        let conversation = try Conversation()
        try conversation.send(.look(embedEvery: true))
        for file in [bad, empty, truncated] {
            try conversation.send(.picture, with: file.path)
            #expect(try conversation.replies(through: isTrouble).last.map(kind) == "trouble pictureUnreadable")
        }
        try conversation.send(.picture, with: good.path)
        #expect(try conversation.replies(through: isEnd).map(kind) == ["frame 0", "end"])
    }

    @Test func aTroubleOfOneOfTwoCamerasClosesBothAndIsNoCrash() throws {
        let file = try File([0])
        let gone = CameraStep.fault(ScriptedFault { CaptureError.gone })
        let conversation = try Conversation(cameras: ScriptedCameras(steps: [.frame(90), gone]))
        try conversation.send(camera, with: file.path)
        try conversation.send(.camera(role: .infrared, rotation: 0, deadline: 1_000), with: file.path)
        #expect(
            try conversation.replies(through: isTrouble).map(kind).filter { $0 != "started" } == [
                "hello", "trouble gone",
            ])
        #expect(conversation.close() == nil)
    }

    @Test func stopClosesAndEnds() throws {
        let file = try File([0])
        let steps = Array(repeating: CameraStep.frame(80), count: 1_000_000)
        let conversation = try Conversation(cameras: ScriptedCameras(steps: steps))
        try conversation.send(.look(embedEvery: false))
        try conversation.send(camera, with: file.path)
        _ = try conversation.replies { kind($0) == "frame 3" }
        try conversation.send(.stop)
        #expect(try conversation.replies(through: isEnd).last == .end)
        #expect(conversation.close() == nil)
    }

    @Test func endsWhenALookFails() throws {
        let steps = Array(repeating: CameraStep.frame(80), count: 10)
        let conversation = try Conversation(
            cameras: ScriptedCameras(own: steps), looker: ScriptedLooker(failsAt: 1))
        try conversation.send(.look(embedEvery: false))
        let replies = try conversation.replies(through: isTrouble)
        #expect(replies.map(kind) == ["hello", "started", "frame 0", "trouble model"])
        #expect(conversation.close() == .model("a test timed out"))
    }

    @Test(
        arguments: [
            [2, 0x13, 0, 1, 0], [1, 0x99, 0, 0], [1, 0x13, 0, 2, 0, 0], [1, 0x13, 0, 1, 2], [1, 0x12, 0, 0],
            [1, 0x11, 0, 7, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]])
    func endsOnNonsense(bytes: [UInt8]) throws {
        let conversation = try Conversation()
        try conversation.send(bytes)
        let rest = try conversation.replies { _ in false }
        #expect(rest.map(kind) == ["hello"])
        guard case .conversation = conversation.close() else {
            Issue.record("the session took \(bytes)")
            return
        }
    }

    @Test func handsOutNoPixelUnasked() throws {
        let conversation = try Conversation(cameras: ScriptedCameras(own: [.frame(100), .frame(101), .end]))
        try conversation.send(.look(embedEvery: true))
        #expect(
            try conversation.replies(through: isEnd).map(kind) == ["hello", "started", "frame 0", "frame 1", "end"])
    }

    @Test func handsOutViewsAtTheirPaceAndEveryFace() throws {
        // The scripted camera takes a frame every 66 ms.
        let steps: [CameraStep] = [.frame(100), .frame(101), .frame(102), .frame(103), .end]
        let conversation = try Conversation(cameras: ScriptedCameras(own: steps))
        try conversation.send(.share(PictureSharing(views: true, faces: true, side: 16, interval: 120)))
        try conversation.send(.look(embedEvery: true))
        let replies = try conversation.replies(through: isEnd)
        #expect(
            replies.map(kind) == [
                "hello", "started", "face", "view", "frame 0", "face", "frame 1", "face", "view", "frame 2", "face",
                "frame 3", "end",
            ])
        guard case .pixels(let face) = replies[2], case .pixels(let view) = replies[3],
            case .pixels(let later) = replies[8]
        else { return }
        #expect(face.subject == .face(5) && face.width == 112 && face.rows == 112)
        #expect(view.width == 16 && view.height == 16 && view.pixels == [UInt8](repeating: 100, count: 16 * 16 * 3))
        #expect(later.sequence == 2 && later.pixels[0] == 102)
        #expect(conversation.close() == nil)
    }

    @Test(arguments: ["twice", "after look", "after a camera", "after a picture"])
    func refusesToShare(when: String) throws {
        let file = try File(try png())
        let conversation = try Conversation(cameras: ScriptedCameras(steps: [.frame(100)]))
        let share = WorkerRequest.share(PictureSharing(views: true))
        switch when {
        case "twice": try conversation.send(share)
        case "after look": try conversation.send(.look(embedEvery: false))
        case "after a camera": try conversation.send(camera, with: file.path)
        default: try conversation.send(.picture, with: file.path)
        }
        try conversation.send(share)
        _ = try conversation.replies { _ in false }
        #expect(conversation.close() == .conversation("too late to ask for pictures"))
    }

    @Test func refusesACameraWhenItBringsItsFrames() throws {
        let file = try File([0])
        let conversation = try Conversation(cameras: ScriptedCameras(own: []))
        try conversation.send(camera, with: file.path)
        _ = try conversation.replies { _ in false }
        #expect(conversation.close() == .conversation("a camera too many"))
    }

    @Test func wallsHaveTheSameBitsOnBothSides() {
        #expect(WorkerHello.Sandbox.all.rawValue == Sandbox.Layers.all.rawValue)
        #expect(WorkerHello.Sandbox.landlock.rawValue == Sandbox.Layers.landlock.rawValue)
        #expect(WorkerHello.Sandbox.seccomp.rawValue == Sandbox.Layers.seccomp.rawValue)
        #expect(WorkerHello.Sandbox.otherUser.rawValue == Sandbox.Layers.otherUser.rawValue)
        #expect(WorkerHello.Sandbox.noNewPrivileges.rawValue == Sandbox.Layers.noNewPrivileges.rawValue)
        #expect(WorkerHello.Sandbox.resourceLimits.rawValue == Sandbox.Layers.resourceLimits.rawValue)
    }
}
