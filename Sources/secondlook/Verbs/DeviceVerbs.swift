// SPDX-License-Identifier: Apache-2.0
// Lists the cameras as the settings can name them, with what stands against each.

import Platform
import Policy

extension Verbs {
    static let deviceVerbs = [
        Verb(
            name: "devices", summary: "List the cameras by the names that the settings take.", operands: [],
            options: [Option(name: "all", values: .none, help: "nodes that are no cameras, too")], run: devices)
    ]

    @Sendable private static func devices(_ typed: Invocation, _ session: inout Session) throws(CommandError) {
        let settings = try SettingsFile.read(session.paths.settings, service: "")
        let all = session.cameras.list()
        let nodes = typed.has("all") ? all : all.filter { $0.problem != .notCamera }
        let allowVirtual = settings.allowVirtualCameras
        let chosen = try? CameraNodes.choose(settings.camera, among: all, allowVirtual: allowVirtual)
        let beside =
            settings.hasInfrared
            ? try? CameraNodes.choose(settings.infrared, among: all, allowVirtual: allowVirtual) : nil
        let isChosen = { (node: CameraNode) in node.number == chosen?.number || node.number == beside?.number }
        if typed.has("json") {
            let list = nodes.map { json($0, isChosen: isChosen($0), allowVirtual: allowVirtual) }
            session.output.line(JSON.array(list).text)
        } else {
            for node in nodes { show(node, isChosen: isChosen(node), allowVirtual: allowVirtual, &session) }
        }
        if chosen == nil {
            let what = nodes.isEmpty ? "no camera found; is it plugged in?" : "no usable camera; see the reasons above"
            throw .failed("devices: \(what)")
        }
        if settings.hasInfrared, beside?.isInfrared != true {
            throw .failed("devices: no usable infrared camera '\(Shown.safe(settings.infrared))'")
        }
    }

    private static func show(_ node: CameraNode, isChosen: Bool, allowVirtual: Bool, _ session: inout Session) {
        let kind = node.isInfrared ? "infrared" : "colour"
        let obstacle = node.obstacle(allowVirtual: allowVirtual)
        session.output.line("\(isChosen ? "*" : " ") \(Shown.safe(node.name))")
        session.output.line(
            "    \(Shown.safe(node.card)), \(kind), \(node.path), \(node.formats.joined(separator: " "))")
        if let obstacle { session.output.line("    not usable: \(obstacle.description)") }
    }

    private static func json(_ node: CameraNode, isChosen: Bool, allowVirtual: Bool) -> JSON {
        .of([
            "name": .string(node.name), "card": .string(node.card), "path": .string(node.path),
            "driver": .string(node.driver), "bus": .string(node.bus), "vendor": .string(node.vendor),
            "product": .string(node.product), "serial": .string(node.serial),
            "role": .string(node.isInfrared ? "infrared" : "colour"), "infrared": .bool(node.isInfrared),
            "virtual": .bool(node.isVirtual), "usable": .bool(node.obstacle(allowVirtual: allowVirtual) == nil),
            "formats": .array(node.formats.map(JSON.string)), "chosen": .bool(isChosen),
            "obstacle": .optional(node.obstacle(allowVirtual: allowVirtual)?.description),
        ])
    }
}
