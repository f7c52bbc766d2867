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
from typing import SupportsIndex

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.simulator.gpu.options import Options
from warpmill.studies.running import ProgressListener
from warpmill.sweeps.launches import SweepTarget
from warpmill.sweeps.points import Engine, EvaluationConfig
from warpmill.sweeps.space import MOST_POINTS, Axis, SweepSpace, Value, axis_of, checked, read_space
from warpmill.sweeps.sweep import Swept
from warpmill.sweeps.sweep import sweep as sweep_space

Given = str | float | SupportsIndex | tuple[SupportsIndex, ...] | list[SupportsIndex]
"""A value of an axis: a number, a word, a shape as ``(16, 16)`` or ``"16x16"``."""

Over = Mapping[str, str | Sequence[Given]]
"""Axes by name: values one by one, or a text as the command line takes it."""

DEFAULT_MACHINES = ("v100", "a100", "h100_sxm")


def sweep(  # noqa: PLR0913 - each option by its name
    target: str | Path,
    over: Over | None = None,
    *,
    where: Sequence[str] = (),
    space: str | Path | None = None,
    machines: str | Sequence[str] | None = None,
    engine: Engine = "estimate",
    overrides: Mapping[str, str | int | float | bool] | None = None,
    kernel: str | None = None,
    options: LaunchOptions | None = None,
    launch: int | None = None,
    registers: int | None = None,
    trace_options: TraceOptions | None = None,
    simulation: Options | None = None,
    store: str | Path | None = None,
    workers: int = 1,
    retry: bool = False,
    max_points: int = MOST_POINTS,
    told: ProgressListener | None = None,
) -> Swept:
    """Estimate or simulate a launch in many configurations.

    ``over`` are values by name, ``where`` conditions on them, ``space`` a file with both. Without
    ``machines`` the sweep is over v100, a100 and h100_sxm. ``launch`` is the one of a launch file
    that is meant. ``simulation`` are options of ``engine="simulate"``. Without ``store``, a file or
    a URL, nothing is kept; ``warpmill.studies.places.default_store()`` is that of the command line.

    UsageError and InputError for what cannot be varied or read, LimitError for more than
    ``max_points`` configurations. One that cannot be launched or measured is in ``failures``.
    """
    wanted = space_given(over or {}, where, space)
    how = EvaluationConfig(
        engine_of(engine, simulation),
        _machines(machines, wanted),
        dict(overrides or {}),
        registers,
        trace_options or TraceOptions(),
        simulation,
    )
    given = SweepTarget(str(target), kernel, options or LaunchOptions(), launch)
    return sweep_space(
        given,
        wanted,
        how,
        store=store,
        workers=workers,
        most=max_points,
        retry=retry,
        told=told,
    )


def engine_of(engine: Engine, simulation: Options | None) -> Engine:
    """Check an engine, and that options of simulations have one. UsageError."""
    if engine not in {"estimate", "simulate"}:
        raise UsageError(f"there is no engine {engine}: there are estimate and simulate")
    if simulation is not None and engine != "simulate":
        raise UsageError("options of a simulation are for engine=`simulate`")
    return engine


def space_given(over: Over, where: Sequence[str], file: str | Path | None) -> SweepSpace:
    """Put together what is varied, and under which conditions. UsageError; InputError."""
    from_file = read_space(Path(file)) if file is not None else SweepSpace(())
    axes = (*from_file.axes, *(_axis(name, values) for name, values in over.items()))
    conditions = (where,) if isinstance(where, str) else tuple(where)
    return checked(SweepSpace(axes, (*from_file.conditions, *conditions)))


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
    """Give a value as it is kept: numbers of NumPy and shapes are taken too. TypeError."""
    if isinstance(value, bool):
        return "true" if value else "false"  # of a machine
    if isinstance(value, str):
        return value
    if isinstance(value, tuple | list):
        return "x".join(str(operator.index(side)) for side in value)
    return float(value) if isinstance(value, float) else operator.index(value)


def _machines(given: str | Sequence[str] | None, space: SweepSpace) -> tuple[str, ...]:
    """List the machines: an axis of them, or those that are named. UsageError where both are."""
    axis = next((axis for axis in space.axes if axis.name == "machine"), None)
    if axis is not None and given is not None:
        raise UsageError("machines are varied already: give `machines`, or an axis of them")
    if axis is not None:
        return tuple(map(str, axis.values))
    names = (given,) if isinstance(given, str) else tuple(given or ())
    return tuple(dict.fromkeys(names)) or DEFAULT_MACHINES
