"""A kernel that computes its addresses a second time, in integers that do not wrap.

For each register of 32 bits that an address follows from by addition, multiplication, shifts by a
number and their like, there is one of 64 bits that holds what the arithmetic comes to, and for the
address another one. Where both differ at an access, a narrower integer has wrapped on the way. What
bits are made of otherwise (``and``, ``shr``, ``rem``, loads) is taken as it is: hashes and random
numbers wrap by intention. A value that wraps and comes back is none that wraps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    EdgeCopies,
    Imm,
    Instruction,
    Kernel,
    Negated,
    Operand,
    Pair,
    Reg,
    Register,
    Special,
)
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import TYPES, Space, Type, TypeKind
from warpmill.executor.sanitizers.numeric_checks import NUMERIC

CHECK = "check.address"
"""The operation that compares an address with the exact one."""

_WIDE, _NARROW = 64, 32
_SPACES = frozenset({Space.GLOBAL, Space.GENERIC, Space.CONST})
"""Spaces whose addresses have 64 bits."""

_LINEAR = frozenset({"add", "sub", "neg", "mul", "mad", "shl", "mov", "cvt", "cvta", "selp", "lea"})


@dataclass(frozen=True)
class Narrow:
    """A register of 32 bits as its reader reads it, or one of 64 (``signed`` then)."""

    index: int
    signed: bool


def with_exact_addresses(kernel: Kernel) -> Kernel:
    """The kernel, with a ``check.address`` before each access whose address may have wrapped.

    The kernel itself where there is no such access.
    """
    return _Rewriter(kernel).written()


def with_exact_accesses(kernel: Kernel) -> Kernel:
    """The kernel, with accesses that go where exact integers lead."""
    return _Rewriter(kernel, replaces=True).written()


def original_places(original: Kernel, rewritten: Kernel) -> dict[tuple[int, int], tuple[int, int]]:
    """The place in the original kernel of each place of the rewritten one.

    That of an instruction that was added is that of the next one which was there before; of one
    that looks at a result (``check.numeric``) that of the one before.
    """
    found = {}
    for before, after in zip(original.blocks, rewritten.blocks, strict=True):
        own = {id(instruction): place for place, instruction in enumerate(before.instructions)}
        following = len(before.instructions) - 1
        for place in reversed(range(len(after.instructions))):
            following = own.get(id(after.instructions[place]), following)
            found[after.id, place] = (before.id, following)
        last = 0
        for place, instruction in enumerate(after.instructions):
            last = own.get(id(instruction), last)
            if instruction.operation.name == NUMERIC:
                found[after.id, place] = (before.id, last)
    return found


@dataclass
class _Rewriter:
    """Finds what addresses follow from, and writes the second computation."""

    kernel: Kernel
    replaces: bool = False  # accesses, where they are else checked
    registers: list[Register] = field(init=False)
    exact: dict[Narrow, Reg] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.registers = list(self.kernel.registers)

    @cached_property
    def _first(self) -> Instruction:
        return next(iter(self.kernel.instructions))

    # What follows from what.

    @cached_property
    def _writers(self) -> Mapping[int, Sequence[Instruction]]:
        found: dict[int, list[Instruction]] = {}
        for instruction in self.kernel.instructions:
            for index in instruction.writes:
                found.setdefault(index, []).append(instruction)
        return found

    @cached_property
    def _copied(self) -> Mapping[int, Sequence[Operand]]:
        found: dict[int, list[Operand]] = {}
        for block in self.kernel.blocks:
            for edge in block.incoming:
                for register, value in edge.copies:
                    found.setdefault(register.index, []).append(value)
        return found

    def _bits(self, index: int) -> int:
        register = self.kernel.registers[index]
        whole = register.type.is_integer and register.type.lanes == 1 and register.vector == 1
        return register.type.bits if whole else 0

    def _sources(self, of: Narrow) -> Iterator[Narrow]:
        """The registers that a register's values follow from by linear arithmetic."""
        for instruction in self._writers.get(of.index, ()):
            for operand, signed in _terms(instruction, of, self._bits(of.index)) or ():
                yield from self._node(operand, signed=signed)
        for value in self._copied.get(of.index, ()):
            yield from self._node(value, signed=of.signed)

    def _node(self, operand: Operand, *, signed: bool) -> Iterator[Narrow]:
        inner = operand.operand if isinstance(operand, Negated) else operand
        if isinstance(inner, Reg) and (bits := self._bits(inner.index)) in {_WIDE, _NARROW}:
            yield Narrow(inner.index, signed or bits == _WIDE)

    def _suspects(self, roots: Iterable[Narrow]) -> set[Narrow]:
        """The registers that an address follows from and in whose arithmetic 32 bits may wrap."""
        sources: dict[Narrow, list[Narrow]] = {}
        todo = list(roots)
        while todo:
            one = todo.pop()
            if one not in sources:
                sources[one] = list(self._sources(one))
                todo += sources[one]
        readers: dict[Narrow, list[Narrow]] = {}
        for one, own in sources.items():
            for source in own:
                readers.setdefault(source, []).append(one)
        todo = [one for one in sources if self._may_wrap(one)]
        found: set[Narrow] = set()
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                todo += readers.get(one, ())
        return found

    def _may_wrap(self, one: Narrow) -> bool:
        if self._bits(one.index) != _NARROW:
            return False
        return any(
            _terms(i, one, _NARROW) is not None and i.operation.name not in {"mov", "selp"}
            for i in self._writers.get(one.index, ())
        )

    def _with_copied(self, suspects: Iterable[Narrow]) -> set[Narrow]:
        """With what edges copy into suspects: nothing can be computed on an edge."""
        found, todo = set[Narrow](), list(suspects)
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                for value in self._copied.get(one.index, ()):
                    todo += self._node(value, signed=one.signed)
        return found

    # Writing.

    def written(self) -> Kernel:
        """Write the kernel."""
        roots = {
            Narrow(base.index, signed=True)
            for instruction in self.kernel.instructions
            for base in _bases(instruction)
            if self._bits(base.index) == _WIDE
        }
        suspects = self._suspects(roots)
        if not suspects & roots:
            return self.kernel
        kept = self._with_copied(suspects)
        ordered = sorted(kept, key=lambda one: (one.index, one.signed))
        self.exact = {one: self._new() for one in ordered}
        blocks = tuple(map(self._block, self.kernel.blocks))
        return replace(self.kernel, registers=tuple(self.registers), blocks=blocks)

    def _new(self, type_: str = "s64") -> Reg:
        self.registers.append(Register(f"%exact{len(self.registers)}", TYPES[type_]))
        return Reg(len(self.registers) - 1)

    def _block(self, block: Block) -> Block:
        made: list[Instruction] = []
        if block.id == 0:
            given = (p.register for p in self.kernel.parameters if p.register is not None)
            made += [i for r in given for i in self._taken(r.index, None)]
        for instruction in block.instructions:
            made += self._before(instruction)
            made.append(self._accessing(instruction) if self.replaces else instruction)
            if instruction is not block.terminator:
                made += self._after(instruction)
        incoming = tuple(self._edge(edge) for edge in block.incoming)
        return replace(block, instructions=tuple(made), incoming=incoming)

    def _before(self, instruction: Instruction) -> Iterator[Instruction]:
        """Checks of the addresses; and what a register that is overwritten is still needed for."""
        for base in _bases(instruction):
            exact = self.exact.get(Narrow(base.index, signed=True))
            if exact is not None and not self.replaces:
                yield _like(instruction, CHECK, (base, exact))
        for index in instruction.writes:
            for one in self._of(index):
                terms = _terms(instruction, one, self._bits(index))
                if terms is not None:
                    yield from self._computed(instruction, one, terms)

    def _accessing(self, instruction: Instruction) -> Instruction:
        """An instruction whose addresses are the exact ones."""
        every = {base: Narrow(base.index, signed=True) for base in _bases(instruction)}
        exact = {base: self.exact.get(one) for base, one in every.items()}
        operands = tuple(
            replace(o, base=exact.get(o.base) or o.base)
            if isinstance(o, Address) and isinstance(o.base, Reg)
            else o
            for o in instruction.operands
        )
        return replace(instruction, operands=operands)

    def _after(self, instruction: Instruction) -> Iterator[Instruction]:
        """What a register holds that was made in another way."""
        for index in instruction.writes:
            for one in self._of(index):
                if _terms(instruction, one, self._bits(index)) is None:
                    yield from self._taken(index, instruction)

    def _of(self, index: int) -> list[Narrow]:
        both = (Narrow(index, signed=True), Narrow(index, signed=False))
        return [one for one in both if one in self.exact]

    def _taken(self, index: int, after: Instruction | None) -> Iterator[Instruction]:
        place = replace(self._first, guard=None) if after is None else after
        for one in self._of(index):
            yield _like(place, _widening(one, self._bits(index)), (self.exact[one], Reg(index)))

    def _computed(
        self, instruction: Instruction, one: Narrow, terms: Sequence[tuple[Operand, bool]]
    ) -> Iterator[Instruction]:
        """The operation on exact values."""
        made: list[Instruction] = []
        operands = [self._exact(instruction, t, signed=s, made=made) for t, s in terms]
        yield from made
        opcode = _exact_opcode(instruction.operation)
        rest: tuple[Operand, ...] = ()
        if instruction.operation.name in {"shl", "selp"}:
            rest = (instruction.sources[-1],)
        if instruction.operation.name == "lea":
            base, index, scale, offset = operands
            moved = self._new()
            yield _like(instruction, "mad.lo.s64", (moved, index, scale, base))
            opcode, operands = "add.s64", [moved, offset]
        yield _like(instruction, opcode, (self.exact[one], *operands, *rest))

    def _exact(
        self, instruction: Instruction, operand: Operand, *, signed: bool, made: list[Instruction]
    ) -> Operand:
        """The exact value of an operand, as a signed number of 64 bits."""
        match operand:
            case Imm(value):
                return Imm(TYPES["s32"].read_near_zero(value) if abs(value) < 1 << 32 else value)
            case Negated(inner):
                negative = self._new()
                exact = self._exact(instruction, inner, signed=signed, made=made)
                made.append(_like(instruction, "neg.s64", (negative, exact)))
                return negative
            case Reg(index):
                bits = self._bits(index)
                one = Narrow(index, signed or bits == _WIDE)
                if one in self.exact:
                    return self.exact[one]
                if bits == _WIDE:
                    return operand
                return self._widened(instruction, operand, one, bits, made)
            case Special():
                held = self._new("u32")
                made.append(_like(instruction, "mov.u32", (held, operand)))
                return self._widened(instruction, held, Narrow(held.index, signed), _NARROW, made)
        return operand

    def _widened(
        self, instruction: Instruction, operand: Reg, one: Narrow, bits: int,
        made: list[Instruction],
    ) -> Reg:  # fmt: skip
        wide = self._new()
        made.append(_like(instruction, _widening(one, bits), (wide, operand)))
        return wide

    def _edge(self, edge: EdgeCopies) -> EdgeCopies:
        more = [
            (self.exact[one], self._on_edge(value, one))
            for register, value in edge.copies
            for one in self._of(register.index)
        ]
        return EdgeCopies(edge.predecessor, (*edge.copies, *more))

    def _on_edge(self, value: Operand, one: Narrow) -> Operand:
        """The exact value of what an edge copies: where it is not known, the register itself."""
        if isinstance(value, Imm):
            return Imm(TYPES["s32"].read_near_zero(value.value))
        if isinstance(value, Reg):
            return self.exact.get(Narrow(value.index, one.signed), value)
        return value


