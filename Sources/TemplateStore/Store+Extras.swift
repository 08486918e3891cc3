// SPDX-License-Identifier: Apache-2.0
// What is kept of an enrolment besides its samples: camera and figures of each view, and a picture where one was asked for. Sealed like the
// samples, each column for its own purpose; no login reads them.

public import Biometrics
import Platform
public import Policy

/// What an enrolment keeps besides its samples.
public struct EnrolmentExtras: Sendable, Equatable {
    /// The stable name of the camera; nil when it is not known (pictures, or an older enrolment).
    public var camera: String?
    /// One note a sample, in their order; empty when nothing was noted.
    public var notes: [SampleNote]
    /// The aligned face, kept only where it was asked for.
    public var picture: FaceCrop?

    /// What to keep; nothing by default.
    public init(camera: String? = nil, notes: [SampleNote] = [], picture: FaceCrop? = nil) {
        self.camera = camera
        self.notes = notes
        self.picture = picture
    }
}

extension Store {
    /// Adds samples, and what is known of them, to the enrolment of the same label, in one transaction.
    ///
    /// A picture of the new samples takes the place of an older one; the moment of enrolment stays.
    /// - Throws: `badTemplate` when there is no such enrolment, when it does not open, or when it is of another recogniser; `tooMany`; then
    ///   nothing has changed.
    public mutating func extend(
        _ template: Template, extras: EnrolmentExtras = .init(), user: String, uid: UInt32
    ) throws(StoreError) {
        try write { (store) throws(StoreError) in
            let enrolled = try store.templates(of: user, uid: uid)
            let label = template.label
            guard let old = enrolled.templates.first(where: { $0.label == label && $0.model == template.model }),
                let id = try store.database.query(
                    "SELECT id FROM enrolments WHERE user=? AND label=?", [Value(user), Value(label)]
                ).first?.first?.integer
            else { throw .badTemplate(user: user, label: label) }
            let samples = old.embeddings + template.embeddings
            guard samples.count <= Store.mostSamples else {
                throw .tooMany("samples in an enrolment", limit: Store.mostSamples)
            }
            var all = try store.extras(id: id, user: user, uid: uid, label: label, model: old.model)
            // Notes stand beside their samples: they go on only where there is one for each so far.
            all.notes = all.notes.count == old.embeddings.count ? all.notes + extras.notes : []
            all.camera = extras.camera ?? all.camera
            all.picture = extras.picture ?? all.picture
            try store.database.query(
                "UPDATE enrolments SET samples=? WHERE id=?", [Value(samples.count), .integer(id)])
            try store.seal(samples, id: id, user: user, uid: uid, label: label, model: old.model)
            try store.seal(all, id: id, user: user, uid: uid, label: label, model: old.model)
        }
    }

    private static let detailsPurpose = "secondlook details 1"
    private static let picturePurpose = "secondlook picture 1"

    /// Opens what is kept besides the samples of one enrolment; nil when there is no such enrolment.
    ///
    /// - Throws: `badTemplate` when it is not exactly as it was sealed.
    public mutating func extras(of user: String, label: String) throws(StoreError) -> EnrolmentExtras? {
        try refreshKeys()
        let rows = try database.query(
            "SELECT id, uid, model FROM enrolments WHERE user=? AND label=?", [Value(user), Value(label)])
        guard let row = rows.first else { return nil }
        guard let id = row[0].integer, let uid = row[1].integer.flatMap(UInt32.init(exactly:)),
            let model = row[2].text
        else { throw .badTemplate(user: user, label: label) }
        return try extras(id: id, user: user, uid: uid, label: label, model: model)
    }

    /// Opens the sealed columns of a row.
    func extras(
        id: Int64, user: String, uid: UInt32, label: String, model: String
    ) throws(StoreError) -> EnrolmentExtras {
        let rows = try database.query("SELECT details, picture FROM enrolments WHERE id=?", [.integer(id)])
        guard let row = rows.first else { throw .badTemplate(user: user, label: label) }
        func opened(_ value: Value, _ purpose: String) throws(StoreError) -> [UInt8]? {
            if value == .null { return nil }
            let binding = Store.binding(
                id: id, user: user, uid: uid, label: label, model: model, purpose: purpose)
            guard let sealed = value.blob, let plain = Cryptography.open(sealed, bound: binding, key: keys.template)
            else { throw .badTemplate(user: user, label: label) }
            return plain
        }
        var extras = EnrolmentExtras()
        if let plain = try opened(row[0], Store.detailsPurpose) {
            guard let details = DetailsBlob.decode(plain) else { throw .badTemplate(user: user, label: label) }
            extras = details
        }
        if let plain = try opened(row[1], Store.picturePurpose) {
            guard let crop = FaceCrop(plain) else { throw .badTemplate(user: user, label: label) }
            extras.picture = crop
        }
        return extras
    }

