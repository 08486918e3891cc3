// SPDX-License-Identifier: Apache-2.0
// From picture files to embeddings, on all cores, with the product's own detector, alignment and recogniser.

import Biometrics
import Capture
import Foundation
import Vision

/// Describes many pictures.
struct PictureEmbedder {
    private let models: LoadedModels
    private let threads: Int
    /// Longer side of what the detector sees.
    private let side: Int

    static let usage = "[--models DIR] [--cache FILE] [--threads N] [--detector-side N]"
    static let options: Set<String> = ["models", "cache", "threads", "detector-side", "liveness"]

    init(_ arguments: Arguments) throws {
        models = try LoadedModels(arguments)
        threads = try arguments.number("threads", ProcessInfo.processInfo.activeProcessorCount)
        side = try arguments.number("detector-side", 320)
    }

    /// The embeddings by picture name; a picture without a face that can be found is absent.
    func embeddings(of pictures: [PersonPicture], cache path: String) throws -> [String: Embedding] {
        let cache = try EmbeddingCache(
            path: path, key: try models.key([.detector, .recogniser]) + " side=\(side) close")
        let missing = pictures.filter { cache[$0.name] == nil }
        if !missing.isEmpty { try describe(missing, into: cache) }
        var result: [String: Embedding] = [:]
        for picture in pictures {
            if let values = cache[picture.name], let embedding = Embedding(values) { result[picture.name] = embedding }
        }
        return result
    }

    private struct Tools {
        var detector: Detector
        let recogniser: Recogniser
    }

    private func describe(_ missing: [PersonPicture], into cache: EmbeddingCache) throws {
        let (models, side) = (models, side)
        _ = try Parallel.map(missing, label: "pictures", threads: threads) {
            let engines = try models.engines([.detector, .recogniser])
            return Tools(
                detector: try Detector(engine: engines[0], longest: side),
                recogniser: try Recogniser(engine: engines[1]))
        } _: { tools, picture in
            try cache.add(picture.name, PictureEmbedder.numbers(of: picture, &tools))
        }
    }

    /// The embedding's numbers; none when no face is found.
    private static func numbers(of picture: PersonPicture, _ tools: inout Tools) throws -> [Float] {
        let frame: Frame
        do {
            frame = try Picture.decode(Files.load(picture.path))
        } catch let error as PictureError {
            throw EvaluateError.file(picture.path, error.description)
        }
        guard let face = middle(try tools.detector.find(in: frame), of: frame) else { return [] }
        return try tools.recogniser.embed(frame, tools.detector.refined(face, in: frame))?.values ?? []
    }

    /// The face meant: pictures of one person show that person in the middle, and bystanders elsewhere.
    static func middle(_ faces: [Detection], of frame: Frame) -> Detection? {
        let centre = Point(Float(frame.width) / 2, Float(frame.height) / 2)
        return faces.min { $0.box.centre.distance(to: centre) < $1.box.centre.distance(to: centre) }
    }
}
