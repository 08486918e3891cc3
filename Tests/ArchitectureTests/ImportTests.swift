// SPDX-License-Identifier: Apache-2.0
// Dependencies point one way. The table here is the rule; the sources are read and held against it.

import Testing

@Suite struct ImportTests {
    /// Which modules of this package each target may import; one that is not here may import none.
    static let allowed: [String: Set<String>] = [
        // The C library for sine and arc tangent alone.
        "Biometrics": ["Glibc"],
        "Wire": ["Biometrics"],
        "Policy": ["Biometrics"],
        "Platform": ["CLinux", "CSeccomp"],
        "Capture": ["Biometrics", "Platform", "CLinux", "CPicture", "CVideo"],
        // exp and sqrt of single numbers are the C library's.
        "Vision": ["Biometrics", "Platform", "CInference", "Glibc"],
        "SecondLookVision": ["Biometrics", "Policy", "Platform", "Capture", "Vision"],
        "Worker": ["Biometrics", "Wire", "Platform", "Capture", "Vision"],
        "TemplateStore": ["Biometrics", "Policy", "Platform", "CSQLite", "CSodium"],
        "Credentials": ["Platform", "CCrypt"],
        "Monitor": ["Biometrics", "Wire", "Policy", "Platform", "TemplateStore", "Credentials"],
        "secondlook-helper": ["Biometrics", "Wire", "Policy", "Platform", "TemplateStore", "Credentials", "Monitor"],
        "secondlook-vision": ["Biometrics", "Wire", "Platform", "Worker"],
        "secondlook": ["Biometrics", "Policy", "Platform", "TemplateStore", "Credentials", "Monitor", "CPam"],
        "secondlook-evaluate": [
            "Biometrics", "Wire", "Policy", "Platform", "Vision", "Capture", "TemplateStore", "TestSupport",
        ],
        "secondlook-replay": [
            "Biometrics", "Wire", "Platform", "Capture", "Vision", "Worker", "TestSupport", "CProbe",
        ],
    ]
    /// The targets that are installed; none may import Foundation.
    static let installed: Set<String> = [
        "Biometrics", "Wire", "Policy", "Platform", "Capture", "Vision", "Worker", "TemplateStore", "Credentials",
        "Monitor", "secondlook-helper", "secondlook-vision", "secondlook",
    ]
    /// The modules that come with the toolchain and that anything may import.
    static let everywhere: Set<String> = ["FoundationEssentials", "Synchronization", "Dispatch"]
    static let ours = Set(allowed.keys).union(allowed.values.flatMap { $0 })
    static let isCShim: @Sendable (String) -> Bool = { name in
        let letters = Array(name)
        return letters.count > 1 && letters[0] == "C" && letters[1].isUppercase
    }

    @Test func everySwiftTargetHasARow() {
        let targets = Repository.folders(in: "Sources").filter { !Repository.swiftFiles(in: "Sources/\($0)").isEmpty }
        #expect(Set(targets).subtracting(Self.allowed.keys) == [])
        #expect(targets.count >= 14)
    }

    @Test(arguments: allowed.keys.sorted())
    func importsOnlyWhatItsRowAllows(_ target: String) {
        let row = Self.allowed[target, default: []]
        for file in Repository.swiftFiles(in: "Sources/\(target)") {
            for module in Repository.imports(in: file) where !row.contains(module) {
                let isFree = Self.everywhere.contains(module) && !Self.ours.contains(module)
                let isFoundation = module == "Foundation" && !Self.installed.contains(target)
                #expect(isFree || isFoundation, "\(file) imports \(module)")
            }
        }
    }

    @Test(arguments: ["Biometrics", "Wire", "Policy"])
    func pureTargetsHaveNothingUnsafe(_ target: String) {
        for file in Repository.swiftFiles(in: "Sources/\(target)") {
            let code = Repository.lines(of: file).filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
            #expect(!code.contains { Repository.hasWord("unsafe", in: $0) || $0.contains("Unsafe") }, "\(file)")
            #expect(!Repository.imports(in: file).contains(where: Self.isCShim), "\(file)")
        }
    }

    @Test func eachCShimHasOneImporter() {
        // CLinux wraps the kernel, which both Platform and Capture (V4L2) talk to.
        let twice: Set<String> = ["CLinux"]
        var importers: [String: Set<String>] = [:]
        for target in Self.allowed.keys {
            for file in Repository.swiftFiles(in: "Sources/\(target)") {
                for module in Repository.imports(in: file).filter(Self.isCShim) {
                    importers[module, default: []].insert(target)
                }
            }
        }
        for (module, targets) in importers where !twice.contains(module) {
            #expect(targets.count == 1, "\(module) is imported by \(targets.sorted())")
        }
    }

    @Test func unsafeExpressionsAreExplained() {
        for target in Self.allowed.keys.sorted() {
            for file in Repository.swiftFiles(in: "Sources/\(target)") {
                let text = Repository.lines(of: file)
                let uses = text.contains { Repository.hasWord("unsafe", in: Repository.withoutComment($0)) }
                #expect(
                    !uses || text.contains { $0.contains("// SAFETY:") }, "\(file) has unsafe code and no SAFETY line")
            }
        }
    }
}
