"""What ``simulate`` answers: launches on whole GPUs, cycle by cycle, and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.commands.simulate.launch import SimulatedLaunch, simulated_launches
from warpmill.commands.simulate.machine import MachineSimulation, machine_simulation
from warpmill.report.assumed import AssumedName, assumed_names, shown_value
from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.report.facts import KernelIdentity, Remark, kernel_facts, remarks
from warpmill.session.jobs import Job
from warpmill.session.prepare import kernels_beside
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines.schema import Scalar

if TYPE_CHECKING:
    from warpmill.session.simulations import Simulated


class OptionFacts(Part):
    """How launches were simulated: what caches keep between them, and how much of each.

    ``rounds`` null: all CTAs. ``order`` says in words how launches follow each other.
    """

    keep_l1: bool
    keep_l2: bool
    warm_l2: bool
    rounds: int | None
    order: str
    marks: Marks


class NotSimulated(Part):
    """A machine without a simulation, and why."""

    machine: str
    reason: str


class SimulateReport(Report):
    """Simulations of the same launches on some machines, in the order asked for.

    ``overrides`` are the values of ``--set``, ``assumed`` is what the user assumed of loops that
    data end; both hold for every machine.
    """

    report: Literal["simulate"] = "simulate"
    target: str
    overrides: dict[str, str]
    options: OptionFacts
    assumed: list[AssumedName]
    kernels: list[KernelIdentity]
    launches: list[SimulatedLaunch]
    simulations: list[MachineSimulation]
    not_simulated: list[NotSimulated]
    remarks: list[Remark]


def simulate_report(
    target: str,
    done: Sequence[Simulated],
    failures: Sequence[tuple[str, str]] = (),
    *,
    overrides: Mapping[str, Scalar] | None = None,
    assumed: Assumptions | None = None,
) -> SimulateReport:
    """Report simulations of the same jobs, one at least; ``failures`` are machines with reasons."""
    made = done[0].plan
    return SimulateReport(
        target=target,
        overrides={key: shown_value(value) for key, value in sorted((overrides or {}).items())},
        options=_options(made.options, made.order),
        assumed=assumed_names(assumed or Assumptions()),
        kernels=[_kernel(job) for job in made.kernels],
        launches=simulated_launches(made),
        simulations=[machine_simulation(one) for one in done],
        not_simulated=[NotSimulated(machine=name, reason=reason) for name, reason in failures],
        remarks=[r for job in made.kernels for r in remarks(job.loaded.diagnostics, job.loaded)],
    )


def _options(options: Options, order: str) -> OptionFacts:
    return OptionFacts(
        keep_l1=options.keep_l1,
        keep_l2=not options.flush_l2,
        warm_l2=options.l2 == "warm",
        rounds=options.waves,
        order=order,
        marks=marks(OptionFacts, Mark.EXACT),
    )


def _kernel(job: Job) -> KernelIdentity:
    return kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded))
