"""Where a replay stands: the device of now beside the addresses and numbers that were recorded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, WarpmillError
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.executor.host.backend import DeviceBackend, LaunchOutcome, LaunchRequest
from warpmill.executor.host.recording import LaunchCall, RecordedCall, Recording

BeforeLaunch = Callable[[LaunchCall, LaunchRequest, DeviceBackend], None]
"""Told a launch, as it was recorded and with the addresses of now, and the device it is about to
run on."""

OnLaunch = Callable[[LaunchCall, object], None]
"""Told a launch that has run, and its counts of blocks where the device counts."""


@dataclass(frozen=True)
class Hooks:
    """Who is told of launches: only of those whose calls have a number in ``chosen``."""

    chosen: dict[int, int]  # by the place of a launch's call, its number among the launches
    before: BeforeLaunch | None = None
    after: OnLaunch | None = None


@dataclass
class Replay:
    """The device that calls are repeated on; its addresses and handles may be others.

    ``hashes`` are those of the copies to the host by the index of their call, and ``reads`` their
    bytes where these are kept; ``launches`` are what the chosen launches did, by number.
    """

    recording: Recording
    backend: DeviceBackend
    hooks: Hooks
    keep_reads: bool = True
    reads: dict[int, npt.NDArray[np.uint8]] = field(default_factory=dict)
    hashes: dict[int, str] = field(default_factory=dict)
    differing: list[int] = field(default_factory=list)
    launches: dict[int, LaunchOutcome] = field(default_factory=dict)
    executed: int = 0
    kernels: dict[tuple[int, str], tuple[LoadedModule, Kernel]] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    moved: dict[int, tuple[int, int]] = field(default_factory=dict)  # recorded: bytes, address now
    handles: dict[int, int] = field(default_factory=dict)
    streams: dict[int, int] = field(default_factory=lambda: {0: 0})
    events: dict[int, int] = field(default_factory=dict)

    def place(self, recorded: int, size: int, address: int) -> None:
        """Remember where memory lies now."""
        if recorded not in self.moved:
            self.starts.insert(bisect_right(self.starts, recorded), recorded)
        self.moved[recorded] = (size, address)

    def address(self, recorded: int) -> int:
        """Give where an address of the recording is now. InputError for one of no memory."""
        place = bisect_right(self.starts, recorded) - 1
        start = self.starts[place] if place >= 0 else recorded + 1
        offset = recorded - start
        if offset < 0 or offset > self.moved[start][0]:
            raise InputError(f"there is no memory at {recorded:#x}")
        return self.moved[start][1] + offset

    def content(self, digest: str) -> bytes:
        """Give bytes that were kept. InputError."""
        return kept_content(self.recording, digest)

    def known(self, table: dict[int, int], number: int) -> int:
        """Give what a number of the recording is now. InputError."""
        if number not in table:
            raise InputError(f"number {number} was never made")
        return table[number]


def kept_content(recording: Recording, digest: str) -> bytes:
    """Give bytes that a recording has kept. InputError."""
    if digest not in recording.contents:
        raise InputError("the recording has not kept the bytes that it needs")
    return recording.contents[digest]


@contextmanager
def placed(recording: Recording, call: RecordedCall) -> Iterator[None]:
    """What goes wrong with a call, where it names no file, names the recording's and the call."""
    try:
        try:
            yield
        except (ValueError, KeyError, IndexError, OverflowError) as error:
            raise InputError(str(error)) from None
    except WarpmillError as error:
        where = f"call {call.index}, {call.call}: "
        error.put_in(recording.file or "the recording", where)
        raise
