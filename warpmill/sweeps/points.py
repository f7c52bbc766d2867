"""Points of a sweep: what each one's figures follow from, written as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import NO_ANSWER, InputError, LimitError, UsageError
from warpmill.analyzer.base.whole_files import open_input
from warpmill.session.data import data_digest
from warpmill.session.jobs import Job
from warpmill.session.options import EvaluationOptions, TraceOptions
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import parse_overrides
from warpmill.simulator.machines.schema import Scalar, schema
from warpmill.studies.model import StudyPoint
from warpmill.studies.sources import sources_digest
from warpmill.sweeps.launches import Launches
from warpmill.sweeps.space import Axis, Configuration, SweepSpace

SOURCES = ("analyzer", "executor", "simulator", "grammars", "warpmill")
"""Folders whose files make an engine what it is."""


@dataclass(frozen=True)
class EvaluationConfig:
    """How points are measured: by which engine, on which machines, with what else said.

    ``machines`` are not asked where they are varied as an axis.
    """

    options: EvaluationOptions = field(default_factory=EvaluationOptions)
    machines: tuple[str, ...] = ("v100",)
    overrides: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def engine(self) -> str:
        """Engine that times launches."""
        return self.options.engine

    @property
    def engine_words(self) -> str:
        """The engine, and what figures follow from beside the launch, the machine and traces."""
        options = self.options.simulation
        if self.engine == "simulate":
            return f"{self.engine} {options!r}"
        return self.engine if options.l2 == "cold" else f"{self.engine} {options.l2}"

    def machine(self, configuration: Configuration) -> Machine:
        """The machine of a configuration. UsageError for a value that it cannot have."""
        name = str(configuration.get("machine", self.machines[0]))
        keys = schema().keys
        settings = [f"{k}={v}" for k, v in configuration.items() if k in keys]
        given = {**self.overrides, **parse_overrides(settings)}
        return _machine(name, tuple(sorted(given.items())))

    def count(self, configuration: Configuration) -> int | None:
        """The registers of a thread where they are said; None: they are looked for."""
        given = configuration.get("regs", self.options.registers)
        if given is not None and (not isinstance(given, int) or given < 1):
            raise UsageError(f"--over regs: {given} is no number of registers")
        return given


def trace_words(options: TraceOptions) -> str:
    """Words that traces follow from beside the launch; of saved ones, what is in their file.

    InputError for a file that cannot be read, UsageError for a loop that runs a range of times.
    """
    options.trips()
    if options.source in {"auto", "static", "executed"}:
        return repr(options)
    try:
        with open_input(Path(options.source)) as file:
            return f"{options!r} {file_digest(file, 'sha256').hexdigest()}"
    except OSError as error:
        raise InputError(f"{options.source}: {error.strerror or error}") from None


@lru_cache(maxsize=4096)
def _machine(name: str, settings: tuple[tuple[str, Scalar], ...]) -> Machine:
    return load_machine(name, dict(settings))


@dataclass(frozen=True)
class SweepPoints:
    """The points of a sweep, and configurations that cannot be launched, each with its error."""

    points: tuple[StudyPoint, ...]
    refused: tuple[tuple[dict[str, Any], InputError | LimitError], ...]


def points_of(
    launches: Launches, space: SweepSpace, how: EvaluationConfig, most: int
) -> SweepPoints:
    """Make the points of a space.

    UsageError for axes that there are not and where conditions leave nothing, LimitError for more
    than ``most`` configurations.
    """
    launches.check(space, list(schema().keys))
    varied, traces = on_machines(space, how), trace_words(how.options.trace)
    _check_machines(varied, how)
    points, refused = [], []
    for configuration in varied.configurations(launches.sizes, most):
        try:
            points.append(point_of(launches.jobs(configuration), configuration, how, traces))
        except NO_ANSWER as error:
            refused.append((configuration, error))
    if not points and not refused:
        conditions = " and ".join(f"`{text}`" for text in space.conditions)
        raise UsageError(f"none of {varied.size:,} configurations meets {conditions}")
    return SweepPoints(tuple(points), tuple(refused))


def on_machines(space: SweepSpace, how: EvaluationConfig) -> SweepSpace:
    """The space with the machines as an axis, the last where it has none."""
    if any(axis.name == "machine" for axis in space.axes):
        return space
    return replace(space, axes=(*space.axes, Axis("machine", how.machines)))


def _check_machines(space: SweepSpace, how: EvaluationConfig) -> None:
    """Refuse machines that there are not, and values that they cannot have, at once. UsageError.

    Later an hour may have gone by before the first configuration comes that has one.
    """
    first = {axis.name: axis.values[0] for axis in space.axes if axis.name == "machine"}
    said = dict.fromkeys(how.overrides, "--set")
    if how.options.registers is not None:
        said["regs"] = "--regs"
    for axis in space.axes:
        if axis.name in said:
            raise UsageError(f"{axis.name} is varied, and {said[axis.name]} sets it: leave one")
        for value in axis.values:
            if axis.name == "machine" or axis.name in schema().keys:
                how.machine({**first, axis.name: value})
            elif axis.name == "regs":
                how.count({axis.name: value})


def point_of(
    jobs: Sequence[Job], configuration: Configuration, how: EvaluationConfig, traces: str
) -> StudyPoint:
    """Make a point: code, launches, machine and engine by their hashes, and the configuration."""
    machine = how.machine(configuration)
    launched = launches_digest(jobs)
    inputs = {
        "configuration": dict(configuration),
        "launches": launched,
        "machine": machine.digest,
        "registers": how.count(configuration),
        "traces": traces,
        "engine": how.engine_words,
        "sources": sources_digest(*SOURCES),
    }
    return StudyPoint(inputs, launched)


def launches_digest(jobs: Sequence[Job]) -> str:
    """Hash launches: their code, arguments and data. SHA-256, hexadecimal."""
    return sha256("".join(map(_of_job, jobs)).encode()).hexdigest()


def _of_job(job: Job) -> str:
    """Identity of a launch: the file's code, the kernel, its arguments and memory's contents."""
    launch = job.required_launch()
    code = sha256(job.loaded.source.text.encode()).hexdigest()
    return f"{code} {launch.arguments!r} {launch.symbols!r} {data_digest(job)}"
