"""Options of ``explore`` whose texts are read with its space, and where it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from warpmill.analyzer.base.diagnostics import Faults, UsageError
from warpmill.analyzer.base.opt import Arg, Help, Opt, Without
from warpmill.exploring.options import FittingOptions, QuestionOptions
from warpmill.session.options import Sizes, pair
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.exploring.answers import ModelQuestions
    from warpmill.exploring.backends import PointWorkers
    from warpmill.exploring.fitting import Fitting
    from warpmill.exploring.space import ExploredSpace
    from warpmill.exploring.workloads import ExploredWorkload
    from warpmill.simulator.regression.parameters import Value


@dataclass(frozen=True)
class ExploredTargets:
    """A space, and the workloads that its machines run."""

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
            "Workloads (bfs:tiny), launch files (.toml), programs (.py), recordings (.wmrec).",
            metavar="WORKLOAD",
            text=list[str],
            read=tuple,
            completes="target",
        ),
    ]
    sizes: Sizes = field(default_factory=dict)

    def read(self) -> list[ExploredWorkload]:
        """The workloads with their sizes."""
        from warpmill.exploring.workloads import ExploredWorkload  # noqa: PLC0415 - slow to load

        return [ExploredWorkload(target, dict(self.sizes)) for target in self.workloads]


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
        from warpmill.exploring.fitting import Fitting  # noqa: PLC0415 - as below
        from warpmill.simulator.regression.fit import term_of  # noqa: PLC0415 - slow to load

        def fixed() -> tuple[tuple[str, Value], ...]:
            found = _values(space, "--fix", self.fix)
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

        faults = Faults()
        read = [faults.of(partial(_values, space, "--at", text.split(","))) for text in self.at]
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


def _values(space: ExploredSpace, option: str, texts: Sequence[str]) -> dict[str, Value]:
    from warpmill.exploring.fitting import value_of  # noqa: PLC0415 - slow to load

    example = f"{space.parameters[0].name}={space.parameters[0].parameter.values[0]}"
    found: dict[str, Value] = {}
    for name, text in (pair(option, text, example) for text in texts):
        if name in found:
            raise UsageError(f"{option} gives {name} twice")
        found[name] = value_of(space, name, text)
    return found
