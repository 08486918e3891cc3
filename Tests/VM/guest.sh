#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs in the virtual machine, in the shared folder: the product's capture against the camera that the kernel's own uvcvideo driver serves. Prints
# "ok NAME" or "FAILED NAME: what came instead"; exits with the number of failures.
export LD_LIBRARY_PATH=$PWD/libs
camera=/run/vm/camera
failures=0

# expect NAME PATTERN TEXT
expect() {
    if grep -Eq -- "$2" <<<"$3"; then
        echo "ok      $1"
    else
        echo "FAILED  $1: $(tr '\n' ' ' <<<"$3")"
        failures=$((failures + 1))
    fi
}

node() { ./capture-probe list | grep -m1 -E '\|(MJPG|YUYV|GREY|NV12)' | cut -d'|' -f1; }

listed=$(./capture-probe list)
expect "the camera is listed with its bus, kind and formats" '/[0-9a-f]{4}:[0-9a-f]{4}/.*(MJPG|YUYV).*\|colour\|' "$listed"
expect "a camera of software is told as such" '\|virtual\|' "$listed"
expect "the metadata node is no camera" 'not a camera' "$listed"

for format in MJPG YUYV GREY NV12; do
    grep -q "$format" <<<"$listed" || continue
    expect "$format equals the picture that is played" "^$format 640x480 .* error ([0-9]|1[01])\\.[0-9]" \
        "$(./capture-probe compare "$(node)" "$format" reference.rgb 30)"
done
expect "the best format is MJPG" '^MJPG 640x480 .* error ([0-9]|1[01])\.' \
    "$(./capture-probe compare "$(node)" any reference.rgb 30)"

# Through a pipe, since behind the walls no file can grow; long enough for the slowest emulation, since it ends with the plug.
device=$(node)
(./capture-probe watch "$device" 600 2>&1 | cat >watched) &
for _ in $(seq 300); do grep -qs streaming watched && break; sleep 0.2; done
expect "a second reader is told that the camera is in use" 'error: camera in use by another program' \
    "$(./capture-probe compare "$device" any reference.rgb 5)"
bash "$camera" stop
wait
expect "unplugged while streaming is one clean error" 'after [0-9]+ frames: camera unplugged' "$(cat watched)"
bash "$camera" start
for _ in $(seq 50); do [ -n "$(node)" ] && break; sleep 0.2; done
expect "plugged in again it works" 'error ([0-9]|1[01])\.' "$(./capture-probe compare "$(node)" any reference.rgb 30)"

bash "$camera" stall
expect "a camera that never delivers is given up" 'after [01] frames: camera did not deliver in time' \
    "$(./capture-probe watch "$(node)" 8)"
bash "$camera" resume
expect "after that it works" 'error ([0-9]|1[01])\.' "$(./capture-probe compare "$(node)" any reference.rgb 30)"
echo "$failures failures"
exit "$failures"
