"""``warpmill explore``: run (which may be left out), report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import Faults
from warpmill.analyzer.base.opt import Default, Without
from warpmill.cli.output import emit, tell
from warpmill.commands.explore.files import ModelFiles
from warpmill.commands.explore.options import (
    KEPT,
    ExplorationStudy,
    ExploredTargets,
    FittingTexts,
    FoldSeed,
    QuestionTexts,
    SomeWorkloads,
    StudyName,
)
from warpmill.commands.sweep.running import refuse_empty, tell_of_others, told_progress
from warpmill.exploring.options import MOST_POINTS, PointOptions, Sampling
from warpmill.session.options import Output
from warpmill.studies.model import LIMITS
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.exploring.answers import ModelQuestions
    from warpmill.exploring.backends import PointWorkers
    from warpmill.exploring.explored import ExplorationResult
    from warpmill.exploring.points import ExplorationConfig
    from warpmill.exploring.space import ExploredSpace
    from warpmill.exploring.workloads import ExploredWorkload

_MANY = 1000
"""Points from which on it takes seconds to make their machines."""


def explore_run(
    explored: ExploredTargets,
    sampling: Annotated[Sampling, Default("most_points", MOST_POINTS)],
    points: PointOptions,
    study: ExplorationStudy,
    fitting: FittingTexts,
    asked: QuestionTexts,
    files: ModelFiles,
    output: Output,
) -> None:
    """Simulate points of a space for each workload, and make a model of each.

    What was simulated is kept: an interrupted exploration goes on where it was, --samples with
    more extends it, and several processes or computers may work on one store.
    """
    from warpmill.exploring.points import ExplorationConfig  # noqa: PLC0415
    from warpmill.exploring.space_file import space_called  # noqa: PLC0415

    faults = Faults()
    faults.of(lambda: files.check(output.output, study.kept.store, curves=bool(asked.curves)))
    faults.of(lambda: files.check_workloads(len(set(explored.workloads))))
    wanted = faults.of(lambda: space_called(explored.space))
    if wanted is None:
        faults.check()
    assert wanted is not None
    models, questions = asked.with_models(
        wanted, fitting, sampling.seed, faults, sampling.until_error
    )
    found = run_exploration(
        wanted,
        explored.read(),
        replace(sampling, fitting=models, retry=study.kept.retry),
        ExplorationConfig(points.trace, points.options),
        study=study.name,
        backend=study.point_workers,
        kept=study.kept,
    )
    count = sum(len(one.samples) for one in found.workloads)
    tell(f"{count:,} point{'s' * (count != 1)} in {found.seconds:,.1f} s")
    _show(found, questions, files, output)


def explore_report(
    study: StudyName,
    kept: Annotated[StudyOptions, Without("no_store", "workers", "retry", "max_points"), KEPT],
    fitting: FittingTexts,
    asked: QuestionTexts,
    files: ModelFiles,
    output: Output,
    workloads: SomeWorkloads = (),
    seed: FoldSeed = 0,
) -> None:
    """Make models of what was simulated so far, and show what they tell. Nothing is simulated."""
    from warpmill.exploring.exploration import explored, only  # noqa: PLC0415 - slow to load

    faults = Faults()
    faults.of(lambda: files.check(output.output, kept.store, curves=bool(asked.curves)))
    store = kept.place
    assert store is not None
    found = faults.of(lambda: explored(study, store))
    if found is None:
        faults.check()
    assert found is not None
    if workloads:
        found = only(found, tuple(dict.fromkeys(workloads)))
    number = len(found.workloads)
    faults.of(lambda: files.check_workloads(number))
    _, questions = asked.with_models(found.space, fitting, seed, faults)
    _show(found, questions, files, output)


def _show(
    found: ExplorationResult, asked: ModelQuestions, files: ModelFiles, output: Output
) -> None:
    from warpmill.commands.explore.result import explore_report as reported  # noqa: PLC0415

    made = reported(found, asked)
    emit(made, output)
    files.write(made)


def run_exploration(
    space: ExploredSpace,
    workloads: Sequence[ExploredWorkload],
    sampling: Sampling,
    how: ExplorationConfig,
    *,
    study: str | None,
    backend: PointWorkers,
    kept: StudyOptions,
) -> ExplorationResult:
    """Explore, and tell how far it is. KeyboardInterrupt passes, once what is left was told.

    InputError where nothing could be simulated, others as ``explore``.
    """
    from warpmill.exploring.exploration import explore as explore_space  # noqa: PLC0415

    _tell_of_many(space, sampling)
    with told_progress(f"explore: {space.name}", kept) as told:
        found = explore_space(
            space, workloads, sampling, how,
            store=kept.place, study=study, backend=backend, told=told,
        )  # fmt: skip
    tell_of_others(found.here, found.elsewhere, found.known)
    if not any(one.measured for one in found.workloads):
        failed = [one for own in found.workloads for one in own.failures]
        limits = (LIMITS in one.facts for one in failed)
        title = found.workloads[0].title
        refuse_empty(title, (one.problem or "" for one in failed), limits)
    return found


def _tell_of_many(space: ExploredSpace, sampling: Sampling) -> None:
    """Note that there are fewer points than asked for, and what takes long before the first one."""
    count, first = space.design.count, sampling.first(space.design)
    if (sampling.samples or 0) > count:
        tell(f"--samples {sampling.samples:,}: the space has {count:,} points, and all are taken")
    if first > _MANY:
        tell(f"making the machines of {first:,} points")
