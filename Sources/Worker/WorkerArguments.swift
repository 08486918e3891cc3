// SPDX-License-Identifier: Apache-2.0
// The worker's command line: descriptors by name, and who it is to become. It is written by the helper alone, so anything unexpected is an error.

public import Platform
public import Vision

/// What the helper says on the command line: `runtime=4 detector=5 uid=101 gid=101 sandbox=require`.
public struct WorkerArguments: Sendable, Equatable {
    /// The conversation's descriptor.
    public static let socket: Int32 = 3

    /// The descriptor of the inference library.
    public var runtime: Int32
    /// Descriptors of models by their role; detector and recogniser are always there.
    public var models: [ModelRole: Int32]
    /// Descriptors of files that models are to be written to in the form for this processor; then nothing else is done.
    public var prepared: [ModelRole: Int32]
    /// The user to become.
    public var user: UInt32?
    /// The group to become.
    public var group: UInt32?
    /// What to do when a wall cannot be built.
    public var strictness: Sandbox.Strictness

    /// Reads the words after the program's name.
    public init(_ words: some Sequence<String>) throws(WorkerError) {
        var numbers: [String: UInt32] = [:]
        var strictness: Sandbox.Strictness?
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw .usage("'\(word)'") }
            if parts[0] == "sandbox" {
                guard strictness == nil, let value = Sandbox.Strictness(rawValue: parts[1]) else {
                    throw .usage("'\(word)'")
                }
                strictness = value
            } else {
                guard WorkerArguments.names.contains(parts[0]), numbers[parts[0]] == nil, let value = UInt32(parts[1])
                else { throw .usage("'\(word)'") }
                numbers[parts[0]] = value
            }
        }
        user = numbers.removeValue(forKey: "uid")
        group = numbers.removeValue(forKey: "gid")
        self.strictness = strictness ?? .require
        guard (user == nil) == (group == nil) else { throw .usage("uid and gid belong together") }
        let descriptors = try WorkerArguments.descriptors(numbers)
        guard let runtime = descriptors["runtime"] else { throw .usage("no runtime") }
        self.runtime = runtime
        models = [:]
        prepared = [:]
        for role in ModelRole.allCases {
            prepared[role] = descriptors[WorkerArguments.preparedPrefix + role.rawValue]
        }
        for role in ModelRole.allCases { models[role] = descriptors[role.rawValue] }
        for role in [ModelRole.detector, .recogniser] where models[role] == nil {
            throw .usage("no \(role.rawValue)")
        }
        if let role = prepared.keys.first(where: { models[$0] == nil }) {
            throw .usage("no \(role.rawValue) to prepare")
        }
    }

    /// Before the role's name, for the file to write.
    static let preparedPrefix = "prepared-"

    private static let names: Set<String> = Set(
        ["runtime", "uid", "gid"] + ModelRole.allCases.flatMap { [$0.rawValue, preparedPrefix + $0.rawValue] })

    /// Each is above the socket, and no two are the same, since each is closed by its own owner.
    private static func descriptors(_ numbers: [String: UInt32]) throws(WorkerError) -> [String: Int32] {
        guard numbers.values.allSatisfy({ (4...1023).contains($0) }), Set(numbers.values).count == numbers.count else {
            throw .usage("descriptors must differ and lie between 4 and 1023")
        }
        return numbers.mapValues { Int32($0) }
    }
}
