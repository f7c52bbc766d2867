"""Points measured by something quick that writes down what it measures; light, to start often."""

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.exploring.backends import PointWorkers, run_points
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.store import Store


@dataclass(frozen=True)
class Logged:
    """Makes figures up, and writes down of which points; simd=16 with smp=4 cannot be measured."""

    log: str
    pause_s: float = 0.0

    def __call__(self, inputs):
        point = inputs["point"]
        with Path(self.log).open("a") as file:
            file.write(f"{os.getpid()} {sorted(point.items())}\n")
        time.sleep(self.pause_s)
        if cannot_be(point):
            raise InputError("SIMD width 16 has no 4 ports")
        return PointOutcome({"time_us": 100.0 / point["simd"] + 1.0 / point["#blk"]})

    def seen(self):
        path = Path(self.log)
        return path.read_text().splitlines() if path.exists() else []


def cannot_be(point):
    """Whether a point has no figures."""
    return point["simd"] == 16 and point["smp"] == 4


def main():
    """Measure points: STORE LOG PAUSE WORKERS, inputs of points on stdin, once ready."""
    store, log, pause, workers = sys.argv[1:]
    print("ready", flush=True)
    points = [StudyPoint(each, "small") for each in json.load(sys.stdin)]
    study = Store(store).study("small")
    run_points(study, points, Logged(log, float(pause)), PointWorkers(int(workers)))


if __name__ == "__main__":
    main()
