"""Options of explorations. Nothing heavy is imported: the help of ``explore`` shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.analyzer.base.metric import INTERNAL
from warpmill.analyzer.base.opt import Opt, Without
from warpmill.session.options import EngineName, TraceOptions, check_engine, percent_of
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from warpmill.simulator.regression.space import DesignSpace

RESPONSE = "time_us"
FOLDS = 10
SAMPLES = 300
"""Samples without a word: those of the paper."""
FIRST = STEP = 30
"""Samples that are looked at first, and each time more, where an error is aimed at."""
MOST_POINTS = 10_000
"""Points of a workload that the command line takes without a word: a minute until all are made."""


def _percents(text: str) -> float:
    return 100 * percent_of("--until-error", text)


@dataclass(frozen=True)
class Sampling:
    """How many points are simulated, and which.

    ``samples`` points, or a share (``fraction``) of the allowed ones.
    ``fraction_of_each`` is a share of each parameter's values: as many points as these have
    combinations (§5.1, "a fraction of each dimension"). With ``until_error``, a mean relative error
    in percent by cross-validation, points are drawn until a model is that near, and no more than
    that many. ``method`` is how they are drawn
    (random, lhs, sobol); ``seed`` decides which. ``most_points`` of a workload are allowed; None:
    any number. With ``until_error`` points are drawn ``step`` by ``step`` until a model of
    ``fitting`` (``warpmill.exploring.fitting.Fitting``) is that near. With ``retry`` points that
    failed before are simulated again.
    """

    samples: Annotated[
        int | None,
        Opt(
            "Points to simulate for each workload; 300 without it. Those that the study has count.",
            metavar="N",
            least=1,
        ),
    ] = None
    fraction: Annotated[
        float | Fraction | None,
        Opt(
            "So many points as a share of the space's (0.0003).",
            metavar="SHARE",
            text=float,
            read=float,
        ),
    ] = None
    until_error: Annotated[
        float | None,
        Opt(
            "Draw points until a model is off by no more than this in the mean, cross-validated "
            "(5%); no more of them than --samples.",
            metavar="PERCENT",
            text=str,
            read=_percents,
        ),
    ] = None
    fraction_of_each: Annotated[
        float | Fraction | None,
        Opt(
            "As many points as this share of each parameter's values has combinations.",
            metavar="SHARE",
            text=float,
            read=float,
        ),
    ] = None
    most_points: Annotated[
        int | None,
        Opt(
            "Most points of a workload.",
            names=("--max-points",),
            metavar="N",
            least=1,
        ),
    ] = None
    method: Annotated[
        str,
        Opt(
            "How points are drawn: evenly, or spread out.",
            text=Literal["random", "lhs", "sobol"],
        ),
    ] = "random"
    seed: Annotated[
        int,
        Opt("Which points are drawn, and how samples are dealt to folds.", metavar="N", least=0),
    ] = 0
    fitting: Any = None
    step: int = STEP
    retry: bool = False

    def __post_init__(self) -> None:
        given = (self.samples, self.fraction, self.fraction_of_each)
        if sum(one is not None for one in given) > 1:
            raise UsageError("give a number of samples, or one fraction of the space")
        if self.samples is not None and self.samples < 1:
            raise UsageError(f"{self.samples} samples are none")
        if self.until_error is not None and not self.until_error > 0:
            raise UsageError(f"an error of {self.until_error} % cannot be aimed at")

    def check(self, design: DesignSpace) -> None:
        """Refuse more points than ``most_points``. LimitError."""
        found = self.most(design)
        if self.most_points is not None and found > self.most_points:
            words = f"the exploration has {found:,} points for each workload, more than "
            raise LimitError(f"{words}{self.most_points:,}; raise the limit with --max-points")

    def most(self, design: DesignSpace) -> int:
        """How many points are drawn at most: no more than there are."""
        from warpmill.simulator.regression.draws import share_of, share_of_each  # noqa: PLC0415

        if self.fraction is not None:
            return share_of(design, self.fraction)
        if self.fraction_of_each is not None:
            return share_of_each(design, self.fraction_of_each)
        return min(self.samples or SAMPLES, design.count)

    def first(self, design: DesignSpace) -> int:
        """How many points are drawn first."""
        most = self.most(design)
        return most if self.until_error is None else min(FIRST, most)


@dataclass(frozen=True)
class MeasuredOptions:
    """A table of points that were measured, and whether others are simulated beside them."""

    measured: Annotated[
        Path | None,
        Opt(
            "Make models of measured points, a column for each parameter and one for the response; "
            "nothing is simulated.",
            metavar="FILE.csv",
        ),
    ] = None
    mix: Annotated[bool, Opt("Simulate points beside --measured, and make models of both.")] = False

    def check(self, workloads: int, sampling: Sampling) -> None:
        """Refuse workloads and samples that nothing is simulated of. UsageError."""
        if self.measured is None:
            if self.mix:
                raise UsageError("--mix simulates beside measured points: give --measured FILE.csv")
            if not workloads:
                raise UsageError(
                    "nothing is explored: name a workload, or give --measured FILE.csv"
                )
            return
        if self.mix:
            if workloads != 1:
                raise UsageError(f"--mix is of the one workload that was measured, not {workloads}")
            if sampling.until_error is not None:
                raise UsageError("--until-error is for what is simulated alone, without --mix")
            return
        if workloads:
            words = "--measured points are all that models are made of: --mix simulates others"
            raise UsageError(f"{words} beside them, or name no workload")
        given = {"--samples": sampling.samples, "--fraction": sampling.fraction,
                 "--fraction-of-each": sampling.fraction_of_each,
                 "--until-error": sampling.until_error}  # fmt: skip
        option = next((name for name, value in given.items() if value is not None), None)
        if option is not None:
            raise UsageError(f"{option} is for what is simulated, and with --measured nothing is")


@dataclass(frozen=True)
class FittingOptions:
    """Subject of models, and how terms are chosen (§5.4): thresholds θ and φ.

    ``folds`` is how often a model is checked by samples that it has not seen. ``figures`` are those
    that samples have; None: those of simulated points.
    """

    response: Annotated[
        str,
        Opt(
            "What models are of: time_us, cycles, adjusted_us and adjusted_cycles (without the "
            "tail), ipc and so on.",
            metavar="FIGURE",
        ),
    ] = RESPONSE
    theta: Annotated[
        float, Opt("What a term has to better R² by, to enter a model.", metavar="FRACTION")
    ] = 0.01
    phi: Annotated[float, Opt("The same of an interaction.", metavar="FRACTION")] = 0.01
    folds: Annotated[int, Opt("Folds of the cross-validation.", metavar="N", least=2)] = FOLDS
    figures: Annotated[tuple[str, ...] | None, INTERNAL] = None


@dataclass(frozen=True, kw_only=True)
class QuestionOptions:
    """Questions to models.

    ``top`` best points among those that meet ``where``; those that nothing beats in both the
    response and ``cost``, an expression of parameters; a curve along each of ``curves``; and
    ``suggest`` points to simulate next, or as many as are left.
    """

    top: Annotated[int, Opt("How many of the best points are shown.", metavar="N", least=0)] = 5
    where: Annotated[
        tuple[str, ...],
        Opt(
            "Look for the best among points that meet this, such as 'simd <= 16'; signs in names "
            "are underscores (_blk, c_).",
            metavar="CONDITION",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    cost: Annotated[
        str | None,
        Opt(
            "Show the points that none beats in both the response and this, such as "
            "'simd * _blk + c_'.",
            metavar="EXPRESSION",
        ),
    ] = None
    curves: Annotated[
        tuple[str, ...],
        Opt(
            "Show the response along this parameter, others being as the first --at says, or at "
            "their middle values.",
            names=("--curve",),
            metavar="NAME",
            text=list[str],
            read=lambda names: tuple(dict.fromkeys(names)),
        ),
    ] = ()
    suggest: Annotated[
        int, Opt("Say which N points to simulate next, 1000 at most.", metavar="N", least=0)
    ] = 0


@dataclass(frozen=True)
class PointOptions:
    """How points are timed, beside their machines; ``options`` are of simulations."""

    trace: Annotated[TraceOptions, Without("assume", "max_visits", "pruned")] = field(
        default_factory=TraceOptions
    )
    options: Annotated[
        Options, Without("keep_l1", "flush_l2", "l2", "rounds", "unit_instructions")
    ] = field(default_factory=Options)
    engine: EngineName = "simulate"

    def check(self) -> None:
        """Refuse options of simulations where points are estimated. UsageError."""
        check_engine(self.engine, self.options)
