"""How fast the simulator is, from the kept result of benchmarks.simulate: the slowest first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.execution.gpgpusim import reference_rows
from benchmarks.pages import rendered, table
from benchmarks.validation_parts.simulator import COMMAND
from benchmarks.validation_parts.status import measured, nothing

TEMPLATE = Path(__file__).with_name("speed.md.j2")
Result = Mapping[str, Any]


def section(result: Result | None) -> str:
    """Write the section: rates by program, how time grows, memory."""
    if result is None:
        return nothing(COMMAND)
    return rendered(
        TEMPLATE,
        result,
        state=measured(result),
        cores=result["computer"]["cores"],
        speeds=_speeds(result),
        theirs=_their_speed(),
        growth=_growth(result),
        peak_insts=f"{result['peak_warp_insts']:,}",
        peak=f"{result['peak_bytes'] / 1e6:,.0f} MB",
        before=f"{result['peak_bytes_before_simulating'] / 1e6:,.0f} MB",
    )


def _speeds(result: Result) -> str:
    header = ("program", "launches", "warp instructions", "engine", "in all", "engine s", "load")
    rows = [
        (
            r["name"],
            f"{r['launches']}",
            f"{r['warp_insts']:,}",
            f"{r['warp_inst_per_s']:,.0f}",
            f"{r['total_warp_inst_per_s']:,.0f}",
            f"{r['engine_s']:.2f}",
            f"{r['load']:.1f}",
        )
        for r in sorted(result["speed_rows"], key=lambda row: row["warp_inst_per_s"])
    ]
    rates = [f"{result[name]:,.0f}" for name in ("warp_inst_per_s", "total_warp_inst_per_s")]
    return table(header, [("geometric mean", "", "", *rates, "", ""), *rows])


def _their_speed() -> str:
    rates = [float(r["warp_inst_per_cpu_s"]) for r in reference_rows() if r["warp_inst_per_cpu_s"]]
    return f"{median(rates):,.0f} warp instructions (median of its rows)"


def _growth(result: Result) -> str:
    header = ("program", "SMs", "warp instructions", "engine s", "over linear")
    rows = [
        (
            f"{r['program']} {r['input']}{', the same work' if r.get('same_work') else ''}",
            f"{r['sms']}",
            f"{r['warp_insts']:,}",
            f"{r['engine_s']:.2f}",
            f"{r['over_linear']:.2f}",
        )
        for r in (*result["longer_rows"], *result["wider_rows"])
    ]
    return table(header, rows)
