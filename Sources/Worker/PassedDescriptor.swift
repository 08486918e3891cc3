// SPDX-License-Identifier: Apache-2.0
// Descriptors wait for the message that announces them; arrays hold copyable values only, so each waits in a box.

import Platform

/// A box with a descriptor that can be taken out once.
final class PassedDescriptor {
    private var content: Descriptor?

    init(_ descriptor: consuming Descriptor) { content = consume descriptor }

    func take() -> Descriptor? { content.take() }
}
