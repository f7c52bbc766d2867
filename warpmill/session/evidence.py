"""What is known of one launch, by whichever engine: the figures that findings rest on.

An estimate, a simulation and a profile know different things of a launch; ``Evidence`` has them
under the same names, with None or nothing where an engine does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, fsum
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.base.metric import Mark
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.session.data import buffer_of
from warpmill.session.estimates import AccessesBehind, Explained, cheap_counts
from warpmill.session.jobs import Job
from warpmill.simulator.estimate.pipeline import BARRIER, LATENCY, LEVELS
from warpmill.simulator.estimate.result import (
    Estimate,
    RegionTraffic,
    Roofline,
)
from warpmill.simulator.machine_limits import (
    CAUSES,
    KINDS,
    bound_words,
    peak_gflops,
    roofline,
)
from warpmill.simulator.machines.model import (
    Machine,
    l1_sector_bytes,
    l2_bytes_per_clk,
    memory_rules,
)
from warpmill.simulator.occupancy import Occupancy
from warpmill.simulator.resources import CTA_LAUNCH_RATE, ISSUE_SLOTS, LAUNCH, PIPES, SERVERS, TERMS

if TYPE_CHECKING:
    from warpmill.analyzer.profile.counts import Profile
    from warpmill.analyzer.traces.summary import TraceSummary
    from warpmill.session.estimates import Estimator
    from warpmill.session.simulations import Simulated
    from warpmill.simulator.gpu.instruction_result import InstructionResult
    from warpmill.simulator.gpu.result import SimResult

LOCAL_MEMORY = "local memory"
"""The region of threads' own memory, as the estimate names it."""

LATENCIES = dict(zip(LEVELS, CAUSES[LATENCY : LATENCY + len(LEVELS)], strict=True))
"""The causes that are latencies, by the level that answers; of constants it is IMC misses."""

BARRIER_CAUSE = CAUSES[BARRIER]

_KINDS = {OpClass.LOAD: "load", OpClass.STORE: "store", OpClass.ATOMIC: "atomic"}


class L1Rates(NamedTuple):
    """What L1 takes of an access in a cycle (``service``): further lines, and sectors."""

    lines: float
    sectors: float

    def cycles(self, lines: float, sectors: float, requests: float) -> float:
        """The cycles that some requests of warps hold L1, each like their mean."""
        if not requests:
            return 0.0
        tags = 1.0 + max(lines / requests - 2.0, 0.0) / self.lines
        return requests * max(tags, sectors / requests / self.sectors)


@dataclass(frozen=True)
class AccessEvidence:
    """What an instruction asks one memory for, over the launch.

    ``requests`` are executions by warps, ``lanes`` those by threads; ``gathers`` tells whether data
    decide its addresses. ``sectors`` and 128-byte ``lines`` are of memory outside the SM,
    ``wavefronts`` of shared memory; each has its ``ideal``, what the same bytes of lanes need at
    the least. ``l2_sectors`` and ``dram_sectors`` are those of the sectors that go on. None:
    unknown, or it has none.
    """

    space: Space
    kind: str
    buffer: str | None
    gathers: bool
    requests: float
    lanes: float
    bytes_requested: float
    sectors: float | None = None
    ideal_sectors: float | None = None
    lines: float | None = None
    wavefronts: float | None = None
    ideal_wavefronts: float | None = None
    l2_sectors: float | None = None
    dram_sectors: float | None = None


@dataclass(frozen=True)
class InstructionEvidence:
    """What one instruction did over the launch; ``kernel`` is a place in the evidence's jobs.

    ``warps`` and ``threads`` are its executions. ``time_fraction`` is its share of the time of all
    warps, ``after`` the accesses to memory whose results it reads.
    """

    kernel: int
    block: int
    index: int
    instruction: Instruction
    warps: float
    threads: float | None
    time_fraction: float | None
    after: tuple[Place, ...]
    accesses: tuple[AccessEvidence, ...]


@dataclass(frozen=True)
class LaunchShape:
    """CTAs of a launch, and how they fill a machine.

    ``filled_fraction`` is the part of the time of all SMs in which they have as many CTAs as the
    launch ever gives one. ``per_sm`` are CTAs that an SM holds. None: no machine, or unknown.
    """

    ctas: int
    threads_per_cta: int
    sms: int | None = None
    per_sm: int | None = None
    filled_fraction: float | None = None


