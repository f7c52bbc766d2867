"""The page of ``calibrate``: what was found by key, what hides or lacks, what no key has."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.calibrate.result import CalibrateReport, KeyFacts
from warpmill.report.page import Page, figure, signed_percent
from warpmill.report.words import plural

_SIGNS = {"most": "≤ ", "least": "≥ "}
_REASONS = 6
_ORDER = {"differs": 0, "agrees": 1, "hidden": 2}
"""Verdicts of keys that are compared, in the order of their rows."""


def calibrate_page(report: CalibrateReport, page: Page) -> None:
    """Show a calibration."""
    page.title(f"calibrate: {report.name}")
    page.facts(_facts(report))
    compared = sorted((k for k in report.keys if k.verdict in _ORDER), key=_place)
    if compared:
        page.heading("measured beside the file, worst first")
        header: tuple[str, ...] = ("key", "file", "found", "±", "apart", "")
        rows = [_row(one) for one in compared]
        if page.style.verbose:
            header = (*header, "unit")
            rows = [(*row, one.unit) for row, one in zip(rows, compared, strict=True)]
        page.table(header, rows, left=(0, 5, 6))
    hidden = [k for k in compared if k.verdict == "hidden"]
    if hidden:
        page.line("hidden: what was measured is another limit, which the key's value lies beyond")
    _left(report, page, "not compared", "found, and not compared")
    _left(report, page, "not measured", "not measured")
    if report.others:
        page.heading("without a key")
        page.table(
            ("figure", "unit", "found", "±"),
            [
                (o.name, o.unit, figure(o.value, o.marks["value"]), _spread(o.value, o.spread))
                for o in report.others
            ],
            left=(0, 1),
        )


def _facts(report: CalibrateReport) -> Iterator[tuple[str, str]]:
    where = "the whole-GPU model" if report.on == "model" else "a GPU"
    yield "on", f"{where}; beside {report.machine}"
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    yield "measured", f"{', '.join(report.groups)}; {plural(report.launches, 'launch')}"
    agreeing = sum(k.verdict == "agrees" for k in report.keys)
    both = agreeing + report.differing
    yield "agree", f"{agreeing} of {both} compared, within 5 % or a cycle"
    if report.written is not None:
        yield "written", f"{report.written}, which falls back on {report.fallback}"


def _place(one: KeyFacts) -> tuple[int, float]:
    """Give a key's place: what differs first, and the further apart the sooner."""
    return _ORDER[one.verdict], -round(abs(one.difference_fraction or 0.0), 3)


def _row(one: KeyFacts) -> tuple[str, ...]:
    assert one.fitted_value is not None
    assert one.spread is not None
    found = figure(one.fitted_value, one.marks["fitted_value"])
    return (
        one.key,
        figure(one.file_value, one.marks["file_value"]),
        _SIGNS.get(one.bound or "", "") + found,
        _spread(one.fitted_value, one.spread),
        "-" if one.difference_fraction is None else signed_percent(one.difference_fraction),
        "" if one.verdict == "agrees" else one.verdict,
    )


def _spread(value: float, spread: float) -> str:
    """Write a spread; what is nothing beside the value is 0."""
    return "0" if spread <= abs(value) * 1e-6 else f"{spread:.2g}"


def _left(report: CalibrateReport, page: Page, verdict: str, title: str) -> None:
    """List keys by the reason; without ``--verbose`` those of few reasons."""
    by_reason: dict[str, list[str]] = {}
    for one in report.keys:
        if one.verdict == verdict:
            by_reason.setdefault(one.why, []).append(_named(one))
    if not by_reason:
        return
    page.heading(f"{title}: {sum(map(len, by_reason.values()))}")
    lines = [f"{', '.join(keys)}: {reason}" for reason, keys in by_reason.items()]
    page.items(lines, None if page.style.verbose else _REASONS, " (--verbose)")


def _named(one: KeyFacts) -> str:
    """Write a key, with what was found of it where that is not compared."""
    if one.fitted_value is None:
        return one.key
    values = [figure(one.fitted_value, one.marks["fitted_value"])]
    if one.file_value is not None:
        values.append(f"file {figure(one.file_value, one.marks['file_value'])}")
    return f"{one.key} ({', '.join(values)})"
