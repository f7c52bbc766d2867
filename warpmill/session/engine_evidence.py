"""What engines found, as evidence: a simulation, and a profile.

Of a simulation: what its warps waited for, and what its instructions did. Of a profile: exact
counts, no time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, fsum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.base.metric import Mark
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.memory.rules import LINE_BYTES
from warpmill.session.estimates import AccessesBehind
from warpmill.session.evidence import (
    BARRIER_CAUSE,
    LATENCIES,
    AccessEvidence,
    AccessIdeals,
    Evidence,
    InstructionEvidence,
    KernelAccesses,
    LaunchShape,
    accesses_by_place,
    dram_rate,
    fp64_rate_of,
    ideals_of,
    l1_rates_of,
    shared_access,
    spilled_of,
)
from warpmill.session.jobs import Job
from warpmill.simulator.machine_limits import KINDS, behind, bound_words, roofline
from warpmill.simulator.machines.model import Machine, l2_bytes_per_clk
from warpmill.simulator.resources import ISSUE_SLOTS, PIPES, SERVERS, TERMS

if TYPE_CHECKING:
    from warpmill.analyzer.profile.counts import Profile
    from warpmill.session.simulations import Simulated
    from warpmill.simulator.gpu.instruction_result import InstructionResult
    from warpmill.simulator.gpu.result import SimResult


_STALLS: Mapping[str, str] = {
    "selected": ISSUE_SLOTS,
    "not_selected": ISSUE_SLOTS,
    "dispatch_stall": ISSUE_SLOTS,
    "wait": LATENCIES["arithmetic"],
    "imc_miss": LATENCIES["constant"],
    "barrier": BARRIER_CAUSE,
}
"""The cause that a warp state of a simulation is; ``_stalled`` divides some, others keep their
names."""


def evidence_of_simulation(done: Simulated) -> Evidence:
    """The evidence of a simulation; of all its launches together, where there are several."""
    result, machine, jobs = done.result, done.plan.machine, done.plan.kernels
    busy = _simulated_busy(result, machine)
    shares = _stalled(result, machine, busy)
    alone = result.launches[0] if len(result.launches) == 1 else None
    bytes_ = float(result.dram.reads + result.dram.writes) * result.sector_bytes
    simulated_us = max(1, result.simulated_cycles) / result.clock_mhz
    return Evidence(
        engine="simulation",
        jobs=jobs,
        instructions=_simulated(jobs, machine, result),
        mark=Mark.SAMPLED if result.sampled else Mark.MODELLED,
        warp_size=jobs[0].loaded.module.warp_size,
        sector_bytes=result.sector_bytes,
        machine=machine.text("machine.name"),
        time_us=result.time_us,
        bound=_bound(shares, busy),
        shares=shares,
        busy=busy,
        occupancy=None if alone is None else alone.occupancy,
        shape=_simulated_shape(done),
        roofline=roofline(_operations(result), bytes_, simulated_us, machine),
        dram_gbs=dram_rate(bytes_, simulated_us, machine),
        l1_rates=l1_rates_of(machine),
        fp64_rate=fp64_rate_of(machine),
        spilled=spilled_of(launch.registers for launch in result.launches),
    )


def _operations(result: SimResult) -> NDArray[np.float64]:
    """Arithmetic operations of all threads, in the order of ``KINDS``."""
    found = {one.kind: one.number for one in result.operations}
    return np.array([found.get(kind, 0.0) for kind in KINDS])


def _simulated_shape(done: Simulated) -> LaunchShape | None:
    if len(done.result.launches) != 1:
        return None
    one, result = done.result.launches[0], done.result
    tail = None if result.sampled else result.tail.adjusted_cycles / max(1, result.simulated_cycles)
    x, y, z = one.block
    return LaunchShape(one.ctas, x * y * z, result.sms, one.occupancy.ctas_per_sm, tail)


def _simulated_busy(result: SimResult, machine: Machine) -> Mapping[str, float]:
    """The parts of the time in which resources work."""
    cycles = max(1, result.simulated_cycles)
    of_sms = cycles * result.sms
    l2 = result.l2_reads + result.l2_writes + result.l2_atomics
    rate, ports = l2_bytes_per_clk(machine), float(machine.number("shared.ports"))
    found: dict[str, float] = {ISSUE_SLOTS: result.issue_slots_used / max(1, result.issue_slots)}
    found |= {unit.name: unit.busy for unit in result.units if " or " not in unit.name}
    found[SERVERS["shared"]] = result.shared_wavefronts / of_sms / ports
    found[SERVERS["dram"]] = result.dram.busy_fraction
    sectors = sum(one.sectors for one in result.instructions)
    found[SERVERS["l1"]] = sectors / of_sms / l1_rates_of(machine).sectors
    if rate:
        found[SERVERS["l2"]] = l2 * result.sector_bytes / cycles / rate
    return {name: min(1.0, fraction) for name, fraction in found.items()}


def _stalled(result: SimResult, machine: Machine, busy: Mapping[str, float]) -> Mapping[str, float]:
    """The time of warps by cause: loads by what they waited for, the pipe by how busy it was."""
    from warpmill.simulator.resources import SIMULATED_STATES  # noqa: PLC0415 - the engine is slow to load

    whole = float(sum(result.stalls)) or 1.0
    parts = dict(_of_loads(result, machine, busy))
    pipes = [name for name in busy if name in PIPES.values()]
    if pipes:
        parts["math_pipe_throttle"] = {max(pipes, key=lambda name: busy[name]): 1.0}
    found: dict[str, float] = {}
    for reason, cycles in zip(SIMULATED_STATES, result.stalls, strict=True):
        for cause, part in parts.get(reason, {_STALLS.get(reason, TERMS[reason]): 1.0}).items():
            found[cause] = found.get(cause, 0.0) + cycles * part / whole
    return found


def _bound(shares: Mapping[str, float], busy: Mapping[str, float]) -> str:
    """Bound of a simulation, in the words of an estimate: a busy resource, or the most time.

    What mending something saves follows from what warps wait for: less of it is behind a busy
    resource than the time in which that works.
    """
    busiest = max(busy, key=lambda name: busy[name])
    causes = behind(shares, busiest, busy[busiest])
    whole = sum(causes.values()) or 1.0
    return bound_words({cause: part / whole for cause, part in causes.items()}, busy)


def _of_loads(
    result: SimResult, machine: Machine, busy: Mapping[str, float]
) -> Mapping[str, Mapping[str, float]]:
    """Causes of waits for memory, by warp state: latencies, and what carries the sectors.

    What is queued, latency beyond that of an access that is alone and room in queues, is put to the
    bandwidth of a carrier at most as far as that is busy: one that idles keeps nobody waiting, and
    longer latencies are then those of memory as it is used.
    """
    levels = _levels(result)
    times = {x: part * float(machine.number(f"{x}.latency")) for x, part in levels.items()}
    alone = fsum(times.values())
    latencies: dict[str, float] = (
        {LATENCIES[x]: time / alone for x, time in times.items()} if alone else {}
    )
    shared: dict[str, float] = {LATENCIES["shared"]: 1.0}

    def divided(latencies: Mapping[str, float], carrier: str, queued: float) -> dict[str, float]:
        part = min(queued, busy.get(carrier, 0.0))
        return {name: own * (1.0 - part) for name, own in latencies.items()} | {carrier: part}

    carrier = max((SERVERS[x] for x in levels), key=lambda name: busy.get(name, 0.0))
    long = _queued([one for one in result.instructions if one.sectors], alone)
    own = [one for one in result.instructions if one.wavefronts]
    short = _queued(own, float(machine.number("latency.shared_load")))
    return {
        "long_scoreboard": divided(latencies, carrier, long),
        "short_scoreboard": divided(shared, SERVERS["shared"], short),
        "lg_throttle": divided(latencies, SERVERS["lsu"], 1.0),
        "mio_throttle": divided(shared, SERVERS["shared"], 1.0),
        "tex_throttle": divided(latencies, SERVERS["l1"], 1.0),
    }


def _levels(result: SimResult) -> Mapping[str, float]:
    """The levels of memory that answer loads, each with its part of them."""
    l1 = result.cache("l1")
    missed = 1.0 if l1 is None or not l1.accesses else l1.misses / l1.accesses
    dram = min(1.0, result.dram.reads / result.l2_reads) if result.l2_reads else 0.0
    return {"l1": 1.0 - missed, "l2": missed * (1.0 - dram), "dram": missed * dram}


def _queued(loads: Sequence[InstructionResult], alone_cycles: float) -> float:
    """The part of the latency of loads beyond what one takes that is alone on the machine."""
    latency = fsum(one.latency_cycles for one in loads)
    alone = alone_cycles * fsum(one.completed for one in loads)
    return max(0.0, 1.0 - alone / latency) if latency else 0.0


def _simulated(
    jobs: Sequence[Job], machine: Machine, result: SimResult
) -> tuple[InstructionEvidence, ...]:
    """The instructions of all launches; each has its part of what comes from DRAM or goes there."""
    known, ideals = [KernelAccesses(job) for job in jobs], ideals_of(machine)
    behind_each = [AccessesBehind(job.kernel) for job in jobs]
    whole = float(sum(map(sum, (one.stalls for one in result.instructions)))) or 1.0
    stored, loaded = _dram_parts(jobs, result)
    found = []
    for one in result.instructions:
        if one.spill is not None:
            continue
        place = one.block, one.instruction
        instruction = _instruction(jobs, one)
        dram = stored if instruction.operation.op_class is OpClass.STORE else loaded
        made = tuple(_simulated_accesses(one, instruction, known[one.kernel], ideals, dram))
        found.append(
            InstructionEvidence(
                one.kernel, *place, instruction, one.warp_instructions, one.predicated_on,
                sum(one.stalls) / whole, behind_each[one.kernel].accesses_behind(place), made,
            )
        )  # fmt: skip
    return tuple(found)


def _instruction(jobs: Sequence[Job], one: InstructionResult) -> Instruction:
    return jobs[one.kernel].kernel.blocks[one.block].instructions[one.instruction]


def _dram_parts(jobs: Sequence[Job], result: SimResult) -> tuple[float, float]:
    """The parts of sectors beyond L1 that go on to DRAM: of stores, and of all others."""
    beyond = [0, 0]
    for one in result.instructions:
        own = _instruction(jobs, one).operation.op_class is OpClass.STORE
        is_store = own if one.spill is None else one.spill == "store"
        beyond[not is_store] += one.sectors - one.l1_hits
    moved = result.dram.writes, result.dram.reads
    stored, loaded = (
        min(1.0, n / all_) if all_ else 0.0 for n, all_ in zip(moved, beyond, strict=True)
    )
    return stored, loaded


def _simulated_accesses(
    one: InstructionResult,
    instruction: Instruction,
    known: KernelAccesses,
    ideals: AccessIdeals,
    dram: float,
) -> Iterator[AccessEvidence]:
    """The accesses of an instruction; ``dram`` is the part of sectors beyond L1 that goes on."""
    place, width = (one.block, one.instruction), instruction.width_bytes or 0
    requests, bytes_ = float(one.warp_instructions), float(one.predicated_on * width)
    counts = requests, float(one.predicated_on), bytes_
    if one.wavefronts:
        passes = float(one.wavefronts)
        least = ideals.wavefronts(requests, bytes_, passes)
        yield shared_access(known.of(place, counts, space=Space.SHARED), passes, least)
    if one.sectors:
        beyond = float(one.sectors - one.l1_hits)
        yield replace(
            known.of(place, counts),
            sectors=float(one.sectors),
            ideal_sectors=ideals.sectors(requests, bytes_, one.sectors),
            lines=one.sectors * ideals.sector_bytes / LINE_BYTES,
            l2_sectors=beyond,
            dram_sectors=beyond * dram,
        )


def evidence_of_profile(job: Job, profile: Profile) -> Evidence:
    """The evidence of an exact profile, which has no times."""
    x, y, z = profile.block
    grid = profile.grid
    rules = profile.rules
    return Evidence(
        engine="profile",
        jobs=(job,),
        instructions=_profiled(job, profile),
        mark=Mark.EXACT,
        warp_size=profile.warp_size,
        sector_bytes=32 if rules is None else rules.sector_bytes,
        shape=LaunchShape(grid[0] * grid[1] * grid[2], x * y * z),
    )


def _profiled(job: Job, profile: Profile) -> tuple[InstructionEvidence, ...]:
    accesses = _profiled_accesses(job, profile)
    return tuple(
        InstructionEvidence(
            0, block, index, instruction,
            profile.blocks[block].warps, profile.blocks[block].threads,
            None, (), accesses.get((block, index), ()),
        )
        for block, index, instruction in profile.placed
        if profile.blocks[block].warps
    )  # fmt: skip


def _profiled_accesses(job: Job, profile: Profile) -> Mapping[Place, tuple[AccessEvidence, ...]]:
    rules, known = profile.rules, KernelAccesses(job)
    found: list[tuple[Place, AccessEvidence]] = []
    for one in profile.accesses or ():
        place = one.block, one.instruction
        bytes_ = float(one.bytes_requested)
        made = known.of(place, (one.requests, one.threads, bytes_), space=one.space)
        made = replace(made, kind=one.kind)
        if one.wavefronts is not None and one.bank_conflicts is not None:
            passes = float(one.wavefronts)
            made = shared_access(made, passes, passes - one.bank_conflicts)
        elif one.sectors is not None and one.lines is not None and rules is not None:
            sectors = float(one.sectors)
            least = min(sectors, max(one.requests, ceil(bytes_ / rules.sector_bytes)))
            lines = float(one.lines)
            made = replace(made, sectors=sectors, ideal_sectors=least, lines=lines)
        found.append((place, made))
    return accesses_by_place(found)
