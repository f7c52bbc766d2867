"""Registers of a kernel as integers of a theory, exactly as the machine's words have them.

A word of n bits is an integer that is congruent to it modulo 2^n: sums and products need no more.
Where a word is read as a number (compared, widened, divided, shifted to the right), that integer
has to lie in the type's range. Where this is not proven, the number that is read is another one,
some multiple of 2^n away: nothing is assumed not to wrap.

Values are those of one thread in one iteration of each loop around. What held one iteration before
is said by a ``Frame`` of its own, in which the loop's counter is less by one; so does induction go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import z3

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.proofs.iterations import (
    ITERATIONS_BACK,
    Frame,
    LoopCounters,
    number_of,
    tell_invariants,
)
from warpmill.analyzer.analyses.proofs.launches import LaunchFormulas, Pointer
from warpmill.analyzer.analyses.proofs.theory import Proven, Term, Theory
from warpmill.analyzer.analyses.proofs.word_rules import Word, WordContext, computed, condition
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.ir.kernel import (
    Address,
    Imm,
    Instruction,
    Negated,
    NotPredicate,
    Operand,
    Reg,
    Special,
    Symbol,
)
from warpmill.analyzer.ir.types import OpClass, TypeKind

_DEEPEST = 60
"""Values that are worked out for one another; deeper ones are unknown."""


class MachineValues:
    """Words and conditions of a kernel in a launch, each worked out when it is asked for."""

    def __init__(self, structure: Structure, launch: LaunchFormulas, theory: Theory) -> None:
        self._structure, self._launch, self.theory = structure, launch, theory
        self._ssa, self._blocks = structure.ssa, structure.kernel.blocks
        self.now = Frame()
        self._frames = [self.now]
        self.turns: dict[str, tuple[Term, Term]] = {}
        self._steps: dict[tuple[int, int], Term | None] = {}
        self._counters = LoopCounters(theory, tuple(launch.sizes.values()))
        self._bounded: set[int] = set()
        self._depth = 0
        self._parameters = {p.name: p for p in structure.kernel.parameters}

    # Places.

    def reached(self, frame: Frame, block: int) -> Term:
        """That a thread comes to a block."""
        frame = frame.of(block)
        if block not in frame.at:
            if block == self._structure.cfg.entry:
                frame.at[block] = self.theory.fact(holds=True)
                return frame.at[block]
            made = frame.at[block] = self.theory.truth(f"at {block}")
            self.theory.tell(made, *(z3.Implies(made, fact) for fact in self._ways(frame, block)))
        return frame.at[block]

    def _ways(self, frame: Frame, block: int) -> Iterator[Term]:
        """What holds where a block is reached: some way led there."""
        loop = self._loop_of(block)
        before = self._structure.cfg.predecessors[block]
        if loop is None:
            if any(self._goes_back(p, block) for p in before):
                return  # a loop with several entries
            yield z3.Or([self._edge(frame, p, block) for p in before])
            return
        outer = frame.outer if frame.loop is loop else frame
        assert outer is not None
        entries = [p for p in before if p not in loop.members]
        yield z3.Or([self._edge(outer, p, block) for p in entries])
        if frame.is_trial or frame.back >= ITERATIONS_BACK:
            return
        last = self._before(frame, loop)
        back = z3.Or([self._edge(last, p, block) for p in before if p in loop.members])
        yield z3.Or(self._counters.of(frame, loop) <= 0, back)

    def _goes_back(self, source: int, block: int) -> bool:
        number = self._structure.cfg.rpo_number
        return number.get(source, 0) >= number[block]

    def _edge(self, frame: Frame, source: int, target: int) -> Term:
        """That a thread goes from one block to the next."""
        return z3.And(self.reached(frame, source), self._takes(frame, source, target))

    def _takes(self, frame: Frame, source: int, target: int) -> Term:
        last = self._blocks[source].terminator
        falls = self._blocks[source].fallthrough == target
        if last is None or last.guard is None or len(last.targets) > 1:
            return self.theory.fact(holds=True)
        if falls and target in last.targets:
            return self.theory.fact(holds=True)
        holds = self.guard(frame, source, len(self._blocks[source].instructions) - 1)
        return z3.Not(holds) if falls else holds

    def guard(self, frame: Frame, block: int, instruction: int) -> Term:
        """That an instruction's guard holds."""
        guard = self._blocks[block].instructions[instruction].guard
        if guard is None:
            return self.theory.fact(holds=True)
        holds = self._truth_of(frame, (block, instruction), guard.register)
        return z3.Not(holds) if guard.negated else holds

    def _loop_of(self, header: int) -> Loop | None:
        loop = self._structure.loops.innermost(header)
        return loop if loop is not None and loop.header == header else None

    def _before(self, frame: Frame, loop: Loop) -> Frame:
        if loop.id not in frame.before:
            frame.before[loop.id] = Frame(frame, loop)
            self._frames.append(frame.before[loop.id])
        return frame.before[loop.id]

    # Words.

    def operand(self, frame: Frame, place: tuple[int, int], operand: Operand, bits: int) -> Word:
        """The value of an operand that an instruction reads."""
        return self._operand(frame, self._ssa.before[place[0]][place[1]], operand, bits)

    def _operand(self, frame: Frame, at: Mapping[int, int], operand: Operand, bits: int) -> Word:
        match operand:
            case Reg(index) if index in at:
                return self.word(frame, at[index])
            case Imm(value):
                half = 1 << bits - 1
                near = (value + half) % (1 << bits) - half
                return Word(self.theory.number(near), bits)
            case Special(name) if name in self._launch.special:
                return Word(self._launch.special[name], bits)
            case Special(name):
                return self._any(bits, f"%{name} is not known")
            case Symbol(name, offset) if name in self._launch.memories:
                return Word(self.theory.number(offset), bits, name)
            case Address(base, offset):
                found = self._operand(frame, at, base, bits)
                return Word(found.term + offset, found.bits, found.memory)
            case Negated(inner):
                found = self._operand(frame, at, inner, bits)
                if found.memory is None:
                    return Word(-found.term, found.bits)
        return self._any(bits, "an operand is no integer")

    def _any(self, bits: int, reason: str) -> Word:
        top = (1 << min(bits, 64)) - 1
        return Word(self.theory.integer("any", 0, top, unknown=reason), bits)

    def word(self, frame: Frame, id_: int) -> Word:
        """The value of a definition."""
        definition = self._ssa.definitions[id_]
        frame = frame.of(definition.block)
        if id_ not in frame.words:
            before = self.theory.made
            self._depth += 1
            if self._depth > _DEEPEST:
                bits = self._ssa.register(id_).type.bits
                frame.words[id_] = self._any(bits, "the arithmetic is too deep")
            else:
                found = self._made(frame, definition)
                frame.words.setdefault(id_, found)
            self._depth -= 1
            self._counters.own(before, definition.block)
        return frame.words[id_]

    def _made(self, frame: Frame, definition: Definition) -> Word:
        bits = self._ssa.register(definition.id).type.bits
        match definition.kind:
            case DefinitionKind.PARAMETER:
                register = Reg(definition.register)
                name = next(n for n, p in self._parameters.items() if p.register == register)
                return self._argument(name, 0, bits)
            case DefinitionKind.PHI:
                if self._loop_of(definition.block) is not None:
                    return self._carried(frame, definition, bits)
                return self._chosen(frame, definition, bits)
            case DefinitionKind.INSTRUCTION:
                return self._instruction(frame, definition, bits)
        return self._any(bits, "a register is read that nothing has written")

    def _argument(self, name: str, offset: int, bits: int) -> Word:
        found = self._launch.arguments.get((name, offset))
        if found is None:
            return self._any(bits, f"argument `{name}` is no integer")
        if isinstance(found, Pointer):
            return Word(found.offset, bits, found.memory)
        return Word(found, bits)

    def _chosen(self, frame: Frame, definition: Definition, bits: int) -> Word:
        """What control flow chooses where ways meet."""
        inputs = self._ssa.phi_inputs[definition.id]
        if any(self._goes_back(i.predecessor, definition.block) for i in inputs):
            return self._any(bits, "a loop with several entries carries a value")
        found = [
            (i.predecessor, self._operand(frame, self._ssa.out[i.predecessor], i.operand, bits))
            for i in inputs
        ]
        memories = {word.memory for _, word in found}
        if len(memories) != 1 or self._ssa.is_shared(definition.id):
            return self._any(bits, "control flow chooses between pointers")
        terms = {z3.simplify(word.term).get_id() for _, word in found}
        if len(terms) == 1:
            return found[0][1]
        made = self.theory.integer("chosen")
        ways = [
            z3.And(self._edge(frame, p, definition.block), made == word.term) for p, word in found
        ]
        reached = self.reached(frame, definition.block)
        self.theory.define(made, z3.Implies(reached, z3.Or(ways)))
        return Word(made, bits, memories.pop())

    # What loops carry.

    def _carried(self, frame: Frame, definition: Definition, bits: int) -> Word:
        loop = self._loop_of(definition.block)
        assert loop is not None
        outer = frame.outer if frame.loop is loop else frame
        assert outer is not None
        if frame.is_trial and frame.loop is loop:
            start = self._start(outer, loop, definition, bits)
            memory = None if start is None else start.memory
            return Word(self.theory.integer("trial"), bits, memory)
        start = self._start(self._entering(frame, loop), loop, definition, bits)
        if start is None or frame.back > ITERATIONS_BACK:
            return self._any(bits, "a loop carries a value on in several ways")
        step = self._step(self._entering(frame, loop), loop, definition, bits)
        if step is not None:
            term = start.term + step * self._counters.of(frame, loop)
            return Word(z3.simplify(term), bits, start.memory)
        if frame.loop is loop:
            made = self.theory.integer("before")
            return Word(made, bits, start.memory)
        return self._uneven(frame, loop, definition, start)

    def _entering(self, frame: Frame, loop: Loop) -> Frame:
        """The frame in which a loop is entered."""
        while frame.loop is loop:
            assert frame.outer is not None
            frame = frame.outer
        return frame

    def _start(self, frame: Frame, loop: Loop, definition: Definition, bits: int) -> Word | None:
        entering = [
            i for i in self._ssa.phi_inputs[definition.id] if i.predecessor not in loop.members
        ]
        if len(entering) != 1:
            return None
        (one,) = entering
        return self._operand(frame, self._ssa.out[one.predecessor], one.operand, bits)

    def _nexts(self, frame: Frame, loop: Loop, definition: Definition, bits: int) -> list[Word]:
        return [
            self._operand(frame, self._ssa.out[i.predecessor], i.operand, bits)
            for i in self._ssa.phi_inputs[definition.id]
            if i.predecessor in loop.members
        ]

    def _step(self, frame: Frame, loop: Loop, definition: Definition, bits: int) -> Term | None:
        """How much a value grows in each iteration; None where that is no one invariant term."""
        key = (id(frame), definition.id)
        if key not in self._steps:
            self._tried_step(frame, loop, definition, bits)  # what stands outside is made first
            self._steps[key] = self._tried_step(frame, loop, definition, bits)
        return self._steps[key]

    def _tried_step(
        self, frame: Frame, loop: Loop, definition: Definition, bits: int
    ) -> Term | None:
        made_before = self.theory.made
        trial = Frame(frame, loop, is_trial=True)
        own = self.word(trial, definition.id)
        nexts = self._nexts(trial, loop, definition, bits)
        if not nexts or any(n.memory != own.memory for n in nexts):
            return None
        steps = [z3.simplify(n.term - own.term, som=True) for n in nexts]
        if len({s.get_id() for s in steps}) != 1:
            return None
        newer = any(number_of(name) > made_before for name in self.theory.names(steps[0]))
        return None if newer else steps[0]

    def _uneven(self, frame: Frame, loop: Loop, definition: Definition, start: Word) -> Word:
        """What moves in another way: one step on from what it was an iteration before.

        That it does not pass its start, or 0, is tried as invariants.
        """
        bits = start.bits
        made = self.theory.integer("carried", unknown="a loop carries a value on unevenly")
        word = frame.words[definition.id] = Word(made, bits, start.memory)
        if frame.back >= ITERATIONS_BACK:
            return word
        last = self._before(frame, loop)
        nexts = [
            (i.predecessor, self._operand(last, self._ssa.out[i.predecessor], i.operand, bits))
            for i in self._ssa.phi_inputs[definition.id]
            if i.predecessor in loop.members
        ]
        if any(n.memory != start.memory for _, n in nexts):
            return word
        ways = [made == n.term for _, n in nexts]
        if len(nexts) > 1:
            ways = [
                z3.And(self._edge(last, p, definition.block), way)
                for (p, _), way in zip(nexts, ways, strict=True)
            ]
        reached = self.reached(frame, definition.block)
        first = self._counters.of(frame, loop) <= 0
        self.theory.define(made, z3.If(first, made == start.term, z3.Or(ways)))
        if frame is self.now:
            before = self.word(last, definition.id).term
            tell_invariants(self.theory, made, before, start.term, bits, reached)
        return word

    # Words read as numbers.

    def read(self, frame: Frame, word: Word, bits: int, block: int, *, signed: bool) -> Term:
        """The number that the lowest bits of a word are."""
        if word.memory is not None:
            return self._any(bits, "an address is used as a number").term
        low = -(1 << bits - 1) if signed else 0
        term = z3.simplify(word.term)
        if z3.is_int_value(term):
            return self.theory.number((term.as_long() - low) % (1 << bits) + low)
        frame = frame.of(block)
        key = (term.get_id(), bits, signed, block)
        if key not in frame.numbers:
            frame.numbers[key] = self._read(frame, term, (low, low + (1 << bits) - 1), bits, block)
        return frame.numbers[key]

    def _read(
        self, frame: Frame, term: Term, limits: tuple[int, int], bits: int, block: int
    ) -> Term:
        low, high = limits
        fits = z3.And(term >= low, term <= high)
        if frame.is_trial:
            return self.theory.integer("read")
        if frame.outer is None:
            reached = self.reached(frame, block)
            if isinstance(self.theory.decide((reached,), fits), Proven):
                return term
            if self._holds_by_induction(term, fits, block):
                return term
        elif isinstance(self.theory.decide((), fits, effort=20_000), Proven):
            return term
        made = self.theory.integer("read", low, high)
        turns = self.theory.integer("turns")
        fact = made == term - turns * (1 << bits)
        self.theory.define(made, fact)
        self.theory.tell(turns, fact)
        if frame.outer is None:
            self.turns[made.decl().name()] = (term, turns)
        return made

    def _holds_by_induction(self, term: Term, fits: Term, block: int) -> bool:
        """Whether a fact about a term holds in each iteration of a loop around."""
        for loop in self._structure.loops.containing(block):
            counter = self._counters.of(self.now, loop)
            if counter.decl().name() in self.theory.names(term) and self._tells(loop, fits):
                return True
        return False

    def _tells(self, loop: Loop, fact: Term, first: int = 0) -> bool:
        reached = self.reached(self.now, loop.header)
        return self._counters.is_inductive(self.now, loop, reached, fact, first)

    def bound_counters(self, block: int) -> None:
        """Tell what the conditions say by which loops around go on: that their numbers do not wrap.

        A loop that goes on while two numbers differ ends where they meet: neither passes the other.
        """
        for loop in reversed(self._structure.loops.containing(block)):
            if loop.id in self._bounded:
                continue
            self._bounded.add(loop.id)
            counter = self._counters.of(self.now, loop)
            for latch in loop.latches:
                self.guard(self.now, latch, len(self._blocks[latch].instructions) - 1)
                apart = self._apart(latch)
                if apart is None or counter.decl().name() not in self.theory.names(apart):
                    continue
                before = z3.substitute(apart, (counter, counter - 1))
                for fact in (before >= 0, before <= 0):
                    if self._tells(loop, fact, first=1):
                        break

    def _apart(self, latch: int) -> Term | None:
        """What the sides of the comparison that ends a block differ by, where it is of equality."""
        last = self._blocks[latch].terminator
        if last is None or last.guard is None:
            return None
        place = (latch, len(self._blocks[latch].instructions) - 1)
        made = self._ssa.operand_definition(*place, last.guard.register.index)
        if made.kind is not DefinitionKind.INSTRUCTION:
            return None
        place = (made.block, made.instruction)
        compared = self._blocks[place[0]].instructions[place[1]]
        operation = compared.operation
        if operation.name != "setp" or operation.type is None or not operation.type.is_integer:
            return None
        if not {"eq", "ne"} & set(operation.modifiers):
            return None
        left, right = (
            self.operand(self.now, place, s, operation.type.bits) for s in compared.sources[:2]
        )
        return None if left.memory != right.memory else z3.simplify(left.term - right.term)

    def wraps(self, term: Term) -> list[Term]:
        """How often the integers that a term is made from have wrapped, of those that may have."""
        found: dict[str, Term] = {}
        todo = list(self.theory.names(term))
        while todo:
            name = todo.pop()
            if name in self.turns and name not in found:
                inner, found[name] = self.turns[name]
                todo += self.theory.names(inner)
        return list(found.values())

    def deciders(self, conditions: Iterable[Term]) -> tuple[frozenset[str], frozenset[int]]:
        """The variables that conditions are made from, and blocks that these say are reached.

        Sizes, ids and counters of loops are not taken apart.
        """
        kept = self._counters.names | self._plain
        found: set[str] = set()
        todo = [name for condition in conditions for name in self.theory.names(condition)]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += () if name in kept else self.theory.sources(name)
        blocks = {block for frame in self._frames for block, at in frame.at.items()
                  if not z3.is_true(at) and at.decl().name() in found}  # fmt: skip
        return frozenset(found), frozenset(blocks)

    @cached_property
    def _plain(self) -> frozenset[str]:
        """The variables of sizes and ids."""
        terms = (*self._launch.sizes.values(), *self._launch.special.values())
        return frozenset(name for term in terms for name in self.theory.names(term))

    # Instructions.

    def _instruction(self, frame: Frame, definition: Definition, bits: int) -> Word:
        place = (definition.block, definition.instruction)
        instruction = self._blocks[place[0]].instructions[place[1]]
        stored = self._ssa.slots.written_at(*place).get(definition.register)
        if stored is not None:
            if stored.value is None or stored.by_one or self._ssa.is_shared(definition.id):
                return self._any(bits, self._data(instruction))
            result = self.operand(frame, place, stored.value, bits)
        else:
            result = self._result(frame, place, instruction, bits)
        if instruction.guard is None:
            return result
        old = self.word(frame, self._ssa.before[place[0]][place[1]][definition.register])
        if old.memory != result.memory:
            return self._any(bits, "a guard chooses between pointers")
        holds = self.guard(frame, *place)
        return Word(z3.If(holds, result.term, old.term), bits, result.memory)

    def _data(self, instruction: Instruction) -> str:
        return f"data decide: a value is loaded at line {instruction.span.line}"

    def _result(
        self, frame: Frame, place: tuple[int, int], instruction: Instruction, bits: int
    ) -> Word:
        operation = instruction.operation
        if operation.op_class is OpClass.LOAD:
            return self._loaded(frame, place, instruction, bits)
        found = computed(self._context(frame, place, instruction, bits))
        if found is not None:
            return found
        words = f"line {instruction.span.line}: {operation.opcode} is not followed"
        return self._any(bits, words)

    def _context(
        self, frame: Frame, place: tuple[int, int], instruction: Instruction, bits: int
    ) -> WordContext:
        return WordContext(
            instruction,
            bits,
            self.theory,
            operand=lambda o, n: self.operand(frame, place, o, n),
            read=lambda w, n, signed: self.read(frame, w, n, place[0], signed=signed),
            truth=lambda o: self._truth_of(frame, place, o),
        )

    def _loaded(
        self, frame: Frame, place: tuple[int, int], instruction: Instruction, bits: int
    ) -> Word:
        if self._structure.kernel.reads_parameter(instruction):
            match instruction.address:
                case Address(Symbol(name, offset), more) if instruction.operation.vector == 1:
                    return self._argument(name, offset + more, bits)
                case Symbol(name, offset):
                    return self._argument(name, offset, bits)
        register = instruction.writes[0] if len(instruction.writes) == 1 else None
        slots = self._ssa.slots
        slot = None if register is None else slots.read_at(*place).get(register)
        if slot is not None and slot.slot not in slots.shared and slot.type.bits == bits:
            return self.word(frame, self._ssa.before[place[0]][place[1]][slot.slot])
        return self._any_loaded(instruction, bits)

    def _any_loaded(self, instruction: Instruction, bits: int) -> Word:
        type_ = instruction.operation.type
        reason = self._data(instruction)
        if type_ is None or not type_.is_integer or type_.bits > bits:
            return self._any(bits, reason)
        low = -(1 << type_.bits - 1) if type_.kind is TypeKind.SIGNED else 0
        made = self.theory.integer("loaded", low, low + (1 << type_.bits) - 1, unknown=reason)
        return Word(made, bits)

    # Truth values.

    def _truth_of(self, frame: Frame, place: tuple[int, int], operand: Operand) -> Term:
        at = self._ssa.before[place[0]][place[1]]
        return self._truth_operand(frame, at, operand)

    def _truth_operand(self, frame: Frame, at: Mapping[int, int], operand: Operand) -> Term:
        match operand:
            case Reg(index) if index in at:
                return self.truth(frame, at[index])
            case NotPredicate(register):
                return z3.Not(self._truth_operand(frame, at, register))
            case Imm(value):
                return self.theory.fact(holds=bool(value & 1))
        return self.theory.truth("any", unknown="a condition is not followed")

    def truth(self, frame: Frame, id_: int) -> Term:
        """The value of a predicate."""
        definition = self._ssa.definitions[id_]
        frame = frame.of(definition.block)
        if id_ not in frame.truths:
            before = self.theory.made
            self._depth += 1
            if self._depth > _DEEPEST:
                made = self.theory.truth("any", unknown="a condition is too deep")
            else:
                made = self._truth(frame, definition)
            frame.truths.setdefault(id_, made)
            self._depth -= 1
            self._counters.own(before, definition.block)
        return frame.truths[id_]

    def _truth(self, frame: Frame, definition: Definition) -> Term:
        if definition.kind is DefinitionKind.PHI and self._loop_of(definition.block) is None:
            inputs = self._ssa.phi_inputs[definition.id]
            if not any(self._goes_back(i.predecessor, definition.block) for i in inputs):
                return self._chosen_truth(frame, definition)
        if definition.kind is not DefinitionKind.INSTRUCTION:
            return self.theory.truth("any", unknown="a loop carries a condition")
        place = (definition.block, definition.instruction)
        instruction = self._blocks[place[0]].instructions[place[1]]
        result = condition(self._context(frame, place, instruction, 1))
        if result is None:
            opcode, line = instruction.operation.opcode, instruction.span.line
            reason = f"data decide: a condition is made by {opcode} at line {line}"
            result = self.theory.truth("any", unknown=reason)
        if instruction.guard is None:
            return result
        old = self.truth(frame, self._ssa.before[place[0]][place[1]][definition.register])
        return z3.If(self.guard(frame, *place), result, old)

    def _chosen_truth(self, frame: Frame, definition: Definition) -> Term:
        made = self.theory.truth("chosen")
        ways = [
            z3.And(
                self._edge(frame, i.predecessor, definition.block),
                made == self._truth_operand(frame, self._ssa.out[i.predecessor], i.operand),
            )
            for i in self._ssa.phi_inputs[definition.id]
        ]
        reached = self.reached(frame, definition.block)
        self.theory.define(made, z3.Implies(reached, z3.Or(ways)))
        return made
