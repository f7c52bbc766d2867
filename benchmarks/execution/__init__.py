"""How right and how fast the executor is.

Samples run with every artefact as the module (PTX of nvcc and clang, LLVM IR and bitcode of CUDA
and OpenCL) beside NumPy or SciPy; every form of the manual's opcodes beside twins; reference
programs beside GPGPU-Sim's counts; kernels that compilers make beside NumPy and SciPy. Speeds are
CPU time on one core.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks import checks
from warpmill.benchmarks.benchmark import Benchmark, Goal, column
from warpmill.benchmarks.checks import Checked, Right
from warpmill.report.base import Part
from warpmill.report.sections import Items, Table

INSTRUCTIONS = 250
"""Instructions that times of compilation are scaled to."""


class KernelSpeed(Part):
    """A kernel of ``workloads``: rates of thread instructions, and times of compilation.

    ``next_ms``: once more, with what kernels share compiled before.
    """

    kernel: Annotated[str, Metric("kernel")]
    thread_insts: Annotated[int, Metric("thread instructions")]
    ginst_per_s: Annotated[float, Metric("10^9 a second")]
    numpy_ginst_per_s: Annotated[float, Metric("by NumPy")]
    instructions: Annotated[int, Metric("instructions")]
    ms: Annotated[float, Metric("compilation, ms")]
    next_ms: Annotated[float, Metric("the next, ms")]

    @derived("times NumPy")
    def ratio(self) -> float:
        """The rate over that of executing whole grids in NumPy, on a smaller size there."""
        return self.ginst_per_s / self.numpy_ginst_per_s

    @derived("ms for 250")
    def ms_per_250(self) -> float:
        """Milliseconds scaled to 250 instructions."""
        return self.ms * INSTRUCTIONS / self.instructions


class CompilerRow(Part):
    """A compiler's programs that ran; those that are refused by name do not count."""

    compiler: Annotated[str, Metric("compiler")]
    right: Annotated[int, Metric("right")]
    of: Annotated[int, Metric("of")]


class ExecutionResult(Checked):
    """Checks and speeds; None of parts that were not asked for.

    ``refused`` has opcodes and compiled programs that are refused by name before anything runs.
    """

    samples_checked: Annotated[Right | None, Metric("samples, all launches and artefacts")] = None
    launches_checked: Annotated[Right | None, Metric("launches of samples")] = None
    opcodes_executed: Annotated[Right | None, Metric("opcodes in all their forms")] = None
    reference_counts_equal: Annotated[Right | None, Metric("GPGPU-Sim's counts")] = None
    reference_counts_exact: Annotated[Right | None, Metric("the same, races to the last one")] = (
        None
    )
    compilers_checked: Annotated[Right | None, Metric("programs of compilers")] = None
    by_compiler: tuple[CompilerRow, ...] = ()
    refused: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    speed_rows: tuple[KernelSpeed, ...] = ()
    peak_mb_at_1e9: Annotated[
        float | None, Metric("peak memory of 10^9 thread instructions, MB")
    ] = None

    def _mean(self, of: Callable[[KernelSpeed], float]) -> float | None:
        return geometric_mean([of(row) for row in self.speed_rows]) if self.speed_rows else None

    @derived("10^9 thread instructions a second, with counts")
    def counts_ginst_per_s(self) -> float | None:
        """Geometric mean over kernels."""
        return self._mean(lambda row: row.ginst_per_s)

    @derived("times the NumPy executor")
    def ratio_to_numpy_executor(self) -> float | None:
        """Geometric mean over kernels."""
        return self._mean(lambda row: row.ratio)

    @derived("compilation of 250 instructions, ms")
    def jit_ms_per_250_instructions(self) -> float | None:
        """Geometric mean over kernels, each in a fresh process."""
        return self._mean(lambda row: row.ms_per_250)

    @derived("the slowest kernel's, ms")
    def jit_worst_ms_per_250_instructions(self) -> float | None:
        """The largest of all kernels."""
        return max((row.ms_per_250 for row in self.speed_rows), default=None)

    @derived("the next kernel's, ms")
    def jit_next_ms_per_250_instructions(self) -> float | None:
        """Geometric mean where what kernels share is compiled before."""
        return self._mean(lambda row: row.next_ms * INSTRUCTIONS / row.instructions)


def geometric_mean(values: list[float]) -> float:
    """The geometric mean."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))


BENCHMARK: Benchmark[ExecutionResult] = Benchmark(
    name="execution",
    about="Whether samples, operations, reference and compiled programs are executed right.",
    takes="half an hour",
    result=":ExecutionResult",
    measure="measuring:measure",
    parts="samples, opcodes, counts, compilers, speed",
    sections=(
        *checks.SECTIONS,
        Table("Compilers", "by_compiler", ("compiler", "right", "of")),
        Items("Refused by name", "refused"),
        Items("Missing, and what needs it is left out", "missing"),
        Table("Kernels", "speed_rows",
              ("kernel", "thread_insts", column("ginst_per_s", form="{:.2f}"),
               column("numpy_ginst_per_s", form="{:.3f}"), column("ratio", form="{:.1f}x"),
               "instructions", column("ms", form="{:.1f}"), column("ms_per_250", form="{:.1f}"),
               column("next_ms", form="{:.1f}"))),
    ),
    goals=(Goal("not_right", 0.0), Goal("counts_ginst_per_s", 1.0, at_least=True),
           Goal("ratio_to_numpy_executor", 5.0, at_least=True),
           Goal("jit_ms_per_250_instructions", 300.0), Goal("peak_mb_at_1e9", 500.0)),
)  # fmt: skip
