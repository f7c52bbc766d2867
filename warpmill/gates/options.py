"""Options of a performance gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.analyzer.base.whole_files import check_file
from warpmill.session.options import percent_of

TOLERANCE = 0.05
"""Part of a baseline's figure that one may be worse by, where nobody says another."""


def _tolerance(text: str) -> float:
    return percent_of("--fail-over", text)


@dataclass(frozen=True)
class GateOptions:
    """What figures of the kernels are held against, and the machines that they are of.

    ``fail_over`` None: ``TOLERANCE``. No machines: those that the budget and the baseline name.
    """

    budget: Annotated[
        Path | None,
        Opt("Hold figures of the kernels within the bounds of this file (.toml).", metavar="FILE"),
    ] = None
    baseline: Annotated[
        Path | None,
        Opt(
            "Hold figures of the kernels beside those that --update wrote to this file (.json).",
            metavar="FILE",
        ),
    ] = None
    fail_over: Annotated[
        float | None,
        Opt(
            "With --baseline: how much worse a figure may be; better by more asks for --update "
            "(5% without it).",
            metavar="P%",
            text=str,
            read=_tolerance,
        ),
    ] = None
    update: Annotated[bool, Opt("Write the figures as they are to the file of --baseline.")] = False
    machines: Annotated[
        Sequence[str],
        Opt(
            "With --budget or --baseline: machines that launches are timed on; without it those "
            "that these name.",
            names=("--machine", "-m"),
            metavar="NAME[,NAME]",
            text=list[str],
            read=tuple,
            completes="machine",
        ),
    ] = ()

    def __post_init__(self) -> None:
        for option, is_given in (
            ("--fail-over", self.fail_over is not None),
            ("--update", self.update),
        ):
            if is_given and self.baseline is None:
                raise UsageError(f"{option} is about the figures of --baseline FILE")
        if self.machines and not self.is_given:
            raise UsageError("--machine is for --budget and --baseline: checks need no machine")
        if self.update and self.baseline is not None:
            check_file(self.baseline)

    @property
    def is_given(self) -> bool:
        """Whether there is a gate."""
        return self.budget is not None or self.baseline is not None
