// SPDX-License-Identifier: Apache-2.0
// Words on a picture, in letters of three by five dots: enough for figures, and no font has to be found or read.

extension Canvas {
    /// Pixels from one line of text to the next, at twice the dots.
    static let lineHeight = 14
    /// Pixels from one letter to the next.
    static let letterWidth = 8
    private static let dot = 2

    /// Writes a line; letters without a shape are left blank, and what does not fit is left out.
    mutating func write(_ text: String, x: Int, y: Int, _ colour: Colour) {
        for (place, letter) in text.uppercased().enumerated() {
            let left = x + place * Canvas.letterWidth
            guard left + 3 * Canvas.dot <= width else { return }
            for (row, bits) in (Canvas.letters[letter] ?? []).enumerated() {
                for column in 0..<3 where bits >> UInt8(2 - column) & 1 == 1 {
                    fill(
                        x: left + column * Canvas.dot, y: y + row * Canvas.dot, width: Canvas.dot, height: Canvas.dot,
                        colour)
                }
            }
        }
    }

    /// Five rows of three dots a letter.
    static let letters: [Character: [UInt8]] = shapes.mapValues { shape in shape.utf8.map { $0 - 0x30 } }

    /// The same, each row an octal digit.
    private static let shapes: [Character: String] = [
        "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755",
        "I": "72227", "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "25552", "P": "65644",
        "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775", "X": "55255",
        "Y": "55222", "Z": "71247", "0": "75557", "1": "26227", "2": "61247", "3": "61216", "4": "55711", "5": "74616",
        "6": "34652", "7": "71244", "8": "25252", "9": "25316", ".": "00002", ",": "00024", ":": "02020", ";": "02024",
        "-": "00700", "+": "02720", "/": "11244", "%": "51245", "=": "07070", "(": "12221", ")": "42224", "'": "22000",
        "?": "61202", "!": "22202", "_": "00007",
    ]
}
