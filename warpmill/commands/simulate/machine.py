"""Parts of ``simulate``: all that a simulation on one machine says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.commands.simulate.launch import (
    OccupancyFigures,
    SimulatedLaunchFigures,
    launch_figures,
    occupancy_figures,
)
from warpmill.commands.simulate.memory import (
    CacheFigures,
    DramFigures,
    MemoryRateFacts,
    MovedFigures,
    RateFigures,
    SharedFigures,
    cache_figures,
    dram_figures,
    moved_figures,
    shared_figures,
)
from warpmill.commands.simulate.stalls import (
    BlockStalls,
    Breakdown,
    FunctionStalls,
    InstructionStalls,
    LineStalls,
    StallFigures,
    rows_of,
    stall_figures,
)
from warpmill.commands.simulate.time import (
    SamplingFigures,
    SmFigures,
    TailFigures,
    TimelineFigures,
    sampling_figures,
    sm_figures,
    tail_figures,
    timeline_figures,
)
from warpmill.report.base import Mark, Marks, Part, marks
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.machines.model import AssumedValue, Machine

if TYPE_CHECKING:
    from warpmill.session.simulations import Simulated  # the engine is slow to load


class IssueFigures(Part):
    """Slots of the schedulers, one a cycle each, and those in which one issued."""

    slots: int
    used: int
    fraction: float | None


class UnmodelledClass(Part):
    """Executed instructions of a class that the cost table does not know."""

    op_class: str
    warp_instructions: int


class MachineSimulation(Part):
    """The simulation on one machine.

    ``cycles`` and ``time_us`` are of all launches, from the first CTA's begin to the last one's
    end. Where whole waves of CTAs were simulated (``sampled``) they are continued in a line, and
    all else is of the ``simulated_cycles``. ``events`` counts what an energy model needs, by class;
    ``unknown_accesses`` are accesses of warps whose addresses data decide and nobody knew.
    """

    machine: str
    machine_name: str
    clock_mhz: float
    sms: int
    cycles: float
    time_us: float
    simulated_cycles: int
    sampled: bool
    warp_instructions: int
    thread_instructions: int
    warp_ipc: float
    thread_ipc: float
    warp_ipc_per_sm: float
    issue: IssueFigures
    rates: list[RateFigures]
    occupancy: OccupancyFigures
    stalls: list[StallFigures]
    lines: list[LineStalls]
    blocks: list[BlockStalls]
    functions: list[FunctionStalls]
    instructions: list[InstructionStalls]
    caches: list[CacheFigures]
    moved: MovedFigures
    dram: DramFigures
    shared: SharedFigures
    launches: list[SimulatedLaunchFigures]
    tail: TailFigures
    sampling_units: SamplingFigures
    timeline: TimelineFigures
    per_sm: list[SmFigures]
    events: dict[str, int]
    unmodelled: list[UnmodelledClass]
    unknown_accesses: int
    assumptions: list[str]
    simplifications: list[str]
    beyond_machine: list[str]
    """Figures that contradict the machine: the simulation is wrong, and what of it in words."""
    assumed_values: list[AssumedValue]
    marks: Marks


def machine_simulation(done: Simulated) -> MachineSimulation:
    """Report a simulation."""
    made, result = done.plan, done.result
    rates = MemoryRateFacts(result, made.machine)
    rows = rows_of(made.kernels, result.instructions)
    parts = Breakdown(rows)
    cycles = rates.cycles
    return MachineSimulation(
        machine=result.machine,
        machine_name=made.machine.text("machine.name"),
        clock_mhz=result.clock_mhz,
        sms=result.sms,
        cycles=result.cycles,
        time_us=result.microseconds,
        simulated_cycles=cycles,
        sampled=result.sampled,
        warp_instructions=result.warp_instructions,
        thread_instructions=result.thread_instructions,
        warp_ipc=rates.ipc(result.warp_instructions),
        thread_ipc=rates.ipc(result.thread_instructions),
        warp_ipc_per_sm=rates.ipc(result.warp_instructions) / result.sms,
        issue=_issue(result),
        rates=rates.rows(),
        occupancy=occupancy_figures(result, made.machine),
        stalls=stall_figures(result.stalls),
        lines=parts.lines(),
        blocks=parts.blocks(),
        functions=parts.functions(),
        instructions=parts.instructions(),
        caches=cache_figures(rates),
        moved=moved_figures(result),
        dram=dram_figures(rates),
        shared=shared_figures(result),
        launches=launch_figures(made, result),
        tail=tail_figures(result, cycles),
        sampling_units=sampling_figures(result, made.options.unit_instructions),
        timeline=timeline_figures(result),
        per_sm=sm_figures(result, cycles),
        events=dict(result.events),
        unmodelled=[
            UnmodelledClass(op_class=name, warp_instructions=count)
            for name, count in result.unmodelled
        ],
        unknown_accesses=result.unknown_accesses,
        assumptions=[*result.assumptions, *_of_memory(done)],
        simplifications=list(result.simplifications),
        beyond_machine=list(result.beyond),
        assumed_values=list(result.assumed_values),
        marks=_marks(done),
    )


def _issue(result: SimResult) -> IssueFigures:
    slots, used = result.issue_slots, result.issue_slots_used
    return IssueFigures(slots=slots, used=used, fraction=used / slots if slots else None)


_COUNTED = ("issues", "thread_issues")
"""What the traces decide of an instruction, on a machine that issues these as they are."""


def _of_memory(done: Simulated) -> list[str]:
    """Say what is assumed of what launches find in caches, where several are simulated."""
    static = [one for one in done.result.launches if one.trace == "static"]
    if len(done.result.launches) < 2 or not static:
        return []
    return [
        "static traces give each launch memory from the same address on: it may find in caches "
        "what is another one's"
    ]


def _changes_code(machine: Machine) -> bool:
    """Whether what is issued stands for machine code, and not for the traces' instructions."""
    return machine.text("front_end.isa") != "ptx"


