"""TBPoint on the paper's twelve workloads: errors and sample sizes beside a full simulation.

Of each workload of the paper's Table VI the kernel that executes most is simulated whole and
sampled, on the paper's machine and on three with other system occupancies (IPDPS 2014, §V). Errors
are those of the IPC over all launches, in percent; samples are the warp instructions simulated, in
percent of all. Rows are kept in the study store, so that an interrupted run goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, geometric_mean, median
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import OF_WORKLOADS, Benchmark, Goal, column
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

PRESET, MACHINE = "paper-tbpoint", "tbpoint_fermi"
SEEDS = 20
"""Draws that Random's error is the mean of: one alone is a matter of luck."""
BASE = "W48 S14"
"""The paper's own machine (Table V): warps an SM, SMs."""
OTHERS = {
    "W32 S14": {"sm.max_threads": 1024},
    "W48 S7": {"sm.count": 7},
    "W32 S7": {"sm.max_threads": 1024, "sm.count": 7},
}
"""Those with other system occupancies. A CTA of sssp and mst has 32 warps, so no SM has fewer."""
Sums = Mapping[str, Any]
"""A row of a table of sums, by the words of its columns."""
METHODS = {
    "gtpin": "GT-Pin (BB x sync)",
    "gtpin inside": "GT-Pin, CTAs skipped",
    "stratified": "stratified",
    "systematic": "systematic",
}
LEAST_ERROR = 0.01
"""Percent: errors below count as this in geometric means, as one of 0 would make the mean 0."""
LARGE_SAMPLE = 60.0
"""Percent: samples above are large."""
TELLING = 0.05
"""A share that is less is no reason for a large sample."""


class Sampled(Part):
    """A sample beside the whole; ``held``: whether the interval of 95 % holds the true cycles."""

    error: Annotated[float, Metric("error")]
    sample: Annotated[float, Metric("sample")]
    held: Annotated[bool | None, Metric("held")] = None
    half_width: Annotated[float | None, Metric("half-width")] = None
    cpu_s: Annotated[float | None, Metric("CPU time", "s")] = None


class CtaSizes(Part):
    """How unlike CTAs and launches of a kernel are; sizes are over their mean.

    Shares are of CTAs, but ``alone_share`` is of warp instructions: those of launches that no other
    is like. ``outside`` lie in epochs with outliers, ``brief`` in regions that are over before so
    many rounds of CTAs as must be alike. ``points`` has the number of a CTA and its size,
    ``starts`` the numbers that launches begin with.
    """

    resident: tuple[int, ...]
    rounds: Annotated[float, Metric("rounds of a launch")]
    outside: Annotated[float, Metric("CTAs outside of regions", "%")]
    brief: Annotated[float, Metric("in brief regions", "%")]
    alone: Annotated[int, Metric("launches like no other")]
    alone_share: Annotated[float, Metric("their instructions", "%")]
    least: Annotated[float, Metric("smallest")]
    largest: Annotated[float, Metric("largest")]
    variation: Annotated[float, Metric("variation")]
    starts: tuple[int, ...]
    points: tuple[tuple[float, ...], ...]


