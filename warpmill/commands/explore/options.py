"""Options of ``explore``, and how their texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.written_files import written
from warpmill.session.options import pair

if TYPE_CHECKING:
    from warpmill.exploring.answers import ModelQuestions
    from warpmill.exploring.backends import PointWorkers
    from warpmill.exploring.fitting import Fitting
    from warpmill.exploring.space import ExploredSpace
    from warpmill.simulator.regression.parameters import Value


class BackendName(StrEnum):
    """Where points are simulated."""

    JOBLIB = "joblib"
    DASK = "dask"


class SpaceSampling(StrEnum):
    """How points are drawn."""

    RANDOM = "random"
    LHS = "lhs"
    SOBOL = "sobol"


SpaceName = Annotated[
    str,
    typer.Argument(
        metavar="SPACE",
        help="A space that comes with warpmill (stargazer, modern), or a space file (.toml).",
        show_default=False,
    ),
]
Workloads = Annotated[
    list[str],
    typer.Argument(
        metavar="WORKLOAD",
        help="Workloads (bfs:tiny), launch files (.toml), programs (.py), recordings (.wmrec).",
        show_default=False,
    ),
]
StudyName = Annotated[
    str, typer.Argument(metavar="STUDY", help="An exploration that was kept.", show_default=False)
]
SomeWorkloads = Annotated[
    list[str] | None,
    typer.Argument(metavar="WORKLOAD", help="Only these of its workloads; else all."),
]
SamplesOption = Annotated[
    int | None,
    typer.Option(
        "--samples", metavar="N", min=1, help="Points to simulate for each workload; 300 without "
        "it. Those that the study has count.", show_default=False,
    ),
]  # fmt: skip
Fraction = Annotated[
    float | None,
    typer.Option(
        "--fraction", metavar="SHARE", help="So many points as a share of the space's (0.0003).",
        show_default=False,
    ),
]  # fmt: skip
MaxPoints = Annotated[
    int | None,
    typer.Option(
        "--max-points", metavar="N", min=1, help="Most points of a workload; 10000 without it.",
        show_default=False,
    ),
]  # fmt: skip
FractionOfEach = Annotated[
    float | None,
    typer.Option(
        "--fraction-of-each", metavar="SHARE", help="As many points as this share of each "
        "parameter's values has combinations.", show_default=False,
    ),
]  # fmt: skip
UntilError = Annotated[
    str | None,
    typer.Option(
        "--until-error", metavar="PERCENT", help="Draw points until a model is off by no more than "
        "this in the mean, cross-validated (5%); no more of them than --samples.",
        show_default=False,
    ),
]  # fmt: skip
MethodOption = Annotated[
    SpaceSampling, typer.Option("--method", help="How points are drawn: evenly, or spread out.")
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", min=0, help="Which points are drawn, and how samples are dealt to "
        "folds.",
    ),
]  # fmt: skip
FoldSeed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", min=0, help="How samples are dealt to folds, and among which points "
        "of a large space those of --suggest are chosen.",
    ),
]  # fmt: skip
StudyOption = Annotated[
    str | None,
    typer.Option(
        "--study", metavar="NAME", help="What the exploration is called; without it as its space.",
        show_default=False,
    ),
]  # fmt: skip
BackendOption = Annotated[
    BackendName, typer.Option("--backend", help="Processes here, or a Dask cluster.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="The Dask scheduler, such as tcp://host:8786.",
        show_default=False,
    ),
]  # fmt: skip
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", min=1, help="Processes that simulate points here; without it as "
        "many as there are cores.", show_default=False,
    ),
]  # fmt: skip
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE|URL",
        help="Where points are kept once they are simulated: an SQLite file, or a database "
        "(postgresql+psycopg://…); without it as for sweep.",
        show_default=False,
    ),
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Keep nothing, and know nothing.")]
Retry = Annotated[
    bool, typer.Option("--retry", help="Try points again that could not be simulated before.")
]
Response = Annotated[
    str,
    typer.Option(
        "--response", metavar="FIGURE", help="What models are of: time_us, cycles, adjusted_us and "
        "adjusted_cycles (without the tail), ipc and so on.",
    ),
]  # fmt: skip
Theta = Annotated[
    float,
    typer.Option(
        "--theta", metavar="FRACTION", help="What a term has to better R² by, to enter a model."
    ),
]
Phi = Annotated[
    float, typer.Option("--phi", metavar="FRACTION", help="The same of an interaction.")
]
Folds = Annotated[
    int, typer.Option("--folds", metavar="N", min=2, help="Folds of the cross-validation.")
]
Terms = Annotated[
    str | None,
    typer.Option(
        "--terms", metavar="TERM,...", help="Make models of these terms alone, such as "
        "'simd,#blk,simd:#blk'; none is chosen by --theta and --phi then.", show_default=False,
    ),
]  # fmt: skip
Fix = Annotated[
    list[str] | None,
    typer.Option(
        "--fix", metavar="NAME=VALUE", help="Make models of samples with this value alone.",
        show_default=False,
    ),
]  # fmt: skip
Top = Annotated[
    int, typer.Option("--top", metavar="N", min=0, help="How many of the best points are shown.")
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where", metavar="CONDITION", help="Look for the best among points that meet this, such "
        "as 'simd <= 16'; signs in names are underscores (_blk, c_).", show_default=False,
    ),
]  # fmt: skip
Cost = Annotated[
    str | None,
    typer.Option(
        "--cost", metavar="EXPRESSION", help="Show the points that none beats in both the response "
        "and this, such as 'simd * _blk + c_'.", show_default=False,
    ),
]  # fmt: skip
At = Annotated[
    list[str] | None,
    typer.Option(
        "--at", metavar="NAME=VALUE,...", help="Predict this point; given again, another one.",
        show_default=False,
    ),
]  # fmt: skip
Curves = Annotated[
    list[str] | None,
    typer.Option(
        "--curve", metavar="NAME", help="Show the response along this parameter, others being as "
        "the first --at says, or at their middle values.", show_default=False,
    ),
]  # fmt: skip
Suggest = Annotated[
    int,
    typer.Option(
        "--suggest", metavar="N", min=0, help="Say which N points to simulate next, 1000 at most."
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        callback=written,
        metavar="FILE",
        help="Draw what terms explain (.png, .svg, .pdf).",
    ),
]
PlotCurves = Annotated[
    Path | None,
    typer.Option("--plot-curves", callback=written, metavar="FILE", help="Draw the curves."),
]
SaveModel = Annotated[
    Path | None,
    typer.Option(
        "--save-model",
        callback=written,
        metavar="FILE",
        help="Write the model of the one workload.",
    ),
]
PredictAll = Annotated[
    Path | None,
    typer.Option(
        "--predict-all",
        callback=written,
        metavar="FILE.csv",
        help="Write what models say of every point that meets --where.",
        show_default=False,
    ),
]


def backend_of(name: BackendName, scheduler: str | None, workers: int | None) -> PointWorkers:
    """Say where points are simulated. UsageError for options that do not go together."""
    from joblib import cpu_count  # noqa: PLC0415 - slow to load

    from warpmill.exploring.backends import PointWorkers  # noqa: PLC0415 - as above

    if name is BackendName.DASK:
        if scheduler is None:
            raise UsageError("--backend dask needs --scheduler ADDRESS")
        if workers is not None:
            raise UsageError("--workers is for processes here: a Dask cluster has its workers")
        return PointWorkers(1, scheduler)
    if scheduler is not None:
        raise UsageError("--scheduler is for --backend dask")
    return PointWorkers(workers or cpu_count())


def fitting_of(  # noqa: PLR0913 - each option by its name
    space: ExploredSpace,
    *,
    response: str,
    theta: float,
    phi: float,
    folds: int,
    seed: int,
    fix: Sequence[str] | None,
    terms: str | None,
) -> Fitting:
    """Say what models are of. UsageError."""
    from warpmill.exploring.fitting import Fitting  # noqa: PLC0415 - as above
    from warpmill.simulator.regression.fit import term_of  # noqa: PLC0415 - slow to load

    given = None if terms is None else tuple(term_of(text) for text in terms.split(","))
    fixed = _values(space, "--fix", fix or ())
    for name, value in fixed.items():
        next(p for p in space.design.parameters if p.name == name).place_of(value)
    return Fitting(response, theta, phi, folds, seed, tuple(fixed.items()), given)


def asked_of(  # noqa: PLR0913 - each option by its name
    space: ExploredSpace,
    fitting: Fitting,
    *,
    top: int,
    where: Sequence[str] | None,
    cost: str | None,
    at: Sequence[str] | None,
    curves: Sequence[str] | None,
    suggest: int,
    until_error: float | None = None,
) -> ModelQuestions:
    """Say what is to be told; what cannot be is refused before anything runs. UsageError."""
    from warpmill.exploring.answers import ModelQuestions, check_asked  # noqa: PLC0415 - slow to load

    points = tuple(_values(space, "--at", text.split(",")) for text in at or ())
    asked = ModelQuestions(
        fitting, top, tuple(where or ()), cost, points, tuple(dict.fromkeys(curves or ())),
        points[0] if points else {}, suggest, until_error,
    )  # fmt: skip
    check_asked(space, asked, costs=True)
    return asked


def _values(space: ExploredSpace, option: str, texts: Sequence[str]) -> dict[str, Value]:
    from warpmill.exploring.fitting import value_of  # noqa: PLC0415 - slow to load

    example = f"{space.parameters[0].name}={space.parameters[0].parameter.values[0]}"
    found: dict[str, Value] = {}
    for name, text in (pair(option, text, example) for text in texts):
        if name in found:
            raise UsageError(f"{option} gives {name} twice")
        found[name] = value_of(space, name, text)
    return found
