"""A target's launches in a configuration: other sizes, blocks, grids, shared memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from analyzer.diagnostics import InputError, UsageError
from analyzer.launch import check_launch, load_launches
from analyzer.launch.model import Dim3, Launch, dim3
from analyzer.naming import suggestion
from warpmill.jobs import Job, LaunchOptions, prepare_all
from warpmill.sweeps.space import Configuration, Space, Value, shape_of
from warpmill.targets import is_application

SHAPES = ("block", "grid")
OF_LAUNCHES = (*SHAPES, "shared")
OTHERS = ("machine", "regs")
"""What can be varied beside sizes and the values of machines."""


@dataclass(frozen=True)
class Target:
    """What is varied: a launch file, a kernel file with a launch, an application.

    ``number`` is the one launch of a file that is meant; None: all, one after another.
    """

    path: str
    kernel: str | None = None
    options: LaunchOptions = field(default_factory=LaunchOptions)
    number: int | None = None
    strict: bool = False

    def jobs(self, sizes: Mapping[str, Value] | None = None) -> tuple[Job, ...]:
        """Read the launches, with other sizes where some are given. InputError and UsageError."""
        given = {name: _whole(name, value) for name, value in (sizes or {}).items()}
        options = replace(self.options, sizes={**self.options.sizes, **given})
        if is_application(self.path):
            return prepare_all(self.path, self.kernel, options, strict=self.strict)
        found = prepare_all(self.path, self.kernel, options, strict=self.strict)
        if self.number is None:
            return found
        if self.number >= len(found):
            raise UsageError(f"{self.path} has no launch {self.number}, but {len(found)} from 0")
        return (found[self.number],)

    @property
    def is_launch_file(self) -> bool:
        """Whether sizes change a file's launches, so that kernels need not be read again."""
        return Path(self.path).suffix.lower() == ".toml"


def _whole(name: str, value: Value) -> int | str:
    if isinstance(value, float):
        raise UsageError(f"--over {name}: a size is a whole number, not {value}")
    return value


class Launches:
    """The launches of a target in one configuration after another; kernels are read once."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._base = target.jobs()
        for job in self._base:
            job.required_launch()
            _ = job.analysis, job.printed  # what is known of a kernel goes along to other launches
        self._last: tuple[tuple[tuple[str, Value], ...], tuple[Job, ...]] | None = None

    @property
    def base(self) -> tuple[Job, ...]:
        """The launches as they are."""
        return self._base

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes that can be varied, with the values that they have."""
        return dict(self._base[0].required_launch().sizes)

    def check(self, space: Space, machine_keys: Sequence[str]) -> None:
        """Refuse axes that nothing here has. UsageError."""
        names = (*self.sizes, *OF_LAUNCHES, *OTHERS, *machine_keys)
        for axis in space.axes:
            if axis.name not in names:
                near = suggestion(axis.name, names)
                sizes = ", ".join(self.sizes) or "none"
                raise UsageError(
                    f"--over {axis.name}: there is no such thing to vary"
                    + (f"; {near}" if near else "")
                    + f" (sizes of {self.target.path}: {sizes}; block, grid, shared, regs, "
                    "machine, or a value of machines such as sm.count)"
                )
            if axis.name in OF_LAUNCHES and axis.name not in self.sizes and len(self._base) > 1:
                raise UsageError(
                    f"--over {axis.name}: {self.target.path} has {len(self._base)} launches; say "
                    "which with --launch N"
                )

    def jobs(self, configuration: Configuration) -> tuple[Job, ...]:
        """Give the launches in a configuration. InputError where it cannot be launched so."""
        sizes = {k: v for k, v in configuration.items() if k in self.sizes}
        jobs = self._with_sizes(sizes)
        own = {k: v for k, v in configuration.items() if k in OF_LAUNCHES and k not in sizes}
        if not own:
            return jobs
        (job,) = jobs
        launch = changed(job.required_launch(), own)
        check_launch(launch, job.loaded.module, job.kernel)
        return (job.with_launch(launch),)

    def _with_sizes(self, sizes: Mapping[str, Value]) -> tuple[Job, ...]:
        if not sizes:
            return self._base
        key = tuple(sorted(sizes.items()))
        if self._last is None or self._last[0] != key:
            self._last = key, self._made(sizes)
        return self._last[1]

    def _made(self, sizes: Mapping[str, Value]) -> tuple[Job, ...]:
        if not self.target.is_launch_file:
            return self.target.jobs(sizes)
        given = {k: _whole(k, v) for k, v in sizes.items()}
        launches = load_launches(self.target.path, {**self.target.options.sizes, **given})
        by_place = {launch.path: launch for launch in launches}
        return tuple(self._moved(job, by_place) for job in self._base)

    @staticmethod
    def _moved(job: Job, by_place: Mapping[Any, Launch]) -> Job:
        launch = by_place[job.required_launch().path]
        check_launch(launch, job.loaded.module, job.kernel)
        before = tuple(Launches._moved(one, by_place) for one in job.before)
        return job.with_launch(launch, before)


def changed(launch: Launch, own: Mapping[str, Value]) -> Launch:
    """Give a launch with another block, grid or shared memory.

    Where the block changes and the grid is not said, the grid follows: in each direction as many
    CTAs as cover the threads that there were. InputError for what is no shape.
    """
    block = _shape(launch, "block", own.get("block", 0)) if "block" in own else launch.block
    if "grid" in own:
        grid = _shape(launch, "grid", own["grid"])
    else:
        threads = zip(launch.grid, launch.block, block, strict=True)
        x, y, z = (-(-ctas * old // new) for ctas, old, new in threads)
        grid = x, y, z
    shared = own.get("shared", launch.dynamic_shared_bytes)
    if not isinstance(shared, int) or shared < 0:
        raise InputError(f"shared memory is a number of bytes, not `{shared}`")
    return replace(launch, block=block, grid=grid, dynamic_shared_bytes=shared)


def _shape(launch: Launch, name: str, value: Value) -> Dim3:
    try:
        sides = shape_of(value)
    except ValueError:
        raise InputError(
            f"{launch.name}: {name} `{value}` is no shape such as 128 or 16x16"
        ) from None
    if min(sides) < 1:
        raise InputError(f"{launch.name}: {name} {value} must be at least 1 in every direction")
    return dim3(sides)
