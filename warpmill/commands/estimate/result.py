"""Result of ``estimate``: the time of launches on several machines."""

from __future__ import annotations

from typing import Annotated, Literal

from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.report.base import Report
from warpmill.session.launch_estimates import ApplicationTime, LaunchEstimates, TotalEstimate
from warpmill.session.options import EstimateOptions, TraceOptions


class EstimateReport(Report):
    """Estimates of launches, and of the applications that they are of.

    ``overrides`` are the values of ``--set``, which hold for every machine. ``applications`` has
    each target of several launches on each machine, and ``launches`` those that are asked for.
    ``totals`` are of all launches together, on each machine.
    """

    report: Literal["estimate"] = "estimate"
    overrides: dict[str, str]
    options: EstimateOptions
    traces: Annotated[TraceOptions, INTERNAL]
    applications: list[ApplicationTime]
    launches: list[LaunchEstimates]
    totals: list[TotalEstimate]

    @derived("Pruned traces")
    def pruned(self) -> bool:
        """Whether only the instructions that the hybrid paper keeps cost time."""
        return self.traces.pruned
