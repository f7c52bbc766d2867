"""Tuning in a few lines of Python: which block, size or variant of a launch is the fastest.

::

    found = warpmill.tune(
        "samples/matmul/launch.toml",
        variants={"clang": "samples/matmul/matmul.sm_80.clang.ptx"},
        keep_block=True,
        machines="a100",
    )
    (there,) = found.machines
    print(there.outcome, there.best.variant, there.speedup(there.best))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.simulator.gpu.options import Options
from warpmill.sweeps.api import DEFAULT_MACHINES, Over, engine_of, space_given
from warpmill.sweeps.launches import SweepTarget
from warpmill.sweeps.points import Engine, EvaluationConfig
from warpmill.sweeps.space import MOST_POINTS, SweepSpace
from warpmill.tuning.checking import MOST_INSTRUCTIONS, Checker
from warpmill.tuning.model import Running, Tuned, TuneRequest
from warpmill.tuning.tune import tune as tune_wanted
from warpmill.tuning.variants import variants_of


def tune(  # noqa: PLR0913 - each option by its name
    target: str | Path,
    over: Over | None = None,
    *,
    variants: Mapping[str, str | Path] | Sequence[str | Path] = (),
    where: Sequence[str] = (),
    space: str | Path | None = None,
    keep_block: bool = False,
    keep_grid: bool = False,
    machines: str | Sequence[str] | None = None,
    engine: Engine = "estimate",
    refine: int = 0,
    check: bool = True,
    check_sizes: Mapping[str, int | str] | None = None,
    max_check_instructions: int = MOST_INSTRUCTIONS,
    top: int = 10,
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
) -> Tuned:
    """Rank choices for a launch on each machine, the launch as it is written among them.

    ``over`` are values by name; without it, and without ``space``, blocks that are worth a try are
    tried, with ``keep_block`` variants alone. ``variants`` are files (``FILE`` or ``FILE:KERNEL``),
    by name or one by one: other code for the launch, or launch files. The ``top`` of each machine
    are executed, with ``check_sizes`` where they are given, and set apart where they compute
    something else; ``check=False`` leaves that out. ``refine`` of them are simulated. The rest is
    as in ``warpmill.sweep``.

    UsageError and InputError for what cannot be varied or read, and where nothing can be measured,
    LimitError for more than ``max_points`` choices.
    """
    if top < 1 or refine < 0:
        raise UsageError("`top` is at least 1, `refine` at least 0")
    if refine and engine == "simulate":
        raise UsageError("`refine` simulates what engine=`simulate` has simulated")
    simulated: Engine = "simulate" if refine else engine
    engine_of(simulated, simulation)
    given = replace(options or LaunchOptions(), launches="largest")
    base = SweepTarget(str(target), kernel, given, launch)
    names = (machines,) if isinstance(machines, str) else tuple(machines or DEFAULT_MACHINES)
    how = EvaluationConfig(
        engine_of(engine, None),
        tuple(dict.fromkeys(names)),
        dict(overrides or {}),
        registers,
        trace_options or TraceOptions(),
        None if refine else simulation,
    )
    checker = Checker(base, check_sizes, max_check_instructions, workers) if check else None
    wanted = TuneRequest(
        variants_of(base, _variants(variants)),
        _space(over or {}, where, space),
        how,
        keep_block,
        keep_grid,
        top,
        checker,
        refine,
        simulation,
    )
    return tune_wanted(wanted, Running(store, workers, max_points, retry))


def _variants(given: Mapping[str, str | Path] | Sequence[str | Path]) -> list[str]:
    if isinstance(given, Mapping):
        return [f"{name}={file}" for name, file in given.items()]
    return [given] if isinstance(given, str) else [str(file) for file in given]


def _space(over: Over, where: Sequence[str], file: str | Path | None) -> SweepSpace:
    conditions = (where,) if isinstance(where, str) else tuple(where)
    if not over and file is None:
        return SweepSpace((), conditions)
    return space_given(over, where, file)
