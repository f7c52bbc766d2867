"""GT-Pin's subset selection on 25 applications: errors, speed-ups, other inputs and machines.

Each application is profiled once and simulated whole on one machine; its thirty selections (three
divisions into intervals, ten features) are judged by the cycles of its launches (IISWC 2015, §V).
Errors are those of the time of an instruction, in percent (Equation 1); speed-ups are all warp
instructions over those that are selected. Rows are kept in the study store, so that an interrupted
run goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean, geometric_mean, median
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
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

WAYS = {
    "least_error": "the least error of each",
    "threshold10": "under 10 %",
    "universal": "the best one for all",
}
TRIALS, CLOCK, OTHER = "other data", "clocks", "other machines"
KINDS = (TRIALS, CLOCK, OTHER)
SEED = 7
"""Of the other trial: the same sizes, other data. Presets have seeds of 1 and 2."""
MACHINE = "quadro_k600"
"""Where selections are made: 336 Gflop/s and 29 GB/s, beside the paper's 333 and 26."""
CLOCKS, PAPER_MHZ = (1000, 850, 700, 550, 350), 1150
"""MHz of the paper, whose GPU has 1150 at most: clocks here are the same parts of the machine's."""
MACHINES = ("v100", "a100")
RUNS = (f"seed {SEED}", *(f"{mhz} MHz" for mhz in CLOCKS), *MACHINES)
"""The runs that selections are judged in."""
NEAR = 3.0
"""Percent: most of the paper's error rates are below."""
NEARLY = f"under {NEAR:g} %"
MEMORY = frozenset({"KN-RW", "BB-R", "BB-W", "BB-R-W", "BB-(R+W)"})
"""Features whose keys have bytes."""
ALL = "all thirty combinations"
Sums = Mapping[str, Any]
"""A row of a table of sums, by the words of its columns."""
Projected = Sequence[Any]
"""A projection's error, half of its interval, and whether that holds the truth."""


class Combination(Part):
    """A division and a feature tried for an application; ``share`` of the warp instructions."""

    division: str
    feature: str
    error: Annotated[float, Metric("error")]
    share: Annotated[float, Metric("share", "%")]

    @derived("combination")
    def name(self) -> str:
        """The division and the feature."""
        return f"{self.division} x {self.feature}"

    @property
    def sample_share(self) -> float:
        """The share, as the sampler's rules call it."""
        return self.share

    @derived("speed-up")
    def speedup(self) -> float:
        """All warp instructions over those that are selected."""
        return 1 / self.share


class Judged(Part):
    """A selection in another run: its error, or why it is unknown."""

    kind: str
    run: str
    error: float | None = None
    why: str | None = None


class Choice(Combination):
    """What a way chooses; ``held``: whether the interval of 95 % holds the true cycles."""

    clusters: Annotated[int, Metric("clusters")]
    projected_error: float
    half_width: float | None
    held: bool | None
    judged: tuple[Judged, ...]

    def in_run(self, run: str) -> str | None:
        """Its error in a run, for people."""
        one = next((one for one in self.judged if one.run == run), None)
        if one is None:
            return None
        return "unknown" if one.error is None else f"{one.error:.2f} %"


class Estimates(Part):
    """What is chosen by estimated times; ``off`` is the whole beside the simulation, in percent.

    Errors are by simulated times.
    """

    off: Annotated[float, Metric("whole off by")]
    estimated: Annotated[int, Metric("estimated")]
    cpu_s: Annotated[float, Metric("CPU time", "s")]
    least_error: Combination
    threshold10: Combination


class Application(Part):
    """An application, what each way chooses of it, and CPU seconds.

    ``one_s`` is choosing by one combination, ``all_s`` by all thirty.
    """

    application: Annotated[str, Metric("application")]
    target: Annotated[str, Metric("workload")]
    launches: Annotated[int, Metric("launches")]
    combinations: tuple[Combination, ...]
    least_error: Choice
    threshold10: Choice
    universal: Choice
    estimate: Estimates | None
    simulation_s: float
    profile_s: float
    one_s: float
    all_s: float


