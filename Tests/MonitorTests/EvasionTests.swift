// SPDX-License-Identifier: Apache-2.0
// Attempts that try not to be counted, through the whole session.

import Biometrics
import Platform
import Policy
import TemplateStore
import TestSupport
import Testing
import Wire

@testable import Monitor

@Suite struct EvasionTests {
    @Test func aWorkerThatGuessesFacesAndThenBreaksTheRulesIsCounted() throws {
        let world = try World { stage in
            guard World.warmUp(&stage) else { return }
            for _ in 0..<3 { stage.frame([World.evidence(2)]) }
            stage.say(raw: [9, 9, 9, 9])
            stage.awaitEnd()
        }
        let attempt = try world.attempt()
        #expect(attempt.report.verdict == Verdict(.refused, .otherPerson))
        #expect(attempt.report.faults.count == 1, "the fault is in the log all the same")
        #expect(try world.openStore().tally(of: "anna").misses == 1)
    }

    @Test func aWorkerThatBreaksTheRulesWithoutAGuessIsAFault() throws {
        let world = try World { stage in
            guard World.warmUp(&stage) else { return }
            stage.say(raw: [9, 9, 9, 9])
            stage.awaitEnd()
        }
        #expect(try world.attempt().report.verdict == Verdict(.fault, .badEvidence))
        #expect(try world.openStore().tally(of: "anna").misses == 0)
    }

    @Test func aFaceAloneForgivesNoWrongPassword() throws {
        let world = try World(World.sees(World.evidence(1)))
        for _ in 0..<4 { _ = try world.attempt(password: "wrong") }
        let attempt = try world.attempt(BeginRequest(faceOnly: true, user: "anna", service: "lock"))
        #expect(attempt.report.verdict.outcome == .accepted)
        #expect(try world.openStore().tally(of: "anna").wrongPasswords == 4)
    }

    @Test func theServiceCountsWrongPasswordsItself() throws {
        var world = try World(settings: "password_lockout = faillock\n", World.sees(World.evidence(1)))
        _ = try world.attempt(password: "wrong")
        #expect(try world.openStore().tally(of: "anna").wrongPasswords == 0)
        world.environment.isService = true
        // A user may ask about himself, and the seal of the template is bound to another number.
        var store = try world.openStore()
        try store.remove(user: "anna")
        let own = Account(name: "anna", user: Machine.effectiveUser, group: 1000, home: "/")
        world.environment.findAccount = { _ throws(PlatformError) in own }
        _ = try world.attempt(password: "wrong")
        #expect(try world.openStore().tally(of: "anna").wrongPasswords == 1)
    }

    @Test func aNameIsNoFieldOfTheLogsLine() {
        let record = AttemptRecord(
            time: 0, user: "x' service='login", service: "su", verdict: Verdict(.refused, .otherPerson))
        let line = LoginReport(verdict: record.verdict, record: record, faults: []).line
        #expect(line.contains("user='x\" service=\"login' service='su'"))
    }

    @Test func whoOnlyPretendsToBeFarAwayIsNotSkipped() throws {
        var world = try World(settings: "remote = skip\n", World.sees(World.evidence(1)))
        world.environment.remote = FixedRemoteness(words: "inside an SSH session", isCertain: false)
        #expect(try world.attempt().report.verdict == Verdict(.notJudged, .remoteSession))
        world.environment.remote = FixedRemoteness(words: "remote host 'far'", isCertain: true)
        #expect(try world.attempt().report.verdict == Verdict(.skipped, .remoteSession))
    }

    @Test func aWorkerThatHidesItsPassiveNetworkIsAFault() throws {
        let world = try World { stage in
            stage.say(
                .hello(WorkerHello(bringsFrames: false, hasPassive: false, hasSecondOpinion: false, sandbox: .all)))
            if stage.awaitLook() { stage.frames(12, World.evidence(1)) }
        }
        #expect(try world.attempt().report.verdict == Verdict(.fault, .badEvidence))
    }
}
