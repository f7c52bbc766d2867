"""The page of ``replay``."""

from __future__ import annotations

from warpmill.commands.replay.result import ReplayedLaunch, ReplayedRead, ReplayReport, ReplayTotals
from warpmill.report.page import UNKNOWN, Page, figure, size
from warpmill.report.words import dimensions, plural

_FEW = 16
_SHA_SHOWN = 8
_WORDS = {True: "yes", False: "no", None: UNKNOWN}


def replay_page(report: ReplayReport, page: Page) -> None:
    """Show what was run again, and what differs from the recording."""
    totals = report.totals
    page.title(f"replay: {report.recording}")
    page.facts(
        [
            ("device", f"{report.device}, recorded on {report.recorded_on}"),
            ("calls", _of(totals.calls, totals.calls_recorded)),
            ("launches", _launches_run(totals)),
            ("copies to the host", _of(totals.reads, totals.reads_recorded)),
            ("equal", _equal(report)),
        ]
    )
    page.heading(f"launches: {figure(totals.chosen) if totals.chosen else 'none'}")
    if report.launches:
        _launches(report.launches, page)
    _reads(report.reads, page)


def _of(count: int, all_: int) -> str:
    return f"{count:,} of {all_:,}"


def _launches_run(totals: ReplayTotals) -> str:
    words = _of(totals.launches, totals.launches_recorded)
    return words if totals.chosen == totals.launches else f"{words}, {totals.chosen:,} chosen"


def _equal(report: ReplayReport) -> str:
    if report.equal:
        return "yes, nothing that was compared differs from the recording"
    listed = ", ".join(map(str, report.differing[:_FEW]))
    more = ", ..." if len(report.differing) > _FEW else ""
    return f"no, {plural(report.totals.differing, 'call')} not as recorded: {listed}{more}"


def _launches(launches: list[ReplayedLaunch], page: Page) -> None:
    """Show launches; where there are many, those that differ before others."""
    shown = launches
    if len(launches) > _FEW and not page.style.verbose:
        shown = sorted(launches, key=lambda one: one.equal is not False)[:_FEW]
    page.table(
        ("launch", "kernel", "grid", "block", "by warps", "by threads", "as recorded"),
        [
            (
                str(one.number),
                one.demangled,
                dimensions(one.grid),
                dimensions(one.block),
                figure(one.warp_instructions),
                figure(one.thread_instructions),
                _WORDS[one.equal],
            )
            for one in shown
        ],
        left=(1, 6),
        wrap=(1,),
    )
    if len(shown) < len(launches):
        page.line(f"and {len(launches) - len(shown):,} more (--verbose)")
    page.line("by warps, by threads: instructions")


def _reads(reads: list[ReplayedRead], page: Page) -> None:
    """Show copies to the host: those that differ, or all of them where that is asked for."""
    differing = [one for one in reads if not one.equal]
    found = f"{len(differing):,} differ" if differing else "all as recorded"
    page.heading(f"copies to the host: {f'{len(reads):,}, {found}' if reads else 'none'}")
    shown = reads if page.style.verbose else differing[:_FEW]
    if not shown:
        return
    digits = None if page.style.verbose else _SHA_SHOWN
    page.table(
        ("call", "bytes", "sha256", "recorded", "equal"),
        [
            (
                str(one.call),
                size(one.bytes),
                one.sha256[:digits],
                one.recorded_sha256[:digits],
                _WORDS[one.equal],
            )
            for one in shown
        ],
        left=(2, 3, 4),
        wrap=(2, 3),
    )
    if not page.style.verbose and len(shown) < len(differing):
        page.line(f"and {len(differing) - len(shown):,} more (--verbose)")
