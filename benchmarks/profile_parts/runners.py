"""The executor's runner with collectors, and one that takes the traces of all CTAs instead."""

from __future__ import annotations

import math
import time

import numpy as np

from benchmarks.execution_parts.runners import NativeRunner
from warpmill.analyzer.traces.file_format import FAST_LEVEL, encoded_batch, packed
from warpmill.executor.collectors import Collector, ProfileCollector
from warpmill.executor.cta_tracing import CtaTracer
from warpmill.executor.observation import Observation


class BlockTool(Collector):
    """A tool that is told of blocks."""

    seen = 0

    def on_blocks(self, blocks):
        """Count executions."""
        self.seen += int(blocks.count.sum())


class AccessTool(Collector):
    """A tool that is told of accesses, and looks at one address of each."""

    seen = 0

    def on_accesses(self, accesses):
        """Count accesses."""
        self.seen += len(accesses)
        accesses.base.max(initial=0)


TOOLS = {
    "profile": ProfileCollector,
    "blocks_only": lambda: ProfileCollector(()),
    "edges": lambda: ProfileCollector(("edges",)),
    "lanes": lambda: ProfileCollector(("lanes",)),
    "paths": lambda: ProfileCollector(("paths",)),
    "memory": lambda: ProfileCollector(("memory",)),
    "ctas": lambda: ProfileCollector(("ctas",)),
    "block_tool": BlockTool,
    "access_tool": AccessTool,
}
"""Collectors whose cost is measured, by name."""


class CollectingRunner(NativeRunner):
    """The executor with collectors; without any it is bare."""

    def __init__(self, *collectors):
        super().__init__()
        if collectors:
            self.device.backend.instrument = Observation(collectors)


class TracingRunner(NativeRunner):
    """Takes the traces of all CTAs of each launch, and how many bytes a file of them has.

    ``seconds`` are those of making the events, ``written`` those of writing them.
    """

    def reset(self):
        """Count from zero."""
        super().reset()
        self.written, self.bytes = 0.0, 0

    def launch(self, path, kernel, grid, block, args, shared):
        """Execute CTA after CTA, and take down every event."""
        on_device = {id(a): self.device.array(a) for a in args if isinstance(a, np.ndarray)}
        given = [on_device.get(id(a), a) for a in args]
        its_kernel = self.kernel(path, kernel)
        request = self.device.request(its_kernel, grid, block, given, shared)
        prepared = self.device.backend.prepared(request)
        lengths = np.array([len(b.instructions) for b in its_kernel.kernel.blocks])
        threads = warps = 0
        begin, before = time.process_time(), self.written
        for batch in CtaTracer(prepared).batches(range(math.prod(request.grid))):
            instructions = lengths[batch.block]
            warps += int(instructions.sum())
            threads += int((np.bitwise_count(batch.mask) * instructions).sum())
            self._write(batch)
        self.seconds += time.process_time() - begin - (self.written - before)
        for array in args:
            if id(array) in on_device:
                array[...] = on_device[id(array)].get().reshape(array.shape)
        for array in on_device.values():
            self.device.free(array)
        return threads, warps

    def _write(self, batch):
        begin = time.process_time()
        self.bytes += len(packed(encoded_batch(batch), FAST_LEVEL))
        self.written += time.process_time() - begin
