// SPDX-License-Identifier: Apache-2.0
// Enrolment over a worker that a test plays: guidance goes out, samples come back, and pictures only where they were asked for.

import Biometrics
import Platform
import Policy
import TemplateStore
import TestSupport
import Testing
import Wire

@testable import Monitor

@Suite struct EnrolmentSessionTests {
    /// A person who holds each pose for a while: the five poses one after the other, again and again until somebody leaves.
    static func poses(_ similarity: Float = 0.8, sharing: Bool = false) -> ScriptedWorkers.Script {
        { stage in
            guard World.warmUp(&stage) else { return }
            var generator = SeededGenerator(seed: 3)
            let order: [(Float, Float)] = [(0, 0), (0.35, 0), (-0.35, 0), (0, -0.3), (0, 0.3)]
            for round in 0..<10 {
                let (yaw, pitch) = order[round % order.count]
                for _ in 0..<34 {
                    let number = Int(stage.sequence)
                    var face = World.evidence(1)
                    face.landmarks = SyntheticFace.head.landmarks(
                        .init(yaw: yaw, pitch: pitch, centre: Point(320, 240)), using: &generator)
                    face.embedding = EnrolmentSessionTests.view(number, similarity)
                    if sharing { stage.crop(of: face.track) }
                    stage.frame([face])
                    try? Readiness.pause(until: SystemTime().now() + 60)
                }
            }
        }
    }

    /// A view this like the person, different in each frame.
    static func view(_ number: Int, _ similarity: Float) -> Embedding? {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        values[0] = similarity
        values[1 + number % 100] = (1 - similarity * similarity).squareRoot()
        return Embedding(values)
    }

    private func enrol(_ world: World, _ plan: GuidedPlan = GuidedPlan(), keepsPicture: Bool = false) throws -> (
        EnrolmentResult, [GuidedProgress]
    ) {
        var heard: [GuidedProgress] = []
        var session = try EnrolmentSession(world.environment, settings: Settings(), keepsPicture: keepsPicture)
        let result = try session.enrolGuided(label: "default", plan: plan) { news in
            if case .view = news { return true }
            heard.append(news)
            return true
        }
        return (result, heard)
    }

    @Test func takesTheCentreOfAPlanAndKeepsNoPicture() throws {
        let world = try World(Self.poses())
        let (result, heard) = try enrol(world, GuidedPlan(poses: [.centre], needed: [.centre]))
        guard case .enrolled(let template, let extras) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(heard.first == .say(.take(.centre)))
        #expect(template.label == "default" && template.embeddings.count == extras.notes.count)
        #expect(extras.notes.allSatisfy { $0.pose == .centre })
        #expect(extras.picture == nil && extras.camera == "test")
        #expect(try template.model == world.modelHash())
    }

    @Test func keepsThePictureOfTheFirstViewWhereAsked() throws {
        let world = try World(Self.poses(sharing: true))
        let (result, _) = try enrol(world, GuidedPlan(poses: [.centre], needed: [.centre]), keepsPicture: true)
        guard case .enrolled(_, let extras) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(extras.picture?.pixels.count == FaceCrop.byteCount)
    }

    @Test func refusesAPictureThatWasNotAskedFor() throws {
        let world = try World(Self.poses(sharing: true))
        #expect(throws: MonitorError.self) { _ = try enrol(world, GuidedPlan(poses: [.centre], needed: [.centre])) }
    }

    @Test func addsNobodyElse() throws {
        let world = try World(Self.poses(0.2))
        let (result, _) = try enrol(world, GuidedPlan(known: EvidenceScript.owner))
        #expect(result == .refused(.notTheEnrolled))
    }

    @Test func endsWhenTheCallerWantsItTo() throws {
        let world = try World(Self.poses())
        var session = try EnrolmentSession(world.environment, settings: Settings())
        let result = try session.enrolGuided(label: "x") { _ in false }
        #expect(result == .refused(.cancelled))
    }

    @Test func measuresTheLight() throws {
        let world = try World(World.sees(nil, frames: 20))
        let report = try LightCheck.run(world.environment, settings: Settings(), milliseconds: 600) { _ in true }
        #expect(report.frames > 2 && report.usable == 0)
        #expect(report.brightness == 120 && report.advice == .lookAtCamera)
    }
}

extension Stage {
    /// Sends the aligned face of a track, which belongs to the next frame.
    mutating func crop(of track: UInt32) {
        let pixels = [UInt8](repeating: 90, count: FaceCrop.byteCount)
        guard let picture = SharedPicture(subject: .face(track), width: 112, height: 112, pixels: pixels) else {
            return
        }
        for rows in PictureRows.pieces(of: picture, sequence: sequence) { say(.pixels(rows)) }
    }
}

@Suite struct PasswordGateTests {
    private func check(_ world: World, _ typed: String) throws -> Verdict? {
        var bytes = Array(typed.utf8)
        let secret = try SecretBytes(wiping: &bytes)
        return try PasswordGate.check(
            secret, of: World.anna, service: "secondlook-refine", environment: world.environment, settings: Settings())
    }

    @Test func letsTheRightPasswordThroughAndForgetsWrongOnes() throws {
        let world = try World()
        #expect(try check(world, "wrong") == Verdict(.refused, .wrongPassword))
        #expect(try world.openStore().tally(of: "anna").wrongPasswords == 1)
        #expect(try check(world, "right") == nil)
        let tally = try world.openStore().tally(of: "anna")
        #expect(tally.wrongPasswords == 0 && tally.misses == 0)
        let newest = try world.openStore().attempts(of: "anna", limit: 2).map(\.record.verdict)
        #expect(newest.contains(Verdict(.skipped, .matched)) && newest.contains(Verdict(.refused, .wrongPassword)))
    }

    @Test func locksAfterFiveWrongOnesEvenForTheRightOne() throws {
        let world = try World()
        for _ in 0..<5 { #expect(try check(world, "wrong") == Verdict(.refused, .wrongPassword)) }
        #expect(try check(world, "right")?.outcome == .locked)
    }

    @Test func forgetsNoRefusedLooks() throws {
        let world = try World()
        var store = try world.openStore()
        let lockout = Lockout(Settings())
        let now = Moment(boot: world.environment.boot, sinceBoot: SystemTime().sinceBoot(), wall: 1)
        let record = AttemptRecord(time: 1, user: "anna", service: "sudo", verdict: Verdict(.refused, .otherPerson))
        guard case .charged(let attempt) = try store.charge(record, lockout: lockout, at: now) else { return }
        try store.settle(attempt, as: record, lockout: lockout, at: now)
        #expect(try check(world, "right") == nil)
        #expect(try world.openStore().tally(of: "anna").misses == 1)
    }
}
