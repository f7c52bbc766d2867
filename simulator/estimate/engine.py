"""The estimate of one launch on one machine."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from analyzer.diagnostics import InputError
from analyzer.ir.kernel import Kernel
from analyzer.ir.types import Space
from simulator.estimate.costs import cost_table
from simulator.estimate.kernel_code import Compiled, KernelCode
from simulator.estimate.pipeline import REASONS, SERVERS, Scalars, Traces, run
from simulator.estimate.program import MemoryCosts
from simulator.estimate.result import Estimate, RegisterCount, Utilisation, Wait
from simulator.estimate.rounds import AnyRound, Rounds
from simulator.estimate.subject import Subject
from simulator.estimate.traffic import AccessFacts, l2_traffic
from simulator.machines.memory import memory_rules
from simulator.machines.model import Machine, with_recording
from simulator.occupancy import Occupancy, occupancy

OPERATION_BUDGET = 4_000_000
"""Operations of a round that are run one by one; beyond, loops are cut short and continued."""

BUSY = 0.7
"""A resource this busy bounds the kernel; below, latency does."""

SIMPLIFICATIONS = (
    "hits in L1 are not modelled: every global access goes to L2",
    "L2 keeps what fits, by footprint; reuse distances are not modelled",
    "atomics to one address do not wait for each other",
    "launch overhead is not part of the time",
)


@dataclass(frozen=True)
class _Share:
    """What runs on one SM: a round of CTAs, and how often (Equation 8)."""

    round: AnyRound
    ctas_per_sm: int
    active_sms: int

    @property
    def ctas(self) -> int:
        return self.round.size

    @property
    def factor(self) -> float:
        return self.ctas_per_sm / self.ctas


def estimate(
    subject: Subject,
    machine: Machine,
    registers: RegisterCount,
    *,
    blocking: bool = False,
    rounds: Rounds | None = None,
) -> Estimate:
    """Estimate a launch on a machine by one round of active CTAs.

    ``rounds`` keeps those of the subject's traces between estimates on several machines.
    ``blocking`` makes a warp wait for each result before its next operation, as the paper's
    figure shows; otherwise it waits where the result is used. InputError where the launch does not
    fit on the machine.
    """
    recorded, used = with_recording(machine)
    shared = subject.shared_bytes
    fit = occupancy(recorded, subject.launch.threads_per_cta, registers.registers, shared)
    if fit.blocks_per_sm == 0:
        raise InputError(
            subject.launch.error(
                f"the launch does not fit on {machine.name}: {'; '.join(fit.notes)}", "block"
            )
        )
    one = _choose_round(subject, recorded, fit, rounds or Rounds(subject))
    facts = subject.facts(memory_rules(recorded))
    scale = subject.launch.cta_count / one.ctas
    requested = {name: moved * scale for name, moved in one.round.requested(facts).items()}
    traffic = l2_traffic(requested, facts.layout, recorded)
    compiled = subject.code.on(recorded)
    costs = MemoryCosts(recorded, facts.rules.sector_bytes, traffic, one.active_sms)
    scalars = _scalars(subject, recorded, one, blocking)
    timing = _time(subject.code, compiled, facts, costs, one, scalars)
    cycles = timing.cycles * one.factor
    return Estimate(
        machine=machine.name,
        cycles=cycles,
        microseconds=cycles / float(recorded.number("clock.sm_mhz")),
        round_cycles=timing.cycles,
        round_ctas=one.ctas,
        rounds=one.factor,
        operations=timing.operations,
        extrapolated=timing.extrapolated,
        occupancy=fit,
        registers=registers,
        shared_bytes=shared,
        bound=_bound(timing),
        utilisation=timing.utilisation,
        waits=timing.waits,
        traffic=tuple(traffic.values()),
        unmodelled=_unmodelled(compiled, one.round),
        simplifications=SIMPLIFICATIONS,
        trace=subject.source.kind,
        trace_reason=subject.source.reason,
        assumptions=(
            *(a.text for a in subject.source.assumptions),
            *_unknown_addresses(subject.kernel, facts, one.round),
        ),
        assumed_values=used.assumed(),
    )


def _choose_round(subject: Subject, machine: Machine, fit: Occupancy, rounds: Rounds) -> _Share:
    """Take the CTAs that one SM holds in the middle of the launch.

    CTAs go to SMs in turn, so those of one SM are as far apart as there are SMs.
    """
    sms, total = machine.integer("sm.count"), subject.launch.cta_count
    per_sm = -(-total // sms)
    count = min(fit.blocks_per_sm, per_sm)
    active = min(sms, total)
    start = max(0, (per_sm - count) // 2) * active + active // 2
    ids = [i if i < total else i - active for i in range(start, start + count * active, active)]
    ctas = tuple(_cta(i % total, subject.launch.grid) for i in ids)
    return _Share(rounds.of(ctas), per_sm, active)


def _cta(index: int, grid: tuple[int, int, int]) -> tuple[int, int, int]:
    x, y, _ = grid
    return index % x, index // x % y, index // (x * y)


def _scalars(subject: Subject, machine: Machine, one: _Share, blocking: bool) -> Scalars:
    return Scalars(
        ctas=one.ctas,
        subpartitions=machine.integer("sm.subpartitions"),
        pipes=len(cost_table().pipes),
        registers=max(1, len(subject.kernel.registers)),
        barrier_cycles=float(machine.number("latency.barrier")),
        blocking=blocking,
    )


@dataclass(frozen=True)
class _Timing:
    cycles: float
    operations: int
    extrapolated: bool
    utilisation: tuple[Utilisation, ...]
    waits: tuple[Wait, ...]


def _time(  # noqa: PLR0913, PLR0917 - the parts of a round
    code: KernelCode,
    compiled: Compiled,
    facts: AccessFacts,
    costs: MemoryCosts,
    one: _Share,
    scalars: Scalars,
) -> _Timing:
    def timed(factor: float) -> _Timing:
        return _timing(compiled, one.round.template(code, facts, factor).on(costs), scalars)

    executions = one.round.executions.items()
    total = sum(times * code.operations[block] for block, times in executions)
    if total <= OPERATION_BUDGET:
        return timed(1.0)
    long = OPERATION_BUDGET / total
    more, less = timed(long), timed(long / 2)
    per_operation = (more.cycles - less.cycles) / max(1, more.operations - less.operations)
    cycles = more.cycles + per_operation * (total - more.operations)
    return _Timing(cycles, total, True, more.utilisation, more.waits)


def _timing(compiled: Compiled, traces: Traces, scalars: Scalars) -> _Timing:
    cycles, sums = run(compiled.code, traces, scalars)
    whole, waits = max(cycles, 1.0), sums.waits
    parts = [("issue slots", sums.issue_busy / scalars.subpartitions)]
    parts += [
        (f"{name} pipe", busy / scalars.subpartitions)
        for name, busy in zip(cost_table().pipes, sums.pipe_busy, strict=True)
    ]
    parts += [(_SERVER_NAMES[s], busy) for s, busy in zip(SERVERS, sums.server_busy, strict=True)]
    waited = float(waits.sum())
    return _Timing(
        float(cycles),
        int(sums.operations),
        False,
        tuple(Utilisation(name, float(busy / whole)) for name, busy in parts),
        tuple(
            Wait(reason, float(w / waited) if waited else 0.0)
            for reason, w in zip(REASONS, waits, strict=True)
        ),
    )


_SERVER_NAMES = {
    "l1": "L1 bandwidth",
    "l2": "L2 bandwidth",
    "dram": "DRAM bandwidth",
    "shared": "shared-memory bandwidth",
}
_LATENCIES = {
    "issue": "issue slots",
    "pipe": "busy pipes",
    "arithmetic": "arithmetic latency",
    "memory": "memory latency",
    "barrier": "barriers",
    "server": "queues of memory",
}


def _bound(timing: _Timing) -> str:
    """Say what limits the round: the busiest resource, or what warps wait for most."""
    top = max(timing.utilisation, key=lambda u: u.fraction)
    if top.fraction >= BUSY:
        return f"{top.resource} ({top.fraction:.0%} busy)"
    longest = max(timing.waits, key=lambda w: w.fraction)
    waiting = f"{longest.fraction:.0%} of waiting"
    return f"{_LATENCIES[longest.reason]} ({waiting}; {top.resource} {top.fraction:.0%} busy)"


def _unknown_addresses(kernel: Kernel, facts: AccessFacts, one: AnyRound) -> tuple[str, ...]:
    """Say of each access whose addresses the traces do not know what its lanes are taken to do."""
    texts = []
    for block, index in sorted(one.unknown_addresses):
        space = facts.spaces.get((block, index))
        if space is Space.CONST:
            continue  # its cost does not depend on the addresses
        instruction = kernel.blocks[block].instructions[index]
        granule = "bank pass" if space is Space.SHARED else "sector"
        texts.append(
            f"line {instruction.span.line}: data decide the addresses of "
            f"{instruction.operation.opcode}; a {granule} of its own for each lane"
        )
    return tuple(texts)


def _unmodelled(compiled: Compiled, one: AnyRound) -> tuple[tuple[str, int], ...]:
    """Count executed instructions of classes that the pipeline does not know, in the round."""
    found: Counter[str] = Counter()
    for (block, _), name in compiled.unmodelled.items():
        times = one.executions.get(block, 0)
        if times:
            found[name] += times
    return tuple(sorted(found.items()))
