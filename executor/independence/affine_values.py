"""Value of each register in a launch, as a linear form over what threads differ in.

The numbers of the launch are known: sizes, parameters, addresses. What is not linear becomes a term
of its own between bounds. A form agrees with its register modulo two to the register's bits; where
the value itself counts (comparisons, extensions, shifts to the right) it has to be shown that
nothing wraps, else the value is a new term. Nothing is assumed that a kernel could break, so that
what is derived from the forms holds for every thread. The counter of a loop has bounds where a test
limits its trips.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind, PhiInput
from warpmill.analyzer.ir.kernel import (
    Address,
    Imm,
    Instruction,
    Module,
    Operand,
    Reg,
    Special,
    Symbol,
)
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import WINDOW_BYTES, parameter_offsets
from warpmill.executor.independence.affine import (
    ALWAYS,
    FLIPPED,
    Bound,
    Condition,
    Constraints,
    LaunchNumbers,
    LaunchTerms,
    LinearForm,
    Term,
    WordComparison,
    exact,
    least,
    most,
    tightened,
)

_MOST_CONSTRAINTS = 24  # the latest that are kept: each costs time wherever a bound is looked for


@dataclass(frozen=True)
class FormPlace:
    """Place of an instruction, with what it sees: definitions by register, and what holds."""

    block: int
    at: Mapping[int, int]
    constraints: Constraints


class AffineValues:
    """The values of a kernel in a launch: worked out block by block, loops' steps first.

    Those of the ``needed`` definitions; the others are unknown. ``evaluate`` knows the instructions
    (``affine_rules.evaluate``).
    """

    def __init__(
        self,
        module: Module,
        structure: Structure,
        facts: LaunchNumbers,
        needed: frozenset[int],
        evaluate: Evaluate,
    ) -> None:
        self.module, self.structure, self.facts = module, structure, facts
        self.needed, self.evaluate = needed, evaluate
        self.terms = LaunchTerms(module, facts)
        self._offsets = _parameters(structure)
        self._spaces = {v.name: v for v in (*module.variables, *structure.kernel.variables)}
        self._phis: dict[int, list[int]] = {}
        for id_ in needed & structure.ssa.phi_inputs.keys():
            self._phis.setdefault(structure.ssa.definitions[id_].block, []).append(id_)
        steps = BlockPass(self, None) if structure.loops.loops else None
        self._last = BlockPass(self, steps)
        self.forms = self._last.forms

    @property
    def ctas(self) -> list[Term]:
        """The indices of the CTA."""
        return self.terms.ctas

    def place(self, block: int, instruction: int) -> FormPlace:
        """Describe the place of an instruction, its guard among what holds there."""
        return self._last.place(block, instruction)

    def raw_address(
        self, block: int, instruction: int, operand: Address
    ) -> tuple[LinearForm, Constraints]:
        """An instruction's address modulo two to its bits, and what holds there."""
        place = self.place(block, instruction)
        form = self._last.operand(operand, place)
        return (self.anywhere if form is None else form), place.constraints

    @property
    def anywhere(self) -> LinearForm:
        """The form of an address of which nothing is known."""
        return self.terms.form("anywhere", 0, 1 << self.module.address_bits)

    # For the passes.

    def bits(self, definition: Definition) -> int:
        """The bits of a definition's register."""
        register = self.structure.kernel.registers[definition.register]
        return register.type.bits * register.vector

    def phis(self, block: int) -> list[int]:
        """The φs of a block that are needed."""
        return self._phis.get(block, [])

    def parameter(self, name: str, offset: int, size: int) -> int | None:
        """The bytes of a parameter as a number; None where they are not all given."""
        start = self._offsets.get(name)
        if start is None or not 0 <= start + offset <= len(self.facts.params) - size:
            return None
        raw = self.facts.params[start + offset : start + offset + size]
        return int.from_bytes(raw, "little")

    def symbol(self, symbol: Symbol) -> LinearForm:
        """The address of a variable in its space."""
        if symbol.name in self.facts.symbols:
            return LinearForm(self.facts.symbols[symbol.name] + symbol.offset)
        variable = self._spaces.get(symbol.name)
        is_small = variable is not None and variable.space is not Space.GLOBAL
        high = (WINDOW_BYTES if is_small else 1 << 64) - 1
        return self.terms.given(("symbol", symbol.name), 0, high).moved(symbol.offset)


def _parameters(structure: Structure) -> dict[str, int]:
    offsets, _ = parameter_offsets(structure.kernel)
    names = [p.name for p in structure.kernel.parameters]
    return dict(zip(names, offsets, strict=True))


Evaluate = Callable[["BlockPass", int, int, Instruction], None]
"""Evaluation of the form that an instruction makes, by block and number."""


