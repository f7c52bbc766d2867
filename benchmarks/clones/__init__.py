"""How near clones of whole workloads are to their originals, and how much faster they simulate.

GPGPU-MiniBench's 23 benchmarks (its Table 2, preset `paper-minibench`) are cloned with the largest
reduction of all loops, and original and clone are simulated on the machines of its Table 3. Errors
are those of the IPC in percent (Equation 4). Speed-ups are CPU time of the original over that of
the clone, end to end: plan, execution for traces, timing, result; not reading and compiling
kernels. A workload without loops is not sped up: it counts as 1 in means of speed-ups, as in the
paper, and in no mean of errors. Rows are kept in the study store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import combinations
from statistics import fmean, harmonic_mean
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import (
    OF_WORKLOADS,
    Benchmark,
    Goal,
    column,
    mean,
    number,
    put_aside,
)
from warpmill.cloning.options import MAX_ERROR
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

HARD = ("MUM", "PNS", "LU", "MT", "BFS", "NW", "SLA", "NE")
"""The workloads that sampling in space does not work for (Table 2's last eight)."""
MACHINES = ("minibench_8sm", "minibench_28sm", "minibench_56sm", "minibench_110sm")
"""The paper's Table 3."""
SEARCHED_ON = "minibench_28sm"
JUDGED_ON = ("minibench_8sm", "minibench_56sm", "minibench_110sm", "v100", "a100", "h100_sxm")
SERIES_ON = "minibench_28sm"
SHORTENED_ON = "minibench_56sm"
SPACE_ON = "minibench_28sm"
LARGE = 10.0
FACTORS = (1, 2, 4, 8, 16, 32)
"""Reductions of all loops that are shown; the largest of a clone is tried too."""
WAYS = ("threads", "warps", "ctas")
FRACTIONS = (0.125, 0.25, 0.5, 1.0)
READ_AT = 0.25
"""The part at which sampling in space is judged."""
Sums = Mapping[str, Any]
"""A row of a table of sums, by the words of its columns."""
LIKENESSES = {
    "shared_wavefronts_per_request": "shared wavefronts per request",
    "sectors_per_request": "sectors per request",
    "lanes_per_instruction": "lanes per instruction",
    "branch_share": "branch share",
}


class Pair(Part):
    """A clone beside its original on a machine."""

    machine: Annotated[str, Metric("machine")]
    ipc: Annotated[float, Metric("IPC")]
    clone_ipc: Annotated[float, Metric("clone's")]
    error: Annotated[float, Metric("error")]
    speedup: Annotated[float, Metric("speed-up")]
    engine_speedup: Annotated[float, Metric("of timing alone")]
    cpu_s: float
    clone_cpu_s: float


class Step(Part):
    """A clone whose loops are all reduced by a factor."""

    factor: int
    error: float
    speedup: float


class Searched(Part):
    """Reductions that were searched on one machine; ``factor`` None: one for each loop."""

    factor: int | None
    reductions: Mapping[str, Mapping[str, int]]
    met: bool
    trials: Annotated[int, Metric("clones tried")]
    search_cpu_s: float
    original_cpu_s: float
    pairs: tuple[Pair, ...]

    @property
    def words(self) -> str:
        """What was chosen."""
        if self.factor is not None:
            return f"all loops by {self.factor}"
        found = []
        for kernel, loops in self.reductions.items():
            low, high = min(loops.values()), max(loops.values())
            words = f"{low}" if low == high else f"{low} to {high}"
            found.append(f"{kernel}: {len(loops)} loops by {words}")
        return "; ".join(found)


class Likeness(Part):
    """A quotient of exact counts: the original's, and the clone's error in percent."""

    original: float
    error: float | None


class Workload(Part):
    """A workload by the paper's name; ``loops``: whether it has any to reduce.

    ``one_iteration`` is the IPC error of loops of one iteration in the source, in percent.
    ``space`` has the IPC of the part that is left over that of all, by way and part.
    """

    name: Annotated[str, Metric("name")]
    workload: Annotated[str, Metric("workload")]
    loops: Annotated[bool, Metric("loops")]
    pairs: tuple[Pair, ...]
    alike: Mapping[str, Likeness | None]
    searched: Searched | None = None
    series: tuple[Step, ...] = ()
    one_iteration: Annotated[float | None, Metric("loops of one iteration")] = None
    space: Mapping[str, Mapping[str, float]] | None = None

    @property
    def on(self) -> Mapping[str, Pair]:
        """Pairs by machine."""
        return {pair.machine: pair for pair in self.pairs}

    @property
    def found(self) -> Mapping[str, Pair]:
        """Pairs of the clone that was searched, by machine."""
        return {pair.machine: pair for pair in self.searched.pairs} if self.searched else {}

    @property
    def by_factor(self) -> Mapping[str, str]:
        """Errors and speed-ups by the reduction factor, for people."""
        return {str(s.factor): f"{s.error:+.1f} %, {s.speedup:.1f}x" for s in self.series}

    @property
    def shares(self) -> Mapping[str, float]:
        """IPC by way and part, and the error of a reading in percent, under a key of words."""
        if self.space is None:
            return {}
        found = {f"{way} {part:.0%}": self.space[way][f"{part:g}"] for way in WAYS
                 for part in FRACTIONS}  # fmt: skip
        return found | {f"{way} error": self.reading(way) for way in WAYS}

    def reading(self, way: str) -> float:
        """How far the IPC is off that a part tells: in proportion for threads, else as it is."""
        assert self.space is not None
        return 100 * (self.space[way][f"{READ_AT:g}"] / (READ_AT if way == "threads" else 1.0) - 1)

    def counted(self, speedup: float) -> float:
        """A speed-up as means take it: 1 without loops, where nothing is sped up."""
        return speedup if self.loops else 1.0

    def with_search(self, pair: Pair) -> float:
        """The speed-up of a searched clone with the cost of the search, shared by all machines."""
        assert self.searched is not None
        cost = self.searched.search_cpu_s + self.searched.original_cpu_s
        return pair.cpu_s / (pair.clone_cpu_s + cost / len(self.searched.pairs))

    @property
    def swapped(self) -> str:
        """Pairs of machines of which one is faster for the original, the other for the clone."""
        return ", ".join(
            f"{a.machine}/{b.machine}"
            for a, b in combinations(self.pairs, 2)
            if (a.ipc - b.ipc) * (a.clone_ipc - b.clone_ipc) < 0
        )


class Normalised(Part):
    """A metric by the part of threads that is left, over that of all (Figure 3)."""

    metric: Annotated[str, Metric("metric")]
    shares: Mapping[str, float]


class Problem(Part):
    """What could not be measured."""

    kind: Annotated[str, Metric("what")]
    workload: Annotated[str, Metric("workload")]
    machine: Annotated[str | None, Metric("machine")]
    why: Annotated[str, Metric("why")]


class ClonesResult(Part):
    """All workloads; ``accepted`` has by compiler and chip how many files were taken, of how many.

    ``figure_3`` is of MUM.
    """

    rows: tuple[Workload, ...]
    figure_3: tuple[Normalised, ...] = ()
    accepted: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @derived("machines")
    def machines(self) -> tuple[Sums, ...]:
        """Sums by machine, the searched clones' on all that these were judged on."""
        names = [pair.machine for row in self.rows for pair in (*row.pairs, *row.found.values())]
        return tuple(self._on(machine) for machine in dict.fromkeys(names))

    def _on(self, machine: str) -> Sums:
        own = [(row, row.on[machine]) for row in self.rows if machine in row.on]
        found = [(row, row.found[machine]) for row in self.rows if machine in row.found]
        speedups = [row.counted(pair.speedup) for row, pair in own]
        return {
            "machine": machine,
            "mean absolute error": _mean_error(pair for row, pair in own if row.loops),
            "mean speed-up": mean(speedups),
            "harmonic mean": harmonic_mean(speedups) if speedups else None,
            "mean of timing alone": mean(row.counted(pair.engine_speedup) for row, pair in own),
            "error of searched clones": _mean_error(pair for row, pair in found if row.loops),
            "their speed-up": mean(row.counted(pair.speedup) for row, pair in found),
            "with the search": mean(row.counted(row.with_search(pair)) for row, pair in found),
        }

    @property
    def by_machine(self) -> Mapping[str, Sums]:
        """The same by machine."""
        return {one["machine"]: one for one in self.machines}

    @property
    def aside(self) -> frozenset[str]:
        """The workloads that are put aside."""
        return put_aside(row.name for row in self.rows)

    @derived("groups")
    def groups(self) -> tuple[Sums, ...]:
        """Workloads with loops and all, the eight hard ones, those put aside and the others."""
        looped = [row for row in self.rows if row.loops]
        groups = {
            # in the paper's mean speed-up of all, workloads without loops count as 1
            "with loops": (looped, self.rows),
            "the eight hard ones": ([row for row in self.rows if row.name in HARD],) * 2,
        }
        if self.aside:
            aside, others = ([row for row in looped if (row.name in self.aside) is is_in]
                             for is_in in (True, False))  # fmt: skip
            groups["with loops, put aside"] = (aside,) * 2
            groups["with loops, the others"] = (others,) * 2
        return tuple(_group(words, *both) for words, both in groups.items() if both[0])

    @property
    def by_group(self) -> Mapping[str, Sums]:
        """The same by group."""
        return {one["workloads"]: one for one in self.groups}

    @derived("harmonic mean of the machines' mean speed-ups of timing alone")
    def engine_speedup(self) -> float:
        """As that of all CPU time."""
        return _over_machines(self.rows, "engine_speedup")

    @property
    def _speedups(self) -> list[float]:
        return [pair.speedup for row in self.rows if row.loops for pair in row.pairs]

    @derived("largest speed-up")
    def max_speedup(self) -> float:
        """Of workloads with loops."""
        return max(self._speedups)

    @derived("least speed-up")
    def min_speedup(self) -> float:
        """Of workloads with loops."""
        return min(self._speedups)

    @derived("workloads whose clones rank the machines as their originals do")
    def ranks_kept(self) -> int:
        """Of all."""
        return sum(not row.swapped for row in self.rows)

    @derived("searched clones: mean absolute error where not searched, %")
    def judged_error(self) -> float | None:
        """On all machines but the one of the search."""
        return _mean_error(row.found[machine] for row in self.rows if row.loops
                           for machine in JUDGED_ON if machine in row.found)  # fmt: skip


def _group(words: str, own: Sequence[Workload], counted: Sequence[Workload]) -> Sums:
    """Errors of workloads, and speed-ups of those that are counted."""
    errors = [abs(pair.error) for row in own for pair in row.pairs]
    return {
        "workloads": words,
        "number": len(own),
        "mean absolute error": mean(errors),
        "largest": max(errors, default=None),
        "pairs over 10 %": sum(error > LARGE for error in errors),
        "harmonic mean of the machines' mean speed-ups": _over_machines(counted, "speedup"),
    }


def _mean_error(pairs: Iterable[Pair]) -> float | None:
    return mean(abs(pair.error) for pair in pairs)


def _over_machines(rows: Sequence[Workload], key: str) -> float:
    """The harmonic mean over Table 3's machines, or those there are, of means over workloads."""
    there = dict.fromkeys(pair.machine for row in rows for pair in row.pairs)
    means = [fmean(row.counted(getattr(row.on[m], key)) for row in rows if m in row.on)
             for m in [m for m in there if m in MACHINES] or there]  # fmt: skip
    return harmonic_mean(means)


def values(result: ClonesResult) -> dict[str, Any]:
    """What the template says beside tables."""
    rows = result.rows
    short = [row for row in rows if row.one_iteration is not None and SHORTENED_ON in row.on]
    return {
        "with_loops": sum(row.loops for row in rows),
        "most_error": f"{MAX_ERROR:.0%}",
        "searches": [row.searched for row in rows if row.searched],
        "short_mean": mean(abs(row.one_iteration or 0.0) for row in short),
        "clones_mean": _mean_error(row.on[SHORTENED_ON] for row in short),
        "space_means": {
            way: mean(abs(row.reading(way)) for row in rows if row.space) for way in WAYS
        },
    }


PERCENT, TIMES = "{:+.1f} %", "{:.1f}"
_SHORT = {name: name.removeprefix("minibench_") for name in (*MACHINES, *JUDGED_ON)}


SECTIONS = (
    Table("Groups", "groups",
          ("workloads", "number", column("mean absolute error", form="{:.1f} %"),
           column("largest", form="{:.1f} %"), "pairs over 10 %",
           column("harmonic mean of the machines' mean speed-ups", form=TIMES))),
    Table("Machines", "machines",
          ("machine", column("mean absolute error", form="{:.1f} %"),
           *(Shown(n, words=number)
             for n in ("mean speed-up", "harmonic mean", "mean of timing alone")),
           column("error of searched clones", form="{:.1f} %"),
           *(column(n, form=TIMES) for n in ("their speed-up", "with the search")))),
    Table("Workloads", "rows",
          ("name", "workload", "loops",
           *(column(f"on.{m}.error", f"error, {_SHORT[m]}", PERCENT) for m in MACHINES),
           *(column(f"on.{m}.speedup", f"speed-up, {_SHORT[m]}", TIMES) for m in MACHINES),
           Shown("swapped", "machines ranked otherwise",
                 words=lambda own: own.replace("minibench_", "") or None)),
          left=(0, 1, 11)),
    Table("Alike", "rows",
          ("name", *(one for key, words in LIKENESSES.items() for one in (
              column(f"alike.{key}.original", words, "{:.3g}"),
              column(f"alike.{key}.error", "error", PERCENT))))),
    Table("Reduction factor", "rows",
          ("name", *(Shown(f"by_factor.{n}", f"by {n}") for n in FACTORS)),
          chosen=lambda row: len(row.series) > 1),
    Table("Searched", "rows",
          ("name", Shown("searched.words", "reductions"), "searched.trials",
           *(column(f"found.{m}.error", _SHORT[m], PERCENT)
             for m in sorted({*MACHINES, *JUDGED_ON},
                             key=[*MACHINES, *JUDGED_ON].index))),
          left=(0, 1), wrap=(1,), chosen=lambda row: row.searched is not None),
    Table("One iteration", "rows",
          ("name", column("one_iteration", form=PERCENT),
           column(f"on.{SHORTENED_ON}.error", "clone", PERCENT)),
          chosen=lambda row: row.one_iteration is not None),
    Table("In space", "rows",
          ("name", *(one for way in WAYS for one in (
              *(column(f"shares.{way} {part:.0%}", f"{way} {part:.0%}", "{:.2f}")
                for part in FRACTIONS[:-1]),
              column(f"shares.{way} error", "error", PERCENT)))),
          chosen=lambda row: row.space is not None),
    Table("Figure 3", "figure_3",
          ("metric", *(Shown("shares", f"{part:.0%}",
                             words=partial(lambda key, own: f"{own[key]:.2f}", f"{part:g}"))
                       for part in FRACTIONS))),
    Table("Not measured", "problems", ("kind", "workload", "machine", "why"), left=(0, 1, 2, 3),
          wrap=(3,)),
)  # fmt: skip

BENCHMARK: Benchmark[ClonesResult] = Benchmark(
    name="clones",
    about="Clones of GPGPU-MiniBench's workloads: errors of the IPC, and speed-ups.",
    takes="an hour",
    result=":ClonesResult",
    measure="measuring:measure",
    sections=SECTIONS,
    goals=(
        Goal("by_group.with loops.mean absolute error", 4.7,
             what="mean of the absolute IPC errors, %"),
        Goal("by_group.with loops.pairs over 10 %", 2,
             what="pairs of workload and machine over 10 %"),
        Goal("by_group.with loops.harmonic mean of the machines' mean speed-ups", 49.0, True,
             "harmonic mean of the machines' mean speed-ups"),
        Goal("max_speedup", 589.0, True),
        Goal("by_group.the eight hard ones.mean absolute error", 3.3,
             what="the eight hard ones: mean of the absolute IPC errors, %"),
        Goal("by_group.the eight hard ones.largest", 6.2,
             what="the eight hard ones: largest absolute IPC error, %"),
        *(Goal(f"by_machine.{m}.mean speed-up", least, True, f"mean speed-up on {m}")
          for m, least in zip(MACHINES, (40.0, 46.0, 52.0, 58.0), strict=True)),
        Goal("min_speedup"),
        Goal("engine_speedup"),
        Goal("ranks_kept"),
        Goal("judged_error"),
    ),
    parts="workloads",
    data=(*OF_WORKLOADS, "codegen/templates/**/*.j2"),
    put_aside="A third of the workloads, drawn by a seed, from this page on; earlier work has seen "
    "them.",
    values=":values",
    draw="pictures:draw",
)  # fmt: skip
