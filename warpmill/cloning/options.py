"""How clones are made. Nothing heavy is imported: the help of ``clone`` shows the options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.session.options import percent_of

MAX_ERROR = 0.03
"""How far the IPC may be off where a reduction is searched, as a share."""

Reduction = int | Literal["max", "auto"]


def _reduction(text: str) -> Reduction:
    if text == "max":
        return "max"
    if text == "auto":
        return "auto"
    if text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text) > 0:
        return int(text)
    if text.isascii() and text.isdigit() and text.strip("0"):
        raise UsageError(f"--reduction {text:.20}: a factor has at most nine digits")
    raise UsageError(f"--reduction {text}: max, auto or a factor from 1 on is needed")


def _chip(text: str) -> str:
    from warpmill.codegen.targets import KNOWN_CHIPS, is_known_chip  # noqa: PLC0415 - slow to load

    if not is_known_chip(text):
        words = f"--target {text}: this is no chip of NVIDIA that is known here"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=", ".join(KNOWN_CHIPS)))
    return text


@dataclass(frozen=True)
class CloneOptions:
    """How clones are made, compared and written.

    ``reduction`` is a factor for all loops, ``max`` as far as that goes, loop by loop, ``auto`` the
    largest whose IPC stays within ``max_error`` of the original's (``MAX_ERROR`` where none is
    said). ``reductions`` are factors of loops instead, by the kernel's name and the loop's header.
    ``chip`` is what the files are for, None: the original's. Clones execute ``min_instructions``
    a warp at least, where the original does. Without ``check`` both are not compared; with
    ``force`` the files of a clone in a folder that is there are replaced.
    """

    reduction: Annotated[
        Reduction,
        Opt(
            "Divide loops by the largest factor, by N, or by what keeps the IPC (--max-error); "
            "{default} without it.",
            metavar="max|auto|N",
            text=str,
            read=_reduction,
        ),
    ] = "max"
    reductions: Mapping[str, Mapping[int, int]] | None = None
    max_error: Annotated[
        float | None,
        Opt(
            "How far the IPC may be off with --reduction auto; 3% without it.",
            metavar="P%",
            text=str,
            read=partial(percent_of, "--max-error"),
        ),
    ] = None
    chip: Annotated[
        str | None,
        Opt(
            "The chip that the files are for; without it the original's.",
            names=("--target",),
            metavar="sm_NN",
            text=str,
            read=_chip,
        ),
    ] = None
    seed: Annotated[int, Opt("Start of the clone's random choices.", metavar="N", least=0)] = 0
    min_instructions: Annotated[
        int, Opt("Instructions of a warp that a clone keeps at least.", metavar="N", least=1)
    ] = 256
    compare: Annotated[
        bool,
        Opt("Profile and simulate both, and compare them.", names=("--compare/--no-compare",)),
    ] = True
    force: Annotated[bool, Opt("Replace the files of a clone in a folder that is there.")] = False

    def __post_init__(self) -> None:
        if isinstance(self.reduction, int) and self.reduction < 1:
            raise UsageError(f"a reduction is a factor from 1 on, not {self.reduction}")
        if self.max_error is not None and self.reduction != "auto":
            raise UsageError("--max-error is for --reduction auto, which searches")

    @property
    def factor(self) -> int | None:
        """The factor of all loops; None: each loop has its own."""
        return self.reduction if isinstance(self.reduction, int) else None
