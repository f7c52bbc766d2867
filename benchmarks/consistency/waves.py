"""Traffic of estimates beside that of an exact twin of waves, and beside simulations.

Ten kernels at six sizes each, from less than an L1 to more than L2, on a machine of few SMs with a
small L2: the twin looks at every sector of every warp (``tests.reference.wave_twin``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.reference.wave_twin import WaveTwin
from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.consistency import Sectors, Traffic
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare
from warpmill.session.run import run
from warpmill.session.simulations import simulate
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

ROOT = Path(__file__).resolve().parents[2]
MACHINE = "rtx3070"
SETTINGS: dict[str, str | int | float | bool] = {
    "sm.count": 4, "l2.size_bytes": 512 << 10, "l2.slices": 4, "dram.channels": 2,
}  # fmt: skip
QUICK = 2
"""Sizes of each kernel that a quick run takes."""


def _sized(file: str, *sizes: Mapping[str, int]) -> tuple[str, str | None, list[LaunchOptions]]:
    return file, None, [LaunchOptions(sizes={**each}) for each in sizes]


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


def beside_twin(name: str, size: int, on: Machine, *, simulates: bool = True) -> Traffic:
    """The traffic of an estimate, the twin and, where that is asked for, a simulation."""
    job = job_of(name, size)
    made, bytes_ = Estimator(job).on(on), on.number("l2.sector_bytes")
    fit, done = made.occupancy, simulate(job, on) if simulates else None
    twin = WaveTwin(on, fit.ctas_per_sm, fit.shared_carveout_bytes)
    run(job, options=RunOptions(collectors=[twin]))
    found = twin.traffic()
    return Traffic(
        kernel=name,
        size=size,
        estimate=Sectors(l2=made.l2_bytes / bytes_, dram=made.dram_bytes / bytes_),
        twin=Sectors(l2=sum(found[f"l2 {kind}"] for kind in ("load", "store", "atomic")),
                     dram=found["dram read"] + found["dram write"]),
        simulate=None
        if done is None
        else Sectors(l2=done.l2_bytes / bytes_, dram=done.dram_bytes / bytes_),
    )  # fmt: skip


def traffic(quick: bool) -> Iterator[Traffic]:
    """A row for each launch."""
    on = machine()
    for name, (_, _, launches) in KERNELS.items():
        say(f"waves of {name}")
        for size in range(QUICK if quick else len(launches)):
            yield beside_twin(name, size, on)
