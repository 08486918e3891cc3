// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the Swift codec, built from the very sources of Wire. The first byte of the input chooses who reads (module, helper,
// worker or monitor) and how many bytes arrive at a time; the rest is what arrives. Its mutations in `make test` are FramesTests.

import Biometrics

/// What is read is written again; where nothing is rounded (an embedding is normalised) to the same bytes.
private func check(_ frame: RawFrame, _ stream: UInt8) throws(WireError) {
    let written: RawFrame
    switch stream {
    case 0: written = try HelperMessage(frame).frame
    case 1: written = try ModuleMessage(frame).frame
    case 2: written = try WorkerRequest(frame).frame
    default:
        let reply = try WorkerReply(frame)
        if case .frame(let evidence) = reply {
            precondition(evidence.faces.count <= FrameEvidence.mostFaces)
            precondition(reply.frame.payload.count == frame.payload.count)
            return
        }
        written = reply.frame
    }
    precondition(written == frame)
}

private func limits(_ stream: UInt8) -> Deframer.Limits {
    switch stream {
    case 0: HelperMessage.limits
    case 1: ModuleMessage.limits
    case 2: WorkerRequest.limits
    default: WorkerReply.sharingLimits
    }
}

/// Cuts the input into frames and reads each.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 1 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let stream = input[0] & 3
    let step = 1 + Int(input[0] >> 2)
    var deframer = Deframer(reserving: 64, limits: limits(stream))
    var position = 1
    do throws(WireError) {
        while position < count {
            let end = min(count, position + step)
            deframer.append(input[position..<end])
            position = end
            while let frame = try deframer.next() { try check(frame, stream) }
        }
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}
