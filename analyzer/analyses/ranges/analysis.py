"""Ranges and known bits of every definition of a function, worked out on demand.

A value is bounded by what makes it: ids by the largest block that the kernel may be launched with
(``.reqntid``, ``.maxntid``), loads by their width, arithmetic by its operands, with every wrap of
machine words. What loops carry starts from its entry and is widened until nothing moves; conditions
of branches are not looked at. Everything here holds in every launch that the kernel allows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from math import prod

from warpmill.analyzer.analyses.ranges.domain import (
    KnownWord,
    anything,
    exactly,
    joined,
    known,
    low_part,
    resized,
    widened,
)
from warpmill.analyzer.analyses.ranges.transfer import (
    RULES,
    inverted,
    moved,
    packed,
    result_word,
    unpacked,
)
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind, Ssa
from warpmill.analyzer.ir.kernel import (
    Address,
    Function,
    Imm,
    Instruction,
    Kernel,
    LaunchBounds,
    NotPredicate,
    Operand,
    Reg,
    Special,
    Symbol,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass, TypeKind

_KnownWords = dict[int, KnownWord]


class Ranges:
    """Known ranges of a function's definitions, each as wide as its register.

    ``multiples`` says what variables, by name, and definitions are multiples of: powers of two.
    """

    def __init__(
        self, function: Function, ssa: Ssa, multiples: Mapping[str | int, int] | None = None
    ) -> None:
        self._function, self._ssa, self._multiples = function, ssa, multiples or {}
        bounds = function.bounds if isinstance(function, Kernel) else LaunchBounds()
        self._specials = special_words(bounds)
        self._known: dict[int, KnownWord] = {}

    def of(self, definition: int) -> KnownWord:
        """Known word of a definition."""
        if definition not in self._known:
            self._solve(definition)
        return self._known[definition]

    def sources(self, instruction: Instruction, at: dict[int, int]) -> list[KnownWord]:
        """Known words of an instruction's sources; ``at`` maps registers to definitions."""
        for index in instruction.reads:
            if at.get(index, -1) >= 0:
                self.of(at[index])
        found = [self._operand(o, at, {}) for o in instruction.sources]
        return [word or anything(_WIDEST) for word in found]

    def operand(self, operand: Operand, at: dict[int, int]) -> KnownWord:
        """Known word of one operand where registers have the definitions of ``at``."""
        for index in registers_in(operand):
            if at.get(index, -1) >= 0:
                self.of(at[index])
        return self._operand(operand, at, {}) or anything(_WIDEST)

    # -- all that one definition rests on --------------------------------------------------------

    def _solve(self, wanted: int) -> None:
        """Work out a definition and all that it rests on, inputs first, until nothing moves."""
        order, inputs = self._cone(wanted)
        users: dict[int, list[int]] = {}
        for id_ in order:
            for source in inputs[id_]:
                users.setdefault(source, []).append(id_)
        found: dict[int, KnownWord] = {}
        turns: dict[int, int] = {}
        work, waiting = deque(order), set(order)
        while work:
            id_ = work.popleft()
            waiting.discard(id_)
            new = self._compute(self._ssa.definitions[id_], found)
            if new is not None and id_ in self._multiples:
                new = _multiple(new, self._multiples[id_])
            before = found.get(id_)
            if new is None:
                continue
            if before is not None:
                turns[id_] = turns.get(id_, 0) + 1
                new = _settling(before, new, turns[id_])
            if new == before:
                continue
            found[id_] = new
            again = [user for user in users.get(id_, ()) if user not in waiting]
            waiting.update(again)
            work.extend(again)
        for id_ in order:
            self._known[id_] = found.get(id_) or anything(self._bits(self._ssa.definitions[id_]))

    def _cone(self, wanted: int) -> tuple[list[int], dict[int, list[int]]]:
        """The unknown definitions that one rests on, inputs mostly first, and their inputs."""
        order: list[int] = []
        inputs: dict[int, list[int]] = {}
        todo = [(wanted, False)]
        while todo:
            id_, is_done = todo.pop()
            if is_done:
                order.append(id_)
            elif id_ not in inputs and id_ not in self._known:
                made = self._made_from(self._ssa.definitions[id_])
                inputs[id_] = [source for source in made if source not in self._known]
                todo.append((id_, True))
                todo += [(source, False) for source in inputs[id_]]
        return order, inputs

    def _made_from(self, definition: Definition) -> Iterable[int]:
        """The definitions that a value is worked out from."""
        if definition.kind is DefinitionKind.PHI:
            return [
                id_
                for source in self._ssa.phi_inputs[definition.id]
                for index in registers_in(source.operand)
                if (id_ := self._ssa.out[source.predecessor].get(index, -1)) >= 0
            ]
        if definition.kind is not DefinitionKind.INSTRUCTION:
            return ()
        instruction = self._instruction(definition)
        at = self._ssa.before[definition.block][definition.instruction]
        if instruction.operation.name in RULES or self._in_memory(definition):
            return [id_ for id_ in at.values() if id_ >= 0]
        before = at.get(definition.register, -1)
        return () if instruction.guard is None or before < 0 else (before,)

    def _instruction(self, definition: Definition) -> Instruction:
        return self._function.blocks[definition.block].instructions[definition.instruction]

    def _in_memory(self, definition: Definition) -> bool:
        """Whether a value is stored to a slot, or loaded from one."""
        place, slots = (definition.block, definition.instruction), self._ssa.slots
        register = definition.register
        return register in slots.written_at(*place) or register in slots.read_at(*place)

    def _bits(self, definition: Definition) -> int:
        return self._ssa.registers[definition.register].type.bits

    # -- one definition --------------------------------------------------------------------------

    def _compute(self, definition: Definition, found: dict[int, KnownWord]) -> KnownWord | None:
        """Known word of a value; None where none of its inputs has come in yet."""
        bits = self._bits(definition)
        if definition.kind is DefinitionKind.PHI:
            return self._phi(definition, bits, found)
        if definition.kind is not DefinitionKind.INSTRUCTION:
            return anything(bits)
        instruction = self._instruction(definition)
        at = self._ssa.before[definition.block][definition.instruction]
        if self._in_memory(definition):
            result = self._through_memory(definition, at, bits, found)
        else:
            result = self._result(instruction, at, definition.register, found)
        if instruction.guard is None or result is None or self._ssa.is_stored_by_one(definition):
            return result
        before = self._operand(Reg(definition.register), at, found)
        return None if before is None else joined(result, resized(before, bits, signed=False))

    def _phi(
        self, definition: Definition, bits: int, found: dict[int, KnownWord]
    ) -> KnownWord | None:
        words = (
            self._operand(source.operand, self._ssa.out[source.predecessor], found)
            for source in self._ssa.phi_inputs[definition.id]
        )
        came = [resized(word, bits, signed=False) for word in words if word is not None]
        return joined(*came) if came else None

    def _through_memory(
        self, definition: Definition, at: dict[int, int], bits: int, found: dict[int, KnownWord]
    ) -> KnownWord | None:
        """Known word of a value that a slot is given, or that is read from one."""
        place, slots = (definition.block, definition.instruction), self._ssa.slots
        write = slots.written_at(*place).get(definition.register)
        if write is not None:
            if write.value is None:
                return anything(bits)
            word = self._operand(write.value, at, found)
            return None if word is None else resized(word, bits, signed=False)
        read = slots.read_at(*place)[definition.register]
        word = self._operand(Reg(read.slot), at, found)
        signed = read.type.kind is TypeKind.SIGNED
        return None if word is None else resized(word, bits, signed=signed)

    def _result(
        self, instruction: Instruction, at: dict[int, int], register: int, found: _KnownWords
    ) -> KnownWord | None:
        operation, bits = instruction.operation, self._ssa.registers[register].type.bits
        if operation.op_class is OpClass.LOAD:
            return _loaded(operation, bits)
        to = instruction.destinations[0] if instruction.destinations else None
        if operation.name == "mov" and isinstance(to, Vector):
            return self._part(instruction, to, register, at, found)
        if operation.name not in RULES or not _has_one_result(instruction):
            return anything(bits)
        sources = [self._operand(o, at, found) for o in instruction.sources]
        known_ones = [word for word in sources if word is not None]
        return result_word(operation, known_ones, bits) if len(known_ones) == len(sources) else None

    def _part(
        self,
        instruction: Instruction,
        to: Vector,
        register: int,
        at: dict[int, int],
        found: _KnownWords,
    ) -> KnownWord | None:
        """Known word of one of the words that another is taken apart into."""
        word = self._operand(instruction.sources[0], at, found)
        bits = self._ssa.registers[register].type.bits
        if word is None or to.elements.count(Reg(register)) != 1:
            return None if word is None else anything(bits)
        place = to.elements.index(Reg(register))
        return unpacked(resized(word, bits * len(to.elements), signed=False), place, bits)

    def _operand(
        self, operand: Operand, at: dict[int, int], found: dict[int, KnownWord]
    ) -> KnownWord | None:
        """Known word of an operand; None where that is still being worked out."""
        match operand:
            case Reg(index):
                id_ = at.get(index, -1)
                bits = self._ssa.registers[index].type.bits
                return anything(bits) if id_ < 0 else self._known.get(id_) or found.get(id_)
            case Imm(value):
                return exactly(_WIDEST, value)
            case Special(name):
                return self._specials.get(name) or anything(_WIDEST)
            case Symbol(name, offset):
                start = _multiple(anything(_WIDEST), self._multiples.get(name, 1))
                return moved(start, offset)
            case Address(base, offset):
                word = self._operand(base, at, found)
                return None if word is None else moved(word, offset)
            case NotPredicate(register):
                word = self._operand(register, at, found)
                return None if word is None else inverted(word)
            case Vector(items) if all(isinstance(item, Reg) for item in items):
                words = [self._operand(item, at, found) for item in items]
                known_ones = [word for word in words if word is not None]
                return packed(known_ones) if len(known_ones) == len(words) else None
        return anything(_WIDEST)


