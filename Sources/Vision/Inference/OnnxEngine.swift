// SPDX-License-Identifier: Apache-2.0
// One network inside the inference library. The tensors of each shape it has been run at are laid out once and used again, so that a
// frame allocates nothing but its results.

import CInference

/// A loaded network.
///
/// Not for use from two threads at once.
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

    /// Shapes whose tensors are kept; a login needs two at most.
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
        // SAFETY: the memory lives as long as the plan and has as many elements as it says.
        let room = unsafe UnsafeMutableBufferPointer(start: plan.input.start, count: plan.input.count)
        var span = unsafe room.mutableSpan
        fill(&span)
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        // SAFETY: the plan is complete and its session open.
        guard unsafe cinference_run(plan.handle, &message) == 0 else { throw .inference(role, words(message)) }
        return plan.outputs.map { memory in
            // SAFETY: as above.
            unsafe Array(UnsafeBufferPointer(start: memory.start, count: memory.count))
        }
    }

    private func plan(_ input: Tensor, _ outputs: [Tensor]) throws(VisionError) -> Plan {
        let key = [input] + outputs
        if let known = plans[key] { return known }
        // Still pictures come in any size: then the layouts are made anew instead of kept without end.
        if plans.count >= OnnxEngine.mostPlans { plans.removeAll() }
        let made = try unsafe Plan(session, role: role, input: input, outputs: outputs)
        plans[key] = made
        return made
    }
}

/// A tensor's elements, in memory of a plan.
@safe private struct Memory {
    // SAFETY: `count` floats that live as long as the plan.
    let start: UnsafeMutablePointer<Float>?
    let count: Int
}

/// The tensors of one run.
@safe private final class Plan {
    // SAFETY: all memory belongs to `handle`, which is closed in deinit.
    let handle: OpaquePointer
    let input: Memory
    let outputs: [Memory]

    init(_ session: OpaquePointer, role: ModelRole, input: Tensor, outputs: [Tensor]) throws(VisionError) {
        var opened: OpaquePointer?
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        // SAFETY: the session outlives the plan, by the engine that holds both.
        guard unsafe cinference_open_plan(session, &opened, &message) == 0, let plan = unsafe opened else {
            throw .inference(role, words(message))
        }
        do throws(VisionError) {
            self.input = try unsafe Plan.add(input, to: plan, output: 0, role)
            var made: [Memory] = []
            for tensor in outputs { try unsafe made.append(Plan.add(tensor, to: plan, output: 1, role)) }
            self.outputs = made
        } catch {
            // SAFETY: opened above and not stored.
            unsafe cinference_close_plan(plan)
            throw error
        }
        unsafe handle = plan
    }

    deinit {
        // SAFETY: nothing refers to the memory any more.
        unsafe cinference_close_plan(handle)
    }

    private static func add(_ tensor: Tensor, to plan: OpaquePointer, output: Int32, _ role: ModelRole)
        throws(VisionError) -> Memory
    {
        var start: UnsafeMutablePointer<Float>?
        var count = 0
        var message = [CChar](repeating: 0, count: Int(CINFERENCE_MESSAGE_BYTES))
        let shape = tensor.shape.map { Int64($0) }
        // SAFETY: name and shape are copied by the call; the shape is passed with its own count.
        let result = unsafe cinference_add_tensor(
            plan, output, tensor.name, shape, shape.count, &start, &count, &message)
        guard result == 0 else { throw .inference(role, words(message)) }
        return unsafe Memory(start: start, count: count)
    }
}
