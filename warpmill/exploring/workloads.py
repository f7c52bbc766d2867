"""Workloads to explore with all their launches, read or run once in a process."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.exploring.concurrency import Footprint
from warpmill.session.jobs import Job, is_application, is_workload
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.registers import registers_of
from warpmill.simulator.machines.model import Machine
from warpmill.sweeps.points import launches_digest

if TYPE_CHECKING:
    from warpmill.exploring.kept_traces import KeptTraces


@dataclass(frozen=True)
class ExploredWorkload:
    """A launch file, a host program, a recording or a workload by name; all its launches.

    ``sizes`` replace those of the file, or of the preset.
    """

    target: str
    sizes: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Title where results are shown and kept."""
        return " ".join([self.target, *(f"{k}={v}" for k, v in sorted(self.sizes.items()))])

    @cached_property
    def place(self) -> str:
        """Name for a process in another folder: a file by its whole path."""
        return self.target if is_workload(self.target) else str(Path(self.target).resolve())

    def is_same(self, other: ExploredWorkload) -> bool:
        """Whether another one is the same files with the same sizes, however it is called."""
        return self.place == other.place and dict(self.sizes) == dict(other.sizes)

    def jobs(self) -> tuple[Job, ...]:
        """Read its launches; an application is run. InputError and UsageError."""
        every = LaunchOptions(sizes=dict(self.sizes))
        if is_application(self.target):
            every = LaunchOptions(sizes=dict(self.sizes), launches="all")
        found = prepare_all(self.target, None, every)
        for job in found:
            job.required_launch()
        if not found:
            raise UsageError(f"{self.target} makes no launches")
        return found


@dataclass(frozen=True)
class Ready:
    """A workload whose launches are known; ``digest`` hashes their code and data."""

    workload: ExploredWorkload
    jobs: tuple[Job, ...]
    digest: str
    _kept: dict[str, KeptTraces] = field(default_factory=dict, compare=False, repr=False)

    def kept(self, how: str) -> KeptTraces:
        """The traces that are kept from point to point, of a way to make them."""
        from warpmill.exploring.kept_traces import KeptTraces  # noqa: PLC0415 - loads the engine

        if how not in self._kept:
            self._kept[how] = KeptTraces()
        return self._kept[how]

    def footprints(self, machine: Machine) -> tuple[Footprint, ...]:
        """Resources of its kernels' CTAs on a machine, each kind once."""
        registers: dict[int, int] = {}
        found = set()
        for job in self.jobs:
            key = id(job.kernel)
            if key not in registers:
                registers[key] = registers_of(job, machine).registers_per_thread
            launch = job.required_launch()
            shared = shared_bytes(job.loaded.module, job.kernel) + launch.dynamic_shared_bytes
            found.add(Footprint(launch.threads_per_cta, registers[key], shared))
        return tuple(sorted(found))


class LoadedWorkload:
    """The workload that this process looked at last: points of one follow each other.

    ``lock`` is held while its traces are made: one device goes from launch to launch.
    """

    lock: ClassVar[threading.RLock] = threading.RLock()
    _kept: ClassVar[Ready | None] = None

    @classmethod
    def ready(cls, workload: ExploredWorkload, digest: str | None = None) -> Ready:
        """A workload ready to be simulated. InputError where it is another one by now."""
        with cls.lock:
            kept = cls._kept
            known = kept is not None and kept.workload.is_same(workload)
            if kept is None or not known or digest not in (None, kept.digest):
                kept = cls._kept = _ready(workload)
            if digest not in (None, kept.digest):
                raise InputError(f"{workload.title} has changed since the exploration began")
            return kept

    @classmethod
    def forget(cls) -> None:
        """Read anew what is asked for next: files may have changed."""
        cls._kept = None


def _ready(workload: ExploredWorkload) -> Ready:
    jobs = workload.jobs()
    return Ready(workload, jobs, digest_of(jobs))


def digest_of(jobs: Sequence[Job]) -> str:
    """Hash launches: their code, arguments and data. SHA-256, hexadecimal."""
    recorded = jobs[-1].recorded
    if recorded is None:
        return launches_digest(jobs)
    codes = {id(job.loaded): job.loaded.source.text for job in jobs}
    digest = sha256(recorded.digest().encode())  # all calls up to the last launch
    for code in sorted(set(codes.values())):
        digest.update(sha256(code.encode()).digest())
    return digest.hexdigest()