_WIDEST = 64
"""Bits of constants, and of operands of which nothing is known."""

_TURNS = 3
_MOST_TURNS = 12
"""Turns of a value in a loop after which its bounds, and then all but low bits, are given up."""


def _multiple(word: KnownWord, of: int) -> KnownWord:
    """The word where it is a multiple of a power of two as well."""
    signed = (word.least, word.most)
    return known(word.bits, word.zeros | (of - 1), word.ones, (word.low, word.high), signed)


def _settling(before: KnownWord, new: KnownWord, turn: int) -> KnownWord:
    if turn > _MOST_TURNS:
        return low_part(joined(before, new))
    return widened(before, new) if turn > _TURNS else new


def _has_one_result(instruction: Instruction) -> bool:
    destinations = instruction.destinations
    return len(destinations) == 1 and isinstance(destinations[0], Reg)


def _loaded(operation: Operation, bits: int) -> KnownWord:
    """Known word of a load, extended to the register by its type: bytes lie below 256."""
    type_ = operation.type
    if type_ is None or not type_.is_integer or type_.lanes > 1 or type_.bits >= bits:
        return anything(bits)
    return resized(anything(type_.bits), bits, signed=type_.kind is TypeKind.SIGNED)


MOST_THREADS = {"x": 1024, "y": 1024, "z": 64}
"""Threads of a CTA by axis that no machine exceeds."""

