"""``warpmill simulate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from warpmill.analyzer.base.diagnostics import NO_ANSWER, UsageError, WarpmillError, all_unanswered
from warpmill.analyzer.base.opt import Default, Help, Opt, Without
from warpmill.analyzer.base.whole_files import check_files
from warpmill.cli.options import machine_choice, machines_given, read_together
from warpmill.cli.output import emit, print_diagnostics, tell, working, write
from warpmill.session.options import (
    ASSUMED_NUMBERS,
    DEFAULT_MACHINE,
    LaunchOptions,
    MachineOptions,
    Output,
    RegisterSources,
    TargetOptions,
    TraceOptions,
)
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from warpmill.commands.simulate.result import SimulateReport
    from warpmill.session.jobs import Job
    from warpmill.session.simulation_plans import SimulationPlan
    from warpmill.session.simulations import Progress, Simulated


MOST_SPANS = 1 << 20
"""Lives of warps that are kept for a timeline, at most."""


@dataclass(frozen=True)
class SimulateOptions:
    """Files of simulations beside the report, and where they are cut.

    A simulation is cut up to a cycle, into a file, and goes on from one.
    """

    streams: Annotated[
        Literal["recorded", "serial"], Opt("Whether launches of different streams may overlap.")
    ] = "recorded"
    workers: Annotated[
        int,
        Opt(
            "Machines that are simulated at a time, each in a process of its own.",
            metavar="N",
            least=1,
        ),
    ] = 1
    stats_format: Annotated[
        Literal["warpmill", "gpgpusim"],
        Opt("Words of the text: warpmill's, or GPGPU-Sim's names."),
    ] = "warpmill"
    timeline: Annotated[
        Path | None,
        Opt("Write a timeline for Perfetto (.json, .json.gz).", metavar="FILE", writes="later"),
    ] = None
    plot: Annotated[
        Path | None,
        Opt("Draw what happened (.png, .svg, .pdf).", metavar="FILE", writes="later"),
    ] = None
    until: Annotated[
        int | None,
        Opt(
            "Stop at this cycle and save a checkpoint; needs --checkpoint.",
            metavar="CYCLE",
            least=1,
        ),
    ] = None
    checkpoint: Annotated[
        Path | None,
        Opt("Where --until saves the simulation.", metavar="FILE", writes="later"),
    ] = None
    resume: Annotated[
        Path | None, Opt("Go on from a checkpoint of the same simulation.", metavar="FILE")
    ] = None

    @property
    def pictures(self) -> dict[str, Path | None]:
        """The pictures by their options."""
        return {"--timeline": self.timeline, "--plot": self.plot}

    def check(self, machines: int, output: Output) -> None:
        """Refuse, before anything is simulated, what could not be written. UsageError."""
        from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

        if self.stats_format != "warpmill" and output.form != "text":
            words = f"--stats-format {self.stats_format} is text"
            raise UsageError(f"{words}: leave out {_said(output)}")
        files = {"--checkpoint": self.checkpoint, "--resume": self.resume}
        for option, path in {**self.pictures, **files}.items():
            if path is not None and machines > 1:
                raise UsageError(f"{option} {path}: this is of one machine; {machines} are named")
        if (self.until is None) != (self.checkpoint is None):
            given, missing = ("--until", "--checkpoint")[:: 1 if self.checkpoint is None else -1]
            raise UsageError(f"{given} needs {missing}: --until CYCLE --checkpoint FILE")
        written = {"--output": output.output, "--checkpoint": self.checkpoint}
        check_files({**written, **self.pictures})
        timeline = self.timeline
        if timeline is not None and not timeline.name.lower().endswith((".json", ".json.gz")):
            raise UsageError(f"--timeline {timeline}: its name ends in .json or .json.gz")
        if self.plot is not None:
            check_plot(self.plot)


def _said(output: Output) -> str:
    """The option that says the format of a report."""
    if output.format is not None:
        return f"--format {output.format}"
    return f"--output {output.output}, or give --format text"


_LAUNCHES = """Which launch, from 0, or all of them in a row; without it all of a launch file, and \
of a program, a recording or a workload of each kernel the one that executes most."""


def simulate(
    source: TargetOptions,
    machine: Annotated[MachineOptions, Default("machines", (DEFAULT_MACHINE,))],
    launch: Annotated[LaunchOptions, Help("launches", _LAUNCHES)],
    registers: RegisterSources,
    trace: Annotated[TraceOptions, Without("pruned"), ASSUMED_NUMBERS],
    options: Options,
    how: SimulateOptions,
    output: Output,
) -> None:
    """Simulate launches on a whole GPU, cycle by cycle, and say where the cycles go.

    Several launches are simulated one after another, with what caches keep between them.
    """
    from warpmill.commands.simulate.result import simulate_report  # noqa: PLC0415 - slow to load
    from warpmill.session.launch_estimates import spill_warnings  # noqa: PLC0415
    from warpmill.session.simulation_plans import plan  # noqa: PLC0415

    names = machine_choice(machine.machines)
    how.check(len(names), output)
    ((machines, overrides),) = read_together(
        source.target,
        lambda: _jobs(source, launch),
        lambda: machines_given(names, machine.settings),
    )
    if how.timeline is not None:
        options = replace(options, spans=MOST_SPANS)
    jobs = _jobs(source, launch)
    plans = [
        plan(
            jobs,
            on,
            options=options,
            registers=registers,
            trace_options=trace,
            streams=how.streams,
        )
        for on in machines
    ]
    done, failures = _simulate_plans(source.target, plans, how)
    if not done:
        return
    report = simulate_report(
        source.target, done, failures, overrides=overrides, assumed=trace.assumptions
    )
    own = [d for job in done[0].plan.kernels for d in job.loaded.diagnostics]
    counts = [(x.result.machine, one.registers) for x in done for one in x.result.launches]
    print_diagnostics([*own, *spill_warnings(counts)])
    _draw(done[0], report, how)
    if how.stats_format == "gpgpusim":
        from warpmill.commands.simulate.exports import gpgpusim_text  # noqa: PLC0415

        write(gpgpusim_text(report), output.output)
    else:
        emit(report, output)


def _jobs(source: TargetOptions, launch: LaunchOptions) -> tuple[Job, ...]:
    """The launches of a target; of a launch file too, ``--launch`` says which. UsageError."""
    from warpmill.session.jobs import is_application  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    target, kernel, strict = source.target, source.kernel, source.strict
    with working(f"reading {target}"):
        if is_application(target):
            return prepare_all(target, kernel, launch, strict=strict)
        jobs = prepare_all(target, kernel, replace(launch, launches="largest"), strict=strict)
    chosen = launch.launches
    if not isinstance(chosen, int):
        return jobs
    if chosen >= len(jobs):
        there = f"its launches are 0 to {len(jobs) - 1}" if len(jobs) > 1 else "its only one is 0"
        raise UsageError(f"{target} has no launch {chosen}; {there}")
    return (jobs[chosen],)


# What ``simulate`` does beside its options: running plans, checkpoints, pictures.

BUSIEST = 10
"""Lines that a plot shows."""

MANY_CTAS = 1 << 22
"""CTAs that take an hour where each has a few hundred instructions."""


def _simulate_plans(
    target: str, plans: Sequence[SimulationPlan], how: SimulateOptions
) -> tuple[list[Simulated], list[tuple[str, str]]]:
    """Simulate on each machine, so many at a time. One without an answer has a reason.

    Nothing comes of one that is saved at a cycle; that is told. InputError or LimitError
    where no machine has an answer.
    """
    _tell_of_many(target, plans, how)
    done: list[Simulated] = []
    failures: list[tuple[str, WarpmillError]] = []
    several = how.workers > 1 and len(plans) > 1
    outcomes = _at_a_time(target, plans, how.workers) if several else _in_turn(target, plans, how)
    for one, found in zip(plans, outcomes, strict=True):
        if found is None:
            _tell_of(how)
            return [], []
        if isinstance(found, WarpmillError):
            failures.append((one.machine.name, found))
        else:
            done.append(found)
    if not done:
        raise all_unanswered([problem for _, problem in failures])
    for _, problem in failures:
        print_diagnostics(problem.diagnostics)
    return done, [(name, "; ".join(d.message for d in e.diagnostics)) for name, e in failures]


def _tell_of_many(target: str, plans: Sequence[SimulationPlan], how: SimulateOptions) -> None:
    """A hint at what shortens a simulation of so many CTAs that it may not end."""
    options = plans[0].options
    if (options.waves, options.max_cycles, how.until) != (None, None, None):
        return
    ctas = sum(work.launch.cta_count for work in plans[0].works)
    if ctas >= MANY_CTAS:
        words = f"{target}: {ctas:,} CTAs are simulated one by one, which may take hours or days"
        tell(f"{words}; --waves 4 simulates a few waves of them, --max-cycles N ends at a cycle")


def _in_turn(
    target: str, plans: Sequence[SimulationPlan], how: SimulateOptions
) -> Iterator[Simulated | WarpmillError | None]:
    from warpmill.cli.progress import simulation_bar  # noqa: PLC0415 - slow to load

    for one in plans:
        try:
            with simulation_bar(f"simulating {target} on {one.machine.name}") as progress:
                found = _simulated(one, how, progress)
        except NO_ANSWER as error:
            yield error
        else:
            yield found


def _at_a_time(
    target: str, plans: Sequence[SimulationPlan], workers: int
) -> Iterator[Simulated | WarpmillError]:
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415 - slow to load
    from warpmill.session.simulations import simulated_each  # noqa: PLC0415 - as above

    with progress_bar(f"simulating {target} on {len(plans)} machines") as show:
        for number, found in enumerate(simulated_each(plans, workers), 1):
            if show is not None:
                show(number, len(plans))
            yield found


def _simulated(
    one: SimulationPlan, how: SimulateOptions, progress: Progress | None
) -> Simulated | None:
    """Simulate to the end, or up to a cycle; None: the rest is in the checkpoint."""
    from warpmill.session.simulations import simulated, simulated_until  # noqa: PLC0415 - slow to load

    if how.until is None or how.checkpoint is None:
        return simulated(one, progress, resume=how.resume)
    found = simulated_until(one, how.until, how.checkpoint, progress, resume=how.resume)
    if found is not None:
        words = f"the simulation ends at cycle {found.result.cycles:,.0f}, before --until"
        tell(f"{words} {how.until:,}: {how.checkpoint} is not written")
    return found


def _tell_of(how: SimulateOptions) -> None:
    """A hint at where the checkpoint is, and what goes on from it."""
    words = f"cycle {how.until:,} is reached; {how.checkpoint} has the simulation"
    tell(f"{words}: the same command with --resume {how.checkpoint} goes on")


def _draw(done: Simulated, report: SimulateReport, how: SimulateOptions) -> None:
    """Write the pictures that were asked for."""
    if how.timeline is not None:
        from warpmill.commands.simulate.exports import write_timeline  # noqa: PLC0415 - if asked for

        write_timeline(done.result, how.timeline)
    if how.plot is not None:
        from warpmill.commands.simulate.plot import write_plot  # noqa: PLC0415 - matplotlib is slow

        lines = report.simulations[0].lines[:BUSIEST]
        write_plot(done.result, how.plot, [(x.line, x.stall_cycles) for x in lines])
