"""One launch of a micro-benchmark, and what is read of it; runners make launches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL
from warpmill.codegen.microbench.frame import WARP, Microbench
from warpmill.codegen.microbench.kernels import ELEMENT_BYTES


@dataclass(frozen=True)
class Ring:
    """Links of pointer chases: one every ``stride_bytes``, in ``chains`` of as many each.

    Each of so many warps goes round a chain of its own, and together they touch all ``elements``,
    which ``chains`` divides. Chains take turns, or with ``parted`` lie one behind the other.
    """

    space: str
    elements: int
    stride_bytes: int
    chains: int = 1
    parted: bool = False

    @property
    def first_bytes(self) -> int:
        """Bytes from the first link of a chain to that of the next one."""
        return self.stride_bytes * (self.elements // self.chains if self.parted else 1)

    @property
    def size_bytes(self) -> int:
        """Bytes from the first link to the end of the last one's stride."""
        return self.elements * self.stride_bytes

    def links(self, begin: int) -> npt.NDArray[np.generic]:
        """Memory that holds the ring from address ``begin`` on; of textures texel numbers."""
        size = ELEMENT_BYTES[self.space]
        words = np.zeros(max(1, self.size_bytes // size), np.uint64 if size == 8 else np.uint32)
        each = self.stride_bytes // size
        places = np.arange(self.elements, dtype=np.uint64) * np.uint64(each)
        if self.parted:
            following = np.roll(places.reshape(self.chains, -1), -1, axis=1).reshape(-1)
        else:
            following = np.roll(places, -self.chains)
        words[places.astype(np.int64)] = (
            following * np.uint64(size) + np.uint64(begin) if size == 8 else following
        )
        return words


@dataclass(frozen=True)
class ZeroedMemory:
    """Memory of so many bytes that is all zero."""

    size_bytes: int = 256


@dataclass(frozen=True)
class Probe:
    """One launch: a micro-benchmark with its turns, its shape, its numbers and its memory.

    ``cold``: no cache holds any of the memory when it begins.
    """

    bench: Microbench
    turns: int
    grid: int = 1
    block: int = WARP
    numbers: tuple[int, ...] = ()
    memory: Ring | ZeroedMemory = ZeroedMemory()
    cold: bool = False

    @property
    def warps(self) -> int:
        """Warps of the grid."""
        return self.grid * self.block // WARP

    @property
    def links(self) -> int:
        """Operations, hops or loads that a warp makes."""
        return self.turns * self.bench.links


@dataclass(frozen=True)
class Reading:
    """Duration of a probe's repeated launches: SM cycles, and seconds where they are known."""

    cycles: tuple[float, ...]
    seconds: tuple[float, ...]

    @property
    def typical(self) -> float:
        """The median of the cycles."""
        return median(self.cycles)

    @property
    def time_s(self) -> float:
        """The median of the seconds."""
        return median(self.seconds)

    @property
    def spread(self) -> float:
        """The median absolute deviation of the cycles."""
        middle = self.typical
        return median(abs(one - middle) for one in self.cycles)


@dataclass(frozen=True)
class ProbedMachine:
    """Facts of a machine that need no measurement: from a driver, or a document.

    ``chip`` is what PTX is made for; ``capability`` is 80 for 8.0. ``sm_mhz`` is None where a GPU
    has to be asked by its clocks. ``l2_bytes`` is what a driver says of L2, 0 where that is
    nothing; footprints that are tried go beyond it. ``is_model``: it is the whole-GPU model, which
    every launch finds empty and alike. ``lacks`` are keys of operations that it does not have.
    ``reserved_bytes`` of shared memory are taken by each CTA beside its own. ``machine_code``
    is the compute capability whose machine code is executed, None where PTX is executed as it is.
    ``code_bytes`` is what the SM's instruction cache holds, infinite where nothing says so or where
    every instruction is there.
    """

    name: str
    chip: Annotated[str, INTERNAL]
    capability: Annotated[int, INTERNAL]
    sms: Annotated[int, INTERNAL]
    max_warps: Annotated[int, INTERNAL]
    max_block: Annotated[int, INTERNAL]
    sm_mhz: Annotated[float | None, INTERNAL]
    l2_bytes: Annotated[int, INTERNAL]
    memory_bytes: Annotated[int, INTERNAL]
    instruction_bytes: Annotated[int, INTERNAL]
    is_model: bool
    lacks: Annotated[frozenset[str], INTERNAL] = frozenset()
    reserved_bytes: Annotated[int, INTERNAL] = 0
    machine_code: Annotated[int | None, INTERNAL] = None
    code_bytes: Annotated[float, INTERNAL] = inf


def check_warps(name: str, lanes: int) -> None:
    """Refuse a machine that kernels in PTX are not for. UsageError."""
    if lanes != WARP:
        raise UsageError(f"{name} has warps of {lanes} lanes, and micro-benchmarks of {WARP}")


class ProbeRunner(Protocol):
    """Launcher of probes. ``queued_us`` is known of GPUs only."""

    @property
    def target(self) -> ProbedMachine:
        """The machine."""

    @property
    def launches(self) -> int:
        """The launches that were made so far."""

    def read(self, probes: Sequence[Probe]) -> list[Reading]:
        """Launch probes, in their order; each is launched once however often it is asked for."""

    def queued_us(self, probe: Probe, count: int, *, behind: bool) -> tuple[float, ...] | None:
        """The microseconds of each of so many launches in a row, by repetition.

        ``behind``: they are queued while a long kernel runs, so that the host keeps ahead. None
        where launches have no time beside their kernels'.
        """
