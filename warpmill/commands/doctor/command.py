"""``warpmill doctor``."""

from __future__ import annotations

from typing import Annotated

import typer

from warpmill.analyzer.base.opt import Without
from warpmill.cli.output import emit, working
from warpmill.session.options import Output


def doctor(output: Annotated[Output, Without("verbose")]) -> None:
    """Check the environment; ends with 1 where something is broken."""
    from warpmill.session.environment import examine  # noqa: PLC0415 - it looks at everything

    with working("looking around"):
        report = examine()
    emit(report, output)
    if not report.is_healthy:
        raise typer.Exit(1)
