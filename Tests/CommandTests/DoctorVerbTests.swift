// SPDX-License-Identifier: Apache-2.0
// What is said of a kernel without one of the walls, and whether logins fail for it.

import Platform
import Policy
import Testing

@testable import secondlook

@Suite struct DoctorVerbTests {
    @Test(arguments: [
        (Sandbox.Layers.seccomp, "system-call filter"), (.landlock, "Landlock"),
        (.noNewPrivileges, "no new privileges"), (.resourceLimits, "resource limits"),
    ])
    func namesTheWallThatIsMissing(_ layer: Sandbox.Layers, _ name: String) {
        let layers = Sandbox.Layers.all.subtracting(layer)
        let findings = Walls.findings(layers, landlock: layer == .landlock ? 0 : 4, rule: .require)
        let missing = findings.filter { $0.problem != nil }
        #expect(missing.map(\.name) == [name])
        #expect(missing.map(\.isNeeded) == [true])
    }

    @Test func goesOnWhereTheSettingAllowsIt() {
        let findings = Walls.findings([], landlock: 0, rule: .bestEffort)
        let names = findings.filter { $0.problem != nil && !$0.isNeeded }.map(\.name)
        #expect(names == findings.map(\.name))
        #expect(!Walls.worker("_secondlook", exists: false, rule: .bestEffort).isNeeded)
        #expect(Walls.worker("_secondlook", exists: false, rule: .require).isNeeded)
    }

    @Test func findsNothingWrongWithAllWalls() {
        let findings = Walls.findings(.all, landlock: 4, rule: .require)
        #expect(findings.compactMap(\.problem) == [])
        #expect(findings.map(\.detail).contains("version 4"))
    }

    @Test func fitsEightyColumnsAndTellsWantsFromRemarksByTheirWord() {
        let long = "screen lockers are refused; " + String(repeating: "and so on ", count: 12) + "end"
        let want = DoctorFindings.lines(Finding(name: "service", problem: long, detail: "", isNeeded: true))
        let remark = DoctorFindings.lines(Finding(name: "service", problem: long, detail: "", isNeeded: false))
        #expect(want.first?.hasPrefix("MISSING  service: screen lockers are refused; and so on") == true)
        #expect(remark.first?.hasPrefix("note     service: screen") == true)
        #expect(want.count == 3 && want.allSatisfy { $0.count <= 80 })
        #expect(want.dropFirst().allSatisfy { $0.hasPrefix("         ") && !$0.hasPrefix("          ") })
        #expect(
            DoctorFindings.lines(Finding(name: "user x", problem: nil, detail: "", isNeeded: true)) == [
                "ok       user x"
            ])
        let path = "/" + String(repeating: "p", count: 120)
        let whole = DoctorFindings.lines(Finding(name: "module", problem: nil, detail: path, isNeeded: true))
        #expect(whole.last?.hasSuffix(path) == true)
    }

    @Test func tellsAClockThatWasSetBack() {
        let now: Int64 = 1_796_000_000_000
        #expect(Checkup.clock(now: now, newest: nil).problem == nil)
        #expect(Checkup.clock(now: now, newest: now - 1).problem == nil)
        #expect(Checkup.clock(now: now, newest: now + 600_000).problem?.contains("set it") == true)
        #expect(Checkup.clock(now: 86_400_000, newest: nil).problem?.contains("1970-01-02") == true)
    }

    @Test func looksAtEveryPartOfAnInstallation() {
        let trial = Trial()
        _ = trial.run("doctor", "--json")
        let text = trial.kept.lines.joined()
        for name in ["module", "helper", "worker", "models", "camera", "store", "service", "Landlock"] {
            #expect(text.contains("{\"name\": \"\(name)\""), "\(name)")
        }
        // Nothing is installed in /nonexistent, and logins fail for each of these.
        for name in ["helper", "worker", "models"] {
            #expect(text.contains("{\"name\": \"\(name)\", \"ok\": false, \"needed\": true"), "\(name)")
        }
    }

    @Test func refusesLoginsWithoutACamera() {
        let trial = Trial()
        // No test machine is known to have a camera; with one the code is 0 or names another want.
        let code = trial.run("doctor", "--json")
        #expect(trial.kept.lines.count == 1)
        #expect(trial.kept.lines.first?.contains("\"name\": \"camera\"") == true)
        #expect((code == 1) == !trial.kept.errors.isEmpty)
    }
}
