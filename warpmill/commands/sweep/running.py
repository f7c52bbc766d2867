"""Running studies: how far they are, where they are kept, and what an interruption leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, none_answered
from warpmill.cli.output import tell
from warpmill.cli.progress import study_bar
from warpmill.studies.options import StudyOptions

if TYPE_CHECKING:
    from warpmill.studies.running import Progress, ProgressListener

_MOST_REASONS = 5


@contextmanager
def told_progress(what: str, kept: StudyOptions, name: str = "") -> Iterator[ProgressListener]:
    """Progress callback of a study: first the known points, then on a terminal how far it is.

    KeyboardInterrupt passes, once what is left was told. ``name`` stands before what is known.
    """
    place = kept.shown

    def told(done: Progress) -> None:
        if bar is not None:
            bar(done)
        if not done.measured and done.all:
            left = done.all - done.over
            known = f"{done.over:,} known, {left:,} to measure; kept in {place}"
            tell(name + (known if place else f"{left:,} to measure; nothing is kept"))

    with told_interruption(kept, "before anything was measured"), study_bar(what) as bar:
        yield told


@contextmanager
def told_interruption(kept: StudyOptions, otherwise: str = "") -> Iterator[None]:
    """Note what an interruption leaves; ``otherwise`` where it does not say so. It passes."""
    place = kept.shown
    try:
        yield
    except KeyboardInterrupt as end:
        over, every = getattr(end, "over", None), getattr(end, "all", None)
        some = None if over is None else f"{over:,} of {every:,}"
        if some is None and otherwise:
            tell(f"interrupted {otherwise}")
        elif place is None:
            with_some = "" if some is None else f" with {some} measured"
            tell(f"interrupted{with_some}; nothing is kept (--no-store)")
        else:
            what = "what was measured is" if some is None else f"{some} are"
            tell(f"interrupted: {what} kept in {place}; the same command goes on from there")
        raise


def tell_of_others(here: int, elsewhere: int, known: int) -> None:
    """Who measured what, where other processes were at work on the same store."""
    if elsewhere:
        words = f"{here:,} measured here, {elsewhere:,} by other processes on this store"
        tell(f"{words}, {known:,} known before")


def refuse_empty(target: str, problems: Iterable[str], limits: Iterable[bool]) -> None:
    """Raise why no point could be measured, most points first. InputError, LimitError."""
    found: dict[str, int] = {}
    for text in problems:
        found[text] = found.get(text, 0) + 1
    said = [f"{found[text]:,}: {text}" for text in sorted(found, key=lambda text: -found[text])]
    more = len(said) - _MOST_REASONS
    said[_MOST_REASONS:] = [f"and {more:,} more reasons"] if more > 0 else []
    words = f"none of {sum(found.values()):,} configurations could be measured: {'; '.join(said)}"
    raise none_answered(limits, Diagnostic(Severity.ERROR, words, target))
