"""Whether ``warpmill check`` finds faults that are planted by rule into kernels that are right.

A fault is a change of the text of a kernel at a place that the launch executes: of workloads at
their smallest preset, of samples, and of kernels of here. It is found by a finding that the kernel
as it is does not have; that has none at all. What is not found is harmless where an exhaustive
search of schedules, which shares nothing with the sanitizers, proves it on a smaller launch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal
from warpmill.benchmarks.checks import Right
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

CLASSES = {
    "barrier": "barriers removed",
    "bound": "bounds off by one",
    "wait": "waits removed",
    "mask": "masks of absent lanes, or without lanes that are there",
    "initialisation": "initialisation removed",
    "index": "indices of 32 bits that wrap",
    "scope": "scopes too narrow, fences removed",
}
"""The classes of faults."""

FITTING = {
    "barrier": {"racecheck", "synccheck"},
    "bound": {"memcheck"},
    "wait": {"racecheck"},
    "mask": {"synccheck"},
    "initialisation": {"initcheck"},
    "index": {"overflow"},
    "scope": {"racecheck"},
}
"""The tools that a class is for."""


class PlantedFault(Part):
    """A fault: where, what stood there and what stands there, and by which findings it was found.

    ``found_by`` are tools with the kinds of their findings, of those that the kernel as it is does
    not have. ``harmless`` None: nobody knows, which counts as harmful. ``problem`` says why a run
    did not come to its end. ``is_aside``: its kernel is one that nothing was tuned on.
    """

    fault_class: Annotated[str, Metric("class")]
    subject: Annotated[str, Metric("program")]
    kernel: Annotated[str, Metric("kernel")]
    line: Annotated[int, Metric("line")]
    rule: Annotated[str, Metric("rule")]
    before: Annotated[str, Metric("before")]
    after: Annotated[str, Metric("after")]
    found_by: Annotated[tuple[str, ...], Metric("found by")]
    is_fitting: Annotated[bool, Metric("by the fitting tool")]
    harmless: Annotated[bool | None, Metric("harmless")]
    problem: Annotated[str, Metric("problem")]
    is_aside: Annotated[bool, Metric("put aside")]
    seconds: Annotated[float, Metric("time", "s")]

    @property
    def is_found(self) -> bool:
        """Whether any tool found it."""
        return bool(self.found_by)

    @property
    def is_harmless(self) -> bool:
        """Whether it was not found, and is proven to change nothing."""
        return not self.is_found and self.harmless is True


class ClassRow(Part):
    """The faults of a class."""

    fault_class: Annotated[str, Metric("class")]
    what: Annotated[str, Metric("faults")]
    planted: Annotated[int, Metric("planted")]
    found: Annotated[int, Metric("found")]
    fitting: Annotated[int, Metric("by the fitting tool")]
    harmless: Annotated[int, Metric("harmless")]
    missed: Annotated[int, Metric("not found")]


def _share(part: float, of: float) -> float | None:
    return 100 * part / of if of else None


class CheckResult(Part):
    """All faults; ``unclean`` are kernels left out: with findings, or not all checked."""

    seed: Annotated[int, Metric("seed")]
    faults: tuple[PlantedFault, ...]
    unclean: Annotated[tuple[str, ...], Metric("kernels that are not clean as they are")]

    def _right(self, chosen: Callable[[PlantedFault], bool]) -> Right:
        own = [one for one in self.faults if chosen(one) and not one.is_harmless]
        return sum(one.is_found for one in own), len(own)

    @derived("faults")
    def planted(self) -> int:
        """How many were planted."""
        return len(self.faults)

    @derived("planted faults found, of those that are not proven harmless")
    def planted_found(self) -> Right:
        """Those of kernels that were looked at."""
        return self._right(lambda one: not one.is_aside)

    @derived("the same of what was put aside")
    def aside_found(self) -> Right:
        """Those of kernels that nothing was tuned on."""
        return self._right(lambda one: one.is_aside)

    @derived("found of all, %")
    def found_share(self) -> float | None:
        """None without faults."""
        return _share(*self._right(lambda _: True))

    @derived("found of what was put aside, %")
    def aside_share(self) -> float | None:
        """None without faults."""
        return _share(*self.aside_found)

    @derived("harmless, %")
    def harmless(self) -> float | None:
        """Of all that were planted. None without faults."""
        return _share(sum(one.is_harmless for one in self.faults), len(self.faults))

    @derived("faults of the smallest class")
    def fewest(self) -> int | None:
        """None without faults."""
        return min((one.planted for one in self.classes), default=None)

    @derived("classes")
    def classes(self) -> tuple[ClassRow, ...]:
        """What was planted and found, by class."""
        return tuple(
            _row(name, what, own)
            for name, what in CLASSES.items()
            if (own := [one for one in self.faults if one.fault_class == name])
        )


def _row(name: str, what: str, own: Iterable[PlantedFault]) -> ClassRow:
    each = list(own)
    found, harmless = (sum(getattr(one, n) for one in each) for n in ("is_found", "is_harmless"))
    return ClassRow(
        fault_class=name,
        what=what,
        planted=len(each),
        found=found,
        fitting=sum(one.is_fitting for one in each),
        harmless=harmless,
        missed=len(each) - found - harmless,
    )


_PLACE = ("fault_class", "subject", "kernel", "line", "rule", "before", "after")

BENCHMARK: Benchmark[CheckResult] = Benchmark(
    name="check",
    about="Whether check finds faults that are planted by rule into kernels that are right.",
    takes="a quarter of an hour",
    result=":CheckResult",
    measure="measuring:measure",
    parts="classes",
    goals=(
        Goal("found_share", 100.0, at_least=True),
        Goal("aside_share", 100.0, at_least=True),
        Goal("harmless", 10.0),
        Goal("planted", 400.0, at_least=True),
        Goal("fewest", 40.0, at_least=True),
    ),
    sections=(
        Table("Classes", "classes",
              ("fault_class", "what", "planted", "found", "fitting", "harmless", "missed"),
              left=(0, 1)),
        Table("Not found", "faults", (*_PLACE, "harmless", "problem"), left=(0, 1, 2, 4, 5, 6, 8),
              wrap=(5, 6, 8), chosen=lambda one: not one.is_found),
        Table("Found", "faults",
              (*_PLACE, Shown("found_by", words=", ".join), "is_fitting"),
              left=(0, 1, 2, 4, 5, 6, 7), wrap=(5, 6, 7), chosen=lambda one: one.is_found),
    ),
    data=("samples/**/*.ptx*", "samples/**/*.toml", "samples/workloads/*/program.py",
          "benchmarks/check/kernels/*.ptx"),
    put_aside="the faults of a third of the programs, drawn by seed",
)  # fmt: skip
