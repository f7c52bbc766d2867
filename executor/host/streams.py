"""Streams and events of a device, as a host program holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from warpmill.analyzer.base.diagnostics import UsageError

if TYPE_CHECKING:
    from warpmill.executor.host.backend import DeviceBackend


class SupportsStreams(Protocol):
    """What streams and events ask of their device."""

    backend: DeviceBackend

    def synchronize(self, stream: Stream | None = None) -> None:
        """Wait for a stream."""

    def flush(self, stream: Stream | None = None) -> None:
        """Let what waits in a stream begin to run."""

    def record_event(self, event: Event, stream: Stream | None = None) -> None:
        """Put an event into a stream."""

    def wait_event(self, event: Event, stream: Stream | None = None) -> None:
        """Let a stream wait for an event."""

    def synchronize_event(self, event: Event) -> None:
        """Wait for an event."""


class Stream:
    """An order of work.

    The executor runs all streams in the order of the program, which is one of the orders that a
    GPU may take; recordings keep which stream each call was for.
    """

    def __init__(self, device: SupportsStreams, number: int) -> None:
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

    def __init__(self, device: SupportsStreams, number: int) -> None:
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
