"""What the executor's memory holds, launch by launch, as hashes: two runs compared step by step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from warpmill.executor.host.backend import LaunchCounts, LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.recording import content_hash


@dataclass(frozen=True)
class LiveBuffer:
    """Memory that is allocated: where it lies, what it is called, the SHA-256 of its bytes."""

    address: int
    bytes: int
    name: str | None
    sha256: str


MemoryState = tuple[LiveBuffer, ...]
"""All allocations by ascending address."""


def memory_state(backend: CpuBackend) -> MemoryState:
    """Hash every live allocation: arrays, module variables, what textures and surfaces hold."""
    return tuple(
        LiveBuffer(a.address, a.bytes, a.name, content_hash(a.data))
        for a in backend.memory.allocations
    )


class HashingBackend(CpuBackend):
    """The executor, which hashes its memory after each launch, or after those that are chosen.

    ``states`` has them by the launch's number, from 0 in the order of launching. The executor gives
    the same addresses in every run, so that states of a program and of its replay are equal as
    they are.
    """

    def __init__(
        self, options: CpuOptions | None = None, chosen: Collection[int] | None = None
    ) -> None:
        super().__init__(options)
        self.states: dict[int, MemoryState] = {}
        self._chosen = None if chosen is None else frozenset(chosen)
        self._launched = 0

    def launch(self, request: LaunchRequest) -> LaunchCounts:
        """Run a kernel to its end, and hash what it leaves."""
        counts = super().launch(request)
        if self._chosen is None or self._launched in self._chosen:
            self.states[self._launched] = memory_state(self)
        self._launched += 1
        return counts
