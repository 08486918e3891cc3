// SPDX-License-Identifier: Apache-2.0
// Puts handed-out pictures together and holds the worker to what it was asked for: so many, so large, so often, and only of faces that the
// evidence of the same frame has. A login has none of this; there a picture is a breach.

import Biometrics
import Wire

/// The pictures of the frame whose evidence comes next.
struct PictureGallery: Sendable {
    private struct Part {
        var width: UInt16
        var height: UInt16
        var pixels: [UInt8]
        var isWhole: Bool { pixels.count == Int(width) * Int(height) * 3 }
    }

    private let sharing: PictureSharing
    private var parts: [SharedPicture.Subject: Part] = [:]
    private var viewed: [CameraRole: UInt64] = [:]
    /// The pictures of the latest frame.
    private(set) var pictures: [SharedPicture.Subject: SharedPicture] = [:]

    init(_ sharing: PictureSharing) { self.sharing = sharing }

    /// Takes the next rows of a picture of the frame numbered `sequence`.
    mutating func add(_ rows: PictureRows, to sequence: UInt32) throws(MonitorError) {
        guard rows.sequence == sequence else { throw .evidence("a picture of another frame") }
        switch rows.subject {
        case .view:
            guard sharing.views else { throw .evidence("a view that nobody asked for") }
            guard max(rows.width, rows.height) <= sharing.side else { throw .evidence("a view larger than asked for") }
        case .face:
            guard sharing.faces else { throw .evidence("the picture of a face that nobody asked for") }
        }
        var part = parts[rows.subject] ?? Part(width: rows.width, height: rows.height, pixels: [])
        guard part.width == rows.width, part.height == rows.height,
            part.pixels.count == Int(rows.firstRow) * Int(rows.width) * 3
        else { throw .evidence("rows that do not follow one another") }
        part.pixels += rows.pixels
        parts[rows.subject] = part
        guard parts.count <= FrameEvidence.mostFaces + 1 else { throw .evidence("more pictures than faces") }
    }

    /// The evidence is there: every picture must be whole and of something in it.
    mutating func close(_ frame: FrameEvidence) throws(MonitorError) {
        pictures = [:]
        let embedded = Set(frame.faces.filter { $0.embedding != nil }.map(\.track))
        for (subject, part) in parts {
            guard part.isWhole,
                let picture = SharedPicture(
                    subject: subject, width: Int(part.width), height: Int(part.height), pixels: part.pixels)
            else { throw .evidence("a part of a picture") }
            switch subject {
            case .view:
                if let before = viewed[frame.role], frame.timestamp < before + UInt64(sharing.interval) {
                    throw .evidence("more views than asked for")
                }
                viewed[frame.role] = frame.timestamp
            case .face(let track):
                guard embedded.contains(track) else { throw .evidence("the picture of a face without an embedding") }
            }
            pictures[subject] = picture
        }
        parts = [:]
    }
}
