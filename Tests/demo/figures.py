# SPDX-License-Identifier: Apache-2.0
"""Figures of a measurement: each a median with the spread of its repeats, kept in a file that a later run compares itself with."""
import json
import platform
import statistics


class Figures:
    """Collects figures and prints each as a JSON line."""

    def __init__(self):
        self.lines = []

    def say(self, name, values, unit, bound=None, **more):
        """Notes a figure: the median of `values`, and their spread as a part of it (half the distance of the quartiles)."""
        values = sorted(values) if isinstance(values, (list, tuple)) else [values]
        median = statistics.median(values)
        line = {"name": name, "value": round(median, 3), "unit": unit, "runs": len(values)}
        if len(values) > 3 and median:
            quartiles = statistics.quantiles(values, n=4)
            line["spread"] = round((quartiles[2] - quartiles[0]) / 2 / median, 3)
        if bound is not None:
            line.update(bound=bound, met=median <= bound)
        line.update(more)
        self.lines.append(line)
        print(json.dumps(line), flush=True)

    def write(self, path):
        """Writes what was measured, and on what."""
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"processor": model, "kernel": platform.release(), "figures": self.lines}, file, indent=1)
            file.write("\n")

    def compare(self, path):
        """Prints the ratio of each figure to that of an earlier run; it differs when it does so by more than both spreads together."""
        with open(path, encoding="utf-8") as file:
            before = {line["name"]: line for line in json.load(file)["figures"]}
        for line in self.lines:
            old = before.get(line["name"])
            if not old or not old["value"]:
                continue
            noise = max(0.02, 2 * (line.get("spread", 0) + old.get("spread", 0)))
            ratio = line["value"] / old["value"]
            print(json.dumps({"compare": line["name"], "before": old["value"], "now": line["value"], "unit": line["unit"],
                              "ratio": round(ratio, 3), "noise": round(noise, 3),
                              "differs": abs(ratio - 1) > noise}), flush=True)