_MOST_IN_CTA = 1024
_MOST_CTAS = {"x": 2**31 - 1, "y": 65535, "z": 65535}


def block_of(bounds: LaunchBounds) -> tuple[int, int, int] | None:
    """The block that a kernel has to be launched with, where it says one that can be."""
    if bounds.required_threads is None:
        return None
    x, y, z = (*bounds.required_threads, 1, 1)[:3]
    is_launched = min(x, y, z) > 0 and x * y * z <= _MOST_IN_CTA
    return (x, y, z) if is_launched else None


def special_words(bounds: LaunchBounds) -> dict[str, KnownWord]:
    """Known words of special registers in every launch that a kernel allows.

    ``.maxntid`` bounds the threads of a CTA, but no axis of its own.
    """
    required = block_of(bounds)
    most = min(prod(bounds.max_threads or (_MOST_IN_CTA,)), _MOST_IN_CTA)
    found = {"laneid": known(32, unsigned=(0, 63))}
    for place, (axis, machine) in enumerate(MOST_THREADS.items()):
        threads = min(machine, most) if required is None else required[place]
        least = 1 if required is None else threads
        found[f"ntid.{axis}"] = known(32, unsigned=(least, threads))
        found[f"tid.{axis}"] = known(32, unsigned=(0, threads - 1))
        found[f"nctaid.{axis}"] = known(32, unsigned=(1, _MOST_CTAS[axis]))
        found[f"ctaid.{axis}"] = known(32, unsigned=(0, _MOST_CTAS[axis] - 1))
    return found
