"""How near clones of whole workloads are to their originals, and how much faster they simulate.

GPGPU-MiniBench's 23 benchmarks (its Table 2, preset `paper-minibench`) are cloned with the largest
reduction of all loops, and original and clone are simulated on the machines of its Table 3. Errors
are those of the IPC in percent (Equation 4). Speed-ups are CPU time of the original over that of
the clone, end to end: plan, execution for traces, timing, result; not reading and compiling
kernels. A workload without loops is not sped up: it counts as 1 in means of speed-ups, as in the
paper, and in no mean of errors. Rows are kept in the study store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import combinations
from statistics import fmean, harmonic_mean
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, column, number, put_aside
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
    instructions_over: float
    launches: int
    clone_launches: int


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

    def with_search(self, pair: Pair) -> float:
        """The speed-up on a machine with the cost of the search, shared among all machines."""
        cost = (self.search_cpu_s + self.original_cpu_s) / len(self.pairs)
        return pair.cpu_s / (pair.clone_cpu_s + cost)


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
        found = {f"{way} {part}": self.space[way][f"{part:g}"] for way in WAYS
                 for part in FRACTIONS}  # fmt: skip
        return found | {f"{way} error": self.reading(way) for way in WAYS}

    def reading(self, way: str) -> float:
        """How far the IPC is off that a part tells: in proportion for threads, else as it is."""
        assert self.space is not None
        return 100 * (self.space[way][f"{READ_AT:g}"] / (READ_AT if way == "threads" else 1.0) - 1)

    @property
    def swapped(self) -> str:
        """Pairs of machines of which one is faster for the original, the other for the clone."""
        return ", ".join(
            f"{a.machine}/{b.machine}"
            for a, b in combinations(self.pairs, 2)
            if (a.ipc - b.ipc) * (a.clone_ipc - b.clone_ipc) < 0
        )


class MachineSums(Part):
    """Clones on a machine: mean error, and means of speed-ups over workloads."""

    machine: Annotated[str, Metric("machine")]
    error: Annotated[float | None, Metric("mean absolute error")]
    speedup: Annotated[float, Metric("mean speed-up")]
    harmonic: Annotated[float, Metric("harmonic mean")]
    engine_speedup: Annotated[float, Metric("mean of timing alone")]
    searched_error: Annotated[float | None, Metric("error of searched clones")] = None
    searched_speedup: Annotated[float | None, Metric("their speed-up")] = None
    with_search: Annotated[float | None, Metric("with the search")] = None


class GroupSums(Part):
    """Workloads of a group, on the paper's machines."""

    group: Annotated[str, Metric("workloads")]
    workloads: Annotated[int, Metric("number")]
    error: Annotated[float | None, Metric("mean absolute error")]
    worst: Annotated[float | None, Metric("largest")]
    over: Annotated[int, Metric("pairs over 10 %")]
    speedup: Annotated[float, Metric("harmonic mean of the machines' mean speed-ups")]


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
    def machines(self) -> tuple[MachineSums, ...]:
        """Sums by machine, the searched clones' on all that these were judged on."""
        names = [pair.machine for row in self.rows for pair in (*row.pairs, *row.found.values())]
        return tuple(self._on(machine) for machine in dict.fromkeys(names))

    def _on(self, machine: str) -> MachineSums:
        own = [(row, row.on[machine]) for row in self.rows if machine in row.on]
        found = [(r, r.searched, r.found[machine]) for r in self.rows
                 if r.searched and machine in r.found]  # fmt: skip
        more: dict[str, Any] = {}
        if found:
            more = {
                "searched_error": _mean_error(pair for row, _, pair in found if row.loops),
                "searched_speedup": fmean(p.speedup if r.loops else 1.0 for r, _, p in found),
                "with_search": fmean(s.with_search(p) if r.loops else 1 for r, s, p in found),
            }
        counted = [_counted(row, pair.speedup) for row, pair in own]
        return MachineSums(
            machine=machine,
            error=_mean_error(pair for row, pair in own if row.loops),
            speedup=fmean(counted) if own else 0.0,
            harmonic=harmonic_mean(counted) if own else 0.0,
            engine_speedup=fmean(_counted(r, p.engine_speedup) for r, p in own) if own else 0.0,
            **more,
        )

    @property
    def by_machine(self) -> Mapping[str, MachineSums]:
        """The same by machine."""
        return {one.machine: one for one in self.machines}

    @derived("groups")
    def groups(self) -> tuple[GroupSums, ...]:
        """Workloads with loops and all, the eight hard ones, those put aside and the others."""
        aside = put_aside(row.name for row in self.rows)
        groups: dict[str, Callable[[Workload], bool]] = {
            "with loops": lambda row: row.loops,
            "the eight hard ones": lambda row: row.name in HARD,
        }
        if aside:
            groups["with loops, put aside"] = lambda row: row.loops and row.name in aside
            groups["with loops, the others"] = lambda row: row.loops and row.name not in aside
        return tuple(self._group(words, is_in) for words, is_in in groups.items()
                     if any(map(is_in, self.rows)))  # fmt: skip

    def _group(self, words: str, is_in: Callable[[Workload], bool]) -> GroupSums:
        own = [row for row in self.rows if is_in(row)]
        errors = [abs(pair.error) for row in own for pair in row.pairs]
        # in the paper's mean of all, workloads without loops count as 1
        counted = list(self.rows) if words == "with loops" else own
        return GroupSums(
            group=words,
            workloads=len(own),
            error=fmean(errors) if errors else None,
            worst=max(errors, default=None),
            over=sum(error > LARGE for error in errors),
            speedup=_over_machines(counted, "speedup"),
        )

    @property
    def all(self) -> GroupSums:
        """Workloads with loops; all in speed-ups."""
        return self.groups[0]

    @property
    def hard(self) -> GroupSums | None:
        """The eight that sampling in space does not work for."""
        return next((one for one in self.groups if one.group == "the eight hard ones"), None)

    @derived("harmonic mean of the machines' mean speed-ups of timing alone")
    def engine_speedup(self) -> float:
        """As that of all CPU time."""
        return _over_machines(self.rows, "engine_speedup")

    @derived("largest speed-up")
    def max_speedup(self) -> float:
        """Of workloads with loops."""
        return max(pair.speedup for row in self.rows if row.loops for pair in row.pairs)

    @derived("least speed-up")
    def min_speedup(self) -> float:
        """Of workloads with loops."""
        return min(pair.speedup for row in self.rows if row.loops for pair in row.pairs)

    @derived("workloads whose clones rank the machines as their originals do")
    def ranks_kept(self) -> int:
        """Of all."""
        return sum(not row.swapped for row in self.rows)

    @derived("searched clones: mean absolute error where not searched, %")
    def judged_error(self) -> float | None:
        """On all machines but the one of the search."""
        return _mean_error(row.found[machine] for row in self.rows if row.loops
                           for machine in JUDGED_ON if machine in row.found)  # fmt: skip


