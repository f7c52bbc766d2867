"""``warpmill schema``."""

from __future__ import annotations

from typing import Annotated

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.cli.options import Output
from warpmill.cli.output import write

Command = Annotated[
    str | None,
    typer.Argument(
        metavar="COMMAND",
        help="Whose report: estimate, machines-list ...; without it, all by name.",
        show_default=False,
    ),
]


def schema(command: Command = None, output: Output = None) -> None:
    """Print the JSON schema of the reports that --format json writes."""
    from warpmill.report.schemas import schema_text, schemas  # noqa: PLC0415 - slow to load

    found = schemas()
    if command is None:
        write(schema_text(found), output)
        return
    wanted = command.replace(" ", "-")
    if wanted not in found:
        hint = suggestion(wanted, found) or f"reports: {', '.join(found)}"
        raise UsageError(Diagnostic(Severity.ERROR, f"there is no report `{command}`", hint=hint))
    write(schema_text(found[wanted]), output)
