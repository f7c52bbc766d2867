"""Registers, addresses and decisions of a static walk, for a batch of warps at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from warpmill.analyzer.analyses.values.ssa import SlotRead, SlotWrite
from warpmill.analyzer.ir.kernel import (
    Address,
    Imm,
    Instruction,
    NotPredicate,
    Operand,
    Reg,
    Special,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.types import TYPES, OpClass, Space, TypeKind
from warpmill.analyzer.traces.model import wrapped as as_64_bits
from warpmill.analyzer.traces.static.constraints import (
    Constraint,
    Sign,
    WarpBatch,
    at_least_one,
    compare,
    gathered,
    outward,
    quotient_and_rest,
    ranged,
)
from warpmill.analyzer.traces.static.plan import WalkPlan, WalkStep
from warpmill.analyzer.traces.static.transfer import evaluate
from warpmill.analyzer.traces.static.values import (
    KnownNumbers,
    Lanes,
    Number,
    Unknown,
    Value,
    linear,
    moved,
    scaled,
    substituted,
    where,
    wrapped,
)


@dataclass(frozen=True)
class Inputs:
    """Inputs of a launch: argument values by parameter, addresses of symbols and parameters.

    An argument stands under its parameter's name, the part of a struct under ``name+offset``.
    ``assumed_trips`` are for loops that only data end, ``default_trips`` for others that turn out
    to be such.
    """

    arguments: Mapping[str, Value]
    addresses: Mapping[str, int]
    assumed_trips: Mapping[int, int] = field(default_factory=dict)
    default_trips: int = 8


_UNDEFINED = Unknown("undefined register")
_NOT_PACKED = Unknown("operand of parts that are not followed")
_WIDEST = 64
"""Bits of the widest word that is taken apart, or put together."""


@dataclass(slots=True)
class LoopFrame:
    """A loop that is being walked with a symbolic counter.

    ``alike`` are constraints that all lanes share, as keys: most decisions come again and again.
    """

    counter: int
    constraints: list[Constraint] = field(default_factory=list)
    alike: set[object] = field(default_factory=set)


class BatchEvaluation:
    """The registers of a batch, and the decisions that rest on symbolic counters.

    ``active`` are the lanes for which decisions are taken, ``alive`` those whose threads have not
    returned: what the others hold matters no more. The frames are the grid and the loops
    that are being walked with a symbolic counter, outermost first.
    """

    def __init__(self, plan: WalkPlan, batch: WarpBatch, inputs: Inputs) -> None:
        self._plan, self._batch, self._inputs = plan, batch, inputs
        self.active: Lanes = batch.valid
        self.alive: Lanes = batch.valid.copy()
        self.registers: dict[int, Value] = {
            p.register.index: inputs.arguments[p.name]
            for p in plan.kernel.parameters
            if p.register is not None and p.name in inputs.arguments
        }
        self._asked: tuple[Lanes, Lanes, bool] = (self.alive, self.alive, True)
        self._frames: list[LoopFrame] = [LoopFrame(0)]
        self._counters = 0
        self._passed = {
            inputs.addresses[p.name] + offset: p.name + (f"+{offset}" if offset else "")
            for p in plan.kernel.parameters
            if p.name in inputs.addresses
            for offset in range(p.size_bytes)
        }

    # -- values ------------------------------------------------------------------------------

    def execute(self, step: WalkStep, lanes: Lanes) -> None:
        """Evaluate an instruction and write its result in some lanes."""
        self.active = lanes
        instruction, targets = step.instruction, step.instruction.writes
        results = {
            register: self._from_slot(register, read) for register, read in step.reads.items()
        }
        if len(results) < len(targets):
            parts = instruction.destinations[0]
            if instruction.operation.name == "mov" and isinstance(parts, Vector):
                results = self._parts(instruction, parts)
            else:
                value = self._result(instruction) if len(targets) == 1 else _several(instruction)
                results = dict.fromkeys(targets, value) | results
        shared = self._plan.structure.ssa.slots.shared
        for slot, write in step.writes.items():
            stored = self._stored(write, instruction)
            if slot in shared:
                self._publish(slot, stored, lanes, (write, instruction))
            else:
                results[slot] = stored
        for register, value in results.items():
            self.write(register, value, lanes)

    def _publish(
        self, slot: int, value: Value, lanes: Lanes, by: tuple[SlotWrite, Instruction]
    ) -> None:
        """Publish to all threads of a CTA what some of its lanes store in shared memory.

        Those that store have to store the same, and to be one where the kernel says so.
        """
        write, instruction = by
        ctas = len(self._batch.ctas)
        on = lanes.reshape(ctas, -1)
        if write.by_one and (on.sum(axis=1) > 1).any():
            value = Unknown(f"several threads store in line {instruction.span.line}")
        if isinstance(value, KnownNumbers):
            value = self._in_common(value, on, instruction)
        storing = np.repeat(on.any(axis=1), len(lanes) // ctas)[:, None] & self._batch.valid
        self.write(slot, value, storing)

    def _in_common(self, value: KnownNumbers, on: Lanes, instruction: Instruction) -> Value:
        """Common value of the lanes of each CTA that are active."""
        first, rows = on.argmax(axis=1), len(self._batch.valid) // len(on)
        parts: list[Number] = []
        for part in (value.base, *(stride for _, stride in value.strides)):
            if isinstance(part, int):
                parts.append(part)
                continue
            each = _lanes(part, self._batch.valid.shape).reshape(on.shape)
            chosen = each[np.arange(len(on)), first]
            if (on & (each != chosen[:, None])).any():
                return Unknown(f"threads store different values in line {instruction.span.line}")
            is_one = (chosen == chosen[0]).all()
            parts.append(int(chosen[0]) if is_one else np.repeat(chosen, rows)[:, None])
        strides = tuple((c, s) for (c, _), s in zip(value.strides, parts[1:], strict=True))
        return KnownNumbers(parts[0], strides, value.taint)

    def _stored(self, write: SlotWrite, instruction: Instruction) -> Value:
        """Value written to a slot: a value, or the lowest bytes of one."""
        if write.value is not None:
            return self.read(write.value)
        if len(write.parts) != 1 or write.keeps or write.parts[0].first:
            return _left_by(instruction)
        (part,) = write.parts
        value = self.read(part.value)
        if isinstance(value, Unknown):
            return value
        return ranged(value, TYPES[f"u{8 * part.size}"], unsigned=True, decide=self.decide)

    def _from_slot(self, register: int, read: SlotRead) -> Value:
        """Value loaded from a slot, as wide as the load's type."""
        value = self.registers.get(read.slot, _UNDEFINED)
        type_ = read.type
        bits = self._plan.kernel.registers[register].type.bits
        if isinstance(value, Unknown) or not type_.is_integer or type_.bits >= bits >= 32:
            return value
        return ranged(value, type_, unsigned=type_.kind is not TypeKind.SIGNED, decide=self.decide)

    def _parts(self, instruction: Instruction, parts: Vector) -> dict[int, Value]:
        """The words that stand side by side in another one."""
        value, type_ = self.read(instruction.sources[0]), instruction.operation.type
        bits = 0 if type_ is None else type_.bits // len(parts.elements)
        word = TYPES.get(f"b{bits}") if bits * len(parts.elements) <= _WIDEST else None
        results: dict[int, Value] = {}
        for place, part in enumerate(parts.elements):
            if isinstance(part, Reg) and word is not None and isinstance(value, KnownNumbers):
                above, _ = quotient_and_rest(value, 1 << place * bits, self.decide)
                results[part.index] = wrapped(above, word)
            elif isinstance(part, Reg):
                results[part.index] = value if isinstance(value, Unknown) else _several(instruction)
        return results

    def _packed(self, parts: Vector) -> Value:
        """Words side by side as one, the lowest first."""
        registers = [part for part in parts.elements if isinstance(part, Reg)]
        widths = {self._plan.kernel.registers[r.index].type.bits for r in registers}
        bits = max(widths, default=0)
        values = [self.read(register) for register in registers]
        known = [value for value in values if isinstance(value, KnownNumbers)]
        whole = bits * len(parts.elements)
        if len(known) < len(parts.elements) or len(widths) != 1 or whole > _WIDEST:
            return next((v for v in values if isinstance(v, Unknown)), _NOT_PACKED)
        total = KnownNumbers(0)
        for place, value in enumerate(known):
            low = quotient_and_rest(value, 1 << bits, self.decide)[1]
            moved = scaled(low, wrapped(KnownNumbers(1 << place * bits), TYPES["s64"]))
            total = linear(total, moved)
        return wrapped(total, TYPES[f"b{whole}"])

    def _result(self, instruction: Instruction) -> Value:
        operation = instruction.operation
        if operation.op_class is OpClass.LOAD and operation.space is Space.PARAM:
            return self._argument(instruction)
        if operation.op_class.is_memory:
            return Unknown(f"memory load at line {instruction.span.line}")
        sources = [self.read(o) for o in instruction.sources]
        return evaluate(instruction, sources, self.decide)

    def _argument(self, instruction: Instruction) -> Value:
        address = instruction.address
        name = None
        if isinstance(address, Address) and isinstance(address.base, Symbol):
            offset = address.base.offset + address.offset
            name = address.base.name + (f"+{offset}" if offset else "")
        elif address is not None:
            where = self.read(address)
            at = where.constant if isinstance(where, KnownNumbers) else None
            name = None if at is None else self._passed.get(at)
        value = self._inputs.arguments.get(name or "")
        if value is not None:
            return value
        return Unknown(f"parameter read at line {instruction.span.line}")

    def read(self, operand: Operand) -> Value:
        """The value of an operand."""
        if type(operand) is Reg:  # most are
            found = self.registers.get(operand.index)
            return _UNDEFINED if found is None else found
        match operand:
            case Imm(constant):
                return KnownNumbers(as_64_bits(constant))
            case Special(name):
                return self._batch.special(name)
            case Symbol(name, offset):
                address = self._inputs.addresses.get(name)
                if address is None:
                    return Unknown(f"address of {name}")
                return KnownNumbers(as_64_bits(address + offset))
            case Address(base, offset):
                value = self.read(base)
                return value if isinstance(value, Unknown) else moved(value, offset)
            case NotPredicate(register):
                value = self.read(register)
                if isinstance(value, Unknown):
                    return value
                return KnownNumbers(np.logical_not(value.base), (), value.taint)
            case Vector():
                return self._packed(operand)
        return Unknown("operand without a number")

    def write(self, register: int, value: Value, lanes: Lanes) -> None:
        """Write in some lanes; the others keep what they had."""
        old = self.registers.get(register)
        if old is not None and not self._on_everywhere(lanes):
            if isinstance(value, KnownNumbers) and isinstance(old, KnownNumbers):
                value = where(lanes, value, old)
            elif isinstance(old, Unknown):
                value = value if isinstance(value, Unknown) else old
        self.registers[register] = value

    def _on_everywhere(self, lanes: Lanes) -> bool:
        """Whether no living thread is off; asked of the same lanes again and again."""
        last_lanes, last_alive, found = self._asked
        if last_lanes is not lanes or last_alive is not self.alive:
            found = not (self.alive & ~lanes).any()
            self._asked = lanes, self.alive, found
        return found

    def guard_lanes(self, instruction: Instruction, lanes: Lanes) -> Lanes | None:
        """Lanes of ``lanes`` whose guard holds; None where data decide."""
        assert instruction.guard is not None
        value = self.registers.get(instruction.guard.register.index)
        if not isinstance(value, KnownNumbers):
            return None
        if value.taint:
            self.pin(value.taint)
        holds: Lanes = np.asarray(value.base, dtype=bool)
        on: Lanes = lanes & (~holds if instruction.guard.negated else holds)
        return on

    def limited_lanes(self, limit: Operand, lanes: Lanes) -> Lanes | None:
        """Lanes in which a copy's limit lets it read something; None where data decide.

        A predicate ignores the source where it holds; a number is how many bytes there are.
        """
        self.active = lanes
        value = self.read(limit)
        if not isinstance(value, KnownNumbers):
            return None
        if np.asarray(value.base).dtype == np.bool_:
            if value.taint:
                self.pin(value.taint)
            has_any: Lanes = ~np.asarray(value.base)
        else:
            has_any = np.asarray(compare("ne", value, KnownNumbers(0), self.decide))
        on: Lanes = lanes & has_any
        return on

    def copy_on_edge(self, source: int, target: int, lanes: Lanes) -> None:
        """Do the copies of an edge between two blocks, all at once."""
        edge = self._plan.copies[target].get(source)
        if edge is None:
            return
        values = [(register.index, self.read(operand)) for register, operand in edge.copies]
        for register, value in values:
            self.write(register, value, lanes)

    def address(self, operand: Address | TupleAddress, lanes: Lanes) -> Value:
        """The lane addresses of an access; what is not one stride a warp ties its counters."""
        self.active = lanes
        value = self.read(operand)
        if isinstance(value, KnownNumbers):
            uneven = {c for c, s in value.strides if not _even(s, lanes)}
            if uneven | value.taint:
                self.pin(frozenset(uneven) | value.taint)
        return value

    # -- decisions ---------------------------------------------------------------------------

    def decide(self, difference: KnownNumbers, true: Sign, false: Sign) -> Lanes | bool:
        """Lanes in which ``true`` holds; it is watched that it stays so."""
        base = difference.base
        holds = base < 0 if true is Sign.NEGATIVE else base == 0
        if difference.strides or difference.taint:
            self._record(difference, holds, true, false)
        return holds

    def _record(
        self, difference: KnownNumbers, holds: Lanes | bool, true: Sign, false: Sign
    ) -> None:
        if difference.taint:
            self.pin(difference.taint)
        if not difference.strides:
            return
        alike = all(isinstance(s, int) for _, s in difference.strides)
        if isinstance(holds, bool) and alike:
            self._keep(true if holds else false, difference)
            return
        base = self._of_active(difference.base)
        if alike and true is Sign.NEGATIVE:
            if base.size:
                self._keep_nearest(base, difference.strides, true, false)
            return
        held = self._of_active(holds)
        strides = [(c, self._of_active(s)) for c, s in difference.strides]
        for sign, chosen in ((true, held), (false, ~held)):
            if chosen.any():
                self._frames[-1].constraints.append(
                    Constraint(sign, base[chosen], tuple((c, s[chosen]) for c, s in strides))
                )

    def _of_active(self, number: Number) -> Lanes:
        """The numbers, or the truths, of the active lanes."""
        if isinstance(number, int):
            return np.full(np.count_nonzero(self.active), number)
        return _lanes(number, self.active.shape)[self.active]

    def _keep_nearest(
        self, base: Lanes, strides: tuple[tuple[int, Number], ...], true: Sign, false: Sign
    ) -> None:
        """Record whether differences are negative, of lanes that move alike.

        They change their sign no sooner than the one nearest to zero on either side.
        """
        low, high = int(base.min()), int(base.max())
        if low < 0:
            self._keep(true, KnownNumbers(high if high < 0 else int(base[base < 0].max()), strides))
        if high >= 0:
            self._keep(
                false, KnownNumbers(low if low >= 0 else int(base[base >= 0].min()), strides)
            )

    def _keep(self, sign: Sign, difference: KnownNumbers) -> None:
        """Record a decision that all lanes take alike, once."""
        strides = tuple(sorted((c, int(s)) for c, s in difference.strides))
        frame, key = self._frames[-1], (sign, difference.base, strides)
        if key not in frame.alike:
            frame.alike.add(key)
            base = np.array([difference.base], dtype=np.int64)
            columns = tuple((c, np.array([s], dtype=np.int64)) for c, s in strides)
            frame.constraints.append(Constraint(sign, base, columns))

    def pin(self, counters: frozenset[int]) -> None:
        """Hold counters where they are: something depends on them in no regular way."""
        self._keep(Sign.ZERO, KnownNumbers(0, tuple((c, 1) for c in sorted(counters))))

    # -- symbolic counters -------------------------------------------------------------------

    @property
    def of_grid(self) -> tuple[Constraint, ...]:
        """Constraints under which another CTA does the same."""
        return tuple(self._frames[0].constraints)

    def open(self, before: dict[int, Value | None], period: int, lanes: Lanes) -> LoopFrame:
        """Start a symbolic counter that steps over ``period`` iterations at a time.

        Registers of ``lanes`` go on by what the last iteration added to them; the other lanes have
        left the loop, some in that very iteration.
        """
        self._counters += 1
        frame = LoopFrame(self._counters)
        self._frames.append(frame)
        in_all = self._on_everywhere(lanes)
        for register, old in before.items():
            now = self.registers.get(register)
            by = (
                frame.counter,
                KnownNumbers(period) if in_all else KnownNumbers(np.where(lanes, period, 0)),
            )
            self.registers[register] = self._moving(now, old, by)
        return frame

    def _moving(self, now: Value | None, old: Value | None, by: tuple[int, KnownNumbers]) -> Value:
        if not isinstance(now, KnownNumbers) or not isinstance(old, KnownNumbers):
            return now if now is not None else _UNDEFINED
        if np.asarray(now.base).dtype == np.bool_:
            return now
        step = linear(now, old, -1)
        if step.counters:
            self.pin(step.counters)
        counter, period = by
        stride = scaled(KnownNumbers(step.base), period).base
        return wrapped(
            KnownNumbers(now.base, (*now.strides, (counter, stride)), now.taint), TYPES["s64"]
        )

    def went_on(self, begun: Mapping[int, Value], counter: int) -> bool:
        """Whether registers are now what ``begun`` gives for the next iteration of a counter."""
        return all(self._went_on(r, value, counter) for r, value in begun.items())

    def _went_on(self, register: int, value: Value, counter: int) -> bool:
        now = self.registers[register]
        if isinstance(value, Unknown) or isinstance(now, Unknown):
            return isinstance(value, Unknown) and isinstance(now, Unknown)
        if counter in now.taint:
            return False
        apart = linear(now, linear(value, KnownNumbers(value.stride(counter))), -1)
        apart = wrapped(apart, TYPES["s64"])
        numbers = (apart.base, *(stride for _, stride in apart.strides))
        return not any(np.any(np.where(self.alive, number, 0)) for number in numbers)

    def is_tainted(self, frame: LoopFrame) -> bool:
        """Whether a register holds a value that is right in the first iteration only."""
        values = self.registers.values()
        return any(isinstance(v, KnownNumbers) and frame.counter in v.taint for v in values)

    def close(self, frame: LoopFrame, count: KnownNumbers) -> None:
        """Leave a symbolic segment: registers as after its last iteration, constraints outward."""
        self._frames.pop()
        last = linear(count, KnownNumbers(1), -1)
        self.registers = {
            r: wrapped(substituted(v, frame.counter, last), TYPES["s64"])
            if isinstance(v, KnownNumbers) and frame.counter in v.counters
            else v
            for r, v in self.registers.items()
        }
        kept = [outward(c, frame.counter, count) for c in gathered(frame.constraints)]
        kept.append(at_least_one(count))
        self._frames[-1].constraints += [c for c in kept if c is not None]


