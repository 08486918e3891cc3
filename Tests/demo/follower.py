# SPDX-License-Identifier: Apache-2.0
"""The person before the camera: reads the prompts as they come and moves the drawn head accordingly."""

# How a prompt of a challenge (Sources/Policy/Notice.swift) or of an enrolment (EnrolmentPose.swift) begins, and the way
# the head must go.
PROMPTS = {
    "Turn your head to your left": "left", "Turn your head to your right": "right",
    "Good. Look straight at the camera again": "centre", "Look straight at the camera.": "centre",
    "That is all.": "centre", "Raise your chin": "up", "Lower your chin": "down",
}
# What is answered by turning back a little.
TOO_FAR = "Not so far. Turn back a little."
OPPOSITE = {"left": "right", "right": "left", "centre": "centre", "up": "down", "down": "up"}


class Follower:
    """Reads what is shown as it comes and moves the head accordingly."""

    def __init__(self, scene, answer):
        self.scene, self.answer, self.asked, self.read = scene, answer, False, 0
        self.turned = "centre"

    def __call__(self, text, _pid):
        for line in text[self.read:].split("\n")[:-1]:
            self.read += len(line) + 1
            if line.strip() == TOO_FAR and self.answer == "rightly" and self.turned in ("left", "right"):
                self.scene.turn(f"less-{self.turned}")
            for begin, direction in PROMPTS.items():
                if line.strip().startswith(begin):
                    self.follow(direction)

    def follow(self, direction):
        self.asked = self.asked or direction != "centre"
        self.turned = direction
        if self.answer == "rightly":
            self.scene.turn(direction)
        elif self.answer == "wrongly":
            self.scene.turn(OPPOSITE[direction])
