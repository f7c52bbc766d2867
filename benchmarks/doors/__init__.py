"""All figures of the doors that kernels come in by: gathered of what other benchmarks have kept.

Nothing is measured. What is kept is taken as it is, fresh or not, and beside it stands which.
"""

from __future__ import annotations

from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric
from warpmill.benchmarks.benchmark import Benchmark, Measured, Request, every_benchmark, number
from warpmill.report.base import Part
from warpmill.report.sections import Table

GATHERED = {
    "first-commands": ("first_command_runs", "install_mb"),
    "door-kernels": ("triton_kernels", "numba_kernels", "cupy_kernels"),
    "traceg": ("traceg_mb_per_s", "traceg_peak_mb"),
    "prune-recall": ("prune_recall",),
}
"""Figures by the benchmark that measures them."""

Counts = tuple[int, int]


class DoorFigure(Part):
    """A figure, the benchmark that measured it, and how fresh what that has kept is.

    ``measured`` is the date and ``commit`` the one it was measured at; None: nothing is kept.
    """

    figure: Annotated[str, Metric("figure")]
    shown: Annotated[str, Metric("here")]
    benchmark: Annotated[str, Metric("benchmark")]
    measured: Annotated[str | None, Metric("measured")]
    commit: Annotated[str | None, Metric("commit")]
    state: Annotated[str, Metric("state")]
    missed: Annotated[str, Metric("goals missed")]


class Doors(Part):
    """Each figure as its benchmark has kept it, None where it has not; counts are of all."""

    first_command_runs: Annotated[Counts | None, Metric("first commands that run")]
    triton_kernels: Annotated[Counts | None, Metric("kernels of Triton with an estimate")]
    numba_kernels: Annotated[Counts | None, Metric("kernels of numba with an estimate")]
    cupy_kernels: Annotated[Counts | None, Metric("kernels of CUDA in strings with an estimate")]
    traceg_mb_per_s: Annotated[float | None, Metric("text of traces read", "MB/s")]
    traceg_peak_mb: Annotated[float | None, Metric("peak memory of reading traces", "MB")]
    install_mb: Annotated[float | None, Metric("site-packages with the core", "MiB")]
    prune_recall: Annotated[Counts | None, Metric("tables whose best is among the 5 % kept")]
    figures: tuple[DoorFigure, ...]


def measure(_request: Request) -> Doors:
    """Gather what is kept."""
    every = every_benchmark()
    kept = {name: every[name].kept() for name in GATHERED}
    values = {
        figure: None if found is None else getattr(found.result, figure)
        for name, found in kept.items()
        for figure in GATHERED[name]
    }
    figures = tuple(
        _figure(figure, values[figure], every[name], found)
        for name, found in kept.items()
        for figure in GATHERED[name]
    )
    return Doors(**values, figures=figures)


def _figure(
    name: str, value: Counts | float | None, benchmark: Benchmark[Any], found: Measured[Any] | None
) -> DoorFigure:
    about = {} if found is None else found.about
    state = "not measured" if found is None else "fresh" if found.is_fresh else "stale"
    return DoorFigure(
        figure=name,
        shown=f"{value[0]} of {value[1]}" if isinstance(value, tuple) else number(value),
        benchmark=benchmark.name,
        measured=about.get("date"),
        commit=about.get("commit"),
        state=state,
        missed="" if found is None else benchmark.missed(found),
    )


def values(_result: Doors) -> dict[str, Any]:
    """What the template takes: a view of each benchmark by name; None: nothing is kept."""
    every = every_benchmark()
    kept = {name: every[name].kept() for name in GATHERED}
    views = {
        name.replace("-", "_"): None if one is None else every[name].view(one)
        for name, one in kept.items()
    }
    return {"of": views}


BENCHMARK: Benchmark[Doors] = Benchmark(
    name="doors",
    about="Front doors: first commands, kernels in Python, traces, pruning, installation.",
    takes="seconds",
    result=":Doors",
    measure=":measure",
    is_gathered=True,
    sections=(
        Table("Figures", "figures",
              ("figure", "shown", "benchmark", "measured", "commit", "state", "missed"),
              left=(0, 2, 3, 4, 5)),
    ),
    values=":values",
)  # fmt: skip
