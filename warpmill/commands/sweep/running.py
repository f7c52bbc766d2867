"""Running sweeps: where they are kept, how far they are, and what an interruption leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, none_answered
from warpmill.cli.output import tell
from warpmill.commands.sweep.progress import sweep_bar
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.studies.running import Progress
    from warpmill.sweeps.launches import SweepTarget
    from warpmill.sweeps.points import EvaluationConfig
    from warpmill.sweeps.space import SweepSpace
    from warpmill.sweeps.sweep import Swept

_MOST_REASONS = 5


def run_sweep(
    target: SweepTarget, space: SweepSpace, how: EvaluationConfig, kept: StudyOptions
) -> Swept:
    """Sweep, and tell how far it is. KeyboardInterrupt passes, once what is left was told.

    InputError or LimitError where nothing could be measured, others as ``sweep``.
    """
    from warpmill.sweeps.api import sweep_kept  # noqa: PLC0415 - slow to load
    from warpmill.sweeps.sweep import SweepInterrupted  # noqa: PLC0415

    try:
        with sweep_bar(f"{how.engine}: {target.path}") as bar:
            found = sweep_kept(target, space, how, replace(kept, told=_told(kept, bar)))
    except SweepInterrupted as end:
        tell(_interrupted(kept, end.over, end.all))
        raise
    except KeyboardInterrupt:
        tell("interrupted before anything was measured")
        raise
    tell_of_others(found.here, found.elsewhere, found.known)
    _refuse_empty(found)
    return found


def tell_of_others(here: int, elsewhere: int, known: int) -> None:
    """Who measured what, where other processes were at work on the same store."""
    if elsewhere:
        words = f"{here:,} measured here, {elsewhere:,} by other processes on this store"
        tell(f"{words}, {known:,} known before")


def _told(kept: StudyOptions, bar: Callable[[Progress], None] | None) -> Callable[[Progress], None]:
    """Say first how many are known, then show how far it is where somebody looks."""

    def told(done: Progress) -> None:
        if bar is not None:
            bar(done)
        if not done.measured and done.all:
            tell(_known(kept, done))

    return told


def _known(kept: StudyOptions, done: Progress) -> str:
    left = done.all - done.over
    if kept.shown is None:
        return f"{left:,} to measure; nothing is kept"
    return f"{done.over:,} known, {left:,} to measure; kept in {kept.shown}"


def _interrupted(kept: StudyOptions, over: int, all_: int) -> str:
    if kept.shown is None:
        return f"interrupted with {over:,} of {all_:,} measured; nothing is kept (--no-store)"
    return (
        f"interrupted: {over:,} of {all_:,} are kept in {kept.shown}; the same command goes on "
        "from there"
    )


def _refuse_empty(found: Swept) -> None:
    if found.measured:
        return
    from warpmill.sweeps.summary import grouped  # noqa: PLC0415 - slow to load

    reasons = grouped(found.rows, lambda row: [row.problem or ""])
    said = [f"{len(rows):,}: {text}" for text, rows in reasons.items()][:_MOST_REASONS]
    more = len(reasons) - len(said)
    said += [f"and {more:,} more reasons"] if more > 0 else []
    words = f"none of {len(found.rows):,} configurations could be measured: {'; '.join(said)}"
    limits = (row.is_at_limit for row in found.rows)
    raise none_answered(limits, Diagnostic(Severity.ERROR, words, found.target.path))
