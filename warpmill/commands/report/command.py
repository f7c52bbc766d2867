"""``warpmill report``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Default, Opt, Without
from warpmill.cli.options import machines_given, read_together
from warpmill.cli.output import emit, print_diagnostics, tell, working
from warpmill.session.options import (
    DEFAULT_MACHINE,
    EstimateOptions,
    LaunchOptions,
    MachineOptions,
    Output,
    RegisterSources,
    TargetOptions,
    TraceOptions,
)
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from warpmill.session.jobs import Job

PARTS = ("what-if", "simulate", "analyze", "dfsg", "check")
"""Parts beside the estimate, by the commands or options that show them alone."""


def left_out(given: Sequence[str]) -> tuple[str, ...]:
    """The parts that ``--without`` names, with commas or one by one. UsageError for another."""
    names = tuple(name.strip() for text in given for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise UsageError(f"--without {unknown[0]}: the parts are {', '.join(PARTS)}")
    return names


@dataclass(frozen=True)
class ReportParts:
    """The parts of a report that are made, and how much of each launch is simulated."""

    without: Annotated[
        Sequence[str],
        Opt(
            f"Parts to leave out: {', '.join(PARTS)}.",
            metavar="PART[,PART]",
            text=list[str],
            read=left_out,
        ),
    ] = ()
    waves: Annotated[
        int,
        Opt(
            "Waves of CTAs of each launch that are simulated, and extrapolated linearly; a wave is "
            "as many as all SMs hold.",
            metavar="N",
            least=1,
        ),
    ] = 1

    measured: Annotated[
        Path | None,
        Opt(
            "Put measured times and counters beside the estimated ones: a table as for correlate, "
            "or a page of ncu --csv.",
            metavar="FILE.csv",
        ),
    ] = None

    def simulation(self, model: EstimateOptions) -> Options:
        """Options of the simulation, which begins with the L2 of the estimate."""
        keeps_l1, flushes_l2 = False, False
        return Options(keeps_l1, flushes_l2, model.l2, self.waves)


def report(
    source: TargetOptions,
    machine: Annotated[MachineOptions, Default("machines", (DEFAULT_MACHINE,))],
    launch: LaunchOptions,
    registers: RegisterSources,
    trace: Annotated[TraceOptions, Without("pruned")],
    model: Annotated[EstimateOptions, Without("flush_l2")],
    parts: ReportParts,
    output: Output,
) -> None:
    """Estimate, simulate, analyze, run and check a kernel, and put what they found into one result.

    As HTML (-o report.html) it has charts, the source and all figures, and opens offline.
    """
    from warpmill.commands.report.result import ReportRequest, target_report  # noqa: PLC0415 - slow to load
    from warpmill.measurements.reading import measurements_of  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    def prepared() -> tuple[Job, ...]:
        return prepare_all(source.target, source.kernel, launch, strict=source.strict)

    (machines, overrides), measured = read_together(
        source.target,
        prepared,
        lambda: machines_given(machine.machines, machine.settings),
        lambda: measurements_of(parts.measured, source, launch, machine.machines),
    )
    asked = ReportRequest(
        source=source,
        launch=launch,
        registers=registers,
        traces=trace,
        model=model,
        simulation=parts.simulation(model),
        without=frozenset(parts.without),
        measured=measured,
    )
    with working(f"reporting on {source.target}"):
        jobs = prepared()
        found = target_report(asked, jobs, machines, overrides)
    for part in found.missing:
        tell(f"there is no {part.part}: {part.reason}")
    print_diagnostics(d for one in found.time.launches for d in one.problems)
    print_diagnostics(() if found.measured is None else found.measured.correlation.remarks)
    emit(found, output)
