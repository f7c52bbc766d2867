"""The time of CTAs on one SM: their events, costed, through the pipeline; long ones by a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.simulator.assembler.costs import cost_table, cta_start_cycles
from warpmill.simulator.estimate.kernel import Compiled, EstimateSubject, KernelCode
from warpmill.simulator.estimate.memory import Dram, times_of
from warpmill.simulator.estimate.pipeline import (
    COSTS,
    LEVELS,
    SERVERS,
    PipelineWork,
    Scalars,
    Sums,
    run,
)
from warpmill.simulator.estimate.pipeline import QUEUE as QUEUE_REASONS
from warpmill.simulator.estimate.rounds import Events, Round, Rounds
from warpmill.simulator.estimate.service import BeyondL1, Carriers, OnSm, Service, on_sm, serve
from warpmill.simulator.estimate.transactions import STORE, Transactions
from warpmill.simulator.machine_limits import KINDS, operations_of
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.streams import StreamRules

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

MOST_OPERATIONS = 160_000
"""Operations of a round that go through the pipeline; of longer ones a part does."""

MOST_EXECUTED_OPERATIONS = 500_000
"""The same where traces were executed, of which only the beginning can be taken."""

QUEUE = 5
"""Accesses of a sub-partition that wait for the load-store unit (Huerta et al., Analyzing Modern
NVIDIA GPU Cores, arXiv 2503.20481: a warp stalls at the sixth)."""

_LATENCY, _LEVEL, _GROUP = range(len(SERVERS), COSTS)


@dataclass(frozen=True)
class Timing:
    """Time of CTAs on one SM. ``cycles`` and ``operations`` are those of all that they execute.

    ``instructions`` are the machine instructions of its warps; ``held`` is how long all of it holds
    each resource.

    What is waited for is that of the ``part`` of it that ran, in ``part_cycles``; but the
    time at each operation is that of all.
    """

    cycles: float
    operations: float
    instructions: float
    extrapolated: bool
    part_cycles: float
    sums: Sums
    moved: Moved
    held: Held


@dataclass(frozen=True, eq=False)
class Held:
    """Cycles that CTAs hold the resources of an SM: issue slots, pipes, servers.

    Issue slots and pipes are those of a sub-partition in the mean.
    """

    issue: float
    pipes: Floats
    servers: Floats

    def __sub__(self, other: Held) -> Held:
        """Time that resources are held longer than by others."""
        pipes, servers = self.pipes - other.pipes, self.servers - other.servers
        return Held(self.issue - other.issue, pipes, servers)

    @property
    def busiest(self) -> float:
        """The cycles of the resource that is held longest: nothing is done in less."""
        return float(max(self.issue, self.pipes.max(initial=0.0), self.servers.max(initial=0.0)))


@dataclass(frozen=True, eq=False)
class Moved:
    """Sectors that CTAs ask for, by point of the kernel, over all that they execute.

    ``blocks`` has the block of each point, ``missed`` the sectors that loads and atomics read from
    DRAM, ``dram`` all that go from and to it, ``l2_bytes`` the bytes that L2 would read in the time
    that they take. ``flops`` are floating-point operations of threads, by block and kind
    (``shares.KINDS``).
    """

    blocks: npt.NDArray[np.int64]
    requested: Floats
    l2: Floats
    missed: Floats
    dram: Floats
    l2_bytes: Floats
    flops: Floats
    l1_looked: float
    l1_missed: float
    unknown: Mapping[tuple[int, int], int]

    def over(self, times: Callable[[int], float]) -> Moved:
        """The same of CTAs that execute each block so many times as often."""
        each = np.array([times(block) for block in range(len(self.flops))])
        points = each[self.blocks]
        return replace(
            self,
            requested=self.requested * points,
            l2=self.l2 * points,
            missed=self.missed * points,
            dram=self.dram * points,
            l2_bytes=self.l2_bytes * points,
            flops=self.flops * each[:, None],
        )

    def of_sms(self, times: Floats | None) -> Moved:
        """The same of SMs that ask L2 so many times as often, by point; None: as often."""
        if times is None:
            return self
        return replace(self, l2=self.l2 * times, l2_bytes=self.l2_bytes * times)


@dataclass(frozen=True)
class Sm:
    """An SM of a machine on which CTAs of a launch run; ``active_sms`` like it do so at once.

    ``eq8`` is the paper's pipeline: a warp waits for each result, and memory takes the longer the
    fewer warps there are (§IV-A-2).
    """

    subject: EstimateSubject
    machine: Machine
    code: KernelCode
    compiled: Compiled
    rules: StreamRules
    carveout_bytes: int
    dram: Dram
    resident: int
    active_sms: float
    eq8: bool
    rounds: Rounds
    most_spans: int = 0

    def time(self, one: Round) -> Timing:
        """Run a round of CTAs."""
        factor = self._factor(one)
        if factor == 1.0:
            return self._part(one, 1.0)
        more, less = self._part(one, factor), self._part(one, factor / 2)
        rest = (more.held - self._held_by(more.sums)).busiest
        return _continued(more, less, self._issued(one), rest)

    def _factor(self, one: Round) -> float:
        """The share of a round that goes through the pipeline."""
        operations = self.code.operations
        total = float(sum(times * operations[block] for block, times in one.executions.items()))
        executed = self.subject.source.kind == "executed"
        most = MOST_EXECUTED_OPERATIONS if executed else MOST_OPERATIONS
        return min(1.0, most / max(1.0, total))

    def asked(self, one: Round) -> Floats:
        """Sectors that an access of a round asks L2 for in the mean, by point of the kernel."""
        t, found = self._on_sm(one, self._factor(one))
        points = len(self.dram.reads)
        accesses = np.bincount(t.point, minlength=points)
        return np.bincount(t.point, found.misses, minlength=points) / np.maximum(accesses, 1)

    def _issued(self, one: Round) -> float:
        """Count the operations that take an issue slot, nothing cut short."""
        code, first = self.compiled.code, self.code.first
        slots = np.add.reduceat(np.append(code.issue_cycles > 0.0, False), first[:-1])
        slots = np.where(np.diff(first) > 0, slots, 0)
        return float(sum(times * int(slots[block]) for block, times in one.executions.items()))

    def _on_sm(self, one: Round, factor: float) -> tuple[Transactions, OnSm]:
        """The transactions of a share of a round, and what they find on the SM."""
        rounds, machine, carveout = self.rounds, self.machine, self.carveout_bytes
        transactions: Transactions = rounds.transactions.of(
            (one, self.rules, factor, self.resident, self.code.program.access_facts),
            lambda: self._transactions(one, factor),
        )
        found: OnSm = rounds.on_sm.of(
            (transactions, carveout), machine, lambda on: on_sm(transactions, on, carveout)
        )
        return transactions, found

    def _part(self, one: Round, factor: float) -> Timing:
        transactions, found = self._on_sm(one, factor)
        events = transactions.events
        service = serve(
            transactions,
            found,
            self._beyond(one, transactions, found),
            Carriers(self.machine, self.active_sms),
        )
        work = self._work(events, service)
        cycles, sums = run(self.compiled.code, work, self._scalars, self.most_spans)
        sums = _with_drain(sums, cycles, work, self.resident * self._warps)
        flops = _flops(one, transactions, self.subject)
        moved = _moved(one, transactions, found, service, flops, self.code.program.copied)
        instructions = self.compiled.instructions(one.executions)
        ran = self._held_by(sums)
        cycles = max(cycles, ran.busiest)  # an SM is done when what the last warps hold is free
        return Timing(
            float(cycles),
            float(sums.operations),
            instructions,
            False,
            float(cycles),
            sums,
            moved,
            self._held(one, events, work) if factor < 1.0 else ran,
        )

    def _transactions(self, one: Round, factor: float) -> Transactions:
        program = self.code.program
        return Transactions(
            one.events(self.rules, factor, without=frozenset(program.kept), spills=program.spills),
            program.kernel,
            self.resident,
            program.as_one,
            program.merged,
        )

    def _held_by(self, sums: Sums) -> Held:
        """How long what ran holds the resources."""
        parts = self._scalars.subpartitions
        return Held(sums.issue_busy / parts, sums.pipe_busy / parts, sums.server_busy)

    def _held(self, one: Round, events: Events, work: PipelineWork) -> Held:
        """The same of all that a round executes, of which the work is a part.

        What is left of a block holds as much as many times what it was shortened by.
        """
        code, blocks = self.compiled.code, len(self.subject.kernel.blocks)
        whole = np.array([one.executions.get(block, 0) for block in range(blocks)], np.float64)
        left = np.bincount(events.batch.block, minlength=blocks)
        times = np.divide(whole, left, out=np.ones_like(whole), where=left > 0)
        ran = np.bincount(work.event_block, minlength=blocks) * times
        ran += np.where((left == 0) & (self.code.heads.of == np.arange(blocks)), whole, 0.0)
        op_times = np.repeat(ran, np.diff(self.code.first)) * (code.issue_cycles > 0.0)
        pipes, parts = self._scalars.pipes, self._scalars.subpartitions
        held = np.zeros(pipes)
        for pipe, cycles in ((code.pipe, code.pipe_cycles), (code.second, code.second_cycles)):
            own = pipe >= 0
            held += np.bincount(pipe[own], (op_times * cycles)[own], minlength=pipes)
        held *= np.where(code.of_sm, parts, 1.0)
        rows = np.repeat(times[work.event_block], np.diff(work.event_access))
        with _blas().limit(limits=1):  # several threads round otherwise, and spin meanwhile
            servers = rows @ work.cost[:, :_LATENCY]
        return Held(float(op_times @ code.issue_cycles) / parts, held / parts, servers)

    def _beyond(self, one: Round, t: Transactions, found: OnSm) -> BeyondL1:
        """Turn sectors an access into shares of what this round asks L2 for."""
        dram, points = self.dram, len(self.dram.reads)
        accesses = np.bincount(t.point, minlength=points)
        misses = np.bincount(t.point, found.misses, minlength=points)
        asks = (found.misses > 0) | found.pending
        some = np.maximum(misses / np.maximum(accesses, 1), 1e-12)
        ask = np.bincount(t.point, asks, minlength=points) / np.maximum(accesses, 1)
        times = times_of(one, t.events.batch)
        reads = _reads(dram, one.size, accesses * times, misses * times)
        return BeyondL1(
            reads / np.maximum(misses * times, 1e-12),
            np.minimum(1.0, dram.waits / np.maximum(ask, 1e-12)),
            np.minimum(2.0, dram.writes / some),
            dram.efficiency,
            dram.atomic_cycles * self.active_sms,
        )

    def _work(self, events: Events, service: Service) -> PipelineWork:
        cost = service.cost
        if self.eq8:
            cost = cost.copy()
            cost[:, _LATENCY] *= self._fewer
        points = events.batch.tables.points
        place = np.array([self.code.number[p.block, p.instruction] for p in points], np.int32)
        s, code = events.streams, self.compiled.code
        begins = self.code.heads.begins(s.event_block, s.warp_events)
        first = np.concatenate([s.event_access[begins], s.event_access[-1:]])
        ends, order = np.zeros(len(first), np.int64), np.zeros(len(cost), np.int64)
        ops, made = np.zeros(len(cost), np.int32), np.zeros(cost.shape)
        flags = code.memory, self.compiled.folded
        number = put_work(first, s.access_point, place, *flags, cost, order, ends, ops, made)
        return PipelineWork(
            np.searchsorted(begins, s.warp_events),
            self.code.heads.of[s.event_block[begins]],
            ends,
            ops[:number],
            made[:number],
            len(cost),
        )

    @property
    def _fewer(self) -> float:
        """The most warps of an SM over those that run (§IV-A-2)."""
        return self.machine.integer("sm.max_warps") / (self.resident * self._warps)

    @property
    def _warps(self) -> int:
        threads, lanes = self.subject.launch.threads_per_cta, self.subject.facts.module.warp_size
        return -(-threads // lanes)

    @property
    def start_cycles(self) -> float:
        """The cycles from the end of a CTA to the first instruction of the next in its place."""
        return cta_start_cycles(self.machine)

    @cached_property
    def _scalars(self) -> Scalars:
        return Scalars(
            warps_per_cta=self._warps,
            resident=self.resident,
            subpartitions=self.machine.integer("sm.subpartitions"),
            pipes=len(cost_table().pipes),
            registers=len(self.subject.kernel.registers) + 1,  # and what copies write
            barrier_cycles=float(self.machine.number("latency.barrier")),
            start_cycles=self.start_cycles,
            in_flight=0,
            hit_cycles=float(self.machine.number("l1.latency"))
            * (self._fewer if self.eq8 else 1.0),
            queue=QUEUE,
            blocking=self.eq8,
            greedy=not self.eq8,
        )


@cache
def _blas() -> Any:
    """NumPy's linear algebra, whose threads may be limited."""
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415 - only here

    return ThreadpoolController()