class BlockPass:
    """One walk over the blocks. The first takes what loops carry as it is, to see how it steps."""

    def __init__(self, values: AffineValues, before: BlockPass | None) -> None:
        self.values, self.before = values, before
        self.structure, self.terms = values.structure, values.terms
        self.forms: dict[int, LinearForm] = {}
        self.conditions: dict[int, Condition] = {}
        self.holds: dict[int, Constraints] = {}
        self.made: dict[Term, int] = {}  # the definitions that terms of their own stand for
        for block in self.structure.cfg.reverse_postorder:
            if block < len(self.structure.kernel.blocks):
                self._walk(block)

    def _walk(self, block: int) -> None:
        self.holds[block] = self._entering(block)
        loop = self.structure.loops.innermost(block)
        is_header = loop is not None and loop.header == block
        if is_header and self.before is not None:
            assert loop is not None
            self._header(loop)
        for id_ in self.values.phis(block):
            if id_ not in self.forms:
                self._join(id_, is_carried=is_header)
        written = self.structure.ssa.written[block]
        for number, instruction in enumerate(self.structure.kernel.blocks[block].instructions):
            if not self.values.needed.isdisjoint(written[number].values()):
                self.values.evaluate(self, block, number, instruction)

    def place(self, block: int, number: int) -> FormPlace:
        """Describe the place of an instruction."""
        at = self.structure.ssa.before[block][number]
        holds = self.holds[block]
        guard = self.structure.kernel.blocks[block].instructions[number].guard
        if guard is not None:
            condition = self.conditions.get(at[guard.register.index], ALWAYS)
            holds = tightened(holds, self.constraints(condition.when(not guard.negated), holds))
        return FormPlace(block, at, holds)

    # Values.

    def operand(self, operand: Operand, place: FormPlace) -> LinearForm | None:
        """An operand modulo two to the bits of its register; None where it is no integer."""
        match operand:
            case Reg(index):
                return self.definition(place.at[index]) if index in place.at else None
            case Imm(value):
                return LinearForm(value)
            case Special(name):
                return self.terms.special(name)
            case Symbol():
                return self.values.symbol(operand)
            case Address(base, offset):
                inner = self.operand(base, place)
                return None if inner is None else inner.moved(offset)
        return None

    def definition(self, id_: int) -> LinearForm:
        """The form of a definition."""
        if id_ not in self.forms:
            self.forms[id_] = self._unknown_or_parameter(id_)
        return self.forms[id_]

    def _unknown_or_parameter(self, id_: int) -> LinearForm:
        definition = self.structure.ssa.definitions[id_]
        if definition.kind is DefinitionKind.PARAMETER:
            register = Reg(definition.register)
            for parameter in self.structure.kernel.parameters:
                if parameter.register == register:
                    size = parameter.size_bytes
                    number = self.values.parameter(parameter.name, 0, size)
                    if number is not None:
                        return LinearForm(number)
        return self.unknown(id_)

    def unknown(self, id_: int, low: int = 0, high: Bound = math.inf) -> LinearForm:
        """Make the value of a definition a term, between bounds or of any bits."""
        bits = self.values.bits(self.structure.ssa.definitions[id_])
        if math.isinf(high) or high - low >= 1 << bits:
            low, high = 0, (1 << bits) - 1
        if low == high:
            return LinearForm(low)
        term = self.terms.between((self.before is None, id_), low, high)
        self.made[term] = id_
        return LinearForm(0, {term: 1})

    def word(self, form: LinearForm, bits: int, holds: Constraints, *, signed: bool) -> LinearForm:
        """The value of a word of some bits; a new term where it may wrap."""
        found = exact(form, bits, signed=signed, constraints=holds)
        if found is not None:
            return found
        low = -(1 << bits - 1) if signed else 0
        key = ("word", bits, signed, form.wrapped(bits).key)
        return self.terms.form(key, low, low + (1 << bits) - 1)

    def constraints(
        self, comparisons: list[WordComparison], holds: Constraints
    ) -> list[LinearForm]:
        """The forms of comparisons that are true."""
        found = []
        for c in comparisons:
            a = self.word(c.a, c.bits, holds, signed=c.signed)
            b = self.word(c.b, c.bits, holds, signed=c.signed)
            found += c.forms(a, b)
        return found

    # Blocks.

    def _entering(self, block: int) -> Constraints:
        """Constraints that hold in a block: those of its dominator, and of its only edge."""
        dominator = self.structure.dominators.idom[block]
        if dominator is None:
            return ()
        holds = self.holds[dominator]
        before = self.structure.cfg.predecessors[block]
        if before == (dominator,):
            holds = tightened(holds, self.constraints(self.on_edge(dominator, block), holds))
        return holds[-_MOST_CONSTRAINTS:]

    def on_edge(self, block: int, target: int) -> list[WordComparison]:
        """The comparisons that are true where control goes from a block to another."""
        last = self.structure.kernel.blocks[block].terminator
        if last is None or last.guard is None or len(last.targets) > 1:
            return []
        falls = self.structure.kernel.blocks[block].fallthrough == target
        if falls == (target in last.targets):
            return []
        number = len(self.structure.kernel.blocks[block].instructions) - 1
        id_ = self.structure.ssa.before[block][number][last.guard.register.index]
        condition = self.conditions.get(id_, ALWAYS)
        return condition.when(falls == last.guard.negated)

    def _join(self, id_: int, *, is_carried: bool) -> None:
        inputs = self.structure.ssa.phi_inputs[id_]
        found = None if is_carried else self.joined(inputs)
        self.forms[id_] = self.unknown(id_) if found is None else self.one_of(id_, found)

    def joined(self, inputs: tuple[PhiInput, ...]) -> list[tuple[LinearForm, Constraints]] | None:
        """Incoming forms, with what holds there; None where one is not known yet."""
        found = []
        for source in inputs:
            place = self._end(source.predecessor)
            form = None if place is None else self.operand(source.operand, place)
            if place is None or form is None:
                return None
            found.append((form, place.constraints))
        return found

    def _end(self, block: int) -> FormPlace | None:
        if block not in self.holds:
            return None
        return FormPlace(block, self.structure.ssa.out[block], self.holds[block])

    def one_of(self, id_: int, found: list[tuple[LinearForm, Constraints]]) -> LinearForm:
        """A value that is one of several: that which they all are, or a term around them."""
        if len({form.key for form, _ in found}) == 1:
            return found[0][0]
        low = min(least(form, holds) for form, holds in found)
        high = max(most(form, holds) for form, holds in found)
        if math.isinf(low):
            return self.unknown(id_)
        return self.unknown(id_, int(low), high)

    # Loops.

    def _header(self, loop: Loop) -> None:
        """Record what a loop carries evenly as start + step · count, with a bound of the count."""
        assert self.before is not None
        carried: dict[Term, tuple[LinearForm, int]] = {}
        for id_ in self.values.phis(loop.header):
            step, start = self.before.step(id_, loop), self._start(id_, loop)
            if step is not None and start is not None:
                (term,) = self.before.forms[id_].terms
                carried[term] = start, step
        tests = [t for b in self._tested(loop) for t in self._tests(b, loop, carried)]
        high: Bound = min((t.high for t in tests), default=math.inf)
        count = self.terms.form(("count", loop.id), 0, high)
        more = [form for t in tests for form in t.limits(count)]
        self.holds[loop.header] = tightened(self.holds[loop.header], more)
        for term, (start, step) in carried.items():
            id_ = self.before.made[term]
            bits = self.values.bits(self.structure.ssa.definitions[id_])
            self.forms[id_] = start.plus(count, step).wrapped(bits)

    def step(self, id_: int, loop: Loop) -> int | None:
        """Increment per iteration of a carried value; None where that is no number."""
        definition, steps = self.structure.ssa.definitions[id_], set()
        own = self.forms[id_]
        if len(own.terms) != 1:
            return None
        for source in self.structure.ssa.phi_inputs[id_]:
            if source.predecessor in loop.blocks:
                place = self._end(source.predecessor)
                form = None if place is None else self.operand(source.operand, place)
                if form is None:
                    return None
                change = (form - own).wrapped(self.values.bits(definition))
                steps.add(None if change.terms else change.constant)
        return steps.pop() if len(steps) == 1 else None

    def _start(self, id_: int, loop: Loop) -> LinearForm | None:
        inputs = self.structure.ssa.phi_inputs[id_]
        entering = tuple(i for i in inputs if i.predecessor not in loop.blocks)
        found = self.joined(entering)
        if not found:
            return None
        if len({form.key for form, _ in found}) == 1:
            return found[0][0]
        low = min(least(form, holds) for form, holds in found)
        high = max(most(form, holds) for form, holds in found)
        if math.isinf(low) or math.isinf(high):
            return None
        return self.terms.form(("start", id_), int(low), high)

    def _tested(self, loop: Loop) -> Iterator[int]:
        """The blocks that every iteration passes and that may leave the loop."""
        for block in sorted({source for source, _ in loop.exits}):
            dominates = self.structure.dominators.dominates
            if all(dominates(block, latch) for latch in loop.latches):
                yield block

    def _tests(
        self, block: int, loop: Loop, carried: Mapping[Term, tuple[LinearForm, int]]
    ) -> Iterator[Test]:
        assert self.before is not None
        inside = [s for s in self.structure.cfg.successors[block] if s in loop.blocks]
        if len(inside) != 1:
            return
        holds = self.holds[loop.header]
        for c in self.before.on_edge(block, inside[0]):
            a, b = self._line(c.a, loop, carried), self._line(c.b, loop, carried)
            if a is not None and b is not None:
                found = test(c, a, b, holds, self.terms.is_multiple)
                if found is not None:
                    yield found

    def _line(
        self, form: LinearForm, loop: Loop, carried: Mapping[Term, tuple[LinearForm, int]]
    ) -> tuple[LinearForm, int] | None:
        """A form of the first pass as a start and a step of this loop's count."""
        assert self.before is not None
        start, step = LinearForm(form.constant), 0
        for term, coefficient in form.terms.items():
            if term in carried:
                start = start.plus(carried[term][0], coefficient)
                step += coefficient * carried[term][1]
            elif term in self.terms.fixed:
                start = start.plus(LinearForm(0, {term: 1}), coefficient)
            else:
                id_ = self.before.made.get(term)
                if id_ is None:
                    return None
                inside = self.structure.ssa.definitions[id_].block in loop.blocks
                if inside or id_ not in self.forms:
                    return None
                start = start.plus(self.forms[id_], coefficient)
        return start, step


