"""docs/engines_speed.md, written from a result of benchmarks.engines_speed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.engines_speed_parts import page_tables as tables
from benchmarks.engines_speed_parts.figures import at_gpgpusims_rate, gpgpusim_seconds
from benchmarks.engines_speed_parts.measuring import ROUNDS
from benchmarks.engines_speed_parts.paper import table_v
from benchmarks.pages import rendered

TEMPLATE = Path(__file__).with_name("page.md.j2")


def write(result: Mapping[str, Any], docs: Path) -> None:
    """Write the page into a folder."""
    (docs / "engines_speed.md").write_text(page(result), "utf-8")


def page(result: Mapping[str, Any]) -> str:
    """Write the page. ``machine`` is the one that the paper's table stands beside, the first."""
    machine = next(iter(result["means"]))
    found = result["gpgpusim"]
    text: str = rendered(
        TEMPLATE,
        result,
        preset=result["preset"],
        machine=machine,
        rounds=ROUNDS,
        paper=result["paper"],
        beside=tables.beside_the_paper(result, machine),
        own=result["means"][machine],
        means=tables.means(result),
        applications=tables.applications(result),
        kernels=tables.kernels(result),
        times=tables.times(result),
        gpgpusim=tables.gpgpusim(result),
        found=found,
        rate=f"{found['warp_instructions_per_cpu_s']:,.0f}",
        at_its_rate=at_gpgpusims_rate(result, machine),
        hotspot_launches=_launches_in(result, "hotspot"),
        load=max(row["load"] for row in result["rows"]),
        ratio=tables.ratio,
        seconds=tables.seconds,
    )
    return text


def _launches_in(result: Mapping[str, Any], name: str) -> str:
    """How many of an application's launches GPGPU-Sim does in the paper's time, in words."""
    row = next((one for one in result["rows"] if one["workload"] == name), None)
    rate = result["gpgpusim"]["warp_instructions_per_cpu_s"]
    spent = None if row is None else gpgpusim_seconds(row, rate)
    if row is None or spent is None:
        return "an unknown number"
    stated = table_v().applications[name].gpgpusim_ms / 1e3
    return f"{row['launches'] * stated / spent:.1f}"