    /// Seals into the row that is there already, by the key in use.
    func seal(
        _ extras: EnrolmentExtras, id: Int64, user: String, uid: UInt32, label: String, model: String
    ) throws(StoreError) {
        try seal(extras, id: id, user: user, uid: uid, label: label, model: model, by: keys.template)
    }

    /// Seals into the row that is there already.
    func seal(
        _ extras: EnrolmentExtras, id: Int64, user: String, uid: UInt32, label: String, model: String,
        by key: borrowing SecretBytes
    ) throws(StoreError) {
        func binding(_ purpose: String) -> [UInt8] {
            Store.binding(id: id, user: user, uid: uid, label: label, model: model, purpose: purpose)
        }
        var details = Value.null
        if extras.camera != nil || !extras.notes.isEmpty {
            let plain = DetailsBlob.encode(extras)
            details = Value(try Cryptography.seal(plain, bound: binding(Store.detailsPurpose), key: key))
        }
        var picture = Value.null
        if let crop = extras.picture {
            picture = Value(try Cryptography.seal(crop.pixels, bound: binding(Store.picturePurpose), key: key))
        }
        try database.query("UPDATE enrolments SET details=?, picture=? WHERE id=?", [details, picture, .integer(id)])
    }
}

/// The bytes of what is known of the samples: version 1, camera (length 0: not known), then 21 bytes a sample.
///
/// A camera's name that is too long is left out.
enum DetailsBlob {
    private static let version: UInt8 = 1
    private static let noPose: UInt8 = 255
    private static let bytesPerNote = 21
    /// The longest name of a camera, in bytes.
    static let longestCamera = 255

    static func encode(_ extras: EnrolmentExtras) -> [UInt8] {
        let name = Array((extras.camera ?? "").utf8)
        let camera = name.count <= longestCamera ? name : []
        var bytes = [version, UInt8(camera.count)] + camera
        for note in extras.notes.prefix(TemplateBlob.mostSamples) {
            bytes.append(note.pose?.rawValue ?? noPose)
            let quality = note.quality
            for figure in [
                quality.yaw, quality.pitch, quality.sharpness, quality.brightness, quality.eyeDistance,
            ] {
                bytes += (0..<4).map { UInt8(truncatingIfNeeded: figure.bitPattern >> UInt32($0 * 8)) }
            }
        }
        return bytes
    }

    /// Nil for anything that `encode` does not write.
    static func decode(_ bytes: [UInt8]) -> EnrolmentExtras? {
        guard bytes.count >= 2, bytes[0] == version, bytes.count >= 2 + Int(bytes[1]) else { return nil }
        let camera = Array(bytes[2..<2 + Int(bytes[1])])
        guard let name = String(validating: camera, as: UTF8.self) else { return nil }
        let rest = bytes[(2 + camera.count)...]
        guard rest.count.isMultiple(of: bytesPerNote), rest.count / bytesPerNote <= TemplateBlob.mostSamples else {
            return nil
        }
        var notes: [SampleNote] = []
        for start in stride(from: rest.startIndex, to: rest.endIndex, by: bytesPerNote) {
            let figures = (0..<5).map { index in
                Float(
                    bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(rest[start + 1 + index * 4 + $1]) << ($1 * 8) })
            }
            guard figures.allSatisfy(\.isFinite), rest[start] == noPose || EnrolmentPose(rawValue: rest[start]) != nil
            else { return nil }
            let quality = SampleQuality(
                yaw: figures[0], pitch: figures[1], sharpness: figures[2], brightness: figures[3],
                eyeDistance: figures[4])
            notes.append(SampleNote(pose: EnrolmentPose(rawValue: rest[start]), quality: quality))
        }
        return EnrolmentExtras(camera: name.isEmpty ? nil : name, notes: notes)
    }
}
