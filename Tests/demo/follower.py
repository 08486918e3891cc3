# SPDX-License-Identifier: Apache-2.0
"""The person before the camera: reads the prompts as they come and moves the drawn head accordingly."""

# How a prompt of a challenge (Sources/Policy/Notice.swift) or of an enrolment (EnrolmentPose.swift) begins, and the way
# the head must go.
PROMPTS = {
    "Turn your head to your left": "left", "Turn your head to your right": "right",
    "Good. Look straight at the camera again": "centre", "Look straight at the camera.": "centre",
    "Raise your chin": "up", "Lower your chin": "down",
}
OPPOSITE = {"left": "right", "right": "left", "centre": "centre", "up": "down", "down": "up"}


class Follower:
    """Reads what is shown as it comes and moves the head accordingly."""

    def __init__(self, scene, answer):
        self.scene, self.answer, self.asked, self.read = scene, answer, False, 0

    def __call__(self, text, _pid):
        for line in text[self.read:].split("\n")[:-1]:
            self.read += len(line) + 1
            for begin, direction in PROMPTS.items():
                if line.strip().startswith(begin):
                    self.follow(direction)

    def follow(self, direction):
        self.asked = self.asked or direction != "centre"
        if self.answer == "rightly":
            self.scene.turn(direction)
        elif self.answer == "wrongly":
            self.scene.turn(OPPOSITE[direction])
