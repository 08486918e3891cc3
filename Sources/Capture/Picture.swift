// SPDX-License-Identifier: Apache-2.0
// JPEG and PNG bytes become a Frame here, and nowhere else. It runs in the sandboxed worker and in the measuring tools only: the bytes may
// come from a hostile camera or file, so sides are checked before memory is taken, and damage is an error instead of grey pixels.

public import Biometrics
import CPicture

/// Why a picture could not be read.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is not a single byte.
    case empty
    /// Neither JPEG nor PNG.
    case unknownKind
    /// The bytes end too soon or make no sense; with the decoder's words.
    case damaged(String)
    /// A side is longer than `Frame.largestSide`.
    case tooLarge(width: Int, height: Int)
    /// A kind of picture that is not read (four-colour JPEG, for instance).
    case unsupported
    /// Memory ran out.
    case outOfMemory

    /// One line, without a full stop.
    public var description: String {
        switch self {
        case .empty: "the picture is empty"
        case .unknownKind: "neither a JPEG nor a PNG picture"
        case .damaged(let words): words.isEmpty ? "the picture is damaged" : "the picture is damaged: \(words)"
        case .tooLarge(let width, let height):
            "the picture is \(width)x\(height), larger than \(Frame.largestSide)x\(Frame.largestSide)"
        case .unsupported: "this kind of picture is not read"
        case .outOfMemory: "not enough memory for the picture"
        }
    }
}

/// Decoding and encoding of still pictures and of the JPEG frames of cameras.
public enum Picture {
    /// What the first bytes say.
    public enum Kind: Sendable, Equatable {
        /// Joint Photographic Experts Group, ISO 10918.
        case jpeg
        /// Portable Network Graphics, ISO 15948.
        case png

        /// Nil when the first bytes are those of neither.
        public init?(_ bytes: [UInt8]) {
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else {
                return nil
            }
        }
    }

    /// Decodes a JPEG or PNG file held in memory.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - format: what the frame is to hold; the decoder converts.
    ///   - timestamp: milliseconds of the monotonic clock, passed on.
    ///   - upright: obey the orientation a camera wrote into a JPEG file (Exif), as viewers do; frames of a stream have none.
    public static func decode(
        _ bytes: [UInt8], as format: Frame.Format = .rgb, timestamp: UInt64 = 0, upright: Bool = true
    ) throws(PictureError) -> Frame {
        guard !bytes.isEmpty else { throw .empty }
        guard let kind = Kind(bytes) else { throw .unknownKind }
        var size = cpicture_size(width: 0, height: 0)
        try call { (message: inout [CChar]) in
            // SAFETY: the array outlives the call and is passed with its own count; `message` has CPICTURE_MESSAGE_BYTES bytes.
            switch kind {
            case .jpeg:
                unsafe cpicture_measure_jpeg(bytes, bytes.count, UInt32(Frame.largestSide), &size, &message)
            case .png:
                unsafe cpicture_measure_png(bytes, bytes.count, UInt32(Frame.largestSide), &size, &message)
            }
        } tooLarge: {
            .tooLarge(width: Int(size.width), height: Int(size.height))
        }
        let (width, height) = (Int(size.width), Int(size.height))
        var pixels = [UInt8](repeating: 0, count: width * height * format.bytesPerPixel)
        try call { (message: inout [CChar]) in
            // SAFETY: `pixels` has width * height * channels bytes, which is what both decoders fill.
            switch kind {
            case .jpeg:
                unsafe cpicture_decode_jpeg(bytes, bytes.count, size, Int32(format.bytesPerPixel), &pixels, &message)
            case .png:
                unsafe cpicture_decode_png(bytes, bytes.count, size, Int32(format.bytesPerPixel), &pixels, &message)
            }
        } tooLarge: {
            .tooLarge(width: width, height: height)
        }
        guard let frame = Frame(width: width, height: height, format: format, pixels: pixels, timestamp: timestamp)
        else {
            throw .damaged("")
        }
        guard upright, kind == .jpeg, let orientation = Orientation(jpeg: bytes) else { return frame }
        return orientation.applied(to: frame)
    }

    /// The frame as a PNG file.
    public static func encodePNG(_ frame: Frame) throws(PictureError) -> [UInt8] {
        try encode(frame) { size, channels, bytes, length, message in
            // SAFETY: the frame's pixels are width * height * channels bytes; `length` is the room in `bytes`.
            unsafe cpicture_encode_png(frame.pixels, size, channels, &bytes, &length, &message)
        }
    }

    /// The frame as a JPEG file.
    ///
    /// - Parameter quality: 1 to 100.
    public static func encodeJPEG(_ frame: Frame, quality: Int = 90) throws(PictureError) -> [UInt8] {
        try encode(frame) { size, channels, bytes, length, message in
            // SAFETY: as above.
            unsafe cpicture_encode_jpeg(
                frame.pixels, size, channels, Int32(max(1, min(100, quality))), &bytes, &length, &message)
        }
    }

    private static func encode(
        _ frame: Frame,
        _ body: (
            _ size: cpicture_size, _ channels: Int32, _ bytes: inout [UInt8], _ length: inout Int,
            _ message: inout [CChar]
        ) -> Int32
    ) throws(PictureError) -> [UInt8] {
        let size = cpicture_size(width: UInt32(frame.width), height: UInt32(frame.height))
        // Noise can grow a little in either coder; the headers take less than a kilobyte.
        var bytes = [UInt8](repeating: 0, count: frame.pixels.count * 2 + frame.height + 4096)
        var length = bytes.count
        try call { (message: inout [CChar]) in
            body(size, Int32(frame.format.bytesPerPixel), &bytes, &length, &message)
        } tooLarge: {
            .tooLarge(width: frame.width, height: frame.height)
        }
        return Array(bytes.prefix(length))
    }

    private static func call(
        _ body: (_ message: inout [CChar]) -> Int32, tooLarge: () -> PictureError
    ) throws(PictureError) {
        var message = [CChar](repeating: 0, count: Int(CPICTURE_MESSAGE_BYTES))
        let result = body(&message)
        guard result != 0 else { return }
        switch -result {
        case 27: throw tooLarge()  // EFBIG
        case 95: throw .unsupported  // ENOTSUP
        case 12: throw .outOfMemory  // ENOMEM
        default:
            let words = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .damaged(String(decoding: words, as: UTF8.self))
        }
    }
}
