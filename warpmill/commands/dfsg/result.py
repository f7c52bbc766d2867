"""What ``dfsg`` and ``dfsg diff`` answer: the graph of each launch, and how far two are apart."""

from __future__ import annotations

from typing import Literal

from warpmill.analyzer.profile.dfsg.distance import DfsgComparison
from warpmill.analyzer.profile.dfsg.graph import Dfsg
from warpmill.report.base import Report


class DfsgReport(Report):
    """The divergence flow statistics graphs of a launch file, a kernel or a host program."""

    report: Literal["dfsg"] = "dfsg"
    target: str
    graphs: tuple[Dfsg, ...]


class DfsgDiffReport(Report):
    """The graphs of two targets, launch by launch. ``rows``: whether equal rows are left out."""

    report: Literal["dfsg-diff"] = "dfsg-diff"
    a: str
    b: str
    rows: Literal["differing", "all"]
    equal: bool
    launches: tuple[DfsgComparison, ...]
