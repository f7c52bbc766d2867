"""The page of ``estimate``: machines side by side; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warpmill.commands.estimate.result import EstimateReport, LaunchEstimates
from warpmill.report.assumed_words import add_assumed_values, assumed_lines
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Comparison, Each, Repeated, Shown, Special
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import (
    kernel_lines,
    kernel_title,
    launch_lines,
    plural,
    timed_lines,
    variable,
)
from warpmill.session.findings import Finding
from warpmill.simulator.estimate.result import WhatIf

MOST_PAGES = 4
"""Launches that have a page of their own, unless everything is asked for."""

_FEW = 5

_FINDINGS = 3

_LEAST = 0.01
"""Causes below are put together, unless everything is asked for."""


def longest(report: EstimateReport) -> list[int]:
    """The launches that have a page: those that take longest on some machine, in their order."""
    return longest_first([_longest(launch) for launch in report.launches])


def longest_first(times: Sequence[float]) -> list[int]:
    """The places of the launches that have a page, in order; of few launches all have one."""
    return sorted(sorted(range(len(times)), key=lambda k: -times[k])[:MOST_PAGES])


def _longest(launch: LaunchEstimates) -> float:
    return max((e.time_us for e in launch.estimates), default=0.0)


def _are_several(report: EstimateReport) -> bool:
    return len(report.launches) > 1


def _totals_title(page: Page, report: EstimateReport) -> None:
    if _are_several(report):
        page.title(f"estimate: {plural(len(report.launches), 'launch')}, one after another")


def _time_and_share(one: Any) -> str:
    return f"{figure(one.time_us)} ({percent(one.fraction)})"


def _title(launch: LaunchEstimates) -> str:
    return kernel_title("estimate", launch.kernel)


def _pages(page: Page, report: EstimateReport) -> None:
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
    """What else to change: each machine's findings behind the first, which the answer names."""
    for machine, answer in launch.answers.items():
        others = [f"{_where(one)}{one.text}" for one in answer.findings[1:]]
        if others:
            page.heading(f"Rules on {machine}", "modelled")
            page.items(others, None if page.style.verbose else _FINDINGS, " (--verbose)")


def _where(one: Finding) -> str:
    return f"{one.rule}: "


def _rests_on(page: Page, launch: LaunchEstimates) -> None:
    """What the figures rest on, last and short; what all machines share is said once."""
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
    for words in _ordered(f"{e.machine}: {b}" for e in launch.estimates for b in e.beyond_machine):
        page.line(f"warning: {words}, so this estimate is wrong: please report it")
    for note in _ordered(f"{e.machine}: {n}" for e in launch.estimates for n in e.occupancy.notes):
        page.line(f"note: {note}")
    for estimate in launch.estimates:
        add_assumed_values(estimate.machine, estimate.assumed_values, page)


