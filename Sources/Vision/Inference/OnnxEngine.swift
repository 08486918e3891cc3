// SPDX-License-Identifier: Apache-2.0
// One network inside the inference library. The tensors of each shape it has been run at are laid out once and used again, so that a
// frame allocates nothing but its results.

import CInference

/// A loaded network. Not for use from two threads at once.
@safe public final class OnnxEngine: InferenceEngine {
    private let role: ModelRole
    private let runtime: InferenceRuntime
    // SAFETY: the session is closed in deinit, after its plans; `runtime` and, where needed, the mapping outlive it.
    private let session: OpaquePointer
    private let mapping: Mapping?
    private var plans: [[Tensor]: Plan] = [:]

    /// The network's inputs.
    public private(set) var inputs: [Port] = []
    /// The network's outputs.
    public private(set) var outputs: [Port] = []

    /// Shapes a network may be run at; the products use three at most.
    private static let mostPlans = 8

    init(_ session: OpaquePointer, role: ModelRole, runtime: InferenceRuntime, mapping: Mapping) {
        unsafe self.session = session
        self.role = role
        self.runtime = runtime
        self.mapping = mapping.isUsedInPlace ? mapping : nil
    }

    deinit {
        plans.removeAll()
        // SAFETY: the plans, which refer to the session, are gone.
        unsafe cinference_close_session(session)
    }

    /// Reads the ports; called once, by the loader.
    func describe() throws(VisionError) {
        inputs = try ports(output: 0)
        outputs = try ports(output: 1)
    }

    private func ports(output: Int32) throws(VisionError) -> [Port] {
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        var count = 0
        // SAFETY: the session is open; the message has the size demanded.
        guard unsafe cinference_count_ports(session, output, &count, &message) == 0 else {
            throw .modelRefused(role, words(message))
        }
        var ports: [Port] = []
        for index in 0..<count {
            var port = cinference_port()
            // SAFETY: as above; `port` is plain memory.
            guard unsafe cinference_describe_port(session, output, index, &port, &message) == 0 else {
                throw .modelRefused(role, words(message))
            }
            // SAFETY: both are fixed arrays of the struct, read within their bounds.
            let name = unsafe withUnsafeBytes(of: port.name) { unsafe words($0.map { CChar(bitPattern: $0) }) }
            let shape = unsafe withUnsafeBytes(of: port.shape) { bytes in
                unsafe bytes.bindMemory(to: Int64.self).prefix(Int(port.rank)).map { Int($0) }
            }
            ports.append(Port(name: name, shape: shape, isFloat: port.is_float == 1))
        }
        return ports
    }

    /// Runs the network; see `InferenceEngine`.
    public func run(
        input: Tensor, outputs: [Tensor], fill: (inout MutableSpan<Float>) -> Void
    ) throws(VisionError) -> [[Float]] {
        let plan = try plan(input, outputs)
        // SAFETY: the plan's memory lives as long as the plan and has the shape's product of elements.
        let room = unsafe UnsafeMutableBufferPointer(start: plan.input.start, count: plan.input.count)
        var span = unsafe room.mutableSpan
        fill(&span)
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        // SAFETY: the plan is complete and its session open.
        guard unsafe cinference_run(plan.handle, &message) == 0 else { throw .inference(role, words(message)) }
        // SAFETY: as above, for each output.
        return unsafe plan.outputs.map { unsafe Array(UnsafeBufferPointer(start: $0.start, count: $0.count)) }
    }

    private func plan(_ input: Tensor, _ outputs: [Tensor]) throws(VisionError) -> Plan {
        let key = [input] + outputs
        if let known = plans[key] { return known }
        guard plans.count < OnnxEngine.mostPlans else { throw .inference(role, "run at too many different sizes") }
        let made = try unsafe Plan(session, role: role, input: input, outputs: outputs)
        plans[key] = made
        return made
    }
}

/// The tensors of one run.
@safe private final class Plan {
    // SAFETY: all memory belongs to `handle`, which is closed in deinit.
    let handle: OpaquePointer
    private(set) var input: (start: UnsafeMutablePointer<Float>?, count: Int) = unsafe (nil, 0)
    private(set) var outputs: [(start: UnsafeMutablePointer<Float>?, count: Int)] = []

    init(_ session: OpaquePointer, role: ModelRole, input: Tensor, outputs: [Tensor]) throws(VisionError) {
        var opened: OpaquePointer?
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        // SAFETY: the session outlives the plan, by the engine that holds both.
        guard unsafe cinference_open_plan(session, &opened, &message) == 0, let plan = unsafe opened else {
            throw .inference(role, words(message))
        }
        unsafe handle = plan
        unsafe self.input = try add(input, output: 0, role)
        for tensor in outputs { try unsafe self.outputs.append(add(tensor, output: 1, role)) }
    }

    deinit {
        // SAFETY: nothing refers to the memory any more.
        unsafe cinference_close_plan(handle)
    }

    private func add(_ tensor: Tensor, output: Int32, _ role: ModelRole) throws(VisionError)
        -> (start: UnsafeMutablePointer<Float>?, count: Int)
    {
        var start: UnsafeMutablePointer<Float>?
        var count = 0
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        let shape = tensor.shape.map { Int64($0) }
        // SAFETY: name and shape are copied by the call; the shape is passed with its own count.
        let result = unsafe cinference_add_tensor(
            handle, output, tensor.name, shape, shape.count, &start, &count, &message)
        guard result == 0 else { throw .inference(role, words(message)) }
        return unsafe (start, count)
    }
}
