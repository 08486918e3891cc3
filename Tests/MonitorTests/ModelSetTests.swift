// SPDX-License-Identifier: Apache-2.0
// The manifest and the files it names: missing, altered, swapped, loose, and what is remembered of a proof.

import TemplateStore
import TestSupport
import Testing

@testable import Monitor

@Suite struct ModelSetTests {
    let world: World

    init() throws { world = try World() }

    private var manifest: String { world.temporary.file("programs/models/manifest.json") }

    private func fault() -> MonitorError? {
        do throws(MonitorError) {
            var proof = ModelProof(try ModelSet(world.environment.installation))
            try proof.finish()
            return nil
        } catch { return error }
    }

    @Test func opensAndProvesWhatTheManifestNames() throws {
        let set = try ModelSet(world.environment.installation)
        #expect(set.models.map(\.entry.role) == [.detector, .recogniser, .liveness])
        #expect(set.recogniserHash == (try Digest.hex(.sha256, of: Array("the recogniser".utf8))))
        #expect(fault() == nil)
    }

    @Test func thePassiveNetworkMayBeAbsent() throws {
        TemporaryFolder.remove(world.temporary.file("programs/models/liveness.onnx"))
        #expect(try ModelSet(world.environment.installation).models.map(\.entry.role) == [.detector, .recogniser])
    }

    @Test(arguments: ["detector", "recogniser"])
    func namesAMissingModel(role: String) {
        let path = world.temporary.file("programs/models/\(role).onnx")
        TemporaryFolder.remove(path)
        #expect(fault() == .model(path: path, problem: "is missing"))
    }

    @Test func namesAnAlteredModel() {
        let path = world.temporary.write("programs/models/recogniser.onnx", text: "the recognizer", mode: 0o644)
        #expect(fault() == .model(path: path, problem: "was altered: its SHA-256 differs"))
        world.temporary.write("programs/models/recogniser.onnx", text: "the recogniser and more", mode: 0o644)
        #expect(fault() == .model(path: path, problem: "was altered: 23 bytes instead of 14"))
    }

    @Test func namesASwappedModel() {
        let path = world.temporary.file("programs/models/detector.onnx")
        world.temporary.write(
            "programs/models/detector.onnx",
            TemporaryFolder.read(world.temporary.file("programs/models/liveness.onnx")),
            mode: 0o644)
        #expect(fault() == .model(path: path, problem: "was altered: its SHA-256 differs"))
    }

    @Test func namesALooseOrLinkedModel() {
        let path = world.temporary.file("programs/models/detector.onnx")
        TemporaryFolder.setMode(path, 0o666)
        #expect(fault() == .model(path: path, problem: "can be written by others"))
        TemporaryFolder.remove(path)
        TemporaryFolder.link(path, to: world.temporary.file("programs/models/liveness.onnx"))
        #expect(fault() == .model(path: path, problem: "is a symbolic link"))
    }

    @Test func refusesALooseManifestAndALooseFolder() {
        TemporaryFolder.setMode(manifest, 0o666)
        #expect(fault() == .manifest(path: manifest, problem: "can be written by others"))
        TemporaryFolder.setMode(manifest, 0o644)
        TemporaryFolder.setMode(world.temporary.file("programs/models"), 0o777)
        #expect(fault() != nil)
    }

    @Test func namesAMissingManifest() {
        TemporaryFolder.remove(manifest)
        #expect(fault() == .manifest(path: manifest, problem: "is missing"))
    }

    @Test(arguments: [
        ("", "is no list of models"), ("[]", "is no list of models"), ("{\"models\": 3}", "is no list of models"),
        ("{\"models\": []}", "has no detector"), ("{\"models\": [{}]}", "has no role for model 1"),
        ("{\"models\": [{\"role\": \"oracle\"}]}", "has the unknown role 'oracle'"),
        ("{\"models\": [{\"role\": \"detector\", \"file\": \"../x\"}]}", "has no file name for 'detector'"),
        ("{\"models\": [{\"role\": \"detector\", \"file\": \".x\"}]}", "has no file name for 'detector'"),
        (
            "{\"models\": [{\"role\": \"detector\", \"file\": \"x\", \"sha256\": \"AB\"}]}",
            "has no SHA-256 for 'detector'"
        ),
    ])
    func namesWhatIsWrongWithAManifest(text: String, problem: String) {
        world.temporary.write("programs/models/manifest.json", text: text, mode: 0o644)
        let found = fault()
        #expect(found == .manifest(path: manifest, problem: problem) || found?.description.hasSuffix(problem) == true)
    }

    @Test func anAddedModelWins() throws {
        TemporaryFolder.makeFolder(world.temporary.file("state/models"))
        let content = Array("another liveness".utf8)
        world.temporary.write("state/models/mine.onnx", content, mode: 0o644)
        world.temporary.write(
            "state/models/manifest.json",
            text: """
                {"models": [{"role": "liveness", "file": "mine.onnx", "bytes": \(content.count), "licence": "x",
                "source": "y", "sha256": "\(try Digest.hex(.sha256, of: content))"}]}
                """, mode: 0o644)
        let set = try ModelSet(world.environment.installation)
        #expect(set.model(.liveness)?.path == world.temporary.file("state/models/mine.onnx"))
        #expect(set.model(.detector)?.path == world.temporary.file("programs/models/detector.onnx"))
    }

    @Test func aProofIsRememberedForThisBootAndThisFileOnly() throws {
        var store = try world.openStore()
        let set = try ModelSet(world.environment.installation)
        var proof = try ModelProof(set, boot: "boot-1", store: store)
        var isComplete = proof.isComplete
        #expect(!isComplete)
        try proof.finish()
        let fresh = proof.fresh
        #expect(fresh.count == 3)
        try store.rememberProofs(fresh)
        let again = try ModelProof(set, boot: "boot-1", store: store)
        isComplete = again.isComplete
        #expect(isComplete)
        let rebooted = try ModelProof(set, boot: "boot-2", store: store)
        isComplete = rebooted.isComplete
        #expect(!isComplete)
        world.temporary.write("programs/models/detector.onnx", text: "the detectoR", mode: 0o644)
        var touched = try ModelProof(try ModelSet(world.environment.installation), boot: "boot-1", store: store)
        isComplete = touched.isComplete
        #expect(!isComplete)
        #expect(throws: MonitorError.self) { try touched.finish() }
    }
}

@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("null", JSONValue.null),
        (" [1, -2.5e1, \"a\\u00e9\\n\\ud83d\\ude00\"] ", .array([.number(1), .number(-25), .string("aé\n😀")])),
        ("{\"a\": {\"b\": [true, false]}}", .object(["a": .object(["b": .array([.bool(true), .bool(false)])])])),
        ("{}", .object([:])), ("0", .number(0)),
    ])
    func reads(text: String, value: JSONValue) { #expect(JSONValue(Array(text.utf8)) == value) }

    @Test(arguments: [
        "", " ", "nul", "[1,]", "[1 2]", "{\"a\" 1}", "{a: 1}", "{\"a\": 1,}", "{\"a\":1,\"a\":2}", "\"", "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"a\nb\"", "01", "+1", ".5", "1.", "--1", "1e999", "[1] x", "NaN",
        "{\"a\":}", "tru",
        String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
    ])
    func refuses(text: String) { #expect(JSONValue(Array(text.utf8)) == nil) }

    @Test func refusesWhatIsNotUTF8() { #expect(JSONValue([0x22, 0xFF, 0x22]) == nil) }
}
