// SPDX-License-Identifier: Apache-2.0
// Faults of the half that decides. Each has a reason for the record, and none of them ever lets anybody in.

public import Credentials
public import Platform
public import Policy
public import TemplateStore

/// A fault that ends an attempt.
public enum MonitorError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The settings file: its path and what is wrong.
    case settings(path: String, problem: String)
    /// The password could not be checked.
    case credentials(CredentialsError)
    /// The store.
    case store(StoreError)
    /// The manifest of the models: its path and what is wrong.
    case manifest(path: String, problem: String)
    /// A model's file: the path and what is wrong ("is missing", "was altered").
    case model(path: String, problem: String)
    /// The module or another caller said what it must not.
    case request(String)
    /// The worker said what no worker says.
    case evidence(String)
    /// The worker's walls do not stand as the settings demand.
    case sandbox(String)
    /// The worker could not be started, or ended by itself.
    case worker(String)
    /// The camera, for an administrator's verbs: the reason and what is known of it.
    case camera(Reason, String)
    /// A still picture.
    case picture(String)
    /// Anything of the system.
    case system(PlatformError)

    /// One line without a full stop.
    public var description: String {
        switch self {
        case .settings(let path, let problem): "'\(path)': \(problem)"
        case .credentials(let error): error.description
        case .store(let error): error.description
        case .manifest(let path, let problem), .model(let path, let problem): "'\(path)' \(problem)"
        case .request(let what): "bad request: \(what)"
        case .evidence(let what): "bad evidence: \(what)"
        case .sandbox(let what): "sandbox: \(what)"
        case .worker(let what): "worker: \(what)"
        case .camera(.cameraMissing, let what): "\(what); see: secondlook devices"
        case .camera(_, let what): what
        case .picture(let what): what
        case .system(let error): error.description
        }
    }

    /// What the record says.
    public var reason: Reason {
        switch self {
        case .settings: .badSettings
        case .store(.badTemplate): .badTemplate
        case .store: .badStore
        case .manifest, .model: .badModel
        case .request: .badRequest
        case .evidence: .badEvidence
        case .sandbox: .sandboxUnavailable
        case .worker: .workerDied
        case .camera(let reason, _): reason
        case .credentials, .system, .picture: .system
        }
    }
}

/// Runs a call of the system and words its fault as one of the monitor.
func system<Result: ~Copyable>(_ body: () throws(PlatformError) -> Result) throws(MonitorError) -> Result {
    do throws(PlatformError) { return try body() } catch { throw .system(error) }
}

/// The same for the store.
func stored<Result: ~Copyable>(_ body: () throws(StoreError) -> Result) throws(MonitorError) -> Result {
    do throws(StoreError) { return try body() } catch { throw .store(error) }
}
