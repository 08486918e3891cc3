// SPDX-License-Identifier: Apache-2.0
// An installation with one enrolled user, and the playing of a whole attempt in it.

import Biometrics
import Dispatch
import Platform
import Policy
import Synchronization
import TemplateStore
import TestSupport
import Wire

@testable import Monitor

/// An installation in a temporary folder: anna (1000) is enrolled, bert (1001) is not, root is 0.
struct World {
    let temporary = TemporaryFolder()
    var environment: LoginEnvironment
    static let anna = Account(name: "anna", user: 1000, group: 1000, home: "/home/anna")
    static let bert = Account(name: "bert", user: 1001, group: 1001, home: "/home/bert")

    /// Short deadlines: the tests wait for some of them.
    static let settings = """
        camera_timeout = 500 ms
        dark_timeout = 700 ms
        no_face_timeout = 1000 ms
        usable_timeout = 1300 ms
        challenge_timeout = 3 s
        challenge_after = 800 ms
        timeout = 5 s

        """

    init(settings: String = "", _ script: @escaping ScriptedWorkers.Script = { _ in }) throws {
        for folder in ["programs", "programs/models"] {
            TemporaryFolder.makeFolder(temporary.file(folder), mode: 0o755)
        }
        temporary.write("secondlook.conf", text: World.settings + settings, mode: 0o644)
        World.writeModels(temporary)
        var environment = try LoginEnvironment(
            installation: Installation(
                programs: temporary.file("programs"), settings: temporary.file("secondlook.conf"),
                state: temporary.file("state"), credentials: temporary.file("credentials")),
            isService: false)
        environment.passwords = FixedPasswords()
        environment.findAccount = { name throws(PlatformError) in
            [World.anna, World.bert].first { $0.name == name }
        }
        environment.remote = FixedRemoteness()
        environment.cameras = FixedCameras()
        environment.workers = ScriptedWorkers(script)
        self.environment = environment
        var store = try openStore()
        let template = Template(label: "default", embeddings: [World.face(1), World.face(1)], model: try modelHash())
        try store.enrol(template, user: "anna", uid: 1000, replacing: false, at: 1)
    }

    func openStore() throws -> Store { try environment.openStore(creating: true) }

    func modelHash() throws -> String { try ModelSet(environment.installation).recogniserHash }

    /// Models whose content is a text, and the manifest that belongs to them.
    static func writeModels(_ temporary: TemporaryFolder, _ roles: [NetworkRole] = [.detector, .recogniser, .liveness])
    {
        var entries: [String] = []
        for role in roles {
            let content = Array("the \(role.rawValue)".utf8)
            temporary.write("programs/models/\(role.rawValue).onnx", content, mode: 0o644)
            let hash = (try? Digest.hex(.sha256, of: content)) ?? ""
            entries.append(
                """
                {"role": "\(role.rawValue)", "file": "\(role.rawValue).onnx", "sha256": "\(hash)",
                 "bytes": \(content.count), "licence": "MIT", "source": "a test", "input": "nothing"}
                """)
        }
        temporary.write(
            "programs/models/manifest.json", text: "{\"models\": [\(entries.joined(separator: ",\n"))]}", mode: 0o644)
    }

