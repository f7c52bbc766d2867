"""Result of ``replay``: counts of launches this time, and whether they are those recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.executor.host.backend import LaunchOutcome
from warpmill.executor.host.recording import LaunchCall, ReadCall, ReadTextureCall, Recording
from warpmill.executor.host.replay import Replayed
from warpmill.report.base import Id, Part, Report


class ReplayedLaunch(Part):
    """A launch that was run again: how it was recorded, and what it did now.

    ``number`` is its place among the launches, from 0.
    """

    number: Id
    recorded: LaunchCall
    counts: Annotated[LaunchOutcome, INTERNAL]  # its time differs from run to run

    @derived("Warp instructions", "inst")
    def warp_instructions(self) -> int | None:
        """Warp instructions of this time."""
        return self.counts.warp_instructions

    @derived("Thread instructions", "thread inst")
    def thread_instructions(self) -> int | None:
        """Thread instructions of this time."""
        return self.counts.thread_instructions

    @derived("As recorded")
    def equal(self) -> bool | None:
        """Whether the counts are those that were recorded; null where one is not known."""
        now = (self.counts.warp_instructions, self.counts.thread_instructions)
        then = (self.recorded.warp_instructions, self.recorded.thread_instructions)
        return None if None in (*now, *then) else now == then


class ReplayedRead(Part):
    """A copy to the host: what was recorded, and the SHA-256 of its bytes now."""

    recorded: ReadCall | ReadTextureCall
    sha256: Annotated[str, Metric("SHA256")]

    @derived("As recorded")
    def equal(self) -> bool:
        """Whether the bytes are those that were recorded."""
        return self.sha256 == self.recorded.content


class ReplayCount(Part):
    """How many calls of a kind were made, of those that the recording has."""

    made: Annotated[int, Metric("Executed")]
    recorded: Annotated[int, Metric("Recorded")]


class ReplayReport(Report):
    """A recording run again, whole or up to the last of the launches that were chosen.

    ``chosen`` are launches, listed in ``launches``; null where all calls were made.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["replay"] = "replay"
    recording: str
    device: str
    chosen: tuple[Id, ...] | None
    held: Annotated[Recording, INTERNAL]
    replayed: Annotated[Replayed, INTERNAL]

    @derived("Recorded on")
    def recorded_on(self) -> str:
        """The device that the recording is of."""
        return self.held.device

    @derived("As recorded")
    def equal(self) -> bool:
        """Whether nothing that was compared differs."""
        return not self.replayed.differing

    @derived("Calls with a difference")
    def differing(self) -> tuple[Id, ...]:
        """Places of calls that are not as recorded: launches by counts, copies by bytes."""
        return self.replayed.differing

    @derived("Calls")
    def totals(self) -> Mapping[str, ReplayCount]:
        """How many calls, launches and copies to the host were made."""
        reads = sum(isinstance(c, ReadCall | ReadTextureCall) for c in self.held.calls)
        done = self.replayed
        return {
            "calls": ReplayCount(made=done.calls, recorded=len(self.held.calls)),
            "launches": ReplayCount(made=done.executed, recorded=len(self.held.launches)),
            "reads": ReplayCount(made=len(done.hashes), recorded=reads),
        }

    @derived("Launches")
    def launches(self) -> list[ReplayedLaunch]:
        """The launches, or those that were chosen."""
        recorded = self.held.launches
        return [
            ReplayedLaunch(number=number, recorded=recorded[number], counts=counts)
            for number, counts in self.replayed.launches.items()
        ]

    @derived("Copies to the host")
    def reads(self) -> list[ReplayedRead]:
        """The copies to the host."""
        found = []
        for place, digest in self.replayed.hashes.items():
            call = self.held.calls[place]
            assert isinstance(call, ReadCall | ReadTextureCall)
            found.append(ReplayedRead(recorded=call, sha256=digest))
        return found
