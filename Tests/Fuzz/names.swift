// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for user names, built from the source of Platform. Its seeds and mutations in `make test` are FuzzSeedTests.

/// A name that is looked up is no path, no option, and one field of a line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let name = String(validating: input, as: UTF8.self), AccountName.isPlausible(name) else { return 0 }
    precondition((1...AccountName.longest).contains(count) && input[0] != UInt8(ascii: "-"))
    precondition(name != "." && name != "..")
    precondition(input.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") })
    precondition(AccountName.isSpelled(name, as: name))
    return 0
}
