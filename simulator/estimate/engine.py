"""The estimate of one launch on one machine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Place, Space
from warpmill.analyzer.traces.event_batch import Triple
from warpmill.analyzer.traces.model import endless
from warpmill.simulator.assembler.costs import Mode as LaunchMode
from warpmill.simulator.assembler.costs import (
    UnmodelledClass,
    cost_table,
    cta_start_cycles,
    launch_overhead,
)
from warpmill.simulator.assembler.program import touches_memory
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.kernel import (
    Compiled,
    EstimateSubject,
    KernelCode,
)
from warpmill.simulator.estimate.memory import Dram, DramBytes, LeftInL2, dram_traffic
from warpmill.simulator.estimate.pipeline import REASONS
from warpmill.simulator.estimate.result import (
    Estimate,
    InstructionTime,
    RegionTraffic,
    Stall,
    Utilization,
    WarpSpan,
)
from warpmill.simulator.estimate.rounds import Round, Rounds
from warpmill.simulator.estimate.service import Carriers
from warpmill.simulator.estimate.timing import MOST_OPERATIONS, Moved, Sm, Timing
from warpmill.simulator.estimate.waves import Typical, Waves, typical
from warpmill.simulator.machine_limits import (
    bound,
    busiest,
    estimate_violations,
    roofline,
    shares,
    told,
    told_unknown_sizes,
)
from warpmill.simulator.machines.model import (
    Machine,
    l1_sector_bytes,
    with_recording,
)
from warpmill.simulator.occupancy import Occupancy, occupancy
from warpmill.simulator.resources import (
    CTA_LAUNCH_RATE,
    ISSUE_SLOTS,
    PIPES,
    SERVERS,
    TERMS,
)
from warpmill.simulator.streams import stream_rules

Mode = Literal["waves", "eq8"]
Floats = npt.NDArray[np.float64]

SIMPLIFICATIONS = (
    "in L2 a load waits for what its own CTA has just asked DRAM for; CTAs are taken not to meet "
    "there",
    "instruction fetch is not modelled",
)


@gc_paused()
def estimate(
    subject: EstimateSubject,
    machine: Machine,
    registers: RegisterCount,
    *,
    mode: Mode = "waves",
    l2: LeftInL2 | None = None,
    launched: LaunchMode = "kernel",
    rounds: Rounds | None = None,
    most_spans: int = 0,
) -> Estimate:
    """Estimate a launch on a machine by the CTAs that one SM holds at once.

    ``mode``: ``waves`` runs full waves of CTAs and the last one as it is; ``eq8`` is the paper's:
    one round, scaled by Equation 8, in which a warp waits for each result. ``l2`` tells
    what L2 holds at the beginning, without it nothing. ``launched`` says how the time is taken,
    which decides what launching adds to it. ``rounds`` keeps the subject's traces between estimates
    on several machines, ``most_spans`` are kept of warps. InputError where the launch does not fit
    on the machine.
    """
    recorded, used = with_recording(machine)
    fit = _fit(subject, recorded, registers)
    waves = Waves(subject.launch.grid, recorded.integer("sm.count"), fit.ctas_per_sm)
    rounds = rounds or Rounds(subject)
    rules = stream_rules(recorded)
    program = subject.facts.program(recorded, registers, as_written=mode == "eq8")
    code = subject.code(program)
    compiled = code.on(recorded)
    own = Typical() if mode == "eq8" else typical(rounds, waves, compiled.instructions)
    middle = waves.wave_of(own.cta)
    dram: Dram = rounds.dram.of(
        (waves, rules, middle, l2, program.access_facts),
        recorded,
        lambda on: dram_traffic(subject, program, rounds, waves, on, rules, middle=middle, l2=l2),
    )

    def sm(resident: int, active: float) -> Sm:
        fixed = subject, recorded, code, compiled, rules, fit.shared_carveout_bytes, dram
        return Sm(*fixed, resident, active, mode == "eq8", rounds, most_spans)

    accesses = [sum(map(touches_memory, block.instructions)) for block in program.kernel.blocks]

    def shared(moved: Moved) -> Shared:
        return _shared(moved, dram, recorded, waves.active_sms)

    launch = LaunchRuns(waves, rounds, sm, own, accesses, shared)
    done = launch.eq8() if mode == "eq8" else launch.waves()
    timing, moved, clock = done.timing, done.moved, float(recorded.number("clock.sm_mhz"))
    microseconds = done.cycles / clock
    launching = launch_overhead(recorded, waves.ctas, launched)
    # The near-empty kernel that overheads are told of holds the start of its CTA, no round does.
    total = launching.total_us(microseconds + cta_start_cycles(recorded) / clock)
    traffic = _traffic(moved, dram, recorded)
    dram_bytes = math.fsum(one.dram_bytes for one in traffic)
    utilization = _utilization(done, launching.busy(microseconds))
    top = busiest(utilization)
    # while CTAs are still started, warps' waiting is behind that
    ran = (
        max(microseconds, launching.dispatch_us)
        if top.resource == CTA_LAUNCH_RATE
        else microseconds
    )
    causes = shares(timing.sums, 1.0 - ran / total, top)
    beyond = endless(done.instructions)
    made = Estimate(
        machine=machine.name,
        machine_name=machine.text("machine.name"),
        mode=mode,
        clock_mhz=clock,
        clock_assumed=machine["clock.sm_mhz"].assumed,
        cycles=done.cycles,
        execution_us=microseconds,
        launch_us=total - microseconds,
        wave_cycles=timing.cycles,
        wave_ctas=done.round.size,
        waves=done.cycles / timing.cycles if timing.cycles else 0.0,
        wave_instructions=round(timing.operations),
        warp_instructions=done.instructions,
        extrapolated=timing.extrapolated,
        occupancy=fit,
        registers=program.told(registers),
        shared_bytes=subject.shared_bytes,
        bound=bound(causes, utilization),
        utilization=utilization,
        stalls=_stalls(timing),
        traffic=traffic,
        l1_hit_fraction=_l1_hits(timing.moved),
        instruction_times=_instruction_times(code, timing),
        shares=causes,
        roofline=roofline(moved.flops.sum(axis=0), dram_bytes, microseconds, recorded),
        achieved_occupancy_fraction=done.resident
        * fit.warps_per_cta
        / recorded.integer("sm.max_warps"),
        unmodelled=_unmodelled(compiled, done.round),
        simplifications=SIMPLIFICATIONS,
        trace=subject.source.kind,
        trace_reason=subject.source.reason,
        assumptions=(
            *(a.text for a in subject.source.assumptions),
            *(() if beyond is None else (beyond,)),
            *_unknown_addresses(subject.kernel, subject.facts.spaces, timing.moved.unknown),
            *told_unknown_sizes(
                subject.kernel,
                subject.facts.known_accesses,
                lambda block, _: bool(done.round.executions.get(block)),
            ),
        ),
        assumed_values=used.assumed(),
        warp_spans=_warp_spans(code, timing) if most_spans else None,
    )
    return replace(
        made,
        beyond_machine=told(estimate_violations(made, machine, cold=l2 is None)),
    )


def _fit(subject: EstimateSubject, machine: Machine, registers: RegisterCount) -> Occupancy:
    """How many CTAs an SM holds. InputError where it holds none, or warps are of others."""
    lanes, own = machine.integer("machine.warp_size"), subject.facts.module.warp_size
    if lanes != own:
        raise InputError(
            subject.launch.error(
                f"{subject.kernel.name} is compiled for warps of {own} lanes, and {machine.name} "
                f"has warps of {lanes}; compile it for such a chip, or set "
                f"machine.warp_size={own} to see a chip of other warps"
            )
        )
    threads, shared = subject.launch.threads_per_cta, subject.shared_bytes
    fit = occupancy(machine, threads, registers.registers_per_thread, shared)
    if fit.ctas_per_sm == 0:
        raise InputError(
            subject.launch.error(
                f"the launch does not fit on {machine.name}: {'; '.join(fit.notes)}", "block"
            )
        )
    return fit


def _shared(moved: Moved, dram: Dram, machine: Machine, active_sms: float) -> Shared:
    """How long a launch holds L2 and DRAM, whatever its SMs ask for one by one."""
    one, bytes_ = Carriers(machine, 1.0), float(_dram_bytes(moved, dram, machine).moved.sum())
    l2 = Carriers(machine, active_sms).l2_cycles / active_sms
    stored = dram.hottest_stores * l1_sector_bytes(machine) * one.number("l2.write_cost")
    of_a_slice = stored * machine.integer("l2.slices")  # the others have nothing to do meanwhile
    asked = max(float(moved.l2_bytes.sum()), of_a_slice)
    return Shared(asked * l2, bytes_ * one.dram_cycles / dram.efficiency)


def _utilization(done: WholeLaunch, launching: float) -> tuple[Utilization, ...]:
    """How busy resources are: as in the round, the less where L2 or DRAM hold SMs up."""
    held = done.timing.held
    whole = max(done.timing.cycles, 1.0) * (done.cycles / done.alone if done.alone else 1.0)
    busy = {ISSUE_SLOTS: held.issue / whole}
    pipes, servers = [PIPES[p] for p in cost_table().pipes], SERVERS.values()
    busy |= {p: b / whole for p, b in zip(pipes, held.pipes, strict=True)}
    busy |= {s: b / whole for s, b in zip(servers, held.servers, strict=True)}
    for name, cycles in done.shared._asdict().items():
        if cycles >= done.cycles:  # it decides
            busy[SERVERS[name]] = 1.0
    found = (Utilization(name, float(share)) for name, share in busy.items())
    return (*found, Utilization(CTA_LAUNCH_RATE, launching))


def _stalls(timing: Timing) -> tuple[Stall, ...]:
    waits = timing.sums.waits
    waited = float(waits.sum())
    return tuple(
        Stall(TERMS[reason], float(w / waited) if waited else 0.0)
        for reason, w in zip(REASONS, waits, strict=True)
    )


def _dram_bytes(moved: Moved, dram: Dram, machine: Machine) -> DramBytes:
    """DRAM bytes of a launch.

    It is scaled from a round; but what the wave that was looked at reads first, the launch does.
    """
    if dram.whole is not None:
        return dram.whole
    size = float(l1_sector_bytes(machine))
    by_region = (
        np.bincount(dram.region_of, x, len(dram.regions)) for x in (moved.missed, moved.dram)
    )
    return DramBytes(*(np.maximum(sectors * size, dram.first_read) for sectors in by_region))


def _traffic(moved: Moved, dram: Dram, machine: Machine) -> tuple[RegionTraffic, ...]:
    sector = l1_sector_bytes(machine)
    count = len(dram.regions)
    requested, l2 = (
        np.bincount(dram.region_of, sectors, minlength=count) * float(sector)
        for sectors in (moved.requested, moved.l2)
    )
    off = _dram_bytes(moved, dram, machine)
    if not machine.number("l2.size_bytes"):  # SMs ask DRAM
        l2, off = np.zeros(count), off._replace(missed=np.zeros(count))
    return tuple(
        RegionTraffic(
            name,
            float(requested[k]),
            float(l2[k]),
            float(off.missed[k]),
            float(off.moved[k]),
            float(dram.footprint[k]),
            float(dram.first_read[k]),
        )
        for k, name in sorted(enumerate(dram.regions), key=lambda pair: pair[1])
        if requested[k] or dram.first_read[k]
    )


def _l1_hits(moved: Moved) -> float | None:
    return 1.0 - moved.l1_missed / moved.l1_looked if moved.l1_looked else None


def _instruction_times(code: KernelCode, timing: Timing) -> tuple[InstructionTime, ...]:
    """Share the time of all warps out to instructions; those that took none are left out."""
    spent = timing.sums.operation_cycles
    whole = float(spent.sum()) or 1.0
    found: dict[Place, float] = {}
    for place, number in code.number.items():
        owner = code.program.owner(place)
        found[owner] = found.get(owner, 0.0) + float(spent[number] / whole)
    return tuple(InstructionTime(*place, share) for place, share in sorted(found.items()) if share)


def _warp_spans(code: KernelCode, timing: Timing) -> tuple[WarpSpan, ...]:
    place_of = {number: code.program.owner(place) for place, number in code.number.items()}
    found = []
    for warp, operation, reason, *times in timing.sums.spans.tolist():
        place = place_of.get(int(operation))
        if place is not None:
            cause = TERMS[REASONS[int(reason)]] if reason >= 0 else None
            found.append(WarpSpan(int(warp), *place, cause, *times))
    return tuple(found)


def _unknown_addresses(
    kernel: Kernel,
    spaces: Mapping[tuple[int, int], Space],
    unknown: Mapping[tuple[int, int], int],
) -> tuple[str, ...]:
    """Message for each access of unknown addresses on what its lanes are taken to do."""
    texts = []
    for block, index in sorted(unknown):
        instruction = kernel.blocks[block].instructions[index]
        where = (
            "consecutive words, without conflicts"
            if spaces.get((block, index)) is Space.SHARED
            else "a place as good as random for each lane"
        )
        texts.append(
            f"line {instruction.span.line}: data decide the addresses of "
            f"{instruction.operation.opcode}; {where}"
        )
    return tuple(texts)


def _unmodelled(compiled: Compiled, one: Round) -> tuple[UnmodelledClass, ...]:
    """Count executed instructions of classes that the pipeline does not know, in the round."""
    found: Counter[str] = Counter()
    for (block, _), name in compiled.unmodelled.items():
        times = one.executions.get(block, 0)
        if times:
            found[name] += times
    return tuple(UnmodelledClass(name, count) for name, count in sorted(found.items()))


# A whole launch out of waves of CTAs: Equation 8, or full waves and the last one.

GENERATIONS, GENERATION_CTAS = 3, 12
"""Waves that are run one after another where CTAs are short, and the fewest CTAs of them."""

MOST_UNLIKE = 3
"""SMs, whose CTAs lie unlike each other, that are looked at for what they ask L2 for."""


@dataclass(frozen=True)
class WholeLaunch:
    """The whole launch: its cycles, and the round that its figures are told by.

    ``resident`` are CTAs on an SM, in the mean over time and SMs. ``instructions`` of machines and
    ``moved`` are those of the whole launch, ``shared`` the cycles that all SMs together hold L2 and
    DRAM, ``alone`` those that the SMs would take if that held nothing up.
    """

    cycles: float
    round: Round
    timing: Timing
    resident: float
    instructions: float
    moved: Moved
    shared: Shared
    alone: float


class Shared(NamedTuple):
    """Cycles that a launch holds what all SMs share."""

    l2: float
    dram: float


class LaunchRuns:
    """Runs a launch wave by wave; ``sm`` gives an SM for CTAs at once, and active SMs.

    ``accesses`` are those to memory in each block of the kernel, ``shared`` tells how long all SMs
    hold L2 and DRAM for what they move.
    """

    def __init__(
        self,
        waves: Waves,
        rounds: Rounds,
        sm: Callable[[int, float], Sm],
        typical: Typical,
        accesses: Sequence[int],
        shared: Callable[[Moved], Shared],
    ) -> None:
        self._shared = shared
        self._accesses = accesses
        self._waves, self._rounds, self._sm, self._typical = waves, rounds, sm, typical

    def eq8(self) -> WholeLaunch:
        """Scale one round by Equation 8."""
        w = self._waves
        resident = min(w.per_sm, w.most_per_sm)
        one = self._rounds.of(w.of_sm(w.full // 2 if w.full else 0, resident))
        timing = self._sm(resident, w.active_sms).time(one)
        held = min(float(resident), w.ctas / w.sms)
        cycles = timing.cycles * w.most_per_sm / resident
        return self._made(cycles, one, timing, held)

    def waves(self) -> WholeLaunch:
        """Add up full waves and the last one; one CTA that goes on much longer comes behind."""
        done, longest = self._all_waves(), self._typical.longest
        if longest is None:
            return done
        one = self._rounds.of((self._waves.cta(longest),))
        timing = self._sm(1, 1.0).time(one)
        begins = done.cycles * max(0, longest - self._waves.size) / self._waves.ctas
        cycles = begins + timing.cycles
        if cycles <= done.cycles:
            return done
        resident = done.resident * done.cycles / cycles
        if cycles > 2.0 * done.cycles:  # what it waits for is what the launch waits for
            done = replace(done, round=one, timing=timing, alone=timing.cycles)
        return replace(done, cycles=cycles, resident=resident)

    def _all_waves(self) -> WholeLaunch:
        w = self._waves
        if w.full == 0:
            last, timing = self._last()
            return self._made(timing.cycles, last, timing, w.rest / w.sms)
        one = self._rounds.of(self._ctas(1))
        sm = self._sm(w.per_sm, w.sms * self._typical.beside)
        timing = sm.time(one)
        generations = self._generations(timing)
        if generations > 1:
            return self._overlapping(timing, generations)
        rest = self._last()[1].cycles + sm.start_cycles if w.rest else 0.0
        full = timing.cycles * w.full * (self._others(one, timing) if w.full > 1 else 1.0)
        return self._whole(full + sm.start_cycles * (w.full - 1), rest, one, timing)

    def _last(self) -> tuple[Round, Timing]:
        """Run the CTAs of the last wave on their own.

        An SM that has more of them than others asks for more of what all share.
        """
        w = self._waves
        count = w.rest_per_sm
        ctas, active = w.of_sm(w.full, count, w.rest_sms), w.rest / count
        if w.full == 0 and self._typical.cta is not None:
            ctas = w.beside(self._typical.cta, 0, count)
            active = max(1.0, active * self._typical.beside)
        one = self._rounds.of(ctas)
        return one, self._sm(count, active).time(one)

    def _generations(self, timing: Timing) -> int:
        """How many waves are run one after another: CTAs of the next begin as others end.

        The last one counts as if it were full; its CTAs begin so too.
        """
        most = int(MOST_OPERATIONS / max(1.0, timing.operations))
        waves = self._waves.full + (self._waves.rest > 0)
        wanted = max(GENERATIONS, -(-GENERATION_CTAS // self._waves.per_sm))
        return 1 if timing.extrapolated else min(waves, most, wanted)

    def _overlapping(self, timing: Timing, generations: int) -> WholeLaunch:
        """Run some waves with the last one after them; waves between take as long each.

        Those that are not run take as long as what is issued from when the first of these has ended
        until the last begins: at both times CTAs run that have done a part. Slow warps that go on
        later are waited for once, as in the middle of a launch others run meanwhile.
        """
        w = self._waves
        several, sm = self._rounds.of(self._ctas(generations)), self._sm(w.per_sm, w.sms)
        whole = sm.time(several)
        waves, ends = several.size / w.per_sm, whole.sums.ends
        least = whole.held.busiest / waves  # no wave is done in less
        each = max(least, (whole.cycles - timing.cycles) / (waves - 1))
        cycles = timing.cycles + each * (waves - 1)
        beyond = w.full + w.rest_per_sm / w.per_sm - waves
        if beyond > 0.0:
            order = np.argsort(ends, kind="stable")
            until, done = ends[order], whole.sums.issued[order] * (waves / whole.sums.operations)
            first, last = w.per_sm - 1, several.size - w.per_sm - 1
            if last > first:
                passed = float((until[last] - until[first]) / (done[last] - done[first]))
            else:
                passed = (float(until[last]) + sm.start_cycles) / float(done[last])
            each = max(least, passed)
        rest = w.rest_per_sm / w.per_sm * each if w.rest else 0.0
        full = (cycles + each * beyond - rest) * self._others(several, whole)
        return self._whole(full, rest, several, whole)

    def _ctas(self, generations: int) -> tuple[Triple, ...]:
        """The CTAs of an SM in some waves, about half of them before the middle one.

        The last wave may have fewer, of which no CTA is run twice.
        """
        w = self._waves
        before, count = generations // 2, min(generations * w.per_sm, w.most_per_sm)
        if self._typical.cta is None:
            return w.of_sm(max(0, w.full // 2 - before), count)
        return w.beside(self._typical.cta, before, count)

    def _others(self, one: Round, timing: Timing) -> float:
        """How much longer other full waves take: as much as their CTAs have instructions."""
        mean, own = self._typical.instructions, timing.instructions / one.size
        return 1.0 if mean is None or not own else mean / own

    def _whole(self, full: float, rest: float, one: Round, timing: Timing) -> WholeLaunch:
        """Time of full waves and that of the last one together."""
        w = self._waves
        held = (full * w.per_sm + rest * w.rest / w.sms) / (full + rest)
        return self._made(full + rest, one, timing, held)

    def _made(self, cycles: float, one: Round, timing: Timing, resident: float) -> WholeLaunch:
        """Scale what a round did to the launch; what it moved, block by block.

        CTAs that have less to do than those of the round leave out some of its blocks.
        """
        ctas, mean = self._waves.ctas, self._typical.executions or {}
        scale = ctas / one.size * self._others(one, timing)
        standing, instead = self._instead(one, mean)

        def times(block: int) -> float:
            own, others = one.executions.get(block, 0), mean.get(block, 0.0)
            if not own or not others:
                return scale
            return ctas * others / own * (instead if block in standing else 1.0)

        moved = timing.moved.over(times).of_sms(self._of_other_sms(one))
        shared = self._shared(moved)  # a round may ask for less of what all share than others do
        whole, instructions = max(cycles, *shared), timing.instructions * scale
        return WholeLaunch(whole, one, timing, resident, instructions, moved, shared, cycles)

    def _of_other_sms(self, one: Round) -> Floats | None:
        """Sectors that SMs in the mean ask L2 for, by point, where the one that was run asks for 1.

        None where they are taken to be alike, as their CTAs lie alike to each other.
        """
        w, count = self._waves, one.size
        first = max(0, w.full // 2 - count // w.per_sm // 2)
        unlike = w.unlike_sms(first, count, MOST_UNLIKE) if self._typical.cta is None else ()
        if len(unlike) < 2:
            return None
        sm = self._sm(min(count, w.per_sm), w.active_sms)
        of_all = [
            alike * sm.asked(self._rounds.of(w.of_sm(first, count, sm=n))) for n, alike in unlike
        ]
        own = sm.asked(self._rounds.of(w.of_sm(first, count)))
        mean: Floats = np.sum(of_all, axis=0) / sum(alike for _, alike in unlike)
        return np.divide(mean, own, out=np.ones_like(mean), where=own > 0)

    def _instead(self, one: Round, mean: Mapping[int, float]) -> tuple[frozenset[int], float]:
        """The blocks that stand for those that no CTA of the round executes, and how often.

        They are those that not all CTAs execute, if any; an access of others moves as much.
        """
        ours = {block for block in mean if one.executions.get(block)}
        fewer = {block for block in ours if mean[block] * one.size < one.executions[block]}
        weight = {block: times * self._accesses[block] for block, times in mean.items()}
        others = fsum(w for block, w in weight.items() if block not in ours)
        standing = fewer if any(weight[block] for block in fewer) else ours
        own = fsum(weight[block] for block in standing)
        return frozenset(standing), 1.0 + others / own if own else 1.0
