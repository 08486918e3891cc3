// SPDX-License-Identifier: Apache-2.0
// The words for what is wrong with a stack: where, and what to do.

extension PAMFinding {
    /// One line.
    func text(in stack: PAMStack) -> String {
        switch self {
        case .absent: "no line names pam_secondlook.so"
        case .noPassword:
            "nothing asks for a password before the look; put the line behind '@include common-auth', "
                + "or leave out factor=face"
        case .lookBeforePassword(let step):
            "a wrong password still leads to a look: \(place(step, stack)) does not end the stack; make it 'requisite'"
        case .skipped(let step): "\(place(step, stack)) lets people in without a look"
        case .refusalIgnored(let step):
            "\(place(step, stack)) lets people in whom the look refuses; its control field must be 'required'"
        case .nobodyGetsIn: "nobody gets in, whatever the modules say"
        case .twice(let step): "\(place(step, stack)) is a second line of Second Look; take one out"
        }
    }

    private func place(_ step: Int, _ stack: PAMStack) -> String {
        let found = stack.steps[step]
        let control = found.rule.map { " (\(Shown.safe($0.control.text)) \(Shown.safe($0.name)))" } ?? ""
        return "'\(Shown.safe(found.file))' line \(found.line)\(control)"
    }
}
