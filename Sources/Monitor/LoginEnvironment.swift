// SPDX-License-Identifier: Apache-2.0
// Everything an attempt touches besides its channel, so that a test can put something else in its place.

public import Credentials
public import Platform
import TemplateStore

/// The surroundings of an attempt.
public struct LoginEnvironment: Sendable {
    /// Finds an account by its name.
    public typealias FindAccount = @Sendable (_ name: String) throws(PlatformError) -> Account?

    /// The places of the installation.
    public var installation: Installation
    /// True when a service manager started this helper for whoever connected: then the peer decides whom it may ask about.
    public var isService: Bool
    /// The passwords.
    public var passwords: any PasswordChecking
    /// The accounts.
    public var findAccount: FindAccount
    /// Who is remote.
    public var remote: any RemoteChecking
    /// The cameras.
    public var cameras: any CameraOpening
    /// The worker.
    public var workers: any WorkerStarting
    /// The clocks.
    public var time: any TimeSource
    /// The kernel's number of this boot.
    public var boot: String
    /// Where chance comes from.
    public var chance: Chance

    /// The machine as it is.
    public init(installation: Installation, isService: Bool) throws(MonitorError) {
        self.installation = installation
        self.isService = isService
        passwords = SystemPasswords()
        findAccount = { name throws(PlatformError) in try Account.find(name: name) }
        remote = SystemRemoteCheck()
        cameras = SystemCameras()
        workers = InstalledWorker(installation)
        time = SystemTime()
        boot = try system { () throws(PlatformError) in try Machine.bootIdentifier() }
        chance = Chance { UInt64.random(in: .min ... .max) }
    }

    /// Opens the store of the installation.
    func openStore(creating: Bool) throws(MonitorError) -> Store {
        try stored { () throws(StoreError) in
            try Store(folder: installation.state, keyFolder: installation.credentials, creating: creating)
        }
    }
}

/// Random numbers from a function: the system's in earnest, a row of known ones in tests.
public struct Chance: RandomNumberGenerator, Sendable {
    private let source: @Sendable () -> UInt64

    /// Numbers from `source`.
    public init(_ source: @escaping @Sendable () -> UInt64) { self.source = source }

    /// The next number.
    public mutating func next() -> UInt64 { source() }
}