def _lanes(number: Lanes, shape: tuple[int, ...]) -> Lanes:
    """A number for each lane."""
    return number if number.shape == shape else np.broadcast_to(number, shape)


def _several(instruction: Instruction) -> Unknown:
    return Unknown(f"one of several results of {instruction.operation.opcode}")


def _left_by(instruction: Instruction) -> Unknown:
    return Unknown(f"local memory that line {instruction.span.line} may write anywhere")


def _even(stride: int | Lanes, lanes: Lanes) -> bool:
    """Whether a stride is the same in all lanes of each warp that are on."""
    if isinstance(stride, int):
        return True
    full = _lanes(stride, lanes.shape)
    low = np.where(lanes, full, np.iinfo(np.int64).max).min(axis=1)
    high = np.where(lanes, full, np.iinfo(np.int64).min).max(axis=1)
    return bool(np.all((low == high) | ~lanes.any(axis=1)))


def merged(outcomes: list[dict[int, Value]]) -> dict[int, Value]:
    """Registers after several ways that data choose between."""
    first, *others = outcomes
    registers = dict(first)
    for other in others:
        # Most were written on none of the ways: they are the very same.
        apart = [r for r, value in other.items() if value is not registers.get(r)]
        apart += [r for r in registers if r not in other]
        for register in apart:
            if not _same(registers.get(register), other.get(register)):
                registers[register] = Unknown("data decide which way it was written")
    return registers


def _same(a: Value | None, b: Value | None) -> bool:
    if isinstance(a, KnownNumbers) and isinstance(b, KnownNumbers):
        counters = {c for c, _ in (*a.strides, *b.strides)}
        return a.taint == b.taint and all(
            np.array_equal(np.asarray(x), np.asarray(y))
            for x, y in [(a.base, b.base), *((a.stride(c), b.stride(c)) for c in counters)]
        )
    return isinstance(a, Unknown) and isinstance(b, Unknown)
