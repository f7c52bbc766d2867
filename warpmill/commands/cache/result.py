"""What ``cache`` answers: what is kept, where, and what was removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.session.caches import ABOUT, CacheKind, KeptFiles


class KeptFacts(Part):
    """Files of one kind that are kept, and those that were removed just now."""

    kind: CacheKind
    about: str
    folders: list[str]
    files: int
    size_bytes: int
    removed_files: int
    removed_bytes: int
    marks: Marks


class CacheReport(Report):
    """What warpmill keeps to be quick the next time."""

    report: Literal["cache"] = "cache"
    kept: list[KeptFacts]


def cache_report(kept: Sequence[KeptFiles], cleared: Sequence[KeptFiles]) -> CacheReport:
    """Report what is kept now, and what was removed before."""
    removed = {one.kind: one for one in cleared}
    return CacheReport(kept=[_facts(one, removed.get(one.kind)) for one in kept])


def _facts(one: KeptFiles, removed: KeptFiles | None) -> KeptFacts:
    return KeptFacts(
        kind=one.kind,
        about=ABOUT[one.kind],
        folders=[str(folder) for folder in one.folders],
        files=len(one.files),
        size_bytes=one.size_bytes,
        removed_files=0 if removed is None else len(removed.files),
        removed_bytes=0 if removed is None else removed.size_bytes,
        marks=marks(KeptFacts, Mark.EXACT),
    )
