"""Evidence of one launch, by whichever engine: the figures that findings rest on.

An estimate, a simulation and a profile know different things of a launch; ``Evidence`` has them
under the same names, with None or nothing where an engine does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Literal, NamedTuple

from warpmill.analyzer.base.metric import Mark
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.session.data import buffer_of
from warpmill.session.estimates import AccessesBehind, cheap_counts
from warpmill.session.jobs import Job
from warpmill.simulator.assembler.registers import RegisterCount, Spilled
from warpmill.simulator.estimate.pipeline import BARRIER, LATENCY, LEVELS
from warpmill.simulator.estimate.result import (
    Estimate,
    RegionTraffic,
    Roofline,
)
from warpmill.simulator.machine_limits import (
    CAUSES,
    peak_gflops,
)
from warpmill.simulator.machines.model import (
    Machine,
    l1_sector_bytes,
    memory_rules,
)
from warpmill.simulator.occupancy import Occupancy
from warpmill.simulator.resources import CTA_LAUNCH_RATE, LAUNCH, TERMS

if TYPE_CHECKING:
    from warpmill.analyzer.traces.summary import TraceSummary
    from warpmill.session.estimates import Estimator

LOCAL_MEMORY = "local memory"
"""The region of threads' own memory, as the estimate names it."""

LATENCIES = dict(zip(LEVELS, CAUSES[LATENCY : LATENCY + len(LEVELS)], strict=True))
"""The causes that are latencies, by the level that answers; of constants it is IMC misses."""

BARRIER_CAUSE = CAUSES[BARRIER]

DRAIN = TERMS["drain"]
"""What warps wait for that have ended but for their stores."""

_KINDS = {OpClass.LOAD: "load", OpClass.STORE: "store", OpClass.ATOMIC: "atomic"}


class L1Rates(NamedTuple):
    """Rates of L1 for an access, per cycle (``service``): further lines, and sectors."""

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
    """Requests of an instruction to one memory, over the launch.

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
    """Executions of one instruction over the launch; ``kernel`` is a place in the evidence's jobs.

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
    """Figures of one launch.

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
    spilled: tuple[Spilled, ...] = ()
    """What registers do not hold, of the kernels that they do not suffice for."""

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


class AccessIdeals(NamedTuple):
    """Least that an access of so many bytes needs: sectors, and bytes of all banks."""

    sector_bytes: int
    bank_bytes: int

    def sectors(self, requests: float, bytes_: float, found: float) -> float:
        """The least number of sectors of some requests; ``found`` at the most."""
        return min(found, max(requests, bytes_ / self.sector_bytes))

    def wavefronts(self, requests: float, bytes_: float, found: float) -> float:
        """The least number of shared-memory wavefronts, alike."""
        return min(found, max(requests, bytes_ / self.bank_bytes))


class KernelAccesses:
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


def shared_access(access: AccessEvidence, wavefronts: float | None, ideal: float) -> AccessEvidence:
    """An access to shared memory, with its wavefronts."""
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
        dram_gbs=dram_rate(estimate.dram_bytes, execution, machine),
        traffic=estimate.traffic,
        l1_rates=l1_rates_of(machine),
        fp64_rate=fp64_rate_of(machine),
        spilled=spilled_of((estimate.registers,)),
    )


def spilled_of(counts: Iterable[RegisterCount]) -> tuple[Spilled, ...]:
    """What registers do not hold, each once."""
    return tuple(dict.fromkeys(one.spilled for one in counts if one.spilled is not None))


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


def dram_rate(bytes_: float, us: float, machine: Machine) -> tuple[float, float]:
    """DRAM traffic in GB/s, and the most that was measured of the machine."""
    return bytes_ / max(us, 1e-12) / 1e3, float(machine.number("dram.measured_gbs"))


def l1_rates_of(machine: Machine) -> L1Rates:
    """The rates of a machine's L1."""
    bytes_ = float(machine.number("l1.bytes_per_clk"))
    return L1Rates(float(machine.number("l1.lines_per_clk")), bytes_ / l1_sector_bytes(machine))


def fp64_rate_of(machine: Machine) -> float | None:
    """The peak in FP64 over that in FP32; None: the machine has none in FP32."""
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
    ideals, known = ideals_of(machine), KernelAccesses(job)
    found: list[tuple[Place, AccessEvidence]] = []
    for one in counts.accesses:
        place = one.block, one.instruction
        requests, bytes_ = one.warp_executions * scale, (one.bytes_requested or 0) * scale
        asked = requests, one.thread_executions * scale, bytes_
        made = known.of(place, asked, turn=one.turn)
        if made.space is Space.SHARED and one.wavefronts is not None:
            passes = one.wavefronts * scale
            made = shared_access(made, passes, ideals.wavefronts(requests, bytes_, passes))
        elif one.sectors is not None and one.lines is not None:
            sectors = one.sectors * scale
            least = ideals.sectors(requests, bytes_, sectors)
            lines = one.lines * scale
            made = replace(made, sectors=sectors, ideal_sectors=least, lines=lines)
        found.append((place, made))
    return accesses_by_place(_with_traffic(found, estimate.traffic, ideals.sector_bytes))


def ideals_of(machine: Machine) -> AccessIdeals:
    """The sizes of a machine that ideals follow from."""
    rules = memory_rules(machine)
    return AccessIdeals(rules.sector_bytes, rules.banks * rules.bank_width_bytes)


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


def accesses_by_place(
    found: Iterable[tuple[Place, AccessEvidence]],
) -> Mapping[Place, tuple[AccessEvidence, ...]]:
    """The accesses of each instruction."""
    made: dict[Place, tuple[AccessEvidence, ...]] = {}
    for place, access in found:
        made[place] = (*made.get(place, ()), access)
    return made
