// SPDX-License-Identifier: Apache-2.0
// A trial says what a login would have come to, and reads out the face; it charges and records nothing.

import Biometrics
import Policy
import TemplateStore
import Testing

@testable import Monitor

@Suite struct TrialSessionTests {
    @Test func readsOutTheFaceAndItsNearestLabel() throws {
        let world = try World(World.sees(World.evidence(1)))
        var store = try world.openStore()
        let other = Template(label: "glasses", embeddings: [World.face(5)], model: try world.modelHash())
        try store.enrol(other, user: "anna", uid: 1000, replacing: false, at: 2)
        var glimpses: [Glimpse] = []
        let found = try TrialSession.run(
            user: World.anna, environment: world.environment, settings: IdentifySessionTests.quick
        ) { news in
            if case .frame(_, .some(let glimpse)) = news { glimpses.append(glimpse) }
            return true
        }
        let result = try #require(found)
        #expect(result.label?.name == "default")
        #expect(result.verdict == Verdict(.accepted, .matched))
        #expect(glimpses.last?.box == Box(x: 240, y: 140, width: 160, height: 200))
        #expect(abs(glimpses.last?.pose?.yaw ?? 90) < 10)
        #expect(try store.attempts().isEmpty)
    }

    @Test func endsAtOnceWhenToldSo() throws {
        let world = try World(World.sees(World.evidence(1)))
        let result = try TrialSession.run(
            user: World.anna, environment: world.environment, settings: IdentifySessionTests.quick
        ) { _ in false }
        #expect(result?.verdict == Verdict(.notJudged, .cancelled))
    }

    @Test func isNilForWhoIsNotEnrolled() throws {
        let world = try World(World.sees(World.evidence(1)))
        let result = try TrialSession.run(
            user: World.bert, environment: world.environment, settings: IdentifySessionTests.quick
        ) { _ in true }
        #expect(result == nil)
    }
}
