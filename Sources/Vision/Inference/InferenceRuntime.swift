// SPDX-License-Identifier: Apache-2.0
// The inference library and the networks loaded into it. It is opened at run time from a descriptor the helper checked, or from a path
// in the measuring tools; everything is read before the sandbox closes.

import CInference

/// Where a model's bytes come from.
public enum ModelSource: Sendable, Equatable {
    /// An open descriptor of a regular file; it stays the caller's.
    case descriptor(Int32)
    /// A file.
    case path(String)
}

/// How a network is run.
public struct InferenceOptions: Sendable, Equatable {
    /// How much the library rewrites a graph while loading.
    public enum Optimisation: Int32, Sendable {
        /// As the file says: for files that were rewritten before.
        case none = 0
        /// Constant folding and the like.
        case basic = 1
        /// Fused operators.
        case extended = 2
        /// All, with layouts that suit this processor.
        case all = 99
    }

    /// Computing threads of a run, 1 to 16; 1 uses the caller's only.
    public var threads: Int
    /// How much is rewritten.
    public var optimisation: Optimisation

    /// One thread, all rewriting.
    public init(threads: Int = 1, optimisation: Optimisation = .all) {
        self.threads = max(1, min(16, threads))
        self.optimisation = optimisation
    }
}

/// The opened library.
///
/// It may be used from several threads; the networks made by it may not.
@safe public final class InferenceRuntime: @unchecked Sendable {
    // SAFETY: opened in init, closed in deinit, never changed between; the library's environment is safe for concurrent use.
    private let handle: OpaquePointer

    /// The library's own version, such as "1.32.0".
    public let version: String

    /// Opens the library at a path.
    public init(path: String) throws(VisionError) {
        var opened: OpaquePointer?
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        // SAFETY: `message` has the size the shim demands; `opened` is set on success only.
        let result = unsafe cinference_open_runtime(path, &opened, &message)
        guard result == 0, let runtime = unsafe opened else { throw .runtime(path, words(message)) }
        unsafe handle = runtime
        // SAFETY: a string constant inside the library.
        version = unsafe String(cString: cinference_version(runtime))
    }

    /// Opens the library that `descriptor` is open on.
    public convenience init(descriptor: Int32) throws(VisionError) {
        try self.init(path: "/proc/self/fd/\(descriptor)")
    }

    deinit {
        // SAFETY: every engine holds a reference to its runtime, so none is left.
        unsafe cinference_close_runtime(handle)
    }

    /// Loads networks, each on a thread of its own, and answers them in the same order.
    ///
    /// An error names the first that failed; those that did load are closed again.
    public func load(
        _ models: [(role: ModelRole, source: ModelSource)], options: InferenceOptions = InferenceOptions()
    ) throws(VisionError) -> [OnnxEngine] {
        var mappings: [Mapping] = []
        var requests: [cinference_request] = unsafe []
        for (role, source) in models {
            let mapping = try Mapping(source, role)
            unsafe requests.append(mapping.request(options))
            mappings.append(mapping)
        }
        // SAFETY: the mappings outlive the call; the array is passed with its own count.
        unsafe cinference_open_sessions(handle, &requests, requests.count)
        var failure: VisionError?
        var engines: [OnnxEngine] = []
        for i in models.indices {
            let role = models[i].role
            guard let session = unsafe requests[i].session else {
                // SAFETY: a fixed array of the struct, read within its bounds.
                let text = unsafe withUnsafeBytes(of: requests[i].message) { bytes in
                    unsafe words(bytes.map { CChar(bitPattern: $0) })
                }
                failure = failure ?? .modelRefused(role, text)
                continue
            }
            let engine = unsafe OnnxEngine(session, role: role, runtime: self, mapping: mappings[i])
            do throws(VisionError) {
                try engine.describe()
                engines.append(engine)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return engines
    }

    /// Writes a network to a file as it is after all rewriting for this processor: loading that needs a tenth of the time, and its weights
    /// are used where the file is mapped.
    ///
    /// The file is of use on a processor of the same kind and with the same library only; the results are the same to the last bit.
    public func prepare(_ role: ModelRole, _ source: ModelSource, into path: String) throws(VisionError) {
        let mapping = try Mapping(source, role)
        var request = unsafe mapping.request(InferenceOptions())
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        // SAFETY: the mapping outlives the call, which copies the path; the message has the size demanded.
        let result = unsafe cinference_prepare(
            handle, request.bytes, request.length, &request.options, path, &message)
        guard result == 0 else { throw .modelRefused(role, words(message)) }
    }
}

/// The library's words as a string.
func words(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A model's file in memory.
@safe final class Mapping {
    // SAFETY: mapped read-only in init, unmapped in deinit, `length` bytes long between.
    private let bytes: UnsafeRawPointer
    private let length: Int

    init(_ source: ModelSource, _ role: ModelRole) throws(VisionError) {
        var start: UnsafeRawPointer?
        var size = 0
        // SAFETY: both are set on success only.
        let result =
            switch source {
            case .descriptor(let descriptor): unsafe cinference_map_descriptor(descriptor, &start, &size)
            case .path(let path): unsafe cinference_map_path(path, &start, &size)
            }
        guard result == 0, let mapped = unsafe start else {
            let reason =
                switch -result {
                case 2: "no such file"
                case 13: "permission denied"
                case 22: "empty, too large or not a regular file"
                default: "error \(-result)"
                }
            if case .path(let path) = source { throw .modelUnreadable(role, "'\(path)': \(reason)") }
            throw .modelUnreadable(role, reason)
        }
        unsafe bytes = mapped
        length = size
    }

    deinit {
        // SAFETY: the engine that uses the bytes in place holds this object.
        unsafe cinference_unmap(bytes, length)
    }

    /// An ORT-format file (its flatbuffer says "ORTM") is used where it lies; an ONNX file is parsed once and then not needed.
    var isUsedInPlace: Bool {
        guard length >= 8 else { return false }
        // SAFETY: at least eight bytes are mapped.
        return unsafe UnsafeRawBufferPointer(start: bytes, count: 8).suffix(4).elementsEqual("ORTM".utf8)
    }

    func request(_ options: InferenceOptions) -> cinference_request {
        var request = unsafe cinference_request()
        unsafe request.bytes = bytes
        unsafe request.length = length
        unsafe request.options = cinference_options(
            threads: Int32(options.threads), optimisation: options.optimisation.rawValue,
            borrow_bytes: isUsedInPlace ? 1 : 0)
        return unsafe request
    }
}
