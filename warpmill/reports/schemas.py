"""The JSON schemas of all reports, by kind."""

from __future__ import annotations

import json
from typing import Any

from warpmill.reports.analyze import AnalyzeReport
from warpmill.reports.base import Report
from warpmill.reports.calibrate import CalibrateReport
from warpmill.reports.clone import CloneReport
from warpmill.reports.correlate import CorrelateReport
from warpmill.reports.dfsg import DfsgReport
from warpmill.reports.dfsg_diff import DfsgDiffReport
from warpmill.reports.diff import DiffReport
from warpmill.reports.doctor import DoctorReport
from warpmill.reports.estimate import EstimateReport
from warpmill.reports.explain import ExplainReport
from warpmill.reports.explore import ExploreReport
from warpmill.reports.inspect import InspectReport
from warpmill.reports.machines import MachineDiffReport, MachineListReport, MachineReport
from warpmill.reports.profile import ProfileReport
from warpmill.reports.record import RecordReport
from warpmill.reports.replay import ReplayReport
from warpmill.reports.run import RunReport
from warpmill.reports.sample import SampleReport
from warpmill.reports.samples import SampleRunReport, SamplesReport
from warpmill.reports.selection import SelectionReport
from warpmill.reports.simulate import SimulateReport
from warpmill.reports.sweep import SweepReport
from warpmill.reports.trace import TraceReport
from warpmill.reports.tune import TuneReport

REPORTS: tuple[type[Report], ...] = (
    InspectReport,
    AnalyzeReport,
    DiffReport,
    TraceReport,
    RunReport,
    ProfileReport,
    RecordReport,
    ReplayReport,
    DfsgReport,
    DfsgDiffReport,
    EstimateReport,
    ExplainReport,
    SimulateReport,
    CorrelateReport,
    SweepReport,
    TuneReport,
    CloneReport,
    SampleReport,
    ExploreReport,
    CalibrateReport,
    MachineListReport,
    MachineReport,
    MachineDiffReport,
    SamplesReport,
    SampleRunReport,
    DoctorReport,
)
"""Every kind of report, in the order of the commands."""

FILES: tuple[type[Report], ...] = (SelectionReport,)
"""What commands write for other commands to read, and for nobody else to look at."""


def kind_of(report: type[Report]) -> str:
    """Give what a report says in ``report``."""
    return str(report.model_fields["report"].default)


def schemas() -> dict[str, dict[str, Any]]:
    """Give the JSON schema of each kind of report and file, as it is written out."""
    return {kind_of(r): r.model_json_schema(mode="serialization") for r in (*REPORTS, *FILES)}


def schema_text(schema: dict[str, Any]) -> str:
    """Write a schema, the same bytes for the same schema."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
