// SPDX-License-Identifier: Apache-2.0
// The program that sees: the Worker library with the machine's cameras. It is started by secondlook-helper only.

import Platform
import Worker

OwnProcess.exit(Worker.run(Array(CommandLine.arguments.dropFirst())))
