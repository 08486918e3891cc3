// SPDX-License-Identifier: Apache-2.0
// Which networks are installed, and whether each file is what its manifest says.

import Monitor
import Platform
import Policy

extension Verbs {
    static let modelVerbs = [
        Verb(
            name: "models", summary: "Show which networks are installed, and prove each by its hash.", operands: [],
            options: [], run: models),
        Verb(
            name: "models prepare", summary: "Make the networks ready for this processor, so that logins begin sooner.",
            operands: [], options: [], run: prepareModels),
    ]

    @Sendable private static func prepareModels(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("models prepare")
        let roles: [NetworkRole]
        do throws(MonitorError) { roles = try ModelPreparation.run(session.paths.installation) } catch {
            throw .failed("models prepare: \(error.description); the networks are used as they are")
        }
        if typed.has("json") {
            session.output.line(JSON.of(["prepared": .array(roles.map { .string($0.rawValue) })]).text)
        } else {
            for role in roles { session.output.line("prepared: \(role.rawValue)") }
        }
    }

    @Sendable private static func models(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("models")
        let set: ModelSet
        do throws(MonitorError) {
            set = try ModelSet(session.paths.installation)
            var proof = ModelProof(set)
            try proof.finish()
        } catch {
            throw .failed("models: \(error.description); install it again")
        }
        if typed.has("json") {
            session.output.line(JSON.array(NetworkRole.allCases.map { json($0, set) }).text)
            return
        }
        for role in NetworkRole.allCases {
            guard let model = set.model(role) else {
                session.output.line("\(role.rawValue): not installed")
                if let consequence = consequence(ofMissing: role) { session.output.line("    \(consequence)") }
                continue
            }
            session.output.line(
                "\(role.rawValue): \(model.entry.name), \(model.entry.bytes) bytes, \(model.entry.licence), proven")
            session.output.line("    \(model.path)")
            session.output.line("    sha256 \(model.entry.sha256)")
        }
    }

    private static func consequence(ofMissing role: NetworkRole) -> String? {
        switch role {
        case .liveness: "everybody is asked to turn the head at each login"
        case .secondOpinion: "optional; see: secondlook models install --help"
        case .detector, .recogniser: nil
        }
    }

    private static func json(_ role: NetworkRole, _ set: ModelSet) -> JSON {
        guard let model = set.model(role) else {
            return .of(["role": .string(role.rawValue), "installed": .bool(false)])
        }
        let entry = model.entry
        return .of([
            "role": .string(role.rawValue), "installed": .bool(true), "name": .string(entry.name),
            "file": .string(model.path), "sha256": .string(entry.sha256), "bytes": .integer(entry.bytes),
            "licence": .string(entry.licence), "source": .string(entry.source), "input": .string(entry.input),
            "calibration": .string(entry.calibration),
        ])
    }
}
