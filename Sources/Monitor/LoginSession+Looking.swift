// SPDX-License-Identifier: Apache-2.0
// From the right password to the judge's decision: the camera opens, evidence streams in, the person is told what to do.

import Biometrics
import Platform
import Policy
import TemplateStore
import Wire

extension LoginSession {
    /// How often the judge is asked although nothing came, in milliseconds.
    private static let tick: UInt64 = 100

    /// Looks until the judge decides or something else ends it.
    mutating func look(_ reference: Embedding) throws(MonitorError) -> Verdict {
        guard var link = worker.take() else { throw .worker("it was not started") }
        let verdict = try look(reference, &link)
        worker = consume link
        return verdict
    }

    private mutating func look(_ reference: Embedding, _ link: inout WorkerLink) throws(MonitorError) -> Verdict {
        let hello = try link.greet(until: deadline)
        try demandWalls(hello)
        // One that does not use the network it was given would silence a witness.
        guard hello.hasPassive == hasLiveness else {
            throw .evidence("its passive network is not the one it was given")
        }
        if let verdict = try awaitCamera() { return verdict }
        var chance = environment.chance
        let started = environment.time.now()
        if !hello.bringsFrames {
            do throws(CameraFault) {
                let camera = try environment.cameras.open(settings)
                let request = WorkerRequest.camera(
                    role: camera.role, rotation: UInt16(settings.rotation), deadline: UInt32(settings.cameraTimeout))
                let result = send(request, passing: camera, to: &link)
                if let result { throw CameraFault(.workerDied, result) }
                if let infrared = try environment.cameras.openInfrared(settings) {
                    let request = WorkerRequest.camera(
                        role: .infrared, rotation: UInt16(settings.rotation), deadline: UInt32(settings.cameraTimeout))
                    if let result = send(request, passing: infrared, to: &link) {
                        throw CameraFault(.workerDied, result)
                    }
                }
            } catch {
                record.detail = error.detail
                return Verdict(.notJudged, error.reason)
            }
        }
        try link.send(.look(embedEvery: false))
        try module.send(.notice(isError: false, text: Texts.text(.lookAtCamera)), then: .working)
        var judge = Judge(
            reference: reference, settings: settings, hasPassive: hello.hasPassive, started: started, using: &chance)
        let verdict = try observe(&judge, &link)
        note(judge.scores)
        return verdict
    }

    /// Stands in line before the camera; a verdict when the turn did not come.
    private mutating func awaitCamera() throws(MonitorError) -> Verdict? {
        let began = environment.time.now()
        let left = deadline > began ? deadline - began : 0
        let until = began + CameraLine.patience(left: left, looking: settings.timeout)
        var isTold = false
        var turn = try CameraLine.join(environment)
        while !(try CameraLine.hasCome(&turn)) {
            let now = environment.time.now()
            if !isTold, now >= began + CameraLine.patience {
                isTold = true
                do throws(MonitorError) {
                    try module.send(.notice(isError: false, text: Texts.text(.waitForCamera)), then: .working)
                } catch { return Verdict(.notJudged, .cancelled) }
            }
            guard now < until else {
                record.detail = CameraLine.late
                return Verdict(.notJudged, .cameraBusy)
            }
            let caller = [module.raw]
            let ready = try system { () throws(PlatformError) in
                try Readiness.wait(toRead: caller, until: min(until, now + CameraLine.pause))
            }
            if !ready.isEmpty, hasModuleLeft { return Verdict(.notJudged, .cancelled) }
        }
        cameraTurn = consume turn
        return nil
    }

    private func send(
        _ request: WorkerRequest, passing camera: borrowing OpenCamera, to link: inout WorkerLink
    ) -> String? {
        do throws(MonitorError) {
            try link.send(request, passing: camera.descriptor)
            return nil
        } catch { return error.description }
    }

    /// The settings say whether a missing wall is borne; root's own identity never is.
    private func demandWalls(_ hello: WorkerHello) throws(MonitorError) {
        guard settings.sandbox == .require, hello.sandbox != .all else { return }
        let names: [(WorkerHello.Sandbox, String)] = [
            (.noNewPrivileges, "no-new-privileges"), (.otherUser, "own user"), (.seccomp, "seccomp"),
            (.landlock, "Landlock"), (.resourceLimits, "resource limits"),
        ]
        let missing = names.filter { !hello.sandbox.contains($0.0) }.map(\.1).joined(separator: ", ")
        throw .sandbox("the worker lacks \(missing)")
    }

