// SPDX-License-Identifier: Apache-2.0
// What a shell offers after the tab key, made from the verb table like the help, so that neither can know a verb the other does not.

import Policy

/// What the value of an option or an operand is, told by its name in the table.
enum ValueKind: CaseIterable {
    case user, file, folder, service, key, shell, other

    /// The kind of a name in capitals.
    init(_ name: String) {
        self =
            switch name {
            case "USER", "NEW": .user
            case "FILE", "FILE.png": .file
            case "DIR": .folder
            case "SERVICE": .service
            case "KEY": .key
            case "SHELL": .shell
            default: .other
            }
    }

    /// The words that are all there are; nil where the shell has to look.
    var words: [String]? {
        switch self {
        case .key: Settings.table.map(\.name)
        case .shell: CompletionShell.allCases.map(\.rawValue)
        case .user, .file, .folder, .service, .other: nil
        }
    }
}

/// The shells that are served.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish

    /// The script for a verb table.
    func script(_ verbs: [Verb]) -> String {
        let lines =
            switch self {
            case .bash: BashCompletion(VerbGroups(verbs)).lines
            case .zsh: ZshCompletion(VerbGroups(verbs)).lines
            case .fish: FishCompletion(VerbGroups(verbs)).lines
            }
        return lines.joined(separator: "\n")
    }
}

/// A verb table by its first words: `config` leads to `show`, `check` and more, `models` is a verb and leads to `install`.
struct VerbGroups {
    /// One first word.
    struct Group {
        let first: String
        /// The verb that is this word alone.
        let verb: Verb?
        /// Those that have a second word, with it.
        let seconds: [(word: String, verb: Verb)]

        /// What to say of it: of a word that only leads on, to what.
        var summary: String { verb?.summary ?? seconds.map(\.word).joined(separator: ", ") }
    }

    let verbs: [Verb]
    let groups: [Group]

    init(_ verbs: [Verb]) {
        self.verbs = verbs
        var order: [String] = []
        for verb in verbs {
            let first = VerbGroups.words(verb)[0]
            if !order.contains(first) { order.append(first) }
        }
        groups = order.map { first in
            Group(
                first: first, verb: verbs.first { $0.name == first },
                seconds: verbs.compactMap { verb in
                    let words = VerbGroups.words(verb)
                    return words.count == 2 && words[0] == first ? (words[1], verb) : nil
                })
        }
    }

    private static func words(_ verb: Verb) -> [String] { verb.name.split(separator: " ").map(String.init) }
}

extension Option {
    /// What its value is; nil for an option without one.
    var kind: ValueKind? {
        switch values {
        case .none: nil
        case .one(let name), .many(let name): ValueKind(name)
        }
    }

    /// What its value is called in the help; nil for an option without one.
    var valueName: String? {
        switch values {
        case .none: nil
        case .one(let name), .many(let name): name
        }
    }
}

/// For bash, with nothing but its own builtins.
struct BashCompletion {
    let table: VerbGroups
    init(_ table: VerbGroups) { self.table = table }

    var lines: [String] {
        [
            "# bash completion for secondlook(8); made by: secondlook completions bash",
            "_secondlook_offer() { local IFS=$' \\t\\n'; mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }",
            "",
            "_secondlook_value() {", "    case $1 in",
        ] + kinds + ["    esac", "}", "", "_secondlook() {"] + finding + ["    case $verb in"] + verbs + [
            "    *) return ;;", "    esac",
        ] + offering + ["}", "complete -F _secondlook secondlook"]
    }

