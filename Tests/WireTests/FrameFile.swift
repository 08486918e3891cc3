// SPDX-License-Identifier: Apache-2.0
// Reads Tests/Wire/frames.txt, the one list of frames that both codecs are held to. The format stands at the top of that file.

import Foundation
import Testing

/// One entry of the file.
struct Sample: Sendable, CustomTestStringConvertible {
    /// Who reads it: `helper`, `module`, `worker` or `monitor`.
    let stream: String
    let name: String
    /// The fault that it must be refused for; nil for a good frame.
    let fault: String?
    let bytes: [UInt8]

    var testDescription: String { "\(stream) \(name)" }

    /// Every entry, in the file's order.
    ///
    /// A file that cannot be read gives none, which `namesEveryTypeOfFrame` reports.
    static let all: [Sample] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Wire/frames.txt")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return parse(text)
    }()

    static func good(_ streams: String...) -> [Sample] {
        all.filter { $0.fault == nil && streams.contains($0.stream) }
    }

    static func bad(_ streams: String...) -> [Sample] {
        all.filter { $0.fault != nil && streams.contains($0.stream) }
    }

    static func named(_ name: String) -> Sample? { all.first { $0.name == name } }

    private static func parse(_ text: String) -> [Sample] {
        var samples: [Sample] = []
        var head: [Substring] = []
        var bytes: [UInt8] = []
        func finish() {
            guard head.count >= 3 else { return }
            let name = String(head[2])
            if head.count == 8, let base = samples.first(where: { $0.name == String(head[5]) }), let at = Int(head[7]),
                at + bytes.count <= base.bytes.count
            {
                bytes = Array(base.bytes[..<at]) + bytes + Array(base.bytes[(at + bytes.count)...])
            }
            samples.append(
                Sample(
                    stream: String(head[1]), name: name, fault: head[0] == "bad" ? String(head[3]) : nil, bytes: bytes))
        }
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("good ") || line.hasPrefix("bad ") {
                finish()
                head = line.split(separator: " ")
                bytes = []
            } else {
                bytes += parse(line: line)
            }
        }
        finish()
        return samples
    }

    private static func parse(line: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        for token in line.prefix(while: { $0 != "#" }).split(separator: " ") {
            if token.hasPrefix("\"") {
                bytes += Array(token.dropFirst().dropLast().utf8)
            } else if token.hasPrefix("*"), let count = Int(token.dropFirst()) {
                bytes = Array(repeatElement(bytes, count: count).joined())
            } else if let byte = UInt8(token, radix: 16) {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
