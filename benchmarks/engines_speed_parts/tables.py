"""A result of benchmarks.engines_speed as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def table(result: Mapping[str, Any]) -> Iterator[str]:
    """A line for each application and machine, then the means, the paper's beside them."""
    yield (
        f"{'application':13}{'machine':17}{'launches':>9}{'simulate s':>12}{'estimate s':>12}"
        f"{'ratio':>8}{'once s':>9}{'ratio':>8}{'alone':>8}{'times':>8}"
    )
    for row in result["rows"]:
        yield (
            f"{row['workload']:13}{row['machine']:17}{row['launches']:9,}"
            f"{row['simulate_all']['cpu_s']:12.2f}{row['estimate_all']['cpu_s']:12.2f}"
            f"{row['cpu_ratios']['all_launches']:8.2f}"
            f"{row['estimate_each_kernel_once']['cpu_s']:9.3f}"
            f"{row['cpu_ratios']['each_kernel_once']:8.1f}"
            f"{row['cpu_ratios']['launch_by_launch']:8.2f}{row['time_ratio']:8.2f}"
        )
    for machine, own in result["means"].items():
        ratios = own["cpu_ratios"]
        yield (
            f"{'mean':13}{machine:17}{'':9}{own['simulate_all']['cpu_s']:12.2f}"
            f"{own['estimate_all']['cpu_s']:12.2f}{ratios['all_launches']:8.2f}"
            f"{own['estimate_each_kernel_once']['cpu_s']:9.3f}{ratios['each_kernel_once']:8.1f}"
            f"{ratios['launch_by_launch']:8.2f}{own['time_ratio']:8.2f}"
        )
    paper = result["paper"]
    yield f"paper: {paper['printed']:,.2f} printed, {paper['of_its_rows']:,.2f} of its rows"
    theirs = result["gpgpusim"]
    yield (
        f"GPGPU-Sim over estimate: {theirs['estimate_ratio']:,.1f}, over simulate: "
        f"{theirs['simulate_ratio']:,.1f} (its own times, {len(theirs['gpgpusim_rows'])} rows)"
    )
