// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the settings file, built from the very sources of Policy. Its seeds and mutations in `make test` are FuzzSeedTests.

/// Whatever is accepted is accepted again as it is shown.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(SettingsError) {
        let settings = try Settings.parse(input, service: "sudo")
        let rows = Settings.table.filter { $0.name != "prompt_text" }
        let text = rows.map { "\($0.name) = \($0.value(in: settings))\n" }.joined()
        let again = try Settings.parse(Array(text.utf8), service: "sudo")
        for row in rows { precondition(row.value(in: again) == row.value(in: settings)) }
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}
