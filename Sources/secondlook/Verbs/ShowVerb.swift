// SPDX-License-Identifier: Apache-2.0
// What is enrolled of one user, opened: dates, camera, figures of each sample, and the face where an enrolment was told to keep it. The picture is drawn
// on a terminal and goes nowhere else.

import Biometrics
import Monitor
import Platform
import Policy
import TemplateStore

extension Verbs {
    static let showVerbs = [
        Verb(
            name: "show", summary: "Show what is enrolled of a user: date, camera, quality, and a kept picture.",
            operands: [Operand(name: "USER", isRequired: false)],
            options: [Option(name: "label", values: .one("L"), help: "only the enrolment of this label")], run: show)
    ]

    @Sendable private static func show(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("show")
        let user = try session.user(typed.operands.first)
        let label = typed.value("label")
        var found: [(EnrolmentSummary, EnrolmentExtras)] = []
        if session.hasStore {
            var store = try session.openStore()
            for summary in try inStore({ () throws(StoreError) in try store.summaries(of: user) })
            where label.map({ AccountName.isSpelled(summary.label, as: $0) }) ?? true {
                let extras = try inStore { () throws(StoreError) in try store.extras(of: user, label: summary.label) }
                found.append((summary, extras ?? EnrolmentExtras()))
            }
        }
        guard !found.isEmpty else {
            try session.requireKnown(user)
            throw .failed("show: '\(user)' is not enrolled" + (label.map { " as '\($0)'" } ?? ""))
        }
        let current = (try? ModelSet(session.paths.installation))?.recogniserHash
        if typed.has("json") {
            session.output.line(JSON.array(found.map { json($0, $1, current) }).text)
            return
        }
        for (summary, extras) in found {
            for line in lines(summary, extras, current) { session.output.line(line) }
            if let crop = extras.picture { FaceDrawing.draw(crop, &session) }
        }
    }

    private static func lines(_ summary: EnrolmentSummary, _ extras: EnrolmentExtras, _ current: String?) -> [String] {
        var model = String(summary.model.prefix(12))
        if let current { model += current == summary.model ? ", in use" : ", another one is installed: enrol again" }
        let rows = [
            ["user", Shown.safe(summary.user)], ["label", Shown.safe(summary.label)],
            ["enrolled", TimeText.text(summary.created)],
            ["camera", extras.camera.map { Shown.safe($0) } ?? "not known"],
            ["samples", String(summary.samples)], ["recogniser", model],
            ["picture", extras.picture == nil ? "none kept" : "kept, sealed"],
        ]
        return Shown.columns(rows) + SampleTable.lines(extras.notes)
    }

    /// Never the picture.
    private static func json(_ summary: EnrolmentSummary, _ extras: EnrolmentExtras, _ current: String?) -> JSON {
        .of([
            "user": .string(summary.user), "label": .string(summary.label),
            "enrolled": .string(TimeText.text(summary.created)), "camera": .optional(extras.camera),
            "samples": .integer(summary.samples), "recogniser": .string(summary.model),
            "recogniser_in_use": current.map { .bool($0 == summary.model) } ?? .null,
            "picture_kept": .bool(extras.picture != nil), "details": .array(SampleTable.json(extras.notes)),
        ])
    }
}