    private var kinds: [String] {
        ValueKind.allCases.map { kind in
            let body =
                switch kind {
                case .user: "mapfile -t COMPREPLY < <(compgen -u -- \"$cur\")"
                case .file: "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
                case .folder: "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")"
                case .service: "_secondlook_offer \"$(command ls /etc/pam.d 2>/dev/null)\""
                case .key, .shell: "_secondlook_offer '\((kind.words ?? []).joined(separator: " "))'"
                case .other: "COMPREPLY=()"
                }
            return "    \(kind)) \(body) ;;"
        }
    }

    /// Finds the verb in the first word or two; offers these words where they are being typed.
    private var finding: [String] {
        let firsts = (table.groups.map(\.first) + ["--help", "--version"]).joined(separator: " ")
        var lines = [
            "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
            "    local verb=${COMP_WORDS[1]} at=2 options= valued= operands=() word i place",
            "    COMPREPLY=()", "    if ((COMP_CWORD == 1)); then _secondlook_offer '\(firsts)'; return; fi",
            "    case $verb in",
        ]
        for group in table.groups where !group.seconds.isEmpty {
            let seconds = group.seconds.map(\.word)
            lines.append("    \(group.first))")
            lines.append("        case ${COMP_WORDS[2]} in")
            lines.append(
                "        \(seconds.joined(separator: "|"))) ((COMP_CWORD > 2)) && { verb+=\" ${COMP_WORDS[2]}\"; at=3; } ;;"
            )
            lines.append("        esac")
            let more = group.verb == nil ? seconds : seconds + options(group.verb)
            lines.append(
                "        if ((COMP_CWORD == 2)); then _secondlook_offer '\(more.joined(separator: " "))'; return; fi ;;"
            )
        }
        return lines + ["    esac"]
    }

    private func options(_ verb: Verb?) -> [String] { verb?.allOptions.map { "--\($0.name)" } ?? [] }

    private var verbs: [String] {
        table.verbs.map { verb in
            let valued = verb.allOptions.compactMap { option in option.kind.map { "--\(option.name)=\($0)" } }
            let operands = verb.operands.map { "\(ValueKind($0.name))" }
            return "    '\(verb.name)') options='\(options(verb).joined(separator: " "))' "
                + "valued='\(valued.joined(separator: " "))' operands=(\(operands.joined(separator: " "))) ;;"
        }
    }

    /// The value of the option before, an option, or the operand whose place it is.
    private var offering: [String] {
        [
            "    for word in $valued; do",
            "        if [[ $prev == \"${word%%=*}\" ]]; then _secondlook_value \"${word#*=}\"; return; fi", "    done",
            "    if [[ $cur == -* ]]; then _secondlook_offer \"$options\"; return; fi", "    place=0",
            "    for ((i = at; i < COMP_CWORD; i++)); do",
            "        case \" $valued\" in *\" ${COMP_WORDS[i]}=\"*) ((i++)) ;; *) [[ ${COMP_WORDS[i]} == -* ]] || ((place++)) ;; esac",
            "    done",
            "    if ((place < ${#operands[@]})); then _secondlook_value \"${operands[place]}\"; return; fi",
            "    _secondlook_offer \"$options\"",
        ]
    }
}

/// For zsh, by its `_arguments`.
struct ZshCompletion {
    let table: VerbGroups
    init(_ table: VerbGroups) { self.table = table }

    var lines: [String] {
        var lines = [
            "#compdef secondlook", "# zsh completion for secondlook(8); made by: secondlook completions zsh", "",
            "_secondlook_services() { compadd -- /etc/pam.d/*(N:t) }", "", "_secondlook() {",
            "    local verb=$words[2] skip=1", "    local -a offers", "    if ((CURRENT == 2)); then",
            "        offers=(\(described(table.groups.map { ($0.first, $0.summary) })))",
            "        _describe 'verb' offers", "        return", "    fi", "    case $verb in",
        ]
        for group in table.groups where !group.seconds.isEmpty {
            lines.append("    (\(group.first))")
            lines.append("        if ((CURRENT == 3)); then")
            lines.append("            offers=(\(described(group.seconds.map { ($0.word, $0.verb.summary) })))")
            lines.append("            _describe 'verb' offers")
            lines.append(group.verb == nil ? "            return" : "            skip=1")
            lines.append("        else")
            let seconds = group.seconds.map(\.word).joined(separator: "|")
            lines.append("            case $words[3] in (\(seconds)) verb+=\" $words[3]\"; skip=2 ;; esac")
            lines.append("        fi ;;")
        }
        lines += ["    esac", "    words=(\"$words[1]\" \"${(@)words[skip+2,-1]}\")", "    ((CURRENT -= skip))"]
        lines.append("    case $verb in")
        for verb in table.verbs {
            let arguments = verb.allOptions.map(spec) + verb.operands.enumerated().map(spec)
            lines.append("    ('\(verb.name)') _arguments \(arguments.joined(separator: " ")) ;;")
        }
        return lines + ["    esac", "}", "", "_secondlook \"$@\""]
    }