    /// Embeddings that are unlike for unlike numbers.
    static func face(_ seed: Int) -> Embedding {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        let values = (0..<Embedding.dimension).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int64(bitPattern: state) >> 40) / 8_388_608
        }
        guard let embedding = Embedding(values) else { fatalError("a test embedding is wrong") }
        return embedding
    }

    /// A usable face; `passive` is the network's logit.
    static func evidence(_ seed: Int, passive: Float? = 4, track: UInt32 = 1) -> FaceEvidence {
        FaceEvidence(
            track: track, box: Box(x: 240, y: 140, width: 160, height: 200), score: 0.95,
            landmarks: Landmarks(
                rightEye: Point(285, 220), leftEye: Point(355, 220), nose: Point(320, 262), rightMouth: Point(290, 295),
                leftMouth: Point(350, 295)),
            brightness: 120, contrast: 45, sharpness: 150, embedding: face(seed), passive: passive,
            motion: Motion(face: Point(1, 0), surround: Point(0, 0), faceChange: 3, surroundChange: 1))
    }

    static let hello = WorkerReply.hello(
        WorkerHello(bringsFrames: false, hasPassive: true, hasSecondOpinion: false, sandbox: .all))
    static let started = WorkerReply.started(
        role: .colour, width: 640, height: 480, format: 0x4745_504A, tenthsOfRate: 300)

    /// Greets, waits to be told to look, and starts the camera; false when the helper left.
    static func warmUp(_ stage: inout Stage) -> Bool {
        stage.say(hello)
        guard stage.awaitLook() else { return false }
        stage.say(started)
        return true
    }

    /// A worker that sees this face for so many frames.
    static func sees(_ face: FaceEvidence?, frames: Int = 30) -> ScriptedWorkers.Script {
        { stage in if warmUp(&stage) { stage.frames(frames, face) } }
    }

    /// Plays the module: begins, types the password when it is asked, answers prompts.
    ///
    /// `onReady` is called before the password is typed.
    func attempt(
        _ request: BeginRequest = BeginRequest(user: "anna", service: "sudo", tty: "/dev/pts/1"),
        password: String = "right", answer: String = "", onReady: @escaping PlayedModule.OnReady = { _ in }
    ) throws -> Attempted {
        let pair = try Channel.makePair()
        let near = dup(pair.first.raw)
        let far = dup(pair.second.raw)
        _ = consume pair
        var module = PlayedModule(Channel(Descriptor(owning: near)), onReady: onReady)
        let report = run(far) { module.play(request, password: password, answer: answer) }
        return Attempted(
            verdictByte: module.verdict, notices: module.notices, prompts: module.prompts,
            wasAskedForSecret: module.wasAsked, wasEndedInOrder: module.wasEndedInOrder, report: report)
    }

    /// Runs a session on a descriptor while the test plays the module itself.
    func run(_ far: Int32, _ play: () -> Void) -> LoginReport {
        let environment = environment
        let box = ReportBox()
        let group = DispatchGroup()
        group.enter()
        DispatchQueue.global().async {
            var session = LoginSession(environment, channel: Channel(Descriptor(owning: far)))
            box.set(session.run())
            group.leave()
        }
        play()
        group.wait()
        guard let report = box.get() else { fatalError("no report") }
        return report
    }
}

/// Hands a report from one thread to another.
final class ReportBox: Sendable {
    private let content = Mutex<LoginReport?>(nil)
    func set(_ report: LoginReport) { content.withLock { $0 = report } }
    func get() -> LoginReport? { content.withLock { $0 } }
}

/// The module as a test plays it.
struct PlayedModule: ~Copyable {
    /// Called with the module's end of the conversation.
    typealias OnReady = (borrowing Channel) -> Void

    private let channel: Channel
    private let onReady: OnReady
    private var deframer = Deframer(limits: HelperMessage.limits)
    var verdict: UInt8?
    var notices: [String] = []
    var prompts: [String] = []
    var wasAsked = false
    /// Behind the verdict came the end of the stream, and neither bytes nor a reset.
    var wasEndedInOrder = false

    init(_ channel: consuming Channel, onReady: @escaping OnReady = { _ in }) {
        self.channel = channel
        self.onReady = onReady
    }

    func say(_ message: ModuleMessage) { try? channel.send(message.frame.bytes, until: SystemTime().now() + 2000) }

    /// Waits until the helper shows something.
    mutating func awaitNotice() {
        let deadline = SystemTime().now() + 20_000
        while let some = try? channel.receive(until: deadline) {
            deframer.append(some.bytes)
            while let frame = try? deframer.next() {
                if case .some(.notice) = try? HelperMessage(frame) { return }
            }
        }
    }

    mutating func play(_ request: BeginRequest, password: String, answer: String) {
        say(.begin(request))
        let deadline = SystemTime().now() + 20_000
        while verdict == nil {
            while let frame = try? deframer.next(), let message = try? HelperMessage(frame) {
                switch message {
                case .ready(let wants, _):
                    wasAsked = wants
                    onReady(channel)
                    if wants { say(.secret(Array(password.utf8))) }
                case .notice(_, let text): notices.append(text)
                case .prompt(_, let text):
                    prompts.append(text)
                    say(.answer(Array(answer.utf8)))
                case .verdict(let byte): verdict = byte
                }
            }
            guard verdict == nil else { break }
            guard let some = try? channel.receive(until: deadline) else { return }
            deframer.append(some.bytes)
        }
        do {
            let more = try channel.receive(until: deadline)
            switch consume more {
            case .none: wasEndedInOrder = !deframer.isMidFrame
            case .some: break
            }
        } catch { wasEndedInOrder = false }
    }
}
