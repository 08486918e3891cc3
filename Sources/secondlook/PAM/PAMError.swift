// SPDX-License-Identifier: Apache-2.0
// What can be wrong with the files of libpam, worded once. None of it is repaired: what is not understood is not touched.

/// A fault of a PAM file.
enum PAMError: Error, Equatable, CustomStringConvertible {
    /// A line that libpam would not take, or that this program does not understand.
    case line(file: String, number: Int, problem: String)
    /// A file that another one includes, or a service, is not there.
    case missing(file: String, includedBy: String?)
    /// The file cannot be read.
    case unreadable(String)
    /// Files that include each other, or too deeply.
    case nested(file: String)
    /// The change cannot be made without changing what other lines mean.
    case impossible(String)

    /// One line.
    var description: String {
        switch self {
        case .line(let file, let number, let problem): "'\(file)' line \(number): \(problem)"
        case .missing(let file, nil): "there is no PAM service '\(file)' on this machine; see: secondlook pam status"
        case .missing(let file, let other?): "'\(other)' includes '\(file)', which does not exist"
        case .unreadable(let problem): problem
        case .nested(let file): "'\(file)' includes itself, or files are included more than 16 deep"
        case .impossible(let problem): problem
        }
    }
}
