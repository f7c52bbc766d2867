"""Result of ``cache``: caches with their places and sizes, and what was removed."""

from __future__ import annotations

from typing import Literal

from warpmill.report.base import Report
from warpmill.session.caches import KeptFiles


class CacheReport(Report):
    """Files that warpmill keeps to be quick the next time, and those removed just now."""

    report: Literal["cache"] = "cache"
    kept: tuple[KeptFiles, ...]
    removed: tuple[KeptFiles, ...]
