"""``warpmill explain``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.cli.options import (
    Arguments,
    Assume,
    Block,
    Cubin,
    Format,
    FormatOption,
    Grid,
    Kernel,
    Launches,
    MaxTraceInstructions,
    MaxTraceVisits,
    Output,
    Ptxas,
    Registers,
    Settings,
    Shared,
    Sizes,
    Strict,
    Symbols,
    Target,
    TraceChoice,
    Verbose,
    launch_options,
    machines_given,
    read_together,
    register_sources,
    trace_options,
)
from warpmill.cli.output import Destination, complain, emit, working
from warpmill.cli.simulate_options import DEFAULT_MACHINE, Machines
from warpmill.commands.estimate.command import (
    L2,
    L2Option,
    Mode,
    ModeOption,
    TimedChoice,
    TimedOption,
    estimate_options,
)

if TYPE_CHECKING:
    from warpmill.commands.explain.result import LaunchExplanation
    from warpmill.session.estimates import Estimator
    from warpmill.simulator.machines.model import Machine

Top = Annotated[
    int,
    typer.Option("--top", metavar="N", min=1, help="Lines that the text shows."),
]


def explain(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    machine: Machines = None,
    set_: Settings = None,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: Sizes = None,
    launch: Launches = None,
    regs: Registers = None,
    cubin: Cubin = None,
    ptxas: Ptxas = False,
    source: TraceChoice = "auto",
    assume: Assume = None,
    max_trace_visits: MaxTraceVisits = None,
    max_instructions: MaxTraceInstructions = None,
    mode: ModeOption = Mode.WAVES,
    l2: L2Option = L2.COLD,
    timed: TimedOption = TimedChoice.KERNEL,
    top: Top = 10,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Show the lines of a kernel by the time that an estimate says warps spend there."""
    from warpmill.commands.explain.result import explain_report  # noqa: PLC0415
    from warpmill.session.estimates import Estimator  # noqa: PLC0415 - slow to load
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    options = launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch)
    (machines, overrides), how, registers = read_together(
        target,
        lambda: prepare_all(target, kernel, options, strict=strict),
        lambda: machines_given(machine or (DEFAULT_MACHINE,), set_),
        lambda: trace_options(source, assume, max_trace_visits, max_instructions=max_instructions),
        lambda: register_sources(regs, cubin, ptxas=ptxas),
    )
    asked = estimate_options(mode, l2, timed)
    launches = []
    with working(f"explaining {target}"):
        jobs = prepare_all(target, kernel, options, strict=strict)
        for job in jobs:
            ends = [
                Estimator(job, registers=registers, trace_options=end, options=asked)
                for end in how.ends()
            ]
            launches.append(_explained(ends, machines))
        report = explain_report(
            launches, overrides, options=asked, assumed=how.assumptions, top=top
        )
    complain(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, Destination(format_, output, verbose))


def _explained(ends: Sequence[Estimator], machines: Sequence[Machine]) -> LaunchExplanation:
    """Explain a launch on each machine. One that it does not fit on has a reason instead.

    ``ends`` are the launch, with the low ends of what was assumed and with the high ones where
    these differ. InputError where there is no machine that it fits on.
    """
    from warpmill.commands.explain.result import launch_explanation  # noqa: PLC0415
    from warpmill.session.explained_lines import explain as explained  # noqa: PLC0415 - slow to load

    found, failures = [], []
    for machine in machines:
        try:
            found.append([explained(end, machine) for end in ends])
        except InputError as error:
            failures.append((machine.name, error))
    if not found:
        raise InputError(*(d for _, problem in failures for d in problem.diagnostics))
    for _, problem in failures:
        complain(problem.diagnostics)
    reasons = [(name, "; ".join(d.message for d in e.diagnostics)) for name, e in failures]
    low, *high = zip(*found, strict=True)
    return launch_explanation(ends[0].job, low, reasons, high[0] if high else ())
