// SPDX-License-Identifier: Apache-2.0
// The mean template.

import Biometrics
import Policy
import Testing

@Suite struct TemplateTests {
    private func unit(_ index: Int) throws -> Embedding {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        values[index] = 1
        return try #require(Embedding(values))
    }

    @Test func isTheMeanOfAllLabels() throws {
        let user = EnrolledUser(
            name: "a",
            templates: [
                Template(label: "one", embeddings: [try unit(0)], model: "m"),
                Template(label: "two", embeddings: [try unit(1)], model: "m"),
            ])
        let reference = try #require(user.reference(model: "m"))
        #expect(abs(reference.similarity(to: try unit(0)) - 0.70710677) < 1e-5)
    }

    @Test func neverComparesSamplesOfAnotherModel() throws {
        let user = EnrolledUser(name: "a", templates: [Template(label: "one", embeddings: [try unit(0)], model: "m")])
        #expect(user.reference(model: "other") == nil)
        #expect(EnrolledUser(name: "a", templates: []).reference(model: "m") == nil)
    }
}
