// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the bytes of a template, as they come out of the seal; built from the source of TemplateStore. Its seeds and mutations
// in `make test` are FuzzSeedTests.

import Biometrics

/// Whatever is decoded is finite and of unit length.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let found = TemplateBlob.decode(input) else { return 0 }
    precondition(
        found.count * TemplateBlob.bytesPerSample == count && (1...TemplateBlob.mostSamples).contains(found.count))
    for embedding in found {
        precondition(abs(embedding.values.reduce(Float(0)) { $0 + $1 * $1 } - 1) < 1e-3)
    }
    return 0
}
