"""Streams and events of a device, as a host program holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import UsageError

if TYPE_CHECKING:
    from warpmill.executor.host.device import Device


class Stream:
    """An order of work.

    The executor runs all streams in the order of the program, which is one of the orders that a
    GPU may take; recordings keep which stream each call was for.
    """

    def __init__(self, device: Device, number: int) -> None:
        self.device = device
        self.number = number

    def synchronize(self) -> None:
        """Wait until all that is in it is done."""
        self.device.synchronize(self)

    def flush(self) -> None:
        """Let what is in it begin to run, and do not wait for it."""
        self.device.flush(self)

    def wait(self, event: Event) -> None:
        """Let what comes after wait for an event."""
        self.device.wait_event(event, self)

    def __repr__(self) -> str:
        return f"<stream {self.number}>"


class Event:
    """A mark in a stream."""

    def __init__(self, device: Device, number: int) -> None:
        self.device = device
        self.number = number
        self.is_recorded = False

    def record(self, stream: Stream | None = None) -> None:
        """Put it into a stream."""
        self.device.record_event(self, stream)

    def synchronize(self) -> None:
        """Wait until the work before it is done."""
        self.device.synchronize_event(self)

    def elapsed_ms(self, start: Event) -> float | None:
        """Give the milliseconds from another event to this one, by the clock of a GPU.

        None on the executor: how long a GPU takes is not measured there but estimated. UsageError
        unless both are recorded.
        """
        if not (self.is_recorded and start.is_recorded):
            raise UsageError("the time between events needs both to be recorded")
        return self.device.backend.elapsed_ms(start.number, self.number)

    def __repr__(self) -> str:
        return f"<event {self.number}>"
