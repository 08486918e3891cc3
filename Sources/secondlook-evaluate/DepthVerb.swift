// SPDX-License-Identifier: Apache-2.0
// `secondlook-evaluate depth`: what the depth measure reads, through the real detector, off a head and a plane rendered from one frame and
// turned by known angles. It is where the challenge's limits come from.

import Biometrics
import Foundation
import TestSupport
import Vision

/// The verb.
enum DepthVerb {
    static let usage = "--live DIR… [--models DIR] [--json OUT]"

    static func run(_ arguments: Arguments) throws {
        try arguments.only(["live", "models", "liveness", "json"])
        let models = try LoadedModels(arguments)
        let sessions = try arguments.all("live").flatMap { try SessionSource.list($0) }
        guard !sessions.isEmpty else { throw EvaluateError.usage("--live is missing") }
        let tables = try Parallel.map(sessions, label: "turning", makeState: { models }) { models, session in
            try table(session, models)
        }
        print(tables.joined(), terminator: "")
    }

    private static func table(_ session: SessionSource, _ models: LoadedModels) throws -> String {
        guard let (photo, face, embedding) = try straight(session, models) else {
            return "\(session.name): no straight face\n"
        }
        var head = HeadRenderer(photo: photo, face: face, seed: 1)
        var plane = PlaneRenderer(photo: photo, pivot: face.nose, background: photo, seed: 2)
        var lines = "\(session.name)\n"
        for degrees in [-40, -30, -20, -10, 0, 10, 20, 30, 40] as [Float] {
            let angle = degrees * .pi / 180
            let views: [(String, Frame?)] = [
                ("head yaw", head.render(yaw: angle, timestamp: 0)),
                ("head pitch", head.render(yaw: 0, pitch: angle, timestamp: 0)),
                ("plane yaw", plane.render(PlanePose(yaw: angle), timestamp: 0)),
                ("plane pitch", plane.render(PlanePose(pitch: angle), timestamp: 0)),
            ]
            for (name, frame) in views {
                lines += "  \(name) \(Int(degrees)): " + (try reading(frame, face, embedding, models)) + "\n"
            }
        }
        return lines
    }

    private static func reading(
        _ frame: Frame?, _ reference: Landmarks, _ embedding: Embedding, _ models: LoadedModels
    ) throws -> String {
        var observer = try models.observer()
        guard let frame, let face = try observer.observe(frame, sequence: 0, embed: .every).faces.first else {
            return "no face"
        }
        guard let reading = NoseDepth(reference: reference)?.reading(face.landmarks) else { return "no reading" }
        let similarity = face.embedding.map { $0.similarity(to: embedding) } ?? -1
        return String(
            format: "sideways %.3f down %.3f misfit %.3f similarity %.2f score %.2f", reading.sideways, reading.down,
            reading.misfit, similarity, face.score)
    }

    /// The first frame with one face that looks straight on.
    private static func straight(
        _ session: SessionSource, _ models: LoadedModels
    ) throws -> (Frame, Landmarks, Embedding)? {
        var observer = try models.observer()
        var found: (Frame, Landmarks, Embedding)?
        var count: UInt32 = 0
        do {
            try session.forEachFrame { frame in
                count += 1
                guard count % 5 == 1 else { return }
                let faces = try observer.observe(frame, sequence: count, embed: .every).faces
                guard faces.count == 1, let face = faces.first, let embedding = face.embedding,
                    let pose = Pose(face.landmarks), abs(pose.yaw) < 10, abs(pose.pitch) < 12
                else { return }
                found = (frame, face.landmarks, embedding)
                throw Found()
            }
        } catch is Found {}
        return found
    }

    private struct Found: Error {}
}
