"""The page of ``sweep``: the best configurations, what each axis does, fronts, what failed."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.sweep.configurations import ConfigurationFacts
from warpmill.commands.sweep.page_parts import (
    HEADS,
    assumption_items,
    axis_lines,
    configuration,
    configuration_table,
    reason_items,
    row_table,
    value_of,
    varied,
)
from warpmill.commands.sweep.result import FrontFacts, SweepReport
from warpmill.report.page import SIGNS, Page, figure
from warpmill.report.words import plural

_SHOWN = {"estimate": ("time_us", "occupancy"), "simulate": ("time_us", "occupancy", "ipc")}
"""The figures that every table of an engine's rows has."""

_PARTS = 12
"""Rows of a table that are shown without ``--verbose``."""


def sweep_page(report: SweepReport, page: Page) -> None:
    """Show what a sweep found."""
    page.title(f"sweep: {report.target}")
    page.facts(_facts(report))
    _best(report, page)
    _best_of_each(report, page)
    _effects(report, page)
    for front in report.fronts:
        _front(report, front, page)
    if report.reasons:
        page.heading(f"not measured: {plural(report.not_measured, 'configuration')}")
        reason_items(page, report.reasons, report.rows, varied(report.axes))
    if report.out_of_bounds:
        number = sum(len(one.rows) for one in report.out_of_bounds)
        page.heading(f"out of bounds: {plural(number, 'configuration')}")
        reason_items(page, report.out_of_bounds, report.rows, varied(report.axes))
    _rests_on(report, page)


def _facts(report: SweepReport) -> Iterator[tuple[str, str]]:
    yield plural(len(report.kernels), "kernel").partition(" ")[2], ", ".join(report.kernels)
    yield from axis_lines(report.axes)
    for condition in report.conditions:
        yield "where", condition
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    left = report.not_measured
    without = f"; {left:,} could not be measured" if left else ""
    yield "configurations", f"{report.configurations:,}, by {report.engine}{without}"


def _figures(report: SweepReport, *others: str) -> list[str]:
    """Name the figures of a table: those of the engine, and others that it is about."""
    names = varied(report.axes)
    asked = [name for name in others if name not in names]
    return list(dict.fromkeys((*_SHOWN[report.engine], *asked)))


def _by(report: SweepReport) -> str:
    asked = report.ranked_by
    if asked.figure == "time_us" and not asked.larger_is_better:
        return "the fastest"
    way = "the most" if asked.larger_is_better else "the least"
    return f"{way} {asked.figure}"


def _best(report: SweepReport, page: Page) -> None:
    ranked = sum(row.rank is not None for row in report.rows)
    numbers = sorted(
        (row.number for row in report.rows if row.rank is not None),
        key=lambda number: report.rows[number].rank or 0,
    )
    shown = numbers if page.style.verbose else report.best
    of = plural(ranked, "configuration")
    page.heading(f"best: {len(shown):,} of {of}, {_by(report)} first")
    if not ranked:
        page.line(f"{report.ranked_by.figure} is unknown of all configurations")
        return
    row_table(
        page,
        [report.rows[number] for number in shown],
        varied(report.axes),
        _figures(report, report.ranked_by.figure),
        figures=report.figures,
        more=[("× fastest", lambda row: _times(row, report))],
    )
    if len(shown) < ranked:
        page.line(f"and {ranked - len(shown):,} more (--top, --verbose)")


def _times(row: ConfigurationFacts, report: SweepReport) -> str:
    return figure(row.times_fastest, report.marks["rows.times_fastest"], digits=2)


