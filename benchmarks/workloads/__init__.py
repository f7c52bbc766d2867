"""The workloads: whether they are right, what they execute, and how near they are to the papers.

Every workload runs in its sm_80 build at preset `small` and at those of the papers, with its
results checked and its profile taken; GT-Pin's applications as a host would run them. Two of
MiniBench's benchmarks are simulated with inputs of several sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, column, number
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

SMALL, MINIBENCH = "small", "paper-minibench"
GROUPS = ("move", "logic", "control", "computation", "send")
"""GT-Pin's groups of opcodes (Figure 4a)."""
CALLS = ("kernel", "synchronisation", "other")
LANES = {
    "1 lane": (1, 1), "2 to 8 lanes": (2, 8), "9 to 16 lanes": (9, 16), "17 to 31 lanes": (17, 31),
    "32 to 64 lanes": (32, 64),
}  # fmt: skip
"""Lanes that are on, from and to, as the paper has lengths of vectors."""
MACHINE = "minibench_28sm"
FIGURE_13 = (57600, 51200, 6400)
"""Threads that come to kmeans' entry, go on and leave, in MiniBench's Figure 13."""
WORK = (0.5e8, 2e8)
"""Warp instructions that an application of GT-Pin's is to have, from and to."""


class Run(Part):
    """A workload at a preset; shares are None where there is nothing to share.

    ``main`` has launches, CTAs and threads a CTA of the kernel that the papers speak of.
    """

    workload: Annotated[str, Metric("workload")]
    preset: Annotated[str, Metric("preset")]
    area: str
    right: Annotated[bool, Metric("right")]
    launches: Annotated[int, Metric("launches")]
    ctas: Annotated[int, Metric("CTAs")]
    threads: Annotated[int, Metric("threads")]
    warp_instructions: Annotated[int, Metric("warp instructions")]
    thread_instructions: Annotated[int, Metric("thread instructions")]
    static_blocks: Annotated[int, Metric("blocks")]
    branch_share: Annotated[float, Metric("branches", "%")]
    memory_share: Annotated[float, Metric("memory", "%")]
    lane_utilization: Annotated[float, Metric("lanes", "%")]
    memory_divergence: Annotated[float | None, Metric("lines")]
    bank_conflict_share: Annotated[float | None, Metric("conflicts", "%")]
    main: Mapping[str, int]
    name: Annotated[str | None, Metric("in the paper")] = None

    @derived("a thread")
    def per_thread(self) -> float:
        """Instructions that a thread of a launch executes."""
        return self.thread_instructions / self.threads


class Target(Part):
    """A figure of a paper beside a preset's."""

    workload: Annotated[str, Metric("workload")]
    paper: Annotated[str, Metric("paper")]
    figure: Annotated[str, Metric("figure")]
    theirs: Annotated[int, Metric("it says")]
    here: Annotated[int, Metric("here")]
    within: Annotated[bool, Metric("within")]

    @derived("off")
    def off(self) -> float:
        """In percent."""
        return 100 * (self.here / self.theirs - 1)


class Size(Part):
    """Figure 7 of MiniBench: a workload with an input of some size, simulated."""

    workload: Annotated[str, Metric("workload")]
    sizes: Annotated[str, Metric("sizes")]
    threads: Annotated[int, Metric("threads of the largest launch")]
    ipc: Annotated[float, Metric("warp instructions a cycle")]


class Application(Part):
    """GT-Pin's Figures 3 and 4 of an application: shares of calls, of opcodes, of lanes on.

    ``differing`` are the kernels whose launches differ in work.
    """

    application: Annotated[str, Metric("application")]
    target: Annotated[str, Metric("workload")]
    right: Annotated[bool, Metric("right")]
    launches: Annotated[int, Metric("launches")]
    kernels: Annotated[int, Metric("kernels")]
    intervals: Annotated[int, Metric("intervals")]
    calls: Mapping[str, float]
    static_blocks: Annotated[int, Metric("blocks")]
    block_executions: Annotated[int, Metric("block executions")]
    warp_instructions: Annotated[int, Metric("warp instructions")]
    groups: Mapping[str, float]
    lanes: Mapping[str, float]
    bytes_read: Annotated[int, Metric("read", "B")]
    bytes_written: Annotated[int, Metric("written", "B")]
    differing: Annotated[tuple[str, ...], Metric("kernels whose launches differ")]


