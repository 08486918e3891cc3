// SPDX-License-Identifier: Apache-2.0
// Whole attempts against a played worker and a played module: outcome, reason, record and tally of each.

import Biometrics
import Credentials
import Platform
import Policy
import TemplateStore
import TestSupport
import Testing
import Wire

@testable import Monitor

@Suite struct LoginSessionTests {
    private func expect(
        _ attempt: Attempted, _ outcome: Outcome, _ reason: Reason, _ comment: Comment? = nil,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(attempt.report.verdict == Verdict(outcome, reason), comment, sourceLocation: location)
        #expect(attempt.verdictByte == attempt.report.verdict.outcome.rawValue, sourceLocation: location)
    }

    @Test func acceptsTheEnrolledPersonAndRecordsIt() throws {
        let world = try World(World.sees(World.evidence(1)))
        let attempt = try world.attempt()
        expect(attempt, .accepted, .matched)
        #expect(attempt.notices == ["Look at the camera."])
        var store = try world.openStore()
        let found = try #require(try store.attempts().first)
        #expect(found.record == attempt.report.record)
        #expect((found.record.similarity ?? 0) > 0.99)
        #expect(found.record.service == "sudo")
        #expect(try store.tally(of: "anna").misses == 0)
        #expect(try store.verifyChain().faults.isEmpty)
    }

    @Test func refusesAnotherPersonAndCountsIt() throws {
        let world = try World(World.sees(World.evidence(2)))
        let attempt = try world.attempt()
        expect(attempt, .refused, .otherPerson)
        #expect(attempt.notices.last == "Not recognised.")
        #expect(try world.openStore().tally(of: "anna").misses == 1)
    }

    @Test func refusesAnAttackAndCountsIt() throws {
        let world = try World(World.sees(World.evidence(1, passive: -4)))
        expect(try world.attempt(), .refused, .notLive)
        #expect(try world.openStore().tally(of: "anna").misses == 1)
    }

    @Test func aWrongPasswordNeverOpensTheCamera() throws {
        var world = try World(World.sees(World.evidence(1)))
        world.environment.cameras = FixedCameras(fault: CameraFault(.cameraMissing, "was opened"))
        let attempt = try world.attempt(password: "wrong")
        expect(attempt, .refused, .wrongPassword)
        #expect(!attempt.notices.contains("Look at the camera."))
        #expect(attempt.report.record.detail.isEmpty)
        let tally = try world.openStore().tally(of: "anna")
        #expect(tally.misses == 0)
        #expect(tally.wrongPasswords == 1)
    }

    @Test(arguments: [
        (PasswordOutcome.locked, Reason.accountLocked), (.empty, .accountEmpty), (.expired, .accountExpired),
    ])
    func refusesAccountsThatAreNotInOrder(outcome: PasswordOutcome, reason: Reason) throws {
        var world = try World(World.sees(World.evidence(1)))
        world.environment.passwords = FixedPasswords(outcome: outcome)
        expect(try world.attempt(), .refused, reason)
    }

    @Test func aPasswordThatCannotBeCheckedIsAFaultAndGivesTheChargeBack() throws {
        var world = try World(World.sees(World.evidence(1)))
        world.environment.passwords = NoPasswords()
        expect(try world.attempt(), .fault, .system)
        #expect(try world.openStore().tally(of: "anna").misses == 0)
    }

    @Test func faceOnlyAsksForNoSecret() throws {
        let world = try World(World.sees(World.evidence(1)))
        let attempt = try world.attempt(BeginRequest(faceOnly: true, user: "anna", service: "sudo"))
        expect(attempt, .accepted, .matched)
        #expect(!attempt.wasAskedForSecret)
    }

    @Test func unknownUsersAreAskedForTheSecretLikeAnyone() throws {
        let world = try World()
        let attempt = try world.attempt(BeginRequest(user: "carl", service: "sudo"))
        expect(attempt, .unknownUser, .unknownUser)
        #expect(attempt.wasAskedForSecret)
        expect(
            try world.attempt(BeginRequest(faceOnly: true, user: "carl", service: "sudo")), .unknownUser, .unknownUser)
    }

