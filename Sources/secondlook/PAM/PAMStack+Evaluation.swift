// SPDX-License-Identifier: Apache-2.0
// What libpam makes of a stack when its modules answer in a given way: the rules of Linux-PAM's dispatcher, so that what a change does can be
// told before it is made. Tests hold it against the libpam of the machine on thousands of random stacks.

/// The end of a stack.
struct PAMEnd: Equatable, Sendable {
    /// Whether the caller is told "success".
    var isSuccess: Bool
    /// The steps whose modules were called, in order.
    var called: [Int]
    /// The step whose action ended the stack early, if one did.
    var endedBy: Int?
}

extension PAMStack {
    /// What the modules noted so far.
    private struct Impression {
        enum Kind { case none, positive, negative }
        var kind = Kind.none
        var status = PAMResult.permissionDenied

        mutating func take(_ result: PAMResult, isGood: Bool) {
            if isGood {
                guard kind == .none || (kind == .positive && status == .success) else { return }
                (kind, status) = (.positive, result)
            } else if kind != .negative {
                (kind, status) = (.negative, result == .ignore ? .permissionDenied : result)
            }
        }
    }

    /// Goes through the stack.
    ///
    /// - Parameter answer: what the module of a step says.
    func run(_ answer: (_ step: Int) -> PAMResult) -> PAMEnd {
        var now = Impression()
        var before: [Int: Impression] = [:]
        var end = PAMEnd(isSuccess: false, called: [], endedBy: nil)
        var at = 0
        var lastLevel = 0
        while at < steps.count {
            let level = steps[at].level
            if level > lastLevel { before[level] = now }
            lastLevel = level
            guard let rule = steps[at].rule else {
                at += 1
                continue
            }
            let result = answer(at)
            end.called.append(at)
            var next = at + 1
            switch rule.control.action(for: result) {
            case .ok: now.take(result, isGood: true)
            case .done:
                now.take(result, isGood: true)
                if now.kind == .positive { next = leave(at, &end) }
            case .bad: now.take(result, isGood: false)
            case .die:
                now.take(result, isGood: false)
                next = leave(at, &end)
            case .ignore: break
            case .reset: now = before[level] ?? Impression()
            case .jump(let count):
                if let landing = landing(from: at, count: count) {
                    next = landing
                } else {
                    now.take(.permissionDenied, isGood: false)
                    next = leave(at, &end)
                }
            }
            at = next
        }
        end.isSuccess = now.kind == .positive && now.status == .success
        return end
    }

    /// The step after the stack or substack in which `index` lies.
    private func leave(_ index: Int, _ end: inout PAMEnd) -> Int {
        let level = steps[index].level
        var at = index + 1
        while at < steps.count, steps[at].level >= level { at += 1 }
        if level == 0 { end.endedBy = index }
        return at
    }
}
