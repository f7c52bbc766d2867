"""Sweeps in a few lines of Python: a launch in many configurations, ranked.

::

    found = warpmill.sweep(
        "samples/vecadd/launch.toml",
        over={"block": [128, 256, 512], "n": "65536..1048576*2"},
        machines=("a100", "v100"),
    )
    for row in found.best(3):
        print(row.configuration, row.figures["time_us"])
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import SupportsIndex, Unpack

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.session.options import (
    DEFAULT_MACHINES,
    EvaluationOptions,
    LaunchKeywords,
    LaunchOptions,
    MachineOptions,
    TargetOptions,
    launch_with,
)
from warpmill.simulator.machines.resolve import parse_overrides
from warpmill.studies.options import NOT_KEPT, SpaceOptions, StudyOptions
from warpmill.sweeps.launches import SweepTarget, sweep_target
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace, Value, axis_of, checked, parse_axis, read_space
from warpmill.sweeps.sweep import Swept
from warpmill.sweeps.sweep import sweep as sweep_space

Given = str | float | SupportsIndex | tuple[SupportsIndex, ...] | list[SupportsIndex]
"""A value of an axis: a number, a word, a shape as ``(16, 16)`` or ``"16x16"``."""

Over = Mapping[str, str | Sequence[Given]] | Sequence[str]
"""Axes by name: values one by one, or a text; or texts as the command line takes them."""

PLAIN = EvaluationOptions()


def sweep(
    target: str | Path,
    over: Over | SpaceOptions = (),
    *,
    machines: str | Sequence[str] | MachineOptions = (),
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    how: EvaluationOptions = PLAIN,
    store: str | Path | StudyOptions = NOT_KEPT,
    **keywords: Unpack[LaunchKeywords],
) -> Swept:
    """Estimate or simulate a launch in many configurations.

    ``over`` are values by name; a ``SpaceOptions`` has conditions on them too, or a file. Without
    ``machines`` the sweep is over v100, a100 and h100_sxm. ``how`` has the engine and its options.
    Without ``store``, a file or a URL, nothing is kept; ``StudyOptions()`` keeps where the command
    line does, and says how many are measured at a time.

    UsageError and InputError for what cannot be varied or read, LimitError for more configurations
    than ``store.max_points``. One that cannot be launched or measured is in ``failures``.
    """
    how.check()
    wanted, kept = space_given(over), study_of(store)
    varied = sweep_target(TargetOptions(str(target), kernel), launch_with(launch, keywords))
    return sweep_kept(varied, wanted, evaluation_of(how, machines, wanted), kept)


def sweep_kept(
    target: SweepTarget, space: SweepSpace, how: EvaluationConfig, kept: StudyOptions
) -> Swept:
    """All configurations of a space, measured, kept as ``kept`` says. Errors as ``sweep_space``."""
    return sweep_space(
        target,
        space,
        how,
        store=kept.place,
        workers=kept.workers,
        most=kept.max_points,
        retry=kept.retry,
        told=kept.told,
    )


def study_of(store: str | Path | StudyOptions) -> StudyOptions:
    """Options of the store of configurations."""
    return store if isinstance(store, StudyOptions) else StudyOptions(store)


def evaluation_of(
    how: EvaluationOptions, machines: str | Sequence[str] | MachineOptions, space: SweepSpace
) -> EvaluationConfig:
    """How points are measured. UsageError for settings that are none."""
    if not isinstance(machines, MachineOptions):
        machines = MachineOptions((machines,) if isinstance(machines, str) else tuple(machines))
    settings = parse_overrides(machines.settings)
    return EvaluationConfig(how, _machines(machines.machines, space), settings)


def space_given(over: Over | SpaceOptions) -> SweepSpace:
    """Varied axes and their conditions. UsageError; InputError."""
    return checked(space_or_none(over))


def space_or_none(over: Over | SpaceOptions) -> SweepSpace:
    """Varied axes; nothing at all is a space, too. UsageError; InputError."""
    given = over if isinstance(over, SpaceOptions) else SpaceOptions(over)
    found = SweepSpace(()) if given.file is None else read_space(Path(given.file))
    named = (given.over,) if isinstance(given.over, str) else given.over
    if isinstance(named, Mapping):
        axes = tuple(_axis(name, values) for name, values in named.items())
    else:
        axes = tuple(map(parse_axis, named))
    conditions = (given.where,) if isinstance(given.where, str) else tuple(given.where)
    return SweepSpace((*found.axes, *axes), (*found.conditions, *conditions))


def _axis(name: str, values: str | Sequence[Given]) -> Axis:
    if isinstance(values, str):
        return axis_of(name, values)
    try:
        return axis_of(name, [_value(value) for value in values])
    except TypeError:
        raise UsageError(
            f"{name}={values!r}: values are numbers, words or shapes, in a list"
        ) from None


def _value(value: Given) -> Value:
    """A value as it is kept: numbers of NumPy and shapes are taken too. TypeError."""
    if isinstance(value, bool):
        return "true" if value else "false"  # of a machine
    if isinstance(value, str):
        return value
    if isinstance(value, tuple | list):
        return "x".join(str(operator.index(side)) for side in value)
    return float(value) if isinstance(value, float) else operator.index(value)


def _machines(given: Sequence[str], space: SweepSpace) -> tuple[str, ...]:
    """The machines: an axis of them, or those that are named. UsageError where both are."""
    axis = next((axis for axis in space.axes if axis.name == "machine"), None)
    if axis is None:
        return tuple(dict.fromkeys(given)) or DEFAULT_MACHINES
    if given:
        raise UsageError("machines are varied already: give `machines`, or an axis of them")
    return tuple(map(str, axis.values))