def _counted(row: Workload, speedup: float) -> float:
    return speedup if row.loops else 1.0


def _mean_error(pairs: Iterable[Pair]) -> float | None:
    errors = [abs(pair.error) for pair in pairs]
    return fmean(errors) if errors else None


def _over_machines(rows: Sequence[Workload], key: str) -> float:
    """The harmonic mean over Table 3's machines, or those there are, of means over workloads."""
    there = dict.fromkeys(pair.machine for row in rows for pair in row.pairs)
    means = [fmean(_counted(row, getattr(row.on[m], key)) for row in rows if m in row.on)
             for m in [m for m in there if m in MACHINES] or there]  # fmt: skip
    return harmonic_mean(means)


def values(result: ClonesResult) -> dict[str, Any]:
    """What the template says beside tables."""
    from warpmill.benchmarks.clones import simulating  # noqa: PLC0415 - slow to load

    rows = result.rows
    searches = [row.searched for row in rows if row.searched]
    short = [row for row in rows if row.one_iteration is not None and SHORTENED_ON in row.on]
    spaces = [row for row in rows if row.space is not None]
    return {
        "with_loops": sum(row.loops for row in rows),
        "aside": sorted(put_aside(row.name for row in rows)),
        "series_on": SERIES_ON,
        "searched_on": SEARCHED_ON,
        "shortened_on": SHORTENED_ON,
        "space_on": SPACE_ON,
        "read_at": f"{READ_AT:.0%}",
        "most_error": f"{simulating.MOST_ERROR:.0%}",
        "searches": searches,
        "short_mean": fmean(abs(r.one_iteration or 0.0) for r in short) if short else None,
        "clones_mean": _mean_error(row.on[SHORTENED_ON] for row in short),
        "space_means": {
            way: fmean(abs(row.reading(way)) for row in spaces) if spaces else None for way in WAYS
        },
    }


