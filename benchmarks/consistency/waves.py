"""Traffic of estimates beside that of an exact twin of waves, and beside simulations.

Kernels at six sizes each (waves.toml), on a machine of few SMs with a small L2: the twin looks at
every sector of every warp (``tests.reference.wave_twin``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.reference.wave_twin import WaveTwin
from warpmill.benchmarks.benchmark import ROOT, say
from warpmill.benchmarks.consistency import Sectors, Traffic
from warpmill.session.estimates import Estimator
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare
from warpmill.session.run import run
from warpmill.session.simulations import simulate
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

SETTINGS: dict[str, str | int | float | bool] = {
    "sm.count": 4, "l2.size_bytes": 512 << 10, "l2.slices": 4, "dram.channels": 2,
}  # fmt: skip
QUICK = 2
"""Sizes of each kernel that a quick run takes."""
KERNELS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def machine() -> Machine:
    """The machine that everything runs on."""
    return load_machine("rtx3070", SETTINGS)


def beside_twin(name: str, size: int, on: Machine, *, simulates: bool = True) -> Traffic:
    """The traffic of an estimate, the twin and, where that is asked for, a simulation."""
    row = KERNELS[name]
    job = prepare(ROOT / row["file"], options=LaunchOptions(sizes=row["sizes"][size]))
    made = Estimator(job).on(on)
    done = simulate(job, on) if simulates else None
    twin = WaveTwin(on, made.occupancy.ctas_per_sm, made.occupancy.shared_carveout_bytes)
    run(job, options=RunOptions(collectors=[twin]))
    found, bytes_ = twin.traffic(), on.number("l2.sector_bytes")
    return Traffic(
        kernel=name,
        size=size,
        estimate=Sectors(l2=made.l2_bytes / bytes_, dram=made.dram_bytes / bytes_),
        twin=Sectors(l2=sum(found[f"l2 {kind}"] for kind in ("load", "store", "atomic")),
                     dram=found["dram read"] + found["dram write"]),
        simulate=None if done is None else Sectors(l2=done.l2_bytes / bytes_,
                                                   dram=done.dram_bytes / bytes_),
    )  # fmt: skip


def traffic(quick: bool) -> Iterator[Traffic]:
    """A row for each launch."""
    on = machine()
    for name, row in KERNELS.items():
        say(f"waves of {name}")
        for size in range(QUICK if quick else len(row["sizes"])):
            yield beside_twin(name, size, on)
