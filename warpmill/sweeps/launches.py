"""A target's launches in a configuration: other sizes, blocks, grids, shared memory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.frontends.load import STANDARD_INPUT
from warpmill.analyzer.launch import check_launch, load_launches
from warpmill.analyzer.launch.model import Dim3, Launch, dim3
from warpmill.session.jobs import Job, is_application
from warpmill.session.options import LaunchOptions, TargetOptions
from warpmill.session.prepare import prepare_all, with_code
from warpmill.simulator.machines.schema import schema
from warpmill.sweeps.space import Axis, Configuration, SweepSpace, Value, shape_of

SHAPES = ("block", "grid")
OF_LAUNCHES = (*SHAPES, "shared")
OTHERS = ("machine", "regs")
"""Axes beside sizes and the values of machines."""


@dataclass(frozen=True)
class VariantCode:
    """The code of a variant: a file with a kernel; None: its only one, or the one of that name."""

    path: str
    kernel: str | None = None


@dataclass(frozen=True)
class SweepTarget:
    """Target of a sweep: a launch file, a kernel file with a launch, an application.

    ``number`` is the one launch of a file that is meant; None: all, one after another. With
    ``code`` that launch has another kernel than its own.
    """

    path: str
    kernel: str | None = None
    options: LaunchOptions = field(default_factory=LaunchOptions)
    number: int | None = None
    strict: bool = False
    code: VariantCode | None = None

    def jobs(self, sizes: Mapping[str, Value] | None = None) -> tuple[Job, ...]:
        """Read the launches, with other sizes where some are given. InputError and UsageError."""
        given = {name: _whole(name, value) for name, value in (sizes or {}).items()}
        options = replace(self.options, sizes={**self.options.sizes, **given})
        found = prepare_all(self.path, self.kernel, options, strict=self.strict)
        if self.number is not None and not is_application(self.path):
            if self.number >= len(found):
                words = f"{self.path} has no launch {self.number}, but {len(found)} from 0"
                raise UsageError(words)
            found = (found[self.number],)
        return found if self.code is None else (self._with_code(found, self.code),)

    def _with_code(self, found: tuple[Job, ...], code: VariantCode) -> Job:
        if is_application(self.path):
            raise UsageError(f"{self.path} says what it launches: variants are for launch files")
        if len(found) > 1:
            names = ", ".join(job.required_launch().name for job in found)
            raise UsageError(
                f"{self.path} has {len(found)} launches ({names}): say with --launch N or --kernel "
                f"which one {code.path} is a variant of"
            )
        return with_code(found[0], code.path, code.kernel, strict=self.strict)

    def check_processes(self, workers: int) -> None:
        """See that so many processes can read it. UsageError."""
        if workers > 1 and self.path == STANDARD_INPUT:
            words = "other processes do not read this one's standard input: save it to a file"
            raise UsageError(words)

    @property
    def is_launch_file(self) -> bool:
        """Whether sizes change a file's launches, so that kernels need not be read again."""
        return Path(self.path).suffix.lower() == ".toml"


def sweep_target(source: TargetOptions, launch: LaunchOptions) -> SweepTarget:
    """Target of a sweep; of a launch file the launch that is meant by its number."""
    if is_application(source.target):
        return SweepTarget(source.target, source.kernel, launch, strict=source.strict)
    number = launch.launches if isinstance(launch.launches, int) else None
    whole = replace(launch, launches="largest")
    return SweepTarget(source.target, source.kernel, whole, number, source.strict)


def _whole(name: str, value: Value) -> int | str:
    if isinstance(value, float):
        raise UsageError(f"--over {name}: a size is a whole number, not {value}")
    return value


class Launches:
    """The launches of a target in one configuration after another; kernels are read once."""

    def __init__(self, target: SweepTarget) -> None:
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

    def is_size(self, name: str) -> bool:
        """Whether what is varied is a size. An application says which it has when it runs."""
        if is_application(self.target.path):
            return name not in (*OF_LAUNCHES, *OTHERS, *schema().keys)
        return name in self.sizes

    def check(self, space: SweepSpace, machine_keys: Sequence[str]) -> None:
        """Refuse axes that nothing here has. UsageError."""
        names = (*self.sizes, *OF_LAUNCHES, *OTHERS, *machine_keys)
        for axis in space.axes:
            _check_ranges(axis)
            if is_application(self.target.path) and axis.name in OF_LAUNCHES:
                raise UsageError(
                    f"--over {axis.name}: {self.target.path} is an application, and the data of "
                    "its launches belong to the shapes that it gives them; vary its sizes, or "
                    "write a launch file"
                )
            if self.is_size(axis.name):
                continue
            if axis.name not in names:
                near = suggestion(axis.name, names)
                sizes = ", ".join(self.sizes) or "none"
                raise UsageError(
                    f"--over {axis.name}: there is no such thing to vary"
                    + (f"; {near}" if near else "")
                    + f" (sizes of {self.target.path}: {sizes}; block, grid, shared, regs, "
                    "machine, or a value of machines such as sm.count)"
                )
            if axis.name in OF_LAUNCHES and len(self._base) > 1:
                raise UsageError(
                    f"--over {axis.name}: {self.target.path} has {len(self._base)} launches; say "
                    "which with --launch N"
                )

    def jobs(self, configuration: Configuration) -> tuple[Job, ...]:
        """The launches in a configuration. InputError where it cannot be launched so."""
        sizes = {k: v for k, v in configuration.items() if self.is_size(k)}
        jobs = self._with_sizes(sizes)
        own = {k: v for k, v in configuration.items() if k in OF_LAUNCHES and k not in sizes}
        if not own:
            if self.target.code is not None:
                self._check(jobs[0])
            return jobs
        (job,) = jobs
        made = job.with_launch(changed(job.required_launch(), own))
        self._check(made)
        return (made,)

    @staticmethod
    def _check(job: Job) -> None:
        check_launch(job.required_launch(), job.loaded.module, job.kernel)

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
        moved = tuple(self._moved(job, by_place) for job in self._base)
        for job in moved:
            variant = self.target.code is not None  # which may yet get another block
            for each in job.before if variant else (*job.before, job):
                self._check(each)
        return moved

    @staticmethod
    def _moved(job: Job, by_place: Mapping[Any, Launch]) -> Job:
        own = job.required_launch()  # of a variant, whose code another file has
        launch = replace(by_place[own.path], module=own.module, kernel=own.kernel)
        before = tuple(Launches._moved(one, by_place) for one in job.before)
        return job.with_launch(launch, before)


_RANGE_LIKE = re.compile(r"[-+]?\w+\.\.\S*")


def _check_ranges(axis: Axis) -> None:
    """Refuse a value that is written like a range and is none. UsageError."""
    if axis.name == "machine":  # whose values may be files: ../mine.toml
        return
    for value in axis.values:
        if isinstance(value, str) and _RANGE_LIKE.fullmatch(value):
            raise UsageError(
                f"--over {axis.name}: `{value}` is no range; write first..last, first..last+step "
                "or first..last*factor in whole numbers, the first the smaller one"
            )


def changed(launch: Launch, own: Mapping[str, Value]) -> Launch:
    """A launch with another block, grid or shared memory.

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


def shape_word(shape: Dim3) -> Value:
    """Write a shape as axes have it, without sides of 1 at its end: 128 or 16x16."""
    x, y, z = shape
    if y == z == 1:
        return x
    return f"{x}x{y}" if z == 1 else f"{x}x{y}x{z}"


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
