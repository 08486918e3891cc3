// SPDX-License-Identifier: Apache-2.0
// One attempt at a time has the camera: two that stream from one node would only see "busy", and two people before one camera are one scene.
// There is one line for all cameras of an installation, not one a camera: the settings mean the same cameras for everybody, "auto" is only
// known once they were opened, and with a single lock no order of locks can be wrong. A worker that brings its own frames counts as a
// camera. The turn is taken by the half with privileges, after the models were loaded and never within a transaction of the store; it ends
// after the worker has.

import Platform
import Policy

/// The rules of the line before the camera.
enum CameraLine {
    /// How often who waits looks whether his turn has come, in milliseconds.
    static let pause: UInt64 = 10
    /// After so many milliseconds the person is told: nobody has to know of a moment's wait.
    static let patience: UInt64 = 400
    /// What the record says when the turn did not come.
    static let late = "other attempts had the camera for too long"

    /// The last place in the line.
    static func join(_ environment: LoginEnvironment) throws(MonitorError) -> Turn {
        let path = environment.installation.cameraLine
        return try system { () throws(PlatformError) in try Turn(at: path) }
    }

    /// Whether the turn has come.
    static func hasCome(_ turn: inout Turn) throws(MonitorError) -> Bool {
        do throws(PlatformError) { return try turn.hasCome() } catch { throw .system(error) }
    }

    /// Waits until the turn has come, for an administrator's verbs.
    ///
    /// - Throws: `camera` when it has not come by the deadline (milliseconds of the monotonic clock).
    static func wait(_ environment: LoginEnvironment, until deadline: UInt64) throws(MonitorError) -> Turn {
        var turn = try join(environment)
        while !(try hasCome(&turn)) {
            let now = environment.time.now()
            guard now < deadline else { throw .camera(.cameraBusy, late) }
            try system { () throws(PlatformError) in try Readiness.pause(until: now + pause) }
        }
        return turn
    }

    /// How long an attempt may stand in line: what is left of its own time beyond the time for looking, and a quarter of it in any case.
    ///
    /// So the wait does not make an attempt run out of time while it looks, where the module's deadline has room for both.
    static func patience(left: UInt64, looking: UInt64) -> UInt64 {
        max(left > looking ? left - looking : 0, left / 4)
    }
}
