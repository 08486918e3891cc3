// SPDX-License-Identifier: Apache-2.0
// The Worker library with a clip in the place of a camera, for tests and the demo. It is never installed: no installed program can be pointed at a
// file.

import CProbe
import Platform
import Worker

let clock = SystemTime()
guard let settings = try? ReplaySettings.besideProgram() else { OwnProcess.exit(Worker.Exit.usage) }
if !settings.script.isEmpty {
    guard let text = try? SafeFile.readUnchecked(settings.script, limit: 1 << 22) else {
        OwnProcess.exit(Worker.Exit.usage)
    }
    OwnProcess.exit(ScriptPlayer(clock: clock).play(String(decoding: text, as: UTF8.self)))
}
var report: MappedFile?
if !settings.report.isEmpty {
    report = try? MappedFile(settings.report, writable: true)
    guard report != nil, cprobe_start_bystanders(2) == 0 else { OwnProcess.exit(Worker.Exit.usage) }
}
let code = Worker.run(
    Array(CommandLine.arguments.dropFirst()), clock: clock,
    factory: {
        // Where escapes are tried, a thread ends just while the walls are built.
        if report != nil, cprobe_start_deaf_thread(300) != 0 { throw ReplayError.file("no thread to be had") }
        return try ReplayCameras(settings, detector: $0, clock: clock)
    }, inside: { report?.reportEscapes() })
OwnProcess.exit(code)