PERCENT, TIMES = "{:+.1f} %", "{:.1f}"
_SHORT = {name: name.removeprefix("minibench_") for name in (*MACHINES, *JUDGED_ON)}


def _likeness(name: str, key: str, own: Mapping[str, Any]) -> str | None:
    one = own[name]
    if one is None or getattr(one, key) is None:
        return None
    return f"{one.error:+.1f} %" if key == "error" else f"{one.original:.3g}"


SECTIONS = (
    Table("Groups", "groups",
          ("group", "workloads", column("error", form="{:.1f} %"), column("worst", form="{:.1f} %"),
           "over", column("speedup", form=TIMES)), left=(0,)),
    Table("Machines", "machines",
          ("machine", column("error", form="{:.1f} %"),
           *(Shown(n, words=lambda v: number(v) if v else None)
             for n in ("speedup", "harmonic", "engine_speedup")),
           column("searched_error", form="{:.1f} %"),
           *(column(n, form=TIMES) for n in ("searched_speedup", "with_search")))),
    Table("Workloads", "rows",
          ("name", "workload", "loops",
           *(column(f"on.{m}.error", f"error, {_SHORT[m]}", PERCENT) for m in MACHINES),
           *(column(f"on.{m}.speedup", f"speed-up, {_SHORT[m]}", TIMES) for m in MACHINES),
           Shown("swapped", "machines ranked otherwise",
                 words=lambda own: own.replace("minibench_", "") or None)),
          left=(0, 1, 11)),
    Table("Alike", "rows",
          ("name", *(one for key, words in LIKENESSES.items() for one in (
              Shown("alike", words, words=partial(_likeness, key, "original")),
              Shown("alike", "error", words=partial(_likeness, key, "error")))))),
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
              *(Shown("shares", f"{way} {part:.0%}",
                      words=partial(lambda key, own: f"{own[key]:.2f}", f"{way} {part}"))
                for part in FRACTIONS[:-1]),
              Shown("shares", "error",
                    words=partial(lambda key, own: PERCENT.format(own[key]), f"{way} error"))))),
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
        Goal("all.error", 4.7, what="mean of the absolute IPC errors, %"),
        Goal("all.over", 2, what="pairs of workload and machine over 10 %"),
        Goal("all.speedup", 49.0, True, "harmonic mean of the machines' mean speed-ups"),
        Goal("max_speedup", 589.0, True),
        Goal("hard.error", 3.3, what="the eight hard ones: mean of the absolute IPC errors, %"),
        Goal("hard.worst", 6.2, what="the eight hard ones: largest absolute IPC error, %"),
        *(Goal(f"by_machine.{m}.speedup", least, True, f"mean speed-up on {m}")
          for m, least in zip(MACHINES, (40.0, 46.0, 52.0, 58.0), strict=True)),
        Goal("min_speedup"),
        Goal("engine_speedup"),
        Goal("ranks_kept"),
        Goal("judged_error"),
    ),
    parts="workloads",
    data=(
        "analyzer/**/*.toml",
        "codegen/templates/**/*.j2",
        "grammars/*.lark",
        "simulator/**/*.toml",
        "samples/workloads/*/*.sm_80.ptx*",
        "samples/workloads/*/*.toml",
        "samples/workloads/*/program.py",
    ),
    put_aside="A third of the workloads, drawn by a seed, from this page on; earlier work has seen "
    "them.",
    values=":values",
    draw="pictures:draw",
)  # fmt: skip
