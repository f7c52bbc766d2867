"""``warpmill explore``: run (which may be left out), report.

Texts of its options are read with its space. Beside a report it writes files: pictures, all
predictions, a model.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from warpmill.analyzer.base.diagnostics import Faults, UsageError
from warpmill.analyzer.base.opt import Arg, Default, Help, Opt, Without
from warpmill.analyzer.base.whole_files import check_files
from warpmill.cli.output import emit, tell, write, write_lines
from warpmill.commands.sweep.running import refuse_empty, tell_of_others, told_progress
from warpmill.exploring.options import (
    MOST_POINTS,
    FittingOptions,
    MeasuredOptions,
    PointOptions,
    QuestionOptions,
    Sampling,
)
from warpmill.report.safe import plain_text
from warpmill.session.options import KernelName, LaunchOptions, Output
from warpmill.studies.model import LIMITS
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.commands.explore.result import ExploreReport
    from warpmill.exploring.answers import ModelQuestions
    from warpmill.exploring.backends import PointWorkers
    from warpmill.exploring.explored import ExplorationResult
    from warpmill.exploring.fitting import Fitting
    from warpmill.exploring.points import ExplorationConfig
    from warpmill.exploring.space import ExploredSpace
    from warpmill.exploring.workloads import ExploredWorkload
    from warpmill.simulator.regression.parameters import Value


@dataclass(frozen=True)
class ExploredTargets:
    """A space, the workloads that its machines run and how, or points that were measured."""

    space: Annotated[
        str,
        Arg(
            "A space that comes with warpmill (stargazer, modern), or a space file (.toml).",
            metavar="SPACE",
        ),
    ]
    workloads: Annotated[
        Sequence[str],
        Arg(
            "Workloads (bfs:tiny), launch files (.toml), kernel files and sources with --grid, "
            "--block and --arg, programs (.py), recordings (.wmrec).",
            metavar="WORKLOAD",
            text=list[str],
            read=tuple,
            completes="target",
        ),
    ] = ()
    kernel: KernelName = None
    launch: Annotated[LaunchOptions, Without("launches")] = field(default_factory=LaunchOptions)
    table: MeasuredOptions = field(default_factory=MeasuredOptions)

    def read(self) -> list[ExploredWorkload]:
        """The workloads as they are launched."""
        from warpmill.exploring.workloads import explored_workload  # noqa: PLC0415 - slow to load

        return [explored_workload(one, self.kernel, self.launch) for one in self.workloads]


StudyName = Annotated[str, Arg("An exploration that was kept.", metavar="STUDY")]
SomeWorkloads = Annotated[
    Sequence[str],
    Arg("Only these of its workloads; else all.", metavar="WORKLOAD", text=list[str], read=tuple),
]
FoldSeed = Annotated[
    int,
    Opt(
        "How samples are dealt to folds, and among which points of a large space those of "
        "--suggest are chosen.",
        metavar="N",
        least=0,
    ),
]
KEPT = Help(
    "store",
    "Where points are kept once they are simulated: an SQLite file, or a database "
    "(postgresql+psycopg://…); without it as for sweep.",
)
"""Beside ``StudyOptions``: of points."""


@dataclass(frozen=True)
class ExplorationStudy:
    """Name of an exploration, its store, and the workers that simulate its points."""

    name: Annotated[
        str | None,
        Opt(
            "What the exploration is called; without it as its space.",
            names=("--study",),
            metavar="NAME",
        ),
    ] = None
    kept: Annotated[
        StudyOptions,
        Without("workers", "max_points"),
        KEPT,
        Help("retry", "Try points again that could not be simulated before."),
    ] = field(default_factory=StudyOptions)
    backend: Annotated[Literal["joblib", "dask"], Opt("Processes here, or a Dask cluster.")] = (
        "joblib"
    )
    scheduler: Annotated[
        str | None,
        Opt("The Dask scheduler, such as tcp://host:8786.", metavar="ADDRESS"),
    ] = None
    workers: Annotated[
        int | None,
        Opt(
            "Processes that simulate points here; without it as many as there are cores.",
            metavar="N",
            least=1,
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.name is not None and not self.name.strip():
            raise UsageError("--study names nothing")
        if self.backend == "dask" and self.scheduler is None:
            raise UsageError("--backend dask needs --scheduler ADDRESS")
        if self.backend == "dask" and self.workers is not None:
            raise UsageError("--workers is for processes here: a Dask cluster has its workers")
        if self.backend != "dask" and self.scheduler is not None:
            raise UsageError("--scheduler is for --backend dask")

    @property
    def point_workers(self) -> PointWorkers:
        """Workers that simulate points."""
        from joblib import cpu_count  # noqa: PLC0415 - slow to load

        from warpmill.exploring.backends import PointWorkers  # noqa: PLC0415 - as above

        workers = 1 if self.backend == "dask" else self.workers or cpu_count()
        return PointWorkers(workers, self.scheduler)


@dataclass(frozen=True)
class FittingTexts(FittingOptions):
    """Subject of models, as texts that a space says how to read."""

    terms: Annotated[
        str | None,
        Opt(
            "Make models of these terms alone, such as 'simd,#blk,simd:#blk'; none is chosen by "
            "--theta and --phi then.",
            metavar="TERM,...",
        ),
    ] = None
    fix: Annotated[
        Sequence[str],
        Opt(
            "Make models of samples with this value alone.",
            metavar="NAME=VALUE",
            text=list[str],
            read=tuple,
        ),
    ] = ()

    def of(self, space: ExploredSpace, seed: int) -> Fitting:
        """Subject of models. UsageError."""
        from warpmill.exploring.fitting import Fitting, values_given  # noqa: PLC0415 - as below
        from warpmill.simulator.regression.fit import term_of  # noqa: PLC0415 - slow to load

        def fixed() -> tuple[tuple[str, Value], ...]:
            found = values_given(space, "--fix", self.fix)
            for name, value in found.items():
                next(p for p in space.design.parameters if p.name == name).index_of_value(value)
            return tuple(found.items())

        faults, terms = Faults(), self.terms
        given = faults.of(lambda: None if terms is None else tuple(map(term_of, terms.split(","))))
        values = faults.of(fixed) or ()
        shared = _shared(self, FittingOptions)
        found = faults.of(lambda: Fitting(**shared, seed=seed, fixed=values, terms=given))
        faults.check()
        assert found is not None
        return found


@dataclass(frozen=True)
class QuestionTexts(QuestionOptions):
    """Questions about models, as texts that a space says how to read."""

    at: Annotated[
        Sequence[str],
        Opt(
            "Predict this point; given again, another one.",
            metavar="NAME=VALUE,...",
            text=list[str],
            read=tuple,
        ),
    ] = ()

    def with_models(
        self,
        space: ExploredSpace,
        fitting: FittingTexts,
        seed: int,
        faults: Faults,
        until_error: float | None = None,
    ) -> tuple[Fitting, ModelQuestions]:
        """Subject of models, and questions about them.

        What is wrong with any of it is said together with what was found before. UsageError.
        """
        from warpmill.exploring.fitting import Fitting  # noqa: PLC0415 - slow to load

        models = faults.of(lambda: fitting.of(space, seed))
        questions = faults.of(lambda: self.of(space, models or Fitting(), until_error))
        faults.check()
        assert models is not None
        assert questions is not None
        return models, questions

    def of(
        self, space: ExploredSpace, fitting: Fitting, until_error: float | None = None
    ) -> ModelQuestions:
        """Questions; what cannot be answered is refused before anything runs. UsageError."""
        from warpmill.exploring.answers import ModelQuestions, check_asked  # noqa: PLC0415 - slow to load
        from warpmill.exploring.fitting import values_given  # noqa: PLC0415 - as above

        faults = Faults()
        read = [faults.of(partial(values_given, space, "--at", t.split(","))) for t in self.at]
        points = tuple(filter(None, read))
        asked = ModelQuestions(
            fitting,
            points,
            points[0] if points else {},
            until_error,
            **_shared(self, QuestionOptions),
        )
        faults.of(lambda: check_asked(space, asked, costs=True))
        faults.check()
        return asked


def _shared(options: Any, declaring: type) -> dict[str, Any]:
    """The values of the options that a class declares."""
    return {field.name: getattr(options, field.name) for field in fields(declaring)}


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
    """Simulate points of a space for each workload, or read measured ones, and model them.

    What was simulated is kept: an interrupted exploration goes on where it was, --samples with
    more extends it, and several processes or computers may work on one store.
    """
    from warpmill.exploring.points import ExplorationConfig  # noqa: PLC0415
    from warpmill.exploring.space_file import space_called  # noqa: PLC0415

    faults = Faults()
    faults.of(lambda: files.check(output.output, study.kept.store, curves=bool(asked.curves)))
    faults.of(lambda: files.check_workloads(len(set(explored.workloads))))
    faults.of(points.check)
    table = explored.table
    faults.of(lambda: table.check(len(set(explored.workloads)), sampling))
    wanted = faults.of(lambda: space_called(explored.space))
    if wanted is None:
        faults.check()
    assert wanted is not None
    rows = None
    if table.measured is not None:
        from warpmill.exploring.measured import measured_points  # noqa: PLC0415 - slow to load

        rows = faults.of(partial(measured_points, wanted, table.measured, fitting.response))
        response = fitting.response if rows is None else rows[1]
        fitting = replace(fitting, response=response, figures=(response,))
    models, questions = asked.with_models(
        wanted, fitting, sampling.seed, faults, sampling.until_error
    )
    if rows is not None and not table.mix:
        _show(rows[0], questions, files, output)
        return
    found = run_exploration(
        wanted,
        explored.read(),
        replace(sampling, fitting=models, retry=study.kept.retry),
        ExplorationConfig(points.trace, points.options, points.engine),
        study=study.name,
        backend=study.point_workers,
        kept=study.kept,
    )
    count = sum(len(one.samples) for one in found.workloads)
    tell(f"{count:,} point{'s' * (count != 1)} in {found.seconds:,.1f} s")
    if rows is not None:
        from warpmill.exploring.measured import with_measured  # noqa: PLC0415 - slow to load

        found = with_measured(found, rows[0])
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
    from warpmill.exploring.api import explore  # noqa: PLC0415 - slow to load

    _tell_of_many(space, sampling)
    with told_progress(f"explore: {space.name}", kept) as told:
        found = explore(
            space, workloads, sampling, how=how, name=study, scheduler=backend.scheduler,
            study=replace(kept, workers=backend.workers, told=told),
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
            from warpmill.exploring.answers import prediction_rows  # noqa: PLC0415 - slow to load

            rows = prediction_rows(made.exploration.space, made.asked, models)
            write_lines(_csv(rows), self.predict_all)
        if self.save_model is not None:
            from warpmill.simulator.regression.model import model_text  # noqa: PLC0415 - slow

            (one,) = models
            assert one.model is not None
            write(model_text(one.model), self.save_model)


def _csv(rows: Iterator[Sequence[object]]) -> Iterator[str]:
    """Rows as CSV, many together."""
    while some := list(islice(rows, _TOGETHER)):
        out = io.StringIO()
        texts = ([plain_text(c) if isinstance(c, str) else c for c in row] for row in some)
        csv.writer(out, lineterminator="\n").writerows(texts)
        yield out.getvalue()
