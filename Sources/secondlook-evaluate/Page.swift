// SPDX-License-Identifier: Apache-2.0
// The frame of a page of results: one file that needs nothing else and can be mailed.

/// A self-contained HTML page.
enum Page {
    static func render(title: String, body: [String]) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <style>
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; background: #fff; }
        table { border-collapse: collapse; margin: 1rem 0; }
        th, td { border: 1px solid #c7d0da; padding: 0.25rem 0.7rem; text-align: right; }
        th:first-child, td:first-child { text-align: left; }
        svg { width: 100%; height: auto; margin: 1rem 0; font: 13px system-ui, sans-serif; }
        .grid { stroke: #dde3ea; }
        </style>
        </head>
        <body>
        <h1>\(escaped(title))</h1>
        \(body.joined(separator: "\n"))
        </body>
        </html>

        """
    }

    /// A table; its first row is the head.
    static func table(_ rows: [[String]]) -> String {
        let lines = rows.enumerated().map { index, row in
            let tag = index == 0 ? "th" : "td"
            return "<tr>" + row.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>"
        }
        return "<table>\n" + lines.joined(separator: "\n") + "\n</table>"
    }

    static func paragraph(_ text: String) -> String { "<p>\(escaped(text))</p>" }

    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
