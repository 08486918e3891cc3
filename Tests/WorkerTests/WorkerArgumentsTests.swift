// SPDX-License-Identifier: Apache-2.0
import Platform
import Testing
import Vision
import Worker

@Suite struct WorkerArgumentsTests {
    @Test func readsWhatTheHelperWrites() throws {
        let line = "runtime=4 detector=5 recogniser=6 liveness=7 second-opinion=8 uid=101 gid=102 sandbox=best-effort"
        let arguments = try WorkerArguments(line.split(separator: " ").map(String.init))
        #expect(arguments.runtime == 4)
        #expect(arguments.models == [.detector: 5, .recogniser: 6, .liveness: 7, .secondOpinion: 8])
        #expect(arguments.user == 101)
        #expect(arguments.group == 102)
        #expect(arguments.strictness == .bestEffort)
        #expect(arguments.prepared == [:])
    }

    @Test func readsWhatIsToBePrepared() throws {
        let line = "runtime=4 detector=5 recogniser=6 prepared-detector=7 prepared-recogniser=8"
        let arguments = try WorkerArguments(line.split(separator: " ").map(String.init))
        #expect(arguments.prepared == [.detector: 7, .recogniser: 8])
    }

    @Test func wantsAllWallsUnlessToldOtherwise() throws {
        let arguments = try WorkerArguments(["runtime=4", "detector=5", "recogniser=6"])
        #expect(arguments.strictness == .require)
        #expect(arguments.user == nil)
        #expect(arguments.models[.liveness] == nil)
    }

    @Test(arguments: [
        "", "runtime=4", "runtime=4 detector=5", "detector=5 recogniser=6",
        "runtime=4 detector=5 recogniser=6 frames=7",
        "runtime=4 detector=5 recogniser=5", "runtime=3 detector=5 recogniser=6", "runtime=-4 detector=5 recogniser=6",
        "runtime=4 runtime=4 detector=5 recogniser=6", "runtime=4 detector=5 recogniser=6 sandbox=off",
        "runtime=4 detector=5 recogniser=6 uid=5", "runtime=4 detector=5 recogniser=6 gid=5", "runtime",
        "runtime=4 detector=5 recogniser=6 sandbox=require sandbox=require",
        "runtime=4294967296 detector=5 recogniser=6",
        "runtime=4 detector=5 recogniser=99999", "runtime=4 detector=5 recogniser=6 prepared-liveness=7",
        "runtime=4 detector=5 recogniser=6 prepared-detector=5", "runtime=4 detector=5 recogniser=6 prepared-x=7",
    ])
    func refusesAnythingElse(line: String) {
        #expect(throws: WorkerError.self) { try WorkerArguments(line.split(separator: " ").map(String.init)) }
    }
}
