"""Operands of one scope, remembered by their text.

A statement's operands are cut at commas into fragments. A fragment is mostly one operand; of a
vector it is a part. The same few texts return all the time, so each is lexed once a scope. The most
usual forms are read by shortcuts, which give what the grammar gives and nothing else. An element of
an array, ``array[index]``, is written as an address. Opcodes are looked up once for each shape of
their operands (``Prepared``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

from warpmill.analyzer.base.diagnostics import DebugLocation
from warpmill.analyzer.base.many_objects import instances
from warpmill.analyzer.frontends.ptx.declarations import Indexed, Location
from warpmill.analyzer.frontends.ptx.grammar import (
    RejectedError,
    StatementTemplate,
    address_of,
    template,
    with_decimals,
)
from warpmill.analyzer.frontends.ptx.lexer import FaultError, float_bits, operand_shape
from warpmill.analyzer.frontends.ptx.problems import Problems
from warpmill.analyzer.frontends.ptx.scopes import FunctionNames, NameScope
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Guard,
    Imm,
    Operand,
    Pair,
    Reg,
    Special,
    Symbol,
    Vector,
)
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role, decode
from warpmill.analyzer.ir.types import TYPES, OpClass, TypeKind

Fragment = tuple[str, Any, tuple[object, ...]]
"""Text between two commas: its shape, the operand or guard that it is (None where it is a
part of one), and the values of its tokens. There are very many: a plain tuple."""

_DECIMAL = r"(?:0|[1-9][0-9]{0,17})"
_INTEGER = re.compile(rf"(-?)({_DECIMAL})", re.ASCII)
_ADDRESS = re.compile(rf"\[ ?+([%A-Za-z_$][\w$]*+)(?: ?+\+ ?+(-?)({_DECIMAL}))? ?+\]", re.ASCII)
_REGISTER_ADDRESS = re.compile(rf"(\[ ?+(%[\w$]++)(?: ?+\+ ?+({_DECIMAL}))? ?+\])", re.ASCII)
_PLAIN_NAME = re.compile(r"(?!_$|WARP_SZ$)%?[A-Za-z_$][\w$]*+(?:\.[xyzw])?", re.ASCII)
_BITS = re.compile(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", re.ASCII)

_REGISTER = re.compile(r"REG:\w+", re.ASCII)


@cache
def _address_shapes(kind: str) -> tuple[str, str, str]:
    """The shapes of an address with a base of this kind: bare, plus, plus a negative."""
    return sys.intern(f"[ {kind} ]"), sys.intern(f"[ {kind} + INT ]"), f"[ {kind} + - INT ]"


@cache
def grammar_shape(shape: str) -> str:
    """A shape as the grammar has it, where all registers are of one kind."""
    return _REGISTER.sub("REG", shape)


class Fragments(dict[str, Fragment]):
    """The fragments of a scope; looking up a new text reads it. May raise FaultError.

    What names nothing of the scope's own means the same as in the scope ``around`` it.
    """

    def __init__(self, scope: NameScope, around: Fragments | None = None) -> None:
        super().__init__()
        self._scope = scope
        self._around = around

    def number_registers(self, text: str, start: int, end: int) -> None:
        """Read most registers that a part of a text names at once, which is much faster."""
        names, registers, kinds = self._scope.number_registers(text, start, end)
        self.update(
            zip(names, zip(kinds, registers, zip(registers, strict=True), strict=True), strict=True)
        )
        self._add_addresses(dict.fromkeys(_REGISTER_ADDRESS.findall(text, start, end)))

    def _add_addresses(self, found: Iterable[tuple[str, str, str]]) -> None:
        """Read addresses at once: a known register as a base with an offset, or without one."""
        known = [(text, *self[name][:2], digits) for text, name, digits in found if name in self]
        offsets = [int(digits or "0") for *_, digits in known]
        addresses = instances(Address, ([base for _, _, base, _ in known], offsets))
        for (text, kind, base, digits), address in zip(known, addresses, strict=True):
            bare, plus, _ = _address_shapes(kind)
            if digits:
                self[text] = plus, address, (base, Imm(address.offset))
            else:
                self[text] = bare, address, (base,)

    def __missing__(self, text: str) -> Fragment:
        """Read a text that is new in the scope, and remember what it is."""
        if self._around is not None and not self._scope.may_name(text):
            self[text] = same = self._around[text]
            return same
        first = text[:1]
        made: Fragment | None = None
        if first == "%":
            register = self._scope.numbered_register(text)
            if register is not None:
                kind = self._scope.function.kind(register)
                self[text] = made = kind, register, (register,)
                return made
            made = self._closing(text) or self._pair(text)
        elif first == "[":
            made = self._address(text)
        elif first == "@":
            made = self._guard(text)
        elif first == "{":
            made = self._opening(text)
        elif first == "-" or first.isdigit():
            made = _constant(text)
        if made is None and _PLAIN_NAME.fullmatch(text) is not None:
            made = self._named(text)
        self[text] = made = made or self._made(text)
        return made

    def _named(self, text: str) -> Fragment | None:
        kind, value = self._scope.resolve(text)
        if kind == "LABEL":
            return kind, None, (value,)
        if isinstance(value, Reg):
            return self._scope.function.kind(value), value, (value,)
        return (kind, value, (value,)) if isinstance(value, Symbol | Special) else None

    def _address(self, text: str) -> Fragment | None:
        match = _ADDRESS.fullmatch(text)
        if match is None:
            return None
        name, minus, digits = match.groups()
        kind, base, values = self[name]
        if not kind.startswith("REG:") and kind != "NAME":
            return None
        shape, plus, minus_shape = _address_shapes(kind)
        if digits is None:
            return shape, address_of(base, 0), values
        number = int(digits)
        made = address_of(base, -number if minus else number)
        return minus_shape if minus else plus, made, (*values, Imm(number))

    def _guard(self, text: str) -> Fragment | None:
        negated = text[1:2] == "!"
        register = self._scope.numbered_register(text[1 + negated :].rstrip())
        if register is None or not self._scope.function.is_predicate(register):
            return None
        return "@ ! REG" if negated else "@ REG", Guard(register, negated), (register,)

    def _opening(self, text: str) -> Fragment | None:
        if text[-1] == "}":
            register = self._scope.numbered_register(text[1:-1].strip(" "))
            if register is None:
                return None
            return (
                _only_shape(self._scope.function.kind(register)),
                Vector((register,)),
                (register,),
            )
        register = self._scope.numbered_register(text[1:].lstrip(" "))
        if register is None:
            return None
        return _opening_shape(self._scope.function.kind(register)), None, (register,)

    def _closing(self, text: str) -> Fragment | None:
        if text[-1] != "}":
            return None
        register = self._scope.numbered_register(text[:-1].rstrip(" "))
        if register is None:
            return None
        return _closing_shape(self._scope.function.kind(register)), None, (register,)

    def _pair(self, text: str) -> Fragment | None:
        first_name, bar, second_name = text.partition("|")
        if not bar:
            return None
        first = self._scope.numbered_register(first_name)
        second = self._scope.numbered_register(second_name)
        if first is None or second is None:
            return None
        kind = self._scope.function.kind
        shape = _pair_shape(kind(first), kind(second))
        return shape, Pair(first, second), (first, second)

    def _made(self, text: str) -> Fragment:
        """Read any text by the grammar."""
        shape, values = operand_shape(text, self._scope.resolve)
        if shape[:1] == "@":
            return sys.intern(shape), self._guard_of(shape, values), tuple(values)
        return sys.intern(self._typed(shape, values)), _operand(shape, values), tuple(values)

    def _typed(self, shape: str, values: list[object]) -> str:
        """Add their types to the registers of a shape."""
        if "REG" not in shape:
            return shape
        kinds = iter([self._scope.function.kind(v) for v in values if isinstance(v, Reg)])
        words = [next(kinds) if word == "REG" else word for word in shape.split(" ")]
        return " ".join(words)

    def _guard_of(self, shape: str, values: list[object]) -> Guard | None:
        """Make a guard; raises FaultError where its register is no predicate."""
        try:
            place, negated = template("guard", shape)
        except RejectedError:
            return None
        register = values[place]
        if not self._scope.function.is_predicate(register):
            name = self._scope.function[register.index].name
            raise FaultError(f"register `{name}` is not a predicate")
        return Guard(register, negated)


@cache
def _pair_shape(first: str, second: str) -> str:
    return f"{first} | {second}"


@cache
def _opening_shape(kind: str) -> str:
    return f"{{ {kind}"


@cache
def _only_shape(kind: str) -> str:
    return f"{{ {kind} }}"


@cache
def _closing_shape(kind: str) -> str:
    return f"{kind} }}"


@lru_cache(maxsize=8192)
def _constant(text: str) -> Fragment | None:
    match = _INTEGER.fullmatch(text)
    if match is None:
        if _BITS.fullmatch(text) is None:
            return None
        bits = float_bits(text)
        return "FLOAT", bits, (bits,)
    number = int(match[2])
    positive = Imm(number)
    return ("- INT", Imm(-number), (positive,)) if match[1] else ("INT", positive, (positive,))


def _operand(shape: str, values: list[object]) -> Operand | None:
    try:
        return template("operand", shape)(values)  # type: ignore[no-any-return] # operands, by the grammar
    except RejectedError:
        return None


# ``array[index]``: the address of an element, worked out from the size of the elements.
#
# An index that is a register takes instructions of its own, which stand before the one that uses
# it; the machine has an addressing mode for it, a compiler's output does not have the form at all.

_ADDRESS_PLACES = {"_LOAD": 1, "_STORE": 0}


class WithoutIndices(NamedTuple):
    """Instructions that have to come before, and the operands of the instruction itself."""

    before: list[tuple[Operation, tuple[Operand, ...]]]
    operands: tuple[Operand, ...]


def without_indices(
    opcode: str, operands: tuple[Operand | Indexed, ...], names: FunctionNames, around: Surroundings
) -> WithoutIndices:
    """Replace indexed arrays: by an address where one is wanted, elsewhere by its value."""
    maker = _Addresses(names, around)
    address_place = _ADDRESS_PLACES.get(family(opcode))
    given = [
        maker.operand(operand, place == address_place) if isinstance(operand, Indexed) else operand
        for place, operand in enumerate(operands)
    ]
    return WithoutIndices(maker.before, tuple(given))


class _Addresses:
    """Works out addresses; ``before`` are the instructions that this takes."""

    def __init__(self, names: FunctionNames, around: Surroundings) -> None:
        self.before: list[tuple[Operation, tuple[Operand, ...]]] = []
        self._names = names
        self._element_bytes = around.element_bytes
        self._type = f"u{around.address_bits}"

    def operand(self, indexed: Indexed, is_address: bool) -> Operand:
        """The address of an element, in brackets or as a value."""
        size = self._element_bytes.get(indexed.symbol.name, 1)
        offset = indexed.symbol.offset + indexed.elements * size
        base: Reg | Symbol = Symbol(indexed.symbol.name)
        if indexed.register is not None:
            base = self._scaled(indexed.symbol, indexed.register, size)
        if is_address:
            return Address(base, offset)
        if isinstance(base, Symbol):
            return Symbol(base.name, offset)
        return self._add(f"add.{self._type}", base, Imm(offset)) if offset else base

    def _scaled(self, array: Symbol, index: Reg, size: int) -> Reg:
        """Multiply the index by the size of an element and add it to where the array begins."""
        start = self._add(f"mov.{self._type}", Symbol(array.name))
        declared = self._names[index.index].type
        sign = "s" if declared.kind is TypeKind.SIGNED else "u"
        is_wide = declared.bits < TYPES[self._type].bits
        opcode = f"mad.wide.{sign}{declared.bits}" if is_wide else f"mad.lo.{self._type}"
        return self._add(opcode, index, Imm(size), start)

    def _add(self, opcode: str, *sources: Operand) -> Reg:
        result = self._names.temporary(TYPES[self._type])
        self.before.append((decode(opcode), (result, *sources)))
        return result


# Opcodes with a shape of operands, looked up once and used for all instructions that have both.

_FAMILIES = {
    "ld": "_LOAD",
    "ldu": "_LOAD",
    "atom": "_LOAD",
    "st": "_STORE",
    "red": "_STORE",
    "bra": "_BRANCH",
    "brx": "_INDEXED",
    "call": "_CALL",
    "ret": "_RETURN",
    "exit": "_RETURN",
}


_ENDING = frozenset({"branch", "indexed", "return"})


class Prepared(NamedTuple):
    """Instructions of this opcode and shape, prepared.

    ``is_simple`` says that every fragment is one operand and that there is nothing else to do.
    ``fault`` is set where the number of operands does not fit the operation.
    """

    operation: Operation
    statement: StatementTemplate
    is_simple: bool
    has_decimals: bool
    has_indices: bool
    ends_block: bool
    is_branch: bool
    fault: str | None


def family(opcode: str) -> str:
    """The kind of an opcode, as ``ptx.lark`` calls it."""
    return _FAMILIES.get(opcode.partition(".")[0].strip(), "_OPCODE")


def prepare(opcode: str, shape: str) -> Prepared:
    """Prepared opcode, maybe with blanks in it, and shape; raises RejectedError."""
    opcode = "".join(opcode.split())
    statement: StatementTemplate = template("instruction", f"{family(opcode)} {shape}")
    operation = decode(opcode)
    if statement.label is not None and operation.op_class is not OpClass.BRANCH:
        raise RejectedError(0)  # `brx.no_such`: only known branches have labels
    n_operands = len(statement.operands)
    has_decimals = "DECIMAL" in shape
    has_indices = "NAME [" in shape
    is_plain = statement.kind == "plain"
    n_fragments = shape.count(",") + 1 if shape else 0
    fault = _count_fault(operation, n_operands) if is_plain else None
    return Prepared(
        operation=operation,
        statement=statement,
        is_simple=is_plain
        and n_fragments == n_operands
        and not (has_decimals or has_indices)
        and fault is None,
        has_decimals=has_decimals,
        has_indices=has_indices,
        ends_block=statement.kind in _ENDING,
        is_branch=statement.kind == "branch",
        fault=fault,
    )


def _count_fault(operation: Operation, given: int) -> str | None:
    """Fault of too few operands or, for arithmetic, too many.

    Elsewhere more operands than the table has are let through: newer versions of PTX add some.
    """
    if operation.knowledge is not Knowledge.TABLE:
        return None
    roles = [
        optional
        for role, optional in zip(operation.roles, operation.optional, strict=True)
        if role is not Role.LABEL
    ]
    least = len(roles) - sum(roles)
    if least <= given and (given <= len(roles) or not operation.op_class.is_arithmetic):
        return None
    wanted = f"{least}" if least == len(roles) or given < least else f"at most {len(roles)}"
    return f"`{operation.opcode}` takes {wanted} operands, not {given}"


def operands_of(prepared: Prepared, values: Sequence[object]) -> tuple[Operand, ...]:
    """Make the operands of an instruction from the values of its tokens; raises FaultError."""
    operands = tuple([make(values) for make in prepared.statement.operands])
    if prepared.has_decimals:
        operands = tuple([with_decimals(o, prepared.operation.type) for o in operands])
    return _call_operands(operands) if prepared.statement.kind == "call" else operands


def _call_operands(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """Bring the forms of a call to one: (results), callee, (arguments), maybe a prototype."""
    results, rest = Arguments(()), operands
    if isinstance(operands[0], Arguments):
        results, rest = operands[0], operands[1:]
    callee, *others = rest
    if others and isinstance(others[0], Arguments):
        return (results, callee, *others)
    return (results, callee, Arguments(()), *others)


# What the bodies of a module share while they are read.

Key = tuple[str, tuple[str, ...]]  # an opcode and the shapes of its fragments


@dataclass(slots=True)
class Surroundings:
    """Module's facts that bodies need, and those that earlier bodies have found.

    ``text`` has no comments. What is empty at first is filled while bodies are read.
    """

    text: str
    problems: Problems
    address_bits: int
    debug_files: dict[int, str]
    element_bytes: dict[str, int] = field(default_factory=dict)  # of the variables declared so far
    noted: set[str] = field(default_factory=set)  # what was warned about already
    sound: set[Key] = field(default_factory=set)  # whose operands fit
    prepared: dict[Key, Prepared] = field(default_factory=dict)
    simple: dict[Key, Operation] = field(default_factory=dict)  # those that need no more than that
    directives: dict[str, object] = field(default_factory=dict)  # forms by their texts
    locations: dict[str, DebugLocation] = field(default_factory=dict)  # by the text of the .loc
    inlined_forms: dict[str, Location] = field(default_factory=dict)  # of others, by their texts
    inlined_calls: dict[tuple[int, int, int], DebugLocation] = field(default_factory=dict)
