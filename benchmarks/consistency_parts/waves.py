"""Traffic of estimates beside that of an exact twin of waves, and beside simulations.

Ten kernels at six sizes each, from less than an L1 to more than L2, on a machine of few SMs with a
small L2: the twin looks at every sector of every warp (``tests.reference.wave_twin``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.reference.wave_twin import WaveTwin
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare
from warpmill.session.run import run
from warpmill.session.simulations import simulate
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

ROOT = Path(__file__).parents[2]
MACHINE = "rtx3070"
SETTINGS: dict[str, str | int | float | bool] = {
    "sm.count": 4, "l2.size_bytes": 512 << 10, "l2.slices": 4, "dram.channels": 2,
}  # fmt: skip
APART = 0.10
QUICK = 2
"""Sizes of each kernel that a quick run takes."""

Row = dict[str, Any]


def _sized(file: str, *sizes: dict[str, int | str]) -> tuple[str, str | None, list[LaunchOptions]]:
    return file, None, [LaunchOptions(sizes=each) for each in sizes]


def _columns(height: int, width: int) -> LaunchOptions:
    """Convolve the columns of a picture, 64 rows a CTA."""
    picture = f"buffer=f32:{height * width}"
    args = (picture, f"{picture}:uniform", f"i32={height}", f"i32={width}")
    return LaunchOptions(grid=(width // 16, height // 64), block=(16, 8), args=args)


def _bins(words: int, ctas: int) -> LaunchOptions:
    args = (f"buffer=u32:{words}:arange", "buffer=u32:256", f"i32={words}")
    return LaunchOptions(grid=(ctas,), block=(256,), args=args)


KERNELS: dict[str, tuple[str, str | None, list[LaunchOptions]]] = {
    "vecadd": _sized(
        "samples/vecadd/launch.toml", *({"n": 1 << k} for k in (12, 14, 15, 16, 17, 18))
    ),
    "stencil": _sized(
        "samples/stencil5/launch.toml",
        *({"width": w, "height": h} for w, h in
          ((64, 32), (128, 64), (256, 128), (256, 256), (512, 256), (512, 512))),
    ),
    "transpose": _sized(
        "samples/transpose/launch.toml",
        *({"rows": r, "columns": c} for r, c in
          ((64, 32), (128, 64), (128, 128), (256, 256), (512, 256), (512, 512))),
    ),
    "reduce": _sized(
        "samples/reduce/launch.toml", *({"n": 1 << k} for k in (12, 14, 16, 17, 18, 19))
    ),
    "spmv": _sized(
        "samples/spmv/launch.toml", *({"rows": 1 << k, "cols": 1 << k} for k in range(9, 15))
    ),
    "convolution": (
        "samples/workloads/convolution-separable/conv.sm_80.ptx", "convolution_columns",
        [_columns(*each) for each in
         ((64, 64), (128, 64), (128, 256), (256, 256), (512, 256), (512, 512))],
    ),
    "histogram": (
        "benchmarks/execution_inputs/histogram.ptx", None,
        [_bins(1 << k, ctas) for k, ctas in
         ((12, 4), (14, 8), (15, 16), (16, 24), (18, 64), (19, 100))],
    ),
    "gather": _sized(
        "tests/cases/62-gather/gather.toml",
        *({"n": 1 << n, "m": 1 << m} for n, m in
          ((10, 10), (12, 12), (13, 14), (14, 16), (14, 18), (15, 20))),
    ),
    "product": _sized(
        "samples/matmul/launch.toml", *({"n": n} for n in (32, 64, 128, 192, 256, 320))
    ),
    "tiled product": _sized(
        "tests/cases/60-tiled-gemm/gemm.toml", *({"n": n} for n in (128, 256, 384, 512, 640, 768))
    ),
}  # fmt: skip
"""A file, the kernel in it where there are several, and launches that grow."""


def machine() -> Machine:
    """The machine that everything runs on."""
    return load_machine(MACHINE, SETTINGS)


def job_of(name: str, size: int) -> Job:
    """A kernel at one of its sizes, from 0 on."""
    file, kernel, launches = KERNELS[name]
    return prepare(ROOT / file, kernel, launches[size])


def traffic_of_twin(job: Job, on: Machine, ctas_per_sm: int, carveout_bytes: int) -> Row:
    """Sectors that the twin moves between SMs and L2 (``l2``), and from and to DRAM (``dram``)."""
    twin = WaveTwin(on, ctas_per_sm, carveout_bytes)
    run(job, options=RunOptions(collectors=[twin]))
    found = twin.traffic()
    l2 = sum(found[f"l2 {kind}"] for kind in ("load", "store", "atomic"))
    return {"l2": l2, "dram": found["dram read"] + found["dram write"]}


def beside_twin(job: Job, on: Machine, *, simulates: bool = True) -> Row:
    """The sectors of an estimate, the twin and a simulation; None where nothing is simulated."""
    made = Estimator(job).on(on)
    size = int(on.number("l2.sector_bytes"))
    fit = made.occupancy
    row: Row = {
        "estimate": {"l2": made.l2_bytes / size, "dram": made.dram_bytes / size},
        "twin": traffic_of_twin(job, on, fit.ctas_per_sm, fit.shared_carveout_bytes),
        "simulate": None,
    }
    if simulates:
        done = simulate(job, on)
        row["simulate"] = {"l2": done.l2_bytes / size, "dram": done.dram_bytes / size}
    row["apart"] = max(_off(row["estimate"][level], row["twin"][level]) for level in ("l2", "dram"))
    return row


def _off(found: float, exact: float) -> float:
    return abs(found / exact - 1.0) if exact else float(found > 0)


def waves(
    _cache: Path, quick: bool, progress: Callable[[str], None]
) -> tuple[Row, dict[str, list[str]]]:
    """Figures, and a row for each launch, those that are furthest apart first."""
    on, rows = machine(), list[Row]()
    for name, (_, _, launches) in KERNELS.items():
        progress(f"waves of {name}")
        sizes = range(QUICK if quick else len(launches))
        rows += [{"kernel": name, "size": k, **beside_twin(job_of(name, k), on)} for k in sizes]
    rows.sort(key=lambda row: -row["apart"])
    figures = {
        "traffic_apart": sum(row["apart"] > APART for row in rows),
        "traffic_compared": len(rows),
        "traffic_worst_percent": round(100 * rows[0]["apart"], 1),
        "traffic": rows,
    }
    return figures, {"traffic": [line for row in rows for line in _lines(row)]}


def _lines(row: Row) -> Iterator[str]:
    for level in ("l2", "dram"):
        exact, by = row["twin"][level], [row[engine][level] for engine in ("estimate", "simulate")]
        words = [f"{x:12,.0f} ({x / exact - 1.0:+.1%})" for x in by]
        yield (
            f"{row['kernel']:14}{row['size']} {level:5} twin {exact:10,}  estimate {words[0]}  "
            f"simulate {words[1]}"
        )
