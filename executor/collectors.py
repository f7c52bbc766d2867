"""Collectors: what is told of every launch while it runs. A tool of one's own takes ten lines.

::

    class WrittenLines(Collector):
        def on_launch(self, launch):
            self.lines = set()

        def on_accesses(self, accesses):
            stores = accesses[accesses.kind == "store"]
            self.lines.update((stores.addresses[stores.on] // 128).tolist())

A collector says what it wants by what it defines: ``on_blocks`` is told executions of blocks,
``on_accesses`` accesses to memory with the addresses of all lanes, ``on_profile`` the counts that
``counts`` names. Only what one of the collectors of a run wants is compiled in (GT-Pin, §III-B).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.mix import Shares, block_vector, opcode_mix

Numbers = npt.NDArray[np.int64]
Dim3 = tuple[int, int, int]

COUNTS = ("edges", "lanes", "paths", "memory", "ctas")
"""Optional counts of a profile beside the executions of blocks: see ``Profile``.

``paths`` are threads that have been at a block or edge and their iterations of loops (with edges).
"""


@dataclass(frozen=True)
class ObservedLaunch:
    """A launch that collectors are told of, before it runs. ``index`` counts those of the run."""

    index: int
    kernel: Kernel
    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int
    warp_size: int


@dataclass(frozen=True)
class BlockEvent:
    """Executions of a block by a warp one after another with the same lanes, ``count`` of them.

    ``cta`` is the linear number, x fastest; bit k of ``mask`` is lane k.
    """

    cta: int
    warp: int
    block: int
    mask: int
    count: int


@dataclass(frozen=True, eq=False)
class BlockEvents:
    """Executions of blocks as arrays of one length, in the order in which they happened.

    The order is that of each warp; warps of a CTA take turns. Going through them gives BlockEvents.
    """

    cta: Numbers
    warp: Numbers
    block: Numbers
    mask: npt.NDArray[np.uint64]
    count: Numbers

    def __len__(self) -> int:
        return len(self.cta)

    def __iter__(self) -> Iterator[BlockEvent]:
        columns = (self.cta, self.warp, self.block, self.mask, self.count)
        return (BlockEvent(*row) for row in zip(*(c.tolist() for c in columns), strict=True))


@dataclass(frozen=True)
class AccessEvent:
    """An access of a warp to memory: the byte addresses of the lanes that are on, lowest first.

    ``kind`` is load, store or atomic; ``space`` the instruction's, which may be generic;
    ``width_bytes`` a lane's bytes, None where only the execution tells.
    """

    cta: int
    warp: int
    block: int
    instruction: int
    kind: str
    space: str
    width_bytes: int | None
    mask: int
    addresses: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class AccessEvents:
    """Accesses to memory as arrays of one length, in the order in which they happened.

    ``kind`` and ``space`` are arrays of words, ``width_bytes`` is -1 where only the execution
    tells. ``addresses`` has the shape (accesses, lanes), and means something where ``on``. Going
    through them gives AccessEvents; indexing with an array of truths chooses some.
    """

    cta: Numbers
    warp: Numbers
    block: Numbers
    instruction: Numbers
    kind: npt.NDArray[np.str_]
    space: npt.NDArray[np.str_]
    width_bytes: Numbers
    mask: npt.NDArray[np.uint64]
    base: Numbers
    pattern: npt.NDArray[np.int32]
    patterns: Numbers

    def __len__(self) -> int:
        return len(self.cta)

    @property
    def addresses(self) -> Numbers:
        """The byte address of each lane, in the access's space."""
        return self.base[:, None] + self.patterns[self.pattern]

    @property
    def on(self) -> npt.NDArray[np.bool_]:
        """The lanes that are on, shape (accesses, lanes)."""
        lanes = np.arange(self.patterns.shape[1], dtype=np.uint64)
        return (self.mask[:, None] >> lanes & np.uint64(1)).astype(bool)

    def __getitem__(self, chosen: npt.NDArray[np.bool_]) -> AccessEvents:
        columns = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "patterns"}
        return replace(self, **{name: column[chosen] for name, column in columns.items()})

    def __iter__(self) -> Iterator[AccessEvent]:
        addresses, on = self.addresses, self.on
        for k in range(len(self)):
            width = int(self.width_bytes[k])
            yield AccessEvent(
                cta=int(self.cta[k]),
                warp=int(self.warp[k]),
                block=int(self.block[k]),
                instruction=int(self.instruction[k]),
                kind=str(self.kind[k]),
                space=str(self.space[k]),
                width_bytes=None if width < 0 else width,
                mask=int(self.mask[k]),
                addresses=tuple(addresses[k][on[k]].tolist()),
            )


class Collector:
    """Observer of launches. Define the callbacks you want, and name the ``counts`` you want.

    What is not defined costs nothing.
    """

    counts: frozenset[str] = frozenset()
    """Names of COUNTS that ``on_profile`` is to have beside blocks, guards and totals."""

    def on_launch(self, launch: ObservedLaunch) -> None:
        """Receive a launch before it runs."""

    def on_blocks(self, blocks: BlockEvents) -> None:
        """Some executions of blocks, in their order."""

    def on_accesses(self, accesses: AccessEvents) -> None:
        """Some accesses to memory, in their order."""

    def on_profile(self, profile: Profile) -> None:
        """Receive the counts of a launch that has come to its end."""

    def result(self) -> object:
        """Result for reports after the run: a text, a number, a list or a dict; None: nothing."""
        return None


def wants(collector: Collector, method: str) -> bool:
    """Whether a collector defines what it is told by a method."""
    return getattr(type(collector), method) is not getattr(Collector, method)


class ProfileCollector(Collector):
    """Profile of each launch: with some of COUNTS, or all."""

    def __init__(self, counts: Iterable[str] | None = None) -> None:
        self.counts = frozenset(COUNTS if counts is None else counts)
        self.profiles: list[Profile] = []

    def on_profile(self, profile: Profile) -> None:
        """Keep it."""
        self.profiles.append(profile)


# Collectors that come with warpmill: two small tools, as GT-Pin's users write them (§III-B).


class OpcodeCounts(Collector):
    """How often warps executed each opcode, over all launches of a run."""

    def __init__(self) -> None:
        self.warps = Counter[str]()

    def on_profile(self, profile: Profile) -> None:
        """Add a launch's."""
        for opcode in opcode_mix(profile):
            self.warps[opcode.name] += opcode.executions.warp_instructions

    def result(self) -> dict[str, int]:
        """The executions by opcode, the most executed first."""
        return dict(sorted(self.warps.items(), key=lambda item: (-item[1], item[0])))


class BlockVectors(Collector):
    """The basic block vector of each launch, which SimPoint and GT-Pin cluster by (§V)."""

    def __init__(self) -> None:
        self.vectors: list[Shares] = []

    def on_profile(self, profile: Profile) -> None:
        """Take a launch's; nothing beside blocks has to be counted."""
        self.vectors.append(block_vector(profile))

    def result(self) -> list[list[float]]:
        """Vector per launch: the share of its instructions that each block has."""
        return [vector.tolist() for vector in self.vectors]


STANDARD: dict[str, type[Collector]] = {
    "OpcodeCounts": OpcodeCounts,
    "BlockVectors": BlockVectors,
}
"""These collectors by name."""
