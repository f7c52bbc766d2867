"""All that is measured of clones, point by point in a study, and what rows make of it.

A point is measured anew where its workload or the sources that it depends on changed: those of the
originals are all but what makes clones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.clones import (
    FACTORS,
    FRACTIONS,
    JUDGED_ON,
    MACHINES,
    SEARCHED_ON,
    SERIES_ON,
    SHORTENED_ON,
    SPACE_ON,
    WAYS,
    ClonesResult,
    Likeness,
    Normalised,
    Pair,
    Problem,
    Searched,
    Step,
    Workload,
    simulating,
    space,
)
from warpmill.benchmarks.keeping import measured
from warpmill.session.workloads import workloads
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.clones"
MEASURES: dict[str, Callable[..., Any]] = {
    "original": simulating.original, "clone": simulating.clone, "alike": simulating.alike,
    "searched": simulating.searched, "accepted": simulating.accepted,
    "shortened": simulating.shortened, "space": space.measured,
}  # fmt: skip
"""What measures a point of each kind, by workload, machine and options."""
OF_ORIGINALS = frozenset({"original", "shortened", "space"})
"""Kinds that no clone takes part in."""
VERSION = 2
"""One more where what is measured has changed: the sources of this are not hashed."""
MAKING = ("analyzer/profile/behaviour/", "codegen/", "warpmill/cloning/", "warpmill/sweeps/",
          "warpmill/tuning/", "warpmill/studies/", "analyzer/profile/dfsg")  # fmt: skip
"""Sources, by how their paths begin, that no figure of an original depends on."""
FOLDERS = ("analyzer", "executor", "codegen", "grammars", "simulator", "warpmill")
ALL_MACHINES = tuple(dict.fromkeys((*MACHINES, SEARCHED_ON, *JUDGED_ON)))
QUICK = ("lps", "matmul", "nn", "scalar-product")
METRICS = ("ipc", "l1_miss_rate", "icache_hit_rate", "sectors_read", "memory_queue_stalls")
"""Those of Figure 3, of this workload."""
METRICS_OF = "mummer"

Row = dict[str, Any]


def known_workloads() -> dict[str, tuple[str, bool]]:
    """The paper's name of each of its workloads, and whether it has loops."""
    facts = {name: one.form.paper.minibench for name, one in workloads().items()}
    found = {name: (own.name, own.loops) for name, own in facts.items() if own is not None}
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def measure(request: Request) -> ClonesResult:
    """Measure originals and clones; the searches and other ways where all is measured."""
    known = known_workloads()
    names = [n for n in request.chosen(known) if n in QUICK or request.names or not request.quick]
    rows = Points(request.store or default_store(), request.workers)
    machines = MACHINES[:1] if request.quick else MACHINES
    return measured_with(
        rows, {name: known[name] for name in names}, machines, whole=not request.is_partial
    )


class Points:
    """What was measured, by point; what could not be is a problem, and None."""

    def __init__(self, store: Any, workers: int) -> None:
        self._store, self._workers = store, workers
        self._found: dict[str, Row | None] = {}
        self.problems: list[Problem] = []

    def measure(self, wanted: Iterable[StudyPoint]) -> None:
        """Measure points, or find them among those that were."""
        new = [p for p in {p.key: p for p in wanted}.values() if p.key not in self._found]
        if not new:
            return
        rows = measured(STUDY, self._store, new, evaluate, workers=self._workers, say=say)
        for point, row in zip(new, rows, strict=True):
            self._found[point.key] = None if row.problem is not None else row.facts["result"]
            if row.problem is not None:
                own: Row = {key: point.inputs.get(key) for key in ("kind", "workload", "machine")}
                self.problems.append(Problem(**own, why=row.problem))

    def __call__(
        self, kind: str, workload: str, machine: str | None = None, **options: Any
    ) -> Row | None:
        """A row; None where it could not be measured."""
        return self._found[point(kind, workload, machine, **options).key]


def point(kind: str, workload: str, machine: str | None = None, **options: Any) -> StudyPoint:
    """Make a point: what is measured, of which workload, and how."""
    inputs = {"kind": kind, "workload": workload, "files": _files(workload),
              "sources": sources(kind in OF_ORIGINALS), "version": VERSION}  # fmt: skip
    if machine is not None:
        inputs["machine"] = machine
    return StudyPoint({**inputs, **({"options": options} if options else {})}, workload)


