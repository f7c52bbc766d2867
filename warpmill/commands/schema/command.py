"""``warpmill schema``."""

from __future__ import annotations

from typing import Annotated

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.opt import Arg, Without
from warpmill.cli.output import write
from warpmill.session.options import Output

Command = Annotated[
    str | None,
    Arg(
        "Whose report: estimate, machines-list ...; without it, all by name.",
        metavar="COMMAND",
    ),
]


def schema(
    output: Annotated[Output, Without("format", "verbose")], command: Command = None
) -> None:
    """Print the JSON schema of the reports that --format json writes."""
    from warpmill.report.schemas import schema_text, schemas  # noqa: PLC0415 - slow to load

    found = schemas()
    if command is None:
        write(schema_text(found), output.output)
        return
    wanted = command.replace(" ", "-")
    if wanted not in found:
        hint = suggestion(wanted, found) or f"reports: {', '.join(found)}"
        raise UsageError(Diagnostic(Severity.ERROR, f"there is no report `{command}`", hint=hint))
    write(schema_text(found[wanted]), output.output)