    private func described(_ rows: [(String, String)]) -> String {
        rows.map { "'\($0.0):\(plain($0.1))'" }.joined(separator: " ")
    }

    private func spec(_ option: Option) -> String {
        let several = if case .many = option.values { "*" } else { "" }
        guard let name = option.valueName, let kind = option.kind else {
            return "'--\(option.name)[\(plain(option.help))]'"
        }
        return "'\(several)--\(option.name)=[\(plain(option.help))]:\(name):\(action(kind))'"
    }

    private func spec(_ place: Int, _ operand: Operand) -> String {
        "'\(place + 1):\(operand.isRequired ? "" : ":")\(operand.name):\(action(ValueKind(operand.name)))'"
    }

    private func action(_ kind: ValueKind) -> String {
        switch kind {
        case .user: "_users"
        case .file: "_files"
        case .folder: "_files -/"
        case .service: "_secondlook_services"
        case .key, .shell: "(\((kind.words ?? []).joined(separator: " ")))"
        case .other: " "
        }
    }

    /// Without the characters that mean something to `_arguments`, `_describe` or a quoted word.
    private func plain(_ text: String) -> String { text.filter { !"'[]:\\".contains($0) } }
}

/// For fish.
struct FishCompletion {
    let table: VerbGroups
    init(_ table: VerbGroups) { self.table = table }

    var lines: [String] {
        var lines = [
            "# fish completion for secondlook(8); made by: secondlook completions fish",
            "function __secondlook_words", "    set -l words (commandline -opc)", "    set -e words[1]",
            "    string join \\n -- $words", "end", "function __secondlook_is", "    set -l words (__secondlook_words)",
            "    set -l count (count $argv)",
            "    test (count $words) -ge $count; and test \"$words[1..$count]\" = \"$argv\"", "end",
            "function __secondlook_ends_with", "    set -l words (__secondlook_words)",
            "    test \"$words\" = \"$argv\"", "end", "complete -c secondlook -f",
            "complete -c secondlook -n '__secondlook_ends_with' -l version -d 'show the version'",
        ]
        for group in table.groups {
            lines.append(offer("__secondlook_ends_with", "-a \(group.first)", group.summary))
            for (word, verb) in group.seconds {
                lines.append(offer("__secondlook_ends_with \(group.first)", "-a \(word)", verb.summary))
            }
        }
        for verb in table.verbs {
            for option in verb.allOptions {
                let value = option.kind.map { " " + self.value($0) } ?? ""
                lines.append(offer("__secondlook_is \(verb.name)", "-l \(option.name)\(value)", option.help))
            }
            for operand in verb.operands {
                let kind = ValueKind(operand.name)
                guard kind != .other else { continue }
                let values = [.file, .folder].contains(kind) ? "-F" : "-a \(words(kind))"
                lines.append("complete -c secondlook -n '__secondlook_is \(verb.name)' \(values)")
            }
        }
        return lines
    }

    private func offer(_ condition: String, _ what: String, _ help: String) -> String {
        "complete -c secondlook -n '\(condition)' \(what) -d '\(help.filter { !"'\\".contains($0) })'"
    }

    private func value(_ kind: ValueKind) -> String {
        switch kind {
        case .file, .folder: "-r -F"
        case .other: "-x"
        case .user, .service, .key, .shell: "-x -a \(words(kind))"
        }
    }

    private func words(_ kind: ValueKind) -> String {
        switch kind {
        case .user: "'(__fish_complete_users)'"
        case .service: "'(command ls /etc/pam.d 2>/dev/null)'"
        default: "'\((kind.words ?? []).joined(separator: " "))'"
        }
    }
}
