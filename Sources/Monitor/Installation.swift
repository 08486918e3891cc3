// SPDX-License-Identifier: Apache-2.0
// Where the parts of an installation are. Installed programs use the standard places and what lies beside them; tests name their own.

import Platform
public import Policy

/// The places of an installation.
public struct Installation: Equatable, Sendable {
    /// The folder of helper, worker, runtime and models.
    public var programs: String
    /// The settings file.
    public var settings: String
    /// A missing settings file means defaults; false when the caller named it.
    public var settingsMayBeMissing: Bool
    /// Database, key, and the models that were added.
    public var state: String
    /// The folder below /run: there a systemd credential may provide the key, and logins stand in line before the camera.
    public var credentials: String
    /// The name of the worker's user.
    public var workerUser: String

    /// The worker.
    public var worker: String { programs + "/secondlook-vision" }
    /// The inference runtime, put beside the worker.
    public var runtime: String { programs + "/libonnxruntime.so" }
    /// Models in the form for this processor; root only.
    public var preparedModels: String { state + "/prepared" }
    /// The line before the camera.
    var cameraLine: String { credentials + "/camera.line" }
    /// Models that came with the installation.
    public var models: String { programs + "/models" }
    /// Models that an administrator added; they win over those that came with the installation.
    public var addedModels: String { state + "/models" }

    /// Places that the caller names.
    public init(
        programs: String, settings: String = "/etc/secondlook/secondlook.conf", settingsMayBeMissing: Bool = true,
        state: String = "/var/lib/secondlook", credentials: String = "/run/secondlook",
        workerUser: String = "_secondlook"
    ) {
        self.programs = programs
        self.settings = settings
        self.settingsMayBeMissing = settingsMayBeMissing
        self.state = state
        self.credentials = credentials
        self.workerUser = workerUser
    }

    /// The installation that the running helper belongs to; `conf` is a settings file that a root caller named.
    public static func ofHelper(conf: String?) throws(MonitorError) -> Installation {
        let folder = try system { () throws(PlatformError) in try OwnProcess.programFolder() }
        guard let conf else { return Installation(programs: folder) }
        return Installation(programs: folder, settings: conf, settingsMayBeMissing: false)
    }

    /// The settings for a service.
    public func readSettings(service: String) throws(MonitorError) -> Settings {
        do {
            return try Settings.parse(try SafeFile.read(settings, limit: Settings.longestFile), service: service)
        } catch let error as PlatformError {
            if settingsMayBeMissing, error.isMissing { return Settings() }
            throw .settings(path: settings, problem: error.description)
        } catch let error as SettingsError {
            throw .settings(path: settings, problem: error.description)
        } catch {
            throw .settings(path: settings, problem: "cannot be read")
        }
    }

    /// The runtime beside the worker, else the distribution's.
    func openRuntime() throws(MonitorError) -> Descriptor {
        for path in runtimes where SafeFile.existsFollowing(path) {
            do throws(PlatformError) {
                return try SafeFile.open(SafeFile.resolved(path), checking: .lastFolder)
            } catch { throw .worker(error.description) }
        }
        throw .model(path: runtime, problem: "is missing")
    }

    /// The runtimes to look for: the one beside the worker, else the distribution's.
    var runtimes: [String] {
        [runtime]
            + ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"].flatMap { folder in
                [folder + "/libonnxruntime.so.1", folder + "/libonnxruntime.so"]
            }
    }
}
