// SPDX-License-Identifier: Apache-2.0
// Real processes that end in the middle: killed at any instant, or without room on the disk. What was charged stays charged, what was settled
// stays recorded, and the record stays whole.

import Foundation
import Policy
import TestSupport
import Testing

@testable import TemplateStore

/// What a child does, and how its parent hears how far it came.
private enum Child {
    static func append(_ line: String, to path: String) {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let file = FileHandle(forUpdatingAtPath: path), (try? file.seekToEnd()) != nil else { return }
        try? file.write(contentsOf: Data(line.utf8))
    }

    /// Charges and settles one user after the other as refused, until something ends it; notes each charge and settlement behind it.
    static func work(_ folder: String, _ run: String, notes: String) throws(StoreError) {
        var store = try Store(folder: folder, keyFolder: "\(folder)-none", creating: false, patience: 3000)
        let lockout = Lockout(Settings())
        for number in 0..<100_000 {
            let attempt = record("\(run)-\(number)")
            guard case .charged(let charged) = try store.charge(attempt, lockout: lockout, at: moment(1000)) else {
                continue
            }
            append("charged \(run)-\(number)\n", to: notes)
            try store.settle(charged, as: attempt, lockout: lockout, at: moment(1500))
            append("settled \(run)-\(number)\n", to: notes)
        }
    }

    /// No file of this process may grow beyond this; the write fails like one on a full disk.
    static func limitFiles(to bytes: UInt) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        // SAFETY: the structure is lent for the call.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    /// The users that a child noted behind this word.
    static func users(_ word: String, in notes: String) -> Set<String> {
        let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
        return Set(
            text.split(separator: "\n").filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count + 1)) })
    }
}

@Suite(.serialized) struct StoreKillTests {
    let fixture = Fixture()

    /// Every noted charge is there once, open or recorded; every noted settlement is recorded.
    private func expectNothingLost(_ notes: String) throws {
        let charged = Child.users("charged", in: notes)
        let settled = Child.users("settled", in: notes)
        var store = try fixture.open(creating: false)
        let open = Set(try fixture.rows("SELECT user FROM pending").compactMap { $0[0].text })
        let recorded = try fixture.rows("SELECT user FROM attempts").compactMap { $0[0].text }
        #expect(Set(recorded).count == recorded.count, "nobody is recorded twice")
        #expect(open.isDisjoint(with: recorded), "open or recorded, not both")
        #expect(settled.isSubset(of: recorded))
        let counted = try fixture.rows("SELECT user FROM tallies WHERE misses=1 AND total=1").compactMap { $0[0].text }
        #expect(charged.isSubset(of: counted), "a charge was lost")
        #expect(Set(counted) == open.union(recorded), "whoever is counted has a row, and the other way about")
        #expect(try store.verifyChain().faults.isEmpty)
        // The next attempt after a reboot turns what was left open into records, still charged.
        _ = try store.charge(record("next"), lockout: Lockout(Settings()), at: moment(1, boot: "boot-2"))
        #expect(Set(try fixture.rows("SELECT user FROM attempts").compactMap { $0[0].text }) == open.union(recorded))
        #expect(try store.verifyChain().faults.isEmpty)
        for user in open { #expect(try store.tally(of: user).misses == 1) }
    }

    @Test func aKillAtAnyInstantLosesNoCharge() async throws {
        _ = try fixture.open()
        let notes = fixture.temporary.file("notes")
        for run in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [folder = fixture.folder as String, notes = notes as String, run = run as Int] in
                // Odd microseconds, so that each run is cut at another place.
                let pause = UInt32(3_000 + (run * 79_193) % 300_000)
                Thread.detachNewThread {
                    usleep(pause)
                    kill(getpid(), SIGKILL)
                }
                try Child.work(folder, "run\(run)", notes: notes)
            }
        }
        #expect(!Child.users("charged", in: notes).isEmpty)
        try expectNothingLost(notes)
    }

    @Test func aDiskWithoutRoomChargesNobody() async throws {
        _ = try fixture.open()
        let notes = fixture.temporary.file("notes")
        await #expect(processExitsWith: .exitCode(3)) { [folder = fixture.folder as String, notes = notes as String] in
            Child.limitFiles(to: 80_000)
            do { try Child.work(folder, "run", notes: notes) } catch { exit(3) }
        }
        #expect(!Child.users("settled", in: notes).isEmpty, "there was room at first")
        try expectNothingLost(notes)
    }
}
