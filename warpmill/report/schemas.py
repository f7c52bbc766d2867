"""The JSON schemas of all reports, by kind."""

from __future__ import annotations

import json
from typing import Any

from warpmill.commands.analyze.result import AnalyzeReport
from warpmill.commands.calibrate.result import CalibrateReport
from warpmill.commands.clone.result import CloneReport
from warpmill.commands.correlate.result import CorrelateReport
from warpmill.commands.dfsg.diff_result import DfsgDiffReport
from warpmill.commands.dfsg.result import DfsgReport
from warpmill.commands.diff.result import DiffReport
from warpmill.commands.doctor.result import DoctorReport
from warpmill.commands.estimate.result import EstimateReport
from warpmill.commands.explain.result import ExplainReport
from warpmill.commands.explore.result import ExploreReport
from warpmill.commands.inspect.result import InspectReport
from warpmill.commands.machines.result import MachineDiffReport, MachineListReport, MachineReport
from warpmill.commands.profile.result import ProfileReport
from warpmill.commands.record.result import RecordReport
from warpmill.commands.replay.result import ReplayReport
from warpmill.commands.run.result import RunReport
from warpmill.commands.sample.result import SampleReport
from warpmill.commands.sample.selection import SelectionReport
from warpmill.commands.samples.result import SampleRunReport, SamplesReport
from warpmill.commands.simulate.result import SimulateReport
from warpmill.commands.sweep.result import SweepReport
from warpmill.commands.trace.result import TraceReport
from warpmill.commands.tune.result import TuneReport
from warpmill.report.base import Report

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
