// SPDX-License-Identifier: Apache-2.0
// A worker that was asked for pictures is still an enemy: whatever it was not asked for, or what does not fit its evidence, ends it.

import Biometrics
import Platform
import Policy
import Synchronization
import Testing
import Wire

@testable import Monitor

private func rows(
    _ subject: SharedPicture.Subject = .view, sequence: UInt32 = 0, width: UInt16 = 4, height: UInt16 = 4,
    first: UInt16 = 0, count: Int = 4
) -> PictureRows {
    PictureRows(
        sequence: sequence, subject: subject, width: width, height: height, firstRow: first,
        pixels: [UInt8](repeating: 9, count: Int(width) * 3 * count))
}

private let side = UInt16(SharedPicture.faceSide)
private let faceRows = rows(.face(1), width: side, height: side, count: SharedPicture.faceSide)

@Suite struct PictureGalleryTests {
    private static let now: UInt64 = 1_000_000

    private static func watch(_ sharing: PictureSharing) throws -> WorkerWatch {
        var watch = try WorkerWatchTests.watch(in: .idle)
        watch.sent(.share(sharing), now: now)
        watch.sent(.camera(role: .colour, rotation: 0, deadline: 1000), now: now)
        watch.sent(.look(embedEvery: true), now: now)
        try watch.check(World.started, now: now)
        return watch
    }

    private static func frame(_ sequence: UInt32 = 0, after: UInt64 = 0) -> WorkerReply {
        .frame(WorkerWatchTests.frame(sequence, at: now + after))
    }

    @Test func picturesAreThereWithTheirFrame() throws {
        var watch = try Self.watch(PictureSharing(views: true, faces: true, side: 16, interval: 100))
        try watch.check(.pixels(rows(count: 1)), now: Self.now)
        try watch.check(.pixels(rows(first: 1, count: 3)), now: Self.now)
        try watch.check(.pixels(faceRows), now: Self.now)
        #expect(watch.gallery?.pictures.isEmpty == true)
        try watch.check(Self.frame(), now: Self.now)
        #expect(watch.gallery?.pictures[.view]?.pixels.count == 48)
        #expect(watch.gallery?.pictures[.face(1)]?.width == 112)
        try watch.check(Self.frame(1, after: 33), now: Self.now + 33)
        #expect(watch.gallery?.pictures.isEmpty == true, "the next frame brought none")
        try watch.check(.pixels(rows(sequence: 2)), now: Self.now + 100)
        try watch.check(Self.frame(2, after: 100), now: Self.now + 100)
        #expect(watch.gallery?.pictures.count == 1)
    }

    private struct Breach: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var sharing = PictureSharing(views: true, faces: true, side: 16, interval: 100)
        let replies: [WorkerReply]
    }

    private static let breaches = [
        Breach(
            testDescription: "a view where only faces were asked for",
            sharing: PictureSharing(faces: true), replies: [.pixels(rows())]),
        Breach(
            testDescription: "a face where only views were asked for",
            sharing: PictureSharing(views: true), replies: [.pixels(faceRows)]),
        Breach(testDescription: "a view too large", replies: [.pixels(rows(width: 17, height: 1, count: 1))]),
        Breach(testDescription: "a picture of another frame", replies: [.pixels(rows(sequence: 1))]),
        Breach(testDescription: "rows that begin late", replies: [.pixels(rows(first: 1, count: 3))]),
        Breach(testDescription: "rows again", replies: [.pixels(rows()), .pixels(rows())]),
        Breach(
            testDescription: "another width halfway",
            replies: [.pixels(rows(count: 2)), .pixels(rows(width: 5, first: 2, count: 2))]),
        Breach(testDescription: "half a view", replies: [.pixels(rows(count: 2)), frame()]),
        Breach(
            testDescription: "a face that is not in the frame",
            replies: [.pixels(rows(.face(9), width: side, height: side, count: Int(side))), frame()]),
        Breach(
            testDescription: "views faster than asked for",
            replies: [.pixels(rows()), frame(), .pixels(rows(sequence: 1)), frame(1, after: 99)]),
        Breach(
            testDescription: "ten pictures",
            replies: (0..<10).map { .pixels(rows(.face($0), width: side, height: side, count: 1)) }),
    ]

    @Test(arguments: breaches)
    private func refuses(breach: Breach) throws {
        var watch = try Self.watch(breach.sharing)
        #expect(throws: MonitorError.self) {
            for reply in breach.replies { try watch.check(reply, now: Self.now + 99) }
        }
        #expect(watch.state == .over)
    }

    @Test func aSessionOfTheCommandGetsThem() throws {
        let world = try World { stage in
            guard World.warmUp(&stage) else { return }
            #expect(stage.requests.first == .share(PictureSharing(views: true, side: 16, interval: 100)))
            stage.say(.pixels(rows()))
            stage.frame([World.evidence(1)])
        }
        var sighting = try Sighting(world.environment, settings: Settings())
        try sighting.share(PictureSharing(views: true, side: 16, interval: 100))
        try sighting.openCamera(embedEvery: false)
        let deadline = SystemTime().now() + 5000
        while let reply = try sighting.next(until: deadline) {
            if case .frame = reply { break }
        }
        #expect(sighting.view?.width == 4)
        #expect(sighting.picture(ofTrack: 1) == nil)
    }

    @Test func aLoginNeverAsksForPictures() throws {
        let asked = Asked()
        let world = try World { stage in
            guard World.warmUp(&stage) else { return }
            asked.note(stage.requests)
            stage.frames(12, World.evidence(1))
        }
        #expect(try world.attempt().report.verdict.outcome == .accepted)
        let requests = asked.requests
        #expect(requests.count >= 2, "a camera and look")
        for request in requests {
            if case .share = request { Issue.record("a login asked for pictures") }
        }
    }

    private final class Asked: Sendable {
        private let all = Mutex<[WorkerRequest]>([])
        var requests: [WorkerRequest] { all.withLock { $0 } }
        func note(_ requests: [WorkerRequest]) { all.withLock { $0 = requests } }
    }
}