class Kernel(Sampled):
    """A workload's kernel; ``elsewhere`` has its samples by machine, ``methods`` by method."""

    workload: Annotated[str, Metric("workload")]
    type: Annotated[str, Metric("type")]
    launches: Annotated[int, Metric("launches")]
    ctas: Annotated[int, Metric("CTAs")]
    ipc: Annotated[float, Metric("IPC")]
    sampled_ipc: Annotated[float, Metric("by TBPoint")]
    skipped_inter: Annotated[float, Metric("left out between launches")]
    skipped_intra: Annotated[float, Metric("inside of them")]
    clusters: Annotated[int, Metric("clusters of launches")]
    regions_passed: Annotated[int, Metric("regions skipped")]
    whole_s: Annotated[float, Metric("whole", "s")]
    profile_s: Annotated[float, Metric("profile", "s")]
    choice_s: Annotated[float, Metric("choice", "s")]
    by_paper: Sampled
    units: Annotated[int, Metric("units")]
    simpoint: Sampled
    random: Sampled
    sizes: CtaSizes
    methods: Mapping[str, Sampled]
    elsewhere: Mapping[str, Sampled]

    @derived("saved", "s")
    def saved_s(self) -> float:
        """CPU seconds that the sample saves, profile and choice aside."""
        return self.whole_s - (self.cpu_s or 0.0)

    @derived("profile and choice, of what is saved", "%")
    def cost(self) -> float | None:
        """CPU time of profile and choice over what is saved; None where nothing is."""
        return (self.profile_s + self.choice_s) / self.saved_s if self.saved_s > 0 else None

    @property
    def parts(self) -> tuple[float, float] | None:
        """What was left out between and inside of launches, in percent of it; None: nothing."""
        both = self.skipped_inter + self.skipped_intra
        return None if both <= 0 else (_of(self.skipped_inter, both), _of(self.skipped_intra, both))

    @derived("why")
    def reasons(self) -> str:
        """What figures tell of why a sample is as large as it is."""
        from warpmill.simulator.sampling.region_runs import STABLE  # noqa: PLC0415 - slow

        own, found = self.sizes, []
        if self.launches == 1:
            found.append("there is one launch")
        elif own.alone_share >= TELLING:
            found.append(
                f"{own.alone} of {self.launches} launches, which have {own.alone_share:.1%} of the "
                "instructions, are like no other"
            )
        if own.outside >= TELLING:
            found.append(f"{own.outside:.1%} of the CTAs lie in epochs with outliers")
        if own.brief >= TELLING:
            found.append(f"{own.brief:.1%} of the CTAs lie in regions of less than "
                         f"{STABLE.units} rounds")  # fmt: skip
        chosen = 100 - self.skipped_inter
        found.append(f"of the launches that were chosen {self.sample / chosen:.1%} is simulated")
        return "; ".join(found)


def _of(part: float, whole: float) -> float:
    return 100 * part / whole


class Interleaving(Part):
    """How IPC varies as warps interleave (Figure 5): a setting of Lemma 4.1, modelled.

    ``near`` is the share of random samples within 10 % of the mean; ``relative`` has the IPC over
    its mean at the percentiles of ``simulator.sampling.interleaving``.
    """

    setting: Annotated[str, Metric("setting")]
    warps: Annotated[int, Metric("warps")]
    stall_probability: Annotated[float, Metric("stall probability")]
    stall_cycles: Annotated[float, Metric("mean stall", "cycle")]
    samples: Annotated[int, Metric("samples")]
    near: Annotated[float, Metric("within 10 %", "%")]
    relative: tuple[float, ...]


