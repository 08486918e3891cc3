// SPDX-License-Identifier: Apache-2.0
// The privileged half: one request on descriptor 0, one verdict, and the exit code that says the same. It prints nothing; whatever goes wrong
// before there is a session is a fault, and so is every end that is not a verdict.

import Monitor
import Platform
import Policy

OwnProcess.setAlarm(seconds: Helper.longest)
OwnProcess.exit(Helper.run(Array(CommandLine.arguments.dropFirst())).rawValue)
