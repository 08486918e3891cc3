// SPDX-License-Identifier: Apache-2.0
// What is kept of an enrolment besides its samples: camera and figures of each view, and a picture where one was asked for. With its bytes,
// and without the store, so that these can be fuzzed by themselves.

public import Biometrics
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
