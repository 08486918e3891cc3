// SPDX-License-Identifier: Apache-2.0
// What the camera sees, live or as one picture: for the first set-up, and for whoever asks why a login does not work. Nothing is judged,
// counted or recorded.

import Biometrics
import Monitor
import Platform
import Policy

extension Verbs {
    static let previewVerbs = [
        Verb(
            name: "preview", summary: "Show live what a camera sees, with the figures of each face; q ends it.",
            operands: [Operand(name: "DEVICE", isRequired: false)],
            options: [
                Option(name: "user", values: .one("USER"), help: "compare with this user's templates"),
                Option(name: "seconds", values: .one("N"), help: "end after so many seconds"),
                Option(name: "plain", values: .none, help: "plain characters, whatever the terminal can do"),
            ], run: preview),
        Verb(
            name: "snapshot", summary: "Write one picture of what a camera sees, with boxes and figures drawn in.",
            operands: [Operand(name: "DEVICE", isRequired: false)],
            options: [
                Option(
                    name: "output", values: .one("FILE.png"), help: "the new file; it must not exist yet",
                    isRequired: true)
            ],
            run: snapshot),
    ]

    /// Views of the terminal's picture: wide enough for any terminal's characters.
    private static let liveSide: UInt16 = 320
    /// Milliseconds between two pictures.
    private static let liveInterval: UInt16 = 100
    /// How long a snapshot waits for a face, in milliseconds.
    private static let waiting: UInt64 = 3_000
    /// How long it waits for any picture: longer than the longest `camera_timeout`.
    private static let longest: UInt64 = 65_000

    @Sendable private static func preview(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("preview")
        let seconds = try seconds(typed.value("seconds"))
        let isJSON = typed.has("json")
        guard isJSON || TerminalScreen.isPossible else {
            throw .failed("preview: this is no terminal; use --json, or snapshot --output FILE.png")
        }
        let environment = try session.environment()
        let settings = try settings(for: typed.operands.first, session)
        let account: Account? =
            if let name = typed.value("user") { try session.account(try UserName.checked(name)) } else { nil }
        if let account, !session.hasStore { throw .failed("preview: \(notEnrolled(account))") }
        let start = { () throws(CommandError) -> PreviewSession in
            try begin("preview", environment, settings, account, side: liveSide, interval: liveInterval)
        }
        let time = environment.time
        let first = try start()
        let deadline = seconds.map { time.now() + $0 * 1000 } ?? .max
        guard !isJSON else { return try printFrames(first, until: deadline, time, &session) }
        let painter = PicturePainter(.of(OwnProcess.variable), isPlain: typed.has("plain"))
        var screen = try PreviewScreen(painter: painter, time: time)
        try screen.run(first, until: deadline, start)
    }

    @Sendable private static func snapshot(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        try session.requireRoot("snapshot")
        guard let typedPath = typed.value("output") else {
            throw .usage("snapshot: --output FILE.png is missing; see: secondlook snapshot --help")
        }
        let path = session.absolute(typedPath)
        // Said before the camera's light goes on; the file is made without looking, below.
        guard !SafeFile.exists(path) else { throw .failed("snapshot: '\(Shown.safe(path))' already exists") }
        let environment = try session.environment()
        let settings = try settings(for: typed.operands.first, session)
        var source = try begin(
            "snapshot", environment, settings, nil, side: PictureSharing.sides.upperBound, interval: 20)
        let frame = try bestFrame(&source, environment.time)
        guard let frame, let view = frame.view else { throw .failed("snapshot: the camera gave no picture") }
        let report = FrameReport(frame)
        let lines = [source.camera ?? ""].filter { !$0.isEmpty } + report.lines
        var canvas = Canvas(view, below: lines.count * Canvas.lineHeight + 4)
        canvas.annotate(frame.evidence.faces, frameWidth: Int(frame.evidence.width))
        for (place, line) in lines.enumerated() {
            canvas.write(line, x: 4, y: view.height + 4 + place * Canvas.lineHeight, .text)
        }
        do throws(PlatformError) { try SafeFile.create(path, with: PNG.encode(canvas), mode: 0o600) } catch {
            throw .failed("snapshot: \(error.description)")
        }
        if typed.has("json") {
            session.output.line(JSON.of(["file": .string(path), "frame": report.json]).text)
        } else {
            session.output.line("wrote '\(Shown.safe(path))'")
        }
    }

    /// The first frame with a face and a picture, else the last with a picture.
    private static func bestFrame(
        _ source: inout PreviewSession, _ time: any TimeSource
    ) throws(CommandError) -> PreviewFrame? {
        var last: PreviewFrame?
        let deadline = time.now() + waiting
        do throws(MonitorError) {
            // A camera takes its time to start; the settings' own deadline for that ends the worker.
            let latest = time.now() + longest
            while time.now() < deadline || (last == nil && time.now() < latest) {
                switch try source.next(until: max(deadline, time.now() + 1_000)) {
                case .nothing: if last != nil { return last }
                case .end: return last
                case .frame(let frame):
                    if frame.view != nil { last = frame }
                    if frame.view != nil, !frame.evidence.faces.isEmpty { return frame }
                }
            }
        } catch { throw .failed("snapshot: \(error.description)") }
        return last
    }

    private static func begin(
        _ verb: String, _ environment: LoginEnvironment, _ settings: Settings, _ user: Account?, side: UInt16,
        interval: UInt16
    ) throws(CommandError) -> PreviewSession {
        do throws(MonitorError) {
            let session = try PreviewSession(
                environment, settings: settings, user: user, side: side, interval: interval)
            guard let user, !session.isComparing else { return session }
            throw .picture(notEnrolled(user))
        } catch { throw .failed("\(verb): \(error.description)") }
    }

    private static func notEnrolled(_ user: Account) -> String {
        "'\(user.name)' is not enrolled; try: sudo secondlook enroll \(user.name)"
    }

    /// One line a frame, until the reader has gone.
    private static func printFrames(
        _ first: consuming PreviewSession, until deadline: UInt64, _ time: any TimeSource, _ session: inout Session
    ) throws(CommandError) {
        var source = first
        do throws(MonitorError) {
            while time.now() < deadline, session.output.fault == nil {
                switch try source.next(until: min(deadline, time.now() + 1_000)) {
                case .nothing: continue
                case .end: return
                case .frame(let frame): session.output.line(FrameReport(frame).json.text)
                }
            }
        } catch { throw .failed("preview: \(error.description)") }
    }

    /// The settings, with the named camera in place of theirs.
    private static func settings(for device: String?, _ session: Session) throws(CommandError) -> Settings {
        var settings = try SettingsFile.read(session.paths.settings, service: "")
        guard let device else { return settings }
        // A node's path is known to whoever has just plugged it in; the settings take stable names only.
        let node = session.cameras.list().first { $0.path == device }
        settings.camera = node?.name ?? device
        return settings
    }

    private static func seconds(_ typed: String?) throws(CommandError) -> UInt64? {
        guard let typed else { return nil }
        guard let number = UInt64(typed), (1...86_400).contains(number) else {
            throw .usage("preview: --seconds takes 1 to 86400, not '\(Shown.safe(typed))'")
        }
        return number
    }
}