def _marks(done: Simulated) -> dict[str, Mark]:
    """Mark what the engine says, what the traces decide, and what rests on assumed registers."""
    result, machine = done.result, done.plan.machine
    modelled = Mark.SAMPLED if result.sampled else Mark.MODELLED
    counted = modelled if result.sampled or _changes_code(machine) else Mark.EXACT
    if result.assumptions or result.unknown_accesses:
        counted = Mark.ASSUMED
    registers = Mark.ASSUMED if any(r.assumed for r in done.plan.registers) else Mark.EXACT
    clock = Mark.ASSUMED if machine["clock.sm_mhz"].assumed else Mark.EXACT
    count = Mark.ASSUMED if machine["sm.count"].assumed else Mark.EXACT
    by_place = {
        f"{part}__{key}": counted
        for part in ("lines", "blocks", "functions", "instructions")
        for key in _COUNTED
    }
    return marks(
        MachineSimulation,
        modelled,
        clock_mhz=clock,
        sms=count,
        warp_instructions=counted,
        thread_instructions=counted,
        unmodelled=counted,
        unknown_accesses=counted,
        lines__instructions=counted,
        functions__copies=Mark.EXACT,
        occupancy__theoretical_fraction=registers,
        occupancy__warps_per_sm=Mark.EXACT,
        launches__ctas_simulated=Mark.EXACT,
        launches__warp_instructions=counted,
        launches__thread_instructions=counted,
        launches__registers=registers,
        launches__shared_bytes=Mark.EXACT,
        launches__occupancy=registers,
        launches__occupancy__warps_per_cta=Mark.EXACT,
        moved__sector_bytes=Mark.EXACT,
        sampling_units__unit_instructions=Mark.EXACT,
        timeline__bin_cycles=Mark.EXACT,
        **by_place,
    )
