// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Targets are earned by a trust domain, a C library or an executable. Dependencies point one way; Tests/ArchitectureTests holds the table.

import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]
let strictC: [CSetting] = [.unsafeFlags(["-std=gnu11", "-Wall", "-Wextra", "-Werror"])]

/// A Swift library of the product.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The only target that may import the C library it wraps is named beside it in the dependency lists below.
func shim(_ name: String, links libraries: [String] = []) -> Target {
    .target(name: name, cSettings: strictC, linkerSettings: libraries.map { .linkedLibrary($0) })
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ more: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.target(name: name), "TestSupport"] + more, exclude: exclude,
        swiftSettings: strict)
}

let package = Package(
    name: "SecondLook",
    products: [
        .executable(name: "secondlook-helper", targets: ["secondlook-helper"]),
        .executable(name: "secondlook-vision", targets: ["secondlook-vision"]),
        .executable(name: "secondlook", targets: ["secondlook"]),
        .executable(name: "secondlook-evaluate", targets: ["secondlook-evaluate"]),
        .executable(name: "secondlook-replay", targets: ["secondlook-replay"]),
        .library(name: "SecondLookVision", targets: ["SecondLookVision"]),
    ],
    targets: [
        // C: one target per library.
        .target(
            name: "CWire", path: "pam", exclude: [], sources: ["wire.c"], publicHeadersPath: ".", cSettings: strictC),
        shim("CLinux"),
        shim("CCrypt", links: ["crypt"]),
        shim("CPam", links: ["pam", "pam_misc"]),
        shim("CSodium", links: ["sodium"]),
        shim("CSQLite", links: ["sqlite3"]),
        shim("CSeccomp", links: ["seccomp"]),
        shim("CInference", links: ["dl"]),
        shim("CPicture", links: ["jpeg", "png"]),
        shim("CVideo", links: ["v4lconvert"]),

        // Pure: no descriptors, no clock, no unsafe.
        .target(
            name: "Biometrics", swiftSettings: strict,
            // The compiler emits calls of sqrtf and the like without importing the C library that would link this.
            linkerSettings: [.linkedLibrary("m")]),
        library("Wire", ["Biometrics"]),
        library("Policy", ["Biometrics"]),

        // The system.
        library("Platform", ["CLinux", "CSeccomp"]),

        // The half that sees, without privileges.
        library("Capture", ["Biometrics", "Platform", "CLinux", "CPicture", "CVideo"]),
        library("Vision", ["Biometrics", "Platform", "CInference"]),
        library("Worker", ["Biometrics", "Wire", "Platform", "Capture", "Vision"]),

        // For other programs: faces in pictures, without a login (docs/library.md).
        library("SecondLookVision", ["Biometrics", "Policy", "Platform", "Capture", "Vision"]),
        .executableTarget(
            name: "identify", dependencies: ["SecondLookVision"], path: "Examples/identify", swiftSettings: strict),

        // The half that decides, with privileges.
        library("TemplateStore", ["Biometrics", "Policy", "Platform", "CSQLite", "CSodium"]),
        library("Credentials", ["Platform", "CCrypt"]),
        library("Monitor", ["Biometrics", "Wire", "Policy", "Platform", "TemplateStore", "Credentials"]),

        .executableTarget(
            name: "secondlook-helper", dependencies: ["Monitor"], swiftSettings: strict,
            linkerSettings: [
                // A login waits for its start.
                .unsafeFlags(["-L\(Context.packageDirectory)/etc/link"], .when(configuration: .release))
            ]),
        program("secondlook-vision", ["Worker"]),
        program(
            "secondlook", ["Monitor", "Policy", "Platform", "TemplateStore", "Credentials", "Biometrics", "CPam"]),
        program(
            "secondlook-evaluate",
            ["Biometrics", "Wire", "Vision", "Capture", "Policy", "TemplateStore", "TestSupport"]),
        program("secondlook-replay", ["Worker", "TestSupport", "CProbe"]),

        .target(
            name: "TestSupport", dependencies: ["Biometrics", "Platform"], path: "Tests/TestSupport",
            swiftSettings: strict),
        // What a worker that was taken over would try; never linked by an installed program.
        .target(name: "CProbe", path: "Tests/CProbe", exclude: ["preload.inc"], cSettings: strictC),
        // Looks through the kernel's cameras in a virtual machine; see Tests/VM.
        .executableTarget(
            name: "capture-probe", dependencies: ["Capture", "Platform", "Biometrics"], path: "Tests/VM/CaptureProbe",
            swiftSettings: strict),
        tests(of: "Biometrics"),
        tests(of: "Wire", ["CWire", "Biometrics", "Policy"]),
        .testTarget(name: "ModuleTests", dependencies: ["Wire"], swiftSettings: strict),
        tests(of: "Policy"),
        tests(of: "Platform", ["CProbe"]),
        tests(of: "Capture"),
        tests(of: "Vision", ["Capture"]),
        .testTarget(
            name: "EvaluateTests", dependencies: ["secondlook-evaluate", "Biometrics"], swiftSettings: strict),
        tests(of: "SecondLookVision", ["identify", "Biometrics", "Policy", "Vision"]),
        tests(of: "Worker", ["CProbe", "secondlook-replay", "secondlook-vision"]),
        tests(of: "TemplateStore"),
        tests(of: "Credentials", ["CCrypt"]),
        tests(of: "Monitor"),
        .testTarget(name: "ArchitectureTests", swiftSettings: strict),
        .testTarget(name: "EndToEndTests", swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "secondlook", "TestSupport", "Biometrics", "Policy", "Platform", "TemplateStore", "Monitor",
            ],
            swiftSettings: strict),
    ]
)
