"""A GPU that times each launch by events, and tells what its kernel takes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from warpmill.executor.host.backend import LaunchOutcome, LaunchRequest
from warpmill.executor.host.cuda_device import CudaBackend, Driver

WAIT_CYCLES = 200_000
"""Cycles for which the GPU is kept busy before a launch: the host takes longer to make a launch
and its events than many kernels run, and the GPU would wait for it between the events."""

ATTRIBUTES = (
    "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES",
    "CU_FUNC_ATTRIBUTE_NUM_REGS",
    "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES",
)
WAIT = Path(__file__).with_name("wait.ptx")


@dataclass(frozen=True)
class TimedLaunch:
    """A launch as the GPU made it.

    ``registers`` are those of a thread, ``static_shared`` and ``local`` bytes of a CTA and of a
    thread, as the driver's assembler has them. ``ms`` is the time between the events around it.
    """

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    dynamic_shared: int
    static_shared: int
    registers: int
    local: int
    ms: float | None = None

    @property
    def row(self) -> dict[str, Any]:
        """What it is, as a table has it."""
        sizes = {name: "x".join(map(str, getattr(self, name))) for name in ("grid", "block")}
        return {name: value for name, value in (asdict(self) | sizes).items() if name != "ms"}


class TimedBackend(CudaBackend):
    """The first GPU. ``taken`` gives the launches since it was last asked, and frees their memory.

    ``flushed_bytes``: so many are written before each launch, so that L2 holds nothing else; 0: it
    holds what was used last. ``profiled`` are the numbers of launches that a profiler is to see.
    """

    def __init__(self, driver: Driver | None = None) -> None:
        super().__init__(driver)
        self.flushed_bytes = 0
        self.profiled: Collection[int] = ()
        self._launches: list[TimedLaunch] = []
        self._pairs: list[tuple[int, int]] = []
        self._addresses: set[int] = set()
        self._scratch: dict[int, int] = {}

    @cached_property
    def _wait(self) -> Any:
        module = self._driver.call("cuModuleLoadData", WAIT.read_bytes() + b"\0")
        return self._driver.call("cuModuleGetFunction", module, b"warpmill_wait")

    def allocate(self, size: int, name: str | None, *, zeroed: bool) -> int:
        """New memory, which ``taken`` frees if nothing else does."""
        address = super().allocate(size, name, zeroed=zeroed)
        self._addresses.add(address)
        return address

    def free(self, address: int) -> None:
        """Give memory back."""
        super().free(address)
        self._addresses.discard(address)

    def launch(self, request: LaunchRequest) -> LaunchOutcome:
        """Put a launch between two events, behind what keeps the GPU busy until all three wait."""
        number = len(self._launches)
        self._launches.append(self._described(request))
        if number == len(self._pairs):
            self._pairs.append((self.event(), self.event()))
        begin, end = self._pairs[number]
        if size := self.flushed_bytes:
            if size not in self._scratch:
                self._scratch[size] = self.allocate(size, None, zeroed=False)
            self.fill(self._scratch[size], number & 0xFF, size, request.stream)
        seen = number in self.profiled
        if seen:
            self._driver.call("cuCtxSynchronize")
            self._driver.call("cuProfilerStart")
        else:
            self._keep_busy(request.stream)
        self.record_event(begin, request.stream)
        counts = super().launch(request)
        self.record_event(end, request.stream)
        if seen:
            self._driver.call("cuCtxSynchronize")
            self._driver.call("cuProfilerStop")
        return counts

    def taken(self) -> tuple[TimedLaunch, ...]:
        """The launches so far with their times, and begin anew."""
        self.synchronize(None)
        pairs = zip(self._launches, self._pairs, strict=False)
        done = tuple(replace(one, ms=self.elapsed_ms(*pair)) for one, pair in pairs)
        self._launches.clear()
        for address in sorted(self._addresses - set(self._scratch.values())):
            self.free(address)
        return done

    def begin_anew(self) -> None:
        """Give back all that there is on the GPU: after a fault nothing of it can be used."""
        self._driver.call("cuDevicePrimaryCtxReset", self._driver.call("cuDeviceGet", 0))
        self.__dict__.pop("_wait", None)
        TimedBackend.__init__(self, self._driver)

    def _described(self, request: LaunchRequest) -> TimedLaunch:
        handle = self._module(request.module, request.loaded)
        function = self._driver.call("cuModuleGetFunction", handle, request.kernel.name.encode())
        names = self._driver.names.CUfunction_attribute
        of = [
            int(self._driver.call("cuFuncGetAttribute", getattr(names, name), function))
            for name in ATTRIBUTES
        ]
        shared = request.dynamic_shared_bytes
        return TimedLaunch(request.kernel.name, request.grid, request.block, shared, *of)

    def _keep_busy(self, stream: int) -> None:
        cycles = np.array([WAIT_CYCLES], np.uint64)
        pointers = np.array([cycles.ctypes.data], np.uint64)
        parts = (self._wait, 1, 1, 1, 1, 1, 1, 0, self._streams[stream], pointers.ctypes.data, 0)
        self._driver.call("cuLaunchKernel", *parts)
