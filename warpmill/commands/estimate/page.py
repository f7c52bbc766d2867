"""The page of ``estimate``: machines side by side; and its rows as CSV."""

from __future__ import annotations

from warpmill.report.estimate_sections import (
    FURTHER,
    HEAD,
    LEAST,
    RESTS_ON,
    SPEED_OF_LIGHT,
    TIME_BREAKDOWN,
    TOTALS,
    longest,
)
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Comparison, Each, Repeated, Shown, Special
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import kernel_title, variable
from warpmill.session.launch_estimates import LaunchEstimates
from warpmill.simulator.estimate.result import WhatIf


def _pruned(pruned: bool) -> str | None:
    return "only arithmetic, memory accesses and barriers cost time" if pruned else None


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

LAUNCH = (
    HEAD,
    Charts("warpmill.report.timing_charts:launch_charts"),
    SPEED_OF_LIGHT,
    TIME_BREAKDOWN,
    FURTHER,
    Comparison(
        "Utilization, % of wave",
        (Each("utilization", "resource", "fraction", chosen=lambda u: u.fraction >= LEAST / 10),),
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
    RESTS_ON,
)

PAGE = (
    *TOTALS,
    Comparison("", (Shown("pruned", words=_pruned),)),
    Repeated("launches", LAUNCH, lambda one: kernel_title("estimate", one.kernel), few=longest),
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
