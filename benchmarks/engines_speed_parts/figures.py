"""What follows from measured seconds: ratios and their geometric means, the paper's beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import geometric_mean
from typing import Any

from benchmarks.engines_speed_parts.paper import TableV

Row = Mapping[str, Any]
RATIOS = ("each_kernel_once", "all_launches", "launch_by_launch")
"""What the simulation of all launches (the last: of one of each kernel) is divided by.

The estimate of one launch of each kernel, as in the paper; of all launches; of the same launch.
"""


def of_application(name: str, machine: str, estimated: Row, simulated: Row) -> dict[str, Any]:
    """Put the rows of both engines together; ratios are of CPU seconds, and of the clock's."""
    kernels = [
        _kernel(one, other)
        for one, other in zip(estimated["kernels"], simulated["kernels"], strict=True)
    ]
    each = {key: sum(k["estimate"][key] for k in kernels) for key in ("wall_s", "cpu_s")}
    alone = {key: sum(k["simulate"][key] for k in kernels) for key in ("wall_s", "cpu_s")}
    row = {
        "workload": name,
        "machine": machine,
        "launches": simulated["launches"],
        "warp_instructions": simulated["warp_instructions"],
        "host": simulated["host"],
        "kernels": kernels,
        "estimate_each_kernel_once": each,
        "simulate_each_kernel_once": alone,
        "estimate_all": estimated["all"],
        "simulate_all": simulated["all"],
        "load": max(estimated["load"], simulated["load"]),
    }
    for clock in ("cpu", "wall"):
        seconds = f"{clock}_s"
        whole = simulated["all"][seconds]
        row[f"{clock}_ratios"] = {
            "each_kernel_once": whole / each[seconds],
            "all_launches": whole / estimated["all"][seconds],
            "launch_by_launch": alone[seconds] / each[seconds],
        }
    row["time_ratio"] = estimated["all"]["time_us"] / simulated["all"]["time_us"]
    return row


def _kernel(estimated: Row, simulated: Row) -> dict[str, Any]:
    """Put a launch's rows together. ValueError where they are of different launches."""
    names = [(one["kernel"], one["launch"]) for one in (estimated, simulated)]
    if names[0] != names[1]:
        raise ValueError(f"engines were asked for different launches: {names[0]} and {names[1]}")
    kept = ("wall_s", "cpu_s", "time_us")
    return {
        "kernel": names[0][0],
        "launch": names[0][1],
        "estimate": {key: estimated[key] for key in kept},
        "simulate": {key: simulated[key] for key in kept},
    }


def means(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Geometric means over applications by machine: ratios of both clocks, and of times."""
    by_machine: dict[str, list[Row]] = {}
    for row in rows:
        by_machine.setdefault(row["machine"], []).append(row)
    return {name: _means(own) for name, own in by_machine.items()}


def _means(rows: Sequence[Row]) -> dict[str, Any]:
    found: dict[str, Any] = {
        f"{clock}_ratios": {
            ratio: geometric_mean(row[f"{clock}_ratios"][ratio] for row in rows) for ratio in RATIOS
        }
        for clock in ("cpu", "wall")
    }
    for key in ("estimate_each_kernel_once", "estimate_all", "simulate_all"):
        found[key] = {
            clock: geometric_mean(row[key][clock] for row in rows) for clock in ("cpu_s", "wall_s")
        }
    found["time_ratio"] = geometric_mean(row["time_ratio"] for row in rows)
    return found


def of_paper(table: TableV) -> dict[str, Any]:
    """The printed geometric means of Table V, and those that its rows have.

    The printed speedup is a tenth of its rows' mean.
    """
    rows = list(table.applications.values())
    return {
        "printed": table.mean.speedup,
        "of_its_rows": geometric_mean(row.speedup for row in rows),
        "gpgpusim_ms": geometric_mean(row.gpgpusim_ms for row in rows),
        "framework_ms": geometric_mean(row.framework_ms for row in rows),
    }


def of_gpgpusim(rows: Sequence[Row], rate: float) -> dict[str, Any]:
    """Sum up the programs that GPGPU-Sim was timed on; ratios are of CPU seconds."""
    return {
        "warp_instructions_per_cpu_s": rate,
        "estimate_ratio": geometric_mean(r["gpgpusim_cpu_s"] / r["estimate_cpu_s"] for r in rows),
        "simulate_ratio": geometric_mean(r["gpgpusim_cpu_s"] / r["simulate_cpu_s"] for r in rows),
        "gpgpusim_rows": list(rows),
    }


def gpgpusim_seconds(row: Row, rate: float) -> float | None:
    """The CPU seconds that GPGPU-Sim would take at its median rate; None: not counted."""
    executed = row["warp_instructions"]
    return None if executed is None else executed / rate


def at_gpgpusims_rate(result: Row, machine: str) -> float | None:
    """How long GPGPU-Sim would take at its median rate over estimates of each kernel once.

    The geometric mean over the applications on a machine; None where instructions are not counted.
    """
    rate = result["gpgpusim"]["warp_instructions_per_cpu_s"]
    rows = [row for row in result["rows"] if row["machine"] == machine]
    spent = [(gpgpusim_seconds(row, rate), row["estimate_each_kernel_once"]) for row in rows]
    ratios = [whole / once["cpu_s"] for whole, once in spent if whole is not None]
    return geometric_mean(ratios) if ratios and len(ratios) == len(rows) else None
