"""``warpmill check``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.opt import Help, Opt, Without
from warpmill.analyzer.base.whole_files import check_files
from warpmill.cli.options import machines_given
from warpmill.cli.output import emit, working
from warpmill.cli.running import complain_of, run_target
from warpmill.executor.sanitizers.findings import BY_DEFAULT, Tool, tools_named
from warpmill.gates.options import GateOptions
from warpmill.session.options import (
    OF_ISSUES,
    LaunchOptions,
    Output,
    RegisterSources,
    RunOptions,
    TargetOptions,
)

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
    from warpmill.gates.gate import HeldGate
    from warpmill.session.jobs import Job


def _tools(texts: Sequence[str]) -> tuple[str, ...]:
    """Names of tools, each once, in the order in which they are reported. UsageError."""
    return tools_named(",".join(texts))


def _ranges(texts: Sequence[str]) -> dict[str, AssumedRange]:
    from warpmill.analyzer.analyses.ranges.assumptions import parse_ranges  # noqa: PLC0415 - the analyses

    return parse_ranges(texts, "--prove-for", "n=1..65536", "number")


_STRICT = """End with 1 for warnings too, and where something could not be checked; make an \
unknown opcode an error."""


@dataclass(frozen=True)
class CheckOptions:
    """What is checked, in how many further orders; no tools: those that run by default."""

    tools: Annotated[
        Sequence[str],
        Opt(
            f"Which checks, of {', '.join(Tool)}; without it all but the last two, or none with a "
            "gate.",
            names=("--tool",),
            metavar="NAME[,NAME]",
            text=list[str],
            read=_tools,
        ),
    ] = ()
    proofs: Annotated[
        bool, Opt("Prove as well what holds for every size of a launch file (extra `proofs`).")
    ] = False
    prove_for: Annotated[
        Mapping[str, AssumedRange],
        Opt(
            "Prove, but for these values of a size alone; without it all from 1 to 2147483647.",
            metavar="NAME=LOW..HIGH",
            text=list[str],
            read=_ranges,
        ),
    ] = field(default_factory=dict)
    numerics: Annotated[
        bool,
        Opt("Tell as well where NaN and infinities are made, and what hangs on an order."),
    ] = False

    schedules: Annotated[
        int, Opt("Further runs with other orders of warps and CTAs.", metavar="N", least=0)
    ] = 0

    def wanted(self, *, has_gate: bool) -> tuple[str, ...]:
        """The tools, those among them that run on request alone."""
        tools = self.tools or (() if has_gate else sorted(BY_DEFAULT))
        asked = {Tool.NUMERICS: self.numerics, Tool.PROOFS: self.proofs or bool(self.prove_for)}
        return (*tools, *(tool for tool, is_asked in asked.items() if is_asked))


def check(
    source: Annotated[TargetOptions, Help("strict", _STRICT)],
    launch: Annotated[LaunchOptions, Without("launches")],
    checks: CheckOptions,
    options: Annotated[RunOptions, Without("device", "workers")],
    gate: GateOptions,
    registers: RegisterSources,
    output: Annotated[Output, OF_ISSUES],
) -> None:
    """Run kernels on this computer's CPU, and find what a GPU leaves undefined.

    With --budget or --baseline, hold their figures: time, registers, spills, traffic. Ends with 1
    where something was found, or a figure is beyond its bounds.
    """
    from warpmill.commands.check.result import CheckReport  # noqa: PLC0415 - slow to load
    from warpmill.session.checking import CheckedRun, checked  # noqa: PLC0415 - slow to load
    from warpmill.session.jobs import is_application, sample_word  # noqa: PLC0415 - slow to load
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    def prepared() -> tuple[Job, ...]:
        return prepare_all(source.target, source.kernel, launch, strict=source.strict)

    there = {gate.budget: "--budget", gate.baseline: "--baseline"}
    check_files(
        {"--output": output.output, "--html": output.html},
        {path.resolve(): option for path, option in there.items() if path is not None},
    )
    held = _held(source, launch, registers, gate) if gate.is_given else None
    found = CheckedRun(tools=(), launches=0, findings=())
    wanted = checks.wanted(has_gate=held is not None)
    if wanted:
        found = checked(
            wanted,
            options,
            lambda watched: run_target(source, launch, watched),
            None if is_application(source.target) else prepared,
            checks.schedules,
            checks.prove_for,
        )
    report = CheckReport(target=sample_word(str(source.target)), checked=found, gate=held)
    complain_of(() if found.run is None else found.run.jobs)
    emit(report, output)
    if report.fails(strict=source.strict):
        raise typer.Exit(1)


def _held(
    source: TargetOptions, launch: LaunchOptions, registers: RegisterSources, gate: GateOptions
) -> HeldGate:
    """The gate of the target, with a sign of life on a terminal."""
    from warpmill.gates.holding import held_gate  # noqa: PLC0415 - slow to load

    with working(f"estimating {source.target}"):
        return held_gate(
            source, launch, registers, gate, lambda names: machines_given(names, None)[0]
        )
