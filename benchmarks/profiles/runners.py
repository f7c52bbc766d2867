"""The executor's runner with collectors, and one that takes the traces of all CTAs instead."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from warpmill.analyzer.traces.file_format import FAST_LEVEL, encoded_batch, packed
from warpmill.benchmarks.execution.runners import NativeRunner
from warpmill.executor.collectors import Collector, ProfileCollector
from warpmill.executor.cta_tracing import CtaTracer
from warpmill.executor.observation import Observation


class BlockTool(Collector):
    """A tool that is told of blocks."""

    seen = 0

    def on_blocks(self, blocks: Any) -> None:
        """Count executions."""
        self.seen += int(blocks.count.sum())


class AccessTool(Collector):
    """A tool that is told of accesses, and looks at one address of each."""

    seen = 0

    def on_accesses(self, accesses: Any) -> None:
        """Count accesses."""
        self.seen += len(accesses)
        accesses.base.max(initial=0)


TOOLS: dict[str, Callable[[], Collector]] = {
    "profile": ProfileCollector,
    "blocks_only": lambda: ProfileCollector(()),
    **{n: lambda n=n: ProfileCollector((n,))  # type: ignore[misc] # a default binds the name
       for n in ("edges", "lanes", "paths", "memory", "ctas")},
    "block_tool": BlockTool,
    "access_tool": AccessTool,
}  # fmt: skip
"""Collectors whose cost is measured, by name."""


class CollectingRunner(NativeRunner):
    """The executor with collectors; without any it is bare."""

    def __init__(self, *collectors: Collector) -> None:
        super().__init__()
        if collectors:
            backend: Any = self.device.backend
            backend.instrument = Observation(collectors)


class TracingRunner(NativeRunner):
    """Takes the traces of all CTAs of each launch, and how many bytes a file of them has.

    ``seconds`` are those of making the events, ``written`` those of writing them.
    """

    def reset(self) -> None:
        """Count from zero."""
        super().reset()
        self.written, self.bytes = 0.0, 0

    def launch(
        self, path: Any, kernel: str, grid: Any, block: Any, args: Sequence[Any], shared: int
    ) -> tuple[int, int]:
        """Execute CTA after CTA, and take down every event."""
        its_kernel: Any = self.kernel(path, kernel)
        backend: Any = self.device.backend
        lengths = np.array([len(b.instructions) for b in its_kernel.kernel.blocks])
        threads = warps = 0
        with self.on_device(args) as given:
            request = self.device.request(its_kernel, grid, block, given, shared)
            prepared = backend.prepared(request)
            begin, before = time.process_time(), self.written
            for batch in CtaTracer(prepared).batches(range(math.prod(request.grid))):
                instructions = lengths[batch.block]
                warps += int(instructions.sum())
                threads += int((np.bitwise_count(batch.mask) * instructions).sum())
                start = time.process_time()
                self.bytes += len(packed(encoded_batch(batch), FAST_LEVEL))
                self.written += time.process_time() - start
            self.seconds += time.process_time() - begin - (self.written - before)
        return threads, warps
