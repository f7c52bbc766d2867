"""Blocks that are worth a try, where nobody names any."""

from __future__ import annotations

import math

from warpmill.analyzer.launch.model import dim3
from warpmill.jobs import Job
from warpmill.sweeps.launches import shape_word
from warpmill.sweeps.space import Value

MOST_THREADS = 1024
"""Threads of a CTA that no GPU exceeds."""

_WARPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Warps of a block in one direction: occupancy changes at each of them on some machine."""

_NARROWEST = 8
"""Threads in x of a block in two directions: fewer leave most of each sector unused."""


def blocks_of(job: Job) -> tuple[Value, ...]:
    """Give blocks in ascending order, that of the launch among them where the kernel allows it.

    They have whole warps, in as many directions as the launch uses: multiples of the warp in one,
    sides of powers of two in two; what it has in z stays. A kernel that was compiled for one block
    has that alone.
    """
    launch, bounds = job.required_launch(), job.kernel.bounds
    own = launch.block
    if bounds.required_threads is not None:
        return (shape_word(dim3(bounds.required_threads)),)
    most = MOST_THREADS
    if bounds.max_threads is not None:
        most = min(most, math.prod(bounds.max_threads))
    lanes, depth = job.loaded.module.warp_size, own[2]
    if own[1] == 1 and launch.grid[1] == 1:
        shapes = {(lanes * k, 1, depth) for k in _WARPS}
    else:
        sides = [1 << k for k in range(11)]
        shapes = {(x, y, depth) for x in sides for y in sides if x >= _NARROWEST}
    kept = {s for s in shapes if lanes <= math.prod(s) <= most}
    if math.prod(own) <= most:
        kept.add(own)
    ordered = sorted(kept, key=lambda s: (math.prod(s), s))
    return tuple(map(shape_word, ordered))
