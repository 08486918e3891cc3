// SPDX-License-Identifier: Apache-2.0
// `ready` comes before models and worker, so a fault of theirs meets a person who types: it is the same refusal, told when he is done.

import Platform
import Policy
import TemplateStore
import TestSupport
import Testing
import Wire

@testable import Monitor

@Suite struct LoginReadyTests {
    private static let modelsGone: @Sendable (inout World) throws -> Void = { world in
        try SafeFile.remove(world.temporary.file("programs/models/recogniser.onnx"))
    }
    private static let manifestGone: @Sendable (inout World) throws -> Void = { world in
        try SafeFile.remove(world.temporary.file("programs/models/manifest.json"))
    }
    private static let noWorker: @Sendable (inout World) throws -> Void = { $0.environment.workers = NoWorkers() }
    private static let alteredModel: @Sendable (inout World) throws -> Void = { world in
        world.temporary.write("programs/models/detector.onnx", text: "The detector", mode: 0o644)
    }
    private static let badTemplate: @Sendable (inout World) throws -> Void = { world in
        var store = try world.openStore()
        try store.enrol(
            Template(label: "other", embeddings: [World.face(9)], model: try world.modelHash()), user: "anna", uid: 999,
            replacing: false, at: 1)
    }

    private static let faults: [(@Sendable (inout World) throws -> Void, Outcome, Reason)] = [
        (modelsGone, .fault, .badModel), (manifestGone, .fault, .badModel), (noWorker, .notJudged, .workerDied),
        (alteredModel, .fault, .badModel), (badTemplate, .fault, .badTemplate),
    ]

    @Test func readyComesBeforeTheWorkerIsStarted() throws {
        var world = try World()
        let held = HeldWorkers(World.sees(World.evidence(1)))
        world.environment.workers = held
        let attempt = try world.attempt { _ in held.release() }
        #expect(attempt.report.verdict == Verdict(.accepted, .matched))
    }

    @Test func aSecretThatComesBeforeTheWorkerIsStartedWaits() throws {
        var world = try World()
        let held = HeldWorkers(World.sees(World.evidence(1)), pause: 200)
        world.environment.workers = held
        let attempt = try world.attempt { _ in held.release() }
        #expect(attempt.report.verdict == Verdict(.accepted, .matched))
    }

    @Test func whatIsDoneMeanwhileCountsAgainstTheDeadline() throws {
        var world = try World()
        // A worker that never greets is waited for until the deadline, 400 ms before the module's.
        let held = HeldWorkers({ _ in }, pause: 1500)
        world.environment.workers = held
        let attempt = try world.attempt(BeginRequest(deadline: 2000, user: "anna", service: "sudo")) { _ in
            held.release()
        }
        #expect(attempt.report.verdict == Verdict(.notJudged, .workerDied))
        #expect(attempt.report.faults == ["worker: it did not load the models in time"])
        #expect(
            attempt.report.record.milliseconds < 2600, "the module did not wait so long: it sent the secret at once")
    }

    @Test(arguments: faults.indices)
    func aFaultMeanwhileIsTheSameRefusalAndToldAfterTheSecret(index: Int) throws {
        let (harm, outcome, reason) = LoginReadyTests.faults[index]
        var world = try World(World.sees(World.evidence(1)))
        try harm(&world)
        var wasQuiet = false
        // A wrong password, which nobody looks at: it is neither named nor counted.
        let attempt = try world.attempt(password: "wrong") { channel in
            do throws(PlatformError) {
                let early = try channel.receive(until: SystemTime().now() + 150)
                _ = early?.hasDescriptor
            } catch .timedOut { wasQuiet = true } catch {}
        }
        #expect(attempt.wasAskedForSecret)
        #expect(wasQuiet, "said something, or left, while the person typed")
        #expect(attempt.report.verdict == Verdict(outcome, reason))
        #expect(attempt.verdictByte == outcome.rawValue)
        #expect(attempt.notices == [Texts.text(Verdict(outcome, reason))])
        #expect(
            attempt.wasEndedInOrder, "a module that connected to the service takes a reset for a broken conversation")
        #expect(attempt.report.faults.count == 1)
        let store = try world.openStore()
        #expect(try store.attempts().first?.record.verdict == Verdict(outcome, reason))
        let tally = try store.tally(of: "anna")
        #expect(tally.misses == 0)
        #expect(tally.wrongPasswords == 0)
    }

    @Test(arguments: faults.indices)
    func aFaultMeanwhileRefusesTheFaceAloneAtOnce(index: Int) throws {
        let (harm, outcome, reason) = LoginReadyTests.faults[index]
        var world = try World(World.sees(World.evidence(1)))
        try harm(&world)
        let attempt = try world.attempt(BeginRequest(faceOnly: true, user: "anna", service: "sudo"))
        #expect(!attempt.wasAskedForSecret)
        #expect(attempt.report.verdict == Verdict(outcome, reason))
        #expect(attempt.wasEndedInOrder)
    }

    @Test func aFaultMeanwhileEndsWithACallerWhoLeaves() throws {
        var world = try World()
        world.environment.workers = NoWorkers()
        let pair = try Channel.makePair()
        let near = dup(pair.first.raw)
        let far = dup(pair.second.raw)
        _ = consume pair
        let report = world.run(far) {
            let module = Channel(Descriptor(owning: near))
            let begin = ModuleMessage.begin(BeginRequest(user: "anna", service: "sudo"))
            try? module.send(begin.frame.bytes, until: SystemTime().now() + 2000)
            let ready = (try? module.receive(until: SystemTime().now() + 20_000))?.bytes ?? []
            #expect(ready.dropFirst().first == 0x81)
        }
        #expect(report.verdict == Verdict(.notJudged, .workerDied))
    }

    @Test func cancellingWhileTheWorkerStartsEndsTheAttempt() throws {
        var world = try World()
        let held = HeldWorkers(World.sees(World.evidence(1)))
        world.environment.workers = held
        let attempt = try world.attempt { channel in
            try? channel.send(ModuleMessage.cancel.frame.bytes, until: SystemTime().now() + 2000)
            held.release()
        }
        #expect(attempt.report.verdict == Verdict(.notJudged, .cancelled))
        #expect(try world.openStore().tally(of: "anna").misses == 0)
    }

    @Test func theFaceAloneOfWhoIsNotEnrolledIsRefusedAndNotCharged() throws {
        let world = try World()
        let attempt = try world.attempt(BeginRequest(faceOnly: true, user: "bert", service: "sudo"))
        #expect(attempt.report.verdict == Verdict(.notJudged, .notEnrolled))
        #expect(try world.openStore().tally(of: "bert") == Tally())
    }
}
