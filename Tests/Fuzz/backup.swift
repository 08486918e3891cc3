// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the bytes of a backup, built from the sources of TemplateStore: the header, which comes from anyone, and the list,
// which comes out of the seal. Its seeds and mutations in `make test` are FuzzSeedTests; BackupSeedTests makes the seeds.

import Biometrics
import Policy

/// The first byte chooses: even the header, odd the list.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = input.first else { return 0 }
    if choice.isMultiple(of: 2) { header(Array(input.dropFirst())) } else { list(Array(input.dropFirst())) }
    return 0
}

/// A header that is believed is within the limits and says everything of the bytes that it stands in.
private func header(_ file: [UInt8]) {
    do throws(BackupFault) {
        let header = try Backup.Header(of: file)
        precondition(header.cost.isAllowed && header.rest >= Backup.Header.shortestRest)
        precondition(header.bytes == Array(file[..<Backup.Header.length]))
        precondition(file.count == Backup.Header.length + header.rest && header.rest <= Backup.longestFile)
    } catch {
        precondition(!error.description.isEmpty)
    }
}

/// A list that is decoded keeps the limits and is encoded to the same bytes; only samples are rounded.
private func list(_ bytes: [UInt8]) {
    guard let found = SavedList.decode(bytes) else { return }
    let again = SavedList.encode(found)
    precondition(again.count == bytes.count && SavedList.decode(again)?.count == found.count)
    var at = 0
    var samples = 4
    for enrolment in found {
        let (template, extras) = (enrolment.template, enrolment.extras)
        precondition((1...SavedList.longestName).contains(enrolment.user.utf8.count))
        precondition((1...SavedList.longestLabel).contains(template.label.utf8.count))
        precondition((1...SavedList.longestModel).contains(template.model.utf8.count))
        precondition(SavedList.times.contains(enrolment.created))
        precondition((1...TemplateBlob.mostSamples).contains(template.embeddings.count))
        precondition(extras.notes.count <= TemplateBlob.mostSamples)
        for embedding in template.embeddings {
            precondition(abs(embedding.values.reduce(Float(0)) { $0 + $1 * $1 } - 1) < 1e-3)
        }
        // Five lengths, a number and a moment stand between the texts and before the samples.
        samples += 28 + enrolment.user.utf8.count + template.label.utf8.count + template.model.utf8.count
        precondition(bytes[at..<samples] == again[at..<samples])
        at = samples + template.embeddings.count * TemplateBlob.bytesPerSample
        samples = at + 8 + DetailsBlob.encode(extras).count + (extras.picture?.pixels.count ?? 0)
    }
    precondition(bytes[at...] == again[at...])
}
