"""What is measured of workloads, kept in a study: the benchmark goes on where it was interrupted.

A row is measured anew where the workload's files, generators or the sources of warpmill changed.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import numpy as np

from benchmarks.keeping import measured as study_rows
from benchmarks.keeping import results
from benchmarks.workload_parts import gtpin, minibench
from benchmarks.workload_parts.engines import through_engines
from benchmarks.workload_parts.rows import measured
from warpmill.session.workloads import WorkloadTarget, workloads
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.sources import sources_digest

SOURCES = ("analyzer", "executor", "simulator", "grammars", "warpmill",
           "warpmill/commands/analyze/result.py", "benchmarks/workload_parts")  # fmt: skip
STUDY = "benchmarks.workloads"
ROW, ENGINES, APPLICATION, FIGURE_7 = "row", "engines", "application", "figure 7"


def wanted(kind, workload, preset, build, **more):
    """Make a point: ``kind`` is what is measured, ``more`` what else it follows from, as JSON."""
    inputs = {
        "kind": kind, "workload": workload, "preset": preset, "build": build, **more,
        "files": _files(workload), "sources": sources_digest(*SOURCES),
    }  # fmt: skip
    return StudyPoint(inputs, workload)


@cache
def _files(workload):
    """Hash all files of a workload, and the generators that workloads share."""
    folder = workloads()[workload].folder
    digest = sha256()
    for path in sorted([*folder.iterdir(), *(folder.parents[1] / "common").glob("*.*")]):
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def kept(store, points, workers, say):
    """What was measured of points, in their order; what is not known yet is measured."""
    return results(study_rows(STUDY, store, points, evaluate, workers=workers, say=say))


def evaluate(inputs):
    """Measure a point."""
    kind, name = inputs["kind"], inputs["workload"]
    if kind == APPLICATION:
        found = gtpin.characterised(inputs["application"], name, inputs["preset"])
    elif kind == FIGURE_7:
        found = minibench.simulated(name, inputs["preset"], inputs["sizes"])
    else:
        target = WorkloadTarget(workloads()[name], inputs["preset"], inputs["build"])
        found = through_engines(target) if kind == ENGINES else _measured(target)
    return PointOutcome(facts={"result": found})


def _measured(target):
    row, sizes = measured(target)
    wanted_too = target.preset == "paper-tbpoint"
    return {"row": row, "sizes": [one.tolist() for one in sizes] if wanted_too else []}


def sizes_of(found):
    """The CTA sizes of launches as arrays again."""
    return [np.array(one, np.int64) for one in found["sizes"]]
