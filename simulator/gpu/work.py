"""The launches that a simulation is given, and how many CTAs of each an SM holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.analyzer.traces.source import TraceSource
from warpmill.simulator.estimate.result import RegisterCount
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.occupancy import Occupancy, occupancy


@dataclass(frozen=True)
class LaunchWork:
    """One launch to simulate. ``traces`` gives its source when the simulation comes to it.

    Launches of one ``stream`` run one after the other, in the order in which they are given.
    ``accesses`` are what ``memory_accesses`` says of the kernel, where that is known already.
    """

    module: Module
    structure: Structure
    launch: Launch
    registers: RegisterCount
    traces: Callable[[], TraceSource]
    stream: int = 0
    accesses: Sequence[MemoryAccess] | None = None


def occupancy_of(work: LaunchWork, machine: Machine) -> Occupancy:
    """How many CTAs of a launch an SM holds.

    InputError where it holds none, and where its warps are others than those of the code.
    """
    lanes, own = machine.integer("machine.warp_size"), work.module.warp_size
    if lanes != own:
        raise InputError(
            work.launch.error(
                f"{work.structure.kernel.name} is compiled for warps of {own} lanes, and "
                f"{machine.name} has warps of {lanes}; compile it for such a chip, or set "
                f"machine.warp_size={own} to see a chip of other warps"
            )
        )
    registers, shared = work.registers.registers_per_thread, shared_bytes_of(work)
    fit = occupancy(machine, work.launch.threads_per_cta, registers, shared)
    if fit.ctas_per_sm == 0:
        words = f"the launch does not fit on {machine.name}: {'; '.join(fit.notes)}"
        raise InputError(work.launch.error(words, "block"))
    return fit


def shared_bytes_of(work: LaunchWork) -> int:
    """Bytes of shared memory that a CTA of a launch takes."""
    own = shared_bytes(work.module, work.structure.kernel)
    return own + work.launch.dynamic_shared_bytes


def occupancies(works: Sequence[LaunchWork], machine: Machine) -> tuple[Occupancy, ...]:
    """Those of several launches; launches of a kernel that are of one shape share theirs."""
    known: dict[tuple[int, ...], Occupancy] = {}
    found = []
    for work in works:
        launch, registers = work.launch, work.registers.registers_per_thread
        shape = launch.threads_per_cta, registers, launch.dynamic_shared_bytes
        key = id(work.module), id(work.structure), *shape
        if key not in known:
            known[key] = occupancy_of(work, machine)
        found.append(known[key])
    return tuple(found)
