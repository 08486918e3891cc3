// SPDX-License-Identifier: Apache-2.0
// Who of two enrolled people is seen: named only when near enough, alive, and one and the same all the time.

import Biometrics
import Policy
import TemplateStore
import Testing

@testable import Monitor

@Suite struct IdentifySessionTests {
    /// anna and bert are enrolled.
    static func world(_ script: @escaping ScriptedWorkers.Script) throws -> World {
        let world = try World(script)
        var store = try world.openStore()
        let template = Template(label: "default", embeddings: [World.face(2)], model: try world.modelHash())
        try store.enrol(template, user: "bert", uid: 1001, replacing: false, at: 2)
        return world
    }

    static func identify(_ world: World, _ settings: Settings = quick) throws -> IdentifyResult? {
        try IdentifySession.run(environment: world.environment, settings: settings) { _ in true }
    }

    static let quick: Settings = {
        (try? Settings.parse(Array(World.settings.utf8), service: "")) ?? Settings()
    }()

    @Test(arguments: [(1, "anna"), (2, "bert")])
    func namesTheNearest(_ seed: Int, _ name: String) throws {
        let world = try Self.world(World.sees(World.evidence(seed)))
        let result = try #require(try Self.identify(world))
        #expect(result.name == name)
        #expect(result.people == 2)
        #expect(result.candidates.count == 2)
        let nearest = try #require(result.candidates.first)
        #expect(nearest.similarity > 0.99)
        #expect(result.threshold > Calibration.threshold(for: .strict))
    }

    @Test func namesThatLookAlikeAreTwoPeoples() throws {
        // The same letters, once written with a combining accent: two accounts, side by side in the store.
        let world = try World(World.sees(World.evidence(4)))
        var store = try world.openStore()
        for (user, seed) in [("di\u{301}a", 3), ("d\u{ED}a", 4)] {
            let template = Template(label: "default", embeddings: [World.face(seed)], model: try world.modelHash())
            try store.enrol(template, user: user, uid: 1_000 + UInt32(seed), replacing: false, at: 2)
        }
        let result = try #require(try Self.identify(world))
        #expect(result.people == 3, "\(result)")
        #expect(result.name.map { Array($0.utf8) } == Array("d\u{ED}a".utf8))
    }

    @Test func namesNobodyForAStranger() throws {
        let world = try Self.world(World.sees(World.evidence(9)))
        let result = try #require(try Self.identify(world))
        #expect(result.name == nil)
        #expect(result.verdict == Verdict(.refused, .otherPerson))
        #expect(try #require(result.candidates.first).similarity < result.threshold)
    }

    @Test func namesNobodyWhoIsNotAlive() throws {
        let world = try Self.world(World.sees(World.evidence(1, passive: -6)))
        let result = try #require(try Self.identify(world))
        #expect(result.name == nil)
        #expect(result.verdict == Verdict(.refused, .notLive))
        #expect(result.candidates.first?.name == "anna")
    }

    @Test func namesNobodyInAnEmptyRoom() throws {
        let world = try Self.world(World.sees(nil, frames: 40))
        let result = try #require(try Self.identify(world))
        #expect(result.verdict == Verdict(.notJudged, .noFace))
        #expect(result.candidates.isEmpty)
    }

    @Test func namesNobodyWhenOneEnrolledPersonTakesTheOthersPlace() throws {
        let world = try Self.world { stage in
            guard World.warmUp(&stage) else { return }
            stage.frames(3, World.evidence(1))
            stage.frames(27, World.evidence(2))
        }
        let result = try #require(try Self.identify(world))
        #expect(result.name == nil)
    }

    @Test func comparesWithNobodyOfAnotherRecogniser() throws {
        let world = try World(World.sees(World.evidence(1)))
        var store = try world.openStore()
        try store.remove(user: "anna")
        let other = Template(label: "default", embeddings: [World.face(1)], model: String(repeating: "0", count: 64))
        try store.enrol(other, user: "anna", uid: 1000, replacing: false, at: 1)
        #expect(try Self.identify(world) == nil)
    }

    @Test func holdsAnAcceptanceOnlyForThePersonJudged() throws {
        let judge: (Embedding) -> Judge = { reference in
            var chance = SystemRandomNumberGenerator()
            return Judge(reference: reference, settings: Self.quick, hasPassive: true, started: 0, using: &chance)
        }
        let people = Identification([("anna", World.face(1)), ("bert", World.face(2))])
        let search = Search(people, anyone: World.face(1), judge: judge)
        #expect(search.confirmed(Verdict(.accepted, .matched)) == Verdict(.refused, .otherPerson))
        #expect(search.confirmed(Verdict(.notJudged, .noFace)) == Verdict(.notJudged, .noFace))
    }
}
