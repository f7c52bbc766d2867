"""Tuning in a few lines of Python: which block, size or variant of a launch is the fastest.

::

    found = warpmill.tune(
        "samples/matmul/launch.toml",
        tuning=warpmill.TuneOptions(
            variants={"clang": "samples/matmul/matmul.sm_80.clang.ptx"}, keep_block=True
        ),
        machines="a100",
    )
    (there,) = found.machines
    print(there.outcome, there.best.variant, there.speedup(there.best))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.session.options import (
    EvaluationOptions,
    LaunchKeywords,
    LaunchOptions,
    MachineOptions,
    TargetOptions,
    launch_with,
)
from warpmill.studies.options import NOT_KEPT, SpaceOptions, StudyOptions
from warpmill.sweeps.api import PLAIN, Over, evaluation_of, space_or_none, study_of
from warpmill.sweeps.launches import SweepTarget, sweep_target
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import SweepSpace, checked
from warpmill.tuning.comparing import Comparer
from warpmill.tuning.model import Running, Tuned, TuneRequest
from warpmill.tuning.options import TuneOptions
from warpmill.tuning.tune import tune as tune_wanted
from warpmill.tuning.variants import variants_of


def tune(
    target: str | Path,
    over: Over | SpaceOptions = (),
    *,
    tuning: TuneOptions | None = None,
    machines: str | Sequence[str] | MachineOptions = (),
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    how: EvaluationOptions = PLAIN,
    store: str | Path | StudyOptions = NOT_KEPT,
    **keywords: Unpack[LaunchKeywords],
) -> Tuned:
    """Rank choices for a launch on each machine, the launch as it is written among them.

    ``over`` are values by name, or a ``SpaceOptions``; without it blocks that are worth a try are
    tried, with ``tuning.keep_block`` variants alone. The best of each machine are executed, and
    set apart where they compute something else; ``tuning.compare=False`` leaves that out. The rest
    is as in ``warpmill.sweep``.

    UsageError and InputError for what cannot be varied or read, and where nothing can be measured,
    LimitError for more than ``store.max_points`` choices.
    """
    base = sweep_target(TargetOptions(str(target), kernel), launch_with(launch, keywords))
    wanted, kept = tuning or TuneOptions(), study_of(store)
    check_engines(how, wanted)
    space = space_wanted(over)
    config = evaluation_of(how, machines, SweepSpace(()))
    request = request_of(base, space, config, wanted, kept)
    return tune_wanted(request, Running(kept.place, kept.workers, kept.max_points, kept.retry))


def check_engines(how: EvaluationOptions, tuning: TuneOptions) -> None:
    """Refuse options of simulations where nothing is simulated, or all is anyway. UsageError."""
    if tuning.refine and how.engine == "simulate":
        raise UsageError(
            "--refine simulates what --engine simulate has simulated: give one of them"
        )
    if not tuning.refine:
        how.check()


def space_wanted(over: Over | SpaceOptions) -> SweepSpace:
    """Varied axes, each once; nothing at all is a space, too. UsageError, InputError."""
    space = space_or_none(over)
    is_file = isinstance(over, SpaceOptions) and over.file is not None
    return checked(space) if space.axes or is_file else space


def request_of(
    base: SweepTarget,
    space: SweepSpace,
    how: EvaluationConfig,
    tuning: TuneOptions,
    study: StudyOptions,
) -> TuneRequest:
    """Request for tuning: variants, space and settings. UsageError for what is no variant."""
    sizes, most = tuning.compare_sizes, tuning.max_compare_instructions
    return TuneRequest(
        variants_of(base, tuning.variant_texts),
        space,
        how,
        tuning.keep_block,
        tuning.keep_grid,
        tuning.top,
        Comparer(base, sizes, most, study.workers) if tuning.compare else None,
        tuning.refine,
    )
