// SPDX-License-Identifier: Apache-2.0
// Whether the look holds in a stack: every way through it is tried in which the modules can answer, and those are named that let somebody in
// without a look, or against it. Pure.

/// What is wrong with Second Look's place in a stack.
enum PAMFinding: Equatable, Sendable {
    /// There is no line of Second Look.
    case absent
    /// No module before the look asks for a password, and the look does not either.
    case noPassword
    /// A wrong password still leads to a look: the step whose control lets it.
    case lookBeforePassword(step: Int)
    /// Somebody gets in without a look because of this step.
    case skipped(step: Int)
    /// The look refuses, and somebody gets in all the same.
    case refusalIgnored(step: Int)
    /// Nobody gets in whatever the modules say.
    case nobodyGetsIn
    /// The line is there twice.
    case twice(step: Int)

    /// Whether the second factor does not hold, or a login cannot succeed; else it is a remark.
    var isFault: Bool {
        switch self {
        case .absent, .lookBeforePassword: false
        case .noPassword, .skipped, .refusalIgnored, .nobodyGetsIn, .twice: true
        }
    }
}

/// Worlds: what each module says in one of them.
struct PAMWorlds {
    /// Steps that are tried with more than one answer are at most this many.
    static let most = 9

    let stack: PAMStack
    /// The steps that vary, with what they may say.
    let varying: [(step: Int, answers: [PAMResult])]

    /// All worlds of a stack; Second Look's own lines say what `ours` says.
    init(_ stack: PAMStack) {
        self.stack = stack
        let all = stack.steps.indices.compactMap { index -> (step: Int, answers: [PAMResult])? in
            guard let rule = stack.steps[index].rule, !rule.isOurs else { return nil }
            let answers = PAMWorlds.answers(of: rule, isPassword: stack.isPassword(index))
            return answers.count > 1 ? (index, answers) : nil
        }
        // Where there are too many, those whose refusal is passed over anyway keep their first answer.
        let optional = all.filter { stack.steps[$0.step].rule?.control.text.lowercased() == "optional" }.map(\.step)
        let needed = all.filter { !optional.contains($0.step) }
        varying = Array((all.count <= PAMWorlds.most ? all : needed).prefix(PAMWorlds.most))
    }

    /// What a module may say.
    private static func answers(of rule: PAMRule, isPassword: Bool) -> [PAMResult] {
        switch rule.name {
        case "pam_permit": [.success]
        case "pam_deny": [.authError]
        case _ where isPassword: [.success, .authError]
        default: [.success, .authError, .ignore]
        }
    }

    /// Calls `body` with each world until it returns false.
    func forEach(_ body: (_ answer: (Int) -> PAMResult) -> Bool) {
        var choice = [Int](repeating: 0, count: varying.count)
        var fixed = stack.steps.map { $0.rule?.name == "pam_deny" ? PAMResult.authError : .success }
        while true {
            for (place, index) in zip(varying, choice) { fixed[place.step] = place.answers[index] }
            guard body({ fixed[$0] }) else { return }
            var at = 0
            while at < choice.count {
                choice[at] += 1
                if choice[at] < varying[at].answers.count { break }
                choice[at] = 0
                at += 1
            }
            if at == choice.count { return }
        }
    }
}

extension PAMStack {
    /// A module that lets root be root: whoever is root already needs no look.
    private static let rootModules: Set<String> = ["pam_rootok"]
    /// What the look can say that is no success.
    private static let refusals: [PAMResult] = [
        .authError, .authInfoUnavailable, .maxTries, .userUnknown, .systemError,
    ]

    /// All that is wrong, the gravest first; empty when the look holds.
    var findings: [PAMFinding] {
        guard let first = ours.first else { return [.absent] }
        var found: [PAMFinding] = []
        if let second = ours.dropFirst().first { found.append(.twice(step: second)) }
        if !steps.indices.contains(where: { isPassword($0) && $0 <= first }) { found.append(.noPassword) }
        var passes = false
        func note(_ finding: PAMFinding) {
            if !found.contains(finding) { found.append(finding) }
        }
        PAMWorlds(self).forEach { answer in
            let accepted = run { steps[$0].rule?.isOurs == true ? .success : answer($0) }
            let looked = accepted.called.contains { steps[$0].rule?.isOurs == true }
            if accepted.isSuccess {
                passes = passes || looked
                if !looked, let step = culprit(accepted) { note(.skipped(step: step)) }
            }
            if looked, let step = unheeded(accepted, answer, first: first) { note(.lookBeforePassword(step: step)) }
            for refusal in PAMStack.refusals where looked {
                let end = run { steps[$0].rule?.isOurs == true ? refusal : answer($0) }
                guard end.isSuccess else { continue }
                // What ends the stack before the look is another finding.
                let mine = end.called.first { steps[$0].rule?.isOurs == true }
                if let mine { note(.refusalIgnored(step: mine)) }
            }
            return true
        }
        if !passes { found.append(.nobodyGetsIn) }
        return found.filter(\.isFault) + found.filter { !$0.isFault }
    }

    /// The step that let somebody by the look; nil when it is one that only root gets by.
    private func culprit(_ end: PAMEnd) -> Int? {
        if let step = end.endedBy {
            return PAMStack.rootModules.contains(steps[step].rule?.name ?? "") ? nil : step
        }
        guard let mine = ours.first else { return nil }
        return end.called.last { $0 < mine } ?? 0
    }

    /// The password step that said no before a look took place in spite of it.
    private func unheeded(_ end: PAMEnd, _ answer: (Int) -> PAMResult, first: Int) -> Int? {
        guard !isPassword(first) else { return nil }
        let asked = end.called.prefix { $0 != first }.filter { isPassword($0) }
        guard let last = asked.last, !asked.contains(where: { answer($0) == .success }) else { return nil }
        return last
    }
}