    @Test func whoIsNotEnrolledIsRefusedOrSkippedBySetting() throws {
        let world = try World()
        expect(try world.attempt(BeginRequest(user: "bert", service: "sudo")), .notJudged, .notEnrolled)
        expect(
            try world.attempt(BeginRequest(user: "bert", service: "sudo"), password: "wrong"), .refused, .wrongPassword)
        let lenient = try World(settings: "not_enrolled = skip\n")
        expect(try lenient.attempt(BeginRequest(user: "bert", service: "sudo")), .skipped, .notEnrolled)
        expect(try lenient.attempt(BeginRequest(user: "carl", service: "sudo")), .unknownUser, .unknownUser)
    }

    @Test func remoteCallersAreRefusedOrSkippedBySetting() throws {
        var world = try World(World.sees(World.evidence(1)))
        world.environment.remote = FixedRemoteness(words: "remote host 'far'")
        let attempt = try world.attempt()
        expect(attempt, .notJudged, .remoteSession)
        #expect(!attempt.wasAskedForSecret)
        #expect(attempt.report.record.detail == "remote host 'far'")
        #expect(attempt.notices == ["The camera is used for logins at this computer only."])
        var lenient = try World(settings: "remote = skip\n")
        lenient.environment.remote = FixedRemoteness(words: "remote host 'far'")
        expect(try lenient.attempt(), .skipped, .remoteSession)
    }

    @Test func whatIsSkippedIsTheFaceAndNotThePassword() throws {
        let unenrolled = BeginRequest(user: "bert", service: "sudo")
        let lenient = try World(settings: "not_enrolled = skip\n")
        expect(try lenient.attempt(unenrolled, password: "wrong"), .refused, .wrongPassword)
        #expect(try lenient.attempt(unenrolled).wasAskedForSecret)
        var far = try World(settings: "remote = skip\n")
        far.environment.remote = FixedRemoteness(words: "remote host 'far'")
        expect(try far.attempt(password: "wrong"), .refused, .wrongPassword)
        expect(try far.attempt(BeginRequest(user: "carl", service: "sudo")), .unknownUser, .unknownUser)
        let faceOnly = try far.attempt(BeginRequest(faceOnly: true, user: "anna", service: "sudo"))
        expect(faceOnly, .skipped, .remoteSession)
        #expect(!faceOnly.wasAskedForSecret)
    }

    @Test func wrongPasswordsOfWhoIsSkippedLockAndAreForgotten() throws {
        let bert = BeginRequest(user: "bert", service: "sudo")
        let world = try World(settings: "not_enrolled = skip\n")
        for _ in 0..<4 { expect(try world.attempt(bert, password: "wrong"), .refused, .wrongPassword) }
        expect(try world.attempt(bert), .skipped, .notEnrolled)
        for _ in 0..<5 { expect(try world.attempt(bert, password: "wrong"), .refused, .wrongPassword) }
        expect(try world.attempt(bert), .locked, .locked)
    }

    @Test func locksAfterFiveMissesWhateverComesThen() throws {
        let world = try World(World.sees(World.evidence(2)))
        for _ in 0..<5 { expect(try world.attempt(), .refused, .otherPerson) }
        var fine = world
        fine.environment.workers = ScriptedWorkers(World.sees(World.evidence(1)))
        let attempt = try fine.attempt()
        expect(attempt, .locked, .locked)
        #expect(attempt.notices == ["Too many attempts. Wait a while before the next."])
        #expect(!attempt.wasAskedForSecret, "told before anybody types in vain")
        _ = try world.openStore().withUnlock("anna")
        expect(try fine.attempt(), .accepted, .matched)
    }

    @Test(arguments: [
        (CameraFault(.cameraMissing, "none"), Reason.cameraMissing), (CameraFault(.cameraBusy, "busy"), .cameraBusy),
        (CameraFault(.cameraDenied, "denied"), .cameraDenied), (CameraFault(.cameraVirtual, "fed"), .cameraVirtual),
    ])
    func aCameraThatDoesNotOpenIsNamedAndNotCounted(fault: CameraFault, reason: Reason) throws {
        var world = try World(World.sees(World.evidence(1)))
        world.environment.cameras = FixedCameras(fault: fault)
        let attempt = try world.attempt()
        expect(attempt, .notJudged, reason)
        #expect(attempt.report.record.detail == fault.detail)
        #expect(try world.openStore().tally(of: "anna").misses == 0)
    }

