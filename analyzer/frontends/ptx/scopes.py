"""Names of PTX by scope, and the basic blocks that labels name.

A scope is a function's body or a ``{ }`` inside it. Names that are declared again in an inner scope
are renamed in the IR, so that there every name means one thing.
"""

from __future__ import annotations

import re
import sys
import tomllib
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import DebugLocation, Span
from warpmill.analyzer.base.many_objects import instances
from warpmill.analyzer.ir.kernel import (
    Block,
    Element,
    Guard,
    Instruction,
    Operand,
    Reg,
    Register,
    Special,
    Symbol,
)
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import Type, TypeKind

_DIGITS = "0123456789"
_NAME = re.compile(r"%[A-Za-z_$][\w$]*+", re.ASCII)
_NAME_OR_STRING = re.compile(r'(%[A-Za-z_$][\w$]*+)|"[^"\n]*+"', re.ASCII)
_QUOTED_NAME = re.compile(r'"[^"\n%]*+%', re.ASCII)
_NESTED = re.compile(r"\.reg\b([^;]*+)", re.ASCII)
_DECLARED_NAME = re.compile(r"[%A-Za-z_$][\w$]*+", re.ASCII)
_MOST_DIGITS = 18  # no range has a register beyond that


@dataclass(slots=True)
class FunctionNames:
    """State that all scopes of a function share: its registers so far, and the names taken.

    ``reserved`` are the names of the module, which no local name may hide in the IR.
    """

    reserved: Container[str]
    taken: set[str] = field(default_factory=set)
    _names: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)  # the last that made a name unique
    _declared: list[_Declared] = field(default_factory=list)

    @property
    def registers(self) -> tuple[Register, ...]:
        """The registers that were used, in the order of their first uses.

        Those of the ranges that a body declares at its start, as compilers do, come before others.
        """
        types = [declared.type for declared in self._declared]
        vectors = [declared.vector for declared in self._declared]
        return tuple(instances(Register, (self._names, types, vectors)))

    def kind(self, register: Reg) -> str:
        """The kind of a register with its type: ``REG:b32``, ``REG:f32x4``."""
        return self._declared[register.index].kind

    def is_predicate(self, register: Reg) -> bool:
        """Whether a register may guard an instruction."""
        declared = self._declared[register.index]
        return declared.type.kind is TypeKind.PREDICATE and declared.vector == 1

    def __getitem__(self, index: int) -> Register:
        declared = self._declared[index]
        return Register(self._names[index], declared.type, declared.vector)

    def unique(self, name: str) -> str:
        """``name``, or with a number at its end where it is taken, and take it."""
        if name not in self.taken and name not in self.reserved:
            self.taken.add(name)
            return name
        chosen, number = name, self._numbers.get(name, 1)
        while chosen in self.taken or chosen in self.reserved:
            number += 1
            chosen = f"{name}_{number}"
        self._numbers[name] = number
        self.taken.add(chosen)
        return chosen

    def add_register(self, name: str, declared: _Declared) -> Reg:
        """Make a register; it is called at the first use, so registers stand in that order."""
        names, taken = self._names, self.taken
        if name in taken or name in self.reserved:
            name = self.unique(name)
        taken.add(name)
        register = Reg(len(names))
        names.append(name)
        self._declared.append(declared)
        return register

    def temporary(self, type_: Type) -> Reg:
        """Make a register that the text does not have."""
        return self.add_register("%index", _Declared.make(1, type_, 1))

    def add_registers(self, wanted: Mapping[str, _Declared]) -> list[Reg]:
        """Do ``add_register`` for many."""
        start, taken, reserved = len(self._names), self.taken, self.reserved
        are_free = taken.isdisjoint(wanted) and not any(map(reserved.__contains__, wanted))
        names = list(wanted) if are_free else [self.unique(name) for name in wanted]
        taken.update(names)
        self._names += names
        self._declared += wanted.values()
        return instances(Reg, (range(start, start + len(names)),))