_CONSTANT = LEVELS.index("constant")


@partial(jit, arrays=False)
def put_work(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    first: Any,
    point: Any,
    place: Any,
    memory: Any,
    folded: Any,
    cost: Any,
    order: Any,
    ends: Any,
    ops: Any,
    made: Any,
) -> Any:
    """Write down the accesses of events in the order of their operations; gives how many there are.

    The accesses of event e are those from ``first[e]`` on, in the order of the text, each at a
    ``point`` whose operation is its ``place``. Left out are those of operations without ``memory``:
    copies of what others gave. Those that are ``folded`` became parts of other instructions and
    hold nothing: they come when these do, and constants that the SM's cache has are operands and
    there at once. What one operation reads and writes is one access: a copy goes to both memories.
    The load-store unit takes it once, all else carries both, and the result is of the later one.
    """
    n = 0
    for event in range(first.size - 1):
        begin = n
        for k in range(first[event], first[event + 1]):
            at = k
            while at > first[event] and place[point[order[at - 1]]] > place[point[k]]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = k
        for k in range(first[event], first[event + 1]):
            a = order[k]
            op = place[point[a]]
            if not memory[op]:
                continue
            latency, level = cost[a, _LATENCY], cost[a, _LEVEL]
            if folded[op] and level == _CONSTANT:
                latency = 0.0
            joins = n > begin and ops[n - 1] == op
            if not joins:
                ops[n] = op
                n += 1
            for s in range(_LATENCY):
                held = 0.0 if folded[op] else cost[a, s]
                made[n - 1, s] = max(made[n - 1, s], held) if s == 0 else made[n - 1, s] + held
            if not joins or latency > made[n - 1, _LATENCY]:
                made[n - 1, _LATENCY], made[n - 1, _LEVEL] = latency, level
                made[n - 1, _GROUP] = cost[a, _GROUP]
        ends[event + 1] = n
    return n


