"""Rows of the study: applications explored, other inputs counted, launches estimated."""

from __future__ import annotations

from functools import cache, partial
from hashlib import sha256

from benchmarks.gtpin_parts.runs import MACHINE
from benchmarks.keeping import measured
from benchmarks.sampling_parts import launch_times
from warpmill.simulator.machines import load_machine
from warpmill.studies.content import canonical
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.sources import sources_digest
from warpmill.sweeps.points import machine_digest

STUDY = "benchmarks.gtpin"
EXPLORED, COUNTED, ESTIMATED, MANY = "explored", "counted", "estimated", "many"
_FOLDERS = {
    EXPLORED: ("analyzer", "executor", "grammars", "simulator/sampling", "warpmill/sampling"),
    COUNTED: ("analyzer", "executor", "grammars"),
    ESTIMATED: ("analyzer", "executor", "grammars", "simulator/estimate"),
    MANY: ("simulator/sampling",),
}
_PROFILING = ("warpmill/session/sampled_launches.py", "warpmill/session/runs.py")
_FILES = {
    MANY: (*_PROFILING, "benchmarks/gtpin_parts/many.py"),
    EXPLORED: (*_PROFILING, "benchmarks/gtpin_parts/exploring.py"),
    COUNTED: (*_PROFILING, "benchmarks/gtpin_parts/exploring.py"),
    ESTIMATED: (
        *_PROFILING,
        *(
            f"warpmill/session/{name}.py"
            for name in ("applications", "estimates", "registers", "traces")
        ),
        "warpmill/sampling/runs.py",
        "benchmarks/gtpin_parts/estimating.py",
    ),
}


class Rows:
    """Measures rows, or finds those that are known; what cannot be is ``{"problem": words}``."""

    def __init__(self, store, workers, say):
        self._store, self._workers, self._say = store, workers, say

    def explored(self, cycles):
        """Explore applications; ``cycles`` has those of each launch, by target."""
        points = {
            target: _point(EXPLORED, target, cycles=_digest(own)) for target, own in cycles.items()
        }
        return self._of(points, partial(_explored, cycles=cycles))

    def counted(self, trials):
        """Count the launches of other data, by target; ``trials`` are runs, one of each target."""
        points = {run.target: _point(COUNTED, run.target, sizes=run.sizes) for run in trials}
        return self._of(points, _counted)

    def estimated(self, targets, machine):
        """Estimate all launches of applications."""
        digest = machine_digest(load_machine(machine))
        points = {t: _point(ESTIMATED, t, machine=machine, machine_digest=digest) for t in targets}
        return self._of(points, _estimated)

    def many(self, target):
        """Time the choice among ten thousand launches."""
        return self._of({target: _point(MANY, target)}, _many)[target]

    def _of(self, points, evaluate):
        if not points:
            return {}
        found = measured(STUDY, self._store, list(points.values()), evaluate,
                         workers=self._workers, say=self._say)  # fmt: skip
        return {
            target: row.facts["result"] if row.problem is None else {"problem": row.problem}
            for target, row in zip(points, found, strict=True)
        }


def _point(kind, target, **more):
    files = launch_times.wanted(target, MACHINE).inputs["files"]
    own = {"kind": kind, "target": target, "files": files, "sources": _sources(kind)}
    return StudyPoint({**own, **more}, target)


@cache
def _sources(kind):
    return sources_digest(*_FOLDERS[kind], *_FILES[kind])


def _digest(values):
    return sha256(canonical(list(values)).encode()).hexdigest()


def _explored(inputs, cycles):
    from benchmarks.gtpin_parts.exploring import explored  # noqa: PLC0415 - in who measures only

    return PointOutcome(facts={"result": explored(inputs["target"], cycles[inputs["target"]])})


def _counted(inputs):
    from benchmarks.gtpin_parts.exploring import counted  # noqa: PLC0415 - as above

    return PointOutcome(facts={"result": counted(inputs["target"], inputs["sizes"])})


def _estimated(inputs):
    from benchmarks.gtpin_parts.estimating import estimated  # noqa: PLC0415 - as above

    return PointOutcome(facts={"result": estimated(inputs["target"], inputs["machine"])})


def _many(inputs):
    from benchmarks.gtpin_parts.many import many  # noqa: PLC0415 - as above

    return PointOutcome(facts={"result": many(inputs["target"])})
