"""How a warp goes from block to block: divergence, reconvergence, exits and stops.

Lanes that part are run side after side in the order of design.md, section 4, each until the
immediate post-dominator of the branch. A stack holds what is still to be run: a block, the lanes
that run it, and the block at which these wait. Of a branch that parts, the meeting point is pushed
first with all lanes, then the other sides; a side that stands at the meeting point already is part
of that entry. Nothing is pushed for a meeting point at which the lanes wait anyway. Where lanes are
scheduled independently, an entry is a place and the lanes that stand there (``lane_schedule.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import (
    Block,
    EdgeCopies,
    FloatImm,
    Imm,
    Instruction,
    Operand,
    Reg,
    Special,
    Symbol,
)
from warpmill.executor.native.emitter import Emitter, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.lane_schedule import (
    bring_up_last,
    brings_together,
    entry_place,
    lanes_awaited,
    push,
)
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.segments import (
    AT_BARRIER,
    GIVES_WAY,
    HAS_ENDED,
    BlockSegment,
    FrameSlot,
    Segments,
    get_field,
    set_field,
)
from warpmill.executor.native.specials import Places, special
from warpmill.executor.native.step import LaneRegisters, LoweringStep
from warpmill.executor.native.translation import note_fault

_MOST_CASES = 64
"""Cases that all lanes are compared with at once; of more each lane is looked up by itself."""


@dataclass(frozen=True)
class FlowShape:
    """Static facts about a kernel's control flow."""

    segments: Segments
    meeting: tuple[int, ...]  # where lanes that part at a block meet: a block, or the exit's id
    meeting_points: frozenset[int]
    endings: frozenset[int]  # blocks that only end threads, of kernels with barriers
    order: Mapping[int, int]  # place of each block in reverse postorder
    stack_entries: int

    @property
    def exit_id(self) -> int:
        """The block id that stands for the end of a thread."""
        return len(self.segments.kernel.blocks)