# How often a loop can go round, from a test that every iteration passes.
#
# A test compares a line ``start + step · count`` with a number that stays. That the line does not
# wrap on its way follows by induction: the test holds before each step but the last, and what it
# leaves, a step further, is still within the word.

Line = tuple[LinearForm, int]
"""A form at the first iteration, and what each iteration adds."""


@dataclass(frozen=True)
class Test:
    """Bound on the count of iterations before a test: at most ``high``.

    Each thread has ``step · count <= room`` too; None where that is not sure at the first.
    """

    high: Bound
    step: int
    room: LinearForm | None

    def limits(self, count: LinearForm) -> list[LinearForm]:
        """Forms that are not above zero in all iterations."""
        return [] if self.room is None else [count.times(self.step) - self.room]


def test(
    comparison: WordComparison,
    a: Line,
    b: Line,
    holds: Constraints,
    is_multiple: Callable[[LinearForm, int], bool],
) -> Test | None:
    """Bound the count of a loop that goes on only where a comparison is true."""
    word, (start, step), (other, moves) = comparison.word, a, b
    if step == 0:
        word, (start, step), (other, moves) = FLIPPED[word], b, a
    step, moves = (LinearForm(n).wrapped(comparison.bits).constant for n in (step, moves))
    if moves or not step:
        return None
    if word == "ne":
        left = (other - start if step > 0 else start - other).wrapped(comparison.bits)
        return _until_equal(left, abs(step), comparison.bits, holds, is_multiple)
    rises = step > 0
    if word not in (("lt", "le") if rises else ("gt", "ge")):
        return None
    first = exact(start, comparison.bits, signed=comparison.signed, constraints=holds)
    if first is None:
        return None
    last = exact(other, comparison.bits, signed=comparison.signed, constraints=holds)
    low = -(1 << comparison.bits - 1) if comparison.signed else 0
    ends = (low, low + (1 << comparison.bits) - 1)
    last = LinearForm(ends[rises]) if last is None else last
    if not rises:  # count downwards as upwards, from below
        first, last, ends, step = first.times(-1), last.times(-1), (0, -low), -step
    if word in ("lt", "gt"):
        last = last.moved(-1)
    if most(last, holds) + step > ends[1]:
        return None
    left = last - first
    room = left.moved(step)
    return Test(_passes(most(left, holds), step), step, room if _is_natural(room, holds) else None)


def _passes(left: Bound, step: int) -> Bound:
    """Count the passes of a test that holds while ``step · count <= left``."""
    if math.isinf(left):
        return left
    return int(left) // step + 1 if left >= 0 else 0


def _is_natural(form: LinearForm, holds: Constraints) -> bool:
    return most(form.times(-1), holds) <= 0


def _until_equal(
    left: LinearForm,
    step: int,
    bits: int,
    holds: Constraints,
    is_multiple: Callable[[LinearForm, int], bool],
) -> Test | None:
    """Bound a loop that goes on until its steps have used up what is left.

    Where that is a multiple of the step, it is none below zero as soon as it is above ``-step``.
    """
    found = exact(left, bits, signed=False, constraints=holds)
    if found is None and least(left, holds) > -step and most(left, holds) < 1 << bits:
        found = left
    if found is None or not is_multiple(found, step):
        return None
    return Test(int(most(found, holds)) // step, step, found)
