"""Workloads to explore with all their launches, read or run once in a process.

Points of one workload may launch it in other ways: with other sizes, blocks, grids, shared memory,
registers or macros, as its space says (``Ready.variant``).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.exploring.concurrency import Footprint
from warpmill.exploring.space import DEFINE, SIZE
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job, is_application, is_workload
from warpmill.session.options import LaunchOptions, RegisterSources, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.registers import registers_of
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.regression.parameters import Value
from warpmill.sweeps.launches import OF_LAUNCHES, Launches, SweepTarget
from warpmill.sweeps.points import launches_digest

if TYPE_CHECKING:
    from warpmill.exploring.kept_traces import KeptTraces


@dataclass(frozen=True)
class ExploredWorkload:
    """A launch file, a host program, a recording or a workload by name; all its launches.

    ``sizes`` replace those of the file, or of the preset. A kernel file or a source is launched as
    ``launch`` says, whose own sizes are empty; ``kernel`` is one of several.
    """

    target: str
    sizes: Mapping[str, int | str] = field(default_factory=dict)
    kernel: str | None = None
    launch: LaunchOptions = field(default_factory=LaunchOptions)

    @property
    def title(self) -> str:
        """Title where results are shown and kept."""
        return " ".join([self.target, *(f"{k}={v}" for k, v in sorted(self.sizes.items())),
                         *self._words])  # fmt: skip

    @property
    def _words(self) -> list[str]:
        """The kernel and its launch, as far as they are said."""
        own = self.launch
        single = (("kernel", self.kernel), ("grid", _sides(own.grid)), ("block", _sides(own.block)),
                  ("shared", own.shared), ("arch", own.compile.arch))  # fmt: skip
        several = (("arg", own.args), ("symbol", own.symbols), ("define", own.compile.define))
        words = [f"{name}={value}" for name, value in single if value is not None]
        return words + [f"{name}={value}" for name, values in several for value in values]

    @property
    def said(self) -> dict[str, int | str]:
        """What is said of the target, by which it is told from others."""
        words = self._words
        return {**self.sizes, **({"launch": " ".join(words)} if words else {})}

    @cached_property
    def place(self) -> str:
        """Name for a process in another folder: a file by its whole path."""
        return self.target if is_workload(self.target) else str(Path(self.target).resolve())

    def is_same(self, other: ExploredWorkload) -> bool:
        """Whether another one is the same files with the same sizes, however it is called."""
        return self.place == other.place and self.said == other.said

    @property
    def _options(self) -> LaunchOptions:
        launches = "all" if is_application(self.target) else self.launch.launches
        return replace(self.launch, sizes=dict(self.sizes), launches=launches)

    def jobs(self) -> tuple[Job, ...]:
        """Read its launches; an application is run. InputError and UsageError."""
        found = prepare_all(self.target, self.kernel, self._options)
        for job in found:
            job.required_launch()
        if not found:
            raise UsageError(f"{self.target} makes no launches")
        return found

    def defining(self, macros: Mapping[str, Value]) -> Launches:
        """Its launches in one configuration after another, with macros over its own."""
        options = self._options
        own = [text for text in options.compile.define if text.partition("=")[0] not in macros]
        define = (*own, *(f"{name}={value}" for name, value in macros.items()))
        compiled = replace(options.compile, define=define)
        return Launches(SweepTarget(self.target, self.kernel, replace(options, compile=compiled)))


def explored_workload(target: str, kernel: str | None, launch: LaunchOptions) -> ExploredWorkload:
    """A workload of what options say, sizes among them."""
    return ExploredWorkload(target, dict(launch.sizes), kernel, replace(launch, sizes={}))


def _sides(given: str | Sequence[int] | None) -> str | None:
    return given if given is None or isinstance(given, str) else ",".join(map(str, given))


@dataclass(frozen=True)
class Ready:
    """A workload whose launches are known; ``digest`` hashes their code and data.

    ``registers`` of a thread are those that a point says; None: they are looked for.
    """

    workload: ExploredWorkload
    jobs: tuple[Job, ...]
    digest: str
    registers: int | None = None
    _kept: dict[str, KeptTraces] = field(default_factory=dict, compare=False, repr=False)
    _estimators: dict[str, tuple[Estimator, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    _launches: dict[str, Launches] = field(default_factory=dict, compare=False, repr=False)
    _variant: dict[str, Ready] = field(default_factory=dict, compare=False, repr=False)

    @property
    def sources(self) -> RegisterSources | None:
        """Where registers come from."""
        return None if self.registers is None else RegisterSources(registers=self.registers)

    def estimators(self, traces: TraceOptions) -> tuple[Estimator, ...]:
        """Its launches ready to be estimated on one machine after another, by one way to trace."""
        key = repr(traces)
        if key not in self._estimators:
            self._estimators[key] = tuple(
                Estimator(job, registers=self.sources, trace_options=traces) for job in self.jobs
            )
        return self._estimators[key]

    def variant(self, software: Mapping[str, Value]) -> Ready:
        """The workload as a point launches it; the one that was asked for last is kept.

        ``software`` is what a space says (``ExploredSpace.software``). InputError where it cannot
        be launched so, UsageError where it has no such thing.
        """
        if not software:
            return self
        key = repr(sorted(software.items()))
        if key not in self._variant:
            made = self._made(software)
            self._variant.clear()
            self._variant[key] = made
        return self._variant[key]

    def _made(self, software: Mapping[str, Value]) -> Ready:
        macros = {n.removeprefix(DEFINE): v for n, v in software.items() if n.startswith(DEFINE)}
        sizes = {n.removeprefix(SIZE): v for n, v in software.items() if n.startswith(SIZE)}
        shapes = {name: value for name, value in software.items() if name in OF_LAUNCHES}
        launches = self._defining(macros)
        self._check(launches, sizes, shapes)
        jobs = launches.jobs({**sizes, **shapes})
        registers = software.get("regs")
        if registers is not None and (type(registers) is not int or registers < 1):
            raise UsageError(f"{registers} is no number of registers")
        return Ready(self.workload, jobs, digest_of(jobs), registers)

    def _defining(self, macros: Mapping[str, Value]) -> Launches:
        key = repr(sorted(macros.items()))
        if key not in self._launches:
            made = self.workload.defining(macros)
            if len(self._launches) >= _MOST_DEFINED:
                self._launches.clear()
            self._launches[key] = made
        return self._launches[key]

    def _check(
        self, launches: Launches, sizes: Mapping[str, Value], shapes: Mapping[str, Value]
    ) -> None:
        """Refuse what launches of this workload have not. UsageError."""
        target = self.workload.target
        for name in sizes:
            if not launches.is_size(name):
                known = launches.sizes
                hint = suggestion(name, known) or f"it has {', '.join(known) or 'none'}"
                raise UsageError(f"{target} has no size `{name}`, which the space varies; {hint}")
        if shapes and (is_application(target) or len(launches.base) > 1):
            words = f"{target} makes {len(launches.base)} launches of its own"
            raise UsageError(f"{', '.join(shapes)} cannot be varied: {words}")

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
                count = registers_of(job, machine, self.sources)
                registers[key] = count.registers_per_thread
            launch = job.required_launch()
            shared = shared_bytes(job.loaded.module, job.kernel) + launch.dynamic_shared_bytes
            found.add(Footprint(launch.threads_per_cta, registers[key], shared))
        return tuple(sorted(found))


_MOST_DEFINED = 16
"""Sets of macros whose code is kept in a process."""


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