class TbpointResult(Part):
    """All kernels, and Lemma 4.1."""

    rows: tuple[Kernel, ...]
    interleavings: tuple[Interleaving, ...]

    @derived("methods")
    def sums(self) -> tuple[Sums, ...]:
        """The methods of the paper, its own rule, and what else `warpmill sample` has."""
        return (
            self._summed("TBPoint", self.rows),
            self._summed("TBPoint by the paper's rule", [row.by_paper for row in self.rows]),
            self._summed("Ideal-SimPoint", [row.simpoint for row in self.rows]),
            self._summed("Random", [row.random for row in self.rows]),
            *(
                self._summed(words, [row.methods[name] for row in self.rows])
                for name, words in METHODS.items()
            ),
        )

    def _summed(self, method: str, found: Sequence[Sampled]) -> Sums:
        errors = [max(LEAST_ERROR, abs(one.error)) for one in found]
        seconds = [one.cpu_s for one in found if one.cpu_s is not None]
        whole = sum(row.whole_s for row in self.rows)
        return {
            "method": method,
            "geometric mean of errors": geometric_mean(errors),
            "mean": fmean(errors),
            "largest": max(errors),
            "geometric mean of samples": geometric_mean(one.sample for one in found),
            "speed-up (CPU time)": whole / sum(seconds) if len(seconds) == len(found) else None,
        }

    @property
    def by_method(self) -> Mapping[str, Sums]:
        """The methods' sums by name."""
        return {one["method"]: one for one in self.sums}

    @derived("largest error with other warps and SMs, %")
    def worst_sensitivity(self) -> float | None:
        """The largest on the other machines; None where they were not measured."""
        return max((abs(e.error) for r in self.rows for e in r.elsewhere.values()), default=None)

    @derived("interleavings within 10 % of the mean IPC, least of all settings, %")
    def least_near(self) -> float | None:
        """Lemma 4.1; None where nothing was drawn."""
        return min((100 * one.near for one in self.interleavings), default=None)

    @derived("kernels of type I: mean sample over Ideal-SimPoint's, %")
    def irregular_share(self) -> float | None:
        """None without a kernel of type I."""
        kernels = [row for row in self.rows if row.type == "I"]
        theirs = sum(row.simpoint.sample for row in kernels)
        return _of(sum(row.sample for row in kernels), theirs) if theirs else None

    @derived("sample of mst, %")
    def mst_sample(self) -> float | None:
        """None where mst was not measured."""
        return next((row.sample for row in self.rows if row.workload == "mst"), None)

    @derived("interleaving")
    def interleaving(self) -> tuple[Sums, ...]:
        """Settings by number of warps, then all: least share near the mean, range of the IPC."""
        by_warps: dict[str, list[Interleaving]] = {}
        for one in self.interleavings:
            by_warps.setdefault(f"{one.warps}", []).append(one)
        every = {**by_warps, "all": list(self.interleavings)} if by_warps else {}
        return tuple(
            {
                "warps": warps,
                "settings": len(own),
                "least share within 10 %": min(one.near for one in own),
                "lowest IPC over the mean": min(one.relative[0] for one in own),
                "highest": max(one.relative[-1] for one in own),
            }
            for warps, own in every.items()
        )


def values(result: TbpointResult) -> dict[str, Any]:
    """What the template says beside tables."""
    from warpmill.benchmarks.tbpoint import measuring  # noqa: PLC0415 - slow to load
    from warpmill.simulator.sampling.clustering import MOST_CLUSTERS  # noqa: PLC0415
    from warpmill.simulator.sampling.region_runs import STABLE  # noqa: PLC0415

    rows = result.rows
    known = [row for row in rows if row.held is not None]
    return {
        "most_points": measuring.MOST_POINTS,
        "watched": STABLE.units,
        "few": [row.workload for row in rows if row.units <= MOST_CLUSTERS],
        "held": sum(bool(row.held) for row in known),
        "with_interval": len(known),
        "half": median([row.half_width or 0.0 for row in known]) if known else None,
        "median_error": median([abs(row.error) for row in known]) if known else None,
        "others": "".join(
            f"; `{title}` is `{' '.join(f'--set {k}={v}' for k, v in own.items())}`"
            for title, own in OTHERS.items()
        ),
        "spent": sum(row.profile_s + row.choice_s for row in rows),
        "saved": sum(row.saved_s for row in rows),
        "speedup": result.sums[0]["speed-up (CPU time)"],
    }


SIGNED, ERROR, SHARE = "{:+.2f} %", "{:.2f} %", "{:.1f} %"
_SAMPLED = (column("error", form=SIGNED), column("sample", form=SHARE))

