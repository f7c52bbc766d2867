"""Executors behind one interface: the native one, and the NumPy one of the tests.

`runner(ptx_path, kernel, grid, block, args)` launches and gives (thread_insts, warp_insts). `args`
are arrays, updated in place, or scalars of NumPy; one array given twice is one buffer. `seconds` is
the CPU time of all launches since the last `reset`, without copies and compilation; `blocks` are
the last launch's executions of each block, by warps and by threads.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from warpmill.analyzer.frontends.load import load_kernel


@cache
def loaded_kernel(path: Any, name: str) -> Any:
    """Read a kernel, its device functions inlined; each only once."""
    return load_kernel(path, name)


class Runner:
    """What the executors have in common."""

    def __init__(self) -> None:
        self.blocks: tuple[Any, Any] = ([], [])
        self.reset()

    def reset(self) -> None:
        """Count from zero."""
        self.seconds = 0.0
        self.thread_insts = self.warp_insts = 0

    def __call__(
        self, path: Any, kernel: str, grid: Any, block: Any, args: Sequence[Any], shared: int = 0
    ) -> tuple[int, int]:
        """Launch; what was counted."""
        threads, warps = self.launch(path, kernel, grid, block, args, shared)
        self.thread_insts += threads
        self.warp_insts += warps
        return threads, warps

    def launch(
        self, path: Any, kernel: str, grid: Any, block: Any, args: Sequence[Any], shared: int
    ) -> tuple[int, int]:
        """Launch; thread and warp instructions."""
        raise NotImplementedError


class NumpyRunner(Runner):
    """The whole-grid executor of the tests; ``exact`` or fast with fused multiply-adds."""

    exact = True

    def launch(
        self, path: Any, kernel: str, grid: Any, block: Any, args: Sequence[Any], shared: int
    ) -> tuple[int, int]:
        """Execute all threads of a chunk of CTAs as arrays."""
        from tests.reference.numpy_executor import execute  # noqa: PLC0415 - only where asked for

        loaded, its_kernel = loaded_kernel(path, kernel)
        begin = time.process_time()
        counts = execute(
            loaded.module, its_kernel, grid, block, args, shared_bytes=shared, exact=self.exact
        )
        self.seconds += time.process_time() - begin
        self.blocks = (counts.block_warps, counts.block_threads)
        return counts.thread_insts, counts.warp_insts


class NativeRunner(Runner):
    """warpmill's executor, through its device API."""

    def __init__(self, resident_ctas: int = 1) -> None:
        super().__init__()
        from warpmill.executor.host.cpu_device import CpuOptions  # noqa: PLC0415 - LLVM is slow to load
        from warpmill.executor.host.device import Device  # noqa: PLC0415 - as above

        self.device = Device(options=CpuOptions(resident_ctas=resident_ctas), record=False)
        self.kernel = cache(lambda path, name: self.device.load(path)[name])
        self.compiled: set[tuple[Any, str]] = set()

    @contextmanager
    def on_device(self, args: Sequence[Any]) -> Iterator[list[Any]]:
        """The arguments with their arrays on the device, which are copied back and freed."""
        there = {id(a): self.device.array(a) for a in args if isinstance(a, np.ndarray)}
        yield [there.get(id(a), a) for a in args]
        for array in args:
            if id(array) in there:
                array[...] = there[id(array)].get().reshape(array.shape)
        for array in there.values():
            self.device.free(array)

    def launch(
        self, path: Any, kernel: str, grid: Any, block: Any, args: Sequence[Any], shared: int
    ) -> tuple[int, int]:
        """Copy the arrays to the device, launch, and copy them back."""
        with self.on_device(args) as given:
            its_kernel = self.kernel(path, kernel)
            begin = time.process_time()
            launched: Any = self.device.launch(its_kernel, grid, block, given, shared)
            spent = time.process_time() - begin
        counts = launched.counts
        is_compiled = (path, kernel) in self.compiled  # the first launch compiles
        self.compiled.add((path, kernel))
        self.seconds += spent if is_compiled else counts.seconds
        self.blocks = tuple(
            blocks.tolist()
            for blocks in (counts.execution.block_warps, counts.execution.block_threads)
        )
        return counts.thread_instructions, counts.warp_instructions
