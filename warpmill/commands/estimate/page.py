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
    WHAT_IF,
    longest,
)
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Comparison, Each, Repeated, Shown
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import kernel_title, variable


def _pruned(pruned: bool) -> str | None:
    return "only arithmetic, memory accesses and barriers cost time" if pruned else None


def _buffer(reader: Reader, name: str) -> str:
    return variable(name, reader.holder.kernel)


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
            "registers.spilled.store_bytes",
            "registers.spilled.load_bytes",
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
    *WHAT_IF,
    RESTS_ON,
)

_TIMES = ("time_us", "kernels_us", "copies_us", "gaps_us", "bound")
APPLICATION = Comparison(
    "Whole application",
    (
        *(f"timeline.{name}" for name in _TIMES),
        "streams",
        Shown("estimates", detail=True),
        Each("copies", "kind", Shown("", words=lambda one: one.told)),
    ),
    of="applications",
)

PAGE = (
    *TOTALS,
    APPLICATION,
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