def _best_of_each(report: SweepReport, page: Page) -> None:
    """Show the best of each machine and size, where there is more than one and a choice."""
    parts = report.best_of_each
    if len(parts) < 2 or all(one.rows == 1 for one in parts):
        return
    shown = parts if page.style.verbose else parts[:_PARTS]
    *most, last = report.given
    names = f"{', '.join(most)} and {last}" if most else last
    page.heading(f"the best for each {names}: {_by(report)}")
    choices = [name for name in varied(report.axes) if name not in report.given]
    named = {one.name: one for one in report.figures}
    asked = _figures(report, report.ranked_by.figure)
    mark, best = report.marks["best_of_each.worst_ratio"], [report.rows[one.row] for one in shown]
    configuration_table(
        page,
        [{name: row.configuration[name] for name in (*report.given, *choices)} for row in best],
        [*(HEADS.get(name, name) for name in asked), "worst"],
        [
            [
                *(value_of(row, name, named) for name in asked),
                figure(one.worst_ratio, mark, digits=2),
            ]
            for one, row in zip(shown, best, strict=True)
        ],
        [row.bound for row in best],
    )
    if len(shown) < len(parts):
        page.line(f"and {len(parts) - len(shown):,} more (--verbose)")
    page.line("worst: by how many times the worst configuration there is worse")
    _common(report, page)


def _common(report: SweepReport, page: Page) -> None:
    found = report.common_choice
    if found is None:
        return
    mark = report.marks["common_choice.worst_ratio"]
    if found.worst_ratio == 1.0:
        page.line(f"{configuration(found.choice)} is the best for each of them")
        return
    page.line(
        f"one choice for all: {configuration(found.choice)}, "
        f"{figure(found.geometric_mean_ratio, mark, digits=3)} times the best in the geometric "
        f"mean, {figure(found.worst_ratio, mark, digits=3)} at worst "
        f"({configuration(found.worst_of)})"
    )


def _effects(report: SweepReport, page: Page) -> None:
    """Show what each value of an axis does, axes of few values only."""
    sizes = {axis.name: len(axis.values) for axis in report.axes}
    few = [one for one in report.effects if page.style.verbose or sizes[one.axis] <= _PARTS]
    if not few:
        return
    page.heading("effect of each axis on the time")
    mark, last, rows = report.marks["effects.geometric_mean_ratio"], "", []
    for one in few:
        name = one.axis if one.axis != last else ""
        ratio = figure(one.geometric_mean_ratio, mark, digits=2)
        best = f"{one.best_in:,} of {one.groups:,}{SIGNS[mark]}"
        rows.append((name, str(one.value), ratio, best))
        last = one.axis
    page.table(("axis", "value", "× best", "best in"), rows, left=(0, 1), wrap=(0, 1))
    page.line("× best: geometric mean of the time over that of the axis' best value")
    long = [name for name in sizes if sizes[name] > _PARTS and not page.style.verbose]
    if long:
        page.line(f"not shown: {', '.join(long)}, with more than {_PARTS} values (--verbose)")


def _front(report: SweepReport, front: FrontFacts, page: Page) -> None:
    way = "more" if front.larger_is_better else "less"
    page.heading(f"Pareto front of time and {front.figure} ({way} is better): {len(front.rows):,}")
    if front.reason is not None:
        page.line(front.reason)
        return
    numbers = front.rows if page.style.verbose else front.rows[:_PARTS]
    row_table(
        page,
        [report.rows[number] for number in numbers],
        varied(report.axes),
        _figures(report, front.figure),
        figures=report.figures,
        more=[("× fastest", lambda row: _times(row, report))],
    )
    if len(numbers) < len(front.rows):
        page.line(f"and {len(front.rows) - len(numbers):,} more (--verbose)")


_SAMPLED = "a part was simulated and continued in a line (--waves)"


def _rests_on(report: SweepReport, page: Page) -> None:
    """Say what times rest on: where traces come from, what was assumed."""
    measured = report.configurations - report.not_measured
    kinds: dict[str, int] = {}
    for row in report.rows:
        if row.trace is not None:
            kinds[row.trace] = kinds.get(row.trace, 0) + 1
    texts = [(f"traces are {kind}", number) for kind, number in kinds.items()]
    sampled = sum(row.sampled for row in report.rows)
    if sampled:
        texts.append((_SAMPLED, sampled))
    texts += [(one.text, one.rows) for one in report.assumptions]
    if any(axis.kind == "launch" for axis in report.axes):
        words = "results were not compared: `warpmill tune` says which shapes compute the same"
        texts.insert(0, (words, measured))
    if texts:
        page.heading("assumptions and provenance")
        assumption_items(page, texts, measured)
