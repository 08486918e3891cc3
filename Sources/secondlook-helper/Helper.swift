// SPDX-License-Identifier: Apache-2.0
// Wires a login session to the machine: command line, descriptor 0, system log.

import Monitor
import Platform
import Policy

/// One run of the helper.
enum Helper {
    /// Seconds after which the kernel ends a helper that hangs: longer than the longest attempt with all its typing.
    static let longest: UInt32 = 900

    /// What the command line may say.
    private struct Words {
        var conf: String?
        var isService = false

        /// Nil for anything but nothing, `--conf PATH` or `--service`.
        init?(_ words: [String]) {
            switch words.count {
            case 0: break
            case 1 where words[0] == "--service": isService = true
            case 2 where words[0] == "--conf": conf = words[1]
            default: return nil
            }
        }
    }

    /// Runs one attempt and returns its outcome.
    static func run(_ words: [String]) -> Outcome {
        do {
            try OwnProcess.harden()
            guard let words = Words(words) else { throw MonitorError.request("unknown words on the command line") }
            let socket = Channel(Descriptor(owning: 0))
            guard try socket.isLocalStream() else { throw MonitorError.request("descriptor 0 is no local socket") }
            let environment = try LoginEnvironment(
                installation: try Installation.ofHelper(conf: words.conf), isService: words.isService)
            var session = LoginSession(environment, channel: socket)
            let report = session.run()
            log(report)
            return report.verdict.outcome
        } catch {
            SystemLog.write(.error, "fault: \(error)")
            return .fault
        }
    }

    /// One line an attempt, and one a fault.
    private static func log(_ report: LoginReport) {
        for fault in report.faults { SystemLog.write(.error, "fault: \(fault)") }
        SystemLog.write(report.verdict.outcome == .accepted ? .notice : .warning, report.line)
    }
}
