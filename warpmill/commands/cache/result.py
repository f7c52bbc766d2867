"""What ``cache`` answers: what is kept, where, and what was removed."""

from __future__ import annotations

from typing import Literal

from warpmill.report.base import Report
from warpmill.session.caches import KeptFiles


class CacheReport(Report):
    """What warpmill keeps to be quick the next time, and what was removed just now."""

    report: Literal["cache"] = "cache"
    kept: tuple[KeptFiles, ...]
    removed: tuple[KeptFiles, ...]
