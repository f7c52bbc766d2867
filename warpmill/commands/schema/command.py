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
        completes="report",
    ),
]


def schema(
    output: Annotated[Output, Without("format", "verbose", "metrics")], command: Command = None
) -> None:
    """Print the JSON schema of the reports that --format json writes."""
    from warpmill.report.manifest import kinds  # noqa: PLC0415 - seldom asked for
    from warpmill.report.schemas import schema_of_kind, schema_text, schemas  # noqa: PLC0415

    if command is None:
        write(schema_text(schemas()), output.output)
        return
    wanted, known = command.replace(" ", "-"), kinds()
    if wanted not in known:
        hint = suggestion(wanted, known) or f"reports: {', '.join(known)}"
        raise UsageError(Diagnostic(Severity.ERROR, f"there is no report `{command}`", hint=hint))
    write(schema_text(schema_of_kind(wanted)), output.output)
