#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pipeline that Howdy runs for a login, written anew from its public description, to compare times with.

What it does, with Howdy's defaults: starts Python for each login, loads dlib's HOG detector, 5-point predictor and ResNet descriptor in a
thread, takes the frame that the camera would deliver now, scales it to a height of 320 (`max_height`; 480 leaves these frames as they
are), looks for faces with the picture doubled once, computes the descriptor of each and accepts the first that is nearer than 0.35 to an
enrolled one; it gives up after 4 seconds.

What it does not do, all of which Howdy spends time on: PAM and its C++ module, OpenCV (opening the camera, decoding, contrast
equalisation and histogram), a window, the configuration file. It has no liveness and no second process either: Howdy has neither.

    howdy_like.py add MODELS FRAMES OUT MAX_HEIGHT           enrols from the first frame with one face
    howdy_like.py compare MODELS FRAMES ENROLLED MAX_HEIGHT [N]
        the login; one JSON line, and exit code 0 when it accepts. With N it looks at the first N frames, whatever it finds.

FRAMES is a file of 640x480 RGB frames, 30 a second, as the replaying worker reads it.
"""
import json
import sys
import threading
import time

import dlib
import numpy

WIDTH, HEIGHT, RATE = 640, 480, 30
CERTAINTY, TIMEOUT, DARK = 0.35, 4.0, 60


class Models:
    """dlib's three parts, loaded in a thread while the camera opens."""

    def __init__(self, folder, height):
        self.folder, self.height = folder, height
        self.thread = threading.Thread(target=self.load)
        self.thread.start()

    def load(self):
        """Reads the files."""
        self.detector = dlib.get_frontal_face_detector()
        self.predictor = dlib.shape_predictor(f"{self.folder}/shape_predictor_5_face_landmarks.dat")
        self.encoder = dlib.face_recognition_model_v1(f"{self.folder}/dlib_face_recognition_resnet_model_v1.dat")

    def faces(self, frame):
        """The descriptors of all faces of an RGB frame; none for a dark frame."""
        grey = (frame @ numpy.array([0.299, 0.587, 0.114], numpy.float32)).astype(numpy.uint8)
        if (grey < 32).mean() * 100 > DARK:
            return []
        if self.height < HEIGHT:
            size = (self.height, WIDTH * self.height // HEIGHT)
            frame, grey = (dlib.resize_image(picture, *size) for picture in (frame, grey))
        return [numpy.array(self.encoder.compute_face_descriptor(frame, self.predictor(frame, place), 1))
                for place in self.detector(grey, 1)]


def add(folder, frames, out, height):
    """Enrols: the descriptor of the first frame with exactly one face."""
    models = Models(folder, height)
    models.thread.join()
    for frame in frames:
        faces = models.faces(frame)
        if len(faces) == 1:
            with open(out, "w", encoding="utf-8") as file:
                json.dump([faces[0].tolist()], file)
            return 0
    sys.exit("howdy_like: no frame with one face")


def compare(folder, frames, enrolled, height, least=0):
    """The login."""
    models = Models(folder, height)
    with open(enrolled, encoding="utf-8") as file:
        known = numpy.array(json.load(file))
    models.thread.join()
    began, looked, nearest = time.monotonic(), 0, 9.0
    while (passed := time.monotonic() - began) < TIMEOUT or least:
        for face in models.faces(frames[(looked if least else int(passed * RATE)) % len(frames)]):
            nearest = min(nearest, float(numpy.linalg.norm(known - face, axis=1).min()))
        looked += 1
        if looked >= least and (least or nearest < CERTAINTY):
            break
    print(json.dumps({"accepted": nearest < CERTAINTY, "frames": looked, "distance": round(nearest, 4)}))
    return 0 if nearest < CERTAINTY else 11


def main():
    """Reads the words."""
    if len(sys.argv) not in (6, 7) or sys.argv[1] not in ("add", "compare"):
        sys.exit(__doc__)
    verb, folder, clip, other, *numbers = sys.argv[1:]
    frames = numpy.memmap(clip, numpy.uint8, "r").reshape(-1, HEIGHT, WIDTH, 3)
    return {"add": add, "compare": compare}[verb](folder, frames, other, *map(int, numbers))


if __name__ == "__main__":
    sys.exit(main())
