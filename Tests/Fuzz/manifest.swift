// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the reader beneath the models' manifest, built from the source of Monitor. The manifest's own rules are held against the
// same seeds and mutations by FuzzSeedTests in `make test`.

/// How deep lists and objects lie in each other.
private func depth(_ value: JSONValue) -> Int {
    switch value {
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    case .object(let members): 1 + (members.values.map(depth).max() ?? 0)
    default: 0
    }
}

/// Whatever is read is shallow, and numbers are finite.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard let value = JSONValue(Array(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
    precondition(depth(value) <= 16)
    if case .number(let number) = value { precondition(number.isFinite) }
    return 0
}
