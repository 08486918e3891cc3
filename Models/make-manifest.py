# SPDX-License-Identifier: Apache-2.0
"""Writes the lists that are installed beside the models: manifest.json of what is in the folder, each only if it is the
file that sources.json pins, and optional.json of what a user may add.

    make-manifest.py SOURCES FOLDER
"""
import hashlib
import json
import os
import sys

# The teacher, which a user may install, is the second opinion there.
OFFERED = {"liveness-teacher": "second-opinion"}
INSTALLED = ("detector", "recogniser", "liveness")


def write(target, models):
    """Puts a list in its place as a whole."""
    with open(target + ".partial", "w", encoding="utf-8") as file:
        json.dump({"models": models}, file, indent=2)
        file.write("\n")
    os.rename(target + ".partial", target)


def main():
    """Checks each file against its pin and writes the two lists."""
    sources, folder = sys.argv[1:]
    with open(sources, encoding="utf-8") as file:
        everything = json.load(file)["models"]
    known = [model for model in everything if model["role"] in INSTALLED]
    offered = [{**model, "role": OFFERED[model["role"]], "source": model["url"]}
               for model in everything if model["role"] in OFFERED]
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
    write(os.path.join(folder, "manifest.json"), models)
    write(os.path.join(folder, "optional.json"), offered)


if __name__ == "__main__":
    main()
