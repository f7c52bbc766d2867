"""The static walk: many warps through one kernel at once, by number and not by data.

It is a reconvergence-stack machine over lanes: where a branch parts them, the fall-through side
runs first, then the taken side, each to the immediate post-dominator. Registers that decide control
flow or addresses are followed exactly. A loop whose registers grow evenly is walked with a symbolic
counter for as many iterations as every decision in it stays the same (``constraints``), so that
the cost follows the structure and not the trip counts.

What data decide is taken: both sides of such a branch run with all lanes, such an exit waits for
the assumed trip count. Each is listed in ``assumptions``.

It is the paper's search in another form (§III-B-2, Listing 1; docs/deviations.md): ``_generate`` is
Algorithm 1, ``_update_exec_trace`` Algorithm 2 and ``_get_trace_succ_node`` Algorithm 3; lanes
that wait (``Position.parked``) are its stack ST, the segments of a ``LoopRun`` its counters, and
active masks stand for its mask array M, which knows whole warps only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.ranges.bounds import UnknownTrips
from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.ir.kernel import Imm, Instruction, Reg
from warpmill.analyzer.ir.types import OpClass, Place
from warpmill.analyzer.traces.model import Assumption
from warpmill.analyzer.traces.static.constraints import (
    Constraint,
    Sign,
    WarpBatch,
    gathered,
    is_held,
    iterations_allowed,
    ranged,
)
from warpmill.analyzer.traces.static.evaluation import BatchEvaluation, Inputs, LoopFrame, merged
from warpmill.analyzer.traces.static.nodes import (
    BatchAccess,
    BatchLoop,
    BatchNode,
    BatchVisit,
    LoopSegment,
)
from warpmill.analyzer.traces.static.plan import StepAccess, WalkPlan, WalkStep
from warpmill.analyzer.traces.static.values import (
    KnownNumbers,
    Lanes,
    Unknown,
    Value,
    linear,
    scaled,
)


class AbstractExecution:
    """One walk of a batch through a kernel. Run it once; read ``nodes`` and ``assumptions``."""

    def __init__(
        self, plan: WalkPlan, batch: WarpBatch, inputs: Inputs, limits: WalkLimits
    ) -> None:
        self._plan, self._batch, self._inputs, self._limits = plan, batch, inputs, limits
        self._structure = plan.structure
        self._exit = plan.structure.cfg.exit_id
        self._state = BatchEvaluation(plan, batch, inputs)
        self._sink: list[BatchNode] = []
        self._iterations: dict[int, KnownNumbers] = {}
        self._assumed_trips = dict(inputs.assumed_trips)
        self._running_on: set[int] = set()
        self._visits = 0
        self._noted: dict[tuple[int, str], Assumption] = {}
        self._called: set[Place] = set()
        self._loop_blocks = [frozenset(loop.blocks) for loop in self._structure.loops.loops]
        self._turns: frozenset[int] = frozenset()

    def run(self) -> None:
        """Walk from the entry until every thread has returned. LimitError, InputError.

        DataDecide where data decide, and nothing is to be assumed.
        """
        start = Position(self._structure.cfg.entry, self._state.alive.copy(), [])
        try:
            self._generate(start, self._exit, None)
        except RecursionError:
            raise LimitError(
                f"kernel {self._plan.kernel.name}: lanes part again and again before they meet; a "
                "static trace cannot follow them so deep"
            ) from None

    @property
    def nodes(self) -> tuple[BatchNode, ...]:
        """Executed nodes, in order."""
        return tuple(self._sink)

    @property
    def of_grid(self) -> tuple[Constraint, ...]:
        """Constraints under which another CTA does the same."""
        return self._state.of_grid

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """Assumptions, by block."""
        return tuple(sorted(self._noted.values(), key=lambda a: (a.block, a.text)))

    @property
    def unfollowed(self) -> frozenset[Place]:
        """The calls that were come to whose code is not in the kernel."""
        return frozenset(self._called)

    # -- control flow ------------------------------------------------------------------------

    def _generate(self, at: Position, stop: int, iteration_of: Loop | None) -> None:
        """Algorithm 1: move lanes on until they stand at ``stop`` or, in a loop, at its header.

        With ``iteration_of``, one iteration is walked: it ends at the header or outside the loop.
        """
        first = True
        while True:
            self._settle(at, stop)
            if at.block == stop:
                return
            if at.block in self._turns and not first:
                if not at.parked:
                    return
                at.lanes = np.zeros_like(at.lanes)  # they are done; others wait elsewhere
                continue
            if iteration_of is not None and not first:
                inside = at.block in self._loop_blocks[iteration_of.id]
                if at.block == iteration_of.header or not inside:
                    return
            loop = self._structure.loops.innermost(at.block)
            starts = loop is not None and loop.header == at.block
            if starts and not (first and iteration_of is not None):
                assert loop is not None
                self._loop(at, stop, loop)
            else:
                self._update_exec_trace(at.block, at.lanes)
                self._get_trace_succ_node(at)
            first = False

    def _settle(self, at: Position, stop: int) -> None:
        """Merge lanes that wait here, and go on with waiting ones where none is left."""
        at.lanes = at.lanes & self._state.alive
        while at.parked:
            place, lanes = at.parked[-1]
            if place == at.block:
                at.lanes = at.lanes | (lanes & self._state.alive)
            elif not at.lanes.any():
                at.block, at.lanes = place, lanes & self._state.alive
            else:
                return
            at.parked.pop()
        if not at.lanes.any():
            at.block = stop

    def _get_trace_succ_node(self, at: Position) -> None:
        """Algorithm 3: take the lanes from the end of a block to where they go next."""
        block = self._plan.kernel.blocks[at.block]
        last = block.terminator
        if last is None:
            self._go(at, [(block.fallthrough, at.lanes)])
        elif not last.is_branch:
            self._return(at, last, block.fallthrough)
        elif last.operation.name == "bra" and last.guard is not None:
            self._branch(at, last, block.fallthrough)
        elif last.operation.name == "bra":
            self._go(at, [(last.targets[0], at.lanes)])
        else:
            self._switch(at, last, block.fallthrough)

    def _return(self, at: Position, last: Instruction, fallthrough: int | None) -> None:
        if last.guard is None:
            self._go(at, [(None, at.lanes)])
            return
        leaving = self._state.guard_lanes(last, at.lanes)
        if leaving is None:
            self._note(
                at.block, f"{self._place(last)}: data decide whether threads return; they stay"
            )
            leaving = np.zeros_like(at.lanes)
        self._state.alive = self._state.alive & ~leaving
        self._go(at, [(fallthrough, at.lanes & ~leaving)])

    def _branch(self, at: Position, last: Instruction, fallthrough: int | None) -> None:
        known = taken = self._state.guard_lanes(last, at.lanes)
        if taken is None:
            taken = self._undecided_exit(at, last, fallthrough)
        if taken is None:
            self._undecided(at, last, "both sides")
            return
        visit = self._sink[-1]
        assert isinstance(visit, BatchVisit)
        self._sink[-1] = replace(visit, taken=known)
        self._go(at, [(fallthrough, at.lanes & ~taken), (last.targets[0], taken)])

    def _switch(self, at: Position, last: Instruction, fallthrough: int | None) -> None:
        """``switch`` compares with its cases, ``brx.idx`` counts its targets from 0."""
        value = self._state.read(last.operands[0])
        guarded: Lanes | None = at.lanes
        if last.guard is not None:
            guarded = self._state.guard_lanes(last, at.lanes)
        if isinstance(value, Unknown) or guarded is None:
            self._undecided(at, last, "all targets")
            return
        cases = [o.value for o in last.operands[1:] if isinstance(o, Imm)] or range(
            len(last.targets)
        )
        if isinstance(last.operands[0], Reg):
            type_ = self._plan.kernel.registers[last.operands[0].index].type
            value = ranged(value, type_, unsigned=False, decide=self._state.decide)
        rest, sides = guarded, []
        for case, target in zip(cases, last.targets, strict=True):
            equal = self._state.decide(
                linear(value, KnownNumbers(case), -1), Sign.ZERO, Sign.NOT_ZERO
            )
            chosen = rest & equal
            rest = rest & ~chosen
            sides.append((target, chosen))
        self._go(at, [(fallthrough, rest | at.lanes & ~guarded), *sides])

    def _go(self, at: Position, sides: list[tuple[int | None, Lanes]]) -> None:
        """Send lanes to their sides; each runs until they all meet again.

        A block that several sides lead to runs where it is mentioned first; lanes that go on with
        no block, as an index beyond the targets of ``brx.idx`` does, end.
        """
        going: dict[int, Lanes] = {}
        for block, lanes in sides:
            if block is None:
                self._end(lanes)
                continue
            if lanes.any():
                self._state.copy_on_edge(at.block, block, lanes)
            going[block] = going[block] | lanes if block in going else lanes
        occupied = {block: lanes for block, lanes in going.items() if lanes.any()}
        if len(occupied) <= 1:
            at.block, at.lanes = next(iter(occupied.items()), (self._exit, at.lanes))
            return
        meet = self._structure.reconvergence[at.block]
        assert meet is not None
        running = [(b, lanes) for b, lanes in occupied.items() if b != meet]
        if len(running) == 1:
            self._park(at, meet, occupied[meet])
            at.block, at.lanes = running[0]
            return
        for block, lanes in running:
            self._generate(Position(block, lanes, []), meet, None)
        at.block = meet

    def _end(self, lanes: Lanes) -> None:
        if lanes.any():
            self._state.alive = self._state.alive & ~lanes

    @staticmethod
    def _park(at: Position, place: int, lanes: Lanes) -> None:
        if at.parked and at.parked[-1][0] == place:
            lanes = lanes | at.parked.pop()[1]
        at.parked.append((place, lanes))

    def _check_reducible(self, block: int, last: Instruction) -> None:
        """Refuse a branch that data decide in a cycle that is no loop: nothing tells its end."""
        for region in self._structure.loops.irreducible:
            if block in region:
                labels = ", ".join(self._plan.kernel.blocks[b].label for b in region)
                raise InputError(
                    f"kernel {self._plan.kernel.name}: data decide the branch at "
                    f"{self._place(last)}, inside a cycle with several entries (irreducible: "
                    f"{labels}); no static trace can tell when it ends"
                )

    def _undecided(self, at: Position, last: Instruction, sides: str) -> None:
        """Go on from a branch that data decide, by all ways that the graph has there.

        Where all of its targets are one block, nothing is left to decide.
        """
        after = self._structure.cfg.successors[at.block]
        if len(after) == 1:
            self._go(at, [(after[0], at.lanes)])
            return
        self._check_reducible(at.block, last)
        self._note(at.block, f"{self._place(last)}: data decide this branch; {sides} are taken")
        self._both(at, after)

    def _both(self, at: Position, sides: tuple[int, ...]) -> None:
        """Run every side with all lanes; what the sides leave differently is unknown after.

        A side that turns back to the head of a loop around ends there: its lanes go into the next
        iteration with the others.
        """
        meet = self._structure.reconvergence[at.block]
        assert meet is not None
        before, alive, turns = dict(self._state.registers), self._state.alive, self._turns
        heads = {loop.header for loop in self._structure.loops.containing(at.block)}
        outcomes, ended = [], []
        for block in sides:
            self._state.registers, self._state.alive = dict(before), alive
            self._turns = turns | heads
            self._state.copy_on_edge(at.block, block, at.lanes)
            if block not in self._turns and block != meet:
                self._generate(Position(block, at.lanes, []), meet, None)
            outcomes.append(self._state.registers)
            ended.append(alive & ~self._state.alive)
        self._turns = turns
        gone = np.logical_and.reduce(ended)
        self._state.alive = alive & ~gone if gone.any() else alive
        self._state.registers = merged(outcomes)
        at.block = meet

    def _undecided_exit(
        self, at: Position, last: Instruction, fallthrough: int | None
    ) -> Lanes | None:
        """Decide a loop's exit that data decide: by the assumed trip count, or stay.

        None where the branch is no exit of a loop.
        """
        for loop in self._structure.loops.containing(at.block):
            blocks = self._loop_blocks[loop.id]
            target_inside = last.targets[0] in blocks
            if target_inside == (fallthrough in blocks):
                continue
            leave = self._assumed_end(at, last, loop)
            everyone, nobody = at.lanes, np.zeros_like(at.lanes)
            return nobody if leave == target_inside else everyone
        return None

    def _assumed_end(self, at: Position, last: Instruction, loop: Loop) -> bool:
        trips = self._assumed_trips.get(loop.id)
        label = self._plan.kernel.blocks[loop.header].label
        if trips is None:
            self._running_on.add(loop.id)
            self._note(
                at.block, f"{self._place(last)}: data may end loop {label} early; it runs on"
            )
            return False
        bound = self._plan.bounds[loop.id].trips
        decided = bound.decided if isinstance(bound, UnknownTrips) else "data decide"
        self._note(
            at.block,
            f"{self._place(last)}: {decided} when loop {label} ends; {trips} iterations",
            f"--assume '{label}=N'",
        )
        executed = self._iterations[loop.id]
        if at.block in loop.latches:
            executed = linear(executed, KnownNumbers(1))
        ends = self._state.decide(
            linear(executed, KnownNumbers(trips), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE
        )
        return not bool(np.all(ends))

    # -- loops -------------------------------------------------------------------------------

    def _loop(self, at: Position, stop: int, loop: Loop) -> None:
        """Run a loop from its header until no lane is left in it."""
        run = LoopRun(loop, KnownNumbers(0), [])
        carried = self._plan.carried[loop.id]
        while True:
            before = {r: self._state.registers.get(r) for r in carried.registers}
            self._iterations[loop.id] = run.done
            run.segments.append(LoopSegment(ONCE, None, self._collect(at, stop, loop)))
            run.done = linear(run.done, ONCE)
            if self._still_here(at, loop):
                self._symbolic(at, stop, run, before)
            if not self._still_here(at, loop):
                break
        self._sink.append(BatchLoop(loop.header, tuple(run.segments)))

    @staticmethod
    def _still_here(at: Position, loop: Loop) -> bool:
        return at.block == loop.header and bool(at.lanes.any())

    def _collect(self, at: Position, stop: int, loop: Loop) -> tuple[BatchNode, ...]:
        """Walk one iteration and give what it executed."""
        outer, self._sink = self._sink, []
        self._generate(at, stop, loop)
        body, self._sink = tuple(self._sink), outer
        return body

    def _symbolic(
        self, at: Position, stop: int, run: LoopRun, before: dict[int, Value | None]
    ) -> None:
        """Walk iterations with a symbolic counter, as many as are alike.

        The counter steps over ``run.period`` iterations at a time. Where the next are not alike,
        those that lie some iterations apart may be: unrolled and strided loops go by remainders.
        Registers that need not grow evenly have to have gone on as they were taken to: then they do
        in all iterations that are alike.
        """
        loop = run.loop
        frame = self._state.open(before, run.period, at.lanes)
        counter = KnownNumbers(0, ((frame.counter, run.period),))
        begun = {r: self._state.registers[r] for r in before}
        bodies: list[tuple[BatchNode, ...]] = []
        alike = True
        while alike and len(bodies) < run.period:
            self._iterations[loop.id] = linear(linear(run.done, KnownNumbers(len(bodies))), counter)
            lanes, parked, alive = at.lanes, list(at.parked), self._state.alive
            bodies.append(self._collect(at, stop, loop))
            alike = (
                at.block == loop.header
                and np.array_equal(at.lanes, lanes)
                and len(at.parked) == len(parked)
                and all(a is b for a, b in zip(at.parked, parked, strict=True))
                and self._state.alive is alive
            )
        if alike and not self._plan.carried[loop.id].grow_evenly:
            alike = self._state.went_on(begun, frame.counter)
        count = self._allowed(frame, loop) if alike else ONCE
        if count.constant != 1 and self._state.is_tainted(frame):
            # The last one is walked by number, for the values that it leaves.
            count = linear(count, ONCE, -1)
            count = count if count.base else ONCE
        self._state.close(frame, count)
        if count.constant == 1:
            run.segments += [LoopSegment(ONCE, frame.counter, body) for body in bodies]
            run.missed(by_remainder=alike and is_held(frame.constraints, frame.counter))
        else:
            body = tuple(node for each in bodies for node in each)
            run.segments.append(LoopSegment(count, frame.counter, body))
        run.done = linear(run.done, scaled(count, KnownNumbers(len(bodies))))

    def _allowed(self, frame: LoopFrame, loop: Loop) -> KnownNumbers:
        frame.constraints = gathered(frame.constraints)
        count = iterations_allowed(frame.constraints, frame.counter)
        if count is not None:
            return count
        if loop.id in self._running_on:
            # Only data end it after all: let the assumed count do so from here on.
            self._assumed_trips[loop.id] = self._inputs.default_trips
            return ONCE
        header = self._plan.kernel.blocks[loop.header]
        line = header.instructions[0].span.line if header.instructions else 0
        raise InputError(
            f"kernel {self._plan.kernel.name}: loop {header.label} (line {line}) never ends with "
            "this launch"
        )

    # -- instructions ------------------------------------------------------------------------

    def _update_exec_trace(self, block: int, lanes: Lanes) -> None:
        """Algorithm 2: visit a block, and work out what its instructions leave and touch."""
        self._visits += 1
        if self._visits > self._limits.visits:
            raise LimitError(
                f"kernel {self._plan.kernel.name}: the static trace visits more than "
                f"{self._limits.visits} blocks; raise the limit with --max-trace-visits"
            )
        guards, accesses = [], []
        some = bool(lanes.any())
        for step in self._plan.steps[block]:
            self._state.active = lanes
            on = self._lanes_on(block, step, lanes)
            if on is not lanes:
                guards.append((step.index, on))
            if not (some if on is lanes else on.any()):
                continue
            for access in step.accesses:
                reading = self._lanes_reading(block, step, access, on)
                if not (some if reading is lanes else reading.any()):
                    continue
                address = self._state.address(access.address, reading)
                if isinstance(address, Unknown) and not self._limits.assumes:
                    raise DataDecide("data decide where it accesses memory")
                accesses.append(BatchAccess(access.which, reading, address))
            if step.evaluates:
                self._state.execute(step, on)
        self._state.active = lanes
        self._sink.append(BatchVisit(block, lanes, tuple(guards), tuple(accesses)))
        if some and self._plan.unfollowed[block]:
            off = {index for index, on in guards if not on.any()}
            self._called |= {(block, i) for i in self._plan.unfollowed[block] if i not in off}

    def _lanes_on(self, block: int, step: WalkStep, lanes: Lanes) -> Lanes:
        """Lanes in which an instruction's guard holds; a branch is never switched off."""
        instruction = step.instruction
        if instruction.guard is None or instruction.is_branch:
            return lanes
        if instruction.operation.op_class is OpClass.RETURN:
            return lanes
        on = self._state.guard_lanes(instruction, lanes)
        if on is None:
            self._note(block, f"{self._place(instruction)}: data decide its guard; it executes")
            return lanes
        return lanes if np.array_equal(on, lanes) else on

    def _lanes_reading(self, block: int, step: WalkStep, access: StepAccess, on: Lanes) -> Lanes:
        """Lanes in which an access has any bytes: a copy may fill up with zeros instead."""
        if access.limit is None:
            return on
        reading = self._state.limited_lanes(access.limit, on)
        if reading is None:
            place = self._place(step.instruction)
            self._note(block, f"{place}: data decide how much it copies; it copies all")
            return on
        return on if np.array_equal(reading, on) else reading

    def _note(self, block: int, text: str, hint: str | None = None) -> None:
        if not self._limits.assumes:
            place, _, _ = text.partition(":")
            raise DataDecide(f"data decide at {place}")
        self._noted.setdefault((block, text), Assumption(block, text, hint))

    @staticmethod
    def _place(instruction: Instruction) -> str:
        return f"line {instruction.span.line}"


