"""Figures of accuracy as lines for people, and rows as a file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.accuracy_parts.model import Row

ENGINES = ("estimate", "simulate")
_COLUMNS = ("table", "dataset", "gpu", "kernel", "row", "config", "measured_ms", "predicted_ms",
            "error_percent", "has_error", "bound", "compiler", "registers", "registers_source",
            "trace", "warp_instructions", "seconds", "problem")  # fmt: skip


def table(result: Mapping[str, Any]) -> Iterator[str]:
    """The figures of each engine, the worst kernels first."""
    for engine in ENGINES:
        if engine in result:
            yield from _of_engine(engine, result[engine])
    if result["missing"]:
        yield f"missing: {', '.join(result['missing'])}"


def _of_engine(engine: str, figures: Mapping[str, Any]) -> Iterator[str]:
    yield (f"{engine:10}{'':49}{'rows':>6}{'MAPE':>8}{'median':>8}{'90 %':>8}{'bias':>9}{'tau':>7}"
           f"{'pick':>7}{'s/row':>7}  code, registers")  # fmt: skip
    groups = sorted(figures["groups"], key=lambda one: (one["apart"], -(one["mape"] or 0)))
    yield from map(_group, groups)
    for name, value in figures["overall"].items():
        yield f"{name:26}{_figure(value)}"
    for one in figures.get("extrapolation", ()):
        yield _continued(one)
    if "estimate_of_these" in figures:
        yield f"the same rows estimated: mape {_figure(figures['estimate_of_these']['mape'])}"


def _group(one: Mapping[str, Any]) -> str:
    name = f"{one['dataset']:16} {one['gpu']:14} {one['kernel']}" + " (apart)" * one["apart"]
    problems = f"  {one['problems']} without" if one["problems"] else ""
    return (
        f"{name:59}{one['rows']:6}{_number(one['mape'])}{_number(one['median'])}"
        f"{_number(one['p90'])}{_number(one['bias'], 9)}{_number(one['kendall_tau'], 7, 3)}"
        f"{_number(one['best_pick_slowdown'], 7, 2)}{_number(one['seconds_a_row'], 7, 2)}"
        f"  {', '.join(one['compilers'])}; {', '.join(one['registers'])}{problems}"
    )


def _continued(one: Mapping[str, Any]) -> str:
    """What continuing rounds has changed of a launch."""
    name = f"{one['dataset']} {one['gpu']} {one['kernel']} {one['config']}"
    changed = one["problem"] or f"{one['error']:+.1f} % of the launch in full"
    return f"  continued from {one['share']:.0%} of CTAs: {changed}: {name}"


def summary(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without the points of each row."""
    return {
        key: {**value, "groups": [_without_points(one) for one in value["groups"]]}
        if key in ENGINES
        else value
        for key, value in result.items()
    }


def _without_points(group: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in group.items() if name != "points"}


def _figure(value: float | None) -> str:
    return str(value) if isinstance(value, int) else _number(value, 0, 2).strip()


def _number(value: float | None, width: int = 8, digits: int = 1) -> str:
    return f"{'-' if value is None else f'{value:.{digits}f}':>{width}}"


def write_rows(path: Path, rows: Mapping[str, Sequence[Row]]) -> None:
    """Write the rows of each engine as CSV, one line each."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("engine", *_COLUMNS))
        for engine, own in rows.items():
            writer.writerows([engine, *values] for values in _lines(own))


def _lines(rows: Iterable[Row]) -> Iterator[list[Any]]:
    for row in rows:
        case, told = row.case, row.prediction
        known = [case.table, case.dataset, case.gpu, case.kernel, case.row, case.words]
        if told is None:
            none = [case.time_ms, "", "", row.has_error, "", row.compiler]
            yield [*known, *none, *[""] * 5, row.problem]
            continue
        yield [
            *known, case.time_ms, told.ms, row.error, row.has_error, told.bound, row.compiler,
            told.registers, told.registers_source, told.trace, told.warp_instructions,
            told.seconds, "",
        ]  # fmt: skip
