// SPDX-License-Identifier: Apache-2.0
// Agrees with a camera on a format: what it is, what it offers, what is asked for and what it then says it will do.

import Biometrics
import Platform

/// One negotiation with one device.
struct Negotiation {
    let device: any VideoDevice
    let role: CameraRole

    /// Capability bits of videodev2.h.
    private static let capture: UInt32 = 0x0000_0001
    private static let streaming: UInt32 = 0x0400_0000
    private static let memoryToMemory: UInt32 = 0x0000_C000
    /// More rows than any driver has; a list that does not end is cut.
    private static let mostRows = 128

    /// The format that is now set.
    func run() throws(CaptureError) -> VideoFormat {
        var bits: UInt32 = 0
        let result = device.capabilities(&bits)
        guard result != -25, result != -22 else { throw .noFormat("not a camera") }  // ENOTTY, EINVAL
        try check(result, "ask what it is")
        guard bits & Negotiation.capture != 0, bits & Negotiation.memoryToMemory == 0,
            bits & Negotiation.streaming != 0
        else { throw .noFormat("not a camera that streams") }
        let codes = try offeredCodes()
        let preferred = role == .infrared ? PixelFormat.preferredForInfrared : PixelFormat.preferredForColour
        for format in preferred where codes.contains(format.rawValue) {
            if let agreed = try agree(on: format) { return agreed }
        }
        return try convertible(codes)
    }

    private func offeredCodes() throws(CaptureError) -> [UInt32] {
        var codes: [UInt32] = []
        for index in 0..<Negotiation.mostRows {
            var code: UInt32 = 0
            let result = device.format(at: index, &code)
            if result == -22 || result == -25 { break }
            try check(result, "list its formats")
            codes.append(code)
        }
        return codes
    }

    private func candidates(of format: PixelFormat) -> [ModeChoice.Candidate] {
        var offers: [OfferedSize] = []
        for index in 0..<Negotiation.mostRows {
            var offer = OfferedSize(1, 1)
            guard device.size(of: format.rawValue, at: index, &offer) == 0 else { break }
            offers.append(offer)
        }
        // A driver without a list of sizes is asked for the usual one and answers with what it has.
        if offers.isEmpty { offers = [OfferedSize(640, 480)] }
        return ModeChoice.sizes(in: offers).map { size in
            let rate = device.bestRate(of: format.rawValue, width: size.width, height: size.height)
            return ModeChoice.Candidate(size.width, size.height, rate: max(0, Int(rate)))
        }
    }

    /// Nil when the driver would use another format than it offered.
    private func agree(on format: PixelFormat) throws(CaptureError) -> VideoFormat? {
        guard let size = ModeChoice.best(of: candidates(of: format)) else { return nil }
        var wanted = VideoFormat(code: format.rawValue, width: size.width, height: size.height)
        let result = device.set(&wanted)
        if result == -22 { return nil }
        try check(result, "set the format")
        return wanted.code == format.rawValue ? wanted : nil
    }

    private func convertible(_ codes: [UInt32]) throws(CaptureError) -> VideoFormat {
        let offered = codes.isEmpty ? "none" : codes.map(FourCharacters.text(of:)).joined(separator: ", ")
        var source = VideoFormat(code: 0, width: 0, height: 0)
        let result = device.chooseConvertible(width: 640, height: 480, &source)
        guard result == 0 else {
            if [-16, -19, -6].contains(result) { try check(result, "look for a format") }
            throw .noFormat(offered)
        }
        let code = source.code
        try check(device.set(&source), "set the format")
        guard source.code == code else { throw .noFormat(offered) }
        return source
    }
}