class Intervals(Part):
    """Intervals of 95 %: how many hold the true value; medians of half-widths and errors."""

    what: Annotated[str, Metric("what is chosen")]
    projections: Annotated[int, Metric("projections")]
    known: Annotated[int, Metric("with an interval")]
    held: Annotated[int, Metric("true cycles inside")]
    half_width: Annotated[float | None, Metric("median half-width")]
    error: Annotated[float | None, Metric("median error")]

    @derived("share")
    def held_share(self) -> float | None:
        """Of the known ones, in percent."""
        return 100 * self.held / self.known if self.known else None

    @derived("half-width over error")
    def width_over_error(self) -> float | None:
        """None where either is unknown."""
        return self.half_width / self.error if self.half_width and self.error else None


class Many(Part):
    """CPU seconds of clustering many launches by the slowest feature, a launch an interval."""

    slowest_s: float


class NotStudied(Part):
    """What nothing is known of, and why."""

    application: Annotated[str, Metric("application")]
    run: Annotated[str, Metric("run")]
    why: Annotated[str, Metric("why")]


class GtpinResult(Part):
    """Applications; ``every_interval`` is of all combinations, which no truth has chosen."""

    rows: tuple[Application, ...]
    missing: tuple[NotStudied, ...] = ()
    every_interval: Intervals
    many: Many | None = None

    @property
    def by_way(self) -> Mapping[str, Sums]:
        """What each way chooses."""
        return {w: summed(words, [getattr(r, w) for r in self.rows]) for w, words in WAYS.items()}

    @derived("ways")
    def ways(self) -> tuple[Sums, ...]:
        """The same, then with some applications put aside."""
        return (*self.by_way.values(), *self.aside)

    @property
    def put_aside(self) -> frozenset[str]:
        """The applications that are put aside."""
        return put_aside(row.application for row in self.rows)

    @property
    def aside(self) -> tuple[Sums, ...]:
        """Applications that are put aside beside the others, for which one combination is chosen.

        Nothing of one or two applications.
        """
        from warpmill.simulator.sampling.gtpin import best_universal  # noqa: PLC0415 - slow

        if not self.put_aside:
            return ()
        groups = {words: [row for row in self.rows if (row.application in self.put_aside) is is_in]
                  for words, is_in in (("put aside", True), ("the others", False))}  # fmt: skip
        others: Any = {row.application: row.combinations for row in groups["the others"]}
        best, found = best_universal(others), []
        for words, own in groups.items():
            for way in ("least_error", "threshold10"):
                chosen = [getattr(row, way) for row in own]
                found.append(summed(f"{WAYS[way]}: {words}", chosen))
            same = [c for row in own for c in row.combinations
                    if (c.division, c.feature) == (best.division, best.feature)]  # fmt: skip
            found.append(summed(f"{same[0].name}, best for the others: {words}", same))
        return tuple(found)

    @derived("thresholds")
    def thresholds(self) -> tuple[Sums, ...]:
        """Figure 7: what is chosen under each threshold, else the least error."""
        from warpmill.simulator.sampling.gtpin import THRESHOLDS, under_threshold  # noqa: PLC0415

        every: list[Any] = [row.combinations for row in self.rows]
        found = [summed("least error", [row.least_error for row in self.rows])]
        for most in THRESHOLDS:
            chosen: list[Any] = [under_threshold(own, most) for own in every]
            within = sum(one.error <= most for one in chosen)
            found.append({**summed(f"{most:g} %", chosen), "within": within})
        return tuple(found)

    @derived("universals")
    def universals(self) -> tuple[Sums, ...]:
        """Each combination used for all applications, the best first."""
        columns = list(zip(*(row.combinations for row in self.rows), strict=True))
        columns.sort(key=lambda own: (fmean(c.error for c in own), fmean(c.share for c in own)))
        return tuple(summed(own[0].name, own) for own in columns)

    @derived("validation")
    def validation(self) -> tuple[Sums, ...]:
        """Each way's choices in runs of each kind (Figure 8)."""
        return tuple(self._in_runs(way, kind) for way in WAYS for kind in KINDS)

    def _in_runs(self, way: str, kind: str) -> Sums:
        pairs = [(row.application, one) for row in self.rows
                 for one in getattr(row, way).judged if one.kind == kind]  # fmt: skip
        known = [(one.error, name, one.run) for name, one in pairs if one.error is not None]
        errors = [error for error, *_ in known]
        worst, *where = max(known, default=(None,))
        return {
            "what is chosen": WAYS[way],
            "judged with": kind,
            "pairs": len(pairs),
            "known": len(known),
            NEARLY: 100 * sum(e < NEAR for e in errors) / len(known) if known else None,
            "error": mean(errors),
            "median": median(errors) if errors else None,
            "worst": worst,
            "where": ", ".join(where) or None,
        }

    @property
    def on_machines(self) -> Sums:
        """Least errors on other machines."""
        return self._in_runs("least_error", OTHER)

    @derived("unknown")
    def unknown(self) -> tuple[NotStudied, ...]:
        """Applications and runs that nothing is known of; these are the same of all ways."""
        judged = [(row.application, one) for row in self.rows for one in row.least_error.judged]
        return (*self.missing, *(NotStudied(application=name, run=one.run, why=one.why)
                                 for name, one in judged if one.why is not None))  # fmt: skip

    @derived("intervals")
    def intervals(self) -> tuple[Intervals, ...]:
        """Of all combinations, and of each way's choices."""
        return (self.every_interval, *(
            intervals_of(words, [(one.projected_error, one.half_width, one.held)
                                 for one in (getattr(row, way) for row in self.rows)])
            for way, words in WAYS.items()))  # fmt: skip

    @property
    def saved_s(self) -> float:
        """CPU seconds that the least errors save: they go with the instructions left out."""
        return sum(row.simulation_s * (1 - row.least_error.share) for row in self.rows)

    @property
    def costs(self) -> Mapping[str, float]:
        """CPU time of choosing by one combination, by all, of the profile: percent of the saved."""
        names = ("one_s", "all_s", "profile_s")
        return {n: 100 * sum(getattr(r, n) for r in self.rows) / self.saved_s for n in names}


