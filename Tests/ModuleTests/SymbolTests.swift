// SPDX-License-Identifier: Apache-2.0
// What the installed file exports, links and weighs, read from the file itself.

import Foundation
import Testing

extension ModuleTests {
    @Suite struct SymbolTests {
        private static let module = Rig.package + "/build/pam/pam_secondlook.so"

        private func words(_ text: String) -> [[String]] {
            text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        }

        @Test func exportsTheEntryPointsAndNothingElse() throws {
            let rows = words(try Rig.output("nm", "-D", "--defined-only", Self.module))
            #expect(Set(rows.compactMap(\.last)) == ["pam_sm_authenticate", "pam_sm_setcred"])
        }

        @Test func linksLibpamAndLibcOnly() throws {
            let dynamic = try Rig.output("readelf", "-dW", Self.module)
            let needed = words(dynamic).filter { $0.contains("(NEEDED)") }.compactMap(\.last)
            #expect(Set(needed) == ["[libpam.so.0]", "[libc.so.6]"])
            #expect(dynamic.contains("NODELETE") && dynamic.contains("NOW"))
            #expect(!dynamic.contains("TEXTREL") && !dynamic.contains("RPATH") && !dynamic.contains("RUNPATH"))
        }

        @Test func isHardened() throws {
            let headers = words(try Rig.output("readelf", "-lW", Self.module))
            #expect(headers.contains { $0.first == "GNU_RELRO" })
            let stack = try #require(headers.first { $0.first == "GNU_STACK" })
            #expect(!stack.contains("RWE"))
            #expect(try Rig.output("nm", "-D", Self.module).contains("__stack_chk_fail"))
        }

        @Test func weighsAtMost48KB() throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: Self.module)
            let size = try #require(attributes[.size] as? Int)
            #expect(size <= 48 * 1024)
        }

        /// Calls that cannot fail, or report by another way, or are the log's.
        static let unfailing: Set<String> = [
            "__errno_location", "__stack_chk_fail", "_exit", "explicit_bzero", "free", "geteuid", "getpid", "memchr",
            "memcpy", "memmove", "memset", "pam_syslog", "sigismember", "strcmp", "strlen", "strncmp", "umask",
        ]

        /// The build of FailureTests without its wrapper: every other function that it calls is one that FailureTests makes fail.
        @Test func everyCallThatCanFailIsMadeToFail() throws {
            let folder = Rig.folder + "/failing"
            let objects = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                $0.hasSuffix(".o") && $0 != "failures.o"
            }
            #expect(objects.count >= 11)
            var called: Set<String> = []
            var own: Set<String> = []
            for object in objects {
                for row in words(try Rig.output("nm", "\(folder)/\(object)")) {
                    guard let name = row.last, row.count >= 2 else { continue }
                    if row[row.count - 2] == "U" { called.insert(name) } else { own.insert(name) }
                }
            }
            let wrapper = words(try Rig.output("nm", folder + "/failures.o")).compactMap(\.last)
            let wrapped = Set(wrapper.filter { $0.hasPrefix("__wrap_") }.map { String($0.dropFirst(7)) })
            let open = called.subtracting(own).subtracting(Self.unfailing).subtracting(["_GLOBAL_OFFSET_TABLE_"])
            #expect(open.subtracting(wrapped).isEmpty)
            #expect(wrapped.subtracting(open).isEmpty)
        }
    }
}
