// SPDX-License-Identifier: Apache-2.0
// What the tests of the store share: templates, moments, and SQL as an attacker with the file would run it.

import Biometrics
import Policy
import TestSupport

@testable import TemplateStore

/// A store in a folder of its own.
struct Fixture {
    let temporary = TemporaryFolder()
    var folder: String { temporary.file("state") }
    var databasePath: String { folder + "/secondlook.db" }

    func open(creating: Bool = true, patience: Int32 = 3000) throws(StoreError) -> Store {
        try Store(folder: folder, keyFolder: temporary.file("credentials"), creating: creating, patience: patience)
    }

    /// Changes the database behind the store's back.
    func tamper(_ sql: String, _ values: [Value] = []) throws {
        let database = try Database.open(path: databasePath, creating: false, patience: 1000)
        try database.query(sql, values)
    }

    func rows(_ sql: String) throws -> [[Value]] {
        try Database.open(path: databasePath, creating: false, patience: 1000).query(sql)
    }
}

/// An embedding that depends on a number.
func embedding(_ seed: Int) -> Embedding {
    let values = (0..<Embedding.dimension).map { Float(($0 * 31 + seed * 17) % 101) - 50 }
    guard let embedding = Embedding(values) else { fatalError("a test embedding is wrong") }
    return embedding
}

func template(_ label: String = "default", seeds: [Int] = [1, 2, 3], model: String = "aa") -> Template {
    Template(label: label, embeddings: seeds.map(embedding), model: model)
}

func moment(_ milliseconds: UInt64, boot: String = "boot-1") -> Moment {
    Moment(boot: boot, sinceBoot: milliseconds, wall: 1_700_000_000_000 + milliseconds)
}

func record(_ user: String = "anna", _ verdict: Verdict = Verdict(.refused, .otherPerson)) -> AttemptRecord {
    AttemptRecord(
        time: 1_700_000_000_000, user: user, service: "sudo", tty: "/dev/pts/1", verdict: verdict, similarity: 0.25,
        liveness: nil, model: "aa", milliseconds: 1234)
}

/// Equal but for what normalising twice rounds.
func areSame(_ one: [Template], _ other: [Template]) -> Bool {
    one.count == other.count
        && zip(one, other).allSatisfy { one, other in
            one.label == other.label && one.model == other.model && one.embeddings.count == other.embeddings.count
                && zip(one.embeddings, other.embeddings).allSatisfy { one, other in
                    zip(one.values, other.values).allSatisfy { abs($0 - $1) < 1e-6 }
                }
        }
}