def summed(what: str, chosen: Sequence[Combination]) -> Sums:
    """Sum up what was chosen of applications; "one over the mean share" is how 1.9 % is 53x."""
    errors, speedups = [one.error for one in chosen], [one.speedup for one in chosen]
    return {
        "what is chosen": what,
        "applications": len(chosen),
        "error": fmean(errors),
        "median": median(errors),
        "worst": max(errors),
        "speed-up": fmean(speedups),
        "geometric mean": geometric_mean(speedups),
        "least": min(speedups),
        "largest": max(speedups),
        "one over the mean share": 1 / fmean(one.share for one in chosen),
    }


def intervals_of(what: str, projections: Sequence[Projected]) -> Intervals:
    """Sum up projections."""
    known = [(half, held) for _, half, held in projections if half is not None]
    return Intervals(
        what=what,
        projections=len(projections),
        known=len(known),
        held=sum(bool(held) for _, held in known),
        half_width=median(half for half, _ in known) if known else None,
        error=median(error for error, *_ in projections) if projections else None,
    )


def values(result: GtpinResult) -> dict[str, Any]:
    """What the template says beside tables."""
    from warpmill.benchmarks.gtpin.pictures import samples  # noqa: PLC0415 - slow to load
    from warpmill.simulator.sampling.clustering import MOST_CLUSTERS  # noqa: PLC0415

    rows = result.rows
    estimates = [row.estimate for row in rows if row.estimate is not None]
    return {
        "most_clusters": MOST_CLUSTERS,
        "far": [(row.application, row.least_error) for row in rows if row.least_error.error > NEAR],
        "kinds": {way: _kinds([getattr(row, way) for row in rows]) for way in WAYS},
        "samples": ", ".join(row.application for row in samples(rows)),
        "estimates": estimates,
        "off": median(abs(one.off) for one in estimates) if estimates else None,
        "chosen": [summed(WAYS[way], [getattr(one, way) for one in estimates])
                   for way in ("least_error", "threshold10")] if estimates else [],
        "simulation_s": sum(row.simulation_s for row in rows),
    }  # fmt: skip


def _kinds(chosen: Sequence[Choice]) -> dict[str, Any]:
    """Count divisions and kinds of features among what was chosen (§V-C)."""
    divisions = [one.division for one in chosen]
    return {
        "divisions": ", ".join(
            f"{word} {divisions.count(word)}" for word in ("sync", "instructions", "kernel")
        ),
        "kernel": sum(one.feature.startswith("KN") for one in chosen),
        "memory": sum(one.feature in MEMORY for one in chosen),
    }


ERROR = "{:.2f} %"
_CHOSEN = (
    *(column(name, form=ERROR) for name in ("error", "median", "worst")),
    *(Shown(name, words=number) for name in (
        "speed-up", "geometric mean", "least", "largest", "one over the mean share")),
)  # fmt: skip


def _choice(path: str, label: str = "") -> tuple[Shown, ...]:
    head = (Shown(f"{path}.name", label),) if label else ()
    return (*head, column(f"{path}.error", "error", ERROR),
            Shown(f"{path}.speedup", "speed-up", words=number))  # fmt: skip


