// SPDX-License-Identifier: Apache-2.0
// A picture in plain characters, for every terminal there is.

/// Pictures of ASCII characters.
enum CharacterPicture {
    /// What stands for drawn boxes and points, whatever is below them.
    static let drawn: [(Canvas.Colour, Character)] = [(.point, "o"), (.box, "$")]
    /// From dark to bright.
    static let ramp = Array(" .:-=+*#%@")

    /// How many columns and rows a picture fills, its shape kept: a character is twice as high as it is wide.
    static func fit(width: Int, height: Int, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
        let wanted = max(1, min(columns, rows * 2 * width / max(1, height)))
        return (wanted, max(1, min(rows, wanted * height / max(1, 2 * width))))
    }

    /// The lines, none longer than `columns`; each character is the mean luminance of what it covers.
    static func lines(of canvas: Canvas, columns: Int, rows: Int) -> [String] {
        let size = fit(width: canvas.width, height: canvas.height, columns: columns, rows: rows)
        return (0..<size.rows).map { row in
            let ys = span(row, of: size.rows, in: canvas.height)
            return String(
                (0..<size.columns).map { column in
                    let xs = span(column, of: size.columns, in: canvas.width)
                    var sum = 0
                    var marks = [0, 0]
                    for y in ys {
                        for x in xs {
                            let colour = canvas.colour(x, y)
                            for (place, mark) in drawn.enumerated() where colour == mark.0 { marks[place] += 1 }
                            // BT.601, in 256ths.
                            sum += 77 * Int(colour.red) + 150 * Int(colour.green) + 29 * Int(colour.blue)
                        }
                    }
                    // A drawn line is as thick as a character is wide, and may lie across two.
                    for (place, mark) in drawn.enumerated() where 3 * marks[place] >= ys.count * xs.count {
                        return mark.1
                    }
                    let mean = sum / (256 * ys.count * xs.count)
                    return ramp[mean * ramp.count / 256]
                })
        }
    }

    /// What of `length` the place-th of `count` parts covers: at least one pixel.
    private static func span(_ place: Int, of count: Int, in length: Int) -> Range<Int> {
        let first = place * length / count
        return first..<max(first + 1, (place + 1) * length / count)
    }
}