# What a static walk carries along: positions of lanes, loops that run, what was assumed.


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """Bounds on a walk: block visits that are walked, folded repetitions not counted.

    ``assumes``: what data decide is assumed; else the walk ends there (``DataDecide``).
    """

    visits: int = 100_000
    assumes: bool = True


class DataDecide(Exception):  # noqa: N818 - no error: an answer that is found half way
    """Part of a walk that data decide, as a phrase."""


@dataclass(slots=True)
class Position:
    """Position of a run's lanes: a block, who is active, and who waits where."""

    block: int
    lanes: Lanes
    parked: list[tuple[int, Lanes]]


@dataclass(slots=True)
class LoopRun:
    """A loop that is being run: iterations done, what was executed, iterations in a pattern."""

    loop: Loop
    done: KnownNumbers
    segments: list[LoopSegment]
    period: int = 1
    misses: int = 0

    def missed(self, *, by_remainder: bool) -> None:
        """Note that the next iterations were not alike, though no lane left.

        ``by_remainder``: because of something irregular, which may come again after a while.
        """
        self.misses += by_remainder
        if self.misses == _PATIENCE:
            later = _PERIODS[_PERIODS.index(self.period) + 1 :]
            self.period, self.misses = (later or (self.period,))[0], 0


ONCE = KnownNumbers(1)
"""A single iteration."""

_PATIENCE = 2
_PERIODS = (1, 2, 4, 3, 8, 6, 16, 5)
"""Iterations that a pattern may have before it comes again, in the order in which they are tried:
unrolled loops go by powers of two, strided ones by their step."""
