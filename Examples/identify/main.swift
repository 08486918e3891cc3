// SPDX-License-Identifier: Apache-2.0
// Who is in a picture? identify MODELS PICTURE NAME=PICTURE...  A name may be given several times; its pictures are taken together.

import Foundation
import SecondLookVision

func image(_ path: String) throws -> FaceImage {
    try FaceImage(encoded: Array(Data(contentsOf: URL(fileURLWithPath: path))))
}

let words = CommandLine.arguments
guard words.count >= 4 else { fatalError("usage: identify MODELS PICTURE NAME=PICTURE...") }
let engine = try FaceEngine(models: words[1])

var templates: [String: [FaceTemplate]] = [:]
for word in words.dropFirst(3) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, let template = try engine.template(ofLargestFaceIn: image(parts[1])) {
        templates[parts[0], default: []].append(template)
    }
}
let known = try templates.map { KnownFace(name: $0.key, template: try FaceTemplate.mean(of: $0.value)) }

let picture = try image(words[2])
for face in try engine.detect(in: picture) {
    guard let template = try engine.template(of: face, in: picture) else { continue }
    let answer = template.identify(among: known)
    print(
        "\(answer?.name ?? "nobody known")  similarity \(answer?.similarity ?? 0)  margin \(answer?.margin ?? 0)",
        " yaw \(Int(face.yaw))  pitch \(Int(face.pitch))  roll \(Int(face.roll))  live \(face.liveness ?? -1)")
}