class WorkloadsResult(Part):
    """All runs; ``figure_13`` is kmeans' entry: threads that come, go on and leave."""

    rows: tuple[Run, ...]
    targets: tuple[Target, ...] = ()
    figure_7: tuple[Size, ...] = ()
    figure_13: tuple[int, ...] | None = None
    applications: tuple[Application, ...] = ()

    @derived("runs that are wrong")
    def wrong(self) -> int:
        """Of which some check of the results did not pass."""
        right = [one.right for one in self.rows] + [one.right for one in self.applications]
        return right.count(False)

    @derived("figures of the papers that a preset misses")
    def missed(self) -> int | None:
        """None where no preset of a paper was run."""
        return sum(not one.within for one in self.targets) if self.targets else None

    @derived("GT-Pin's applications outside of 0.5 to 2 x 10^8 warp instructions")
    def beyond(self) -> int | None:
        """None where none was run."""
        low, high = WORK
        each = [low <= one.warp_instructions <= high for one in self.applications]
        return sum(not within for within in each) if each else None

    @property
    def mean_groups(self) -> Mapping[str, float]:
        """GT-Pin's groups of opcodes over applications, in percent."""
        return {group: 100 * fmean(one.groups[group] for one in self.applications)
                for group in GROUPS if self.applications}  # fmt: skip

    @property
    def most_computation(self) -> float | None:
        """The largest share of computation in an application, in percent."""
        return max((100 * one.groups["computation"] for one in self.applications), default=None)


def values(result: WorkloadsResult) -> dict[str, Any]:
    """What the template says beside tables."""
    graphics = [r.branch_share for r in result.rows if (r.area, r.preset) == ("graphics", SMALL)]
    return {
        "runs": len(result.rows) + len(result.applications),
        "paper_13": FIGURE_13,
        "simulated_on": MACHINE,
        "graphics": [f"{share:.1%}" for share in sorted(graphics)],
        "differ": sum(bool(one.differing) for one in result.applications),
        "fewest": min((one.launches for one in result.applications), default=None),
    }


_SIZES = ("launches", "ctas", "warp_instructions", "thread_instructions")
SECTIONS = (
    Table("Small", "rows",
          ("workload", "right", "launches", "threads", "warp_instructions",
           Shown("per_thread", words=number), "static_blocks", "branch_share", "memory_share",
           "lane_utilization", column("memory_divergence", form="{:.2f}"), "bank_conflict_share"),
          chosen=lambda row: row.preset == SMALL),
    Table("Targets", "targets",
          ("workload", "paper", "figure", "theirs", "here", column("off", form="{:+.1f} %"),
           "within"), left=(0, 1, 2)),
    Table("MiniBench", "rows",
          ("name", "workload", "right", "launches", "threads", Shown("per_thread", words=number),
           "thread_instructions", "static_blocks", "branch_share"), left=(0, 1),
          chosen=lambda row: row.preset == MINIBENCH),
    Table("Figure 7", "figure_7",
          ("workload", "sizes", "threads", column("ipc", form="{:.2f}")), left=(0, 1)),
    Table("Applications", "applications",
          ("application", "target", "right", "launches", "kernels", "intervals",
           "warp_instructions", "bytes_read", "bytes_written",
           Shown("differing", words=lambda own: f"{len(own)}")), left=(0, 1)),
    Table("Calls and opcodes", "applications",
          ("application",
           *(Shown(f"calls.{kind}", kind, words=lambda share: f"{share:.0%}") for kind in CALLS),
           "static_blocks", "block_executions",
           *(Shown(f"groups.{group}", group, words=lambda share: f"{share:.1%}")
             for group in GROUPS))),
    Table("Presets", "rows",
          ("workload", "preset", "right", *_SIZES), left=(0, 1),
          chosen=lambda row: row.preset not in {SMALL, MINIBENCH}),
)  # fmt: skip

BENCHMARK: Benchmark[WorkloadsResult] = Benchmark(
    name="workloads",
    about="Whether all workloads are right, and as large as the papers say.",
    takes="ten minutes",
    result=":WorkloadsResult",
    measure="measuring:measure",
    sections=SECTIONS,
    goals=(
        Goal("wrong", 0),
        Goal("missed", 0),
        Goal("beyond", 0),
        *(Goal(f"mean_groups.{group}", paper=theirs,
               what=f"GT-Pin's applications: {group}, mean, %")
          for group, theirs in (("computation", 36.2), ("control", 7.3), ("send", 5.1))),
        Goal("most_computation", paper=91.0,
             what="GT-Pin's applications: largest share of computation, %"),
    ),
    parts="workloads",
    data=(
        "grammars/*.lark",
        "analyzer/**/*.toml",
        "simulator/machines/*.toml",
        "samples/workloads/*/*.sm_80.ptx*",
        "samples/workloads/*/*.toml",
        "samples/workloads/*/program.py",
    ),
    values=":values",
    draw="pictures:draw",
)  # fmt: skip
