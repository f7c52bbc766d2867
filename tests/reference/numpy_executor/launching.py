"""A launch: its geometry, its CTAs in chunks, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tests.reference.numpy_executor.machine import Chunk
from tests.reference.numpy_executor.memory import lay_out
from tests.reference.numpy_executor.program import prepare

CHUNK_THREADS = 1 << 15
MOST_STEPS = 10_000_000


@dataclass
class Counts:
    """Executions of each block by warps and by threads; instructions count every active lane."""

    instructions: tuple
    warp_size: int
    block_warps: list = field(default_factory=list)
    block_threads: list = field(default_factory=list)

    def __post_init__(self):
        self.block_warps = [0] * len(self.instructions)
        self.block_threads = [0] * len(self.instructions)

    @cached_property
    def all_lanes_mask(self):
        return np.uint64((1 << self.warp_size) - 1)

    def add(self, block, warps, threads):
        self.block_warps[block] += warps
        self.block_threads[block] += threads

    @property
    def thread_insts(self) -> int:
        """Instructions of all active lanes, guarded ones that are off among them."""
        return sum(map(int.__mul__, self.instructions, self.block_threads))

    @property
    def warp_insts(self) -> int:
        """Instructions of all warps."""
        return sum(map(int.__mul__, self.instructions, self.block_warps))


def _three(size):
    size = (size,) if isinstance(size, int) else tuple(size)
    return (*size, 1, 1)[:3]


@dataclass
class Geometry:
    """Grid and block, and the special registers that follow from them."""

    grid: tuple
    block: tuple
    warp_size: int
    layout: object

    @property
    def threads(self):
        return int(np.prod(self.block))

    @property
    def warps(self):
        return -(-self.threads // self.warp_size)

    @property
    def ctas(self):
        return int(np.prod(self.grid))

    def threads_there(self):
        """The lanes of a CTA's warps in which there is a thread."""
        return (np.arange(self.warps * self.warp_size) < self.threads).reshape(self.warps, -1)

    def specials(self, ctas):
        """The special registers over all lanes of some CTAs, of one element if uniform."""
        thread = np.tile(np.arange(self.warps * self.warp_size), len(ctas))
        cta = np.repeat(np.asarray(ctas), self.warps * self.warp_size)
        found = {"laneid": thread % self.warp_size, "warpid": thread // self.warp_size}
        for axis, letter in enumerate("xyz"):
            found[f"tid.{letter}"] = thread // np.prod(self.block[:axis], dtype=int)
            found[f"ctaid.{letter}"] = cta // np.prod(self.grid[:axis], dtype=int)
            found[f"tid.{letter}"] %= self.block[axis]
            found[f"ctaid.{letter}"] %= self.grid[axis]
            found[f"ntid.{letter}"] = np.array([self.block[axis]])
            found[f"nctaid.{letter}"] = np.array([self.grid[axis]])
            for name, size in (("tid", self.block), ("ctaid", self.grid)):
                if size[axis] == 1:
                    found[f"{name}.{letter}"] = np.zeros(1, int)
        lane = found["laneid"]
        one = np.int64(1)
        found |= {
            "lanemask_eq": one << lane, "lanemask_lt": (one << lane) - 1,
            "lanemask_le": (one << (lane + 1)) - 1, "nwarpid": np.array([self.warps]),
            "lanemask_ge": -(one << lane), "lanemask_gt": -(one << (lane + 1)),
            "WARP_SZ": np.array([self.warp_size]),
            "total_smem_size": np.array([self.layout.shared_bytes]),
        }  # fmt: skip
        return {name: value.astype(np.uint32) for name, value in found.items()}


def execute(  # noqa: PLR0913 - a launch has as many parts
    module, kernel, grid, block, arguments, *, shared_bytes=0, symbols=None,
    chunk_threads=CHUNK_THREADS, most_steps=MOST_STEPS, exact=True,
) -> Counts:  # fmt: skip
    """Execute a kernel whose device functions are inlined; what was counted.

    ``arguments`` are arrays, which are buffers and are updated in place, scalars of NumPy, or the
    bytes of a structure. ``symbols`` are arrays that stand for variables of the module. Without
    ``exact``, fused multiply-adds round twice, which is faster.
    """
    layout = lay_out(module, kernel, arguments, shared_bytes, symbols)
    geometry = Geometry(_three(grid), _three(block), module.warp_size, layout)
    program = prepare(kernel, layout, exact)
    counts = Counts(tuple(len(b.instructions) for b in kernel.blocks), module.warp_size)
    memory = layout.arena.bytes()
    at_once = max(1, chunk_threads // (geometry.warps * geometry.warp_size))
    with np.errstate(all="ignore"):
        for first in range(0, geometry.ctas, at_once):
            ctas = range(first, min(first + at_once, geometry.ctas))
            Chunk(program, layout, memory, geometry, ctas, counts).run(most_steps)
    layout.arena.copy_back(memory)
    return counts
