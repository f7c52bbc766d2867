"""How long estimates take over the design spaces of the hybrid paper's Table IV.

The table's 20 kernels, each in a design space of as many configurations as the paper's (306,558 in
all), on the four GPUs that it has, to which configurations go in turn. ``spaces.toml`` has the
spaces; the kernels are those of the workloads, written anew where a local size is fixed there.
Points are kept in the study store, each kernel in the result as soon as it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean, geometric_mean
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, column, mean, number
from warpmill.benchmarks.estimate_table.spaces import GPUS, PAPER_MEANS, TableKernel, table_kernels
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

LONGEST = ("hotspot", "particle_naive")
"""The kernels that make up most of the paper's mean."""


class GpuTimes(Part):
    """How many times are predicted on a GPU, and from where to where they go."""

    estimates: int
    least_us: float | None
    median_us: float | None
    most_us: float | None

    @property
    def words(self) -> str:
        """Least, median and most."""
        return " / ".join(map(number, (self.least_us, self.median_us, self.most_us)))


class KernelEstimates(Part):
    """A kernel's figures; ``trace`` are LLVM instructions of a warp, in the mean.

    ``cannot_run`` are configurations that the GPU cannot hold, ``problems`` others without an
    estimate. ``grows``: of neighbours in the size that a launch grows with, how many do.
    """

    application: Annotated[str, Metric("application")]
    name: Annotated[str, Metric("kernel")]
    configurations: Annotated[int, Metric("configurations")]
    estimates: Annotated[int, Metric("estimates")]
    cannot_run: Annotated[int, Metric("cannot run")]
    problems: Annotated[int, Metric("problems")]
    reasons: Mapping[str, int]
    trace: Annotated[float | None, Metric("trace")]
    kept_trace: Annotated[float | None, Metric("kept")]
    cpu_s: Annotated[float, Metric("CPU time", "s")]
    p95_ms: Annotated[float | None, Metric("p95")]
    most_ms: Annotated[float | None, Metric("most")]
    pairs: Annotated[int, Metric("pairs")]
    grows: Annotated[int, Metric("grow")]
    largest_fall: Annotated[float | None, Metric("largest fall")]
    gpus: Mapping[str, GpuTimes]

    @property
    def table(self) -> TableKernel:
        """The kernel of the table."""
        return table_kernels()[self.name]

    @derived("ms an estimate")
    def ms(self) -> float | None:
        """CPU time of an estimate, with its share of the kernel's analysis."""
        return 1e3 * self.cpu_s / self.estimates if self.estimates else None

    @derived("paper, ms")
    def paper_ms(self) -> float:
        """The paper's."""
        return self.table.paper.ms

    @derived("paper, trace")
    def paper_trace(self) -> int:
        """The paper's, of instructions that its pruning keeps."""
        return self.table.paper.trace

    @derived("grow, of pairs", "%")
    def grow_share(self) -> float | None:
        """None without pairs."""
        return self.grows / self.pairs if self.pairs else None


