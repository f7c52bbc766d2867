"""Applications as targets of what takes a launch: host programs, recordings and workloads.

They are run once, with every call kept; each launch is then a job like that of a launch file, whose
executed traces come from the recording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import find_launched
from warpmill.analyzer.ir.printer import distinct_names
from warpmill.executor.host.recording import Recording, load_recording
from warpmill.executor.host.replay import LaunchInRecording, ReplayWalk, recorded_launches
from warpmill.session.application_runs import run_application
from warpmill.session.jobs import Analysis, Job
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.replay_device import RecordedLaunchPlace, ReplayDevice


class Application:
    """A recording with its launches, whose traces share one device."""

    def __init__(self, title: str, recording: Recording) -> None:
        """Read the launches of a recording. InputError."""
        self.title, self.recording = title, recording
        self.launches: tuple[LaunchInRecording, ...] = recorded_launches(recording)
        self._device = ReplayDevice(partial(ReplayWalk, recording))
        self._analyses: dict[int, Analysis] = {}

    def job(self, number: int) -> Job:
        """A launch, by its number from 0, as a job."""
        one = self.launches[number]
        launch = replace(one.launch, file=self.title)
        place = RecordedLaunchPlace(self.recording, self.launches, self._device, number)
        return Job(one.loaded, one.kernel, launch, recorded=place, analyses=self._analyses)


def application(target: str | Path, options: LaunchOptions | None = None) -> Application:
    """Run a host program or a workload and keep its calls, or read a recording. Errors as ``run``.

    Sizes of the options are the program's.
    """
    options = options or LaunchOptions()
    if options.given:
        words = f"{target} is an application, which says its launches"
        raise UsageError(f"{words}: {options.given[0]} is for kernel files")
    if Path(target).suffix.lower() == ".wmrec":
        if options.sizes:
            raise UsageError(f"{target} is a recording: --size is for programs and launch files")
        return Application(str(target), load_recording(Path(target)))
    only_sizes = LaunchOptions(sizes=options.sizes)
    done = run_application(target, None, only_sizes, RunOptions(record=True))
    return Application(str(target), done.recording)


def application_jobs(
    target: str | Path, kernel: str | None = None, options: LaunchOptions | None = None
) -> tuple[Job, ...]:
    """Launches of an application as jobs, in their order.

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
        numbers = largest_of_each_kernel(app.launches, numbers)
    return tuple(app.job(number) for number in numbers)


def _of_kernel(app: Application, kernel: str | None) -> list[int]:
    names = [one.kernel.name for one in app.launches]
    if not names:
        raise UsageError(f"{app.title} makes no launches")
    if kernel is None:
        return list(range(len(names)))
    named = find_launched(kernel, names, app.title)
    return [number for number, name in enumerate(names) if name == named]


def largest_of_each_kernel(
    launches: Sequence[LaunchInRecording], numbers: Sequence[int] | None = None
) -> list[int]:
    """Numbers of the launches that execute most, one of each kernel, among these or all."""
    numbers = range(len(launches)) if numbers is None else numbers
    names = distinct_names([launches[number].kernel for number in numbers])
    best: dict[str, tuple[int, int, int]] = {}
    for number, name in zip(numbers, names, strict=True):
        one = launches[number]
        rank = (one.warp_instructions or 0, one.launch.cta_count, -number)
        best[name] = max(best.get(name, rank), rank)
    return sorted(-number for _, _, number in best.values())


def _no_launch(app: Application, number: int, kernel: str | None) -> str:
    last = len(app.launches) - 1
    if kernel is None or number > last:
        return f"{app.title} has no launch {number}; its launches are 0 to {last}"
    return f"launch {number} of {app.title} is of {demangle(app.launches[number].kernel.name)}"
