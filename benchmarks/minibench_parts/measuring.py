"""All that the benchmark measures, from points to one result."""

from __future__ import annotations

import time

from benchmarks.minibench_parts import extras, figures
from benchmarks.minibench_parts import kept_points as points
from benchmarks.minibench_parts.further import compilers
from benchmarks.minibench_parts.space import FRACTIONS, WAYS


class Rows:
    """What was measured, by point; what could not be is a problem, and None."""

    def __init__(self, store, workers, say):
        self._store, self._workers, self._say = store, workers, say
        self._found = {}
        self.problems = []

    def measure(self, wanted):
        """Measure points, or find them among those that were."""
        new = [p for p in {p.key: p for p in wanted}.values() if p.key not in self._found]
        rows = points.kept(self._store, new, self._workers, self._say) if new else []
        for point, row in zip(new, rows, strict=True):
            self._found[point.key] = None if "problem" in row else row
            if "problem" in row:
                own = {key: point.inputs.get(key) for key in ("kind", "workload", "machine")}
                self.problems.append({**own, "problem": row["problem"]})

    def __call__(self, kind, workload, machine=None, **options):
        """A row; None where it could not be measured."""
        return self._found[points.wanted(kind, workload, machine, **options).key]

    def of(self, point):
        """The row of a point."""
        return self._found[point.key]


def measure(names, machines, rows, *, with_extras):
    """Measure workloads on machines; the whole result.

    ``names`` has, by workload, the paper's name and whether it has loops.
    """
    start = time.perf_counter()
    wanted = [points.wanted(kind, w, m) for w in names for m in machines
              for kind in (points.CLONE, points.ORIGINAL)]  # fmt: skip
    rows.measure([*wanted, *(points.wanted(points.ALIKE, w) for w in names)])
    pairs = _pairs(rows, names, machines)
    loops = dict(names.values())
    summed = figures.figures(pairs, loops) if pairs else {}
    result = {
        "benchmark": "minibench",
        "machines": list(machines),
        "names": {name: workload for workload, (name, _) in names.items()},
        **summed,
        "goals": figures.goals_met(summed),
        "alike": {w: rows(points.ALIKE, w) for w in names},
        "rows": pairs,
    }
    if with_extras:
        result |= _extras(rows, names, loops)
    return {**result, "problems": rows.problems, "seconds": round(time.perf_counter() - start, 1)}


def _pairs(rows, names, machines):
    found = []
    for workload, (name, loops) in names.items():
        for machine in machines:
            pair = [rows(kind, workload, machine) for kind in (points.ORIGINAL, points.CLONE)]
            if None not in pair:
                row = figures.paired(workload, name, machine, *pair)
                found.append({**row, "loops": loops})
    return found


def _extras(rows, names, loops):
    rows.measure(extras.alone(names))
    return {
        **_automatic(rows, names, loops),
        "series": _series(rows, names),
        "one_iteration": _one_iteration(rows, names),
        **_space(rows, names),
        "accepted": {
            "compilers": list(compilers()),
            **extras.acceptance(_known(rows(points.ACCEPTED, w) for w in names)),
        },
        **_graphs(rows, names),
    }


def _automatic(rows, names, loops):
    found = {w: one for w in names
             if (one := rows(points.SEARCHED, w, extras.SEARCHED_ON)) is not None}  # fmt: skip
    chosen = {(w, m): extras.with_found(w, m, one) for w, one in found.items()
              for m in extras.ALL_MACHINES}  # fmt: skip
    rows.measure(chosen.values())
    made = []
    for workload, one in found.items():
        each = [(m, rows(points.ORIGINAL, workload, m), rows.of(chosen[workload, m]))
                for m in extras.ALL_MACHINES]  # fmt: skip
        made += extras.automatic(
            workload, names[workload][0], one, [t for t in each if None not in t]
        )
    return {
        "auto": extras.automatic_figures(made, found, loops),
        "auto_rows": made,
        "searches": {names[w][0]: one for w, one in found.items()},
    }


def _series(rows, names):
    """Errors and speed-ups over the reduction factor, by name (Figures 16, 17)."""
    largest = {w: clone for w in names
               if (clone := rows(points.CLONE, w, extras.SERIES_ON)) is not None}  # fmt: skip
    wanted = {w: extras.series(w, clone) for w, clone in largest.items()}
    rows.measure([point for each in wanted.values() for point in each])
    found = {}
    for workload, clone in largest.items():
        name, original = names[workload][0], rows(points.ORIGINAL, workload, extras.SERIES_ON)
        factor = max(model["reduction"] for model in clone["models"])
        factors = [p.inputs["options"]["reduction"] for p in wanted[workload]]
        clones = [rows.of(p) for p in wanted[workload]]
        shown = ("error_percent", "speedup", "engine_speedup")
        each = [*zip(factors, clones, strict=True), (factor, clone)]
        found[name] = [
            {"factor": n, **{key: row[key] for key in shown}}
            for n, one in each if one is not None and original is not None
            for row in [figures.paired(workload, name, extras.SERIES_ON, original, one)]
        ]  # fmt: skip
    return found


def _one_iteration(rows, names):
    """The IPC errors of Figure 21 by the paper's names, beside what the clones' are."""
    found = {}
    for workload, (name, _) in names.items():
        short = rows(points.SHORTENED, workload, extras.SHORTENED_ON)
        original = rows(points.ORIGINAL, workload, extras.SHORTENED_ON)
        if short is not None and original is not None:
            found[name] = extras.one_iteration(short, original)
    return found


def _space(rows, names):
    found, third = {}, None
    for workload, (name, _) in names.items():
        keys = [(way, part) for way in WAYS for part in FRACTIONS]
        own = {key: rows(points.SPACE, workload, extras.SPACE_ON, way=key[0], fraction=key[1])
               for key in keys}  # fmt: skip
        if None in own.values():
            continue
        found[name] = extras.sampled_in_space(own)
        third = extras.figure_3(own) if name == "MUM" else third
    return {"space": found, "figure_3": third}


def _graphs(rows, names):
    """The graph of Figure 13, and the control flow of Figure 22's three versions."""
    found = {"figure_13": None, "figure_22": None}
    workload, kernel = extras.FIGURE_13
    if workload in names:
        found["figure_13"] = rows(points.GRAPH, workload, kernel=kernel)
    workload, kernel = extras.FIGURE_22
    if workload in names:
        flows = rows(points.FLOWS, workload)
        short = rows(points.SHORTENED, workload, extras.SHORTENED_ON)
        if flows is not None:
            shorter = None if short is None else short["graphs"][kernel]
            found["figure_22"] = {**flows[kernel], "shortened": shorter}
    return found


def _known(found):
    return [one for one in found if one is not None]
