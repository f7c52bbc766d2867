"""Recordings run again: the same calls on a new device, with the same results (GT-Pin, §V-E).

All launches, or chosen ones. A launch needs the memory that the calls before it have left, so those
are made too, launches that were not chosen among them; nothing after the last chosen launch is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.executor.host.backend import Backend, LaunchCounts, LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.recording import Call, LaunchCall, Recording
from warpmill.executor.host.replay_calls import launch_request, make_again
from warpmill.executor.host.replay_state import (
    BeforeLaunch,
    Hooks,
    OnLaunch,
    Replay,
    placed,
)


@dataclass(frozen=True)
class Replayed:
    """What a recording gave when it was run again.

    ``reads`` are the bytes of each copy to the host by the index of its call, where they were kept,
    and ``hashes`` their SHA-256. ``differing`` are the calls whose bytes or counts are not those
    that were recorded. ``launches`` are the counts of the chosen launches by their number, without
    those of blocks; ``executed`` is how many launches were run, chosen or not, and ``calls`` how
    many calls were made.
    """

    reads: dict[int, npt.NDArray[np.uint8]]
    differing: tuple[int, ...]
    hashes: dict[int, str] = field(default_factory=dict)
    launches: dict[int, LaunchCounts] = field(default_factory=dict)
    executed: int = 0
    calls: int = 0


def replay(  # noqa: PLR0913 - each option by its name
    recording: Recording,
    backend: Backend | None = None,
    options: CpuOptions | None = None,
    on_launch: OnLaunch | None = None,
    *,
    chosen: Collection[int] | None = None,
    before_launch: BeforeLaunch | None = None,
    keep_reads: bool = True,
) -> Replayed:
    """Run the calls of a recording, on the executor unless told otherwise.

    ``chosen`` are numbers of launches, from 0 in their order: the calls up to the last of them are
    made; without it, all calls. ``before_launch`` is told each chosen launch, with the device that
    it is about to run on, so that the device can be made to look closer: ``CpuBackend.instrument``,
    set there and taken away in ``on_launch``, observes these launches alone. ``on_launch`` is told
    the launch afterwards, with its counts of blocks where the device counts. Others run plainly.
    Copies to the host and counts are compared with the recorded ones as far as calls are made.

    UsageError for a launch that is not there, InputError where the recording has not kept what was
    copied to the device, or contradicts itself.
    """
    calls, numbers = _needed(recording, chosen)
    hooks = Hooks(numbers, before_launch, on_launch)
    run = Replay(recording, backend or CpuBackend(options), hooks, keep_reads)
    for call in calls:
        make_again(run, call)
    run.backend.synchronize(None)  # what a GPU does wrong shows here at the latest
    differing = tuple(run.differing)
    return Replayed(run.reads, differing, run.hashes, run.launches, run.executed, len(calls))


def launch_to_be_made(
    recording: Recording, number: int, options: CpuOptions | None = None
) -> tuple[CpuBackend, LaunchRequest]:
    """Run a recording up to a launch, by its number from 0, and give this one without making it.

    The device is the executor, as the launch would find it. Errors as ``replay``'s.
    """
    walk = ReplayWalk(recording, options)
    request = walk.to(number)
    return walk.backend, request


class ReplayWalk:
    """A recording run step by step, from launch to launch, on an executor of its own."""

    def __init__(self, recording: Recording, options: CpuOptions | None = None) -> None:
        self.backend = CpuBackend(options)
        self._run = Replay(recording, self.backend, Hooks({}), keep_reads=False)
        self._done = 0  # calls that were made
        self._places = [n for n, c in enumerate(recording.calls) if isinstance(c, LaunchCall)]

    def is_past(self, number: int) -> bool:
        """Whether a launch was made already."""
        return number < len(self._places) and self._places[number] < self._done

    def pass_over(self, number: int) -> None:
        """Go on behind a launch, which was given last and has been made in another way."""
        self._done = self._places[number] + 1

    def to(self, number: int) -> LaunchRequest:
        """Make all calls before a launch, by its number from 0, and give this one unmade.

        ValueError where it was made already; else errors as ``replay``'s.
        """
        if not 0 <= number < len(self._places):
            raise UsageError(no_such_launch(number, len(self._places)))
        if self.is_past(number):
            raise ValueError(f"launch {number} was made already")
        calls = self._run.recording.calls
        while self._done < self._places[number]:
            make_again(self._run, calls[self._done])
            self._done += 1
        launch = calls[self._places[number]]
        assert isinstance(launch, LaunchCall)
        with placed(self._run.recording, launch):
            return launch_request(self._run, launch)


def _needed(
    recording: Recording, chosen: Collection[int] | None
) -> tuple[tuple[Call, ...], dict[int, int]]:
    """Give the calls up to the last chosen launch, and the chosen ones' numbers by their calls."""
    launches = recording.launches
    if chosen is None:
        return recording.calls, {call.index: n for n, call in enumerate(launches)}
    for number in chosen:
        if not 0 <= number < len(launches):
            raise UsageError(no_such_launch(number, len(launches)))
    numbers = {launches[n].index: n for n in chosen}
    return recording.calls[: max(numbers, default=-1) + 1], numbers


def no_such_launch(number: int, count: int) -> str:
    """Say that a recording of ``count`` launches has none of a number."""
    there = f"its {count} launches are 0 to {count - 1}" if count else "it has none"
    return f"the recording has no launch {number}; {there}"