def _reads(dram: Dram, ctas: int, accesses: Floats, asked: Floats) -> Floats:
    """The sectors that the accesses of some CTAs read from DRAM, by point.

    At each point as many an access as the wave does, and no more than they ask L2 for. Where the
    wave reads a region first at points that these CTAs do not come to, or where their SM has it,
    their other accesses to it read their part of what all CTAs do.
    """
    found = np.minimum(dram.reads * accesses, asked)
    spare = asked - found
    regions = len(dram.regions)
    read, room = (np.bincount(dram.region_of, x, minlength=regions) for x in (found, spare))
    left = np.maximum(0.0, dram.of_a_cta * ctas - read)
    more = np.minimum(1.0, left / np.maximum(room, 1e-12))
    return np.asarray(found + spare * more[dram.region_of])


def _with_drain(sums: Sums, cycles: float, work: PipelineWork, warps: int) -> Sums:
    """Have warps wait, at what they sent out, for what goes on after the last of them ended.

    That is at the operation of the last result, or where a server is what goes on, at each by the
    time that it holds this one.
    """
    if sums.drain < 0:
        return sums
    waited = (float(cycles) - float(sums.ends.max())) * min(warps, len(work.warp_events) - 1)
    waits, spent = sums.waits.copy(), sums.operation_cycles.copy()
    waits[sums.drain] += waited
    server = sums.drain - QUEUE_REASONS
    if server < 0:
        spent[sums.drain_op] += waited
    else:
        held = work.cost[:, server]
        spent += waited * np.bincount(work.access_op, held, len(spent)) / held.sum()
    return sums._replace(waits=waits, operation_cycles=spent)