class EstimateTable(Part):
    """All kernels by name."""

    parts: Mapping[str, KernelEstimates]

    @property
    def rows(self) -> tuple[KernelEstimates, ...]:
        """The kernels, in the table's order."""
        return tuple(self.parts.values())

    @derived("configurations")
    def configurations(self) -> int:
        """Of all kernels."""
        return sum(row.configurations for row in self.rows)

    @derived("estimates")
    def estimates(self) -> int:
        """Of all kernels."""
        return sum(row.estimates for row in self.rows)

    @derived("ms an estimate, mean over kernels")
    def ms(self) -> float | None:
        """As the paper has it."""
        return mean(row.ms for row in self.rows)

    @derived("ms an estimate, mean over estimates")
    def ms_of_all(self) -> float | None:
        """CPU time of all kernels over all estimates."""
        return 1e3 * sum(r.cpu_s for r in self.rows) / self.estimates if self.estimates else None

    @derived("instructions of a trace, mean over kernels")
    def trace(self) -> float | None:
        """LLVM instructions of a warp."""
        return mean(row.trace for row in self.rows)

    @derived("the same, of those that the paper's pruning keeps")
    def kept_trace(self) -> float | None:
        """Those that its figures count."""
        return mean(row.kept_trace for row in self.rows)

    @derived("times as fast as the paper's, geometric mean over kernels", "x")
    def times_faster(self) -> float | None:
        """The paper's time of an estimate by that of here."""
        ratios = [row.paper_ms / row.ms for row in self.rows if row.ms]
        return geometric_mean(ratios) if ratios else None

    @derived("pairs of neighbours that grow", "%")
    def grow_share(self) -> float | None:
        """Over all kernels."""
        pairs = sum(row.pairs for row in self.rows)
        return sum(row.grows for row in self.rows) / pairs if pairs else None

    @property
    def without(self) -> tuple[Without, ...]:
        """Why configurations have no estimate."""
        return tuple(
            Without(name=row.name, number=number, reason=reason)
            for row in self.rows
            for reason, number in row.reasons.items()
        )


class Without(Part):
    """How many configurations of a kernel have no estimate for a reason."""

    name: Annotated[str, Metric("kernel")]
    number: Annotated[int, Metric("configurations")]
    reason: Annotated[str, Metric("why")]


def values(result: EstimateTable) -> dict[str, Any]:
    """What the template says beside tables."""
    every = [kernel.paper.ms for kernel in table_kernels().values()]
    others = [one.paper.ms for name, one in table_kernels().items() if name not in LONGEST]
    return {
        "cannot_run": sum(row.cannot_run for row in result.rows),
        "slower": [row.name for row in result.rows if (row.ms or 0.0) > row.paper_ms],
        "longest": LONGEST,
        "longest_share": 100 * (1 - sum(others) / sum(every)),
        "others_ms": fmean(others),
    }


WHOLE, TENTHS, SHARE = "{:,.0f}", "{:,.1f}", "{:.1f} %"
BENCHMARK: Benchmark[EstimateTable] = Benchmark(
    name="estimate-table",
    about="CPU time of estimates over the design spaces of the hybrid paper's Table IV.",
    takes="9 hours",
    result=":EstimateTable",
    measure="measuring:measure",
    sections=(
        Table("By kernel", "rows",
              ("application", "name", "estimates", column("trace", form=WHOLE),
               column("kept_trace", form=WHOLE), "paper_trace", column("ms", form=TENTHS),
               column("p95_ms", form=TENTHS), column("most_ms", form=TENTHS),
               column("paper_ms", form=TENTHS)), left=(0, 1), once=(0,)),
        Table("Growth", "rows",
              ("name", Shown("table.along", "grows with"), "pairs", "grow_share",
               column("largest_fall", form=SHARE)), left=(0, 1)),
        Table("The design spaces", "rows",
              ("name", Shown("table.words", "sizes that are varied"),
               Shown("table.configurations", "configurations")), left=(0, 1)),
        Table("Predicted times", "rows",
              ("name", *(Shown(f"gpus.{gpu}.words", gpu) for gpu in GPUS))),
        Table("Without an estimate", "without", ("name", "number", "reason"), left=(0, 2)),
    ),
    goals=(
        Goal("configurations", paper=PAPER_MEANS.configurations),
        Goal("estimates", paper=PAPER_MEANS.configurations),
        Goal("ms", paper=PAPER_MEANS.ms),
        Goal("ms_of_all"),
        Goal("times_faster"),
        Goal("trace"),
        Goal("kept_trace", paper=PAPER_MEANS.trace),
    ),
    parts="kernels",
    data=(
        "analyzer/**/*.toml", "grammars/*.lark", "simulator/**/*.toml",
        "benchmarks/estimate_table/*.toml", "benchmarks/estimate_table/launches/*.toml",
        "benchmarks/estimate_table/kernels/*.ll",
    ),
    values=":values",
)  # fmt: skip
