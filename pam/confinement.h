// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a caller that is root is in a sandbox where the camera cannot be reached, so that the service outside has to
 * look for it. The case it is made for is the unit polkit-agent-helper@.service of polkit 127 and later: root, but with
 * PrivateDevices=yes (a /dev without cameras) or, in later versions, DevicePolicy=strict (cameras are there, and
 * opening one is refused), always with NoNewPrivileges=yes. Neither sudo, su nor login can work without new privileges.
 */
#ifndef SECONDLOOK_CONFINEMENT_H
#define SECONDLOOK_CONFINEMENT_H

#include <stdbool.h>

/*
 * Sets `confined` when the process may gain no new privileges, or when something else than the kernel's own devtmpfs is
 * mounted on /dev. A system without devtmpfs also looks confined; it has the service or, where the service is absent,
 * the helper is started after all. False when it cannot be told.
 */
bool confinement_detect(bool *confined);

#endif
