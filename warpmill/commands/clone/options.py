"""Options that ``clone`` has alone, and how their texts are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.cli.options import percent_of
from warpmill.cli.written_files import written

if TYPE_CHECKING:
    from warpmill.session.simulations import Done

Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Write the clone to this folder, whole or not at all; without it, only compare.",
        show_default=False,
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace the files of a clone in a folder that is there.")
]
Launches = Annotated[
    str | None,
    typer.Option(
        "--launch",
        metavar="N|all",
        help="Which launch of a program, a recording or a workload, from 0; all without it.",
        show_default=False,
    ),
]
Reduction = Annotated[
    str,
    typer.Option(
        "--reduction",
        metavar="max|auto|N",
        help="Divide loops by the largest factor, by N, or by what keeps the IPC (--max-error).",
    ),
]
MaxError = Annotated[
    str | None,
    typer.Option(
        "--max-error",
        metavar="P%",
        help="How far the IPC may be off with --reduction auto; 3% without it.",
        show_default=False,
    ),
]
Chip = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="sm_NN",
        help="The chip that the files are for; without it the original's.",
        show_default=False,
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, help="Start of the clone's random choices.")
]
LeastInstructions = Annotated[
    int | None,
    typer.Option(
        "--least-instructions",
        metavar="N",
        min=1,
        help="Instructions of a warp that a clone keeps at least; 256 without it.",
        show_default=False,
    ),
]
Check = Annotated[
    bool,
    typer.Option("--check/--no-check", help="Profile and simulate both, and compare them."),
]
FailOver = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-over",
        metavar="[FIGURE=]P%",
        help="End with 1 where a figure, or any, is further off; --fail-over ipc=3%.",
        show_default=False,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        callback=written,
        metavar="FILE",
        help="Draw the clone's blocks (.png, .svg, .pdf).",
    ),
]


def limits_of(texts: Sequence[str] | None) -> dict[str, float]:
    """Read limits of figures by name; ``*`` is that of all others. UsageError."""
    from warpmill.cloning.figures import NAMES  # noqa: PLC0415 - slow to load

    found: dict[str, float] = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if equals and name not in NAMES:
            words = f"--fail-over {text}: no figure that is compared is called {name or 'so'}"
            known = ", ".join(each for each in NAMES if "." not in each)
            hint = suggestion(name, NAMES) or f"such as {known}"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
        found[name if equals else "*"] = percent_of("--fail-over", value)
    return found


def reduction_of(text: str, max_error: str | None) -> int | Literal["max", "auto"]:
    """Read a reduction. UsageError."""
    if max_error is not None and text != "auto":
        raise UsageError("--max-error is for --reduction auto, which searches")
    if text == "max":
        return "max"
    if text == "auto":
        return "auto"
    if text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text) > 0:
        return int(text)
    if text.isascii() and text.isdigit() and text.strip("0"):
        raise UsageError(f"--reduction {text:.20}: a factor has at most nine digits")
    raise UsageError(f"--reduction {text}: max, auto or a factor from 1 on is needed")


def chip_of(text: str | None) -> str | None:
    """See that a chip is one that PTX is for. UsageError."""
    from warpmill.codegen.targets import KNOWN_CHIPS, is_known_chip  # noqa: PLC0415 - slow to load

    if text is not None and not is_known_chip(text):
        words = f"--target {text}: this is no chip of NVIDIA that is known here"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=", ".join(KNOWN_CHIPS)))
    return text


@contextmanager
def shown_stage(what: str, simulating: bool) -> Iterator[Callable[[Done], None] | None]:
    """Show on a terminal what is done, and how far a simulation is."""
    from warpmill.cli.output import working  # noqa: PLC0415 - as below
    from warpmill.cli.progress import simulation_bar  # noqa: PLC0415 - only once there is work

    if simulating:
        with simulation_bar(what) as progress:
            yield progress
        return
    with working(what):
        yield None