@dataclass(frozen=True)
class Evidence:
    """What is known of one launch.

    ``shares`` are parts of the launch's time by cause, ``busy`` the parts of its execution in which
    resources work; both are empty where no engine timed it. ``bound`` is what limits it in words.
    ``sector_bytes`` is what L1 fills at once. ``fp64_rate`` is the machine's peak in FP64 over that
    in FP32.
    """

    engine: Literal["estimate", "simulation", "profile"]
    jobs: tuple[Job, ...]
    instructions: tuple[InstructionEvidence, ...]
    mark: Mark
    warp_size: int
    sector_bytes: int
    machine: str | None = None
    time_us: float | None = None
    launch_us: float | None = None
    bound: str | None = None
    shares: Mapping[str, float] | None = None
    busy: Mapping[str, float] | None = None
    occupancy: Occupancy | None = None
    shape: LaunchShape | None = None
    roofline: Roofline | None = None
    dram_gbs: tuple[float, float] | None = None
    """What goes from and to DRAM in a second, and the most that does."""
    traffic: tuple[RegionTraffic, ...] = ()
    l1_rates: L1Rates | None = None
    fp64_rate: float | None = None

    def place(self, one: InstructionEvidence) -> SourcePlace:
        """The line that an instruction comes from."""
        found = instruction_place(self.jobs[one.kernel].loaded, one.instruction)
        return replace(found, column=None)

    def at(self, kernel: int, place: Place) -> InstructionEvidence | None:
        """The instruction at a place; None where it was never executed."""
        return self._by_place.get((kernel, *place))

    @cached_property
    def _by_place(self) -> dict[tuple[int, int, int], InstructionEvidence]:
        return {(one.kernel, one.block, one.index): one for one in self.instructions}

    @cached_property
    def warp_instructions(self) -> float:
        """Executions of instructions by warps."""
        return fsum(one.warps for one in self.instructions)

    @cached_property
    def active_threads(self) -> float | None:
        """Threads of a warp that are on, in the mean over instructions; None: not counted."""
        known = [x for x in self.instructions if x.threads is not None]
        warps = fsum(x.warps for x in known)
        return fsum(x.threads or 0.0 for x in known) / warps if warps else None

    def accesses(self, *spaces: Space) -> tuple[tuple[InstructionEvidence, AccessEvidence], ...]:
        """Accesses to some memories, each with its instruction."""
        return tuple(
            (one, access)
            for one in self.instructions
            for access in one.accesses
            if access.space in spaces
        )


# What instructions access, with ideals.


class _Ideals(NamedTuple):
    """What an access of so many bytes needs at the least: sectors, and bytes of all banks."""

    sector_bytes: int
    bank_bytes: int

    def sectors(self, requests: float, bytes_: float, found: float) -> float:
        return min(found, max(requests, bytes_ / self.sector_bytes))

    def wavefronts(self, requests: float, bytes_: float, found: float) -> float:
        return min(found, max(requests, bytes_ / self.bank_bytes))


