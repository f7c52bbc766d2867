"""Sections that pages of estimates share: sums of launches, the answer, provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from warpmill.report.assumed import add_assumed_values, assumed_lines
from warpmill.report.page import Page, figure, percent
from warpmill.report.sections import Charts, Comparison, Each, Shown, Special
from warpmill.report.words import kernel_lines, launch_lines, plural, timed_lines

if TYPE_CHECKING:
    from warpmill.session.launch_estimates import LaunchEstimates
    from warpmill.simulator.estimate.result import WhatIf

MOST_PAGES = 4
"""Launches that have a page of their own, unless everything is asked for."""

_FEW = 5

_FINDINGS = 3

LEAST = 0.01
"""Causes below are put together, unless everything is asked for."""


def longest(report: Any) -> list[int]:
    """The launches that have a page: those that take longest on some machine, in their order."""
    times = [max((e.time_us for e in x.estimates), default=0.0) for x in report.launches]
    return sorted(sorted(range(len(times)), key=lambda k: -times[k])[:MOST_PAGES])


def are_several(report: Any) -> bool:
    """Whether a report is of several launches."""
    return any(total.launches + total.not_estimated > 1 for total in report.totals)


def _totals_title(page: Page, report: Any) -> None:
    if not are_several(report):
        return
    launches = max(total.launches + total.not_estimated for total in report.totals)
    applications = getattr(report, "applications", [])
    how = "" if applications else ", one after another"
    page.title(f"{report.report}: {plural(launches, 'launch')}{how}")
    page.items([one.sentence for one in applications])


def _time_and_share(one: Any) -> str:
    return f"{figure(one.time_us)} ({percent(one.fraction)})"


def _pages(page: Page, report: Any) -> None:
    if len(report.launches) > MOST_PAGES and not page.style.verbose:
        page.line(f"pages: of the {MOST_PAGES} launches that take longest (--verbose: of all)")


def _head(page: Page, launch: LaunchEstimates) -> None:
    page.facts([*launch_lines(launch.launch), *assumed_lines(launch.assumed)])
    page.blank()
    told = [answer.text for answer in launch.answers.values()]
    if len(told) == 1:
        page.line(told[0])
    else:
        page.items(told)


def _further(page: Page, launch: LaunchEstimates) -> None:
    """Further findings of each machine, behind the first, which the answer names."""
    for machine, answer in launch.answers.items():
        others = [f"{one.rule}: {one.text}" for one in answer.findings[1:]]
        if others:
            page.heading(f"Rules on {machine}", "modelled")
            page.items(others, None if page.style.verbose else _FINDINGS, " (--verbose)")


def _rests_on(page: Page, launch: LaunchEstimates) -> None:
    """Assumptions and provenance, last and short; what all machines share is said once."""
    verbose = page.style.verbose
    page.heading("Assumptions and provenance")
    missing = [(m.machine, f"no estimate: {m.reason}") for m in launch.not_estimated]
    if not launch.estimates:
        page.facts([*kernel_lines(launch.kernel), *missing])
        return
    first = launch.estimates[0]
    trace = ("trace", f"{first.trace}: {first.trace_reason}")
    page.facts([*kernel_lines(launch.kernel), *missing, trace])
    assumptions = _ordered(a for e in launch.estimates for a in e.assumptions)
    if assumptions:
        page.line(f"assumptions of the trace: {len(assumptions)}")
        page.items(assumptions, None if verbose else _FEW, " (--verbose)")
    unmodelled = [
        f"{u.op_class} ({plural(u.warp_instructions, 'warp instruction')} a wave)"
        for u in first.unmodelled
    ]
    if unmodelled:
        page.line(f"classes without a model: {', '.join(unmodelled)}")
    if verbose:
        page.line("left out of the model:")
        page.items(_ordered(s for e in launch.estimates for s in e.simplifications))
    for estimate in launch.estimates:
        for words in estimate.beyond_machine:
            wrong = "so this estimate is wrong: please report it"
            page.line(f"warning: {estimate.machine}: {words}, {wrong}")
        for note in estimate.occupancy.notes:
            page.line(f"note: {estimate.machine}: {note}")
        add_assumed_values(estimate.machine, estimate.assumed_values, page)


def _ordered(names: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _settings(page: Page, report: Any) -> None:
    told = [("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items()))]
    told += [("mode", "Equation 8 of the hybrid paper")] if report.options.mode == "eq8" else []
    told += [("L2", "warm: as an equal launch left it")] if report.options.l2 == "warm" else []
    told += timed_lines(report.options.timed)
    page.facts(pair for pair in told if pair[1])


_WHAT_IF = "What if: duration in µs, over that of now"


def _what_if(page: Page, launch: LaunchEstimates) -> None:
    """The noise of what-ifs, and why there is no estimate of a change."""
    asked = [e for e in launch.estimates if e.what_if is not None]
    if not asked:
        return
    if not any(map(_has_gain, (w for e in asked for w in e.what_if or ()))):
        page.heading(_WHAT_IF)
        page.line("twice or half of no one thing makes a difference beyond noise")
    noise = [(e.machine, e.what_if_noise_fraction) for e in asked]
    page.facts([("noise", ", ".join(f"{percent(n)} on {m}" for m, n in noise if n is not None))])
    for estimate in asked:
        for change in estimate.what_if or ():
            if change.problem:
                page.line(f"{estimate.machine}, {change.title}: {change.problem}")


def _has_gain(change: WhatIf) -> bool:
    return change.ratio is not None and not change.within_noise


def _changed_time(change: WhatIf) -> str | None:
    if change.time_us is None or change.ratio is None:
        return None
    if change.within_noise:
        return "within noise"
    return f"{figure(change.time_us)} ({change.ratio:.2f})"


HEAD, FURTHER, RESTS_ON = Special(_head), Special(_further), Special(_rests_on)

SPEED_OF_LIGHT = Comparison(
    "GPU Speed of Light",
    (
        "time_us",
        "ranges.time_us",
        "execution_us",
        "ranges.execution_us",
        "launch_us",
        "cycles",
        "ranges.cycles",
        "warp_ipc",
        "bound",
        "ranges.bound_high",
    ),
    of="estimates",
)

TIME_BREAKDOWN = Comparison(
    "Time breakdown",
    (
        Each(
            "shares",
            "cause",
            "fraction",
            order=lambda share: -share.fraction,
            chosen=lambda share: share.fraction >= LEAST,
            rest="all else",
        ),
    ),
    of="estimates",
)

WHAT_IF = (
    Comparison(
        _WHAT_IF,
        (
            Each(
                "what_if",
                "title",
                Shown("", words=_changed_time),
                order=lambda change: 1.0 if change.ratio is None else change.ratio,
                chosen=_has_gain,
            ),
        ),
        of="estimates",
    ),
    Special(_what_if),
)
"""Times on machines with twice and half of one thing, where they were asked for."""

TOTALS = (
    Special(_totals_title),
    Charts("warpmill.report.timelines:total_charts"),
    Comparison(
        "All launches",
        ("time_us", "time_range_us", "execution_us", "launch_us", "launches", "not_estimated"),
        of="totals",
        when=are_several,
    ),
    Comparison(
        "By kernel: duration in µs, share",
        (Each("kernels", "kernel", Shown("", words=_time_and_share), top=10),),
        of="totals",
        when=are_several,
    ),
    Comparison(
        "By launch: duration in µs, share",
        (Each("by_launch", "title", Shown("", words=_time_and_share), top=10),),
        of="totals",
        when=are_several,
    ),
    Special(_pages),
    Special(_settings),
)
"""The sums of all launches, where there are several, and how they were estimated."""
