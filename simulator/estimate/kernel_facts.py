"""What an estimate is of: a launch, and its kernel, whose facts are worked out once, when asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, memory_accesses
from warpmill.analyzer.analyses.access.merged_loads import MERGES, MergedLoad, merged_loads
from warpmill.analyzer.analyses.access.repeated_loads import (
    RepeatedLoad,
    repeated_loads,
    with_copies,
)
from warpmill.analyzer.analyses.divergence.analysis import divergent_branches
from warpmill.analyzer.analyses.liveness.schedule import KEEPS, scheduled_regions
from warpmill.analyzer.analyses.ranges.aggregation import (
    COUNTS,
    aggregated_atomics,
    counted_atomics,
)
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.static.plan import is_access
from warpmill.simulator.estimate.expansion.array_mixes import kept_mixes
from warpmill.simulator.estimate.expansion.expand import Expansion, expand
from warpmill.simulator.estimate.expansion.table import Mix
from warpmill.simulator.estimate.kernel_code import KernelAssembly, KernelCode
from warpmill.simulator.estimate.shares import flops_by_block
from warpmill.simulator.machines.capability import capability_of
from warpmill.simulator.machines.model import Machine

_ON_CHIP = frozenset({Space.SHARED, Space.CONST, Space.PARAM})


@dataclass(frozen=True)
class EstimateKernel:
    """A kernel, for the estimates of its launches.

    With ``kept``, instructions by block, no others cost anything. ``accesses`` are the kernel's
    memory accesses where they are known already.
    """

    module: Module
    structure: Structure
    kept: tuple[frozenset[int], ...] | None = None
    accesses: tuple[MemoryAccess, ...] | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel itself."""
        return self.structure.kernel

    def code(self, registers: int | None, capability: int | None = None) -> KernelCode:
        """Give the kernel's operations, not yet costed.

        In the order in which an assembler leaves them that gives a thread so many registers; None:
        in that of the text. Blocks are one that it makes one for a compute capability.
        """
        regions: tuple[tuple[int, ...], ...] = ()
        if registers is not None and capability is not None:
            regions = self.expansion(capability).branches.regions
        kept = self.in_registers(capability)
        key = registers, regions, bool(kept)
        if key not in self._codes:
            kernel, order = with_copies(self.kernel, self.repeated), None
            if registers is not None:
                view = self.structure.view if kernel is self.kernel else None
                order = scheduled_regions(kernel, self.structure.cfg, registers, regions, view)
            merged, copied = (
                frozenset(place for load in loads for place in load.others)
                for loads in (self.merged, self.repeated)
            )
            assembly = KernelAssembly(order, regions, self.expansion, merged, copied, kept)
            self._codes[key] = KernelCode(kernel, self.spaces, self.kept, assembly)
        return self._codes[key]

    @cached_property
    def _codes(self) -> dict[tuple[int | None, tuple[tuple[int, ...], ...], bool], KernelCode]:
        return {}

    def expansion(self, capability: int) -> Expansion:
        """Give what the kernel becomes in machine code of a compute capability, 86 for 8.6."""
        if capability not in self._expansions:
            self._expansions[capability] = expand(self.structure, capability, self._divergent)
        return self._expansions[capability]

    @cached_property
    def _expansions(self) -> dict[int, Expansion]:
        return {}

    @cached_property
    def _divergent(self) -> Mapping[int, int | None]:
        return divergent_branches(self.structure)

    @cached_property
    def flops(self) -> NDArray[np.float64]:
        """The operations of a thread in each block, as ``flops_by_block`` counts them."""
        return flops_by_block(self.kernel, self.module.warp_size)

    @cached_property
    def spaces(self) -> dict[tuple[int, int], Space]:
        """The space of each access, by (block, instruction), as far as analysis tells it."""
        return {(a.block, a.instruction): a.space for a in self.known_accesses}

    @cached_property
    def off_chip(self) -> Mapping[int, int]:
        """How many accesses of each block may leave the SM, by block, of those that have any."""
        return Counter(
            block.id
            for block in self.kernel.blocks
            for place, instruction in enumerate(block.instructions)
            if is_access(instruction) and not self._spaces_of(block.id, place) <= _ON_CHIP
        )

    def _spaces_of(self, block: int, place: int) -> set[Space]:
        """Give the spaces that an access is to; a copy reads one and writes another."""
        operation = self.kernel.blocks[block].instructions[place].operation
        if operation.op_class is OpClass.ASYNC_COPY:
            return {*operation.spaces} or {Space.GENERIC}
        return {self.spaces.get((block, place), operation.space or Space.GENERIC)}

    @cached_property
    def known_accesses(self) -> tuple[MemoryAccess, ...]:
        """What analysis says of the kernel's accesses."""
        if self.accesses is not None:
            return self.accesses
        return memory_accesses(self.module, self.structure)

    @cached_property
    def merged(self) -> tuple[MergedLoad, ...]:
        """Loads of shared memory that an assembler makes one, for chips where it does so."""
        return merged_loads(self.module, self.structure, self.known_accesses)

    @cached_property
    def repeated(self) -> tuple[RepeatedLoad, ...]:
        """Loads that an assembler makes once, for chips where it does so."""
        return repeated_loads(self.structure, self.known_accesses)

    def in_registers(self, capability: int | None) -> Mapping[tuple[int, int], Mix]:
        """Give what accesses to local arrays become that an assembler keeps in registers."""
        return self._kept if (capability or 0) >= KEEPS else {}

    @cached_property
    def _kept(self) -> Mapping[tuple[int, int], Mix]:
        return kept_mixes(self.structure, self.known_accesses)

    def merged_on(self, machine: Machine) -> tuple[MergedLoad, ...]:
        """Give the loads of shared memory that are one on a machine."""
        return self.merged if (capability_of(machine) or 0) >= MERGES else ()

    @cached_property
    def aggregated(self) -> frozenset[tuple[int, int]]:
        """Atomics that a warp makes as one, by (block, instruction)."""
        return aggregated_atomics(self.known_accesses)

    @cached_property
    def counted(self) -> frozenset[tuple[int, int]]:
        """Atomics on shared memory that count lanes, where chips can do that."""
        return counted_atomics(self.kernel, self.known_accesses)

    def as_one(self, machine: Machine) -> frozenset[tuple[int, int]]:
        """Give the atomics whose lanes at one word take no turns on a machine."""
        if (capability_of(machine) or 0) < COUNTS:
            return self.aggregated
        return self.aggregated | self.counted


@dataclass(frozen=True)
class EstimateSubject:
    """A launch of a kernel with its traces. Launches of one kernel may share its ``facts``."""

    facts: EstimateKernel
    launch: Launch
    source: TraceSource

    @property
    def kernel(self) -> Kernel:
        """The kernel that is launched."""
        return self.facts.kernel

    @cached_property
    def shared_bytes(self) -> int:
        """The shared memory that a CTA takes."""
        return shared_bytes(self.facts.module, self.kernel) + self.launch.dynamic_shared_bytes
