"""All that is measured of clones, row by row in a study, and what rows make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from warpmill.benchmarks import clones as told
from warpmill.benchmarks.benchmark import Request
from warpmill.benchmarks.clones import FRACTIONS, MACHINES, WAYS, simulating, space
from warpmill.benchmarks.points import Row, RowKind, Rows, RowStudy
from warpmill.session.workloads import workloads
from warpmill.studies.model import StudyPoint

FOLDERS = ("analyzer", "executor", "codegen", "grammars", "simulator", "warpmill")
MAKING = ("analyzer/profile/behaviour/", "codegen/", "warpmill/cloning/", "warpmill/sweeps/",
          "warpmill/tuning/", "warpmill/studies/", "analyzer/profile/dfsg")  # fmt: skip
"""Sources, by how their paths begin, that no figure of an original depends on: they make clones."""
STUDY = RowStudy("benchmarks.clones", 3, {
    "original": RowKind(simulating.original, FOLDERS, MAKING),
    "clone": RowKind(simulating.clone, FOLDERS),
    "alike": RowKind(simulating.alike, FOLDERS),
    "searched": RowKind(simulating.searched, FOLDERS),
    "accepted": RowKind(simulating.accepted, FOLDERS),
    "shortened": RowKind(simulating.shortened, FOLDERS, MAKING),
    "space": RowKind(space.measured, FOLDERS, MAKING),
})  # fmt: skip
ALL_MACHINES = tuple(dict.fromkeys((*MACHINES, told.SEARCHED_ON, *told.JUDGED_ON)))
QUICK = ("lps", "matmul", "nn", "scalar-product")
METRICS = ("ipc", "l1_miss_rate", "icache_hit_rate", "sectors_read", "memory_queue_stalls")
"""Those of Figure 3, of this workload."""
METRICS_OF = "mummer"


def known_workloads() -> dict[str, tuple[str, bool]]:
    """The paper's name of each of its workloads, and whether it has loops."""
    facts = {name: one.form.paper.minibench for name, one in workloads().items()}
    found = {name: (own.name, own.loops) for name, own in facts.items() if own is not None}
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def measure(request: Request) -> told.ClonesResult:
    """Measure originals and clones; the searches and other ways where all is measured."""
    known = known_workloads()
    names = [n for n in request.chosen(known) if n in QUICK or request.names or not request.quick]
    machines = MACHINES[:1] if request.quick else MACHINES
    rows = Rows(STUDY, request)
    return measured_with(
        rows, {name: known[name] for name in names}, machines, whole=not request.is_partial
    )


def measured_with(
    rows: Rows, names: Mapping[str, tuple[str, bool]], machines: Sequence[str], *, whole: bool
) -> told.ClonesResult:
    """Measure workloads on machines; by workload the paper's name, and whether it has loops."""
    rows.measure(_clones_and_originals(names, machines))
    if whole:
        rows.measure(point for name in names for point in _alone(name))
        searches = {w: found for w in names if (found := rows("searched", w, **_SEARCH))}
        rows.measure(_point("clone", w, m, **_chosen(own))
                     for w, own in searches.items() for m in ALL_MACHINES)  # fmt: skip
        largest = {w: rows("clone", w, **_SERIES) for w in names}
        rows.measure(STUDY.point("clone", w, **_SERIES, reduction=n)
                     for w, own in largest.items() for n in factors(own))  # fmt: skip
    made = []
    for workload, (name, loops) in names.items():
        alike = rows("alike", workload) or dict.fromkeys(simulating.QUOTIENTS)
        made.append(told.Workload(
            name=name,
            workload=workload,
            loops=loops,
            pairs=_pairs(rows, workload, machines),
            alike={key: own and told.Likeness(**own) for key, own in alike.items()},
            **(_other_ways(rows, workload) if whole else {}),
        ))  # fmt: skip
    in_space = _in_space(rows, METRICS_OF) if whole and METRICS_OF in names else None
    return told.ClonesResult(
        rows=tuple(made),
        figure_3=() if in_space is None else figure_3(in_space),
        accepted=acceptance([own for w in names if whole and (own := rows("accepted", w))]),
        problems=tuple(_problem(*each) for each in rows.problems),
    )


def acceptance(found: Sequence[Row]) -> dict[str, tuple[int, ...]]:
    """How many files compilers took, of how many, by compiler and chip."""
    keys = dict.fromkeys(key for one in found for key in one)
    said = {key: [one[key] for one in found if key in one] for key in keys}
    return {key: (own.count(None), len(own)) for key, own in said.items()}


# Points: of what, on which machine, how.

_SEARCH = {"machine": told.SEARCHED_ON}
_SERIES = {"machine": told.SERIES_ON}
_SHORT = {"machine": told.SHORTENED_ON}
_PARTS: list[dict[str, Any]] = [
    {"machine": told.SPACE_ON, "way": way, "fraction": part} for way in WAYS for part in FRACTIONS
]


