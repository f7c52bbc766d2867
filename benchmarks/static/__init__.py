"""How fast, how small and how right static analysis and static traces are.

On the samples at the sizes of their launch files, in CPU time; triangular loops, whose count
depends on an outer loop's, beside totals that were derived by hand (samples/*/loops.toml); live
registers and modelled spills beside ptxas, for the samples and the inputs of the front-end
benchmark.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks import checks
from warpmill.benchmarks.benchmark import Benchmark, Goal, column
from warpmill.benchmarks.checks import Checked, Right
from warpmill.report.base import Part
from warpmill.report.sections import Comparison, Items, Table

REGISTER_GOAL = 0.15


class AnalysedKernel(Part):
    """Milliseconds for all analyses of one kernel, parsing not counted."""

    file: Annotated[str, Metric("file")]
    kernel: Annotated[str, Metric("kernel")]
    instructions: Annotated[int, Metric("instructions")]
    milliseconds: Annotated[float, Metric("ms")]
    with_launch_milliseconds: Annotated[float, Metric("with a launch, ms")]


class TracedLaunch(Part):
    """The static traces of the CTAs that make up 100,000 threads, or of all where there are fewer.

    ``seconds`` are from the analysed kernel to the last trace, ``events`` executions of blocks by
    warps; ``unfolded_per_s``: events unfolded one by one a second, as the reference.
    """

    file: Annotated[str, Metric("file")]
    kernel: Annotated[str, Metric("kernel")]
    threads: Annotated[int, Metric("threads")]
    events: Annotated[int, Metric("events")]
    trees: Annotated[int, Metric("trees")]
    warp_instructions: Annotated[int, Metric("warp instructions")]
    seconds: Annotated[float, Metric("time", "s")]
    file_bytes: Annotated[int, Metric("file", "B")]
    unfolded_per_s: Annotated[float, Metric("unfolded a second")]


class RegisterPair(Part):
    """One kernel for one target: estimated registers beside those of ptxas.

    ``flavour``: `plain`, `lines` (with line numbers), `debug` (not optimised, which the estimate
    is) or `llvm` (beside the count for the PTX that clang, or nvcc, makes of the same source).
    """

    producer: Annotated[str, Metric("producer")]
    file: Annotated[str, Metric("file")]
    kernel: Annotated[str, Metric("kernel")]
    target: Annotated[str, Metric("target")]
    flavour: str
    estimated: Annotated[int, Metric("here")]
    ptxas: Annotated[int, Metric("ptxas")]

    @derived("error", "%")
    def error(self) -> float:
        """The relative error with its sign."""
        return (self.estimated - self.ptxas) / self.ptxas

    @property
    def is_put_aside(self) -> bool:
        """Whether the kernel was kept from the fit, by a hash of its name."""
        return bool(hashlib.sha256(self.kernel.encode()).digest()[0] & 1)


class RegisterErrors(Part):
    """Relative errors of some pairs."""

    group: Annotated[str, Metric("pairs of a kernel and a target")]
    pairs: Annotated[int, Metric("pairs")]
    median: Annotated[float, Metric("median error", "%")]
    mean: Annotated[float, Metric("mean", "%")]
    within: Annotated[float, Metric("within 15 %", "%")]


class SpillCase(Part):
    """A kernel held to fewer registers: bytes that ptxas moves, and that the model does."""

    kernel: str
    limit: int
    ptxas: int
    modelled: int


def errors_of(group: str, rows: Iterable[RegisterPair]) -> RegisterErrors:
    """The errors of some pairs."""
    errors = [abs(row.error) for row in rows]
    within = fmean(e <= REGISTER_GOAL for e in errors)
    return RegisterErrors(
        group=group, pairs=len(errors), median=median(errors), mean=fmean(errors), within=within
    )


def pairs_of(rows: Iterable[RegisterPair]) -> tuple[RegisterPair, ...]:
    """Each kernel and target once from each source; plain texts before those with lines."""
    order = {"plain": 0, "lines": 1}
    chosen: dict[tuple[str, ...], RegisterPair] = {}
    for row in sorted(rows, key=lambda row: (order.get(row.flavour, 2), row.file)):
        source = row.file if row.producer in {"samples", "triton"} else row.file.split(".")[1]
        chosen.setdefault((row.producer, source, row.kernel, row.target), row)
    return tuple(chosen.values())


class StaticResult(Checked):
    """Checks, speeds and errors; empty of parts that were not asked for."""

    triangular_loops_exact: Annotated[Right | None, Metric("triangular loops, as by hand")] = None
    analysis_rows: tuple[AnalysedKernel, ...] = ()
    trace_rows: tuple[TracedLaunch, ...] = ()
    register_rows: tuple[RegisterPair, ...] = ()
    spills: tuple[SpillCase, ...] = ()
    missing: tuple[str, ...] = ()

    @derived("all analyses of a kernel, median, ms")
    def analysis_ms(self) -> float | None:
        """The median over kernels of nvcc's PTX and clang's LLVM IR."""
        return _median(row.milliseconds for row in self.analysis_rows)

    @derived("the slowest kernel's, ms")
    def analysis_worst_ms(self) -> float | None:
        """The largest."""
        return max((row.milliseconds for row in self.analysis_rows), default=None)

    @derived("static traces of 100,000 threads, median", "s")
    def trace_set_s(self) -> float | None:
        """The median over launches."""
        return _median(row.seconds for row in self.trace_rows)

    @derived("the slowest launch's", "s")
    def trace_set_worst_s(self) -> float | None:
        """The largest."""
        return max((row.seconds for row in self.trace_rows), default=None)

    @derived("block executions by warps in traces, a second")
    def trace_events_per_s(self) -> float | None:
        """Over all launches."""
        return self._over_traces("events", "seconds")

    @derived("times unfolding events one by one")
    def ratio_to_unfolding(self) -> float | None:
        """That speed over the median one of unfolding."""
        unfolded = _median(row.unfolded_per_s for row in self.trace_rows)
        return self.trace_events_per_s / unfolded if self.trace_events_per_s and unfolded else None

    @derived("bytes of saved traces a warp instruction")
    def trace_bytes_per_dynamic_instruction(self) -> float | None:
        """Over all launches."""
        return self._over_traces("file_bytes", "warp_instructions")

    def _over_traces(self, above: str, below: str) -> float | None:
        """One sum over launches for each of another one."""
        of, each = (sum(getattr(row, n) for row in self.trace_rows) for n in (above, below))
        return of / each if each else None

    @property
    def pairs(self) -> tuple[RegisterPair, ...]:
        """The pairs that count."""
        return pairs_of(row for row in self.register_rows if row.flavour in {"plain", "lines"})

    @derived("registers beside ptxas: pairs")
    def registers_pairs(self) -> int | None:
        """How many there are; None: none was looked for."""
        return len(self.pairs) or None

    @derived("registers beside ptxas: median error")
    def registers_median_error(self) -> float | None:
        """A share."""
        return _median(abs(row.error) for row in self.pairs)

    @derived("registers beside ptxas: median error of the kernels put aside")
    def registers_put_aside_error(self) -> float | None:
        """A share."""
        return _median(abs(row.error) for row in self.pairs if row.is_put_aside)

    @derived("registers")
    def registers(self) -> tuple[RegisterErrors, ...]:
        """All pairs, the two halves, by producer and target, and what stands apart."""
        pairs, every = self.pairs, self.register_rows
        groups: dict[str, Sequence[RegisterPair]] = {
            "all": pairs,
            "fitted half": [row for row in pairs if not row.is_put_aside],
            "half put aside": [row for row in pairs if row.is_put_aside],
        }
        for name in ("producer", "target"):
            for value in sorted({getattr(row, name) for row in pairs}):
                groups[value] = [row for row in pairs if getattr(row, name) == value]
        groups["unoptimised, apart"] = pairs_of(r for r in every if r.flavour == "debug")
        groups["LLVM IR, apart"] = [row for row in every if row.flavour == "llvm"]
        return tuple(errors_of(group, rows) for group, rows in groups.items() if rows)

    @property
    def worst(self) -> list[RegisterPair]:
        """The pairs that are furthest off."""
        return sorted(self.pairs, key=lambda row: -abs(row.error))[:25]

    @derived("spills: kernels held to fewer registers")
    def spill_cases(self) -> int | None:
        """How many; None: none was looked at."""
        return len(self.spills) or None

    @derived("both spill, or neither")
    def spill_agreed(self) -> int:
        """Cases."""
        return sum(bool(one.ptxas) == bool(one.modelled) for one in self.spills)

    @derived("the model alone spills")
    def spill_model_alone(self) -> int:
        """Cases."""
        return sum(not one.ptxas and bool(one.modelled) for one in self.spills)

    @derived("bytes moved over ptxas's, median")
    def spill_bytes_ratio_median(self) -> float | None:
        """Of cases where both spill."""
        both = [one for one in self.spills if one.ptxas and one.modelled]
        return _median(one.modelled / one.ptxas for one in both)


def _median(values: Iterable[float]) -> float | None:
    known = list(values)
    return median(known) if known else None


BENCHMARK: Benchmark[StaticResult] = Benchmark(
    name="static",
    about="How fast and right static analysis and traces are, how near registers are to ptxas.",
    takes="10 minutes",
    result=":StaticResult",
    measure="measuring:measure",
    parts="analyses, traces, loops, registers, spills",
    put_aside="The register model's two numbers were fitted to half of the kernels, by a hash of "
    "their names; the other half was put aside when they were.",
    sections=(
        *checks.SECTIONS,
        Comparison("Figures",
                   ("analysis_worst_ms", "trace_set_worst_s", "trace_events_per_s",
                    "ratio_to_unfolding", "trace_bytes_per_dynamic_instruction")),
        Table("Registers beside ptxas", "registers",
              ("group", "pairs", "median", "mean", "within")),
        Table("The worst pairs", "worst",
              ("file", "kernel", "target", "estimated", "ptxas", "error"), left=(0, 1, 2)),
        Comparison("Spills beside ptxas",
                   ("spill_cases", "spill_agreed", "spill_model_alone", "spill_bytes_ratio_median"),
                   when=lambda result: bool(result.spills)),
        Table("Analyses", "analysis_rows",
              ("file", "kernel", "instructions", column("milliseconds", form="{:.1f}"),
               column("with_launch_milliseconds", form="{:.1f}")), left=(0, 1)),
        Table("Traces", "trace_rows",
              ("file", "kernel", "threads", "events", "trees", column("seconds", form="{:.3f}"),
               "file_bytes"), left=(0, 1)),
        Items("Missing, and what needs it is left out", "missing"),
    ),
    goals=(Goal("not_right", 0.0), Goal("analysis_ms", 50.0), Goal("trace_set_s", 1.0),
           Goal("registers_median_error", REGISTER_GOAL),
           Goal("registers_put_aside_error", REGISTER_GOAL),
           Goal("registers_pairs", 60.0, at_least=True)),
)  # fmt: skip
