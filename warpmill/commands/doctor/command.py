"""``warpmill doctor``."""

from __future__ import annotations

import typer

from warpmill.cli.options import Format, FormatOption, Output
from warpmill.cli.output import Destination, emit, working


def doctor(format_: FormatOption = Format.TEXT, output: Output = None) -> None:
    """Say whether warpmill can work here; ends with 1 where something is broken."""
    from warpmill.commands.doctor.environment import examine  # noqa: PLC0415 - it looks at everything
    from warpmill.commands.doctor.result import doctor_report  # noqa: PLC0415

    with working("looking around"):
        report = doctor_report(examine())
    emit(report, Destination(format_, output))
    if not report.is_healthy:
        raise typer.Exit(1)