class _Accesses:
    """The memory, the buffer and the kind of each access of a kernel."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._known = {(a.block, a.instruction): a for a in job.analysis.accesses}

    def of(
        self,
        place: Place,
        counts: tuple[float, float, float],
        *,
        turn: int = 0,
        space: Space | None = None,
    ) -> AccessEvidence:
        """An access that makes so many requests, by so many lanes, of so many bytes.

        Of a copy, turn 0 is what it reads; ``space`` is known where it was counted by spaces.
        """
        instruction = self._job.kernel.blocks[place[0]].instructions[place[1]]
        space, known = space or self.space(place, turn), self._known.get(place)
        buffer = None if known is None else buffer_of(self._job, known)
        return AccessEvidence(
            space,
            _KINDS.get(instruction.operation.op_class) or ("store" if turn else "load"),
            LOCAL_MEMORY if space is Space.LOCAL else buffer,
            known is not None and bool(known.loads),
            *counts,
        )

    def space(self, place: Place, turn: int = 0) -> Space:
        """The memory of an access; of a copy, turn 0 is what it reads."""
        operation = self._job.kernel.blocks[place[0]].instructions[place[1]].operation
        if operation.op_class is OpClass.ASYNC_COPY and operation.spaces:
            return operation.spaces[-1] if turn == 0 else operation.spaces[0]
        known = self._known.get(place)
        found = operation.space if known is None else known.space
        return Space.GLOBAL if found in (None, Space.GENERIC) else found


def _shared(access: AccessEvidence, wavefronts: float | None, ideal: float) -> AccessEvidence:
    return replace(access, wavefronts=wavefronts, ideal_wavefronts=ideal)


# An estimate as evidence.


def evidence_of_estimate(
    estimator: Estimator, machine: Machine, estimate: Estimate, counts: TraceSummary | None = None
) -> Evidence:
    """The evidence of an estimate; ``counts`` are those of its traces where they are known."""
    job = estimator.job
    counts = counts or cheap_counts(estimator, machine)
    shape = _estimated_shape(job, machine, estimate)
    left = 1.0 - next((s.fraction for s in estimate.shares if s.cause == LAUNCH), 0.0)
    execution = estimate.execution_us
    ran = max(estimate.time_us * left, 1e-12)  # longer, where CTAs are still started
    busy: dict[str, float] = {u.resource: u.fraction for u in estimate.utilization}
    if busy.get(CTA_LAUNCH_RATE, 0.0) >= 1.0:
        busy = {name: f * min(1.0, execution / ran) for name, f in busy.items()}
        busy[CTA_LAUNCH_RATE] = 1.0
    return Evidence(
        engine="estimate",
        jobs=(job,),
        instructions=_traced(job, machine, estimate, counts),
        mark=Mark.MODELLED,
        warp_size=job.loaded.module.warp_size,
        sector_bytes=l1_sector_bytes(machine),
        machine=machine.text("machine.name"),
        time_us=estimate.time_us,
        launch_us=estimate.launch_us,
        bound=estimate.bound,
        shares={s.cause: s.fraction for s in estimate.shares},
        busy=busy,
        occupancy=estimate.occupancy,
        shape=shape,
        roofline=estimate.roofline,
        dram_gbs=_dram_rate(estimate.dram_bytes, execution, machine),
        traffic=estimate.traffic,
        l1_rates=_l1_rates(machine),
        fp64_rate=_fp64_rate(machine),
    )


def evidence_of_explained(estimator: Estimator, found: Explained) -> Evidence:
    """The evidence of an estimate by instruction, whose counts are at hand."""
    return evidence_of_estimate(estimator, found.machine, found.estimate, found.counts)


def _estimated_shape(job: Job, machine: Machine, estimate: Estimate) -> LaunchShape:
    """The CTAs of an estimate: its rounds on all SMs, over the time of these."""
    launch, sms = job.required_launch(), machine.integer("sm.count")
    whole = estimate.cycles * sms * estimate.wave_ctas
    filled = launch.cta_count * estimate.wave_cycles / whole if whole else None
    return LaunchShape(
        launch.cta_count,
        launch.threads_per_cta,
        sms,
        estimate.occupancy.ctas_per_sm,
        None if filled is None else min(1.0, filled),
    )


def _dram_rate(bytes_: float, us: float, machine: Machine) -> tuple[float, float]:
    return bytes_ / max(us, 1e-12) / 1e3, float(machine.number("dram.measured_gbs"))


def _l1_rates(machine: Machine) -> L1Rates:
    bytes_ = float(machine.number("l1.bytes_per_clk"))
    return L1Rates(float(machine.number("l1.lines_per_clk")), bytes_ / l1_sector_bytes(machine))


def _fp64_rate(machine: Machine) -> float | None:
    single = peak_gflops(machine, "f32")
    return peak_gflops(machine, "f64") / single if single else None


def _traced(
    job: Job, machine: Machine, estimate: Estimate, counts: TraceSummary
) -> tuple[InstructionEvidence, ...]:
    """The instructions of a launch, by the counts of some CTAs of it."""
    scale = job.required_launch().cta_count / max(1, counts.ctas)
    times = {(one.block, one.instruction): one.fraction for one in estimate.instruction_times}
    accesses = _traced_accesses(job, machine, estimate, counts, scale)
    behind = AccessesBehind(job.kernel)
    return tuple(
        InstructionEvidence(
            0, block.id, index, instruction,
            counts.block_executions[block.id] * scale,
            counts.block_threads[block.id] * scale,
            times.get((block.id, index), 0.0),
            behind.accesses_behind((block.id, index)),
            accesses.get((block.id, index), ()),
        )
        for block in job.kernel.blocks
        if counts.block_executions[block.id]
        for index, instruction in enumerate(block.instructions)
    )  # fmt: skip


def _traced_accesses(
    job: Job, machine: Machine, estimate: Estimate, counts: TraceSummary, scale: float
) -> Mapping[Place, tuple[AccessEvidence, ...]]:
    ideals, known = _ideals(machine), _Accesses(job)
    found: list[tuple[Place, AccessEvidence]] = []
    for one in counts.accesses:
        place = one.block, one.instruction
        requests, bytes_ = one.warp_executions * scale, (one.bytes_requested or 0) * scale
        asked = requests, one.thread_executions * scale, bytes_
        made = known.of(place, asked, turn=one.turn)
        if made.space is Space.SHARED and one.wavefronts is not None:
            passes = one.wavefronts * scale
            made = _shared(made, passes, ideals.wavefronts(requests, bytes_, passes))
        elif one.sectors is not None and one.lines is not None:
            sectors = one.sectors * scale
            least = ideals.sectors(requests, bytes_, sectors)
            lines = one.lines * scale
            made = replace(made, sectors=sectors, ideal_sectors=least, lines=lines)
        found.append((place, made))
    return _by_place(_with_traffic(found, estimate.traffic, ideals.sector_bytes))


def _ideals(machine: Machine) -> _Ideals:
    rules = memory_rules(machine)
    return _Ideals(rules.sector_bytes, rules.banks * rules.bank_width_bytes)


def _with_traffic(
    found: Sequence[tuple[Place, AccessEvidence]],
    traffic: Iterable[RegionTraffic],
    sector_bytes: int,
) -> list[tuple[Place, AccessEvidence]]:
    """Share the traffic of each region out to the accesses to it, by their sectors."""
    regions = {one.region: one for one in traffic}
    asked: dict[str | None, float] = {}
    for _, access in found:
        asked[access.buffer] = asked.get(access.buffer, 0.0) + (access.sectors or 0.0)
    made = []
    for place, access in found:
        region = None if access.buffer is None else regions.get(access.buffer)
        if region is None or not access.sectors:
            made.append((place, access))
            continue
        part = access.sectors / asked[access.buffer] / sector_bytes
        l2, dram = region.l2_bytes * part, region.dram_bytes * part
        made.append((place, replace(access, l2_sectors=l2, dram_sectors=dram)))
    return made


def _by_place(
    found: Iterable[tuple[Place, AccessEvidence]],
) -> Mapping[Place, tuple[AccessEvidence, ...]]:
    made: dict[Place, tuple[AccessEvidence, ...]] = {}
    for place, access in found:
        made[place] = (*made.get(place, ()), access)
    return made


# A simulation as evidence.

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

DRAIN = TERMS["drain"]
"""What warps wait for that have ended but for their stores."""

_MATH = "math_pipe_throttle"


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
        dram_gbs=_dram_rate(bytes_, simulated_us, machine),
        l1_rates=_l1_rates(machine),
        fp64_rate=_fp64_rate(machine),
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
    found[SERVERS["l1"]] = sectors / of_sms / _l1_rates(machine).sectors
    if rate:
        found[SERVERS["l2"]] = l2 * result.sector_bytes / cycles / rate
    return {name: min(1.0, fraction) for name, fraction in found.items()}


def _stalled(result: SimResult, machine: Machine, busy: Mapping[str, float]) -> Mapping[str, float]:
    """The time of warps by cause: loads by what they waited for, the pipe by how busy it was."""
    from warpmill.simulator.gpu.fields import REASONS  # noqa: PLC0415 - the engine is slow to load

    whole = float(sum(result.stalls)) or 1.0
    parts = dict(_of_loads(result, machine, busy))
    pipes = [name for name in busy if name in PIPES.values()]
    if pipes:
        parts[_MATH] = {max(pipes, key=lambda name: busy[name]): 1.0}
    found: dict[str, float] = {}
    for reason, cycles in zip(REASONS, result.stalls, strict=True):
        for cause, part in parts.get(reason, {_STALLS.get(reason, TERMS[reason]): 1.0}).items():
            found[cause] = found.get(cause, 0.0) + cycles * part / whole
    return found


def _of_loads(
    result: SimResult, machine: Machine, busy: Mapping[str, float]
) -> Mapping[str, Mapping[str, float]]:
    """What warps wait for behind memory, by warp state: latencies, and what carries the sectors.

    What is queued, latency beyond that of an access that is alone and room in queues, is put to the
    bandwidth of a carrier at most as far as that is busy: one that idles keeps nobody waiting, and
    longer latencies are then those of memory as it is used.
    """
    levels = _levels(result)
    alone = fsum(part * float(machine.number(f"{x}.latency")) for x, part in levels.items())
    latencies: dict[str, float] = {LATENCIES[x]: part for x, part in levels.items()}
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


def _bound(shares: Mapping[str, float], busy: Mapping[str, float]) -> str:
    """What limits a simulation, in the words of an estimate."""
    return bound_words(shares, busy)


def _simulated(
    jobs: Sequence[Job], machine: Machine, result: SimResult
) -> tuple[InstructionEvidence, ...]:
    """The instructions of all launches; sectors to DRAM are shared out by those beyond L1."""
    known, ideals = [_Accesses(job) for job in jobs], _ideals(machine)
    behind = [AccessesBehind(job.kernel) for job in jobs]
    whole = float(sum(map(sum, (one.stalls for one in result.instructions)))) or 1.0
    missed = sum(one.sectors - one.l1_hits for one in result.instructions)
    dram = min(1.0, (result.dram.reads + result.dram.writes) / missed) if missed else 0.0
    found = []
    for one in result.instructions:
        place = one.block, one.instruction
        instruction = jobs[one.kernel].kernel.blocks[one.block].instructions[one.instruction]
        made = tuple(_simulated_accesses(one, instruction, known[one.kernel], ideals, dram))
        found.append(
            InstructionEvidence(
                one.kernel, *place, instruction, one.warp_instructions, one.thread_instructions,
                sum(one.stalls) / whole, behind[one.kernel].accesses_behind(place), made,
            )
        )  # fmt: skip
    return tuple(found)


_LINE_BYTES = 128


def _simulated_accesses(
    one: InstructionResult, instruction: Instruction, known: _Accesses, ideals: _Ideals, dram: float
) -> Iterator[AccessEvidence]:
    """The accesses of an instruction; ``dram`` is the part of sectors beyond L1 that goes on."""
    place, width = (one.block, one.instruction), instruction.width_bytes or 0
    requests, bytes_ = float(one.warp_instructions), float(one.thread_instructions * width)
    counts = requests, float(one.thread_instructions), bytes_
    if one.wavefronts:
        passes = float(one.wavefronts)
        least = ideals.wavefronts(requests, bytes_, passes)
        yield _shared(known.of(place, counts, space=Space.SHARED), passes, least)
    if one.sectors:
        beyond = float(one.sectors - one.l1_hits)
        yield replace(
            known.of(place, counts),
            sectors=float(one.sectors),
            ideal_sectors=ideals.sectors(requests, bytes_, one.sectors),
            lines=one.sectors * ideals.sector_bytes / _LINE_BYTES,
            l2_sectors=beyond,
            dram_sectors=beyond * dram,
        )


# A profile as evidence: exact counts, no time.


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
    rules, known = profile.rules, _Accesses(job)
    found: list[tuple[Place, AccessEvidence]] = []
    for one in profile.accesses or ():
        place = one.block, one.instruction
        bytes_ = float(one.bytes_requested)
        made = known.of(place, (one.requests, one.threads, bytes_), space=one.space)
        made = replace(made, kind=one.kind)
        if one.wavefronts is not None and one.bank_conflicts is not None:
            passes = float(one.wavefronts)
            made = _shared(made, passes, passes - one.bank_conflicts)
        elif one.sectors is not None and one.lines is not None and rules is not None:
            sectors = float(one.sectors)
            least = min(sectors, max(one.requests, ceil(bytes_ / rules.sector_bytes)))
            lines = float(one.lines)
            made = replace(made, sectors=sectors, ideal_sectors=least, lines=lines)
        found.append((place, made))
    return _by_place(found)