def _bases(instruction: Instruction) -> Iterator[Reg]:
    """The registers of an instruction's addresses of 64 bits."""
    for address, _ in instruction.accesses:
        spaces = instruction.operation.spaces or (Space.GENERIC,)
        is_wide = any(space in _SPACES for space in spaces)
        if is_wide and isinstance(address, Address) and isinstance(address.base, Reg):
            yield address.base


def _terms(
    instruction: Instruction, of: Narrow, bits: int
) -> tuple[tuple[Operand, bool], ...] | None:
    """The operands that a result follows from linearly, and whether each is read as signed.

    None where it does not.
    """
    operation, words = instruction.operation, instruction.operation.modifiers
    type_ = operation.type
    name = operation.name
    if name not in _LINEAR or len(instruction.destinations) != 1 or "cc" in words:
        return None
    if isinstance(instruction.destinations[0], Pair) or bits not in {_WIDE, _NARROW}:
        return None
    sources = instruction.sources
    if name == "lea":
        return tuple((s, True) for s in sources)
    if type_ is None or not type_.is_integer or type_.lanes != 1 or "sat" in words:
        return None
    if name in {"mul", "mad"}:
        return _product_terms(instruction, type_, of, words)
    if name == "cvt":
        return _conversion_terms(operation, sources, of)
    if type_.bits not in {_WIDE, _NARROW} or type_.bits != bits:
        return None
    if name == "cvta":
        same = operation.spaces[:1] == (Space.GLOBAL,)
        return ((sources[0], True),) if same else None
    if name in {"shl", "selp"}:
        sources = sources[:-1]
    if name == "mov" and not isinstance(sources[0], Reg | Imm | Special):
        return None
    return tuple((s, of.signed) for s in sources)


