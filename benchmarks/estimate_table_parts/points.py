"""Stretches of lines as points of a study: an interrupted run goes on where it was.

A point is some tens of configurations, as many single points would take longer to keep than to
estimate. It follows from the kernel's code and launch file, its sizes and GPUs, and the sources of
the engine.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.accuracy_parts.points import now_and_then
from benchmarks.estimate_table_parts.estimating import facts_of
from benchmarks.estimate_table_parts.spaces import GPUS, Line, TableKernel, whole
from benchmarks.keeping import measured, results
from benchmarks.kept_command import say
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.estimate_table"
SOURCES = ("analyzer", "grammars", "simulator", "warpmill", "benchmarks/estimate_table_parts")
NOT_SOURCES = (
    *(f"simulator/{name}/" for name in ("regression", "sampling")),
    *(f"warpmill/{name}/" for name in ("calibration", "exploring", "sampling")),
    *(
        f"benchmarks/estimate_table_parts/{name}"
        for name in ("build", "figures", "measuring", "spaces.toml")
    ),
)
"""Files that no figure of a point follows from; what spaces.toml has of one is in its inputs."""

MOST_VALUES = 32
"""Configurations of a point."""

QUICK_PLACES = 3
"""Places along a line where a quick run has two neighbours."""


@dataclass(frozen=True)
class Stretch:
    """Some configurations of a line, in order, and what came of them; lists are by configuration.

    ``ms`` is the time of an estimate, ``trace`` the instructions of a warp, ``kept`` those of them
    that the paper's pruning leaves; None without an estimate. By GPU: ``us`` is the predicted time,
    None where ``cannot_run`` or ``problem`` says why. ``prepare_ms`` is what reading and analysing
    the kernel took.
    """

    kernel: TableKernel
    line: Line
    values: tuple[int, ...]
    prepare_ms: float
    ms: tuple[float | None, ...]
    trace: tuple[float | None, ...]
    kept: tuple[float | None, ...]
    us: Mapping[str, Sequence[float | None]]
    cannot_run: Mapping[str, Sequence[str]]
    problem: Mapping[str, Sequence[str]]


def stretches(
    kernels: Iterable[TableKernel], store: str | Path, workers: int, *, quick: bool, each_gpu: bool
) -> list[Stretch]:
    """Estimate design spaces, or an even few of each. SystemExit with what could not be."""
    todo = [
        (kernel, line, values)
        for kernel in kernels
        for line, values in _chosen(kernel, quick=quick, each_gpu=each_gpu)
    ]
    points = [point_of(*one) for one in todo]
    told = now_and_then(say)
    rows = measured(STUDY, store, points, evaluate, workers=workers, say=told)
    return [
        Stretch(kernel, line, values, **facts)
        for (kernel, line, values), facts in zip(todo, results(rows), strict=True)
    ]


def _chosen(
    kernel: TableKernel, *, quick: bool, each_gpu: bool
) -> Iterator[tuple[Line, tuple[int, ...]]]:
    """All lines in stretches; quickly: a line of each GPU, and some pairs of it."""
    values = tuple(whole(value) for value in kernel.along.values)
    lines = list(kernel.lines(each_gpu=each_gpu))
    if not quick:
        for line in lines:
            for begin in range(0, len(values), MOST_VALUES):
                yield line, values[begin : begin + MOST_VALUES]
        return
    for line in _one_each(lines):
        yield from ((line, part) for part in _few(values))


def _one_each(lines: Sequence[Line]) -> list[Line]:
    """A line of each GPU, at even places among all; lines of all GPUs are spread as well."""
    found = []
    for place, gpu in enumerate(GPUS):
        own = [line for line in lines if gpu in line.gpus]
        if own:
            found.append(own[(2 * place + 1) * len(own) // (2 * len(GPUS))])
    return found


def _few(values: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Pairs of neighbours that are evenly spread; of few values all."""
    if len(values) <= 2 * QUICK_PLACES:
        return [values]
    return [values[begin : begin + 2] for begin in pairs(len(values))]


def pairs(number: int) -> list[int]:
    """Where pairs of neighbours begin that are evenly spread over a line of so many values.

    >>> pairs(100)
    [16, 49, 82]
    """
    last = number - 1
    return sorted({(2 * k + 1) * last // (2 * QUICK_PLACES) for k in range(QUICK_PLACES)})


def point_of(kernel: TableKernel, line: Line, values: Sequence[int]) -> StudyPoint:
    """Make the point of a stretch; stretches of a kernel are estimated one after another."""
    inputs = {
        "kernel": kernel.name,
        "held": dict(line.held),
        "along": {"size": kernel.along.name, "values": list(values), "gpus": list(line.gpus)},
        "assume": dict(kernel.assume),
        "code": _code(kernel.launch_file),
        "sources": sources_digest(*SOURCES, without=NOT_SOURCES),
    }
    return StudyPoint(inputs, kernel.name)


@cache
def _code(launch: Path) -> str:
    """Hash a launch file and its module. SHA-256, hexadecimal."""
    text = launch.read_bytes()
    (one,) = tomllib.loads(text.decode("utf-8"))["launch"]
    return sha256(text + (launch.parent / one["module"]).read_bytes()).hexdigest()


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Estimate the configurations of a point. WarpmillErrors."""
    result = facts_of(inputs["kernel"], inputs["held"], inputs["along"])
    return PointOutcome({}, {"result": result})
