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

    @Test func refusesLoginsWithoutACamera() {
        let trial = Trial()
        // No test machine is known to have a camera; with one the code is 0 or names another want.
        let code = trial.run("doctor", "--json")
        #expect(trial.kept.lines.count == 1)
        #expect(trial.kept.lines.first?.contains("\"name\": \"camera\"") == true)
        #expect((code == 1) == !trial.kept.errors.isEmpty)
    }
}
