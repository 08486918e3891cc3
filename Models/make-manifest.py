# SPDX-License-Identifier: Apache-2.0
"""Writes the manifest that is installed beside the models: of sources.json, what is in the folder, and only if it is that file.

    make-manifest.py SOURCES FOLDER
"""
import hashlib
import json
import os
import sys

INSTALLED = ("detector", "recogniser", "liveness")


def main():
    """Checks each file against its pin and writes FOLDER/manifest.json."""
    sources, folder = sys.argv[1:]
    with open(sources, encoding="utf-8") as file:
        known = [model for model in json.load(file)["models"] if model["role"] in INSTALLED]
    models = []
    for model in known:
        path = os.path.join(folder, model["file"])
        if not os.path.exists(path):
            continue
        with open(path, "rb") as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest() != model["sha256"] or len(content) != model["bytes"]:
            sys.exit(f"make-manifest: '{path}' is not the file that {sources} pins")
        models.append(model)
    target = os.path.join(folder, "manifest.json")
    with open(target + ".partial", "w", encoding="utf-8") as file:
        json.dump({"models": models}, file, indent=2)
        file.write("\n")
    os.rename(target + ".partial", target)


if __name__ == "__main__":
    main()