@dataclass
class WarpFlow:
    """Writer of one warp function's control flow.

    ``registers`` are those at the end of the segment that is being left.
    """

    emitter: Emitter
    shape: FlowShape
    places: Places
    count_edge: Callable[[int, int, LlvmValue], None]
    registers: LaneRegisters

    @property
    def word(self) -> str:
        """The LLVM type of a mask's bits."""
        return f"i{self.emitter.lanes}"

    def label(self, block: int) -> str:
        """The label at which a block begins."""
        return f"seg{self.shape.segments.first[block]}"

    def mask(self) -> LlvmValue:
        """Read the bits of the lanes that run."""
        return get_field(self.emitter, "%warp", "mask", self.word)

    def make_room(self, segment: BlockSegment) -> Callable[[int], None]:
        """Yield before a segment starts where the record has no room for what it may write.

        How many words that is becomes known when it is written, and is told to what this gives.
        """
        e = self.emitter
        at, after = e.context("record_at"), e.name()
        line = len(e.lines)
        e.raw("")

        def told(words: int) -> None:
            e.lines[line] = f"  {after} = add i64 {at.text}, {8 * words}"

        full, go = e.label("full"), e.label("roomy")
        over = e.compare("ugt", LlvmValue(after, "i64", True), e.context("record_end"))
        e.branch(over, full, go)
        e.start(full)
        e.set_context("fuel", constant(-1, "i64"))
        self._stop(segment.id, GIVES_WAY)
        e.start(go)
        return told

    # Ends of segments.

    def leave(self, segment: BlockSegment, registers: LaneRegisters) -> None:
        """Write what follows the last instruction of a segment: where the warp goes next."""
        self.registers = registers
        kernel = self.shape.segments.kernel
        block = kernel.blocks[segment.block]
        if segment.meets and segment.next is not None:
            self.emitter.jump(f"seg{segment.next}")
            return
        if segment.next is not None:
            self._wait(block.instructions[segment.end - 1], segment.next)
            return
        last = block.terminator
        mask = self.mask()
        if last is None:
            self._fall(block, mask)
        elif "ends" in last.operation.effects and not last.is_branch:
            self._end(block, last, mask)
        elif last.operation.name == "bra":
            self._branch(block, last, mask)
        else:
            self._many(block, last, mask)

    def _wait(self, barrier: Instruction, then: int) -> None:
        """Stop at a barrier, where any lane comes to it."""
        if barrier.guard is not None:
            e = self.emitter
            lanes = self._guarded(barrier, self.mask())
            come = e.label("come")
            e.branch(e.compare("ne", lanes, constant(0, self.word)), come, f"seg{then}")
            e.start(come)
        self._stop(then, AT_BARRIER)

    def _fall(self, block: Block, mask: LlvmValue) -> None:
        target = self.shape.exit_id if block.fallthrough is None else block.fallthrough
        self._go(block, target, mask)

    def _end(self, block: Block, last: Instruction, mask: LlvmValue) -> None:
        """End the lanes whose guard holds; the others fall through."""
        e = self.emitter
        leaving = self._guarded(last, mask)
        alive = get_field(e, "%warp", "alive", self.word)
        left = e.op("and", alive, e.op("xor", leaving, constant(-1, self.word)))
        set_field(e, "%warp", "alive", left)
        if last.guard is None:
            e.jump("pop")
            return
        stay = e.op("xor", mask, leaving)
        on, gone = e.label("stay"), "pop"
        some = e.compare("ne", leaving, constant(0, self.word))
        when(e, some, lambda: self.count_edge(block.id, self.shape.exit_id, leaving))
        e.branch(e.compare("ne", stay, constant(0, self.word)), on, gone)
        e.start(on)
        set_field(e, "%warp", "mask", stay)
        self._fall(block, stay)

    def _guarded(self, last: Instruction, mask: LlvmValue) -> LlvmValue:
        if last.guard is None:
            return mask
        e, registers = self.emitter, self.registers
        value = registers.read(registers.layout.slots[last.guard.register.index][0])
        if value.uniform:
            if last.guard.negated:
                value = e.op("xor", value, constant(1, "i1"))
            return e.select(value, mask, constant(0, self.word))
        bits = e.bits(value)
        if last.guard.negated:
            bits = e.op("xor", bits, constant(-1, self.word))
        return e.op("and", bits, mask)

    def _branch(self, block: Block, last: Instruction, mask: LlvmValue) -> None:
        (target,) = last.targets
        if last.guard is None or target == block.fallthrough:
            self._go(block, target, mask)
            return
        e = self.emitter
        taken = self._guarded(last, mask)
        fall = e.op("xor", mask, taken)
        none, some = constant(0, self.word), e.label("some")
        all_fall, parts, all_jump = e.label("falls"), e.label("parts"), e.label("jumps")
        e.branch(e.compare("eq", taken, none), all_fall, some)
        e.start(some)
        e.branch(e.compare("eq", fall, none), all_jump, parts)
        e.start(all_fall)
        self._fall(block, mask)
        e.start(all_jump)
        self._go(block, target, mask)
        e.start(parts)
        other = self.shape.exit_id if block.fallthrough is None else block.fallthrough
        self._part(block, mask, [(other, fall), (target, taken)])

    def _part(self, block: Block, mask: LlvmValue, sides: Sequence[tuple[int, LlvmValue]]) -> None:
        """Run two sides one after the other; both have lanes."""
        e = self.emitter
        meet = self.shape.meeting[block.id]
        for target, lanes in sides:
            self._cross(block, target, lanes)
            self.count_edge(block.id, target, lanes)
        if self.is_independent:
            waiting = list(sides)
        else:
            self._push_meeting(meet, mask)
            waiting = [side for side in sides if side[0] != meet]
        for target, lanes in reversed(waiting[1:]):
            self._push(target, lanes, self._then(meet))
        target, lanes = waiting[0]
        set_field(e, "%warp", "mask", lanes)
        self._enter(block, target, meets=False)

    def _many(self, block: Block, last: Instruction, mask: LlvmValue) -> None:
        """Go where a value says: the default first, then the cases as written."""
        e = self.emitter
        step = LoweringStep(e, self.registers, last, e.mask(mask), self.places)
        value = step.read(last.operands[0])
        cases = [o.value for o in last.operands[1:] if isinstance(o, Imm)]
        numbers = cases or list(range(len(last.targets)))
        guarded = self._guarded(last, mask)
        by_lane = len(numbers) > _MOST_CASES
        sides = (self._by_lane if by_lane else self._by_case)(value, numbers, last.targets, guarded)
        rest = mask  # where the guard is off they fall through
        for lanes in sides.values():
            rest = e.op("xor", rest, lanes)
        other = self.shape.exit_id if block.fallthrough is None else block.fallthrough
        if other in sides:
            rest = e.op("or", sides.pop(other), rest)
        ordered = [(other, rest), *sides.items()]
        for target, lanes in ordered:
            alone, next_ = e.label("alone"), e.label("next")
            e.branch(e.compare("eq", lanes, mask), alone, next_)
            e.start(alone)
            self._go(block, target, mask)
            e.start(next_)
        self._part_many(block, mask, ordered)

    def _by_case(
        self, value: LlvmValue, numbers: Sequence[int], targets: Sequence[int], rest: LlvmValue
    ) -> dict[int, LlvmValue]:
        """Lanes by their targets: all lanes are compared with one case after another."""
        e = self.emitter
        sides: dict[int, LlvmValue] = {}
        for number, target in zip(numbers, targets, strict=True):
            hits = e.bits(e.compare("eq", value, constant(number, value.type)))
            hits = e.op("and", hits, rest)
            rest = e.op("xor", rest, hits)
            sides[target] = e.op("or", sides[target], hits) if target in sides else hits
        return sides

    def _by_lane(
        self, value: LlvmValue, numbers: Sequence[int], targets: Sequence[int], rest: LlvmValue
    ) -> dict[int, LlvmValue]:
        """Lanes by their targets: one lane after another is looked up among the cases."""
        e, bits = self.emitter, int(value.type[1:])
        places = {target: place for place, target in enumerate(dict.fromkeys(targets))}
        cases = {n % (1 << bits): t for n, t in reversed([*zip(numbers, targets, strict=True)])}
        held, found = e.spill(value), e.array("i32")

        def look_up(lane: LlvmValue) -> None:
            labels = {target: e.label("case") for target in places}
            none, after = e.label("none"), e.label("found")
            one = e.get(held, lane, value.type)
            words = (f"{value.type} {n}, label %{labels[t]}" for n, t in sorted(cases.items()))
            e.raw(f"  switch {value.type} {one.text}, label %{none} [ {' '.join(words)} ]")
            for label, place in ((none, -1), *((labels[t], p) for t, p in places.items())):
                e.start(label)
                e.put(found, lane, constant(place, "i32"))
                e.jump(after)
            e.start(after)

        e.each_lane(rest, look_up)
        chosen, sides = e.whole(found, "i32"), {}
        for target, place in places.items():
            hits = e.bits(e.compare("eq", chosen, constant(place, "i32")))
            sides[target] = e.op("and", hits, rest)
        return sides

    def _part_many(
        self, block: Block, mask: LlvmValue, sides: Sequence[tuple[int, LlvmValue]]
    ) -> None:
        e = self.emitter
        meet = self.shape.meeting[block.id]
        if not self.is_independent:
            self._push_meeting(meet, mask)
        for target, lanes in reversed(sides):

            def side(target: int = target, lanes: LlvmValue = lanes) -> None:
                self._cross(block, target, lanes)
                self.count_edge(block.id, target, lanes)
                if target != meet or self.is_independent:
                    self._push(target, lanes, self._then(meet))

            when(e, e.compare("ne", lanes, constant(0, self.word)), side)
        e.jump("pop")

    # Edges.

    def _go(self, block: Block, target: int, mask: LlvmValue) -> None:
        """Take all lanes that run along an edge."""
        self.count_edge(block.id, target, mask)
        if target == self.shape.exit_id:
            self.emitter.jump("ended")
            return
        self._cross(block, target, mask)
        self._enter(block, target, meets=target in self.shape.meeting_points)

    def _enter(self, block: Block, target: int, *, meets: bool) -> None:
        e = self.emitter
        if target == self.shape.exit_id:
            e.jump("ended")
            return
        if meets and self.is_independent:
            self._give_others_a_turn(target)
        elif meets:
            waits = get_field(e, "%warp", "reconvergence")
            on = e.label("on")
            e.branch(e.compare("eq", waits, constant(target, "i64")), "pop", on)
            e.start(on)
        order = self.shape.order
        if order.get(target, 0) <= order.get(block.id, 0):
            left = e.op("sub", e.context("budget"), constant(1, "i64"))
            e.set_context("budget", left)
            stop = e.label("stop")
            spent = e.compare("slt", left, constant(0, "i64"))
            e.branch(spent, stop, self.label(target))
            e.start(stop)
            self._stop(self.shape.segments.first[target], GIVES_WAY)
            return
        e.jump(self.label(target))

    def _cross(self, block: Block, target: int, lanes: LlvmValue) -> None:
        """Make the copies of an edge in lanes that take it; some may have nothing left to do."""
        if target == self.shape.exit_id:
            return
        if target in self.shape.endings:
            self._let_leave(lanes)
        for edge in self.shape.segments.copies(block.id, target):
            self._copy_edge(edge, target, lanes)

    def _let_leave(self, lanes: LlvmValue) -> None:
        """Release barriers from lanes that would only wait for others to end with them.

        Compilers of machine code end them where they jump (``@P0 EXIT``), so that what is left of a
        warp may come to a barrier.
        """
        e = self.emitter
        leaving = get_field(e, "%warp", "leaving", self.word)
        set_field(e, "%warp", "leaving", e.op("or", leaving, lanes))

    def _copy_edge(self, edge: EdgeCopies, target: int, lanes: LlvmValue) -> None:
        e, segments = self.emitter, self.shape.segments
        layout = self.registers.layout
        live = segments.live_in[segments.first[target]]
        wanted = [(layout.slots[r.index][0], o) for r, o in edge.copies if live >> r.index & 1]
        if not wanted:
            return
        mask = e.mask(lanes)
        # what is loaded here is known on this path only
        here = LaneRegisters(e, layout, dict(self.registers.values))
        values = {slot: copied(e, here, self.places, operand, slot) for slot, operand in wanted}
        after = LaneRegisters(e, layout, values)
        for slot in values:
            after.store(slot, mask, lanes)

    # The stack.

    def _push_meeting(self, meet: int, mask: LlvmValue) -> None:
        """Resume all lanes where they meet, unless they wait there already or never meet."""
        e = self.emitter
        old = get_field(e, "%warp", "reconvergence")
        meeting = constant(meet, "i64")
        if meet != self.shape.exit_id:
            when(e, e.compare("ne", old, meeting), lambda: self._push(meet, mask, old))
        set_field(e, "%warp", "reconvergence", meeting)

    def _push(self, block: int, mask: LlvmValue, then: LlvmValue) -> None:
        segments = self.shape.segments
        ends = len(segments.segments)
        segment = ends if block == self.shape.exit_id else segments.first[block]
        push(self.emitter, "%warp", constant(segment, "i64"), mask, then)

    # Lanes that are scheduled independently: see lane_schedule.py.

    @property
    def is_independent(self) -> bool:
        """Whether lanes are scheduled independently: nobody waits at meeting points."""
        return self.emitter.module.independent

    def _then(self, meet: int) -> LlvmValue:
        """What an entry says of its lanes beside where they stand."""
        return constant(0 if self.is_independent else meet, "i64")

    def _give_others_a_turn(self, target: int) -> None:
        """Let the lanes furthest behind go first, where there are others."""
        e = self.emitter
        yields, on = e.label("yields"), e.label("on")
        depth = get_field(e, "%warp", "depth")
        e.branch(e.compare("ne", depth, constant(0, "i64")), yields, on)
        e.start(yields)
        self._push(target, self.mask(), constant(0, "i64"))
        e.jump("pop")
        e.start(on)

    def meet(self, segment: BlockSegment, registers: LaneRegisters) -> None:
        """Wait before an operation for the lanes that are to come to it."""
        e = self.emitter
        block = self.shape.segments.kernel.blocks[segment.block]
        mask = self.mask()
        instruction = next(i for i in block.instructions[segment.start :] if brings_together(i))
        step = LoweringStep(e, registers, instruction, e.mask(mask), self.places)
        awaited = lanes_awaited(step)
        missing = e.op("and", awaited, e.op("xor", mask, constant(-1, self.word)))
        alone = e.compare("ne", get_field(e, "%warp", "is_alone"), constant(0, "i64"))
        set_field(e, "%warp", "is_alone", constant(0, "i64"))
        all_here = e.compare("eq", missing, constant(0, self.word))
        waits, on = e.label("waits"), e.label("together")
        e.branch(e.op("or", all_here, alone), on, waits)
        e.start(waits)
        place = constant(segment.id, "i64")
        push(e, "%warp", place, mask, e.resize(awaited, "i64"))
        e.jump("pop")
        e.start(on)

    def write_pop(self) -> None:
        """Write the shared end of all sides: take the next entry with lanes that have not ended."""
        e = self.emitter
        e.start("ended")  # control left the last block without a return
        alive = get_field(e, "%warp", "alive", self.word)
        gone = e.op("xor", self.mask(), constant(-1, self.word))
        set_field(e, "%warp", "alive", e.op("and", alive, gone))
        e.jump("pop")
        e.start("pop")
        depth = get_field(e, "%warp", "depth")
        over, take = e.label("over"), e.label("take")
        e.branch(e.compare("eq", depth, constant(0, "i64")), over, take)
        e.start(take)
        if self.is_independent:
            bring_up_last(e, "%warp")
            depth = get_field(e, "%warp", "depth")
        top = e.op("sub", depth, constant(1, "i64"))
        set_field(e, "%warp", "depth", top)
        entry = entry_place(e, "%warp", top)
        segment = e.define(f"load i64, ptr {entry}", "i64", uniform=True)
        mask_place, then_place = e.name(), e.name()
        e.raw(f"  {mask_place} = getelementptr i8, ptr {entry}, i64 8")
        e.raw(f"  {then_place} = getelementptr i8, ptr {entry}, i64 16")
        mask = e.define(f"load {self.word}, ptr {mask_place}", self.word, uniform=True)
        lanes = e.op("and", mask, get_field(e, "%warp", "alive", self.word))
        go = e.label("go")
        e.branch(e.compare("eq", lanes, constant(0, self.word)), "pop", go)
        e.start(go)
        set_field(e, "%warp", "mask", lanes)
        then = e.define(f"load i64, ptr {then_place}", "i64", uniform=True)
        set_field(e, "%warp", "reconvergence", then)
        left = e.op("sub", e.context("budget"), constant(1, "i64"))  # it may be a back edge
        e.set_context("budget", left)
        stop, on = e.label("stop"), e.label("on")
        e.branch(e.compare("slt", left, constant(0, "i64")), stop, on)
        e.start(stop)
        set_field(e, "%warp", "resume", segment)
        e.raw(f"  ret i32 {GIVES_WAY}")
        e.start(on)
        first = self.shape.segments.first
        begins = {first[b] for b in self.shape.order}
        begins |= {s.next for s in self._written if s.meets and s.next is not None}
        cases = " ".join([f"i64 {number}, label %seg{number}" for number in sorted(begins)])
        e.raw(f"  switch i64 {segment.text}, label %ended [ {cases} ]")
        e.start(over)
        e.raw(f"  ret i32 {HAS_ENDED}")

    def write_resume(self) -> None:
        """Write the entry of the function: go on where the warp stopped."""
        e = self.emitter
        resume = get_field(e, "%warp", "resume")
        cases = " ".join([f"i64 {s.id}, label %seg{s.id}" for s in self._written])
        e.raw(f"  switch i64 {resume.text}, label %ended [ {cases} ]")

    @property
    def _written(self) -> Sequence[BlockSegment]:
        """The segments that control may come to."""
        return [s for s in self.shape.segments.segments if s.block in self.shape.order]

    def _stop(self, segment: int, code: int) -> None:
        e = self.emitter
        set_field(e, "%warp", "resume", constant(segment, "i64"))
        e.raw(f"  ret i32 {code}")


def copied(
    e: Emitter, registers: LaneRegisters, places: Places, operand: Operand, slot: FrameSlot
) -> LlvmValue:
    """The value that a copy on an edge takes to a register."""
    match operand:
        case Reg(index):
            value = registers.read(registers.layout.slots[index][0])
        case Imm(number):
            value = constant(number, slot.type)
        case FloatImm(bits, type_):
            value = constant(bits, f"i{type_.bits}")
        case Special(name):
            value = special(e, name)
        case Symbol():
            value = places.symbol(e, operand)
        case _:
            raise TypeError(f"{type(operand).__name__} is not copied on edges")
    return e.resize(value, slot.type)


def trap(
    step: LoweringStep, why: FaultKind = FaultKind.TRAP, address: LlvmValue | None = None
) -> None:
    """Stop the launch; the fault's address is that of its first lane."""
    e = step.emitter
    bits = e.bits(step.mask)
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 true"), "i32")
    kind, site = constant(why, "i64"), constant(step.site, "i64")
    places = e.spill(constant(0, "i64") if address is None else e.resize(address, "i64"))
    is_on = e.compare("ne", bits, constant(0, bits.type))
    when(e, is_on, lambda: note_fault(e, kind, lane, e.get(places, lane, "i64"), site))
