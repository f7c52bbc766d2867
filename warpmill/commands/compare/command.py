"""``warpmill compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import Faults, UsageError
from warpmill.analyzer.base.opt import Help, Without
from warpmill.cli.options import machines_given
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.options import (
    EstimateOptions,
    LaunchOptions,
    MachineOptions,
    Output,
    RegisterSources,
    SeveralTargets,
    TraceOptions,
)

if TYPE_CHECKING:
    from warpmill.session.jobs import Job

_TARGETS = "Files or workloads, as of `warpmill estimate`; one alone is compared between machines."


def compare(
    source: Annotated[SeveralTargets, Without("strict"), Help("targets", _TARGETS)],
    machine: MachineOptions,
    launch: LaunchOptions,
    registers: RegisterSources,
    trace: TraceOptions,
    model: Annotated[EstimateOptions, Without("flush_l2")],
    output: Output,
) -> None:
    """Estimate variants and show what differs, the greatest change first.

    A variant is a target on a machine; the first one is what the others are compared with.
    """
    from warpmill.commands.compare.result import (  # noqa: PLC0415 - slow to load
        CompareReport,
        Variant,
        variants,
    )
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    targets, faults = source.targets, Faults()
    found = faults.of(lambda: machines_given(machine.machines, machine.settings))
    jobs: list[tuple[Job, ...] | None] = [
        faults.of(lambda target=target: prepare_all(target, source.kernel, launch))  # type: ignore[misc]
        for target in targets
    ]
    faults.check()
    assert found is not None
    machines, _ = found
    if len(targets) * len(machines) < 2:
        raise UsageError("there is one variant: name another target, or several machines")
    made: list[Variant] = []
    with working(f"comparing {len(targets) * len(machines)} variants"):
        for target, own in zip(targets, jobs, strict=True):
            made += variants(target, own or (), machines, (registers, trace, model))
    print_diagnostics(d for own in jobs for job in own or () for d in job.loaded.diagnostics)
    emit(CompareReport(variants=made), output)
