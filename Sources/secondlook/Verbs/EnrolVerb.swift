// SPDX-License-Identifier: Apache-2.0
// Enrols a person, from the camera or from pictures. The store is written once, at the end: an enrolment that is interrupted, refused or
// finds no room leaves the old templates as they were.

import Biometrics
import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let enrolVerbs = [
        Verb(
            name: "enroll", summary: "Look at a person and keep templates; every login is compared with them.",
            operands: [Operand(name: "USER", isRequired: false)],
            options: [
                Option(name: "label", values: .one("L"), help: "what to call it; 'default' if not given"),
                Option(name: "replace", values: .none, help: "an enrolment of the same label gives way"),
                Option(name: "add", values: .none, help: "add samples to the enrolment of the same label"),
                Option(name: "quick", values: .none, help: "eight differing frames, no poses asked for"),
                Option(
                    name: "keep-picture", values: .none, help: "also keep one picture of the face, sealed; see: show"),
                Option(name: "image", values: .many("FILE"), help: "JPEG or PNG pictures in place of the camera"),
            ], run: enrol)
    ]

    @Sendable private static func enrol(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("enroll")
        let account = try session.account(try session.user(typed.operands.first))
        let wish = try EnrolmentWish(typed, verb: "enroll")
        try EnrolmentRun.run(wish, of: account, &session)
    }
}

/// What was asked of an enrolment.
struct EnrolmentWish: Sendable, Equatable {
    /// How views are taken.
    enum Way: Sendable, Equatable {
        case guided([EnrolmentPose], needed: Set<EnrolmentPose>)
        case quick
        case pictures([String])
    }

    /// What becomes of an enrolment of the same label.
    enum Present: Sendable, Equatable {
        case refuse, replace, extend
    }

    /// The verb that asked, for what is said.
    var verb = "enroll"
    var label = "default"
    var way = Way.guided(EnrolmentPose.allCases, needed: [.centre, .left, .right])
    var present = Present.refuse
    var keepsPicture = false
    var asJSON = false

    /// All as if nothing but the name had been typed.
    init() {}

    /// What was typed.
    init(_ typed: Invocation, verb: String) throws(CommandError) {
        self.verb = verb
        label = try Label.checked(typed.value("label") ?? "default")
        if typed.has("replace"), typed.has("add") { throw .usage("\(verb): --add and --replace exclude each other") }
        if typed.has("quick"), typed.has("image") { throw .usage("\(verb): --quick and --image exclude each other") }
        present = typed.has("replace") ? .replace : typed.has("add") ? .extend : .refuse
        if typed.has("quick") { way = .quick }
        if typed.has("image") { way = .pictures(typed.values("image")) }
        keepsPicture = typed.has("keep-picture")
        asJSON = typed.has("json")
    }
}

/// Names of enrolments.
enum Label {
    /// The label, when it can be shown and typed.
    static func checked(_ label: String) throws(CommandError) -> String {
        let limit = Store.longestLabel
        guard (1...limit).contains(label.utf8.count) else { throw .usage("a label has 1 to \(limit) bytes") }
        guard Shown.safe(label) == label else {
            throw .usage("'\(Shown.safe(label))' has a character that cannot be shown")
        }
        return label
    }
}

extension Session {
    /// The surroundings in which the worker is started.
    func environment() throws(CommandError) -> LoginEnvironment {
        do throws(MonitorError) { return try makeEnvironment(paths.installation) } catch {
            throw .failed(error.description)
        }
    }
}
