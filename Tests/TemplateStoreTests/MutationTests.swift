// SPDX-License-Identifier: Apache-2.0
// 20,000 mutations with a fixed seed of a sealed template, of the samples inside, and of a recovery code: a changed seal never opens, changed
// samples are refused or finite, and nothing traps.

import Biometrics
import Platform
import Testing

@testable import TemplateStore

@Suite struct MutationTests {
    private static func mutate(_ bytes: [UInt8], _ state: inout UInt64) -> [UInt8] {
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, bound)
        }
        var bytes = bytes
        switch next(4) {
        case 0: bytes.removeLast(next(bytes.count))
        case 1: bytes.append(contentsOf: [UInt8](repeating: UInt8(next(256)), count: 1 + next(600)))
        default: for _ in 0...next(4) { bytes[next(bytes.count)] = UInt8(next(256)) }
        }
        return bytes
    }

    @Test func aChangedSealNeverOpens() throws {
        try Cryptography.start()
        let key = try SecretBytes(random: 32)
        let plain = TemplateBlob.encode([embedding(1)])
        let bound: [UInt8] = [1, 2, 3]
        let sealed = try Cryptography.seal(plain, bound: bound, key: key)
        #expect(Cryptography.open(sealed, bound: bound, key: key) == plain)
        #expect(Cryptography.open(sealed, bound: [1, 2], key: key) == nil)
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            let changed = Self.mutate(sealed, &state)
            if changed != sealed { #expect(Cryptography.open(changed, bound: bound, key: key) == nil) }
        }
    }

    @Test func changedSamplesAreRefusedOrOfUnitLength() {
        let plain = TemplateBlob.encode([embedding(1), embedding(2)])
        var state: UInt64 = 2
        for _ in 0..<20_000 {
            guard let found = TemplateBlob.decode(Self.mutate(plain, &state)) else { continue }
            for embedding in found {
                let squares = embedding.values.reduce(Float(0)) { $0 + $1 * $1 }
                #expect(abs(squares - 1) < 1e-3)
            }
        }
    }

    @Test func changedRecoveryCodesNeverTrap() {
        let code = Array("0123-4567-89AB-CDEF".utf8)
        var state: UInt64 = 3
        for _ in 0..<20_000 {
            if let bytes = RecoveryCode.bytes(Self.mutate(code, &state)) { #expect(bytes.count == 10) }
        }
    }
}
