// SPDX-License-Identifier: Apache-2.0
// A session is an entry of a folder: a clip, or a folder of frames. Clips are decoded by ffmpeg at run time, so that no decoder of
// theirs is part of the product.

import Biometrics
import Capture
import Foundation

/// One session on disk.
struct SessionSource: Sendable {
    /// The entry's name.
    let name: String
    /// Where it is.
    let path: String
    private let isFolder: Bool

    /// Milliseconds between the frames of a folder, which tells no times: 15 a second, in the middle of what webcams deliver.
    static let folderInterval: UInt64 = 66
    /// No more of a clip is looked at than an attempt could last.
    static let longest = 20
    private static let clips: Set<String> = ["mp4", "mov", "avi", "mkv", "webm"]
    private static let pictures: Set<String> = ["jpg", "jpeg", "png"]

    /// The sessions in a folder, by name.
    static func list(_ folder: String) throws -> [SessionSource] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw EvaluateError.file(folder, "cannot read the folder")
        }
        let sessions = names.sorted().compactMap { name -> SessionSource? in
            let path = "\(folder)/\(name)"
            guard
                let attributes = try? FileManager.default.attributesOfItem(
                    atPath: URL(filePath: path).resolvingSymlinksInPath().path()), !name.hasPrefix(".")
            else {
                return nil
            }
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let isClip = clips.contains(URL(filePath: path).pathExtension.lowercased())
            guard isFolder || isClip else { return nil }
            return SessionSource(name: name, path: path, isFolder: isFolder)
        }
        guard !sessions.isEmpty else { throw EvaluateError.file(folder, "holds no clip and no folder of frames") }
        return sessions
    }

    /// Calls `body` with each frame in order.
    func forEachFrame(_ body: (Frame) throws -> Void) throws {
        if isFolder { try readFolder(body) } else { try readClip(body) }
    }

    private func readFolder(_ body: (Frame) throws -> Void) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter {
            SessionSource.pictures.contains(URL(filePath: $0).pathExtension.lowercased())
        }
        for (index, name) in names.enumerated() {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
            do {
                try body(try Picture.decode(bytes, timestamp: UInt64(index) * SessionSource.folderInterval))
            } catch let error as PictureError {
                throw EvaluateError.file("\(path)/\(name)", "\(error)")
            }
        }
    }

    private func readClip(_ body: (Frame) throws -> Void) throws {
        // Each frame with its own time; larger pictures than a webcam's are made smaller.
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-nostdin", "-t", "\(SessionSource.longest)", "-i", path, "-vf",
            "scale='if(gt(iw,ih),min(960,iw),-2)':'if(gt(iw,ih),-2,min(960,ih))'", "-fps_mode", "passthrough",
            "-f", "image2pipe", "-c:v", "ppm", "-",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch { throw EvaluateError.clip(path, "ffmpeg cannot be started") }
        // Who needs no more frames must not leave a decoder waiting before a full pipe.
        defer {
            try? pipe.fileHandleForReading.close()
            if process.isRunning { process.terminate() }
        }
        var reader = PixmapReader(pipe.fileHandleForReading)
        let interval = try clipInterval()
        var count: UInt64 = 0
        while let picture = reader.next() {
            guard
                let frame = Frame(
                    width: picture.width, height: picture.height, format: .rgb, pixels: picture.pixels,
                    timestamp: UInt64(Double(count) * interval))
            else { throw EvaluateError.clip(path, "impossible size") }
            count += 1
            try body(frame)
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0, count > 0 else { throw EvaluateError.clip(path, "ffmpeg failed") }
    }

    /// Milliseconds from frame to frame, by ffprobe.
    private func clipInterval() throws -> Double {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=avg_frame_rate", "-of",
            "csv=p=0", path,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch { throw EvaluateError.clip(path, "ffprobe cannot be started") }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let parts = text.split(whereSeparator: { "/\n,".contains($0) }).compactMap { Double($0) }
        guard parts.count >= 2, parts[0] > 0, parts[1] > 0 else { throw EvaluateError.clip(path, "no frame rate") }
        return max(8, min(1_000, 1_000 * parts[1] / parts[0]))
    }
}

/// Pictures in PPM's binary form, one after the other on a pipe.
private struct PixmapReader {
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var start = 0

    init(_ handle: FileHandle) { self.handle = handle }

    mutating func next() -> (width: Int, height: Int, pixels: [UInt8])? {
        guard word() == "P6", let width = Int(word() ?? ""), let height = Int(word() ?? ""), word() == "255",
            width > 0, height > 0, width <= Frame.largestSide, height <= Frame.largestSide
        else { return nil }
        let count = width * height * 3
        guard fill(count) else { return nil }
        defer { start += count }
        return (width, height, Array(buffer[start..<start + count]))
    }

    /// The next word and the one blank after it.
    private mutating func word() -> String? {
        var text: [UInt8] = []
        while fill(1) {
            let byte = buffer[start]
            start += 1
            if byte > 0x20 { text.append(byte) } else if !text.isEmpty { break }
        }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private mutating func fill(_ count: Int) -> Bool {
        while buffer.count - start < count {
            if start > 0 {
                buffer.removeFirst(start)
                start = 0
            }
            let data = handle.availableData
            if data.isEmpty { return false }
            buffer.append(contentsOf: data)
        }
        return true
    }
}
