"""``warpmill explore``: run (which may be left out), report.

Beside a report it writes files: pictures, all predictions, a model.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import Faults, UsageError
from warpmill.analyzer.base.opt import Default, Opt, Without
from warpmill.analyzer.base.whole_files import check_files
from warpmill.cli.output import emit, tell, write, write_lines
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
from warpmill.report.safe import plain_text
from warpmill.session.options import Output
from warpmill.studies.model import LIMITS
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.commands.explore.result import ExploreReport
    from warpmill.exploring.answers import Modelled, ModelQuestions
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


_TOGETHER = 4096
"""Rows that are written together."""


@dataclass(frozen=True)
class ModelFiles:
    """Files that are written beside the report. None: not."""

    plot: Annotated[
        Path | None,
        Opt("Draw what terms explain (.png, .svg, .pdf).", metavar="FILE", writes="later"),
    ] = None
    plot_curves: Annotated[Path | None, Opt("Draw the curves.", metavar="FILE", writes="later")] = (
        None
    )
    predict_all: Annotated[
        Path | None,
        Opt(
            "Write what models say of every point that meets --where.",
            metavar="FILE.csv",
            writes="later",
        ),
    ] = None
    save_model: Annotated[
        Path | None,
        Opt("Write the model of the one workload.", metavar="FILE", writes="later"),
    ] = None

    def check(self, output: Path | None, store: str | Path | None, *, curves: bool) -> None:
        """Refuse, before anything is simulated, what could not be written. UsageError.

        ``curves`` says whether any are asked for.
        """
        from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

        if self.plot_curves is not None and not curves:
            raise UsageError("--plot-curves draws the curves of --curve, and none is given")
        for path in (self.plot, self.plot_curves):
            if path is not None:
                check_plot(path)
        read: dict[Path, str] = {}
        if store is not None and "://" not in str(store):
            read[Path(store).resolve()] = "--store"
        check_files(self._options(output), read)

    def _options(self, output: Path | None) -> dict[str, Path]:
        given = {
            "--output": output,
            "--plot": self.plot,
            "--plot-curves": self.plot_curves,
            "--predict-all": self.predict_all,
            "--save-model": self.save_model,
        }
        return {option: path for option, path in given.items() if path is not None}

    def check_workloads(self, number: int) -> None:
        """Refuse to keep several models in one file. UsageError."""
        if self.save_model is not None and number > 1:
            raise UsageError(
                f"--save-model keeps one model, and there are {number} workloads: name one of them"
            )

    def write(self, made: ExploreReport) -> None:
        """Write what was asked for. UsageError where there is no model to tell anything."""
        from warpmill.commands.explore.plot import write_curves, write_terms  # noqa: PLC0415 - slow

        models = [one for one in made.workloads if one.model is not None]
        if self._options(None) and not models:
            options = " and ".join(self._options(None))
            raise UsageError(f"nothing is written for {options}: there is no model")
        if self.plot is not None:
            write_terms(made, self.plot)
        if self.plot_curves is not None:
            write_curves(made, self.plot_curves)
        if self.predict_all is not None:
            write_lines(_predictions(made, models), self.predict_all)
        if self.save_model is not None:
            from warpmill.simulator.regression.model import model_text  # noqa: PLC0415 - slow

            (one,) = models
            assert one.model is not None
            write(model_text(one.model), self.save_model)


def _predictions(made: ExploreReport, models: list[Modelled]) -> Iterator[str]:
    """Predictions of every point as CSV: values, then four columns a workload."""
    from warpmill.exploring.answers import all_predictions, searched_space  # noqa: PLC0415 - slow

    space = searched_space(made.exploration.space, made.asked)
    response = made.asked.fitting.response
    header = list(space.names)
    for one in models:
        named = f"{response} of {one.workload.title}"
        header += [named, f"{named} low", f"{named} high", f"{named} notes"]
    own = len(space.names)
    each = zip(*(all_predictions(one, space) for one in models), strict=True)
    rows = ([*of_all[0][:own], *chain(*(row[own:] for row in of_all))] for of_all in each)
    yield _csv([header])
    while some := list(islice(rows, _TOGETHER)):
        yield _csv(some)


def _csv(rows: list[list[object]] | list[list[str]]) -> str:
    out = io.StringIO()
    texts = ([plain_text(c) if isinstance(c, str) else c for c in row] for row in rows)
    csv.writer(out, lineterminator="\n").writerows(texts)
    return out.getvalue()
