// SPDX-License-Identifier: Apache-2.0
// Conversation functions that are absent, fail, or answer by themselves; the password and where it is left; notices and prompts.

import Testing
import Wire

extension ModuleTests {
    @Suite struct ConversationTests {
        /// A helper that notes how it is told that nobody answers.
        private static let listening: [Step] = [.read, .ready, .read, .wait, .exit(78)]

        static let failures: [(conversation: String, code: Code)] = [
            ("none", .conversationError), ("fail", .conversationError), ("null", .conversationError),
            ("no-replies", .conversationError), ("again", .incomplete),
        ]

        @Test(arguments: failures)
        func givesUpWhenNobodyAnswers(_ row: (conversation: String, code: Code)) throws {
            let report = try Call(script: Self.listening, options: ["conversation=\(row.conversation)"]).run()
            report.expectUntouchedCaller()
            // Whether to call again is lost in some versions of libpam's pam_get_authtok.
            #expect(report.code == row.code || (row.code == .incomplete && report.code == .conversationError))
            #expect(report.frames.last == .cancel)
            #expect(report.helper("ended") == "1")
            #expect(report.milliseconds < 1000)
        }

        @Test(arguments: failures)
        func givesUpOnASecondQuestion(_ row: (conversation: String, code: Code)) throws {
            let prompt = Step.say(.prompt(echo: true, text: "Recovery code: "))
            let script: [Step] = [.read, .readyForFace, prompt, .read, .wait, .exit(78)]
            let arguments = ["timeout=1", "factor=face"]
            let options = ["conversation=\(row.conversation)"]
            let report = try Call(arguments: arguments, script: script, options: options).run()
            report.expectUntouchedCaller()
            #expect(report.code == row.code)
            #expect(report.frames.last == .cancel)
        }

        @Test func anEmptyAnswerIsAnEmptyPassword() throws {
            let script = Step.untilSecret + Step.verdict(0x52)
            let report = try Call(script: script, options: ["conversation=empty"]).run()
            #expect(report.frames.last == .secret([]))
            #expect(report.code == .authError)
        }

        @Test func aHelperThatIgnoresTheCancelIsKilled() throws {
            let script: [Step] = [.read, .ready, .stop]
            let report = try Call(script: script, options: ["conversation=fail"]).run()
            report.expectUntouchedCaller()
            #expect(report.code == .conversationError)
            #expect(report.milliseconds < 1000)
        }

        @Test(arguments: [0, 1, 511])
        func carriesPasswordsOfAnyLength(_ count: Int) throws {
            let password = String(repeating: "p", count: count)
            let report = try Call(options: ["answer=\(password)"]).run()
            #expect(report.frames.last == .secret(Array(password.utf8)))
            #expect(report.token == password)
        }

        @Test func aPasswordThatIsTooLongIsAWrongOneAndNotSent() throws {
            let password = String(repeating: "p", count: 1500)
            let script: [Step] = [.read, .ready, .read, .wait, .exit(78)]
            let report = try Call(script: script, options: ["answer=\(password)"]).run()
            report.expectUntouchedCaller()
            #expect(report.code == .authError)
            #expect(report.frames.last == .cancel)
        }

        @Test func asksWithTheHelpersPromptWhateverItHolds() throws {
            let script: [Step] =
                [.read, .say(.ready(wantsSecret: true, prompt: "100 %s%n of it: ")), .read] + Step.verdict(0x41)
            let report = try Call(script: script).run()
            #expect(report.code == .success)
            #expect(report.said == ["1 100 %s%n of it: "])
        }

        @Test func asksAsUsualWhenTheHelperHasNoPrompt() throws {
            let script: [Step] = [.read, .say(.ready(wantsSecret: true, prompt: "")), .read] + Step.verdict(0x41)
            #expect(try Call(script: script).run().said == ["1 Password: "])
        }

        private static let talkative: [Step] =
            Step.untilSecret + [
                .say(.notice(isError: false, text: "Look at the camera %n")),
                .say(.notice(isError: true, text: "Dark")),
                .say(.prompt(echo: true, text: "Code: ")), .read, .say(.prompt(echo: false, text: "Again: ")), .read,
            ] + Step.verdict(0x41)

        @Test func showsNoticesAndAsksQuestions() throws {
            let report = try Call(script: Self.talkative, options: ["answer=geheim", "answer=1234", "answer=5678"])
                .run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.said == ["1 Password: ", "4 Look at the camera %n", "3 Dark", "2 Code: ", "1 Again: "])
            #expect(report.frames.suffix(2) == [.answer(Array("1234".utf8)), .answer(Array("5678".utf8))])
        }

        /// What the person is to do has to be known; sudo always asks for silence.
        @Test func silenceHidesTheEndOnly() throws {
            let options = ["answer=geheim", "answer=1234", "answer=5678", "silent"]
            let report = try Call(script: Self.talkative, options: options).run()
            #expect(report.code == .success)
            #expect(report.said == ["1 Password: ", "4 Look at the camera %n", "2 Code: ", "1 Again: "])
        }

        @Test func aNoticeThatCannotBeShownChangesNothing() throws {
            let options = ["answer=geheim", "answer=1234", "answer=5678", "conversation=no-notices"]
            #expect(try Call(script: Self.talkative, options: options).run().code == .success)
        }

        @Test func asksNothingForTheFaceAlone() throws {
            let script: [Step] = [.read, .readyForFace] + Step.verdict(0x41)
            let report = try Call(arguments: ["timeout=1", "factor=face"], script: script).run()
            report.expectUntouchedCaller()
            #expect(report.code == .success)
            #expect(report.said.isEmpty)
            #expect(report.begin?.faceOnly == true)
        }

        static let tokens: [(name: String, known: String?, option: String, code: Code, sent: String?, asked: Bool)] = [
            ("asks-without-a-token", nil, "", .success, "geheim", true),
            ("asks-in-spite-of-a-token", "old", "", .success, "geheim", true),
            ("tries-the-token", "old", "try_first_pass", .success, "old", false),
            ("asks-when-there-is-none-to-try", nil, "try_first_pass", .success, "geheim", true),
            ("uses-the-token", "old", "use_first_pass", .success, "old", false),
            ("never-asks-when-it-is-to-use-one", nil, "use_first_pass", .tokenRecoveryError, nil, false),
            ("use-is-stricter-than-try", nil, "use_first_pass try_first_pass", .tokenRecoveryError, nil, false),
        ]

        @Test(arguments: tokens)
        func findsAndLeavesTheToken(
            _ row: (name: String, known: String?, option: String, code: Code, sent: String?, asked: Bool)
        ) throws {
            let before = row.known.map { ["optional TOKEN set=\($0)"] } ?? []
            let words = row.option.split(separator: " ").map(String.init)
            let report = try Call(arguments: ["timeout=1"] + words, before: before).run()
            report.expectUntouchedCaller()
            #expect(report.code == row.code)
            #expect(report.said.isEmpty != row.asked)
            if let sent = row.sent {
                #expect(report.frames.last == .secret(Array(sent.utf8)))
                #expect(report.token == sent)
            }
        }
    }
}
