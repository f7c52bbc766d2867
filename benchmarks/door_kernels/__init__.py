"""What the doors for kernels in Python take: kernels of Triton, numba and CUDA in strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from warpmill.analyzer.base.metric import Id, Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal
from warpmill.report.base import Part
from warpmill.report.sections import Table

DOORS = {"triton": "triton_kernels", "numba": "numba_kernels", "cuda": "cuda_kernels"}
"""Modules of kernels by the door that takes them."""

RIGHT = "right"
"""Outcome of a launch whose results are NumPy's."""


class DoorLaunch(Part):
    """A launch of a kernel: its estimate, and what executing it came to.

    ``outcome`` is ``right``, what is wrong, or why it is not executed; ``time_us`` is None where
    there is no estimate.
    """

    door: Annotated[str, Metric("door")]
    kernel: Annotated[str, Metric("kernel")]
    chip: Annotated[str, Metric("chip")]
    time_us: Annotated[float | None, Metric("estimate", "µs")]
    is_executed: Annotated[bool, Metric("executed")]
    outcome: Annotated[str, Metric("outcome")]
    number: Annotated[Id, Metric("kernel's number")]


class DoorTotals(Part):
    """The kernels of a door: how many have an estimate for every chip, how launches executed."""

    door: Annotated[str, Metric("door")]
    kernels: Annotated[int, Metric("kernels")]
    estimated: Annotated[int, Metric("estimated for each chip")]
    launches: Annotated[int, Metric("launches")]
    executed: Annotated[int, Metric("executed")]
    right: Annotated[int, Metric("right")]


def _totals(door: str, launches: Sequence[DoorLaunch]) -> DoorTotals:
    own = [one for one in launches if one.door == door]
    kernels = {one.number for one in own}
    return DoorTotals(
        door=door,
        kernels=len(kernels),
        estimated=len(kernels - {one.number for one in own if one.time_us is None}),
        launches=len(own),
        executed=sum(one.is_executed for one in own),
        right=sum(one.outcome == RIGHT for one in own),
    )


class DoorsResult(Part):
    """All launches, and totals."""

    launches: tuple[DoorLaunch, ...]

    @derived("doors")
    def doors(self) -> tuple[DoorTotals, ...]:
        """Totals of each door that was measured."""
        return tuple(one for d in DOORS if (one := _totals(d, self.launches)).launches)

    @derived("kernels of Triton with an estimate for each chip, of all")
    def triton_kernels(self) -> tuple[int, int]:
        """Both numbers."""
        return self._kernels("triton")

    @derived("kernels of numba with an estimate for each chip, of all")
    def numba_kernels(self) -> tuple[int, int]:
        """Both numbers."""
        return self._kernels("numba")

    @derived("kernels of CUDA in strings with an estimate for each chip, of all")
    def cupy_kernels(self) -> tuple[int, int]:
        """Both numbers."""
        return self._kernels("cuda")

    def _kernels(self, door: str) -> tuple[int, int]:
        found = next((one for one in self.doors if one.door == door), None)
        return (0, 0) if found is None else (found.estimated, found.kernels)

    @derived("launches without an estimate")
    def without_estimate(self) -> int:
        """On any chip."""
        return sum(one.time_us is None for one in self.launches)

    @derived("launches that execute, with a wrong result")
    def wrong(self) -> int:
        """On any chip."""
        return sum(one.is_executed and one.outcome != RIGHT for one in self.launches)


BENCHMARK: Benchmark[DoorsResult] = Benchmark(
    name="door-kernels",
    about="Kernels of Triton, numba and CUDA in strings: estimated on four chips, and executed.",
    takes="4 minutes",
    result=":DoorsResult",
    measure="measuring:measure",
    parts="doors",
    goals=(Goal("without_estimate", 0.0), Goal("wrong", 0.0)),
    sections=(
        Table("Doors", "doors", ("door", "kernels", "estimated", "launches", "executed", "right"),
              left=(0,)),
        Table("Not executed, or without an estimate", "launches",
              ("door", "kernel", "chip", "time_us", "outcome"), left=(0, 1, 2, 4), wrap=(4,),
              chosen=lambda one: one.time_us is None or one.outcome != "right"),
    ),
)  # fmt: skip
