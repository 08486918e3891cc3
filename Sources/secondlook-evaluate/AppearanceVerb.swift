// SPDX-License-Identifier: Apache-2.0
// `secondlook-evaluate appearance`: how often two looks at one face resemble each other, and how often two at different people do. It is where
// the limit below which a face is compared at once comes from.

import Biometrics
import Foundation
import Vision

/// The verb.
enum AppearanceVerb {
    static let usage = "--session DIR… [--json OUT] [--models DIR]"

    /// Looks at one face further apart than this, in milliseconds, are compared anew anyway.
    private static let apart: UInt64 = 400
    /// Two faces whose mean embeddings are less alike than this are different people's.
    private static let different: Float = 0.2

    /// One followed face.
    struct Face: Sendable {
        var looks: [(at: UInt64, appearance: Appearance)] = []
        var sum = [Float](repeating: 0, count: Embedding.dimension)
        var embedding: Embedding? { Embedding(sum) }
    }

    static func run(_ arguments: Arguments) throws {
        try arguments.only(["session", "models", "liveness", "json"])
        let models = try LoadedModels(arguments)
        let sessions = try arguments.all("session").flatMap { try SessionSource.list($0) }
        guard !sessions.isEmpty else { throw EvaluateError.usage("--session is missing") }
        let faces = try Parallel.map(sessions, label: "seeing", makeState: { models }) { models, session in
            try see(session, models)
        }.flatMap { $0 }
        let result = Result(faces, apart: apart, different: different)
        print(result.json.rendered(indent: nil))
        if let path = arguments.optional("json") {
            try Data((result.json.rendered() + "\n").utf8).write(to: URL(filePath: path))
        }
    }

    /// Every face that was followed, as a worker would look at it.
    private static func see(_ session: SessionSource, _ models: LoadedModels) throws -> [Face] {
        var observer = try models.observer()
        var rate = LookRate()
        var faces: [UInt32: Face] = [:]
        var sequence: UInt32 = 0
        try session.forEachFrame { frame in
            guard rate.admits(frame.timestamp, now: frame.timestamp) else { return }
            sequence += 1
            for face in try observer.observe(frame, sequence: sequence).faces {
                guard let appearance = Appearance(frame, face.landmarks) else { continue }
                faces[face.track, default: Face()].looks.append((frame.timestamp, appearance))
                guard let embedding = face.embedding else { continue }
                for i in 0..<Embedding.dimension { faces[face.track]?.sum[i] += embedding.values[i] }
            }
        }
        return faces.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Pairs of looks counted.
    struct Result {
        private(set) var same = (pairs: 0, alike: 0)
        private(set) var other = (pairs: 0, alike: 0)
        private(set) var people = (pairs: 0, alike: 0)
        private(set) var faces = 0

        init(_ faces: [Face], apart: UInt64, different: Float) {
            self.faces = faces.count
            for face in faces {
                for (index, look) in face.looks.enumerated() {
                    for next in face.looks[(index + 1)...].prefix(while: { $0.at - look.at <= apart }) {
                        same.pairs += 1
                        if next.appearance.resembles(look.appearance) { same.alike += 1 }
                    }
                }
            }
            for (index, one) in faces.enumerated() {
                for another in faces[(index + 1)...] {
                    guard let first = one.embedding, let second = another.embedding,
                        first.similarity(to: second) < different
                    else { continue }
                    let before = other.alike
                    for look in one.looks {
                        other.alike += another.looks.count { $0.appearance.resembles(look.appearance) }
                    }
                    other.pairs += one.looks.count * another.looks.count
                    people.pairs += 1
                    if other.alike > before { people.alike += 1 }
                }
            }
        }

        var json: Json {
            .object([
                ("faces", .whole(faces)), ("limit", .real(Double(Appearance.same))),
                ("same_face_pairs", .whole(same.pairs)), ("same_face_alike", AppearanceVerb.share(same)),
                ("other_people_pairs", .whole(other.pairs)), ("other_people_alike", AppearanceVerb.share(other)),
                ("pairs_of_people", .whole(people.pairs)), ("pairs_of_people_ever_alike", .whole(people.alike)),
            ])
        }
    }

    private static func share(_ count: (pairs: Int, alike: Int)) -> Json {
        count.pairs == 0 ? .null : .real(Double(count.alike) / Double(count.pairs))
    }
}
