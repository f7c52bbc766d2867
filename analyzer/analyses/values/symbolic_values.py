"""Symbolic values of registers: expressions over arguments, ids, loop counters and loads."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from warpmill.analyzer.analyses.ranges.analysis import Ranges
from warpmill.analyzer.analyses.values.bit_rules import BIT_RULES, composed, packed, unpacked
from warpmill.analyzer.analyses.values.operation_rules import (
    RULES,
    as_loaded,
    as_read,
    cut_of,
    without_cuts,
)
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind, PhiInput, SupportsFlow
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    bounded,
    number,
    of,
    substitute,
    summary,
    symbol,
)
from warpmill.analyzer.analyses.values.truths import Facts, Truths, is_undecided, with_outcome
from warpmill.analyzer.base.many_objects import lazy
from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Instruction,
    Operand,
    Reg,
    Special,
    Symbol,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.types import OpClass, Space, Type

_NOTHING = -1
"""Definition of a register that nothing has written."""


@dataclass(frozen=True, slots=True)
class Recurrence:
    """How a register moves around a loop: ``start`` on entry, ``step`` added each iteration.

    Of registers narrower than a word that are the lowest bits. ``cut``: the sum is cut to that type
    in each iteration, as a counter of bytes is that lies in a word.
    """

    definition: int
    register: int
    loop: int
    start: Expression
    step: Expression
    cut: Type | None = None

    def at(self, start: Expression, step: Expression, iteration: Expression) -> Expression:
        """The value in an iteration, from the start and the step as a place sees them."""
        plain = start + step * iteration
        return plain if self.cut is None else as_loaded(plain, self.cut, 32)


class SymbolicValues:
    """Symbolic value of every definition of a function, worked out on demand and remembered.

    ``raw`` expressions name the values that loops carry; ``closed`` ones replace them by
    ``start + step * counter`` where they grow evenly.
    """

    def __init__(self, flow: SupportsFlow) -> None:
        self._function, self._loops, self._ssa = flow.kernel, flow.loops, flow.ssa
        self._order = flow.cfg.reverse_postorder
        self.ranges = Ranges(flow.kernel, flow.ssa)
        self.truths = Truths(flow, self._definition, self.taken)
        self._raw: dict[int, Expression] = {_NOTHING: number(0)}
        self._recurrences: dict[int, Recurrence | None] = {}
        self._closed: dict[tuple[Expression, int | None], Expression] = {}  # by loop, too
        self._closed_facts: dict[int, Facts] = {}
        self._closed_forms: dict[int | None, dict[int, Expression | None]] = {}
        self._parameters = {p.name: i for i, p in enumerate(flow.kernel.parameters)}

    def of_operand(self, block: int, instruction: int, operand: Operand) -> Expression:
        """The value of an operand of an instruction, closed at that place."""
        return self.closed(self._operand(operand, self._ssa.before[block][instruction]), block)

    def facts(self, block: int) -> Facts:
        """Facts from the branches above a block, closed there."""
        if block not in self._closed_facts:
            self._closed_facts[block] = {
                fact._replace(
                    left=self.closed(fact.left, block), right=self.closed(fact.right, block)
                ): is_so
                for fact, is_so in self.truths.at(block).items()
            }
        return self._closed_facts[block]

    def facts_where(self, block: int, instruction: int) -> Facts:
        """Facts that hold where an instruction executes, those of its guard included."""
        guard = self._function.blocks[block].instructions[instruction].guard
        if guard is None:
            return self.facts(block)
        predicate = self.of_operand(block, instruction, guard.register)
        return with_outcome(self.facts(block), predicate, is_so=not guard.negated)

    def of_phi_input(self, source: PhiInput) -> Expression:
        """Input of a φ from one predecessor, closed there."""
        return self.closed(self.taken(source), source.predecessor)

    def at_join(self, source: PhiInput, block: int) -> Expression:
        """Input of a φ from one predecessor, closed in the φ's block."""
        return self.closed(self.taken(source), block)

    def closed(self, expression: Expression, block: int) -> Expression:
        """Replace what loops carry by its closed form, as seen from ``block``."""
        if expression.keeps_all_but(AtomKind.CARRIED):  # most do
            return expression
        innermost = self._loops.innermost(block)
        loop = None if innermost is None else innermost.id
        if (expression, loop) not in self._closed:
            forms = self._closed_forms.setdefault(loop, {})
            self._close(expression, block, forms)
            self._closed[expression, loop] = _with_forms(expression, forms)
        return self._closed[expression, loop]

    def _close(
        self, expression: Expression, block: int, forms: dict[int, Expression | None]
    ) -> None:
        """Work closed forms out after those that they start from, so that nothing recurses."""
        todo = _carried_in(expression)
        while todo:
            id_ = todo[-1]
            recurrence = None if id_ in forms else self.recurrence(id_)
            if recurrence is None:
                forms.setdefault(todo.pop(), None)
                continue
            name = self._register(self._ssa.definitions[id_])
            if not self._inside(block, recurrence.loop):
                forms[id_] = symbol(AtomKind.MERGE, f"{name} after its loop", id_)
                continue
            ends = (recurrence.start, recurrence.step)
            missing = [a for end in ends for a in _carried_in(end) if a not in forms]
            if missing:
                todo += missing
                continue
            start, step = (_with_forms(end, forms) for end in ends)
            form = recurrence.at(start, step, self.counter(recurrence.loop))
            forms[id_] = form if form.depth <= _DEEPEST_FORM else summary(form, name, id_)

    def counter(self, loop: int) -> Expression:
        """The iteration number of a loop, from 0, as an expression."""
        header = self._loops.loops[loop].header
        return symbol(AtomKind.COUNTER, f"i({self._function.blocks[header].label})", loop)

    def recurrence(self, definition: int) -> Recurrence | None:
        """How a loop header's φ grows, or None where it does not grow evenly.

        Those that it follows are found before it, so that nothing recurses; where they follow it in
        turn they meet None.
        """
        todo = [] if definition in self._recurrences else [definition]
        following: dict[int, Expression] = {}
        while todo:
            id_ = todo[-1]
            if id_ in following:
                self._recurrences[id_] = self._after_others(id_, following.pop(id_))
            elif id_ not in self._recurrences:
                self._recurrences[id_] = None
                after = self._after(id_)
                if after is None:
                    continue
                next_, cut = after
                self._recurrences[id_] = self._stepping(id_, next_ - self._carried(id_), cut)
                if self._recurrences[id_] is None and cut is None:
                    following[id_] = next_
                    others = (a.key for a in self._others(id_, next_))
                    todo += reversed([o for o in others if o not in self._recurrences])
            else:
                todo.pop()
        return self._recurrences[definition]

    def low_bits(self, definition: int, bits: int) -> tuple[Expression, Expression] | None:
        """The start and the step of the lowest bits of what a loop carries (raw).

        None where they do not grow evenly. The bits above may go their own way.
        """
        made = self._ssa.definitions[definition]
        loop, start = self._header_loop(made.block), self.start_expression(definition)
        after = {without_cuts(each, bits) for each in self.step_expressions(definition)}
        if loop is None or start is None or len(after) != 1:
            return None
        step = after.pop() - symbol(AtomKind.CARRIED, self._register(made), definition)
        return (start, step) if self._invariant(step, loop) else None

    def step_expressions(self, definition: int) -> tuple[Expression, ...]:
        """Next value of a header's φ around each latch, in terms of itself (raw).

        The loop goes on there: what its exits say decides choices.
        """
        header = self._ssa.definitions[definition].block
        loop = self._header_loop(header)
        if loop is None:
            return ()
        inputs = self._ssa.phi_inputs.get(definition, ())
        return tuple(
            self._going_on(self.taken(i), i.predecessor, header)
            for i in inputs
            if i.predecessor in self._loops.loops[loop].members
        )

    def _going_on(self, value: Expression, latch: int, header: int) -> Expression:
        """A value with the choices made that are known where a loop goes on."""
        if not any(map(is_undecided, value.atoms)):
            return value
        return self.truths.settled(value, self.truths.on_edge(latch, header))

    def taken(self, source: PhiInput) -> Expression:
        """Input of a φ from one predecessor (raw)."""
        return self._operand(source.operand, self._ssa.out[source.predecessor])

    def start_expression(self, definition: int) -> Expression | None:
        """Value of a header's φ on entry (raw); None where several entries differ in it."""
        loop = self._header_loop(self._ssa.definitions[definition].block)
        if loop is None:
            return None
        starts = {
            self.taken(i)
            for i in self._ssa.phi_inputs.get(definition, ())
            if i.predecessor not in self._loops.loops[loop].members
        }
        return starts.pop() if len(starts) == 1 else None

    def made_from(self, definition: int) -> tuple[Expression, ...]:
        """Inputs of a φ, or an instruction's value and all that it reads (raw)."""
        made = self._ssa.definitions[definition]
        if made.kind is DefinitionKind.PHI:
            return tuple(self._inputs(made))
        if made.kind is not DefinitionKind.INSTRUCTION:
            return (self._definition(definition),)
        instruction = self._function.blocks[made.block].instructions[made.instruction]
        at = self._ssa.before[made.block][made.instruction]
        own = self._written(instruction, at, made)
        return own, *self.read_by(made.block, made.instruction)

    def read_by(self, block: int, instruction: int) -> tuple[Expression, ...]:
        """The values of the registers that an instruction reads (raw)."""
        return tuple(map(self._definition, self._ssa.before[block][instruction].values()))

    def _after(self, id_: int) -> tuple[Expression, Type | None] | None:
        """Value of a header's φ after an iteration (raw), and the type that it is cut to.

        None where there are several ways.
        """
        definition = self._ssa.definitions[id_]
        if definition.kind is not DefinitionKind.PHI or self._header_loop(definition.block) is None:
            return None
        start, after = self.start_expression(id_), set(self.step_expressions(id_))
        if start is None or len(after) != 1:
            return None
        next_ = _widened(after.pop(), self._carried(id_), start)
        return _in_width(next_, start, self._ssa.registers[definition.register].type)

    def _carried(self, id_: int) -> Expression:
        """A header's φ as the name of what it holds."""
        return symbol(AtomKind.CARRIED, self._register(self._ssa.definitions[id_]), id_)

    def _stepping(self, id_: int, step: Expression, cut: Type | None = None) -> Recurrence | None:
        """The recurrence by a step; None where the step changes inside the loop."""
        definition = self._ssa.definitions[id_]
        loop, start = self._header_loop(definition.block), self.start_expression(id_)
        if loop is None or start is None or not self._invariant(step, loop):
            return None
        return Recurrence(id_, definition.register, loop, start, step, cut)

    def _others(self, id_: int, after: Expression) -> list[Atom]:
        """Other atoms in a φ's next value that its loop carries."""
        header = self._ssa.definitions[id_].block
        return [
            a
            for a in after.atoms
            if a.kind is AtomKind.CARRIED and self._ssa.definitions[a.key].block == header
        ]

    def _after_others(self, id_: int, after: Expression) -> Recurrence | None:
        """The recurrence of a value that follows others of its loop, as narrower copies do.

        It is a line in what the others are an iteration before; its start has to lie on it too.
        """
        found = {a: self._recurrences[a.key] for a in self._others(id_, after)}
        step = number(0)
        for atom, recurrence in found.items():
            slope = after.coefficient(atom)
            if recurrence is None or recurrence.cut is not None or slope is None:
                return None
            step = step + slope * recurrence.step
        moves = {a: r.start - r.step for a, r in found.items() if r is not None}
        is_on_line = substitute(after, moves.get) == self.start_expression(id_)
        return self._stepping(id_, step) if is_on_line else None

    def _invariant(self, expression: Expression, loop: int) -> bool:
        """Whether nothing in an expression changes inside a loop."""
        blocks = self._loops.loops[loop].members
        return not any(
            atom.key >= 0
            and atom.kind in MADE_BY_DEFINITIONS
            and self._ssa.definitions[atom.key].block in blocks
            for atom in expression.atoms
        )

    def _header_loop(self, block: int) -> int | None:
        loop = self._loops.innermost(block)
        return loop.id if loop is not None and loop.header == block else None

    def _inside(self, block: int, loop: int) -> bool:
        return block in self._loops.loops[loop].members

    def _register(self, definition: Definition) -> str:
        return self._ssa.registers[definition.register].name

    def _operand(self, operand: Operand, at: dict[int, int]) -> Expression:
        match operand:
            case Reg(index):
                return (
                    self._definition(at[index]) if index in at else _unknown("undefined register")
                )
            case Imm(value):
                return number(value)
            case FloatImm():
                return _unknown(_float_text(operand))
            case Special(name):
                return symbol(AtomKind.SPECIAL, name)
            case Symbol(name, offset):
                return symbol(AtomKind.ADDRESS, name) + number(offset)
            case Address(base, offset):
                return self._operand(base, at) + number(offset)
        return _unknown("operand without a number")

    def _definition(self, id_: int) -> Expression:
        """Work a value out after those that it is made from, so that nothing recurses."""
        todo = [] if id_ in self._raw else [id_]
        while todo:
            definition = self._ssa.definitions[todo[-1]]
            missing = [n for n in self._made_from(definition) if n not in self._raw]
            if missing:
                todo += missing
                continue
            self._raw[definition.id] = self._compute(definition)
            while todo and todo[-1] in self._raw:
                todo.pop()
        return self._raw[id_]

    def _made_from(self, definition: Definition) -> Iterable[int]:
        """The definitions that a value is worked out from."""
        if definition.kind is DefinitionKind.INSTRUCTION:
            return self._ssa.before[definition.block][definition.instruction].values()
        if definition.kind is not DefinitionKind.PHI or self._is_cut(definition):
            return ()
        return [
            self._ssa.out[source.predecessor][index]
            for source in self._ssa.phi_inputs[definition.id]
            for index in registers_in(source.operand)
            if self._ssa.out[source.predecessor].get(index, definition.id) != definition.id
        ]

    def _is_cut(self, definition: Definition) -> bool:
        """Whether a φ has a name of its own, as what comes to it has come from there."""
        return self._header_loop(definition.block) is not None or self._comes_back(definition)

    @lazy
    def _turns(self) -> dict[int, int]:
        """The turn of each definition where blocks are gone through from the entry on."""
        found: dict[int, int] = {}
        for block in self._order:
            for ids in (self._ssa.entry[block], *self._ssa.written[block]):
                for id_ in ids.values():
                    found.setdefault(id_, len(found))
        return found

    def _compute(self, definition: Definition) -> Expression:
        match definition.kind:
            case DefinitionKind.PARAMETER:
                return self._parameter_of_register(definition.register)
            case DefinitionKind.UNDEFINED:
                return symbol(AtomKind.UNKNOWN, "undefined register", definition.id)
            case DefinitionKind.PHI:
                return self._phi(definition)
        return self._instruction(definition)

    def _parameter_of_register(self, register: int) -> Expression:
        for index, parameter in enumerate(self._function.parameters):
            if parameter.register == Reg(register):
                return symbol(AtomKind.ARGUMENT, parameter.name, index)
        return _unknown("undefined register")

    def _phi(self, definition: Definition) -> Expression:
        name = self._register(definition)
        if self._header_loop(definition.block) is not None:
            return symbol(AtomKind.CARRIED, name, definition.id)
        if self._comes_back(definition):
            return symbol(AtomKind.MERGE, name, definition.id)
        inputs = set(self._inputs(definition))
        if len(inputs) == 1:
            return inputs.pop()
        return symbol(AtomKind.MERGE, name, definition.id)

    def _inputs(self, definition: Definition) -> Iterator[Expression]:
        """Inputs of a φ from the predecessors in which its register has a value."""
        for source in self._ssa.phi_inputs[definition.id]:
            at = self._ssa.out[source.predecessor]
            if source.operand != Reg(definition.register) or definition.register in at:
                yield self._operand(source.operand, at)

    def _comes_back(self, definition: Definition) -> bool:
        """Whether an input is not worked out yet: its edge goes back, in a loop without a header.

        Such a loop is entered at several blocks. Elsewhere a φ comes behind what makes its inputs:
        that dominates its predecessors, whose edges to it lead forwards.
        """
        if not self._loops.irreducible:
            return False
        turns = self._turns
        after = len(turns) + 1
        turn = turns.get(definition.id, after - 1)
        for source in self._ssa.phi_inputs[definition.id]:
            for index in registers_in(source.operand):
                made = self._ssa.out[source.predecessor].get(index, definition.id)
                if made not in (_NOTHING, definition.id) and turns.get(made, after) > turn:
                    return True
        return False

    def _instruction(self, definition: Definition) -> Expression:
        instruction = self._function.blocks[definition.block].instructions[definition.instruction]
        at = self._ssa.before[definition.block][definition.instruction]
        result = _told_apart(self._written(instruction, at, definition), definition.id)
        result = bounded(result, self._register(definition), definition.id)
        if instruction.guard is None or self._ssa.is_stored_by_one(definition):
            return result
        if self._operand(Reg(definition.register), at) == result:
            return result
        return symbol(AtomKind.MERGE, self._register(definition), definition.id)

    def _written(
        self, instruction: Instruction, at: dict[int, int], definition: Definition
    ) -> Expression:
        """Value that an instruction leaves in a register or a slot, its guard aside."""
        place = definition.block, definition.instruction
        stored = self._ssa.slots.written_at(*place).get(definition.register)
        if stored is None:
            return self._result(instruction, at, definition)
        if stored.value is not None:
            return self._operand(stored.value, at)
        if not stored.parts:
            return of(Atom(AtomKind.LOAD, "load", definition.id))
        bits = self._ssa.registers[definition.register].type.bits
        given = [(part, self._operand(part.value, at)) for part in stored.parts]
        old = self._definition(at[definition.register]) if stored.keeps else None
        return composed(given, old, bits // 8)

    def _result(
        self, instruction: Instruction, at: dict[int, int], definition: Definition
    ) -> Expression:
        operation = instruction.operation
        if operation.op_class in (OpClass.LOAD, OpClass.ATOMIC):
            return self._loaded(instruction, at, definition)
        if operation.name == "mov" and any(isinstance(o, Vector) for o in instruction.operands):
            return self._moved(instruction, at, definition)
        rule = RULES.get(operation.name)
        sources = as_read(instruction, [self._operand(o, at) for o in instruction.sources])
        is_integer = operation.type is not None and not operation.type.is_float
        by_bits = BIT_RULES.get(operation.name)
        if by_bits is not None and _is_word(operation.type) and len(instruction.writes) == 1:
            result = by_bits(instruction, sources, self.ranges.sources(instruction, at))
            if result is not None:
                return result
        if rule is not None and (is_integer or operation.type is None):
            result = rule(instruction, sources)
            if result is not None:
                return result
        if any(isinstance(o, Vector) for o in instruction.operands):
            return _unknown(f"{operation.opcode} on vectors")
        return of(Atom(AtomKind.OPERATION, operation.opcode, -1, tuple(sources)))

    def _moved(
        self, instruction: Instruction, at: dict[int, int], definition: Definition
    ) -> Expression:
        """A word that is put together from several, or taken from a part of one."""
        (source,), (to,) = instruction.sources, instruction.destinations
        bits = self._ssa.registers[definition.register].type.bits
        found = None
        if isinstance(source, Vector) and not isinstance(to, Vector):
            parts = [(self._operand(o, at), self.ranges.operand(o, at)) for o in source.elements]
            found = packed(parts, bits)
        elif isinstance(to, Vector) and not isinstance(source, Vector):
            places = [k for k, o in enumerate(to.elements) if o == Reg(definition.register)]
            word = self.ranges.operand(source, at)
            if len(places) == 1 and word.bits == bits * len(to.elements):
                found = unpacked(self._operand(source, at), word, places[0], bits)
        return _unknown(f"{instruction.operation.opcode} on vectors") if found is None else found

    def _loaded(
        self, instruction: Instruction, at: dict[int, int], definition: Definition
    ) -> Expression:
        place = definition.block, definition.instruction
        read = self._ssa.slots.read_at(*place).get(definition.register)
        if read is not None:
            bits = self._ssa.registers[definition.register].type.bits
            return as_loaded(self._definition(at[read.slot]), read.type, bits)
        address = instruction.address
        where = _unknown("address") if address is None else self._operand(address, at)
        if instruction.operation.space is Space.PARAM:
            for parameter, index in self._parameters.items():
                offset = (where - symbol(AtomKind.ADDRESS, parameter)).constant
                if offset is not None:
                    name = parameter if offset == 0 else f"{parameter}+{offset}"
                    return symbol(AtomKind.ARGUMENT, name, index)
        return of(Atom(AtomKind.LOAD, "load", definition.id, (where,)))


MADE_BY_DEFINITIONS = frozenset(
    {AtomKind.LOAD, AtomKind.MERGE, AtomKind.CARRIED, AtomKind.OPERATION, AtomKind.UNKNOWN}
)
"""Kinds of atoms whose key, where they have one, is the definition that made them."""


_DEEPEST_FORM = 48
"""How deep operations nest in a closed form, which holds those of the loops around."""


def _carried_in(expression: Expression) -> list[int]:
    """Definitions that loops carry in an expression, in a fixed order."""
    return sorted(a.key for a in expression.atoms if a.kind is AtomKind.CARRIED)


def _with_forms(expression: Expression, forms: Mapping[int, Expression | None]) -> Expression:
    return substitute(
        expression, lambda a: forms.get(a.key) if a.kind is AtomKind.CARRIED else None
    )


def _is_word(type_: Type | None) -> bool:
    """Whether a type is one integer, which has bits of its own."""
    return type_ is not None and type_.is_integer and type_.lanes == 1


def _unknown(reason: str) -> Expression:
    return symbol(AtomKind.UNKNOWN, reason)


def _told_apart(expression: Expression, definition: int) -> Expression:
    """Tie unknowns to the definition that they came up in, so that no two of them cancel out."""
    if not any(map(_is_loose, expression.atoms)):
        return expression

    def replacement(atom: Atom) -> Expression | None:
        if _is_loose(atom):
            return symbol(AtomKind.UNKNOWN, atom.name, definition)
        has_loose = any(_is_loose(a) for operand in atom.operands for a in operand.atoms)
        return None if has_loose else of(atom)

    return substitute(expression, replacement)


def _widened(after: Expression, own: Expression, start: Expression) -> Expression:
    """Leave out that a counter is cut to its word on its way, where it grows from zero or above."""
    plain = substitute(
        after, lambda a: own if a.name == "and" and a.operands == _cut(own) else None
    )
    return plain if _is_natural(start) and _is_natural(plain - own) else after


def _in_width(after: Expression, start: Expression, type_: Type) -> tuple[Expression, Type | None]:
    """Next value of a carried value, without cuts that its register or its type makes anyway.

    The type is that to which it is cut in each iteration, where it starts as such a number.
    """
    if type_.bits < _WORD:
        return without_cuts(after, type_.bits), None
    cut = cut_of(after)
    if cut is None or start.constant is None or cut[1].read(start.constant) != start.constant:
        return after, None
    return without_cuts(cut[0], cut[1].bits), cut[1]


_WORD = 32


def _cut(value: Expression) -> tuple[Expression, Expression]:
    return value, number((1 << 32) - 1)


def _is_natural(expression: Expression) -> bool:
    """Whether a value is never below zero: a sum of ids, sizes and numbers above zero."""
    return all(c > 0 and all(a.kind is AtomKind.SPECIAL for a in m) for m, c in expression.terms)


def _is_loose(atom: Atom) -> bool:
    return atom.kind is AtomKind.UNKNOWN and atom.key < 0


_FLOAT_FORMATS = {16: "e", 32: "f", 64: "d"}


def _float_text(constant: FloatImm) -> str:
    """Write a constant that integer expressions only name: ``4.0``, or its bits."""
    format_ = _FLOAT_FORMATS.get(constant.type.bits)
    if format_ is None or str(constant.type) != f"f{constant.type.bits}":
        return f"{constant.type}:{constant.bits:#x}"
    raw = constant.bits.to_bytes(constant.type.bits // 8, "little")
    (value,) = struct.unpack(f"<{format_}", raw)
    return f"{value:.6g}" if "." in f"{value:.6g}" or "e" in f"{value:.6g}" else f"{value:.1f}"
