// SPDX-License-Identifier: Apache-2.0
// Enrols a person, from the camera or from pictures. The store is written once, at the end: an enrolment that is interrupted, refused or
// finds no room leaves the old templates as they were.

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
                Option(name: "image", values: .many("FILE"), help: "JPEG or PNG pictures in place of the camera"),
            ], run: enrol)
    ]

    @Sendable private static func enrol(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("enroll")
        let account = try session.account(try session.user(typed.operands.first))
        let label = try Label.checked(typed.value("label") ?? "default")
        let replaces = typed.has("replace")
        let settings = try SettingsFile.read(session.paths.settings, service: "")
        try refuseTakenLabel(label, of: account.name, unless: replaces, session)
        let result = try look(typed.values("image"), label, settings, isQuiet: typed.has("json"), &session)
        switch result {
        case .refused(let refusal): throw .failed("enroll: \(words(for: refusal))")
        case .enrolled(let template):
            var store = try session.openStore(creating: true)
            let now = session.clock.wall()
            try inStore { () throws(StoreError) in
                try store.enrol(template, user: account.name, uid: account.user, replacing: replaces, at: now)
            }
            report(template, of: account.name, asJSON: typed.has("json"), &session)
        }
    }

    /// Said before anyone has to sit for it.
    private static func refuseTakenLabel(
        _ label: String, of user: String, unless replaces: Bool, _ session: Session
    ) throws(CommandError) {
        guard !replaces, session.hasStore else { return }
        let store = try session.openStore()
        let present = try inStore { () throws(StoreError) in try store.summaries(of: user) }
        if present.contains(where: { $0.label == label }) {
            throw .failed("enroll: '\(user)' already has a template '\(label)'; use --replace or another --label")
        }
    }

    private static func look(
        _ pictures: [String], _ label: String, _ settings: Settings, isQuiet: Bool, _ session: inout Session
    ) throws(CommandError) -> EnrolmentResult {
        let environment = try session.environment()
        var output = session.output
        let show: (EnrolmentProgress) -> Bool = { news in
            switch news {
            case .notice(let notice): if !isQuiet { output.errorLine(Texts.text(notice)) }
            case .sample(let taken, let wanted, _): output.progress(Bar.text(taken, of: wanted, "samples"))
            }
            return true
        }
        do throws(MonitorError) {
            var enrolment = try EnrolmentSession(environment, settings: settings)
            if !pictures.isEmpty { return try enrolment.enrolFromPictures(pictures, label: label, progress: show) }
            if !isQuiet { output.errorLine("Look at the camera. Turn your head a little to each side, up and down.") }
            return try enrolment.enrolFromCamera(label: label, progress: show)
        } catch {
            throw .failed("enroll: \(error.description)")
        }
    }

    private static func report(_ template: Template, of user: String, asJSON: Bool, _ session: inout Session) {
        let count = template.embeddings.count
        if asJSON {
            session.output.line(
                JSON.of(["user": .string(user), "label": .string(template.label), "samples": .integer(count)]).text)
        } else {
            session.output.line("enrolled '\(user)' as '\(template.label)' with \(count) samples")
        }
    }

    /// What was wrong and what to do.
    static func words(for refusal: EnrolmentRefusal) -> String {
        switch refusal {
        case .noFace(nil): "nobody was seen; sit in front of the camera and try again"
        case .noFace(.some(let picture)): "no face in '\(picture)'; use a picture of one face from the front"
        case .severalFaces(nil): "more than one person is in view; try again alone"
        case .severalFaces(.some(let picture)): "more than one face in '\(picture)'; use a picture of one person"
        case .unusable(let notice, nil): "no picture was good enough; \(Texts.text(notice))"
        case .unusable(let notice, .some(let picture)):
            "the face in '\(picture)' is not good enough; \(Texts.text(notice))"
        case .differentPeople(nil): "the samples are of different people; try again alone"
        case .differentPeople(.some(let picture)): "'\(picture)' shows somebody else than the pictures before it"
        case .tooFew(let taken, let wanted):
            "only \(taken) of \(wanted) good and differing samples in time; turn your head a little between them"
        case .tooDark: "it is too dark; turn on a light and try again"
        }
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

/// A bar for terminals without any art.
enum Bar {
    /// "[####    ] 4 of 8 samples".
    static func text(_ done: Int, of all: Int, _ what: String) -> String {
        let width = 24
        let filled = all > 0 ? max(0, min(width, done * width / all)) : 0
        let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled)
        return "[\(bar)] \(done) of \(all) \(what)"
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
