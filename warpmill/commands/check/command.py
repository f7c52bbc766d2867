"""``warpmill check``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.opt import Help, Opt, Without
from warpmill.cli.output import emit
from warpmill.cli.running import complain_of, run_target
from warpmill.executor.sanitizers.findings import Tool, tools_named
from warpmill.session.options import OF_ISSUES, LaunchOptions, Output, RunOptions, TargetOptions

if TYPE_CHECKING:
    from warpmill.session.jobs import Job


def _tools(texts: Sequence[str]) -> tuple[str, ...]:
    """Names of tools, each once, in the order in which they are reported. UsageError."""
    return tools_named(",".join(texts))


_STRICT = """End with 1 for warnings too, and where something could not be checked; make an \
unknown opcode an error."""


@dataclass(frozen=True)
class CheckOptions:
    """What is checked; no tools: all."""

    tools: Annotated[
        Sequence[str],
        Opt(
            f"Which checks, of {', '.join(Tool)}; without it all.",
            names=("--tool",),
            metavar="NAME[,NAME]",
            text=list[str],
            read=_tools,
        ),
    ] = ()


def check(
    source: Annotated[TargetOptions, Help("strict", _STRICT)],
    launch: Annotated[LaunchOptions, Without("launches")],
    checks: CheckOptions,
    options: Annotated[RunOptions, Without("device", "check_shared", "workers")],
    output: Annotated[Output, OF_ISSUES],
) -> None:
    """Run kernels on this computer's CPU, and find what a GPU leaves undefined.

    Ends with 1 where something was found.
    """
    from warpmill.commands.check.result import CheckReport  # noqa: PLC0415 - slow to load
    from warpmill.session.checking import checked  # noqa: PLC0415 - slow to load
    from warpmill.session.jobs import is_application  # noqa: PLC0415 - slow to load
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    def prepared() -> tuple[Job, ...]:
        return prepare_all(source.target, source.kernel, launch, strict=source.strict)

    found = checked(
        checks.tools,
        options,
        lambda watched: run_target(source, launch, watched),
        None if is_application(source.target) else prepared,
    )
    report = CheckReport(target=str(source.target), checked=found)
    complain_of(() if found.run is None else found.run.jobs)
    emit(report, output)
    if report.fails(strict=source.strict):
        raise typer.Exit(1)
