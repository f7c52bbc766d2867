"""The page of ``run``."""

from __future__ import annotations

from collections.abc import Iterable

from warpmill.commands.run.result import BufferFigures, RunLaunchFigures, RunReport, RunTotals
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.words import dimensions, duration, plural

_FEW = 16
_SHA_SHOWN = 8


def run_page(report: RunReport, page: Page) -> None:
    """Show what the launches did and what the buffers hold."""
    page.title(f"run: {report.target}")
    page.facts([("device", _device(report)), *_totals(report.totals)])
    page.heading(f"launches: {report.totals.launches or 'none'}")
    if report.launches:
        _launches(report.launches, page)
    _printed(report.launches, page)
    page.heading(f"buffers after the run: {len(report.buffers) or 'none'}")
    if report.buffers:
        _buffers(report.buffers, page)
    if report.saved is not None:
        page.line(f"saved: {plural(len(report.buffers), 'array')} in {report.saved}")
    if report.recorded is not None:
        page.line(f"recorded: every call of the device, in {report.recorded}")


def _device(report: RunReport) -> str:
    return "cpu, executed here" if report.device == "cpu" else report.device


def _totals(totals: RunTotals) -> list[tuple[str, str]]:
    if totals.thread_instructions is None:
        return []
    done = f"{figure(totals.thread_instructions)} by threads, "
    done += f"{figure(totals.warp_instructions)} by warps"
    lines = [("instructions", done)]
    if totals.seconds is not None:
        rate = f", {_scaled(totals.thread_instructions_per_second)} thread instructions a second"
        lines.append(("time here", duration(totals.seconds) + rate))
    return lines


def _scaled(value: float | None) -> str:
    """Write a rate: ``6.03 G``."""
    if value is None:
        return UNKNOWN
    for unit, step in ((" G", 1e9), (" M", 1e6), (" k", 1e3)):
        if value >= step:
            return f"{value / step:.3g}{unit}"
    return f"{value:.3g}"


def _launches(launches: list[RunLaunchFigures], page: Page) -> None:
    """Show launches; where there are many, those of one kernel and size together."""
    groups: dict[tuple[object, ...], list[RunLaunchFigures]] = {}
    together = len(launches) > _FEW and not page.style.verbose
    for one in launches:
        alike = (one.kernel, *one.grid, *one.block)
        groups.setdefault(alike if together else (one.index,), []).append(one)
    page.table(
        ("n", "launch", "grid", "block", "by warps", "by threads", "lanes", "time"),
        [_row(group, together=together) for group in groups.values()],
        left=(1,),
        wrap=(1,),
    )
    page.line("by warps, by threads: instructions; lanes: of a warp's, those that are on")


def _row(group: list[RunLaunchFigures], *, together: bool) -> tuple[str, ...]:
    first = group[0]
    warps = _sum(one.warp_instructions for one in group)
    threads = _sum(one.thread_instructions for one in group)
    name = first.demangled if together or first.name.startswith("launch ") else first.name
    lanes = first.lane_utilization if len(group) == 1 else _mean_lanes(group)
    return (
        str(len(group)),
        name,
        dimensions(first.grid),
        dimensions(first.block),
        figure(warps),
        figure(threads),
        percent(lanes),
        duration(_sum(one.seconds for one in group)),
    )


def _printed(launches: list[RunLaunchFigures], page: Page) -> None:
    lines = [line for one in launches for line in one.printed.splitlines()]
    if not lines:
        return
    page.heading(f"printed by threads: {plural(len(lines), 'line')}")
    shown = lines if page.style.verbose else lines[:_FEW]
    for line in shown:
        page.line(line)
    if len(shown) < len(lines):
        page.line(f"and {len(lines) - len(shown)} more (--verbose)")


def _sum(values: Iterable[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return sum(known) if known else None


def _mean_lanes(group: list[RunLaunchFigures]) -> float | None:
    """The share of lanes over several launches, each weighted with its instructions."""
    pairs = [(one.warp_instructions or 0, one.lane_utilization or 0.0) for one in group]
    warps = sum(count for count, _ in pairs)
    return sum(count * share for count, share in pairs) / warps if warps else None


def _buffers(buffers: list[BufferFigures], page: Page) -> None:
    shown = buffers if page.style.verbose else buffers[:_FEW]
    page.table(
        ("buffer", "elements", "changed", "min", "max", "mean", "sha256"),
        [
            (
                one.name,
                f"{one.element}[{' x '.join(map(str, one.shape))}]",
                {True: "yes", False: "no", None: UNKNOWN}[one.changed],
                figure(one.min),
                figure(one.max),
                figure(one.mean),
                one.sha256[: None if page.style.verbose else _SHA_SHOWN],
            )
            for one in shown
        ],
        left=(0, 1, 2, 6),
        wrap=(0, 1, 6),
    )
    if len(shown) < len(buffers):
        page.line(f"and {len(buffers) - len(shown)} more (--verbose)")
    for one in buffers:
        if one.nans or one.infinities:
            words = f"{one.nans:,} NaN, {one.infinities:,} infinite"
            page.line(f"{one.name}: {words}")
