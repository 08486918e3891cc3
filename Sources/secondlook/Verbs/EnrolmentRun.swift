// SPDX-License-Identifier: Apache-2.0
// One enrolment from the wish to the store, for every verb that enrols: `enroll`, `refine`, `setup`.

import Biometrics
import Monitor
import Platform
import Policy
import TemplateStore

/// Runs enrolments.
enum EnrolmentRun {
    /// What is in the store already, as far as this enrolment has to know it.
    struct Present {
        /// The person of the other enrolments, or of the one that is added to; nil when there is none.
        var known: Embedding?
        /// Samples that will be compared together with the new ones.
        var samples = 0
        /// The label is taken.
        var isTaken = false
    }

    /// Looks, stores and reports.
    static func run(_ wish: EnrolmentWish, of account: Account, _ session: inout Session) throws(CommandError) {
        let settings = try SettingsFile.read(session.paths.settings, service: "")
        let present = try present(wish, account, session)
        let result = try look(wish, settings, present.known, &session)
        guard case .enrolled(let template, let extras) = result else {
            guard case .refused(let refusal) = result else { return }
            throw .failed("\(wish.verb): \(words(for: refusal))")
        }
        try requireUnchanged(present, wish, account, session)
        var store = try session.openStore(creating: true)
        let now = session.clock.wall()
        try inStore { () throws(StoreError) in
            if wish.present == .extend, present.isTaken {
                try store.extend(template, extras: extras, user: account.name, uid: account.user)
            } else {
                try store.enrol(
                    template, extras: extras, user: account.name, uid: account.user,
                    replacing: wish.present == .replace, at: now)
            }
        }
        let report = EnrolmentReport(
            user: account.name, template: template, notes: extras.notes,
            compared: present.samples + template.embeddings.count, level: settings.match,
            isAdded: present.isTaken
                && wish.present == .extend)
        report.write(asJSON: wish.asJSON, to: &session)
    }

    /// What is enrolled; said before anyone has to sit for it when the label is taken.
    static func present(
        _ wish: EnrolmentWish, _ account: Account, _ session: Session
    ) throws(CommandError) -> Present {
        var present = Present()
        guard session.hasStore else {
            if wish.present == .extend { throw nothingToAddTo(wish, account.name) }
            return present
        }
        var store = try session.openStore()
        var enrolled = try inStore { () throws(StoreError) in try store.templates(of: account.name, uid: account.user) }
        let isMeant: (Template) -> Bool = { AccountName.isSpelled($0.label, as: wish.label) }
        present.isTaken = enrolled.templates.contains(where: isMeant)
        if wish.present == .refuse, present.isTaken {
            throw .failed(
                "\(wish.verb): '\(account.name)' already has a template '\(wish.label)'; use --add, --replace or "
                    + "another --label")
        }
        if wish.present == .replace { enrolled.templates.removeAll(where: isMeant) }
        let model: String
        do throws(MonitorError) { model = try ModelSet(session.paths.installation).recogniserHash } catch {
            throw .failed("\(wish.verb): \(error.description)")
        }
        present.known = enrolled.reference(model: model)
        present.samples = enrolled.templates.filter { $0.model == model }.reduce(0) { $0 + $1.embeddings.count }
        if wish.present == .extend {
            guard present.known != nil else { throw nothingToAddTo(wish, account.name) }
            if enrolled.templates.contains(where: { isMeant($0) && $0.model != model }) {
                throw .failed(
                    "\(wish.verb): the template '\(wish.label)' is of another recogniser; use --replace")
            }
        }
        return present
    }

    /// Refuses where another enrolment of the user ended while this one looked: the views were not compared with that person.
    static func requireUnchanged(
        _ before: Present, _ wish: EnrolmentWish, _ account: Account, _ session: Session
    ) throws(CommandError) {
        let now = try present(wish, account, session)
        guard now.known == before.known, now.isTaken == before.isTaken else {
            throw .failed(
                "\(wish.verb): what is enrolled of '\(account.name)' has changed meanwhile; nothing was stored, try again"
            )
        }
    }

    private static func nothingToAddTo(_ wish: EnrolmentWish, _ user: String) -> CommandError {
        .failed("\(wish.verb): '\(user)' is not enrolled yet; try: sudo secondlook enroll \(user)")
    }

    // MARK: Looking

    private static func look(
        _ wish: EnrolmentWish, _ settings: Settings, _ known: Embedding?, _ session: inout Session
    ) throws(CommandError) -> EnrolmentResult {
        let environment = try session.environment()
        var teller = EnrolmentTeller(session.output, isQuiet: wish.asJSON)
        defer { teller.end() }
        do throws(MonitorError) {
            var enrolment = try EnrolmentSession(
                environment, settings: settings, keepsPicture: wish.keepsPicture)
            switch wish.way {
            case .pictures(let paths):
                return try enrolment.enrolFromPictures(paths, label: wish.label, known: known) { teller.tell($0) }
            case .quick:
                teller.beginQuick()
                return try enrolment.enrolFromCamera(label: wish.label, known: known) { teller.tell($0) }
            case .guided(let poses, let needed):
                return try enrolment.enrolGuided(
                    label: wish.label, plan: GuidedPlan(poses: poses, needed: needed, known: known)
                ) { teller.tell($0) }
            }
        } catch {
            throw .failed("\(wish.verb): \(error.description)")
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
        case .notReached(let pose, let obstacle):
            "the pose '\(pose.name)' was not seen in time" + (obstacle.map { "; \(Texts.text($0))" } ?? "; try again")
        case .notTheEnrolled: "this is not the person who is enrolled already; nothing was changed"
        case .cancelled: "ended before it was complete; nothing was changed"
        }
    }
}
