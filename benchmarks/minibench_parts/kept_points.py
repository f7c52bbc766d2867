"""What is measured, kept in a study: the benchmark goes on where it was interrupted.

A row is measured anew where its workload or the sources that it depends on changed: those of the
originals are all but what makes clones.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from benchmarks.keeping import measured as study_rows
from benchmarks.minibench_parts import further, measured, source_loops, space
from warpmill.session.workloads import workloads
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.minibench"
ORIGINAL, CLONE, ALIKE, SEARCHED = "original", "clone", "alike", "searched"
GRAPH, FLOWS, ACCEPTED, SHORTENED, SPACE = "graph", "flows", "accepted", "shortened", "space"
OF_ORIGINALS = frozenset({ORIGINAL, GRAPH, SHORTENED, SPACE})
"""Kinds that no clone takes part in."""
VERSION = 1
"""One more where what is measured of originals has changed: the sources of this are not hashed."""
MAKING = ("analyzer/profile/behaviour/", "codegen/", "warpmill/cloning/", "warpmill/sweeps/",
          "warpmill/tuning/", "warpmill/studies/", "analyzer/profile/dfsg")  # fmt: skip
"""Sources, by how their paths begin, that no figure of an original depends on."""
FOLDERS = ("analyzer", "executor", "codegen", "grammars", "simulator", "warpmill")
MEASURING = ("simulating.py", "measured.py", "further.py")


def wanted(kind, workload, machine=None, **options):
    """Make a point: what is measured, of which workload, and how."""
    inputs = {"kind": kind, "workload": workload, "files": files(workload),
              "sources": sources(kind in OF_ORIGINALS), "version": VERSION}  # fmt: skip
    if machine is not None:
        inputs["machine"] = machine
    return StudyPoint({**inputs, **({"options": options} if options else {})}, workload)


@cache
def files(workload):
    """Hash what a workload is run from: sizes, modules, program, and what programs share."""
    folder = workloads()[workload].folder
    own = [p for p in folder.iterdir() if p.suffix in {".toml", ".ptx", ".py"}]
    digest = sha256()
    for path in sorted([*own, *(folder.parents[1] / "common").glob("*.py")]):
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def sources(of_original):
    """Hash the sources that originals, or their clones, depend on."""
    if of_original:
        return sources_digest(*FOLDERS, without=MAKING)
    return sources_digest(*FOLDERS, *(f"benchmarks/minibench_parts/{name}" for name in MEASURING))


def kept(store, points, workers, say):
    """What was measured of points, in their order; what is not known yet is measured.

    A point's problem is ``{"problem": words}``.
    """
    rows = study_rows(STUDY, store, points, evaluate, workers=workers, say=say)
    return [_result(row) for row in rows]


def _result(row):
    return {"problem": row.problem} if row.problem is not None else row.facts["result"]


def evaluate(inputs):
    """Measure a point."""
    given = [inputs["workload"]]
    if "machine" in inputs:
        given.append(inputs["machine"])
    return PointOutcome(
        facts={"result": MEASURES[inputs["kind"]](*given, **inputs.get("options", {}))}
    )


MEASURES = {
    ORIGINAL: measured.original, CLONE: measured.clone, ALIKE: measured.alike,
    SEARCHED: further.searched, GRAPH: further.graph, FLOWS: further.flows,
    ACCEPTED: further.accepted, SHORTENED: source_loops.shortened, SPACE: space.measured,
}  # fmt: skip
"""What measures a point of each kind, by workload, machine and options."""