    @Test(arguments: [
        (TroubleKind.busy, Outcome.notJudged, Reason.cameraBusy), (.gone, .notJudged, .cameraMissing),
        (.noFormat, .notJudged, .cameraFailed), (.timedOut, .notJudged, .cameraFailed),
        (.failed, .notJudged, .cameraFailed), (.model, .fault, .badModel), (.sandbox, .fault, .sandboxUnavailable),
    ])
    func theWorkersTroublesAreNamed(kind: TroubleKind, outcome: Outcome, reason: Reason) throws {
        let world = try World { stage in
            if World.warmUp(&stage) { stage.say(.trouble(kind, detail: "words")) }
        }
        let attempt = try world.attempt()
        expect(attempt, outcome, reason)
        #expect(attempt.report.record.detail.contains("words"))
    }

    @Test func nobodyDarknessAndSilenceAreNamedAndNotCounted() throws {
        let empty = try World(World.sees(nil))
        expect(try empty.attempt(), .notJudged, .noFace)
        let dark = try World { stage in
            guard World.warmUp(&stage) else { return }
            for _ in 0..<30 {
                stage.frame([], brightness: 3)
                try? Readiness.pause(until: SystemTime().now() + 60)
            }
        }
        expect(try dark.attempt(), .notJudged, .tooDark)
        let silent = try World { stage in _ = World.warmUp(&stage) }
        expect(try silent.attempt(), .notJudged, .cameraFailed)
        for world in [empty, dark, silent] { #expect(try world.openStore().tally(of: "anna").misses == 0) }
    }

    @Test func aWorkerThatDiesIsNamed() throws {
        var world = try World()
        world.environment.workers = DyingWorkers()
        expect(try world.attempt(), .notJudged, .workerDied)
        world.environment.workers = NoWorkers()
        expect(try world.attempt(), .notJudged, .workerDied)
    }

    @Test func everyWallMustStandUnlessTheSettingsSayOtherwise() throws {
        let script: ScriptedWorkers.Script = { stage in
            stage.say(
                .hello(
                    WorkerHello(
                        bringsFrames: false, hasPassive: true, hasSecondOpinion: false,
                        sandbox: [.noNewPrivileges, .otherUser, .seccomp, .resourceLimits])))
            guard stage.awaitLook() else { return }
            stage.say(World.started)
            stage.frames(30, World.evidence(1))
        }
        let attempt = try World(script).attempt()
        expect(attempt, .fault, .sandboxUnavailable)
        #expect(attempt.report.faults == ["sandbox: the worker lacks Landlock"])
        expect(try World(settings: "sandbox = best-effort\n", script).attempt(), .accepted, .matched)
    }

    @Test func badSettingsRefuseEverybody() throws {
        let world = try World(settings: "match = 2\n", World.sees(World.evidence(1)))
        let attempt = try world.attempt()
        expect(attempt, .fault, .badSettings)
        #expect(!attempt.wasAskedForSecret)
        #expect(attempt.notices == ["Second Look is not working. Ask an administrator."])
        world.temporary.write("secondlook.conf", text: World.settings, mode: 0o666)
        expect(try world.attempt(), .fault, .badSettings)
    }

    @Test func aBadStoreRefusesEverybody() throws {
        let world = try World(settings: "not_enrolled = skip\nremote = skip\n", World.sees(World.evidence(1)))
        TemporaryFolder.setMode(world.temporary.file("state"), 0o755)
        expect(try world.attempt(), .fault, .badStore)
        expect(try world.attempt(BeginRequest(user: "bert", service: "sudo")), .fault, .badStore)
        TemporaryFolder.setMode(world.temporary.file("state"), 0o700)
        world.temporary.write("state/secondlook.db", text: "nonsense")
        expect(try world.attempt(), .fault, .badStore)
    }

    @Test func aBadTemplateRefuses() throws {
        let world = try World(World.sees(World.evidence(1)))
        var store = try world.openStore()
        try store.enrol(
            Template(label: "other", embeddings: [World.face(9)], model: try world.modelHash()), user: "anna", uid: 999,
            replacing: false, at: 1)
        expect(try world.attempt(), .fault, .badTemplate)
    }

    @Test func aTemplateOfAnotherRecogniserIsNoEnrolment() throws {
        let world = try World(World.sees(World.evidence(1)))
        var store = try world.openStore()
        try store.remove(user: "anna")
        try store.enrol(
            Template(label: "old", embeddings: [World.face(1)], model: String(repeating: "0", count: 64)), user: "anna",
            uid: 1000, replacing: false, at: 1)
        expect(try world.attempt(), .notJudged, .notEnrolled)
    }

    @Test(arguments: ["recogniser", "detector", "liveness"])
    func anAlteredModelRefusesByName(role: String) throws {
        let world = try World(World.sees(World.evidence(1)))
        let path = world.temporary.write(
            "programs/models/\(role).onnx", text: "The \(role)", mode: 0o644)
        let attempt = try world.attempt()
        expect(attempt, .fault, .badModel)
        #expect(attempt.report.faults == ["'\(path)' was altered: its SHA-256 differs"])
    }

    @Test func recoveryCodesStandInForACameraThatFailed() throws {
        var world = try World(World.sees(World.evidence(1)))
        world.environment.cameras = FixedCameras(fault: CameraFault(.cameraMissing, "none"))
        #expect(try world.attempt().prompts.isEmpty, "nobody is asked who has no code")
        var store = try world.openStore()
        let codes = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 1)
        let first = try world.attempt(answer: codes[3].lowercased())
        expect(first, .accepted, .recoveryCode)
        #expect(first.prompts.count == 1)
        expect(try world.attempt(answer: codes[3]), .refused, .wrongRecoveryCode, "a code is used once")
        #expect(try world.openStore().tally(of: "anna").misses == 1)
        expect(try world.attempt(answer: ""), .notJudged, .cameraMissing)
        #expect(try world.attempt(password: "wrong", answer: codes[4]).prompts.isEmpty)
        var other = world
        other.environment.cameras = FixedCameras()
        other.environment.workers = ScriptedWorkers(World.sees(World.evidence(2)))
        #expect(try other.attempt(answer: codes[5]).prompts.isEmpty, "a camera that works is not replaced by a code")
    }

