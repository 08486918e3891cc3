// SPDX-License-Identifier: Apache-2.0
// A kept face on a terminal. Where standard output is none, nothing is drawn: the picture is for eyes, not for files.

import Biometrics
import Platform

/// Draws kept faces.
enum FaceDrawing {
    /// Columns and rows of a drawn face; a character is twice as high as it is wide.
    static let columns = 56
    static let rows = 28

    /// By chafa where that is installed and the terminal may show colours, else in plain characters.
    static func draw(_ crop: FaceCrop, _ session: inout Session) {
        guard session.output.isTerminal, let canvas = canvas(crop) else { return }
        let terminal = PicturePainter.Surroundings.of(OwnProcess.variable)
        let isColourless = OwnProcess.variable("NO_COLOR").map { !$0.isEmpty } ?? false
        guard !isColourless, !["", "dumb"].contains(terminal.term), SafeFile.existsFollowing(PicturePainter.program)
        else {
            for line in lines(of: crop) { session.output.line(line) }
            return
        }
        var painter = PicturePainter(terminal, isPlain: false)
        let bytes = painter.paint(canvas, columns: columns, rows: rows, time: session.clock)
        session.output.line(String(decoding: bytes, as: UTF8.self))
    }

    /// In plain characters.
    static func lines(of crop: FaceCrop) -> [String] {
        canvas(crop).map { CharacterPicture.lines(of: $0, columns: columns, rows: rows) } ?? []
    }

    private static func canvas(_ crop: FaceCrop) -> Canvas? {
        SharedPicture(subject: .face(0), width: FaceCrop.side, height: FaceCrop.side, pixels: crop.pixels)
            .map { Canvas($0) }
    }
}
