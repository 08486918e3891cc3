// SPDX-License-Identifier: Apache-2.0
// The table of all keys, in the order of the sample file.

extension Settings {
    /// Every key there is.
    public static let table: [SettingRow] = faceRows + cameraRows + applyRows + timeRows + lockoutRows + otherRows

    private static let faceRows: [SettingRow] = [
        SettingRow(
            name: "match", range: "balanced | strict | paranoid, or a cosine from 0.30 to 0.95",
            help: "How sure the comparison must be: one false match in 10,000 attempts (balanced), 100,000 (strict) "
                + "or 1,000,000 (paranoid). A number is compared as it stands.",
            perService: true, read: readMatch, write: { matchText($0.match) }),
        .word(
            "liveness", \.liveness, perService: true,
            "How liveness is proven. auto: the passive network where it is sure, else the person is asked to move the "
                + "head. passive: never ask; an error while the network is not installed. challenge: always ask."),
    ]

    private static let cameraRows: [SettingRow] = [
        .text(
            "camera", \.camera, limit: 256, emptyAllowed: false,
            range: "auto, or a name that 'secondlook devices' shows",
            "Which camera looks. auto takes the first real colour camera. Several names, parted by commas: the first "
                + "usable one. A name followed by the word infrared or colour is taken for that kind of camera, "
                + "whatever its formats look like."),
        .text(
            "infrared", \.infrared, limit: 256, emptyAllowed: false,
            range: "off, or a name that 'secondlook devices' shows",
            "An infrared camera that looks beside 'camera': the face must be lit and seen there too, at the same "
                + "place. Turned by 'rotation' as well. Not measured on people yet."),
        .number(
            "rotation", \.rotation, 0...270, "Degrees clockwise by which the picture is turned: 0, 90, 180 or 270."
        ).restricted(to: ["0", "90", "180", "270"]),
        .flag(
            "allow_virtual_cameras", \.allowVirtualCameras,
            "Whether a camera made by software (v4l2loopback and the like) may be used. Such a camera shows whatever "
                + "a program feeds it."),
    ]

    private static let applyRows: [SettingRow] = [
        .word(
            "not_enrolled", \.notEnrolled, perService: true,
            "What happens to a user without an enrolled face: refuse the login, or skip this factor."),
        .word(
            "remote", \.remote, perService: true,
            "What happens in a remote session, where no camera can see the person: refuse the login, or skip this "
                + "factor."),
    ]

    private static let timeRows: [SettingRow] = [
        .time(
            "camera_timeout", \.cameraTimeout, 500...60_000, perService: true,
            "How long the camera may take to deliver its first picture. These five nest: camera_timeout < "
                + "dark_timeout < no_face_timeout < usable_timeout < timeout."),
        .time(
            "dark_timeout", \.darkTimeout, 500...60_000, perService: true,
            "After this a picture that stayed dark ends the attempt."),
        .time(
            "no_face_timeout", \.noFaceTimeout, 1_000...120_000, perService: true,
            "After this a picture without a face ends the attempt."),
        .time(
            "usable_timeout", \.usableTimeout, 1_000...120_000, perService: true,
            "After this a face that stayed unusable or doubtful ends the attempt."),
        .time(
            "challenge_timeout", \.challengeTimeout, 3_000...60_000, perService: true,
            "How long the person has to answer all prompts of a challenge; usable_timeout and this fit into timeout "
                + "together."),
        .time(
            "challenge_after", \.challengeAfter, 300...5_000, perService: true,
            "How long the person is watched before a challenge is asked."),
        .time(
            "timeout", \.timeout, 2_000...180_000, perService: true,
            "The whole attempt, from the right password on."),
    ]

    private static let lockoutRows: [SettingRow] = [
        .number("lockout_misses", \.lockoutMisses, 1...5, "Judged misses in a row before the timed lock."),
        .time(
            "lockout_time", \.lockoutTime, 30_000...3_600_000,
            "The first timed lock; each further miss doubles it."),
        .time("lockout_max", \.lockoutMax, 30_000...86_400_000, "The longest timed lock."),
        .number(
            "lockout_total", \.lockoutTotal, 5...50,
            "Judged misses, without a success between, before the face is disabled until 'secondlook unlock USER'."),
        .word(
            "password_lockout", \.passwordLockout,
            "Who counts wrong passwords: own counts them for the timed lock only; faillock leaves them to "
                + "pam_faillock."),
    ]

    private static let otherRows: [SettingRow] = [
        .word(
            "sandbox", \.sandbox,
            "Whether the process that sees may run where the kernel lacks one of the sandbox's walls."),
        .flag(
            "recovery", \.recovery, perService: true,
            "Whether a one-time recovery code may stand in for a camera that failed."),
        .text(
            "prompt_text", \.promptText, limit: 256, emptyAllowed: true, perService: true,
            range: "text of at most 256 bytes; empty for the module's own",
            "The password prompt."),
    ]

    private static let readMatch: @Sendable (inout Settings, Substring) -> Bool = { settings, text in
        switch text {
        case "balanced": settings.match = .balanced
        case "strict": settings.match = .strict
        case "paranoid": settings.match = .paranoid
        default:
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let cosine = Float(text),
                (0.3...0.95).contains(cosine)
            else { return false }
            settings.match = .cosine(cosine)
        }
        return true
    }

    private static func matchText(_ match: MatchLevel) -> String {
        switch match {
        case .balanced: "balanced"
        case .strict: "strict"
        case .paranoid: "paranoid"
        case .cosine(let cosine): "\(cosine)"
        }
    }
}

extension SettingRow {
    /// The same key, with nothing but these values.
    fileprivate func restricted(to values: [String]) -> SettingRow {
        SettingRow(
            name: name, range: values.joined(separator: " | "), help: help, perService: perService,
            read: { [read] settings, text in values.contains(String(text)) && read(&settings, text) }, write: write)
    }
}
