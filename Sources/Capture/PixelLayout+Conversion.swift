// SPDX-License-Identifier: Apache-2.0
// The loops over rows. ITU-R BT.601 in 16-bit fixed point: R = Y' + 1.402 V, G = Y' - 0.344136 U - 0.714136 V, B = Y' + 1.772 U with U, V about
// 128; for the narrow range Y' = 255/219 (Y - 16) and U, V are scaled by 255/224.

/// The coefficients times 65,536.
private struct Matrix {
    let luma, lumaOffset, redV, greenU, greenV, blueU: Int32

    init(fullRange: Bool) {
        luma = fullRange ? 65_536 : 76_309
        lumaOffset = fullRange ? 0 : 16
        redV = fullRange ? 91_881 : 104_597
        greenU = fullRange ? 22_554 : 25_675
        greenV = fullRange ? 46_802 : 53_279
        blueU = fullRange ? 116_130 : 132_201
    }

    /// What the two chroma bytes add to red, green and blue.
    @inline(__always)
    func chroma(_ u: UInt8, _ v: UInt8) -> (red: Int32, green: Int32, blue: Int32) {
        let cu = Int32(u) - 128
        let cv = Int32(v) - 128
        return (redV &* cv, 0 &- greenU &* cu &- greenV &* cv, blueU &* cu)
    }

    @inline(__always)
    func brightness(_ y: UInt8) -> Int32 { (Int32(y) &- lumaOffset) &* luma &+ 32_768 }
}

@inline(__always)
private func byte(_ fixed: Int32) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, fixed >> 16))) }

extension PixelLayout {
    // SAFETY: for all functions below: the caller has checked that `source` holds `leastBytes`, from which every index here follows, and that
    // `room` holds the whole result.
    typealias Source = UnsafeBufferPointer<UInt8>
    typealias Room = UnsafeMutableBufferPointer<UInt8>

    /// Two pixels in four bytes; `luma` and `chroma` are the places of the first of each kind.
    func packedToRGB(_ source: Source, _ room: Room, luma: Int, chroma: Int) {
        let matrix = Matrix(fullRange: fullRange)
        for y in 0..<height {
            var from = y &* bytesPerLine
            var to = y &* width &* 3
            for x in stride(from: 0, to: width, by: 2) {
                let added = unsafe matrix.chroma(source[from &+ chroma], source[from &+ chroma &+ 2])
                unsafe put(matrix.brightness(source[from &+ luma]), added, room, to)
                if x &+ 1 < width {
                    unsafe put(matrix.brightness(source[from &+ luma &+ 2]), added, room, to &+ 3)
                }
                from &+= 4
                to &+= 6
            }
        }
    }

    /// A plane of luminance and one of interleaved chroma at half the size.
    func planesToRGB(_ source: Source, _ room: Room) {
        let matrix = Matrix(fullRange: fullRange)
        let plane = bytesPerLine &* height
        for y in 0..<height {
            let row = y &* bytesPerLine
            let chromaRow = plane &+ (y / 2) &* bytesPerLine
            var to = y &* width &* 3
            for x in 0..<width {
                let pair = chromaRow &+ (x & ~1)
                let added = unsafe matrix.chroma(source[pair], source[pair &+ 1])
                unsafe put(matrix.brightness(source[row &+ x]), added, room, to)
                to &+= 3
            }
        }
    }

    @inline(__always)
    private func put(_ luma: Int32, _ added: (red: Int32, green: Int32, blue: Int32), _ room: Room, _ to: Int) {
        unsafe room[to] = byte(luma &+ added.red)
        unsafe room[to &+ 1] = byte(luma &+ added.green)
        unsafe room[to &+ 2] = byte(luma &+ added.blue)
    }

    /// Every `step`th byte as luminance, widened from 16 to 235 where the range is narrow.
    func luminance(_ source: Source, _ room: Room, step: Int, offset: Int) {
        let matrix = Matrix(fullRange: fullRange)
        for y in 0..<height {
            let row = y &* bytesPerLine &+ offset
            let to = y &* width
            for x in 0..<width {
                unsafe room[to &+ x] = byte(matrix.brightness(source[row &+ x &* step]))
            }
        }
    }

    /// Every `step`th byte as it is: monochrome sensors use the whole range.
    func plainGrey(_ source: Source, _ room: Room, step: Int, offset: Int) {
        for y in 0..<height {
            let row = y &* bytesPerLine &+ offset
            let to = y &* width
            for x in 0..<width { unsafe room[to &+ x] = source[row &+ x &* step] }
        }
    }

    /// Luminance in the lower `bits` of 16, little-endian; values beyond are white.
    func deepGrey(_ source: Source, _ room: Room, bits: Int) {
        for y in 0..<height {
            var from = y &* bytesPerLine
            let to = y &* width
            for x in 0..<width {
                let value = unsafe Int(source[from]) | Int(source[from &+ 1]) << 8
                unsafe room[to &+ x] = UInt8(min(255, value >> (bits - 8)))
                from &+= 2
            }
        }
    }
}
