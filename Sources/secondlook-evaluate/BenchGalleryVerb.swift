// SPDX-License-Identifier: Apache-2.0
// How long it takes to find the nearest of many templates, beside comparing one after the other; and that both find the same.

import Biometrics

/// `secondlook-evaluate bench-gallery`.
enum BenchGalleryVerb {
    static let usage = "[--rows N] [--runs N]"

    static func run(_ arguments: Arguments) throws {
        try arguments.only(["rows", "runs"])
        let count = try arguments.number("rows", 100_000)
        let runs = max(3, try arguments.number("runs", 31))
        var source = MadeFaces()
        let rows = (0..<count).map { _ in source.next() }
        var gallery = Gallery()
        let loading = try Times.measure(3, warmUps: 0) {
            gallery = Gallery(rows)
            return true
        }
        let probe = source.next()
        var found: [Gallery.Match] = []
        let searching = try Times.measure(runs) {
            found = gallery.nearest(to: probe, most: 2)
            return true
        }
        var plain: [Gallery.Match] = []
        let comparing = try Times.measure(3, warmUps: 1) {
            plain = rows.indices.map { Gallery.Match(index: $0, similarity: probe.similarity(to: rows[$0])) }
            plain.sort { ($1.similarity, $0.index) < ($0.similarity, $1.index) }
            return true
        }
        let more: [(String, Json)] = [("rows", .whole(count)), ("same", .flag(Array(plain.prefix(2)) == found))]
        if let loading { print(loading.line("gallery-load", [("rows", .whole(count))])) }
        if let searching { print(searching.line("gallery-nearest", more)) }
        if let comparing { print(comparing.line("gallery-plain", [("rows", .whole(count))])) }
    }
}

/// Embeddings of nobody, always the same row of them.
struct MadeFaces {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> Embedding {
        while true {
            let values = (0..<Embedding.dimension).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Float(Int64(bitPattern: state) >> 40) / 8_388_608
            }
            if let embedding = Embedding(values) { return embedding }
        }
    }
}
