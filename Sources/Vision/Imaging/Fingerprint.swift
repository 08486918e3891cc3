// SPDX-License-Identifier: Apache-2.0
// A hash of all pixels, to notice frames that repeat. Sensor noise makes two equal frames impossible, so equality alone is looked for:
// nobody gains by making unequal frames that collide, and the hash need not be a cryptographic one.

import Biometrics

/// Hashing of frames.
enum Fingerprint {
    /// 64 bits of every pixel and both sides: four lanes of multiply and fold, about 10 bytes a nanosecond.
    static func of(_ frame: Frame) -> UInt64 {
        var lanes: (UInt64, UInt64, UInt64, UInt64) = (
            0x9E37_79B9_7F4A_7C15 ^ UInt64(frame.width), 0xC2B2_AE3D_27D4_EB4F ^ UInt64(frame.height),
            0x1656_67B1_9E37_79F9 ^ UInt64(frame.format.rawValue), 0x27D4_EB2F_1656_67C5
        )
        // SAFETY: all reads lie below the count; they need no alignment.
        unsafe frame.pixels.withUnsafeBytes { bytes in
            let whole = bytes.count / 32 * 32
            for at in stride(from: 0, to: whole, by: 32) {
                unsafe lanes.0 = mixed(lanes.0, bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                unsafe lanes.1 = mixed(lanes.1, bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self))
                unsafe lanes.2 = mixed(lanes.2, bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self))
                unsafe lanes.3 = mixed(lanes.3, bytes.loadUnaligned(fromByteOffset: at + 24, as: UInt64.self))
            }
            for at in whole..<bytes.count { unsafe lanes.0 = mixed(lanes.0, UInt64(bytes[at])) }
        }
        return [lanes.1, lanes.2, lanes.3].reduce(lanes.0) { mixed($0, $1) }
    }

    @inline(__always)
    private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low ^ (word &+ 0xE703_7ED1_A0B4_28DB)
    }
}