def _product_terms(
    instruction: Instruction, type_: Type, of: Narrow, words: tuple[str, ...]
) -> tuple[tuple[Operand, bool], ...] | None:
    sources = instruction.sources
    if "wide" in words and type_.bits == _NARROW:
        signed = type_.kind is TypeKind.SIGNED
        return (*((s, signed) for s in sources[:2]), *((s, True) for s in sources[2:]))
    if "lo" in words and type_.bits in {_WIDE, _NARROW}:
        return tuple((s, of.signed) for s in sources)
    return None


def _conversion_terms(
    operation: Operation, sources: tuple[Operand, ...], of: Narrow
) -> tuple[tuple[Operand, bool], ...] | None:
    to, source = operation.types[0], operation.types[-1]
    if not (to.is_integer and source.is_integer) or len(operation.modifiers) != len(
        operation.types
    ):
        return None  # rounded, saturated, of halves
    if to.bits not in {_WIDE, _NARROW} or source.bits not in {_WIDE, _NARROW}:
        return None
    widens = to.bits > source.bits
    return ((sources[0], source.kind is TypeKind.SIGNED if widens else of.signed),)


_OPCODES = {
    "add": "add.s64", "sub": "sub.s64", "neg": "neg.s64", "mul": "mul.lo.s64", "mad": "mad.lo.s64",
    "shl": "shl.b64", "mov": "mov.b64", "cvt": "mov.b64", "cvta": "mov.b64", "selp": "selp.b64",
}  # fmt: skip


def _exact_opcode(operation: Operation) -> str:
    return _OPCODES.get(operation.name, "")


def _widening(one: Narrow, bits: int) -> str:
    if bits == _WIDE:
        return "mov.b64"
    return "cvt.s64.s32" if one.signed else "cvt.s64.u32"


def _like(instruction: Instruction, opcode: str, operands: tuple[Operand, ...]) -> Instruction:
    """An instruction at the place of another one, and under its guard."""
    return replace(instruction, operation=decode(opcode), operands=operands, targets=())
