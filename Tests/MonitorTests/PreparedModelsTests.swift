// SPDX-License-Identifier: Apache-2.0
// The prepared form of a model is taken only where it was made for just this model, processor and library, and refused when it is not what
// its list says.

import Platform
import Policy
import TemplateStore
import TestSupport
import Testing

@testable import Monitor

@Suite struct PreparedModelsTests {
    let world: World
    private let content = Array("the recogniser, prepared".utf8)

    init() throws {
        world = try World(World.sees(World.evidence(1)))
        world.temporary.write("programs/libonnxruntime.so", text: "a library", mode: 0o644)
        TemporaryFolder.makeFolder(world.environment.installation.preparedModels)
    }

    private func list(
        processor: String = Machine.processor, runtime: String? = nil, of: String? = nil, bytes: Int? = nil
    ) throws -> PreparedModels {
        let installation = world.environment.installation
        return PreparedModels(
            folder: installation.preparedModels, processor: processor,
            runtime: try runtime ?? PreparedModels.runtime(of: installation),
            entries: [
                PreparedModels.Entry(
                    role: .recogniser, of: try of ?? world.modelHash(), file: "recogniser-1.ort",
                    sha256: try Digest.hex(.sha256, of: content), bytes: bytes ?? content.count)
            ])
    }

    private func write(_ list: PreparedModels, mode: UInt32 = 0o600) {
        world.temporary.write("state/prepared/recogniser-1.ort", content, mode: 0o600)
        world.temporary.write("state/prepared/prepared.json", text: list.text, mode: mode)
    }

    private func recogniser() throws -> OpenModel? {
        try ModelSet(world.environment.installation, preferringPrepared: true).model(.recogniser)
    }

    private func fault() -> MonitorError? {
        do throws(MonitorError) {
            var proof = ModelProof(try ModelSet(world.environment.installation, preferringPrepared: true))
            try proof.finish()
            return nil
        } catch { return error }
    }

    @Test func isTakenWhereEverythingFits() throws {
        write(try list())
        let found = try #require(try recogniser())
        #expect(found.isPrepared)
        #expect(found.path == world.temporary.file("state/prepared/recogniser-1.ort"))
        #expect(found.bytes == content.count)
        #expect(fault() == nil)
        // What is enrolled stays bound to the model itself.
        let set = try ModelSet(world.environment.installation, preferringPrepared: true)
        #expect(set.recogniserHash == (try world.modelHash()))
        #expect(set.model(.detector)?.isPrepared == false)
        #expect(try ModelSet(world.environment.installation).model(.recogniser)?.isPrepared == false)
        #expect(try world.attempt().report.verdict == Verdict(.accepted, .matched))
    }

    @Test func isReadAsItWasWritten() throws {
        let written = try list()
        #expect(PreparedModels(Array(written.text.utf8), folder: written.folder) == written)
    }

    @Test func servesNoOtherProcessorLibraryOrModel() throws {
        #expect(try recogniser()?.isPrepared == false)
        write(try list(processor: "another"))
        #expect(try recogniser()?.isPrepared == false)
        write(try list(runtime: "1:2:3"))
        #expect(try recogniser()?.isPrepared == false)
        write(try list(of: String(repeating: "0", count: 64)))
        #expect(try recogniser()?.isPrepared == false)
        write(try list())
        world.temporary.write("programs/libonnxruntime.so", text: "another library", mode: 0o644)
        #expect(try recogniser()?.isPrepared == false)
        #expect(fault() == nil)
    }

    @Test func aFileThatIsGoneGivesWayToTheModel() throws {
        write(try list())
        TemporaryFolder.remove(world.temporary.file("state/prepared/recogniser-1.ort"))
        #expect(try recogniser()?.isPrepared == false)
    }

    @Test func anAlteredFileIsRefusedByName() throws {
        write(try list())
        let path = world.temporary.write(
            "state/prepared/recogniser-1.ort", text: "the recogniser, prepareD", mode: 0o600)
        #expect(fault() == .model(path: path, problem: "was altered: its SHA-256 differs"))
        let attempt = try world.attempt()
        #expect(attempt.report.verdict == Verdict(.fault, .badModel))
        write(try list(bytes: 3))
        #expect(fault() == .model(path: path, problem: "was altered: \(content.count) bytes instead of 3"))
    }

    @Test(arguments: [0o644 as UInt32, 0o660]) func refusesWhatOthersCouldChangeOrRead(mode: UInt32) throws {
        write(try list(), mode: mode)
        TemporaryFolder.setMode(world.temporary.file("state/prepared/prepared.json"), mode)
        #expect(throws: MonitorError.self) { try recogniser() }
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"processor\": \"a\", \"runtime\": \"b\"}",
        "{\"processor\": \"a\", \"runtime\": \"b\", \"models\": [{}]}",
        """
        {"processor": "a", "runtime": "b", "models": [{"role": "recogniser", "of": "x", "file": "../x",
        "sha256": "0000000000000000000000000000000000000000000000000000000000000000", "bytes": 1}]}
        """,
        """
        {"processor": "a", "runtime": "b", "models": [{"role": "recogniser", "of": "x", "file": "x", "sha256": "0", "bytes": 1}]}
        """,
    ])
    func refusesAListThatIsNone(text: String) {
        let path = world.temporary.write("state/prepared/prepared.json", text: text, mode: 0o600)
        #expect(
            fault() == .manifest(path: path, problem: "is no list of prepared models; run: secondlook models prepare"))
    }

    @Test func whatCannotBePreparedLeavesNothingBehind() throws {
        // There is no worker in this installation.
        #expect(throws: MonitorError.self) { try ModelPreparation.run(world.environment.installation) }
        #expect(try SafeFile.names(in: world.environment.installation.preparedModels) == [ModelPreparation.line])
    }

    @Test func preparesOneAtATime() throws {
        let installation = world.environment.installation
        var other = try Turn(at: installation.preparedModels + "/" + ModelPreparation.line)
        let isItsTurn = try other.hasCome()
        #expect(isItsTurn)
        write(try list())
        #expect(throws: MonitorError.system(.protocolBroken("another 'models prepare' is at work"))) {
            try ModelPreparation.run(installation, patience: 30)
        }
        _ = try other.hasCome()
        #expect(try recogniser()?.path.hasSuffix("/recogniser-1.ort") == true)
    }
}
