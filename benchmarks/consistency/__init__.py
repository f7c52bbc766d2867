"""Whether what warpmill says of one kernel in several ways agrees, and how long it takes to say it.

Launches are those of the samples, of the workloads (tiny presets) and of what nvcc, clang, Triton
and numba-cuda make of the kernels of ``frontend_inputs``, as far as these are there. Patterns of
accesses stand beside executed traces, loops beside what decides their ends; kernels that grow in
one direction tell how the time of ``analyze`` grows; results are held against the rates of their
machines; the traffic of estimates is held beside a twin that looks at each sector of each warp.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, column, put_aside
from warpmill.benchmarks.checks import SECTIONS, Checked, Right
from warpmill.report.base import Part
from warpmill.report.sections import Comparison, Items, Table

APART = 0.10
"""Traffic that is further off is apart."""
SEED = 1
"""Draws the kernels of waves that are put aside."""
SLOW_MS = 500


class MakerRow(Part):
    """What one maker's kernels have: a compiler, the samples or the workloads.

    ``contiguous`` are accesses that executed traces show contiguous (neighbours along x that are on
    lie next to each other), ``decided`` loops whose trips the launch decides.
    """

    maker: Annotated[str, Metric("maker")]
    contiguous: Annotated[int, Metric("contiguous accesses")]
    irregular: Annotated[int, Metric("called irregular")]
    loops: Annotated[int, Metric("loops")]
    decided: Annotated[int, Metric("the launch decides")]
    unknown: Annotated[int, Metric("of unknown trips")]


class Analysis(Part):
    """One analysis of a kernel."""

    name: Annotated[str, Metric("analysis")]
    ms: Annotated[float, Metric("ms")]


class Sectors(Part):
    """Sectors between SMs and L2, and from and to DRAM."""

    l2: Annotated[float, Metric("L2 sectors")]
    dram: Annotated[float, Metric("DRAM sectors")]

    def off(self, exact: Sectors) -> float:
        """The larger relative difference."""
        pairs = ((self.l2, exact.l2), (self.dram, exact.dram))
        return max(abs(a / b - 1.0) if b else float(a > 0) for a, b in pairs)


class Traffic(Part):
    """A kernel at one size: the traffic of an estimate, the twin and a simulation."""

    kernel: Annotated[str, Metric("kernel")]
    size: Annotated[int, Metric("size")]
    estimate: Sectors
    twin: Sectors
    simulate: Sectors | None

    @derived("apart", "%")
    def apart(self) -> float:
        """How far the estimate is off."""
        return self.estimate.off(self.twin)


class ConsistencyResult(Checked):
    """All of it; empty, and None, of parts that were not asked for.

    ``failures`` are accesses that are called what they are not, and results beyond the rates of
    their machine; ``notes`` what is not as well as it could be, or could not be looked at.
    """

    patterns_right: Annotated[Right | None, Metric("accesses called contiguous, broadcast")] = None
    within_rates: Annotated[Right | None, Metric("results within the rates of machines")] = None
    makers: tuple[MakerRow, ...] = ()
    analyses: tuple[Analysis, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    notes: tuple[str, ...] = ()

    @derived("contiguous accesses that are called irregular, %")
    def contiguous_called_irregular(self) -> float | None:
        """Of those that traces show contiguous."""
        return _percent((row.irregular, row.contiguous) for row in self.makers)

    @derived("unknown trips, of loops that the launch decides, %")
    def unknown_trips(self) -> float | None:
        """Whose end rests on nothing that is read from memory."""
        return _percent((row.unknown, row.decided) for row in self.makers)

    @derived("accesses called contiguous or broadcast that are not")
    def patterns_contradicted(self) -> int | None:
        """By executed traces."""
        return _wrong(self.patterns_right)

    @derived("results that claim more than their machine has")
    def above_machine_rates(self) -> int | None:
        """Estimates and simulations."""
        return _wrong(self.within_rates)

    @derived("analyze, 99th percentile, ms")
    def analyze_ms_p99(self) -> float | None:
        """CPU time, without and with a launch."""
        return percentile([one.ms for one in self.analyses], 99)

    @derived("analyze, median, ms")
    def analyze_ms_median(self) -> float | None:
        """The same."""
        return percentile([one.ms for one in self.analyses], 50)

    @derived("analyze, the longest, ms")
    def analyze_ms_worst(self) -> float | None:
        """The same."""
        return percentile([one.ms for one in self.analyses], 100)

    @derived("launches whose estimated traffic is over 10 % off")
    def traffic_apart(self) -> int | None:
        """None without any."""
        return sum(row.apart > APART for row in self.traffic) if self.traffic else None

    @derived("the same of kernels put aside")
    def traffic_apart_aside(self) -> int | None:
        """None without any."""
        aside = put_aside({row.kernel for row in self.traffic}, SEED)
        rows = [row for row in self.traffic if row.kernel in aside]
        return sum(row.apart > APART for row in rows) if rows else None

    @property
    def slow(self) -> list[Analysis]:
        """Analyses that take long, the longest first."""
        return sorted((one for one in self.analyses if one.ms > SLOW_MS), key=lambda one: -one.ms)


def _percent(pairs: Iterable[tuple[int, int]]) -> float | None:
    some, of = (sum(column) for column in zip((0, 0), *pairs, strict=True))
    return 100 * some / of if of else None


def _wrong(of: Right | None) -> int | None:
    return None if of is None else of[1] - of[0]


def percentile(times: Iterable[float], percent: float) -> float | None:
    """The percentile of some times by nearest rank; None of none."""
    ordered = sorted(times)
    return ordered[math.ceil(percent / 100 * len(ordered)) - 1] if ordered else None


_SECTORS = "{:,.0f}"
BENCHMARK: Benchmark[ConsistencyResult] = Benchmark(
    name="consistency",
    about="Whether what is said of one kernel in several ways agrees, and how long that takes.",
    takes="hours",
    result=":ConsistencyResult",
    measure="measuring:measure",
    parts="words, growth, rates, waves",
    put_aside="Three of the ten kernels whose traffic is estimated, drawn by a seed, are put aside "
    "from now on; earlier work has seen them.",
    sections=(
        *SECTIONS,
        Comparison("Analyses", ("analyze_ms_median", "analyze_ms_p99", "analyze_ms_worst")),
        Table("Makers", "makers",
              ("maker", "contiguous", "irregular", "loops", "decided", "unknown")),
        Table("Slow analyses", "slow", ("name", "ms")),
        Table("Traffic", "traffic",
              ("kernel", "size", *(column(f"{engine}.{level}", f"{engine} {level}", _SECTORS)
                                   for level in ("l2", "dram")
                                   for engine in ("twin", "estimate", "simulate")), "apart"),
              order=lambda row: row.apart),
        Items("Notes", "notes"),
    ),
    goals=(Goal("contiguous_called_irregular", 3.0), Goal("patterns_contradicted", 0.0),
           Goal("unknown_trips", 5.0), Goal("analyze_ms_p99", 500.0),
           Goal("analyze_ms_worst", 3000.0), Goal("above_machine_rates", 0.0),
           Goal("traffic_apart", 0.0), Goal("traffic_apart_aside", 0.0)),
)  # fmt: skip
