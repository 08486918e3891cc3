// SPDX-License-Identifier: Apache-2.0
// Plots as SVG inside the page: no script, no font and no file from elsewhere.

import Foundation

/// A plot with labelled axes.
struct Chart {
    /// How numbers become places.
    enum Scale {
        case linear
        /// By the decimal logarithm.
        case decades
    }

    /// A line or a row of bars.
    struct Series {
        var name: String
        var colour: String
        var points: [(x: Double, y: Double)]
        var areBars = false
    }

    var title: String
    var x: (label: String, range: ClosedRange<Double>, scale: Scale)
    var y: (label: String, range: ClosedRange<Double>, scale: Scale)
    var series: [Series]

    private static let (width, height) = (760.0, 420.0)
    private static let (left, top, right, bottom) = (78.0, 34.0, 16.0, 58.0)

    /// The plot as an SVG element.
    var svg: String {
        var parts = [
            "<svg viewBox=\"0 0 \(Int(Chart.width)) \(Int(Chart.height))\" role=\"img\" aria-label=\"\(Page.escaped(title))\">",
            text(Chart.left, 20, title, anchor: "start", weight: "bold"),
        ]
        parts += xAxis + yAxis
        for (index, one) in series.enumerated() {
            parts.append(one.areBars ? bars(one) : line(one))
            let y = Chart.top + 16 + Double(index) * 18
            parts.append(
                "<rect x=\"\(Int(Chart.width) - 230)\" y=\"\(Int(y) - 9)\" width=\"12\" height=\"10\" fill=\"\(one.colour)\"/>"
            )
            parts.append(text(Chart.width - 212, y, one.name, anchor: "start"))
        }
        return (parts + ["</svg>"]).joined(separator: "\n")
    }

    private func place(_ value: Double, _ range: ClosedRange<Double>, _ scale: Scale) -> Double {
        switch scale {
        case .linear: return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        case .decades:
            let bounded = max(range.lowerBound, value)
            return log10(bounded / range.lowerBound) / log10(range.upperBound / range.lowerBound)
        }
    }

    private func left(_ value: Double) -> Double {
        Chart.left + min(1, max(0, place(value, x.range, x.scale))) * (Chart.width - Chart.left - Chart.right)
    }

    private func top(_ value: Double) -> Double {
        Chart.height - Chart.bottom
            - min(1, max(0, place(value, y.range, y.scale))) * (Chart.height - Chart.top - Chart.bottom)
    }

    private func ticks(_ range: ClosedRange<Double>, _ scale: Scale) -> [Double] {
        switch scale {
        case .decades:
            let low = Int(log10(range.lowerBound).rounded())
            let high = Int(log10(range.upperBound).rounded())
            return low <= high ? (low...high).map { pow(10, Double($0)) } : []
        case .linear:
            return (0...5).map { range.lowerBound + (range.upperBound - range.lowerBound) * Double($0) / 5 }
        }
    }

    private func label(_ value: Double, _ scale: Scale) -> String {
        switch scale {
        case .decades: "1e\(Int(log10(value).rounded()))"
        case .linear: fixed(value, abs(value) >= 10 || value == 0 ? 0 : 2)
        }
    }

    private var xAxis: [String] {
        let base = Chart.height - Chart.bottom
        let marks = ticks(x.range, x.scale).flatMap { value in
            [
                "<line class=\"grid\" x1=\"\(fixed(left(value), 1))\" x2=\"\(fixed(left(value), 1))\" y1=\"\(Chart.top)\" y2=\"\(base)\"/>",
                text(left(value), base + 18, label(value, x.scale), anchor: "middle"),
            ]
        }
        return marks + [text((Chart.left + Chart.width) / 2, Chart.height - 12, x.label, anchor: "middle")]
    }

    private var yAxis: [String] {
        let marks = ticks(y.range, y.scale).flatMap { value in
            [
                "<line class=\"grid\" x1=\"\(Chart.left)\" x2=\"\(Chart.width - Chart.right)\" y1=\"\(fixed(top(value), 1))\" y2=\"\(fixed(top(value), 1))\"/>",
                text(Chart.left - 8, top(value) + 4, label(value, y.scale), anchor: "end"),
            ]
        }
        let middle = fixed((Chart.top + Chart.height - Chart.bottom) / 2, 0)
        return marks + [
            "<text x=\"16\" y=\"\(middle)\" text-anchor=\"middle\" transform=\"rotate(-90 16 \(middle))\">\(Page.escaped(y.label))</text>"
        ]
    }

    private func line(_ series: Series) -> String {
        let points = series.points.map { "\(fixed(left($0.x), 1)),\(fixed(top($0.y), 1))" }.joined(separator: " ")
        return "<polyline fill=\"none\" stroke=\"\(series.colour)\" stroke-width=\"2\" points=\"\(points)\"/>"
    }

    private func bars(_ series: Series) -> String {
        guard series.points.count > 1 else { return "" }
        let width = max(0.5, left(series.points[1].x) - left(series.points[0].x))
        let base = Chart.height - Chart.bottom
        return series.points.filter { $0.y > 0 }.map { point in
            let y = top(point.y)
            return "<rect x=\"\(fixed(left(point.x), 1))\" y=\"\(fixed(y, 1))\" width=\"\(fixed(width, 1))\" "
                + "height=\"\(fixed(max(0, base - y), 1))\" fill=\"\(series.colour)\" fill-opacity=\"0.55\"/>"
        }.joined(separator: "\n")
    }

    private func text(_ x: Double, _ y: Double, _ words: String, anchor: String, weight: String = "normal") -> String {
        "<text x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\">"
            + Page.escaped(words) + "</text>"
    }
}
