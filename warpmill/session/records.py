"""Applications recorded and replayed: every call of the device, in a file (GT-Pin, §V-E).

::

    recorded = record("program.py", "app.wmrec")
    for interval in intervals("app.wmrec"):
        print(interval.launches, interval.ended_by)
    replayed = replay("app.wmrec", chosen=[3, 7])
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.whole_files import check_file
from warpmill.executor.host.cpu_device import HashingBackend, MemoryState
from warpmill.executor.host.recording import (
    Recording,
    SyncInterval,
    load_recording,
    save_recording,
    sync_intervals,
)
from warpmill.executor.host.replay import Replayed
from warpmill.executor.host.replay import replay as replay_calls
from warpmill.executor.host.replay_calls import BeforeLaunch, OnLaunch
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchKeywords, LaunchOptions, RunOptions
from warpmill.session.run import run
from warpmill.session.runs import Run, cpu_options, make_device, most_memory


@dataclass(frozen=True)
class RecordedRun:
    """An application that was run, and the file that has its calls; its size is in bytes."""

    run: Run
    path: Path
    file_bytes: int

    @property
    def recording(self) -> Recording:
        """Every call of the device."""
        return self.run.recording


def record(
    target: str | Path | Job | Sequence[Job],
    path: str | Path,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    strict: bool = False,
    **keywords: Unpack[LaunchKeywords],
) -> RecordedRun:
    """Run what ``warpmill.run`` does, and save its calls, with what they need, in a file.

    At the end the buffers that are left are read, as ``run`` does: a replay compares them. Errors
    are those of ``run``; UsageError where the file cannot be written.
    """
    check_file(Path(path))
    kept = replace(options or RunOptions(), record=True)
    return save_run(run(target, kernel, launch, kept, strict=strict, **keywords), path)


def save_run(done: Run, path: str | Path) -> RecordedRun:
    """Save the calls of a run that has kept them (``RunOptions.record``). UsageError."""
    return RecordedRun(done, Path(path), save_recording(done.recording, path))


def replay(
    recording: Recording | str | Path,
    chosen: Collection[int] | None = None,
    options: RunOptions | None = None,
    *,
    before_launch: BeforeLaunch | None = None,
    on_launch: OnLaunch | None = None,
    keep_reads: bool = True,
) -> Replayed:
    """Run a recording again, or chosen launches of it with the memory that each needs.

    ``chosen`` are numbers of launches, from 0 in their order; the hooks are told those alone,
    before and after they run (``executor.host.replay``). ``keep_reads``: whether the
    result has the bytes of copies to the host, or only their hashes.
    """
    options = options or RunOptions()
    return replay_calls(
        loaded(recording, most_memory(options)),
        make_device(options).backend,
        on_launch=on_launch,
        chosen=chosen,
        before_launch=before_launch,
        keep_reads=keep_reads,
    )


def intervals(recording: Recording | str | Path) -> tuple[SyncInterval, ...]:
    """Cut a recording where host and device align: at synchronisations, copies, flushes.

    GT-Pin paper, §II. InputError for a file that is no recording, or is cut short.
    """
    return sync_intervals(loaded(recording))


def recorded_memory(
    target: str | Path | Job | Sequence[Job],
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
) -> tuple[Run, dict[int, MemoryState]]:
    """Run an application on the executor, kept for a replay, and hash its memory as it goes.

    The hashes are of every live buffer after each launch, by the launch's number.
    """
    backend, options = _hashing(options, None)
    return run(target, kernel, launch, replace(options, record=True)), backend.states


def replayed_memory(
    recording: Recording | str | Path,
    chosen: Collection[int] | None = None,
    options: RunOptions | None = None,
) -> dict[int, MemoryState]:
    """Replay on the executor, and hash every live buffer after each launch, or each chosen one.

    Equal to what ``recorded_memory`` gives for these launches.
    """
    backend, options = _hashing(options, chosen)
    replay(recording, chosen, options, keep_reads=False)
    return backend.states


def _hashing(
    options: RunOptions | None, chosen: Collection[int] | None
) -> tuple[HashingBackend, RunOptions]:
    """Executor that hashes, in place of the device. UsageError for other devices."""
    options = options or RunOptions()
    if options.device != "cpu":
        raise UsageError("only the executor's memory can be hashed launch by launch: device cpu")
    backend = HashingBackend(cpu_options(options), chosen)
    return backend, replace(options, device=backend)


def loaded(recording: Recording | str | Path, max_bytes: int | None = None) -> Recording:
    """Read a recording, unless it has been. InputError, LimitError."""
    if isinstance(recording, Recording):
        return recording
    return load_recording(recording, max_bytes)
