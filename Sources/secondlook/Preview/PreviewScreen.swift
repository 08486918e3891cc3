// SPDX-License-Identifier: Apache-2.0
// The live picture on a terminal: draws, listens to keys and signals, and gives camera and terminal back whenever it is stopped or ends.

import Biometrics
import Monitor
import Platform

/// Shows what a worker sees until somebody wants it to end.
struct PreviewScreen: ~Copyable {
    /// Starts a worker; again after the process was stopped, since a stopped process holds no camera.
    typealias Start = () throws(CommandError) -> PreviewSession

    private var screen: TerminalScreen
    private var painter: PicturePainter
    private let time: any TimeSource
    private var latest: PreviewFrame?
    /// The latest picture; most frames have none.
    private var pictured: PreviewFrame?
    private var lineCount = 0

    private enum Turn {
        case goOn
        case end
        case stop
    }

    init(painter: PicturePainter, time: any TimeSource) throws(CommandError) {
        do throws(PlatformError) { screen = try TerminalScreen.take() } catch { throw .failed(error.description) }
        self.painter = painter
        self.time = time
    }

    /// Shows frames until q, Ctrl-C, a signal, the end of the frames, or the deadline (milliseconds of the monotonic clock).
    mutating func run(_ first: consuming PreviewSession, until deadline: UInt64, _ start: Start) throws(CommandError) {
        var session: PreviewSession? = first
        while time.now() < deadline {
            guard var current = session.take() else { return }
            let turn = try turn(&current, deadline)
            switch turn {
            case .end: return
            case .goOn: session = consume current
            case .stop:
                _ = consume current
                do throws(PlatformError) { try screen.stop() } catch { throw .failed(error.description) }
                session = try start()
            }
        }
    }

    /// Takes what has come, paints it, and waits for more.
    private mutating func turn(_ session: inout PreviewSession, _ deadline: UInt64) throws(CommandError) -> Turn {
        var isFresh = false
        var turn = Turn.goOn
        // However fast frames come, keys are heard.
        reading: for _ in 0..<64 {
            switch try news(of: &session) {
            case .nothing: break reading
            case .end:
                turn = .end
                break reading
            case .frame(let frame):
                latest = frame
                if frame.view != nil {
                    pictured = frame
                    isFresh = true
                }
            }
        }
        for wish in screen.wishes() {
            switch wish {
            case .end, .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")): return .end
            case .stop: return .stop
            case .repaint:
                try write(Array("\u{1B}[2J".utf8))
                isFresh = true
            case .key: break
            }
        }
        if isFresh { try paint(camera: session.camera) }
        guard case .goOn = turn else { return turn }
        do throws(PlatformError) {
            let sources = [session.raw] + screen.sources
            _ = try Readiness.wait(toRead: sources, until: min(deadline, time.now() + 200))
        } catch { throw .failed(error.description) }
        return .goOn
    }

    private func news(of session: inout PreviewSession) throws(CommandError) -> PreviewSession.News {
        do throws(MonitorError) { return try session.next(until: time.now()) } catch {
            throw .failed("preview: \(error.description)")
        }
    }

    private mutating func paint(camera: String?) throws(CommandError) {
        guard let pictured, let view = pictured.view, let latest else { return }
        let size = screen.size
        let lines = ([camera.map(Shown.safe) ?? "", "q ends"].filter { !$0.isEmpty } + FrameReport(latest).lines)
            .prefix(max(1, size.rows / 2))
        let rows = max(1, size.rows - lines.count - 1)
        var canvas = Canvas(view)
        let fit = CharacterPicture.fit(
            width: view.width, height: view.height, columns: size.columns, rows: rows)
        canvas.annotate(
            pictured.evidence.faces, frameWidth: Int(pictured.evidence.width),
            thickness: max(1, view.width / max(1, fit.columns)))
        // With another number of lines the picture has another size, and covers not all of what was there.
        var bytes = Array((lines.count == lineCount ? "\u{1B}[H" : "\u{1B}[2J\u{1B}[H").utf8)
        lineCount = lines.count
        bytes += painter.paint(canvas, columns: size.columns, rows: rows, time: time)
        for (place, line) in lines.enumerated() {
            let row = size.rows - lines.count + 1 + place
            bytes += Array("\u{1B}[\(row);1H\(line.prefix(max(1, size.columns - 1)))\u{1B}[K".utf8)
        }
        try write(bytes)
    }

    private func write(_ bytes: [UInt8]) throws(CommandError) {
        do throws(PlatformError) { try screen.write(bytes) } catch { throw .failed(error.description) }
    }
}