def _ordered(names: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _settings(page: Page, report: EstimateReport) -> None:
    told = [("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items()))]
    told += [("mode", "Equation 8 of the hybrid paper")] if report.options.mode == "eq8" else []
    told += [("L2", "warm: as an equal launch left it")] if report.options.l2 == "warm" else []
    told += timed_lines(report.options.timed)
    if report.pruned:
        told.append(("pruned", "only arithmetic, memory accesses and barriers cost time"))
    page.facts(pair for pair in told if pair[1])


def _buffer(reader: Reader, name: str) -> str:
    return variable(name, reader.holder.kernel)


def _what_if(page: Page, launch: LaunchEstimates) -> None:
    """The noise of what-ifs, and why there is no estimate of a change."""
    asked = [e for e in launch.estimates if e.what_if is not None]
    if not asked:
        return
    if not any(map(_has_gain, (w for e in asked for w in e.what_if or ()))):
        page.heading(WHAT_IF)
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


WHAT_IF = "What if: duration in µs, over that of now"

TOTALS = (
    Special(_totals_title),
    Comparison(
        "All launches",
        ("time_us", "time_range_us", "execution_us", "launch_us", "launches", "not_estimated"),
        of="totals",
        when=_are_several,
    ),
    Comparison(
        "By kernel: duration in µs, share",
        (Each("kernels", "kernel", Shown("", words=_time_and_share), top=10),),
        of="totals",
        when=_are_several,
    ),
    Comparison(
        "By launch: duration in µs, share",
        (Each("by_launch", "title", Shown("", words=_time_and_share), top=10),),
        of="totals",
        when=_are_several,
    ),
)

LAUNCH = (
    Special(_head),
    Comparison(
        "GPU Speed of Light",
        (
            "time_us",
            "ranges.time_us",
            "execution_us",
            "launch_us",
            "cycles",
            "ranges.cycles",
            "warp_ipc",
            "bound",
        ),
        of="estimates",
    ),
    Comparison(
        "Time breakdown",
        (
            Each(
                "shares",
                "cause",
                "fraction",
                order=lambda share: -share.fraction,
                chosen=lambda share: share.fraction >= _LEAST,
                rest="all else",
            ),
        ),
        of="estimates",
    ),
    Special(_further),
    Comparison(
        "Utilization, % of wave",
        (Each("utilization", "resource", "fraction", chosen=lambda u: u.fraction >= _LEAST / 10),),
        of="estimates",
    ),
    Comparison(
        "Warp state statistics: stall reasons",
        (Each("stalls", "reason", "fraction", order=lambda stall: -stall.fraction),),
        of="estimates",
        detail=True,
    ),
    Comparison(
        "Occupancy",
        (
            "achieved_occupancy_fraction",
            "occupancy.occupancy_fraction",
            "occupancy.warps_per_sm",
            "occupancy.ctas_per_sm",
            "occupancy.limiting",
            Shown("occupancy.limits", detail=True),
        ),
        of="estimates",
    ),
    Comparison(
        "Launch statistics",
        (
            "clock_mhz",
            "waves",
            "wave_ctas",
            "wave_cycles",
            Shown("extrapolated", detail=True),
            "registers.registers_per_thread",
            Shown("registers.source", words=lambda source: source.partition(" (")[0]),
            "shared_bytes",
        ),
        of="estimates",
    ),
    Comparison(
        "Roofline",
        (
            "roofline.kind",
            "roofline.flops_per_dram_byte",
            "roofline.achieved_gflops",
            "roofline.roof_gflops",
            "roofline.roof_fraction",
        ),
        of="estimates",
    ),
    Comparison(
        "Memory workload",
        ("l1_hit_fraction", "l2_bytes", "l2_hit_fraction", "dram_bytes", "dram_gb_per_s"),
        of="estimates",
    ),
    Comparison(
        "DRAM traffic by buffer",
        (Each("traffic", "region", "dram_bytes", words=_buffer),),
        of="estimates",
    ),
    Comparison(
        "L2 hit rate by buffer",
        (Each("traffic", "region", "l2_hit_fraction", words=_buffer),),
        of="estimates",
    ),
    Comparison(
        WHAT_IF,
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
    Special(_rests_on),
)

PAGE = (
    *TOTALS,
    Special(_pages),
    Special(_settings),
    Repeated("launches", LAUNCH, _title, few=longest),
)

COLUMNS = (
    "kernel", "launch", "machine", "time_us", "execution_us", "launch_us", "cycles",
    "clock_mhz", "bound", "ctas_per_sm", "warps_per_sm", "occupancy_fraction",
    "achieved_occupancy_fraction", "limiting", "registers_per_thread", "registers_source",
    "shared_bytes", "wave_cycles", "waves", "warp_instructions", "warp_ipc", "flops_kind",
    "flops", "achieved_gflops", "roof_gflops", "l1_hit_fraction", "l2_hit_fraction",
    "l2_bytes", "dram_bytes", "unmodelled", "assumptions", "assumed_values", "what_if",
    "factor", "ratio", "within_noise", "reason", "mark",
)  # fmt: skip

_NAMES = {"kernel": ".launches.kernel.name", "launch": ".launches.launch.name"}

ESTIMATE = CsvTable(
    COLUMNS,
    (
        RowsOf(
            "launches.estimates",
            {
                **_NAMES,
                "registers_source": "registers.source",
                "flops_kind": "roofline.kind",
                "unmodelled": lambda e: [
                    f"{u.op_class} {u.warp_instructions}" for u in e.unmodelled
                ],
                "assumptions": lambda e: len(e.assumptions),
                "assumed_values": lambda e: len(e.assumed_values),
                "what_if": lambda _: None,
            },
            mark="time_us",
        ),
        RowsOf(
            "launches.estimates.what_if",
            {
                **_NAMES,
                "machine": ".launches.estimates.machine",
                "what_if": "name",
                "reason": "problem",
            },
            mark="time_us",
        ),
        RowsOf("launches.not_estimated", _NAMES),
    ),
)
