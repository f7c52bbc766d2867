"""``warpmill cache``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from warpmill.analyzer.base.opt import Opt
from warpmill.cli.output import emit
from warpmill.session.options import Output


def _kinds(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for text in texts for name in text.split(",") if name.strip())


Clear = Annotated[
    Sequence[str],
    Opt(
        "Remove what is kept: engines, tables, sources, studies, or all.",
        metavar="KIND[,KIND]",
        text=list[str],
        read=_kinds,
    ),
]


def cache(output: Output, clear: Clear = ()) -> None:
    """Show what warpmill keeps to be quick the next time: where it lies, and how large it is.

    Clearing is safe while other processes run: what is not there is made anew.
    """
    from warpmill.commands.cache.result import CacheReport  # noqa: PLC0415 - numba is slow to load
    from warpmill.session import caches  # noqa: PLC0415

    cleared = caches.clear(clear) if clear else ()
    report = CacheReport(kept=caches.kept_files(), removed=tuple(cleared))
    emit(report, output)
