// SPDX-License-Identifier: Apache-2.0
// A liveness measurement as one page that needs no network: curve, histogram, a trace of every session, all drawn as SVG.

import Foundation

/// The page.
struct LivenessPage {
    private let report: LivenessReport

    init(_ report: LivenessReport) { self.report = report }

    /// The whole file.
    var html: String {
        let rates = LivenessRates(report.trials)
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Liveness</title><style>
            body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
            table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ccc;text-align:left}
            svg{background:#fafafa}text{font:12px system-ui,sans-serif;fill:#333}.live{stroke:#0868ac}.attack{stroke:#c51b1b}
            </style></head><body><h1>Liveness</h1>
            <p>\(rates.attacks) attack sessions, \(rates.attacksAccepted) accepted; \(rates.live) live sessions, \
            \(rates.liveAccepted) accepted without a prompt, \(rates.liveAsked) asked, \(rates.liveRefused) refused.</p>
            <h2>Error rates of the passive score's session mean</h2>\(curve)
            <h2>Session means</h2>\(histogram)
            <h2>Cues</h2>\(ablations)
            <h2>Sessions</h2><p>Probability of live by frame; blue is live, red an attack.</p>\(traces)
            </body></html>
            """
    }

    private var curve: String {
        let plot = Plot(width: 480, height: 320, xLabel: "threshold", yLabel: "error rate")
        let points = report.passiveCurve
        return plot.svg(
            plot.line(points.map { ($0.threshold, $0.apcer) }, "attack")
                + plot.line(points.map { ($0.threshold, $0.bpcer) }, "live")
        ) + "<p>Red: APCER, blue: BPCER.</p>"
    }

    private var histogram: String {
        let plot = Plot(width: 480, height: 240, xLabel: "session mean", yLabel: "part of sessions")
        func bars(_ isLive: Bool) -> String {
            let means = report.trials.filter { $0.isLive == isLive && !$0.trace.isEmpty }
                .map { Double($0.trace.reduce(0, +)) / Double($0.trace.count) }
            let counts = (0..<20).map { bin in means.count { min(19, Int($0 * 20)) == bin } }
            let shift = isLive ? 0.0 : 0.02
            return counts.enumerated().map { bin, count in
                let x = Double(bin) / 20 + 0.015 + shift
                return plot.line(
                    [(x, 0), (x, LivenessRates.rate(count, means.count))], isLive ? "live" : "attack", width: 6)
            }.joined()
        }
        return plot.svg(bars(true) + bars(false))
    }

    private var ablations: String {
        let rows = ([("all cues", report.trials)] + report.ablations).map { name, trials -> String in
            let rates = LivenessRates(trials)
            return
                "<tr><td>\(name)</td><td>\(rates.attacksAccepted) of \(rates.attacks)</td><td>\(rates.liveAccepted)</td>"
                + "<td>\(rates.liveAsked)</td><td>\(rates.liveRefused) of \(rates.live)</td></tr>"
        }
        return
            "<table><tr><th></th><th>attacks accepted</th><th>live accepted</th><th>live asked</th><th>live refused</th></tr>"
            + rows.joined() + "</table>"
    }

    private var traces: String {
        report.trials.map { trial in
            let plot = Plot(width: 480, height: 120, xLabel: "frame", yLabel: "live")
            let last = Double(max(1, trial.trace.count - 1))
            let line = plot.line(
                trial.trace.enumerated().map { (Double($0.offset) / last, Double($0.element)) },
                trial.isLive ? "live" : "attack")
            return "<h3>\(escaped(trial.name)): \(trial.end.rawValue) \(trial.reason)</h3>\(plot.svg(line))"
        }.joined()
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}

/// A plot whose axes run from 0 to 1.
struct Plot {
    let width: Double
    let height: Double
    let xLabel: String
    let yLabel: String
    private let margin = 40.0

    init(width: Double, height: Double, xLabel: String, yLabel: String) {
        self.width = width
        self.height = height
        self.xLabel = xLabel
        self.yLabel = yLabel
    }

    /// The plot around its content.
    func svg(_ content: String) -> String {
        let bottom = height - margin
        let right = width - 10
        return """
            <svg width="\(width)" height="\(height)" role="img" aria-label="\(yLabel) over \(xLabel)">
            <path d="M\(margin) 10V\(bottom)H\(right)" fill="none" stroke="#333"/>
            <text x="\(margin)" y="\(bottom + 15)">0</text><text x="\(right - 8)" y="\(bottom + 15)">1</text>
            <text x="\(margin - 15)" y="20">1</text><text x="\(width / 2)" y="\(height - 5)">\(xLabel)</text>
            <text x="12" y="\(height / 2)" transform="rotate(-90 12 \(height / 2))">\(yLabel)</text>\(content)</svg>
            """
    }

    /// A line through points of 0 to 1.
    func line(_ points: [(Double, Double)], _ style: String, width stroke: Double = 2) -> String {
        let path = points.map { x, y in
            let px = margin + min(1, max(0, x)) * (width - 10 - margin)
            let py = height - margin - min(1, max(0, y)) * (height - margin - 10)
            return "\((px * 10).rounded() / 10) \((py * 10).rounded() / 10)"
        }.joined(separator: "L")
        return path.isEmpty ? "" : "<path d=\"M\(path)\" class=\"\(style)\" fill=\"none\" stroke-width=\"\(stroke)\"/>"
    }
}
