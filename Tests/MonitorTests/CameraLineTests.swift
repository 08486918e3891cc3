// SPDX-License-Identifier: Apache-2.0
// One attempt at a time has the camera; the others wait within their own time and end with a verdict.

import Dispatch
import Platform
import Policy
import TemplateStore
import TestSupport
import Testing
import Wire

@testable import Monitor

@Suite struct CameraLineTests {
    private static let told = "Another login is using the camera. Please wait."

    @Test func whoWaitsTooLongIsToldThatItIsInUseAndNotCounted() throws {
        let world = try World(World.sees(World.evidence(1)))
        var holder = try CameraLine.join(world.environment)
        #expect(try holder.hasCome())
        let attempt = try world.attempt(BeginRequest(deadline: 4000, user: "anna", service: "sudo"))
        #expect(attempt.report.verdict == Verdict(.notJudged, .cameraBusy))
        #expect(attempt.verdictByte == Outcome.notJudged.rawValue)
        #expect(attempt.report.record.detail == CameraLine.late)
        #expect(attempt.notices == [CameraLineTests.told, "The camera is in use by another program."])
        #expect((900..<3600).contains(attempt.report.record.milliseconds))
        #expect(try world.openStore().tally(of: "anna").misses == 0)
        #expect(try holder.hasCome())
    }

    @Test func goesOnWhenTheHolderEnds() throws {
        let world = try World(World.sees(World.evidence(1)))
        let environment = world.environment
        let isHeld = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            var holder = try? CameraLine.join(environment)
            _ = try? holder?.hasCome()
            isHeld.signal()
            try? Readiness.pause(until: SystemTime().now() + 2_000)
            holder = nil
        }
        isHeld.wait()
        let attempt = try world.attempt()
        #expect(attempt.report.verdict == Verdict(.accepted, .matched))
        #expect(attempt.notices == [CameraLineTests.told, "Look at the camera."])
    }

    @Test func aCallerWhoLeavesTheLineIsGone() throws {
        let world = try World(World.sees(World.evidence(1)))
        var holder = try CameraLine.join(world.environment)
        #expect(try holder.hasCome())
        let pair = try Channel.makePair()
        let near = dup(pair.first.raw)
        let far = dup(pair.second.raw)
        _ = consume pair
        let report = world.run(far) {
            var module = PlayedModule(Channel(Descriptor(owning: near)))
            module.say(.begin(BeginRequest(user: "anna", service: "sudo")))
            module.say(.secret(Array("right".utf8)))
            module.awaitNotice()
        }
        #expect(report.verdict == Verdict(.notJudged, .cancelled))
        #expect(try world.openStore().tally(of: "anna").misses == 0)
        #expect(try holder.hasCome())
    }

    @Test func eachAttemptLeavesTheLineFree() throws {
        let world = try World(World.sees(World.evidence(2)))
        #expect(try world.attempt().report.verdict == Verdict(.refused, .otherPerson))
        #expect(try world.attempt(password: "wrong").report.verdict == Verdict(.refused, .wrongPassword))
        var turn = try CameraLine.join(world.environment)
        #expect(try turn.hasCome())
    }

    @Test func aLineThatOthersCouldHoldRefuses() throws {
        let world = try World(World.sees(World.evidence(1)))
        world.temporary.write("credentials", text: "no folder")
        let attempt = try world.attempt()
        #expect(attempt.report.verdict.outcome == .fault)
        #expect(attempt.report.faults.first?.contains("credentials") == true)
    }

    @Test func anAdministratorsVerbIsToldAsWell() throws {
        let world = try World(World.sees(World.evidence(1)))
        var holder = try CameraLine.join(world.environment)
        #expect(try holder.hasCome())
        #expect(throws: MonitorError.camera(.cameraBusy, CameraLine.late)) {
            _ = try CameraLine.wait(world.environment, until: SystemTime().now() + 50)
        }
    }

    @Test(arguments: [
        (29_600 as UInt64, 20_000 as UInt64, 9_600 as UInt64), (20_000, 20_000, 5_000), (24_000, 20_000, 6_000),
        (1_000, 20_000, 250), (0, 20_000, 0),
    ])
    func waitsNoLongerThanLookingAllows(left: UInt64, looking: UInt64, expected: UInt64) {
        #expect(CameraLine.patience(left: left, looking: looking) == expected)
    }
}
