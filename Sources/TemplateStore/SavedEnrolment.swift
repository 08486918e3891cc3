// SPDX-License-Identifier: Apache-2.0
// What a backup has of an enrolment, and its bytes. They come out of a seal that only the passphrase opens, but whoever knows the passphrase
// can make others: so every length is bounded, and a number that makes no sense is refused.

import Biometrics
public import Policy

/// An enrolment outside of its store.
public struct SavedEnrolment: Equatable, Sendable {
    /// The user's name.
    public var user: String
    /// The user's number on the machine that it is for.
    public var uid: UInt32
    /// Milliseconds since 1970.
    public var created: Int64
    /// Label, samples and recogniser.
    public var template: Template
    /// What is kept besides.
    public var extras: EnrolmentExtras

    /// An enrolment.
    public init(user: String, uid: UInt32, created: Int64, template: Template, extras: EnrolmentExtras = .init()) {
        self.user = user
        self.uid = uid
        self.created = created
        self.template = template
        self.extras = extras
    }
}

/// A list of enrolments as bytes, numbers little-endian.
///
/// A count, then each with its texts, samples, details and picture, every one preceded by its length. A picture that there is not has the length 0.
enum SavedList {
    /// The longest name of a user, in bytes.
    static let longestName = 256
    /// The longest label, in bytes.
    static let longestLabel = 64
    /// The longest name of a recogniser: a SHA-256 in hexadecimal digits.
    static let longestModel = 64
    /// The years 0 to 9999, in milliseconds since 1970: others are no moments that anybody enrolled at.
    static let times: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    static func encode(_ enrolments: [SavedEnrolment]) -> [UInt8] {
        var bytes = LittleEndian.bytes(UInt32(clamping: enrolments.count))
        for enrolment in enrolments {
            let template = enrolment.template
            bytes += text(enrolment.user) + LittleEndian.bytes(enrolment.uid)
            bytes += text(template.label) + LittleEndian.bytes(UInt64(bitPattern: enrolment.created))
            bytes += text(template.model)
            let details = DetailsBlob.encode(enrolment.extras)
            for part in [TemplateBlob.encode(template.embeddings), details, enrolment.extras.picture?.pixels ?? []] {
                bytes += LittleEndian.bytes(UInt32(clamping: part.count)) + part
            }
        }
        return bytes
    }

    /// Nil for anything that `encode` does not write.
    static func decode(_ bytes: [UInt8]) -> [SavedEnrolment]? {
        var reader = ListReader(bytes)
        guard let count = reader.number(UInt32.self) else { return nil }
        var enrolments: [SavedEnrolment] = []
        for _ in 0..<count {
            guard let user = reader.text(longest: longestName), let uid = reader.number(UInt32.self),
                let label = reader.text(longest: longestLabel),
                let created = reader.number(UInt64.self).map({ Int64(bitPattern: $0) }), times.contains(created),
                let model = reader.text(longest: longestModel), let samples = reader.part(),
                let embeddings = TemplateBlob.decode(samples), let details = reader.part(),
                var extras = DetailsBlob.decode(details), let pixels = reader.part()
            else { return nil }
            if !pixels.isEmpty {
                guard let picture = FaceCrop(pixels) else { return nil }
                extras.picture = picture
            }
            enrolments.append(
                SavedEnrolment(
                    user: user, uid: uid, created: created,
                    template: Template(label: label, embeddings: embeddings, model: model), extras: extras))
        }
        return reader.isAtEnd ? enrolments : nil
    }

    private static func text(_ text: String) -> [UInt8] {
        LittleEndian.bytes(UInt32(clamping: text.utf8.count)) + Array(text.utf8)
    }
}

/// Numbers as bytes, the lowest first.
enum LittleEndian {
    static func bytes<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }

    static func number<Number: FixedWidthInteger & UnsignedInteger>(_ bytes: ArraySlice<UInt8>) -> Number {
        bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}

/// Reads fields one after the other; nil where the bytes do not suffice.
struct ListReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        take(Number.bitWidth / 8).map { LittleEndian.number($0) }
    }

    /// Bytes that are preceded by their number.
    mutating func part() -> [UInt8]? {
        guard let length = number(UInt32.self), let bytes = take(Int(length)) else { return nil }
        return Array(bytes)
    }

    /// A text of at least one byte that is UTF-8.
    mutating func text(longest: Int) -> String? {
        guard let length = number(UInt32.self), (1...UInt32(longest)).contains(length), let bytes = take(Int(length))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