@cache
def _files(workload: str) -> str:
    """Hash what a workload is run from: sizes, modules, program, and what programs share."""
    folder = workloads()[workload].folder
    own = [p for p in folder.iterdir() if p.suffix in {".toml", ".ptx", ".py"}]
    digest = sha256()
    for path in sorted([*own, *(folder.parents[1] / "common").glob("*.py")]):
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def sources(of_original: bool) -> str:
    """Hash the sources that originals, or their clones, depend on."""
    return sources_digest(*FOLDERS, without=MAKING if of_original else ())


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Measure a point."""
    given = [inputs["workload"], *([inputs["machine"]] if "machine" in inputs else [])]
    found = MEASURES[inputs["kind"]](*given, **inputs.get("options", {}))
    return PointOutcome(facts={"result": found})


# What is wanted, and what is made of it.


def measured_with(
    rows: Points, names: Mapping[str, tuple[str, bool]], machines: Sequence[str], *, whole: bool
) -> ClonesResult:
    """Measure workloads on machines; by workload the paper's name, and whether it has loops."""
    rows.measure(
        point(kind, w, m) for w in names for m in machines for kind in ("clone", "original")
    )
    rows.measure(point("alike", w) for w in names)
    if whole:
        rows.measure(_alone(names))
        searches = {w: found for w in names if (found := rows("searched", w, SEARCHED_ON))}
        rows.measure(_chosen(w, m, own) for w, own in searches.items() for m in ALL_MACHINES)
        largest = {w: rows("clone", w, SERIES_ON) for w in names}
        rows.measure(point("clone", w, SERIES_ON, reduction=n)
                     for w, own in largest.items() for n in factors(own))  # fmt: skip
    made = [
        _workload(rows, workload, *own, machines, whole=whole) for workload, own in names.items()
    ]
    if not whole:
        return ClonesResult(rows=tuple(made), problems=tuple(rows.problems))
    return ClonesResult(
        rows=tuple(made),
        figure_3=figure_3(_in_space(rows, METRICS_OF)) if METRICS_OF in names else (),
        accepted=acceptance(one for w in names if (one := rows("accepted", w)) is not None),
        problems=tuple(rows.problems),
    )


def _alone(names: Iterable[str]) -> list[StudyPoint]:
    """Points that depend on nothing that is measured before."""
    found = []
    for w in names:
        found += [point("searched", w, SEARCHED_ON), point("clone", w, SERIES_ON),
                  point("shortened", w, SHORTENED_ON), point("accepted", w)]  # fmt: skip
        found += [point("original", w, m) for m in ALL_MACHINES]
        found += [point("space", w, SPACE_ON, way=way, fraction=part)
                  for way in WAYS for part in FRACTIONS]  # fmt: skip
    return found


def factors(clone: Row | None) -> list[int]:
    """The reductions below a clone's largest that are tried."""
    return [] if clone is None else [n for n in FACTORS if n < clone["reduction"]]


def _chosen(workload: str, machine: str, found: Row) -> StudyPoint:
    """The clone with the reductions that a search has found."""
    if found["reductions"]:
        return point("clone", workload, machine, reductions=found["reductions"])
    return point("clone", workload, machine, reduction=found["factor"])