SECTIONS = (
    Table("Methods", "sums",
          ("method", *(column(name, form=ERROR) for name in (
              "geometric mean of errors", "mean", "largest", "geometric mean of samples")),
           column("speed-up (CPU time)", form="{:.1f}x"))),
    Table("Every kernel", "rows",
                ("workload", "type", "launches", "ctas", column("ipc", form="{:.3f}"),
           column("sampled_ipc", form="{:.3f}"), column("error", form=SIGNED),
           column("half_width", form=ERROR), "held", column("sample", form=SHARE), "units",
           column("simpoint.error", "Ideal-SimPoint", SIGNED),
           column("simpoint.sample", form=SHARE),
           column("random.error", "Random", ERROR), column("random.sample", form=SHARE)),
          left=(0, 1)),
    Table("The paper's rule", "rows",
          ("workload", *_SAMPLED, column("by_paper.error", "by the paper's rule", SIGNED),
           column("by_paper.sample", form=SHARE))),
    Table("Large samples", "rows", ("workload", column("sample", form=SHARE), "reasons"),
          left=(0, 2), wrap=(2,), chosen=lambda row: row.sample > LARGE_SAMPLE,
          order=lambda row: row.sample),
    Table("What is left out", "rows",
          ("workload", "clusters", column("skipped_inter", form=SHARE),
           column("skipped_intra", form=SHARE), "regions_passed",
           Shown("", "between, of both", words=lambda row: _part(row, 0)),
           Shown("", "inside, of both", words=lambda row: _part(row, 1)))),
    Table("Kinds of kernels", "rows",
          ("workload", "type", "ctas", column("sizes.least", form="{:.2f}"),
           column("sizes.largest", form="{:.2f}"), column("sizes.variation", form="{:.3f}"),
           Shown("sizes.resident", "resident CTAs", lambda own: " or ".join(map(str, own))),
           "sizes.rounds", "sizes.outside", "sizes.brief", "sizes.alone", "sizes.alone_share"),
          left=(0, 1)),
    Table("Other warps and SMs", "rows",
          ("workload", column("error", BASE, SIGNED), column("sample", form=SHARE),
           *(one for title in OTHERS for one in (
               column(f"elsewhere.{title}.error", title, SIGNED),
               column(f"elsewhere.{title}.sample", "sample", SHARE)))),
          when=lambda result: any(row.elsewhere for row in result.rows)),
    Table("Other methods", "rows",
          ("workload", column("error", "TBPoint", SIGNED), column("sample", form=SHARE),
           *(one for name, words in METHODS.items() for one in (
               column(f"methods.{name}.error", words, SIGNED),
               column(f"methods.{name}.sample", "sample", SHARE))))),
    Table("Interleaving", "interleaving",
          ("warps", "settings", column("least share within 10 %", form="{:.3%}"),
           column("lowest IPC over the mean", form="{:.3f}"), column("highest", form="{:.3f}"))),
    Table("Costs", "rows",
          ("workload", "profile_s", column("choice_s", form="{:.3f}"), "whole_s",
           Shown("cpu_s", "sample (s)"), "saved_s", "cost")),
)  # fmt: skip


def _part(row: Kernel, number: int) -> str | None:
    return None if row.parts is None else SHARE.format(row.parts[number])


FIGURES = {
    "geometric mean of errors": "geometric mean of errors, %",
    "geometric mean of samples": "geometric mean of samples, %",
    "largest": "largest error, %",
}
"""Figures of a method that the paper states, with the words of goals."""
BENCHMARK: Benchmark[TbpointResult] = Benchmark(
    name="tbpoint",
    about="TBPoint's errors and sample sizes on the paper's workloads, beside full simulations.",
    takes="hours",
    result=":TbpointResult",
    measure="measuring:measure",
    sections=SECTIONS,
    goals=(
        *(Goal(f"by_method.TBPoint.{key}", bar, what=what) for (key, what), bar in zip(
            FIGURES.items(), (0.47, 2.6, 5.0), strict=True)),
        Goal("worst_sensitivity", 14.0),
        Goal("least_near", 95.0, at_least=True),
        *(Goal(f"by_method.{method}.{key}", paper=theirs, what=f"{method}: {what}")
          for method, papers in (("Ideal-SimPoint", (1.74, 5.4, 8.5)), ("Random", (7.95, 10.0)))
          for (key, what), theirs in zip(FIGURES.items(), papers, strict=False)),
        Goal("mst_sample", paper=55.0),
        Goal("irregular_share", paper=50.5),
    ),
    parts="workloads",
    data=OF_WORKLOADS,
    values=":values",
    draw="pictures:draw",
)  # fmt: skip
