"""Applications as targets of what takes a launch: host programs, recordings and workloads.

They are run once, with every call kept; each launch is then a job like that of a launch file, whose
executed traces come from the recording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import find_launched
from warpmill.analyzer.ir.distinct_names import distinct_names
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.traces.layout import lay_out
from warpmill.executor.executed_source import ExecutedSource, layout_on
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.recorded_launches import RecordedLaunch, recorded_launches
from warpmill.executor.host.recording import Recording
from warpmill.executor.host.recording_file import load_recording
from warpmill.executor.host.replay import ReplayWalk
from warpmill.session.jobs import Analysis, Job, LaunchOptions
from warpmill.session.shared_sources import SharedSource


@dataclass
class Application:
    """A recording with its launches; it hands out their traces, one launch at a time.

    One device goes from launch to launch, so that asking for them in their order runs each once.
    """

    title: str
    recording: Recording
    launches: tuple[RecordedLaunch, ...]
    _analyses: dict[int, Analysis] = field(default_factory=dict, repr=False)
    _walk: ReplayWalk | None = field(default=None, repr=False)
    _current: tuple[int, int | None, ExecutedSource] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, title: str, recording: Recording) -> Application:
        """Read the launches of a recording. InputError."""
        return cls(title, recording, recorded_launches(recording))

    def job(self, number: int) -> Job:
        """Give a launch, by its number from 0, as a job."""
        one = self.launches[number]
        launch = replace(one.launch, file=self.title)
        recorded = ApplicationLaunch(self, number)
        return Job(one.loaded, one.kernel, launch, recorded=recorded, analyses=self._analyses)

    def executed(self, number: int, max_instructions: int | None, reason: str) -> ExecutedSource:
        """Give the traces of a launch, which hold until those of another one are asked for."""
        if self._current is not None and self._current[:2] == (number, max_instructions):
            return self._current[2]
        walk = self._device(number, max_instructions)
        request = walk.to(number)
        one = self.launches[number]
        alone = lay_out(one.loaded.module, one.kernel, one.launch)
        layout = layout_on(walk.backend, request, one.launch, alone)
        source = ExecutedSource(walk.backend, request, layout, reason)
        self._current = (number, max_instructions, source)
        return source

    def _device(self, number: int, max_instructions: int | None) -> ReplayWalk:
        """Give a device that stands before a launch or earlier; its memory is as it was there."""
        if self._current is not None and self._current[1] == max_instructions:
            traced, _, source = self._current
            if source.finish() and self._walk is not None:
                self._walk.pass_over(traced)
        else:
            self._walk = None
        self._current = None
        if self._walk is None or self._walk.is_past(number):
            options = CpuOptions(max_instructions=max_instructions)
            self._walk = ReplayWalk(self.recording, options)
        return self._walk

    def digest(self, number: int) -> str:
        """Hash the calls up to a launch, which say what its memory holds. SHA-256."""
        place = self.recording.launches[number].index
        calls = (c for c in self.recording.calls if c.index <= place)
        digest = sha256()
        for call in calls:
            digest.update(repr(call).encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class ApplicationLaunch:
    """A launch of an application; ``number`` counts its launches from 0."""

    application: Application = field(compare=False, repr=False)
    number: int

    def traces(self, reason: str, max_instructions: int | None) -> RecordedSource:
        """Give the executed traces."""
        return RecordedSource(self.application, self.number, reason, max_instructions)

    def digest(self) -> str:
        """Hash what the launch depends on."""
        return self.application.digest(self.number)


class RecordedSource(SharedSource):
    """Traces of a recorded launch, whatever other launches are traced between."""

    def __init__(
        self, application: Application, number: int, reason: str, max_instructions: int | None
    ) -> None:
        self._application, self._number, self._most = application, number, max_instructions
        super().__init__(reason)

    def executed(self) -> ExecutedSource:
        """Give the traces as the replay has them now."""
        return self._application.executed(self._number, self._most, self.reason)

    @property
    def data(self) -> str:
        """A hash of the calls up to the launch."""
        return self._application.digest(self._number)

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""
        return self._application.launches[self._number].kernel


def application(target: str | Path, options: LaunchOptions | None = None) -> Application:
    """Run a host program or a workload and keep its calls, or read a recording. Errors as ``run``.

    Sizes of the options are the program's.
    """
    from warpmill.session.runs import RunOptions, run  # noqa: PLC0415 - the executor is slow to load

    options = options or LaunchOptions()
    if options.given:
        words = f"{target} is an application, which says its launches"
        raise UsageError(f"{words}: {options.given[0]} is for kernel files")
    if Path(target).suffix.lower() == ".wmrec":
        if options.sizes:
            raise UsageError(f"{target} is a recording: --size is for programs and launch files")
        return Application.of(str(target), load_recording(Path(target)))
    only_sizes = LaunchOptions(sizes=options.sizes)
    done = run(str(target), None, only_sizes, RunOptions(record=True))
    return Application.of(str(target), done.recording)


def application_jobs(
    target: str | Path, kernel: str | None = None, options: LaunchOptions | None = None
) -> tuple[Job, ...]:
    """Give launches of an application as jobs, in their order.

    Those of ``kernel`` where it is named; ``options.launches`` says which: a number, ``all``, or
    ``largest``, of each kernel the one with most warp instructions, or CTAs where these were not
    counted. UsageError for what there is not.
    """
    options = options or LaunchOptions()
    app = application(target, options)
    numbers = _of_kernel(app, kernel)
    if isinstance(options.launches, int):
        if options.launches not in numbers:
            raise UsageError(_no_launch(app, options.launches, kernel))
        numbers = [options.launches]
    elif options.launches == "largest":
        numbers = largest_of_each_kernel(app, numbers)
    return tuple(app.job(number) for number in numbers)


def _of_kernel(app: Application, kernel: str | None) -> list[int]:
    names = [one.kernel.name for one in app.launches]
    if not names:
        raise UsageError(f"{app.title} makes no launches")
    if kernel is None:
        return list(range(len(names)))
    named = find_launched(kernel, names, app.title)
    return [number for number, name in enumerate(names) if name == named]


def largest_of_each_kernel(app: Application, numbers: Sequence[int] | None = None) -> list[int]:
    """Give of each kernel the launch that executes most, among these or all, by their numbers."""
    numbers = range(len(app.launches)) if numbers is None else numbers
    names = distinct_names([app.launches[number].kernel for number in numbers])
    best: dict[str, tuple[int, int, int]] = {}
    for number, name in zip(numbers, names, strict=True):
        one = app.launches[number]
        rank = (one.warp_instructions or 0, one.launch.cta_count, -number)
        best[name] = max(best.get(name, rank), rank)
    return sorted(-number for _, _, number in best.values())


def _no_launch(app: Application, number: int, kernel: str | None) -> str:
    last = len(app.launches) - 1
    if kernel is None or number > last:
        return f"{app.title} has no launch {number}; its launches are 0 to {last}"
    return f"launch {number} of {app.title} is of {demangle(app.launches[number].kernel.name)}"
