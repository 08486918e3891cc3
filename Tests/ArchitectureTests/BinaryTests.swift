// SPDX-License-Identifier: Apache-2.0
// What the linker made of the rules: the built programs are asked what they need. The folder of an installation is named by
// SECONDLOOK_PREFIX (the Makefile sets it); without it these tests are skipped by name.

import Foundation
import Testing

enum Installation {
    static let prefix = ProcessInfo.processInfo.environment["SECONDLOOK_PREFIX"]
}

@Suite(.enabled(if: Installation.prefix != nil, "SECONDLOOK_PREFIX names no installation"))
struct BinaryTests {
    static let prefix = Installation.prefix
    static let libexec = "\(prefix ?? "")/libexec/secondlook"

    /// The shared libraries a program names, and the names of its strings that matter here.
    static func needed(_ path: String) throws -> [String] {
        try output(of: "/usr/bin/objdump", ["-p", path]).split(separator: "\n")
            .filter { $0.contains("NEEDED") }.compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    static func contains(_ text: String, in path: String) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped).range(of: Data(text.utf8)) != nil
    }

    @Test func onlyTheWorkerSpeaksToTheInferenceRuntime() throws {
        #expect(try Self.contains("OrtGetApiBase", in: "\(Self.libexec)/secondlook-vision"))
        #expect(try !Self.contains("OrtGetApiBase", in: "\(Self.libexec)/secondlook-helper"))
        #expect(try !Self.contains("OrtGetApiBase", in: "\(Self.prefix ?? "")/bin/secondlook"))
    }

    @Test func theHelperLinksNoDecoderOfPicturesOrFrames() throws {
        let libraries = try Self.needed("\(Self.libexec)/secondlook-helper")
        #expect(libraries.contains { $0.hasPrefix("libsodium") })
        for name in ["libjpeg", "libpng", "libv4l", "libonnxruntime", "libavcodec"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "the helper links \(name)")
        }
    }

    @Test func theHelperLooksUpNoNamesOfTheLibraryOfCPlusPlus() throws {
        // 0.7 ms of each start: etc/link puts the part that is needed into the program.
        #expect(try !Self.needed("\(Self.libexec)/secondlook-helper").contains { $0.hasPrefix("libstdc++") })
    }

    @Test func noInstalledProgramLooksForLibrariesBesideItself() throws {
        for path in ["libexec/secondlook/secondlook-helper", "libexec/secondlook/secondlook-vision", "bin/secondlook"] {
            let headers = try Self.output(of: "/usr/bin/objdump", ["-p", "\(Self.prefix ?? "")/\(path)"])
            #expect(headers.contains("NEEDED"))
            #expect(!headers.contains("RPATH") && !headers.contains("RUNPATH"), "\(path)")
        }
    }

    @Test func theWorkerLinksNoStoreAndNoPasswords() throws {
        let libraries = try Self.needed("\(Self.libexec)/secondlook-vision")
        for name in ["libsodium", "libsqlite3", "libcrypt"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "the worker links \(name)")
        }
    }

    @Test func noInstalledProgramNeedsTheSwiftRuntimeOrFoundation() throws {
        for path in [
            "\(Self.libexec)/secondlook-helper", "\(Self.libexec)/secondlook-vision",
            "\(Self.prefix ?? "")/bin/secondlook",
        ] {
            let libraries = try Self.needed(path)
            #expect(
                !libraries.contains { $0.hasPrefix("libswift") || $0.contains("Foundation") }, "\(path): \(libraries)")
        }
    }
}
