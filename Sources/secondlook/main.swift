// SPDX-License-Identifier: Apache-2.0
// The admin command. It only wires: what is typed and who calls go in, an exit code comes out.

import Platform

do throws(PlatformError) {
    let folder = try? OwnProcess.workingFolder()
    try OwnProcess.harden()
    let words = Array(CommandLine.arguments.dropFirst())
    let effective = Machine.effectiveUser
    let caller = Caller(
        isRoot: effective == 0, sudoUser: effective == 0 ? OwnProcess.variable("SUDO_USER") : nil,
        ownUser: try Account.find(user: effective)?.name)
    let libexec = try OwnProcess.programFolder() + "/../libexec/secondlook"
    var session = Session(
        output: Terminal(isQuiet: words.contains("--json")), input: Keyboard(), caller: caller,
        paths: Paths(libexec: Paths.normalised(libexec)), folder: folder ?? "/")
    let code = Command.run(words, Verbs.all, &session)
    OwnProcess.exit(UInt8(clamping: code))
} catch {
    Terminal(isQuiet: true).errorLine("secondlook: \(error.description)")
    OwnProcess.exit(1)
}
