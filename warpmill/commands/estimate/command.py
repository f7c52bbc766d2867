"""``warpmill estimate``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
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
    Machines,
    MaxTraceInstructions,
    MaxTraceVisits,
    Output,
    Pruned,
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

if TYPE_CHECKING:
    from warpmill.commands.estimate.result import LaunchEstimates
    from warpmill.session.estimates import EstimateOptions, Estimator
    from warpmill.session.jobs import Job
    from warpmill.session.registers import RegisterSources
    from warpmill.session.traces import TraceOptions
    from warpmill.session.what_if import WhatIf
    from warpmill.simulator.estimate.launch import Mode as Launched
    from warpmill.simulator.estimate.result import Estimate
    from warpmill.simulator.machines.model import Machine


class Mode(StrEnum):
    """How CTAs are put together."""

    WAVES = "waves"
    EQ8 = "eq8"


class L2(StrEnum):
    """What L2 has at the beginning."""

    COLD = "cold"
    WARM = "warm"


class TimedChoice(StrEnum):
    """How a time is taken."""

    KERNEL = "kernel"
    EVENT = "event"
    BACK_TO_BACK = "back-to-back"
    GRAPH = "graph"


_LAUNCHED: dict[TimedChoice, Launched] = {
    TimedChoice.KERNEL: "kernel",
    TimedChoice.EVENT: "event",
    TimedChoice.BACK_TO_BACK: "back_to_back",
    TimedChoice.GRAPH: "graph",
}

ModeOption = Annotated[
    Mode,
    typer.Option("--mode", help="waves: CTAs wave by wave; eq8: the hybrid paper's pipeline."),
]
L2Option = Annotated[
    L2,
    typer.Option("--l2", help="warm: an equal launch has just been, so that L2 has what fits."),
]
TimedOption = Annotated[
    TimedChoice,
    typer.Option(
        "--timed",
        help="How the time is taken: as profilers report a kernel, by events around one launch, of "
        "many launches in a stream, or of the nodes of a graph.",
    ),
]
WhatIfOption = Annotated[
    bool,
    typer.Option(
        "--what-if",
        help="Estimate on machines with twice and half of one thing at a time, too.",
    ),
]


def estimate(  # noqa: PLR0913, PLR0917 - one parameter for each option
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
    pruned: Pruned = False,
    mode: ModeOption = Mode.WAVES,
    l2: L2Option = L2.COLD,
    timed: TimedOption = TimedChoice.KERNEL,
    what_if: WhatIfOption = False,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Estimate the time of a launch on several machines, and say what bounds it."""
    from warpmill.commands.estimate.result import estimate_report  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    options = launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch)
    (machines, overrides), how, registers = read_together(
        target,
        lambda: prepare_all(target, kernel, options, strict=strict),
        lambda: machines_given(machine, set_),
        lambda: trace_options(
            source, assume, max_trace_visits, pruned=pruned, max_instructions=max_instructions
        ),
        lambda: register_sources(regs, cubin, ptxas=ptxas),
    )
    asked = estimate_options(mode, l2, timed)
    with working(f"estimating {target}"):
        jobs = prepare_all(target, kernel, options, strict=strict)
        launches = [
            _estimated(job, machines, registers, how, asked, what_if=what_if) for job in jobs
        ]
        report = estimate_report(launches, overrides, options=asked, pruned=pruned)
    complain(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, Destination(format_, output, verbose))


def estimate_options(mode: Mode, l2: L2, timed: TimedChoice) -> EstimateOptions:
    """Put the options of an estimate together."""
    from warpmill.session.estimates import EstimateOptions  # noqa: PLC0415 - slow to load

    return EstimateOptions(mode.value, l2 is L2.WARM, _LAUNCHED[timed])


def _estimated(  # noqa: PLR0913 - each option by its name
    job: Job,
    machines: Sequence[Machine],
    registers: RegisterSources,
    how: TraceOptions,
    asked: EstimateOptions,
    *,
    what_if: bool,
) -> LaunchEstimates:
    """Estimate on each machine. One that the launch does not fit on has a reason instead.

    InputError where there is no machine that it fits on.
    """
    from warpmill.commands.estimate.result import launch_estimates  # noqa: PLC0415
    from warpmill.session.estimates import Estimator  # noqa: PLC0415 - slow to load

    found, failures = [], []
    each = [
        Estimator(job, registers=registers, trace_options=end, options=asked) for end in how.ends()
    ]
    for machine in machines:
        try:
            found.append((machine, [one.on(machine) for one in each]))
        except InputError as error:
            failures.append((machine.name, error))
    if not found:
        raise InputError(*(d for _, problem in failures for d in problem.diagnostics))
    for _, problem in failures:
        complain(problem.diagnostics)
    reasons = [(name, "; ".join(d.message for d in e.diagnostics)) for name, e in failures]
    return launch_estimates(
        job,
        [(machine, results[0]) for machine, results in found],
        reasons,
        assumed=how.assumptions,
        high=[results[1] if len(results) > 1 else None for _, results in found],
        what_ifs=[_changes(each[0], *one) for one in found] if what_if else None,
    )


def _changes(
    estimator: Estimator, machine: Machine, results: Sequence[Estimate]
) -> tuple[WhatIf, ...]:
    """Estimate changes of a machine; where ends of ranges were assumed, with the low ones."""
    from warpmill.session.what_if import what_if  # noqa: PLC0415 - slow to load

    return what_if(estimator, machine, results[0])
