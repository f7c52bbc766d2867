"""What is estimated: a launch of a kernel with its traces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from analyzer.analyses.memory import MemoryAccess, memory_accesses
from analyzer.analyses.structure import Structure
from analyzer.ir.kernel import Kernel, Module
from analyzer.launch.model import Launch
from analyzer.memory_rules import MemoryRules
from analyzer.trace.layout import shared_bytes
from analyzer.trace.source import TraceSource
from simulator.estimate.kernel_code import KernelCode
from simulator.estimate.traffic import AccessFacts


@dataclass(frozen=True)
class Subject:
    """A launch of a kernel with its traces; what does not depend on the machine is made once.

    With ``kept``, instructions by block, no others cost anything. ``accesses`` are the kernel's
    memory accesses where they are known already.
    """

    module: Module
    structure: Structure
    launch: Launch
    source: TraceSource
    kept: tuple[frozenset[int], ...] | None = None
    accesses: tuple[MemoryAccess, ...] | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel that is launched."""
        return self.structure.kernel

    @cached_property
    def shared_bytes(self) -> int:
        """The shared memory that a CTA takes."""
        return shared_bytes(self.module, self.kernel) + self.launch.dynamic_shared_bytes

    @cached_property
    def code(self) -> KernelCode:
        """The kernel's operations, not yet costed."""
        spaces = {(a.block, a.instruction): a.space for a in self._accesses}
        return KernelCode(self.kernel, spaces, self.kept)

    def facts(self, rules: MemoryRules) -> AccessFacts:
        """Give where the kernel's accesses point, with the rules that they are costed by."""
        return AccessFacts(
            {(a.block, a.instruction): a.space for a in self._accesses},
            {(a.block, a.instruction): a.base for a in self._accesses},
            {(a.block, a.instruction): a.width_bytes or 0 for a in self._accesses},
            self.source.layout,
            rules,
        )

    @cached_property
    def _accesses(self) -> tuple[MemoryAccess, ...]:
        if self.accesses is not None:
            return self.accesses
        return memory_accesses(self.module, self.structure)
