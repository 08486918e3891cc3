// SPDX-License-Identifier: Apache-2.0
// The verb table: everything the command can do, in the order of its help.

/// All verbs.
enum Verbs {
    static let all: [Verb] =
        setupVerbs + enrolVerbs + refineVerbs + showVerbs + storeVerbs + renameVerbs + trialVerbs + identifyVerbs
        + deviceVerbs + previewVerbs + doctorVerbs + modelVerbs + modelInstallVerbs + configVerbs + configSetVerbs
        + pamVerbs + adminVerbs + backupVerbs + supportVerbs + completionVerbs
}