def _workload(
    rows: Points, workload: str, name: str, loops: bool, machines: Sequence[str], *, whole: bool
) -> Workload:  # fmt: skip
    alike = rows("alike", workload) or {}
    made = Workload(
        name=name,
        workload=workload,
        loops=loops,
        pairs=_pairs(rows, workload, {m: rows("clone", workload, m) for m in machines}),
        alike={
            key: None if alike.get(key) is None else Likeness(**alike[key])
            for key in simulating.QUOTIENTS
        },
    )
    if not whole:
        return made
    found = rows("searched", workload, SEARCHED_ON)
    searched = None
    if found is not None:
        clones = {m: rows("clone", workload, m, **_chosen(workload, m, found).inputs["options"])
                  for m in ALL_MACHINES}  # fmt: skip
        searched = Searched(**found, pairs=_pairs(rows, workload, clones))
    short, space_ = rows("shortened", workload, SHORTENED_ON), _in_space(rows, workload)
    own = rows("original", workload, SHORTENED_ON)
    return Workload(
        **{key: getattr(made, key) for key in ("name", "workload", "loops", "pairs", "alike")},
        searched=searched,
        series=_series(rows, workload),
        one_iteration=(
            None
            if short is None or own is None
            else relative(short["ipc"], own["threads"] / own["cycles"])
        ),
        space=(
            None
            if space_ is None
            else {
                way: {
                    f"{part:g}": space_[way, part]["ipc"] / space_[way, 1.0]["ipc"]
                    for part in FRACTIONS
                }
                for way in WAYS
            }
        ),
    )


def _pairs(
    rows: Points, workload: str, clones: Mapping[str, Row | None]
) -> tuple[Pair, ...]:  # fmt: skip
    both = {m: (rows("original", workload, m), own) for m, own in clones.items()}
    return tuple(
        paired(m, one, other)
        for m, (one, other) in both.items()
        if one is not None and other is not None
    )


def paired(machine: str, original: Row, clone: Row) -> Pair:
    """Put the clone of a workload on a machine beside its original.

    The original's launches would take I_k / IPC_k cycles, as the clone of them says: thread
    instructions of the original over those a cycle of the clone.
    """
    launches = clone["launch_rows"]
    threads = sum(one["stands_for"] for one in launches)
    cycles = sum(one["stands_for"] * one["cycles"] / one["threads"] for one in launches)
    own, theirs = original["threads"] / original["cycles"], threads / cycles
    return Pair(
        machine=machine,
        ipc=own,
        clone_ipc=theirs,
        error=relative(theirs, own),
        speedup=original["cpu_s"] / clone["cpu_s"],
        engine_speedup=original["engine_s"] / clone["engine_s"],
        cpu_s=original["cpu_s"],
        clone_cpu_s=clone["cpu_s"],
        instructions_over=original["warps"] / clone["warps"],
        launches=original["launches"],
        clone_launches=clone["launches"],
    )


def relative(here: float, reference: float) -> float:
    """Equation 4 in percent."""
    return 100.0 * (here - reference) / reference


def _series(rows: Points, workload: str) -> tuple[Step, ...]:
    """Errors and speed-ups over the reduction factor (Figures 16, 17)."""
    largest, original = (rows(kind, workload, SERIES_ON) for kind in ("clone", "original"))
    if largest is None or original is None:
        return ()
    each = {n: rows("clone", workload, SERIES_ON, reduction=n) for n in factors(largest)}
    pairs = {n: paired(SERIES_ON, original, one)
             for n, one in {**each, largest["reduction"]: largest}.items() if one}  # fmt: skip
    return tuple(Step(factor=n, error=p.error, speedup=p.speedup) for n, p in pairs.items())


def _in_space(rows: Points, workload: str) -> dict[tuple[str, float], Row] | None:
    """Rows of sampling in space by way and part; None where some could not be measured."""
    own = {(way, part): rows("space", workload, SPACE_ON, way=way, fraction=part)
           for way in WAYS for part in FRACTIONS}  # fmt: skip
    known = {key: row for key, row in own.items() if row is not None}
    return known if len(known) == len(own) else None


def figure_3(rows: Mapping[tuple[str, float], Row] | None) -> tuple[Normalised, ...]:
    """Figure 3's metrics by part, over those of all threads; those that there are."""
    whole = {} if rows is None else rows["threads", 1.0]
    return tuple(
        Normalised(metric=name.replace("_", " "), shares={
            f"{part:g}": rows["threads", part][name] / whole[name] for part in FRACTIONS})
        for name in METRICS if rows is not None and whole[name]
    )  # fmt: skip


def acceptance(found: Iterable[Row]) -> dict[str, tuple[int, ...]]:
    """Count files that compilers took, by compiler and chip."""
    counts: dict[str, tuple[int, ...]] = {}
    for one in found:
        for key, said in one.items():
            took, of = counts.get(key, (0, 0))
            counts[key] = (took + (said is None), of + 1)
    return counts
