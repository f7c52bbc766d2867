"""What is estimated: a launch of a kernel with its traces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.analyzer.traces.source import TraceSource
from warpmill.simulator.estimate.kernel_facts import EstimateKernel


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
