// SPDX-License-Identifier: Apache-2.0
// What `doctor` looks at besides the kernel and the camera: the parts of the installation, the store and its key, the PAM files, the clock and
// the service for callers that are not root. Each is one finding with what to do.

import Monitor
import Platform
import TemplateStore

/// Looks at the parts of an installation.
struct Checkup {
    let session: Session

    /// Module, helper, worker, runtime and models.
    var installation: [Finding] {
        var findings: [Finding] = []
        do throws(CommandError) {
            let name = try session.moduleName()
            let path = name.hasPrefix("/") ? name : (session.pam.moduleFolder ?? "") + "/" + name
            findings.append(file("module", path, isProgram: false))
        } catch {
            findings.append(Finding(name: "module", problem: error.description, detail: "", isNeeded: true))
        }
        findings.append(file("helper", session.paths.libexec + "/secondlook-helper", isProgram: true))
        findings.append(file("worker", session.paths.libexec + "/secondlook-vision", isProgram: true))
        do throws(MonitorError) {
            let set = try models(prepared: false)
            let names = set.models.map(\.entry.role.rawValue).joined(separator: ", ")
            let missing = set.model(.liveness) == nil ? "; without liveness everybody is asked to turn the head" : ""
            findings.append(Finding(name: "models", problem: nil, detail: names + missing, isNeeded: true))
            findings += prepared
        } catch  where !session.caller.isRoot && SafeFile.exists(session.paths.state) {
            // Models that were added are in the state folder, which is closed to others; that is no want of the machine's.
            findings.append(
                Finding(name: "models", problem: "only root can look at all of them", detail: "", isNeeded: false))
        } catch {
            findings.append(
                Finding(
                    name: "models", problem: Shown.safe(error.description) + "; install them again", detail: "",
                    isNeeded: true))
        }
        return findings
    }

    /// The models as a login takes them, each proven by its hash where root asks.
    private func models(prepared: Bool) throws(MonitorError) -> ModelSet {
        let set = try ModelSet(session.paths.installation, preferringPrepared: prepared)
        if session.caller.isRoot {
            var proof = ModelProof(set)
            try proof.finish()
        }
        return set
    }

    /// The models' forms for this processor, when a login would be refused for what is wrong with them.
    private var prepared: [Finding] {
        guard session.caller.isRoot else { return [] }
        do throws(MonitorError) {
            _ = try models(prepared: true)
            return []
        } catch {
            let text = Shown.safe(error.description)
            let remedy = text.contains("models prepare") ? "" : "; run: secondlook models prepare"
            return [Finding(name: "prepared models", problem: text + remedy, detail: "", isNeeded: true)]
        }
    }

    /// A file that root alone may change, beside the command.
    private func file(_ name: String, _ path: String, isProgram: Bool) -> Finding {
        var finding = Finding(name: name, problem: nil, detail: path, isNeeded: true)
        do throws(PlatformError) {
            let status = try SafeFile.open(SafeFile.resolved(path), checking: .lastFolder).status()
            if isProgram, status.mode & 0o100 == 0 { finding.problem = "'\(path)' is not executable" }
        } catch {
            finding.problem = Shown.safe(error.description) + "; install it again"
        }
        return finding
    }

    /// The store with its key; only root may look.
    var store: [Finding] {
        guard session.caller.isRoot else {
            return [Finding(name: "store", problem: "only root can look at it", detail: "", isNeeded: false)]
        }
        guard session.hasStore else {
            return [
                Finding(
                    name: "store", problem: "nobody is enrolled yet; see: secondlook enroll --help", detail: "",
                    isNeeded: false)
            ]
        }
        do throws(StoreError) {
            let store = try Store(folder: session.paths.state, keyFolder: session.paths.credentials, creating: false)
            let users = Set(try store.summaries().map { Array($0.user.utf8) }).count
            let own = SafeFile.exists(session.paths.state + "/key")
            let key = own ? session.paths.state + "/key" : session.paths.credentials + "/key"
            return [
                Finding(name: "key", problem: nil, detail: key, isNeeded: true),
                Finding(
                    name: "store", problem: users == 0 ? "nobody is enrolled; see: secondlook enroll --help" : nil,
                    detail: "\(users) \(users == 1 ? "user" : "users") enrolled", isNeeded: false),
                Checkup.clock(now: session.clock.wall(), newest: try store.attempts(limit: 1).first?.record.time),
            ]
        } catch {
            return [Finding(name: "store", problem: Shown.safe(error.description), detail: "", isNeeded: true)]
        }
    }

    /// The wall clock against the newest record: a clock that was set back makes locks last longer and records lie.
    static func clock(now: Int64, newest: Int64?) -> Finding {
        var finding = Finding(name: "clock", problem: nil, detail: TimeText.text(now), isNeeded: false)
        // The first day of the year in which this was written.
        if now < 1_767_225_600_000 {
            finding.problem = "it says \(TimeText.text(now)), which is long past; set it"
        } else if let newest, newest > now + 120_000 {
            finding.problem =
                "it says \(TimeText.text(now)), but an attempt was recorded at \(TimeText.text(newest)); set it"
        }
        return finding
    }

    /// Where the look is on, and whether it holds there.
    var pam: [Finding] {
        let files = PAMFolder(paths: session.paths.pam)
        let states = files.services.map { PAMState($0, files) }
        let on = states.filter(\.isOn)
        // One line for a file that many include, told at the file itself.
        let faults = on.filter { state in
            state.stack?.ours.contains { state.stack?.steps[$0].file == state.service } ?? false
        }
        var findings = faults.flatMap { state in
            (state.faults.map { ($0, true) } + state.remarks.map { ($0, false) }).map { text, isNeeded in
                Finding(name: "pam \(state.service)", problem: Shown.safe(text), detail: "", isNeeded: isNeeded)
            }
        }
        for state in states {
            guard let problem = state.problem, mentionsUs(state.service) else { continue }
            findings.append(
                Finding(name: "pam \(state.service)", problem: Shown.safe(problem), detail: "", isNeeded: true))
        }
        if findings.isEmpty {
            let names = on.map(\.service).joined(separator: ", ")
            findings.append(
                Finding(
                    name: "pam",
                    problem: on.isEmpty ? "the look is off everywhere; see: secondlook pam enable --help" : nil,
                    detail: "the look is on at \(names)", isNeeded: false))
        }
        return findings
    }

    /// Whether a file that cannot be understood names the module.
    private func mentionsUs(_ service: String) -> Bool {
        let path = session.paths.pam.folder + "/" + service
        let bytes = (try? SafeFile.read(SafeFile.resolved(path), limit: PAMFile.longest)) ?? []
        return bytes.firstRange(of: Array("pam_secondlook".utf8)) != nil
    }

    /// The socket for screen lockers and confined callers.
    var service: Finding {
        let socket = session.paths.credentials + "/secondlook.sock"
        let isThere = SafeFile.exists(socket)
        return Finding(
            name: "service",
            problem: isThere
                ? nil
                : "screen lockers and other programs that are not root are refused; "
                    + "if they are to ask: systemctl enable --now secondlook.socket",
            detail: socket, isNeeded: false)
    }
}