    @Test func recoveryCodesStandInForAWorkerThatDies() throws {
        let world = try World { _ in }
        var store = try world.openStore()
        let codes = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 1)
        expect(try world.attempt(answer: codes[0]), .accepted, .recoveryCode)
        expect(try world.attempt(answer: codes[0]), .refused, .wrongRecoveryCode)
        expect(try world.attempt(password: "wrong", answer: codes[1]), .refused, .wrongPassword)
        expect(try world.attempt(answer: ""), .notJudged, .workerDied)
    }

    @Test func recoveryCodesCanBeTurnedOff() throws {
        var world = try World(settings: "recovery = no\n")
        world.environment.workers = NoWorkers()
        world.environment.cameras = FixedCameras(fault: CameraFault(.cameraMissing, "none"))
        var store = try world.openStore()
        _ = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 1)
        #expect(try world.attempt().prompts.isEmpty)
    }

    @Test func evidenceDecidesAlsoWhenTheCallerPullsThePlug() throws {
        let world = try World(World.sees(World.evidence(2), frames: 60))
        let pair = try Channel.makePair()
        let near = dup(pair.first.raw)
        let far = dup(pair.second.raw)
        _ = consume pair
        let verdict = world.run(far) {
            var module = PlayedModule(Channel(Descriptor(owning: near)))
            module.say(.begin(BeginRequest(faceOnly: true, user: "anna", service: "sudo")))
            // Told to look; the plug is pulled before a stranger is refused at once, and after he was compared.
            module.awaitNotice()
            try? Readiness.pause(until: SystemTime().now() + 900)
        }
        #expect(verdict.verdict == Verdict(.refused, .otherPerson))
        #expect(try world.openStore().tally(of: "anna").misses == 1)
    }
}

/// Workers that greet and end.
struct DyingWorkers: WorkerStarting {
    func start(_ models: ModelSet, isStrict: Bool, time: any TimeSource) throws(MonitorError) -> WorkerLink {
        do throws(PlatformError) {
            let pair = try Channel.makePair()
            try pair.second.send(World.hello.frame.bytes, until: time.now() + 1000)
            return WorkerLink(pair.takeFirst(), child: nil, time: time)
        } catch { throw .system(error) }
    }
}

extension Store {
    consuming func withUnlock(_ user: String) throws -> Bool { try unlock(user, lockout: Lockout(Settings())) }
}