    private mutating func observe(_ judge: inout Judge, _ link: inout WorkerLink) throws(MonitorError) -> Verdict {
        var isListening = true
        while true {
            do throws(MonitorError) {
                while isListening, let reply = try link.receive(until: 0) {
                    if let verdict = try take(reply, &judge, &isListening) { return verdict }
                    if environment.time.now() >= deadline { break }
                }
            } catch .worker(let words) {
                record.detail = words
                return judge.verdict(interruptedBy: .workerDied)
            } catch {
                // A worker that breaks the rules saves nobody a miss.
                let verdict = judge.verdict(interruptedBy: .badEvidence)
                guard verdict.outcome == .refused else { throw error }
                faults.append(error.description)
                record.detail = error.description
                return verdict
            }
            let now = environment.time.now()
            if let verdict = act(on: judge.tick(now: now), judge) { return verdict }
            if now >= deadline { return judge.verdict(interruptedBy: .deadline) }
            let sources = isListening ? [module.raw, link.raw] : [module.raw]
            let until = min(now + LoginSession.tick, deadline)
            let ready = try system { () throws(PlatformError) in try Readiness.wait(toRead: sources, until: until) }
            if ready.contains(module.raw), hasModuleLeft { return judge.verdict(interruptedBy: .cancelled) }
        }
    }

    /// One message of the worker; a verdict when it decides.
    private mutating func take(
        _ reply: WorkerReply, _ judge: inout Judge, _ isListening: inout Bool
    ) throws(MonitorError) -> Verdict? {
        switch reply {
        case .frame(let evidence): return act(on: judge.observe(evidence, now: environment.time.now()), judge)
        case .end:
            isListening = false
            return nil
        case .trouble(let kind, let detail):
            record.detail = detail
            guard let reason = LoginSession.reason(of: kind) else { throw WorkerLink.fault(kind, detail) }
            return judge.verdict(interruptedBy: reason)
        case .hello, .started, .pixels: return nil
        }
    }

    /// A module that does not listen has left.
    private mutating func act(on step: Step, _ judge: Judge) -> Verdict? {
        switch step {
        case .undecided: return nil
        case .notice(let notice):
            do throws(MonitorError) {
                try module.send(.notice(isError: false, text: Texts.text(notice)), then: .working)
                return nil
            } catch { return judge.verdict(interruptedBy: .cancelled) }
        case .decided(let verdict, _): return verdict
        }
    }

    /// Whether the module gave up.
    ///
    /// Whatever it says now ends the attempt the same way: nonsense must not save a miss.
    private var hasModuleLeft: Bool {
        mutating get {
            do throws(MonitorError) { return try module.receive(until: 0) != nil } catch { return true }
        }
    }

    /// The reason for the record; nil for troubles that are no camera's.
    private static func reason(of kind: TroubleKind) -> Reason? {
        switch kind {
        case .busy: .cameraBusy
        case .gone: .cameraMissing
        case .noFormat, .timedOut, .failed: .cameraFailed
        case .pictureUnreadable, .pictureTooLarge, .model, .sandbox: nil
        }
    }

    private mutating func note(_ scores: Scores) {
        record.similarity = scores.similarity.map(Double.init)
        record.liveness = scores.passive.map(Double.init)
        let figures: [(String, Float?)] = [
            ("motion", scores.motion), ("screen", scores.screen), ("depth", scores.depth),
            ("second", scores.secondOpinion),
        ]
        var words = ["frames=\(scores.usableFrames)/\(scores.frames)"]
        for (name, figure) in figures {
            if let figure { words.append("\(name)=\((figure * 10_000).rounded() / 10_000)") }
        }
        if scores.challenged { words.append("challenged") }
        if !record.detail.isEmpty { words.insert(record.detail + ";", at: 0) }
        record.detail = words.joined(separator: " ")
    }
}
