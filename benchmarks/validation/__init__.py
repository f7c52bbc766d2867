"""How far off warpmill is: one page, the worst first, of what other benchmarks have kept.

Nothing is measured. What is kept is taken as it is, fresh or not, and each section says which.
There is no figure of all: errors against silicon, against another simulator, and of sampled against
full simulations are not put together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric
from warpmill.benchmarks.benchmark import Benchmark, Measured, Request, every_benchmark
from warpmill.report.base import Part
from warpmill.report.read import Reader
from warpmill.report.sections import Table
from warpmill.report.text import section_markdown


class ErrorKind(Part):
    """A kind of error, as one benchmark has measured it."""

    kind: Annotated[str, Metric("error")]
    of: Annotated[str, Metric("of")]
    mean: Annotated[str, Metric("mean")]
    worst: Annotated[str, Metric("worst")]
    missed: Annotated[str, Metric("goals missed")]
    state: Annotated[str, Metric("state")]


class Validation(Part):
    """All kinds of error."""

    rows: tuple[ErrorKind, ...]


Sums = tuple[float | None, str]
"""The mean error in percent, and the worst in words."""


def _silicon(result: Any) -> Sums:
    known = [one for one in result.headline if one.mape is not None]
    worst = max(known, key=lambda one: one.mape, default=None)
    if worst is None:
        return None, "-"
    return result.whole.mape, f"{worst.mape:.1f} %: {worst.kernel} of {worst.dataset}, {worst.card}"


def _gpgpusim(result: Any) -> Sums:
    worst = max(result.launches, key=lambda row: abs(row.error))
    return 100 * result.mape, f"{worst.error:+.1%}: {worst.place}"


def _engines(result: Any) -> Sums:
    worst = max(result.rows, key=lambda row: row.factor)
    mean = sum(abs(row.ratio - 1) for row in result.rows) / len(result.rows)
    place = f"{worst.workload} launch {worst.launch}, {worst.machine}"
    return 100 * mean, f"{100 * (worst.ratio - 1):+.1f} %: {place}"


def _tbpoint(result: Any) -> Sums:
    found = [(row.error, row.workload) for row in result.rows]
    found += [(one.error, f"{row.workload}, {on}") for row in result.rows
              for on, one in row.elsewhere.items()]  # fmt: skip
    error, place = max(found, key=lambda pair: abs(pair[0]))
    return result.by_method["TBPoint"]["mean"], f"{error:+.2f} %: {place}"


def _gtpin(result: Any) -> Sums:
    chosen = [(row.application, row.least_error) for row in result.rows]
    found = [(one.error, name) for name, one in chosen]
    found += [(other.error, f"{name}, {other.run}") for name, one in chosen
              for other in one.judged if other.error is not None]  # fmt: skip
    error, place = max(found)
    return result.by_way["least_error"]["error"], f"{error:.2f} %: {place}"


GATHERED: Mapping[str, tuple[str, str, Callable[[Any], Sums]]] = {
    "accuracy-estimate": ("against silicon", "estimates", _silicon),
    "accuracy-simulate": ("against silicon", "simulations", _silicon),
    "simulate": ("against another simulator", "simulations beside GPGPU-Sim", _gpgpusim),
    "engines": ("against another simulator", "estimates beside simulations", _engines),
    "tbpoint": ("sampled against full", "TBPoint", _tbpoint),
    "gtpin": ("sampled against full", "GT-Pin, the least errors", _gtpin),
}
"""Benchmarks by name: the kind of their errors, of what they are, and what sums them up."""


def measure(_request: Request) -> Validation:
    """Gather what is kept."""
    every = every_benchmark()
    return Validation(rows=tuple(_row(name, every[name], every[name].kept()) for name in GATHERED))


def _row(name: str, benchmark: Benchmark[Any], found: Measured[Any] | None) -> ErrorKind:
    kind, of, summed = GATHERED[name]
    if found is None:
        return ErrorKind(kind=kind, of=of, mean="not measured", worst="", missed="", state="")
    mean, worst = summed(found.result)
    return ErrorKind(
        kind=kind,
        of=of,
        mean="-" if mean is None else f"{mean:.3g} %",
        worst=worst,
        missed=benchmark.missed(found) or "none is set",
        state="fresh" if found.is_fresh else "stale",
    )


def values(result: Validation) -> dict[str, Any]:
    """What the template takes: a view of each benchmark by name; None: nothing is kept."""
    every = every_benchmark()
    kept = {name: every[name].kept() for name in (*GATHERED, "error-bands")}
    views = {
        name.replace("-", "_"): None if one is None else every[name].view(one)
        for name, one in kept.items()
    }
    return {"of": views, "glance": section_markdown(GLANCE, Reader(result))}


GLANCE = Table("At a glance", "rows", ("kind", "of", "mean", "worst", "missed", "state"),
               left=(0, 1, 3, 4, 5), wrap=(3,))  # fmt: skip
BENCHMARK: Benchmark[Validation] = Benchmark(
    name="validation",
    about="How far off warpmill is: errors against silicon, other simulators, full simulations.",
    takes="seconds",
    result=":Validation",
    measure=":measure",
    is_gathered=True,
    sections=(GLANCE,),
    values=":values",
)
