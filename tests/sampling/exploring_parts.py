"""A small space, its points for a launch of vecadd."""

from functools import cache
from pathlib import Path

from warpmill.exploring.points import ExplorationConfig, Maker
from warpmill.exploring.space_file import space_of_text
from warpmill.exploring.workloads import ExploredWorkload, LoadedWorkload

ROOT = Path(__file__).parents[2]
VECADD = ExploredWorkload(str(ROOT / "samples" / "vecadd" / "launch.toml"), {"n": 4096})

SMALL = """
schema = 1
base = "quadro_fx5800_gpgpusim"
where = ["_blk <= 8", "4 * smp <= simd"]
[set]
"sm.count" = 4
[parameters."#blk"]
values = [1, 2, 4, 8]
realise = "concurrency"
[parameters.simd]
values = [8, 16, 32]
realise = "simd"
[parameters.smp]
values = [1, 2, 3, 4]
key = "shared.ports"
[parameters.flit]
values = [8, 16, 32]
log2 = true
set = { "icnt.flit_bytes" = "flit" }
"""


def small(text=SMALL):
    return space_of_text(text, "small", "small.toml")


@cache
def points(count=None):
    """Make the points of the small space for vecadd."""
    maker = Maker.of(small(), LoadedWorkload.ready(VECADD), ExplorationConfig())
    design = maker.space.design
    return maker.points([design.point(k) for k in range(count or design.count)])