class TargetList(NamedTuple):
    """The labels of a ``.branchtargets``, and where that statement is."""

    targets: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Declared:
    """A declaration of registers; ``kind`` is what fragments call them, their type included."""

    count: int
    type: Type
    vector: int
    kind: str

    @classmethod
    def make(cls, count: int, type_: Type, vector: int) -> _Declared:
        kind = f"REG:{type_.name}" if vector == 1 else f"REG:{type_.name}x{vector}"
        return cls(count, type_, vector, sys.intern(kind))


class Numbered(NamedTuple):
    """Registers that were made together: their names, the registers and their kinds, in step."""

    names: list[str]
    registers: list[Reg]
    kinds: list[str]


class NameScope:
    """The names of one pair of braces; a lookup that fails goes on in the scope around it."""

    def __init__(self, function: FunctionNames, parent: NameScope | None = None) -> None:
        self.function = function
        self.parent = parent
        self.labels: dict[str, int] = {}
        self.tables: dict[str, TargetList] = {}
        self._plain: dict[str, _Declared] = {}
        self._ranges: dict[str, _Declared] = {}
        self._known: dict[str, Reg | Symbol] = {}
        self._own: list[str] = []  # the names and prefixes that it declares
        self._lowest: dict[str, int] = {}
        self._has_odd_range = False

    def declare_register(self, name: str, count: int | None, type_: Type, vector: int) -> bool:
        """Declare a register or, with a count, a range; False where the scope has it already."""
        if self._is_declared(name, count):
            return False
        if count is None:
            self._plain[name] = _Declared.make(1, type_, vector)
        else:
            self._ranges[name] = _Declared.make(count, type_, vector)
            self._has_odd_range |= name[-1] in _DIGITS
        self._own.append(name)
        self._note(name if count is None else name + "0")
        return True

    def may_name(self, text: str) -> bool:
        """Whether a text may have a name in it that this scope declares itself."""
        return any(name in text for name in self._own)

    def declare_symbol(self, name: str, symbol: Symbol | None = None) -> Symbol | None:
        """Declare a variable and give its name in the IR; None where the scope has it already."""
        if self._is_declared(name, None):
            return None
        declared = symbol or Symbol(self.function.unique(name))
        self._known[name] = declared
        self._own.append(name)
        self._note(name)
        return declared

    def bind_register(self, name: str, type_: Type, vector: int) -> Reg | None:
        """Declare a register and give it; None where the scope has the name already."""
        if not self.declare_register(name, None, type_, vector):
            return None
        return self._register(name, self._plain[name])

    def number_registers(self, text: str, start: int, end: int) -> Numbered:
        """Make the registers of this scope's ranges that a part of a text names, all at once.

        Nothing is made where a declaration in that part could hide one of them; then they are made
        one by one.
        """
        if self._has_odd_range or self._may_hide(_NESTED.findall(text, start, end)):
            return Numbered([], [], [])
        pattern = _NAME if _QUOTED_NAME.search(text, start, end) is None else _NAME_OR_STRING
        get_range = self._ranges.get
        wanted: dict[str, _Declared] = {}
        for name in dict.fromkeys(pattern.findall(text, start, end)):
            prefix = name.rstrip(_DIGITS)
            declared = get_range(prefix)
            if declared is None:
                continue
            digits = name[len(prefix) :]
            is_plain = digits != "" and digits[0] != "0" and len(digits) <= _MOST_DIGITS
            if (is_plain or digits == "0") and int(digits) < declared.count:
                wanted[name] = declared
        for name in wanted.keys() & (self._known.keys() | self._plain.keys()):
            del wanted[name]
        registers = self.function.add_registers(wanted)
        names = list(wanted)
        self._known.update(zip(names, registers, strict=True))
        return Numbered(names, registers, [declared.kind for declared in wanted.values()])

    def _may_hide(self, declarations: list[str]) -> bool:
        names = [name for text in declarations for name in _DECLARED_NAME.findall(text)]
        return any(n in self._ranges or n.rstrip(_DIGITS) in self._ranges for n in names)

    def numbered_register(self, name: str) -> Reg | None:
        """Do for most registers what ``resolve`` does for all: one of a range.

        None means nothing. A large part of a parse's time goes into first uses of registers.
        """
        prefix = name.rstrip(_DIGITS)
        digits = name[len(prefix) :]
        if not digits or digits[0] == "0" or len(digits) > _MOST_DIGITS:
            return None
        scope: NameScope | None = self
        while scope is not None:
            if (found := scope._known.get(name)) is not None:
                return found if type(found) is Reg else None
            if scope._has_odd_range or name in scope._plain:
                return None
            declared = scope._ranges.get(prefix)
            if declared is not None and int(digits) < declared.count:
                scope._known[name] = made = self.function.add_register(name, declared)
                return made
            scope = scope.parent
        return None

    def resolve(self, name: str) -> tuple[str, object]:
        """The kind of a name, as ``ptx.lark`` calls it, and what it stands for."""
        scope: NameScope | None = self
        while scope is not None:
            found = scope._known.get(name) or scope._first_use(name)
            if found is not None:
                return ("REG" if type(found) is Reg else "NAME"), found
            scope = scope.parent
        if name[0] == "%" and name[1:] in special_registers():
            return "SPECIAL", Special(name[1:])
        base, dot, component = name.partition(".")
        if dot:
            kind, register = self.resolve(base)
            if kind == "REG" and isinstance(register, Reg):
                return "ELEMENT", Element(register, component)
        return "LABEL", name

    def find_label(self, name: str) -> int | None:
        """The block of a label of this scope or one around it."""
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.parent
        return None

    def find_table(self, name: str) -> tuple[TargetList, NameScope] | None:
        """A branch target list, and the scope that its labels belong to."""
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.tables:
                return scope.tables[name], scope
            scope = scope.parent
        return None

    def _first_use(self, name: str) -> Reg | None:
        """Make the register of a declared name that was not used before."""
        declared = self._plain.get(name) or self._range_of(name)
        return None if declared is None else self._register(name, declared)

    def _register(self, name: str, declared: _Declared) -> Reg:
        register = self.function.add_register(name, declared)
        self._known[name] = register
        return register

    def _range_of(self, name: str) -> _Declared | None:
        """Find the range that a name with a number at its end belongs to."""
        prefix = name.rstrip(_DIGITS)
        found = self._ranges.get(prefix)
        digits = name[len(prefix) :]
        if found is not None and _is_number(digits) and int(digits) < found.count:
            return found
        return self._odd_range_of(name) if self._has_odd_range else None

    def _odd_range_of(self, name: str) -> _Declared | None:
        """Find it among ranges whose own name ends in digits, as ``%f1<4>`` has %f10."""
        for prefix, number in _splits(name):
            found = self._ranges.get(prefix)
            if found is not None and number < found.count:
                return found
        return None

    def _is_declared(self, name: str, count: int | None) -> bool:
        if count is None:
            return name in self._plain or name in self._known or self._range_of(name) is not None
        if count == 0:
            return name in self._ranges
        # two ranges overlap only where the first register of one lies in the other
        return self._lowest.get(name, count) < count or self._is_declared(name + "0", None)

    def _note(self, name: str) -> None:
        """Remember a name under every range that could cover it."""
        for prefix, number in _splits(name):
            self._lowest[prefix] = min(number, self._lowest.get(prefix, number))