SECTIONS = (
    Table("Ways", "ways", ("what is chosen", "applications", *_CHOSEN), left=(0,), top=20),
    Table("Applications", "rows",
          ("application", "target", "launches", *_choice("least_error", WAYS["least_error"]),
           *_choice("threshold10", WAYS["threshold10"]),
           column("universal.error", WAYS["universal"], ERROR),
           Shown("universal.speedup", "speed-up", words=number)), left=(0, 1, 3, 6)),
    Table("Thresholds", "thresholds",
          (Shown("what is chosen", "threshold"), "within", *_CHOSEN)),
    Table("Combinations", "universals", (Shown("what is chosen", "combination"), *_CHOSEN)),
    Table("Runs", "validation",
          ("what is chosen", "judged with", "pairs", "known", column(NEARLY, form="{:.0f} %"),
           *(column(name, form=ERROR) for name in ("error", "median", "worst")), "where"),
          left=(0, 1, 8), once=(0,)),
    Table("Errors in runs", "rows",
          ("application", column("least_error.error", "own run", ERROR),
           *(Shown("least_error", run, words=partial(lambda run, one: one.in_run(run), run))
             for run in RUNS))),
    Table("Unknown", "unknown", ("application", "run", "why"), left=(0, 1, 2)),
    Table("Intervals", "intervals",
          ("what", "projections", "known", "held", column("held_share", form="{:.0f} %"),
           column("half_width", form=ERROR), column("error", form=ERROR))),
    Table("Estimates", "rows",
          ("application", "launches", "estimate.estimated", column("estimate.cpu_s", form="{:.1f}"),
           column("estimate.off", form="{:+.0f} %"),
           *_choice("estimate.least_error", "least error by them"),
           *_choice("estimate.threshold10", "under 10 % by them")),
          left=(0, 5, 8)),
)  # fmt: skip

BENCHMARK: Benchmark[GtpinResult] = Benchmark(
    name="gtpin",
    about="GT-Pin's subsets of 25 applications: errors, speed-ups, other inputs and machines.",
    takes="hours",
    result=":GtpinResult",
    measure="measuring:measure",
    sections=SECTIONS,
    goals=(
        Goal("by_way.least_error.error", 0.3, what="least errors: mean, %"),
        Goal("by_way.least_error.speed-up", 35.0, True, "least errors: mean speed-up"),
        Goal("by_way.least_error.geometric mean", 15.0, True,
             "least errors: geometric mean of speed-ups"),
        Goal("by_way.threshold10.error", 3.0, what="under 10 %: mean error, %"),
        Goal("by_way.threshold10.speed-up", 223.0, True, "under 10 %: mean speed-up"),
        Goal("by_way.threshold10.geometric mean", 60.0, True,
             "under 10 %: geometric mean of speed-ups"),
        Goal(f"on_machines.{NEARLY}", 90.0, True, "pairs under 3 % on other machines, %"),
        Goal("every_interval.held_share", 90.0, True,
             "intervals that hold the true value, of all thirty combinations, %"),
        Goal("every_interval.half_width", 5.0, what="their median half-width, %"),
        Goal("every_interval.width_over_error", 3.0, what="the same over the median error"),
        Goal("costs.all_s", 5.0,
             what="CPU time of choosing, all thirty, over what is saved, %"),
        Goal("many.slowest_s", 10.0,
             what="CPU s of clustering ten thousand launches, the slowest feature"),
        Goal("by_way.least_error.worst", paper=2.1, what="least errors: largest, %"),
        Goal("by_way.least_error.least", paper=6.0, what="least errors: smallest speed-up"),
        Goal("by_way.least_error.largest", paper=6509.0, what="least errors: largest speed-up"),
        Goal("by_way.universal.error", paper=1.5, what="best one for all: mean error, %"),
        Goal("by_way.universal.worst", paper=8.8, what="best one for all: worst error, %"),
        Goal("by_way.universal.one over the mean share", paper=53.0,
             what="best one for all: one over the mean share"),
        Goal("on_machines.worst", paper=11.0, what="largest error on other machines, %"),
    ),
    parts="applications",
    data=OF_WORKLOADS,
    put_aside="A third of the applications, drawn by a seed, from this page on; earlier work has "
    "seen them. The one combination beside them is the best one of the others.",
    values=":values",
    draw="pictures:draw",
)  # fmt: skip
