"""Which register, variable or function a name of PTX means, with nested scopes.

A scope is a function's body or a ``{ }`` inside it. Names that are declared again in an inner scope
are renamed in the IR, so that there every name means one thing.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from warpmill.analyzer.frontends.bulk import instances
from warpmill.analyzer.ir.kernel import Element, Reg, Register, Special, Symbol
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
    """What all scopes of a function share: its registers so far, and the names that are taken.

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
        """Give the kind of a register with its type: ``REG:b32``, ``REG:f32x4``."""
        return self._declared[register.index].kind

    def is_predicate(self, register: Reg) -> bool:
        """Whether a register may guard an instruction."""
        declared = self._declared[register.index]
        return declared.type.kind is TypeKind.PREDICATE and declared.vector == 1

    def __getitem__(self, index: int) -> Register:
        declared = self._declared[index]
        return Register(self._names[index], declared.type, declared.vector)

    def unique(self, name: str) -> str:
        """Give ``name``, or with a number at its end where it is taken, and take it."""
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
        """Give the kind of a name, as ``ptx.lark`` calls it, and what it stands for."""
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
        """Give the block of a label of this scope or one around it."""
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.parent
        return None

    def find_table(self, name: str) -> tuple[TargetList, NameScope] | None:
        """Give a branch target list, and the scope that its labels belong to."""
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
    """Give every way to read a name as a prefix and a number, as ``%r12`` is %r and 12."""
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
    """Give every special register without its percent sign: ``tid``, ``tid.x``, ``laneid`` …."""
    text = files(__package__).joinpath("special_registers.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    names = {*table["scalars"], *table["vectors"]}
    names |= {f"{vector}.{c}" for vector in table["vectors"] for c in _COMPONENTS}
    names |= {f"{name}{i}" for name, count in table["families"].items() for i in range(count)}
    names |= {f"{name}{i}_64" for name, count in table["numbered_64"].items() for i in range(count)}
    return frozenset(names)