def _splits(name: str) -> Iterator[tuple[str, int]]:
    """Every way to read a name as a prefix and a number, as ``%r12`` is %r and 12."""
    for split in range(len(name.rstrip(_DIGITS)), len(name)):
        if _is_number(name[split:]):
            yield name[:split], int(name[split:])


def _is_number(digits: str) -> bool:
    """Whether digits are the number of a register: no zeros before it, not beyond any range."""
    return 0 < len(digits) <= _MOST_DIGITS and (digits[0] != "0" or digits == "0")


# The names of special registers, from ``special_registers.toml``.

_COMPONENTS = "xyzw"


@cache
def special_registers() -> frozenset[str]:
    """Every special register without its percent sign: ``tid``, ``tid.x``, ``laneid`` …."""
    text = files(__package__).joinpath("special_registers.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    names = {*table["scalars"], *table["vectors"]}
    names |= {f"{vector}.{c}" for vector in table["vectors"] for c in _COMPONENTS}
    names |= {f"{name}{i}" for name, count in table["families"].items() for i in range(count)}
    names |= {f"{name}{i}_64" for name, count in table["numbered_64"].items() for i in range(count)}
    return frozenset(names)


# Basic blocks in the making: instructions in order, labels, and branches that look forward.


@dataclass(slots=True)
class _OpenBlock:
    """A block as it was met; ``is_ended`` after a branch or return, ``is_target`` of a branch.

    ``start`` is the place of its first instruction in the function.
    """

    start: int
    labels: list[str]
    is_ended: bool = False
    falls_through: bool = True
    is_target: bool = False


@dataclass(frozen=True, slots=True)
class Jump:
    """A branch whose targets are still names.

    ``place`` is that of the instruction in the function, ``start`` and ``end`` are the offsets of
    its statement.
    """

    place: int
    name: str
    is_indexed: bool
    scope: NameScope
    start: int
    end: int


class MissingLabel(NamedTuple):
    """A name that a branch or its target list goes to and that is not there.

    ``start`` and ``end`` are those of the text that names it.
    """

    name: str
    start: int
    end: int


class BlockList:
    """The blocks of one function, in the order of the text.

    A label that no branch names starts no block: compilers put such labels everywhere for the
    debugger. Where it stands at the start of a block it still may give the block its name.

    The lists hold the fields of the instructions so far: the objects are made at the end, together.
    """

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.operands: list[tuple[Operand, ...]] = []
        self.spans: list[Span] = []
        self.guards: list[Guard | None] = []
        self.debugs: list[DebugLocation | None] = []
        self._blocks: list[_OpenBlock] = [_OpenBlock(0, [])]
        self._jumps: list[Jump] = []
        self._pragmas: list[tuple[int, str]] = []  # with the number of instructions before
        self._labels = FunctionNames(reserved=())

    def add(
        self,
        operation: Operation,
        operands: tuple[Operand, ...],
        span: Span,
        guard: Guard | None,
        debug: DebugLocation | None,
    ) -> None:
        """Append an instruction to the last block."""
        self.operations.append(operation)
        self.operands.append(operands)
        self.spans.append(span)
        self.guards.append(guard)
        self.debugs.append(debug)

    def add_label(self, name: str, scope: NameScope) -> bool:
        """Start a block at a label; False where the scope has that label already."""
        if name in scope.labels:
            return False
        if self._blocks[-1].start < len(self.spans):
            self._start_block()
        self._blocks[-1].labels.append(self._labels.unique(name))
        scope.labels[name] = len(self._blocks) - 1
        return True

    def add_pragmas(self, texts: list[str]) -> None:
        """Note hints about the block that the next instruction belongs to."""
        self._pragmas += [(len(self.spans), text) for text in texts]

    def end(self, falls_through: bool) -> None:
        """Close the block after its last instruction; a guarded one falls through."""
        self._blocks[-1].is_ended = True
        self._blocks[-1].falls_through = falls_through
        self._start_block()

    def jump(self, name: str, is_indexed: bool, scope: NameScope, start: int, end: int) -> None:
        """Note that the last instruction branches to ``name``, or by the list of that name."""
        self._jumps.append(Jump(len(self.spans) - 1, name, is_indexed, scope, start, end))

    def finish(
        self, return_span: Span, debug: DebugLocation | None
    ) -> tuple[tuple[Block, ...], list[MissingLabel]]:
        """Resolve the branches and give the blocks, and the labels that are not there.

        Where control can reach the end, a ``ret`` at ``return_span`` becomes the last instruction.
        """
        missing: list[MissingLabel] = []
        targets = [self._targets(jump, missing) for jump in self._jumps]
        for target in (t for ts in targets for t in ts):
            self._blocks[target].is_target = True
        if self._reaches_end():
            self.add(decode("ret"), (), return_span, None, debug)
            self._blocks[-1].falls_through = False
        ids = self._ids()
        final: list[tuple[int, ...]] = [()] * len(self.spans)
        for jump, places in zip(self._jumps, targets, strict=True):
            final[jump.place] = tuple([ids[place] for place in places])
        fields = self.operations, self.operands, self.spans, self.guards, final, self.debugs
        return self._finished(ids, instances(Instruction, fields)), missing

    def _start_block(self) -> None:
        self._blocks.append(_OpenBlock(len(self.spans), []))

    def _reaches_end(self) -> bool:
        last = self._blocks[-1]
        is_used = last.start < len(self.spans) or last.is_target
        return is_used or len(self._blocks) == 1 or self._blocks[-2].falls_through

    def _targets(self, jump: Jump, missing: list[MissingLabel]) -> list[int]:
        """The blocks that a jump names, as they were met, and note what is not there."""
        wanted = TargetList((jump.name,), jump.start, jump.end)
        scope = jump.scope
        if jump.is_indexed:
            table = scope.find_table(jump.name)
            if table is None:
                missing.append(MissingLabel(jump.name, jump.start, jump.end))
                return []
            wanted, scope = table
        found = [(name, scope.find_label(name)) for name in wanted.targets]
        missing += [MissingLabel(n, wanted.start, wanted.end) for n, b in found if b is None]
        return [block for _, block in found if block is not None]

    def _ids(self) -> list[int]:
        """Each block as it was met the id of the one that it becomes a part of."""
        ids = [0]
        for before, block in pairwise(self._blocks):
            is_rest = not block.is_target and not before.is_ended
            is_last = block is self._blocks[-1]
            is_empty_end = is_last and not block.is_target and block.start == len(self.spans)
            ids.append(ids[-1] + (not is_rest and not is_empty_end))
        return ids

    def _finished(self, ids: list[int], instructions: list[Instruction]) -> tuple[Block, ...]:
        parts: list[list[_OpenBlock]] = [[] for _ in range(ids[-1] + 1)]
        for block, place in zip(self._blocks, ids, strict=True):
            parts[place].append(block)
        ends = [*(part[0].start for part in parts[1:]), len(instructions)]
        pragmas: list[list[str]] = [[] for _ in parts]
        for before, text in self._pragmas:
            pragmas[min(bisect_right(ends, before), len(parts) - 1)].append(text)
        return tuple(
            Block(
                id=place,
                label=self._label(place, part[0]),
                instructions=tuple(instructions[part[0].start : end]),
                fallthrough=self._fallthrough(place, part, end, place == ids[-1]),
                attributes=tuple(dict.fromkeys(pragmas[place])),
            )
            for place, (part, end) in enumerate(zip(parts, ends, strict=True))
        )

    def _fallthrough(
        self, place: int, parts: list[_OpenBlock], end: int, is_last: bool
    ) -> int | None:
        """The next block where control can leave the last part that has instructions."""
        last = next(p for p in reversed(parts) if p.start < end or p is parts[0])
        return place + 1 if last.falls_through and not is_last else None

    def _label(self, place: int, block: _OpenBlock) -> str:
        return block.labels[0] if block.labels else self._labels.unique(f"bb{place}")
