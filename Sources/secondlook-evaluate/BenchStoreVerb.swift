// SPDX-License-Identifier: Apache-2.0
// What a store of many users costs: listing them, enrolling one more, and everything a login asks of the store. Makes the store in the
// folder given, unless there is one, and leaves it there.

import Biometrics
import Foundation
import Policy
import TemplateStore

/// `secondlook-evaluate bench-store`.
enum BenchStoreVerb {
    static let usage = "--folder DIR [--users N] [--runs N]"
    private static let model = String(repeating: "0", count: 64)
    private static let lockout = Lockout(Settings())

    static func run(_ arguments: Arguments) throws {
        try arguments.only(["folder", "users", "runs"])
        let folder = try arguments.required("folder")
        let count = try arguments.number("users", 10_000)
        let runs = max(3, try arguments.number("runs", 15))
        var source = MadeFaces()
        if !Store.isThere(folder: folder) { try fill(folder, count, &source) }
        let more: [(String, Json)] = [("users", .whole(count))]
        let stages: [(String, () throws -> Void)] = [
            (
                "store-open",
                { _ = try Store(folder: folder, keyFolder: folder, creating: false).summaries(of: "nobody") }
            ),
            ("store-list", { _ = try Store(folder: folder, keyFolder: folder, creating: false).summaries() }),
            ("store-enrol", { try enrol(folder, &source) }),
            ("store-login", { try login(folder, user: count / 2) }),
        ]
        for (name, body) in stages {
            let times = try Times.measure(runs, warmUps: 1) {
                try body()
                return true
            }
            if let times { print(times.line(name, more)) }
        }
    }

    private static func name(_ number: Int) -> String { "person-\(number)" }

    private static func fill(_ folder: String, _ count: Int, _ source: inout MadeFaces) throws {
        var store = try Store(folder: folder, keyFolder: folder, creating: true)
        for number in 0..<count {
            let samples = (0..<8).map { _ in source.next() }
            let template = Template(label: "default", embeddings: samples, model: model)
            let uid = UInt32(10_000 + number)
            try store.enrol(template, user: name(number), uid: uid, replacing: false, at: 1)
            try attempt(&store, name(number))
        }
    }

    private static func enrol(_ folder: String, _ source: inout MadeFaces) throws {
        var store = try Store(folder: folder, keyFolder: folder, creating: false)
        let template = Template(label: "again", embeddings: (0..<8).map { _ in source.next() }, model: model)
        try store.enrol(template, user: name(1), uid: 10_001, replacing: true, at: 2)
    }

    /// What the helper asks of the store, in its order.
    private static func login(_ folder: String, user number: Int) throws {
        var store = try Store(folder: folder, keyFolder: folder, creating: true)
        let user = name(number)
        guard try store.isEnrolled(user) else { throw EvaluateError.usage("'\(user)' is not enrolled in '\(folder)'") }
        _ = try store.tally(of: user)
        let enrolled = try store.templates(of: user, uid: UInt32(10_000 + number))
        guard enrolled.reference(model: model) != nil else { throw EvaluateError.usage("no reference of '\(user)'") }
        for part in ["detector", "recogniser", "liveness"] { _ = try store.proof(of: part) }
        try attempt(&store, user)
    }

    private static func attempt(_ store: inout Store, _ user: String) throws {
        let now = Moment(boot: "bench", sinceBoot: 1_000_000, wall: 1_000_000)
        let record = AttemptRecord(
            time: 1, user: user, service: "sudo", verdict: Verdict(.accepted, .matched), similarity: 0.8, model: model,
            milliseconds: 700, detail: "frames=21/21 motion=1.2")
        guard case .charged(let charged) = try store.charge(record, lockout: lockout, at: now) else {
            throw EvaluateError.usage("'\(user)' is locked in the store to measure")
        }
        try store.settle(charged, as: record, lockout: lockout, at: now)
    }
}
