// SPDX-License-Identifier: Apache-2.0
// What the person being enrolled is told: the catalogue's second half. The same rules hold: plain sentences for one line of a plain terminal.

extension Texts {
    /// The sentence for a guidance of enrolment.
    public static func text(_ guidance: EnrolmentGuidance) -> String {
        switch guidance {
        case .take(.centre): "Look straight at the camera."
        case .take(.left): "Turn your head to your left and keep it there."
        case .take(.right): "Turn your head to your right and keep it there."
        case .take(.up): "Raise your chin and keep it there."
        case .take(.down): "Lower your chin and keep it there."
        case .further: "A little further."
        case .back: "Not so far. Turn back a little."
        case .upright: "Hold your head upright."
        case .hold: "Good. Hold still."
        case .scene(let notice): text(notice)
        case .without(let pose): "The pose '\(pose.name)' could not be seen well enough; going on without it."
        case .finished: "That is all. You can move again."
        case .samePerson: "This looks like somebody else. Only the person being enrolled may be in view."
        }
    }

    /// Said before a quick enrolment, which asks for no poses.
    public static let quickEnrolment = "Look at the camera. Turn your head a little to each side, up and down."

    /// The first view of a pose was taken, so many poses of so many.
    public static func taken(_ pose: EnrolmentPose, _ done: Int, of all: Int) -> String {
        "Taken: \(pose.name), \(done) of \(all)."
    }
}
