// SPDX-License-Identifier: Apache-2.0
// A folder in the layout of Labeled Faces in the Wild: DIR/NAME/NAME_0001.jpg.

import Foundation

/// A picture of a person.
struct PersonPicture: Hashable, Sendable {
    var person: String
    var number: Int
    var path: String

    /// "NAME_0001", by which pair files and the cache name it.
    var name: String { PersonPicture.name(person, number) }

    static func name(_ person: String, _ number: Int) -> String {
        let digits = String(number)
        return person + "_" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// Listing such a folder.
enum PictureFolder {
    /// All pictures, by person and number.
    static func pictures(in folder: String) throws -> [PersonPicture] {
        let people = try names(in: folder)
        var pictures: [PersonPicture] = []
        for person in people {
            for file in try names(in: folder + "/" + person) {
                guard let dot = file.lastIndex(of: "."), let line = file.lastIndex(of: "_"), line < dot,
                    ["jpg", "jpeg", "png"].contains(file[file.index(after: dot)...].lowercased()),
                    let number = Int(file[file.index(after: line)..<dot])
                else { continue }
                pictures.append(PersonPicture(person: person, number: number, path: "\(folder)/\(person)/\(file)"))
            }
        }
        guard !pictures.isEmpty else {
            throw EvaluateError.file(folder, "no pictures in folders named after people")
        }
        return pictures
    }

    private static func names(in folder: String) throws -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            throw EvaluateError.file(folder, "no such folder")
        }
        guard isFolder else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw EvaluateError.file(folder, "cannot be listed")
        }
    }
}
