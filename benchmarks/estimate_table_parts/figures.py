"""Figures of Table IV: by kernel the time of an estimate, traces, and how predicted times go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import fmean, geometric_mean, median, quantiles
from typing import Any

from benchmarks.estimate_table_parts.points import Stretch
from benchmarks.estimate_table_parts.spaces import GPUS, PAPER_MS, PAPER_TRACE

MOST_REASONS = 3
"""Reasons of a kernel why GPUs cannot run it that are listed, most frequent first."""

SAME = 1e-9
"""Share of a time by which rounding may part two that are equal."""


@dataclass(frozen=True)
class Course:
    """The predicted times of a line on one GPU, in µs, in the order of the size that grows."""

    gpu: str
    us: tuple[float | None, ...]


def figures(found: Sequence[Stretch]) -> dict[str, Any]:
    """The table's figures; stretches are in the order of kernels, lines and values."""
    return of_kernels([of_kernel(own) for own in _by_kernel(found)])


def of_kernels(kernels: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of kernels with those of all."""
    times = [one["time_per_estimate_ms"] for one in kernels]
    known = [one for one in times if one is not None]
    estimates = sum(one["estimates"] for one in kernels)
    cpu_s = sum(one["cpu_s"] for one in kernels)
    return {
        "time_per_estimate_ms": fmean(known) if known else None,
        "paper_time_per_estimate_ms": PAPER_MS,
        "times_faster": _times_faster(kernels),
        "slower": [one["name"] for one in kernels if _is_slower(one)],
        "time_of_all_ms": 1e3 * cpu_s / estimates if estimates else None,
        "trace": _mean(one["trace"] for one in kernels),
        "kept_trace": _mean(one["kept_trace"] for one in kernels),
        "paper_trace": PAPER_TRACE,
        "configurations": sum(one["configurations"] for one in kernels),
        "estimates": estimates,
        "cannot_run": sum(one["cannot_run"] for one in kernels),
        "problems": sum(one["problems"] for one in kernels),
        "grows_percent": _share(kernels),
        "cpu_s": cpu_s,
        "whole_cpu_s": sum(one["whole_cpu_s"] for one in kernels),
        "kernels": list(kernels),
    }


def _by_kernel(found: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    for _, own in groupby(found, key=lambda one: one.kernel.name):
        yield list(own)


def of_kernel(own: Sequence[Stretch]) -> dict[str, Any]:
    """The figures of a kernel; ``whole_cpu_s`` is of one estimate of each configuration."""
    kernel = own[0].kernel
    refused = Counter(_texts(one.cannot_run for one in own))
    problems = Counter(_texts(one.problem for one in own))
    numbers = [(ms, _answered(one, place)) for one in own for place, ms in enumerate(one.ms)]
    each = [ms for ms, _ in numbers if ms is not None]
    estimates = sum(number for _, number in numbers)
    prepare_ms = median(one.prepare_ms for one in own)
    whole_ms = prepare_ms + sum(ms * number for ms, number in numbers if ms is not None)
    paper = kernel.paper
    return {
        "application": kernel.application,
        "name": kernel.name,
        "axes": {axis.name: len(axis.values) for axis in kernel.axes},
        "configurations": sum(len(one.values) for one in own),
        "estimates": estimates,
        "cannot_run": refused.total(),
        "problems": problems.total(),
        "reasons": dict(refused.most_common(MOST_REASONS)),
        "problem_reasons": dict(problems.most_common(MOST_REASONS)),
        "trace": _mean(length for one in own for length in one.trace),
        "kept_trace": _mean(length for one in own for length in one.kept),
        "paper_trace": paper.trace,
        "time_per_estimate_ms": whole_ms / estimates if estimates else None,
        "median_ms": median(each) if each else None,
        "p95_ms": quantiles(each, n=20)[-1] if len(each) > 1 else None,
        "most_ms": max(each, default=None),
        "prepare_ms": prepare_ms,
        "cpu_s": whole_ms / 1e3,
        "whole_cpu_s": 1e-3 * kernel.configurations * (whole_ms / estimates if estimates else 0.0),
        "paper_ms": paper.ms,
        "paper_errors": dict(zip(GPUS, paper.errors, strict=True)),
        "gpus": {gpu: _of_gpu(own, gpu) for gpu in GPUS},
        **growth(courses(own)),
    }


def _answered(one: Stretch, place: int) -> int:
    return sum(times[place] is not None for times in one.us.values())


def _texts(by_gpu: Iterable[Mapping[str, Sequence[str]]]) -> Iterator[str]:
    for own in by_gpu:
        for texts in own.values():
            yield from (text for text in texts if text)


def _of_gpu(own: Iterable[Stretch], gpu: str) -> dict[str, Any]:
    """How many times are predicted on a GPU, and from where to where they go."""
    times = [us for one in own for us in one.us.get(gpu, ()) if us is not None]
    if not times:
        return {"estimates": 0, "least_us": None, "median_us": None, "most_us": None}
    return {
        "estimates": len(times),
        "least_us": min(times),
        "median_us": median(times),
        "most_us": max(times),
    }


def courses(own: Sequence[Stretch]) -> list[Course]:
    """Join the stretches of each line; those that do not touch stay apart."""
    found: dict[tuple[Any, ...], list[float | None]] = {}
    part, before = 0, None
    for one in own:
        values = [value for value in one.kernel.along.values if isinstance(value, int)]
        if before is None or before.line != one.line or not _touch(values, before, one):
            part += 1
        for gpu, times in one.us.items():
            found.setdefault((part, gpu), []).extend(times)
        before = one
    return [Course(gpu, tuple(times)) for (_, gpu), times in found.items()]


def _touch(values: Sequence[int], before: Stretch, one: Stretch) -> bool:
    return values.index(one.values[0]) == values.index(before.values[-1]) + 1


def growth(all_courses: Iterable[Course]) -> dict[str, Any]:
    """Tell in how many of the pairs of neighbours the larger one takes as long or longer.

    ``largest_fall_percent`` is the most by which one that is larger is predicted to be shorter.
    """
    pairs = grows = 0
    fall = 0.0
    for course in all_courses:
        for small, large in pairwise(course.us):
            if small is None or large is None:
                continue
            pairs += 1
            grows += large >= small * (1 - SAME)
            fall = max(fall, 100 * (1 - large / small))
    return {
        "pairs": pairs,
        "grows": grows,
        "grows_percent": 100 * grows / pairs if pairs else None,
        "largest_fall_percent": fall if pairs else None,
    }


def _share(kernels: Sequence[Mapping[str, Any]]) -> float | None:
    pairs = sum(one["pairs"] for one in kernels)
    return 100 * sum(one["grows"] for one in kernels) / pairs if pairs else None


def _times_faster(kernels: Sequence[Mapping[str, Any]]) -> float | None:
    """The geometric mean over kernels of the paper's time of an estimate by that of here."""
    known = [one for one in kernels if one["time_per_estimate_ms"]]
    ratios = [one["paper_ms"] / one["time_per_estimate_ms"] for one in known]
    return geometric_mean(ratios) if ratios else None


def _is_slower(one: Mapping[str, Any]) -> bool:
    return (one["time_per_estimate_ms"] or 0.0) > one["paper_ms"]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