def _point(kind: str, workload: str, machine: str, **options: Any) -> StudyPoint:
    return STUDY.point(kind, workload, machine=machine, **options)


def _clones_and_originals(names: Iterable[str], machines: Sequence[str]) -> list[StudyPoint]:
    pairs = [(kind, m) for m in machines for kind in ("clone", "original")]
    found = [_point(kind, w, m) for w in names for kind, m in pairs]
    return [*found, *(STUDY.point("alike", w) for w in names)]


def _alone(workload: str) -> list[StudyPoint]:
    """Points of a workload that depend on nothing that is measured before."""
    return [
        STUDY.point("searched", workload, **_SEARCH),
        STUDY.point("clone", workload, **_SERIES),
        STUDY.point("shortened", workload, **_SHORT),
        STUDY.point("accepted", workload),
        *(_point("original", workload, m) for m in ALL_MACHINES),
        *(STUDY.point("space", workload, **part) for part in _PARTS),
    ]


def factors(clone: Row | None) -> list[int]:
    """The reductions below a clone's largest that are tried."""
    return [] if clone is None else [n for n in told.FACTORS if n < clone["reduction"]]


def _chosen(found: Row) -> Row:
    """Options of the clone that a search has found."""
    if found["reductions"]:
        return {"reductions": found["reductions"]}
    return {"reduction": found["factor"]}


def _problem(point: StudyPoint, why: str) -> told.Problem:
    machine = point.inputs["options"].get("machine")
    return told.Problem(
        kind=point.inputs["kind"], workload=point.inputs["target"], machine=machine, why=why
    )


# What rows make.


def _pairs(
    rows: Rows, workload: str, machines: Iterable[str], **options: Any
) -> tuple[told.Pair, ...]:
    both = {m: (rows("original", workload, machine=m),
                rows("clone", workload, machine=m, **options)) for m in machines}  # fmt: skip
    return tuple(paired(m, one, other) for m, (one, other) in both.items() if one and other)


def paired(machine: str, original: Row, clone: Row) -> told.Pair:
    """Put the clone of a workload on a machine beside its original."""
    return told.Pair(
        machine=machine,
        ipc=original["ipc"],
        clone_ipc=clone["ipc"],
        error=relative(clone["ipc"], original["ipc"]),
        speedup=original["cpu_s"] / clone["cpu_s"],
        engine_speedup=original["engine_s"] / clone["engine_s"],
        cpu_s=original["cpu_s"],
        clone_cpu_s=clone["cpu_s"],
    )


def relative(here: float, reference: float) -> float:
    """Equation 4 in percent."""
    return 100.0 * (here - reference) / reference


def _other_ways(rows: Rows, workload: str) -> dict[str, Any]:
    """The fields of a workload that are measured where all is."""
    found = rows("searched", workload, **_SEARCH)
    short, own = rows("shortened", workload, **_SHORT), rows("original", workload, **_SHORT)
    in_space = _in_space(rows, workload)
    return {
        "searched": found and told.Searched(
            **found, pairs=_pairs(rows, workload, ALL_MACHINES, **_chosen(found))
        ),
        "series": _series(rows, workload),
        "one_iteration": relative(short["ipc"], own["ipc"]) if short and own else None,
        "space": in_space and {way: _normalised(in_space[way], "ipc") for way in WAYS},
    }  # fmt: skip


def _series(rows: Rows, workload: str) -> tuple[told.Step, ...]:
    """Errors and speed-ups over the reduction factor (Figures 16, 17)."""
    largest = rows("clone", workload, **_SERIES)
    if largest is None:
        return ()
    pairs = {
        n: _pairs(rows, workload, [told.SERIES_ON], **how)
        for n, how in (
            *((n, {"reduction": n}) for n in factors(largest)), (largest["reduction"], {}),
        )
    }  # fmt: skip
    return tuple(
        told.Step(factor=n, error=one.error, speedup=one.speedup)
        for n, found in pairs.items() for one in found
    )  # fmt: skip


def _in_space(rows: Rows, workload: str) -> dict[str, dict[float, Row]] | None:
    """Rows of sampling in space by way and part; None where some could not be measured."""
    found: dict[str, dict[float, Row]] = {way: {} for way in WAYS}
    for part in _PARTS:
        row = rows("space", workload, **part)
        if row is None:
            return None
        found[part["way"]][part["fraction"]] = row
    return found


def figure_3(in_space: Mapping[str, Mapping[float, Row]]) -> tuple[told.Normalised, ...]:
    """Figure 3's metrics by part, over those of all threads; those that there are."""
    rows = in_space["threads"]
    return tuple(
        told.Normalised(metric=name.replace("_", " "), shares=_normalised(rows, name))
        for name in METRICS if rows[1.0][name]
    )  # fmt: skip


def _normalised(rows: Mapping[float, Row], name: str) -> dict[str, float]:
    """A figure by part, over that of all."""
    return {f"{part:g}": row[name] / rows[1.0][name] for part, row in rows.items()}