def _continued(more: Timing, less: Timing, operations: float, rest: float) -> Timing:
    """Continue two parts in a line to all operations; each operation's time as well.

    What runs once takes as long in both parts. What is left takes the cycles ``rest`` at the least,
    those of the resource that it holds longest: it may be of other operations than the parts are.
    """
    gained = more.operations - less.operations
    rate = (more.cycles - less.cycles) / gained if gained > 0 else 0.0
    spent, of_less = more.sums.operation_cycles, less.sums.operation_cycles
    each: Floats = np.maximum(0.0, spent - of_less) / max(1.0, gained)
    if rate <= 0.0:
        ran = max(1.0, more.operations)
        rate, each = more.cycles / ran, spent / ran
    left = operations - more.operations
    return replace(
        more,
        cycles=more.cycles + max(rate * left, rest),
        operations=operations,
        extrapolated=True,
        sums=more.sums._replace(operation_cycles=spent + each * left),
    )


def _moved(
    one: Round,
    t: Transactions,
    found: OnSm,
    service: Service,
    flops: Floats,
    copied: frozenset[tuple[int, int]],
) -> Moved:
    """Sum up what CTAs ask for; loads that became copies of others (``copied``) ask for nothing."""
    tables = t.events.batch.tables
    asks = np.array([(p.block, p.instruction) not in copied for p in tables.points], np.float64)
    times = times_of(one, t.events.batch)

    loads = found.asks_l1 & (t.kind != STORE)
    return Moved(
        np.array([point.block for point in t.events.batch.tables.points], np.int64),
        service.requested * times * asks,
        service.l2_sectors * times,
        service.missed_sectors * times,
        service.dram_sectors * times,
        service.l2_bytes * times,
        flops,
        float(found.sectors[loads].sum()),
        float(found.misses[loads].sum()),
        t.events.unknown,
    )


def _flops(one: Round, t: Transactions, subject: EstimateSubject) -> Floats:
    """Count floating-point operations by block and kind, of the lanes that execute them."""
    table, s, batch = subject.flops, t.streams, t.events.batch
    lanes = np.bincount(s.event_block, s.event_lanes, minlength=len(table))
    events = np.bincount(s.event_block, minlength=len(table))
    whole = np.array([one.executions.get(block, 0) for block in range(len(table))])
    found = lanes[:, None] * table
    for (block, number), off in zip(batch.tables.guards, batch.guarded_off(), strict=True):
        operation = subject.kernel.blocks[block].instructions[number].operation
        kind, each = operations_of(operation, batch.tables.warp_size)
        found[block, KINDS.index(kind)] -= off * each
    return np.asarray(found * (whole / np.maximum(events, 1))[:, None])
