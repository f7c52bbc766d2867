"""Native code that calls back: the door between a run and what the host does for its threads."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import GLOBAL_BASE, WINDOW_BYTES, WINDOWS
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.host_functions import HostFunctions

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel

_CALL = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32
)
_ARRAYS = {Space.SHARED: "shared", Space.CONST: "constants", Space.PARAM: "params"}


class Run(Protocol):
    """What a call sees of the run that it comes from."""

    compiled: CompiledKernel
    memory: DeviceMemory
    arrays: dict[str, npt.NDArray[Any]]

    def get(self, name: str) -> int:
        """Read a field of the context."""

    def set(self, name: str, number: int) -> None:
        """Write a field of the context."""

    def renew_allocations(self) -> None:
        """Show native code the allocations as they are now."""


class Host:
    """Takes the calls of one run. What goes wrong in one is raised when the run is back."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._lane = 0
        self._functions = HostFunctions(run.memory, self._read, run.renew_allocations)
        self._entry = _CALL(self._call)  # kept alive: native code has its address
        self.error: Exception | None = None
        run.set("host", ctypes.cast(self._entry, ctypes.c_void_p).value or 0)

    @property
    def printed(self) -> str:
        """What threads printed so far."""
        return "".join(self._functions.printed)

    def _call(self, _context: int, number: int, first: int, second: int, lane: int) -> int:
        self._lane = lane
        mask = (1 << 64) - 1
        try:
            return self._functions.call(number, first & mask, second & mask)
        except Exception as error:  # it may not pass through native code
            self.error = self.error or error
            self._run.set("budget", 0)
            return 0

    def _read(self, address: int, size: int) -> bytes:
        """Read memory as the calling thread sees it; less than asked for at an end."""
        run = self._run
        if address >= GLOBAL_BASE:
            found = run.memory.find(address)
            if found is None:
                return b""
            return run.memory.view(address, min(size, found.end - address)).tobytes()
        for space, window in WINDOWS.items():
            offset = address - window
            if 0 <= offset < WINDOW_BYTES:
                return self._window(space, offset, size)
        return b""

    def _window(self, space: Space, offset: int, size: int) -> bytes:
        run = self._run
        if space is not Space.LOCAL:
            return run.arrays[_ARRAYS[space]][offset : offset + size].tobytes()
        each = run.compiled.local_bytes
        start = (run.get("warp") * run.compiled.lanes + self._lane) * each
        return run.arrays["local"][start + offset : start + min(offset + size, each)].tobytes()
