// SPDX-License-Identifier: Apache-2.0
// Measures the product's own Vision and Policy code on folders of pictures, frames and clips. Not installed.

import Foundation

let words = Array(CommandLine.arguments.dropFirst())
guard let verb = Verbs.all.first(where: { $0.name == words.first }) else {
    FileHandle.standardError.write(Data(Verbs.usage.utf8))
    exit(2)
}
do {
    try verb.run(try Arguments(Array(words.dropFirst())))
} catch let error as EvaluateError {
    FileHandle.standardError.write(Data("secondlook-evaluate: \(error)\n".utf8))
    exit(error.isUsage ? 2 : 1)
} catch {
    FileHandle.standardError.write(Data("secondlook-evaluate: \(error)\n".utf8))
    exit(1)
}
