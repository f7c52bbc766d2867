"""Options that ``sample`` has alone, and how they become those of a method."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.options import percent_of
from warpmill.cli.written_files import written

if TYPE_CHECKING:
    from warpmill.sampling.methods import SampleOptions
    from warpmill.sampling.saved_selections import SavedSelection


class Method(StrEnum):
    """What chooses launches."""

    TBPOINT = "tbpoint"
    GTPIN = "gtpin"
    SIMPOINT = "simpoint"
    STRATIFIED = "stratified"
    SYSTEMATIC = "systematic"
    RANDOM = "random"


class Intervals(StrEnum):
    """What GT-Pin divides an application into."""

    SYNC = "sync"
    INSTRUCTIONS = "instructions"
    KERNEL = "kernel"


class Stability(StrEnum):
    """When CTAs begin to be passed over."""

    STEADY = "steady"
    PAPER = "paper"


MethodOption = Annotated[
    Method | None,
    typer.Option("--method", help="What chooses the launches; tbpoint without it."),
]
Launches = Annotated[
    str | None,
    typer.Option(
        "--launch",
        metavar="N|all",
        help="Only this launch of TARGET, from 0; all without it.",
        show_default=False,
    ),
]
Share = Annotated[
    str | None,
    typer.Option(
        "--share",
        metavar="P%",
        help="Launches that random and systematic simulate; 10% without it.",
        show_default=False,
    ),
]
TargetError = Annotated[
    str | None,
    typer.Option(
        "--target-error",
        metavar="P%",
        help="gtpin: the smallest selection with at most this error by estimated times. "
        "stratified, systematic, random: simulate more until half of the 95% interval is no wider.",
        show_default=False,
    ),
]
IntervalsOption = Annotated[
    Intervals | None,
    typer.Option("--intervals", help="What gtpin divides an application into; sync without it."),
]
Features = Annotated[
    str | None,
    typer.Option(
        "--features",
        metavar="BB|KN|...",
        help="What gtpin compares intervals by: KN, KN-ARGS, KN-GWS, KN-ARGS-GWS, KN-RW, BB, BB-R, "
        "BB-W, BB-R-W, BB-(R+W); BB without it.",
        show_default=False,
    ),
]
Inside = Annotated[
    bool | None,
    typer.Option(
        "--inside/--no-inside",
        help="Pass over CTAs inside of launches that are simulated; tbpoint does, others do not.",
        show_default=False,
    ),
]
StabilityOption = Annotated[
    Stability | None,
    typer.Option(
        "--stability",
        help="When CTAs begin to be passed over. steady: once the IPC of four lives of a CTA and "
        "more holds, which is the rule without it. paper: once two lives differ by under a tenth.",
    ),
]
WarmUp = Annotated[
    int | None,
    typer.Option(
        "--warm-up",
        metavar="N",
        min=0,
        help="Simulate up to N launches before each chosen one that L2 could help, for warm caches "
        "alone; without it 2, with tbpoint 0.",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Start of the random choices of gtpin, simpoint, systematic, random; 0 without it.",
        show_default=False,
    ),
]
Check = Annotated[
    bool, typer.Option("--check", help="Simulate all launches too, and tell the true error.")
]
FailOver = Annotated[
    str | None,
    typer.Option(
        "--fail-over",
        metavar="P%",
        help="With --check: end with 1 where the true error is larger.",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        callback=written,
        metavar="FILE",
        help="Write the selection (.json), to be used again.",
    ),
]
SelectionFile = Annotated[
    Path | None,
    typer.Option("--selection", metavar="FILE", help="Simulate what a selection of --save says."),
]
SimPoints = Annotated[
    Path | None,
    typer.Option(
        "--simpoints",
        metavar="PREFIX",
        help="Write the selection as SimPoint's files: PREFIX.bb, .simpoints, .weights.",
    ),
]

_TAKEN_BY = {
    "--share": ("systematic", "random"),
    "--intervals": ("gtpin",),
    "--features": ("gtpin",),
    "--seed": ("gtpin", "simpoint", "systematic", "random"),
}
"""Which methods look at an option."""


def sample_options(  # noqa: PLR0913 - each option by its name
    method: Method | None,
    *,
    saved: SavedSelection | None,
    share: str | None,
    target_error: str | None,
    intervals: Intervals | None,
    features: str | None,
    inside: bool | None,
    stability: Stability | None,
    warm_up: int | None,
    seed: int | None,
) -> SampleOptions:
    """Put the options of a choice together, or those of one that was saved. UsageError."""
    from warpmill.sampling.methods import SampleOptions, check_options  # noqa: PLC0415 - slow

    given = {
        "--method": method,
        "--share": share,
        "--target-error": target_error,
        "--intervals": intervals,
        "--features": features,
        "--seed": seed,
    }
    named = [option for option, value in given.items() if value is not None]
    if saved is not None:
        if named:
            words = f"--selection says what is simulated: leave out {', '.join(named)}"
            raise UsageError(words)
        made = SampleOptions(
            saved.method,
            inside=saved.inside if inside is None else inside,
            stability=(stability or Stability.STEADY).value,
            warm_up=warm_up,
        )
        _check_stability(made, stability)
        return made
    chosen = Method.TBPOINT if method is None else method
    _check_taken(chosen, named)
    values: dict[str, Any] = {
        "share": None if share is None else percent_of("--share", share),
        "target_error": _percents(target_error),
        "division": None if intervals is None else intervals.value,
        "feature": features,
        "inside": inside,
        "stability": None if stability is None else stability.value,
        "warm_up": warm_up,
        "seed": seed,
    }
    known = {key: value for key, value in values.items() if value is not None}
    options = SampleOptions(chosen.value, **known)
    check_options(options)
    _check_stability(options, stability)
    return options


def _check_stability(options: SampleOptions, stability: Stability | None) -> None:
    """Refuse a rule for what is not done. UsageError."""
    if stability is not None and not options.passes_over:
        raise UsageError("--stability says when CTAs are passed over, which needs --inside")


def _check_taken(method: Method, named: list[str]) -> None:
    """Refuse options that a method does not look at. UsageError."""
    for option in named:
        takers = _TAKEN_BY.get(option)
        if takers is not None and method.value not in takers:
            words = " and ".join((", ".join(takers[:-1]), takers[-1])[not takers[:-1] :])
            raise UsageError(f"{option} is for --method {words}, and not for {method}")
    if "--target-error" not in named:
        return
    gtpin = "gtpin chooses"
    over = {"--share": "is drawn", "--intervals": gtpin, "--features": gtpin}
    for option in named:
        if option in over:
            words = f"{option} and --target-error both say what {over[option]}"
            raise UsageError(words)


def _percents(text: str | None) -> float | None:
    return None if text is None else round(percent_of("--target-error", text) * 100, 9)
