"""One device that goes from launch to launch, for their executed traces.

Launches of a launch file or a recording change the memory that the next ones find. Asked for in
their order, each is run once: where all CTAs of one were traced, that was its run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Generic, Protocol, TypeVar

from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.layout import LaunchLayout, lay_out
from warpmill.analyzer.traces.model import Assumption, WarpTrace
from warpmill.executor.executed_source import ExecutedSource, layout_on
from warpmill.executor.host.backend import LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.host.launch_run import LaunchSession
from warpmill.executor.host.recording import Recording
from warpmill.executor.host.replay import LaunchInRecording

Triple = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class LaunchStep:
    """A launch with its kernel, as a launch file or a recording has it: itself, not one like it."""

    loaded: LoadedModule
    kernel: Kernel
    launch: Launch


Place_contra = TypeVar("Place_contra", contravariant=True)
"""Name of a launch: its number in a recording, or the steps of a launch file up to it."""


class LaunchWalk(Protocol[Place_contra]):
    """Launches made one after another on a device of their own."""

    @property
    def backend(self) -> CpuBackend:
        """The device."""
        ...

    def is_past(self, place: Place_contra) -> bool:
        """Whether the device's memory is no longer what a launch finds, or never was."""
        ...

    def to(self, place: Place_contra) -> LaunchRequest:
        """Make all launches before one, and give that one unmade."""
        ...

    def pass_over(self, place: Place_contra) -> None:
        """Go on behind the launch that was given last, which has been made in another way."""
        ...


class LaunchFileWalk:
    """Launches of a launch file; a place has the steps before a launch and, at its end, its own."""

    def __init__(self, options: CpuOptions) -> None:
        self.backend = CpuBackend(options)
        self._session = LaunchSession(Device(self.backend, record=False))
        self._made: tuple[LaunchStep, ...] = ()
        self._given: tuple[LaunchStep, LaunchRequest] | None = None

    def is_past(self, place: tuple[LaunchStep, ...]) -> bool:
        """Whether what was made and given is not how the place begins."""
        done = self._made if self._given is None else (*self._made, self._given[0])
        return len(done) >= len(place) or done != place[: len(done)]

    def to(self, place: tuple[LaunchStep, ...]) -> LaunchRequest:
        """Make all launches before the last of the place, and give that one unmade."""
        if self._given is not None:
            step, request = self._given
            self.backend.launch(request)
            self.pass_over((*self._made, step))
        for step in place[len(self._made) : -1]:
            self._session.run(step.loaded, step.kernel, step.launch)
        last = place[-1]
        request = self._session.request(last.loaded, last.kernel, last.launch)
        self._made, self._given = place[:-1], (last, request)
        return request

    def pass_over(self, place: tuple[LaunchStep, ...]) -> None:
        """Go on behind the launch that was given last, which has been made in another way."""
        self._made, self._given = place, None

    def let_go(self) -> None:
        """Forget arrays and modules, for who goes on with the backend alone."""
        self._session.device.let_go()


At = TypeVar("At", bound=Hashable)


@dataclass
class ReplayDevice(Generic[At]):
    """Executed traces of several launches. What was executed does not go to another process.

    ``start`` makes a device on which no launch has been made yet.
    """

    start: Callable[[CpuOptions], LaunchWalk[At]]
    _walk: LaunchWalk[At] | None = field(default=None, repr=False)
    _current: tuple[At, int | None, ExecutedSource] | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return ReplayDevice, (self.start,)

    def executed(
        self, place: At, step: LaunchStep, max_instructions: int | None, reason: str
    ) -> ExecutedSource:
        """Traces of a launch, which hold until those of another one are asked for.

        InputError, ExecutionFault, LimitError as executing the launches before it gives.
        """
        if self._current is not None and self._current[:2] == (place, max_instructions):
            return self._current[2]
        walk = self._walk_before(place, max_instructions)
        source = executed_on(walk.backend, walk.to(place), step, reason)
        self._current = (place, max_instructions, source)
        return source

    def _walk_before(self, place: At, max_instructions: int | None) -> LaunchWalk[At]:
        """A device that stands before a launch or earlier; its memory is as it was there."""
        current, self._current = self._current, None
        if current is not None and self._walk is not None:
            traced, most, source = current
            if most != max_instructions:
                self._walk = None
            elif source.finish():
                self._walk.pass_over(traced)
        if self._walk is None or self._walk.is_past(place):
            self._walk = self.start(CpuOptions(max_instructions=max_instructions))
        return self._walk


def executed_on(
    backend: CpuBackend, request: LaunchRequest, step: LaunchStep, reason: str, data: str = ""
) -> ExecutedSource:
    """Traces of a launch that could be made on a device now. ``data``: a hash of what it holds."""
    alone = lay_out(step.loaded.module, step.kernel, step.launch)
    layout = layout_on(backend, request, step.launch, alone)
    return ExecutedSource(backend, request, layout, reason, data)


class SharedDeviceSource(Generic[At]):
    """Traces of one launch of several (a ``TraceSource``), whatever others are traced between.

    ``data`` is a hash of what the launch depends on. ExecutionFault and LimitError as executing it
    gives.
    """

    kind = "executed"
    ctas = None
    assumptions: tuple[Assumption, ...] = ()

    def __init__(
        self,
        device: ReplayDevice[At],
        place: At,
        step: LaunchStep,
        *,
        max_instructions: int | None,
        reason: str,
        data: Callable[[], str],
    ) -> None:
        self.reason = reason
        self._device, self._place, self._step = device, place, step
        self._most, self._data = max_instructions, data
        self.layout: LaunchLayout = self._executed().layout

    def _executed(self) -> ExecutedSource:
        """The traces, on the device brought to this launch."""
        return self._device.executed(self._place, self._step, self._most, self.reason)

    @property
    def data(self) -> str:
        """A hash of what the launch depends on."""
        return self._data()

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""
        return self._step.kernel

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """Traces of a CTA's warps, in order."""
        return self._executed().warps(cta)

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """Traces of several CTAs, in order."""
        return self._executed().many(ctas)

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        """Events of several CTAs as arrays, in order, some CTAs at a time."""
        return self._executed().batches(ctas)

    def beginnings(self, ctas: Iterable[Triple], words: int) -> EventBatch | None:
        """Events that CTAs begin with; as ``analyzer.traces.source.SupportsProbing`` says."""
        return self._executed().beginnings(ctas, words)

    def executions(self, ctas: Iterable[Triple]) -> Sequence[Mapping[int, int]] | None:
        """Executions of blocks; as ``analyzer.traces.source.SupportsProbing`` says."""
        return self._executed().executions(ctas)


@dataclass(frozen=True)
class RecordedLaunchPlace:
    """A launch of a recording, by its number from 0, and the device that replays it."""

    recording: Recording = field(compare=False, repr=False)
    launches: tuple[LaunchInRecording, ...] = field(compare=False, repr=False)
    device: ReplayDevice[int] = field(compare=False, repr=False)
    number: int

    def digest(self) -> str:
        """A hash of the calls up to the launch, which say what its memory holds. SHA-256."""
        last = self.recording.launches[self.number].index
        digest = sha256()
        for call in self.recording.calls:
            if call.index <= last:
                digest.update(repr(call).encode())
        return digest.hexdigest()
