// SPDX-License-Identifier: Apache-2.0
// One-time codes: used once, by one user, also by two logins at once.

import Dispatch
import TestSupport
import Testing

@testable import TemplateStore

@Suite struct StoreRecoveryTests {
    let fixture = Fixture()

    @Test func makesTenDifferentCodesAndStoresNoneOfThem() throws {
        var store = try fixture.open()
        let codes = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 3)
        #expect(Set(codes).count == 10)
        #expect(codes.allSatisfy { $0.utf8.count == 19 })
        let file = String(decoding: TemporaryFolder.read(fixture.databasePath), as: UTF8.self)
        #expect(!file.contains(codes[0]))
        #expect(try store.recoveryCodes(of: "anna").count == 10)
    }

    @Test func aCodeIsUsedOnce() throws {
        var store = try fixture.open()
        let codes = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 3)
        let code = Array(codes[4].utf8)
        #expect(try store.hasRecoveryCode("anna"))
        #expect(try !store.useRecoveryCode(code, user: "bert", uid: 1001, at: 4))
        #expect(try !store.useRecoveryCode(code, user: "anna", uid: 1001, at: 4))
        #expect(try store.useRecoveryCode(code, user: "anna", uid: 1000, at: 5))
        #expect(try !store.useRecoveryCode(code, user: "anna", uid: 1000, at: 6))
        #expect(try store.recoveryCodes(of: "anna").map(\.used) == [nil, nil, nil, nil, 5, nil, nil, nil, nil, nil])
    }

    @Test func newCodesAndRevokingEndTheOldOnes() throws {
        var store = try fixture.open()
        let old = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 3)
        let new = try store.makeRecoveryCodes(user: "anna", uid: 1000, at: 4)
        #expect(try !store.useRecoveryCode(Array(old[0].utf8), user: "anna", uid: 1000, at: 5))
        #expect(try store.revokeRecoveryCodes(of: "anna") == 10)
        #expect(try !store.useRecoveryCode(Array(new[0].utf8), user: "anna", uid: 1000, at: 5))
        #expect(try !store.hasRecoveryCode("anna"))
    }

    @Test func twentyLoginsAtOnceUseACodeOnce() throws {
        let fixture = fixture
        let codes = try fixture.open().withCodes()
        let used = Counter()
        DispatchQueue.concurrentPerform(iterations: 20) { _ in
            guard var store = try? fixture.open(patience: 20_000) else { return }
            if (try? store.useRecoveryCode(Array(codes[0].utf8), user: "anna", uid: 1000, at: 5)) == true {
                used.increment()
            }
        }
        #expect(used.value == 1)
    }

    @Test(arguments: [
        "", "0", "0123-4567-89AB-CDE", "0123-4567-89AB-CDEFG", "0123-4567-89AB-CDEU", "ÄÄÄÄ", "../../etc/passwd",
    ])
    func refusesTextsThatAreNoCode(text: String) throws {
        #expect(RecoveryCode.bytes(Array(text.utf8)) == nil)
    }

    @Test func understandsWhatPeopleType() {
        let bytes: [UInt8] = [0, 1, 2, 3, 4, 250, 251, 252, 253, 254]
        let text = RecoveryCode.text(bytes)
        #expect(RecoveryCode.bytes(Array(text.utf8)) == bytes)
        #expect(RecoveryCode.bytes(Array(text.lowercased().filter { $0 != "-" }.utf8)) == bytes)
        #expect(
            RecoveryCode.bytes(Array(" oOiI-lL11 0000 0000".utf8)) == RecoveryCode.bytes(Array("0011111100000000".utf8))
        )
    }
}

extension Store {
    consuming func withCodes() throws -> [String] { try makeRecoveryCodes(user: "anna", uid: 1000, at: 1) }
}
