// SPDX-License-Identifier: Apache-2.0
// Whatever is in the gallery, the answer is that of comparing one row after the other.

import Testing

@testable import Biometrics

@Suite struct GalleryTests {
    /// The same numbers for the same seed.
    private func face(_ seed: UInt64, near other: Embedding? = nil, by amount: Float = 1) -> Embedding {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let values = (0..<Embedding.dimension).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = Float(Int64(bitPattern: state) >> 40) / 8_388_608
            return (other?.values[index] ?? 0) + noise * amount
        }
        guard let embedding = Embedding(values) else { preconditionFailure("a test embedding is wrong") }
        return embedding
    }

    /// One after the other, and a stable sort.
    private func plain(_ rows: [Embedding], _ probe: Embedding, _ most: Int) -> [Gallery.Match] {
        let all = rows.enumerated().map { Gallery.Match(index: $0, similarity: $1.similarity(to: probe)) }
        return Array(
            all.sorted { $0.similarity != $1.similarity ? $0.similarity > $1.similarity : $0.index < $1.index }
                .prefix(most))
    }

    @Test func anEmptyGalleryHasNoMatch() {
        #expect(Gallery().nearest(to: face(1)) == [])
        #expect(Gallery().count == 0)
        #expect(Gallery([face(2)]).nearest(to: face(1), most: 0) == [])
    }

    @Test(arguments: [1, 2, 7, 100, 1000])
    func answersAsComparingOneAfterTheOtherDoes(count: Int) {
        let rows = (0..<count).map { face(UInt64($0 + 10)) }
        let gallery = Gallery(rows)
        #expect(gallery.count == count)
        for seed in 0..<20 {
            let probe = face(UInt64(seed + 5))
            for most in [1, 3, count, count + 1] {
                #expect(gallery.nearest(to: probe, most: most) == plain(rows, probe, most))
            }
        }
    }

    @Test func tellsRowsApartThatDifferInTheLastBits() {
        let person = face(1)
        // So near to each other that the order of addition decides which product is larger.
        let rows = (0..<500).map { face(UInt64($0 + 100), near: person, by: 1e-6) }
        for seed in 0..<10 {
            let probe = face(UInt64(seed + 1000), near: person, by: 0.02)
            #expect(Gallery(rows).nearest(to: probe, most: 5) == plain(rows, probe, 5))
        }
    }

    @Test func ofEqualRowsTheFirstCounts() {
        let rows = [face(3), face(1), face(2), face(1), face(1)]
        let gallery = Gallery(rows)
        #expect(gallery.nearest(to: face(1)).map(\.index) == [1])
        #expect(gallery.nearest(to: face(1), most: 3).map(\.index) == [1, 3, 4])
    }

    @Test func rowsKeepTheirPlaces() {
        var gallery = Gallery(capacity: 2)
        for seed in 0..<50 { gallery.append(face(UInt64(seed))) }
        for seed in 0..<50 {
            #expect(gallery.nearest(to: face(UInt64(seed))).first?.index == seed)
        }
    }

    @Test func theOppositeIsTheLast() {
        let probe = face(1)
        guard let opposite = Embedding(probe.values.map { -$0 }) else { return }
        let gallery = Gallery([opposite, probe])
        let matches = gallery.nearest(to: probe, most: 2)
        #expect(matches.map(\.index) == [1, 0])
        #expect(matches[1].similarity < -0.999)
    }
}
