"""Meaning of an opcode: its line in the table, and what its dotted parts add.

The table is data (``opcodes.toml``); this module only looks things up and reads types, memory
spaces and vector widths off the opcode's modifiers, which PTX writes alike for all instructions.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from warpmill.analyzer.ir.types import TYPES, OpClass, Space, Type, TypeKind


class Role(Enum):
    """Role of an operand in an instruction."""

    __hash__ = object.__hash__  # Enum's own is no faster than Python

    DESTINATION = "d"
    SOURCE = "s"
    ADDRESS = "a"
    READ_WRITE = "x"
    LABEL = "l"


class Knowledge(Enum):
    """How an opcode was understood: from its own line, or by the nearest rule."""

    TABLE = "table"
    NEAREST = "nearest"


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One line of ``opcodes.toml``.

    ``optional`` and ``operand_types`` run in step with ``roles``; a type is a name, ``1`` or ``2``
    for the opcode's first or last type, ``w`` for the first, doubled by ``.wide``, ``c`` for the
    first of a ``.cas`` only, or empty. ``bytes_operand`` is the operand, from 0, that says how many
    bytes a thread accesses, where one does. ``least_types`` are the data types that an opcode has
    to name, ``needs`` choices of words: it has to have one of each. ``access`` and ``is_remote``
    are as in ``Operation``.
    """

    name: str
    op_class: OpClass
    roles: tuple[Role, ...]
    optional: tuple[bool, ...]
    operand_types: tuple[str, ...]
    computes_on_last_type: bool
    space: Space | None
    effects: frozenset[str]
    bytes_operand: int | None
    is_ptx: bool
    least_types: int
    needs: tuple[tuple[str, ...], ...]
    access: tuple[str, ...]
    is_remote: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """A decoded opcode, shared by all instructions that have it.

    ``name`` is the table's key (``ld``), ``opcode`` the whole text (``ld.global.nc.v4.f32``).
    ``types`` are the data types in the order of the opcode, ``type`` the one it computes on.
    ``spaces`` are the memory spaces in order; a memory operation without one is generic.
    ``vector`` is the number of elements of a vector access, ``width_bytes`` the bytes that one
    thread accesses, 0 for operations that access none and None where the opcode does not tell.
    ``operand_types`` runs in step with ``roles``: what an operand has to be, None where the opcode
    does not tell. ``bytes_operand`` is the number of the operand that says how many bytes a thread
    accesses, where one does. ``access`` says what is done at each address operand, in the order of
    the opcode: load, store or atomic. ``is_remote``: memory of other devices or CTAs is among it.
    """

    opcode: str
    name: str
    op_class: OpClass
    types: tuple[Type, ...]
    type: Type | None
    spaces: tuple[Space, ...]
    vector: int
    width_bytes: int | None
    roles: tuple[Role, ...]
    optional: tuple[bool, ...]
    operand_types: tuple[Type | None, ...]
    effects: frozenset[str]
    knowledge: Knowledge
    bytes_operand: int | None = None
    access: tuple[str, ...] = ()
    is_remote: bool = False

    def __hash__(self) -> int:
        """Hash the opcode, which mostly decides the rest: cheap enough for a key of caches."""
        return hash(self.opcode)

    @property
    def space(self) -> Space | None:
        """The memory space that is accessed; of a copy, the one written."""
        return self.spaces[0] if self.spaces else None

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The dotted parts after the first."""
        return _modifiers(self.opcode)


@lru_cache(maxsize=4096)
def _modifiers(opcode: str) -> tuple[str, ...]:
    return tuple(opcode.split(".")[1:])


class _OperandWord(NamedTuple):
    """An operand as a line writes it: ``s:b32?`` is an optional source of 32 bits."""

    role: Role
    type: str
    is_optional: bool

    @classmethod
    def read(cls, word: str) -> _OperandWord:
        role, _, type_ = word.removesuffix("?").partition(":")
        return cls(Role(role), type_, word.endswith("?"))


@cache
def operation_table() -> dict[str, TableEntry]:
    """Read ``opcodes.toml``: every operation that the IR knows, by name."""
    text = files("warpmill.analyzer.ir").joinpath("opcodes.toml").read_text(encoding="utf-8")
    return {name: _entry(name, line) for name, line in tomllib.loads(text)["operations"].items()}


def _entry(name: str, line: dict[str, object]) -> TableEntry:
    words = [_OperandWord.read(word) for word in str(line["operands"]).split()]
    space = line.get("space")
    effects = line.get("effects", [])
    needs = line.get("needs", [])
    assert isinstance(effects, list)
    assert isinstance(needs, list)
    own = int(any(word.type in ("1", "2", "w") and not word.is_optional for word in words))
    access, op_class = line.get("access"), OpClass(line["class"])
    return TableEntry(
        name=name,
        op_class=op_class,
        roles=tuple(word.role for word in words),
        optional=tuple(word.is_optional for word in words),
        operand_types=tuple(word.type for word in words),
        computes_on_last_type=line.get("type") == "last",
        space=None if space is None else Space(space),
        effects=frozenset(map(str, effects)),
        bytes_operand=size if isinstance(size := line.get("bytes"), int) else None,
        is_ptx=line.get("origin") != "warpmill",
        least_types=types if isinstance(types := line.get("types", own), int) else own,
        needs=tuple(tuple(str(choice).split()) for choice in needs),
        access=tuple(access) if isinstance(access, list) else _ACCESS.get(op_class, ()),
        is_remote=line.get("remote") is True,
    )


_ACCESS = {
    OpClass.LOAD: ("load",),
    OpClass.STORE: ("store",),
    OpClass.ATOMIC: ("atomic",),
    OpClass.ASYNC_COPY: ("store", "load"),
}


_SPACES = {
    "global": Space.GLOBAL,
    "shared": Space.SHARED,
    "shared::cta": Space.SHARED,
    "shared::cluster": Space.SHARED,
    "local": Space.LOCAL,
    "const": Space.CONST,
    "param": Space.PARAM,
    "param::entry": Space.PARAM,
    "param::func": Space.PARAM,
    "generic": Space.GENERIC,  # not PTX: of copies between two spaces
}
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_MOST_PARTS = 5  # of a name in the table: cp.reduce.async.bulk.tensor


@lru_cache(maxsize=65536)
def decode(opcode: str) -> Operation:
    """Decode an opcode such as ``ld.global.v4.f32``; it never fails.

    An opcode without a line in the table gets the class of the nearest rule: what its data type
    and memory space suggest, or ``OpClass.UNKNOWN``; ``knowledge`` then says ``NEAREST``.
    """
    parts = opcode.split(".")
    entry = _longest_match(parts)
    types = tuple(TYPES[p] for p in parts[1:] if p in TYPES)
    spaces = tuple(_SPACES[p] for p in parts[1:] if p in _SPACES)
    if entry is None:
        return _nearest(opcode, types, spaces)
    if not spaces and entry.space is not None:
        spaces = (entry.space,)
    if not spaces and entry.op_class.is_memory:
        spaces = (Space.GENERIC,)
    compute_type = (types[-1] if entry.computes_on_last_type else types[0]) if types else None
    vector = next((_VECTORS[p] for p in parts if p in _VECTORS), 1)
    return Operation(
        opcode=opcode,
        name=entry.name,
        op_class=entry.op_class,
        types=types,
        type=compute_type,
        spaces=spaces,
        vector=vector,
        width_bytes=_width_bytes(entry, compute_type, vector),
        roles=entry.roles,
        optional=entry.optional,
        operand_types=tuple([_operand_type(word, parts, types) for word in entry.operand_types]),
        effects=entry.effects,
        knowledge=Knowledge.TABLE,
        bytes_operand=entry.bytes_operand,
        access=entry.access,
        is_remote=entry.is_remote or _reaches_others(entry, parts),
    )


def form_fault(operation: Operation, most_types: int | None = None) -> str | None:
    """Missing part of a table's opcode: data types, or a word for what it does.

    At most ``most_types`` types are wanted: packed forms (``set.lt.u8x4``) name fewer than others.
    """
    entry = operation_table().get(operation.name)
    if entry is None or operation.knowledge is not Knowledge.TABLE:
        return None
    least = entry.least_types if most_types is None else min(entry.least_types, most_types)
    if len(operation.types) < least:
        return f"it has to name {'a data type' if least == 1 else f'{least} data types'}"
    present = operation.modifiers
    for choice in entry.needs:
        if not any(word in present for word in choice):
            return f"it has to say one of .{', .'.join(choice)}"
    return None


def _reaches_others(entry: TableEntry, parts: list[str]) -> bool:
    """Whether an opcode accesses shared memory that may be that of another CTA of the cluster.

    A bulk copy names it also where it is its own: not where it brings data from global memory.
    """
    if not entry.access or not ("shared::cluster" in parts or "multicast::cluster" in parts):
        return False
    is_copy = entry.op_class is OpClass.ASYNC_COPY
    return not is_copy or "shared::cta" in parts or "multicast::cluster" in parts


def moved(operation: Operation, old: Space, new: Space) -> Operation:
    """The operation that does the same in another space, ``param::func`` and all."""
    word = [] if new is Space.GENERIC else [new.value]
    parts = operation.opcode.split(".")
    return decode(".".join(w for p in parts for w in (word if _SPACES.get(p) is old else [p])))


def _operand_type(word: str, parts: list[str], types: tuple[Type, ...]) -> Type | None:
    """The type that a word of the table means for an opcode; None where there is none."""
    if word in TYPES:
        return TYPES[word]
    if not word or not types or (word == "c" and "cas" not in parts):
        return None
    if word == "w" and "wide" in parts:
        return TYPES.get(f"{types[0].kind.value}{types[0].bits * 2}")
    return types[-1 if word == "2" else 0]


def _longest_match(parts: list[str]) -> TableEntry | None:
    """Find the line of the longest name; the last part counts without its ``::`` part too."""
    table = operation_table()
    for end in range(min(len(parts), _MOST_PARTS), 0, -1):
        name = ".".join(parts[:end])
        before = name.rpartition("::")[0] if "::" in parts[end - 1] else name
        entry = table.get(name) or table.get(before)
        if entry is not None:
            return entry
    return None


def _width_bytes(entry: TableEntry, type_: Type | None, vector: int) -> int | None:
    """Bytes of one thread's access; a copy's size is an operand, a matrix's is the warp's."""
    if entry.bytes_operand is not None:
        return None
    if entry.op_class in (OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC):
        return None if type_ is None else type_.size_bytes * vector
    if entry.op_class in _WIDTH_ELSEWHERE:
        return None
    return 0


_WIDTH_ELSEWHERE = frozenset(
    {OpClass.PREFETCH, OpClass.ASYNC_COPY, OpClass.TEXTURE, OpClass.SURFACE, OpClass.MATRIX_MOVE}
)


def _nearest(opcode: str, types: tuple[Type, ...], spaces: tuple[Space, ...]) -> Operation:
    """Guess at an unknown opcode: with a data type and no memory space it computes like an add."""
    arithmetic = bool(types) and not spaces
    roles = (Role.DESTINATION,) if arithmetic and types[0].kind is not TypeKind.OPAQUE else ()
    return Operation(
        opcode=opcode,
        name=opcode.split(".", maxsplit=1)[0],
        op_class=OpClass.ADD if arithmetic else OpClass.UNKNOWN,
        types=types,
        type=types[0] if types else None,
        spaces=spaces,
        vector=1,
        width_bytes=None if spaces else 0,
        roles=roles,
        optional=(False,) * len(roles),
        operand_types=(None,) * len(roles),
        effects=frozenset({"volatile"}),
        knowledge=Knowledge.NEAREST,
    )


# Which accesses go past the L1 of an SM, as their opcodes say.

_PAST_L1 = frozenset({"cg", "cv", "volatile", "mmio", "L1::no_allocate", "bulk"})
_ORDERED = frozenset({"relaxed", "acquire", "release"})
_IN_L1 = frozenset({"ca", "nc", "CONSTANT"})
_OF_CTA = frozenset({"CTA", "SM"})  # scopes of machine code that L1 serves


def goes_past_l1(operation: Operation, caches_global: bool = True) -> bool:
    """Whether an access to global memory does not look into L1.

    By its cache operator, or as threads outside its CTA are to see its order (PTX ISA, Cache
    Operators and Memory Consistency Model); without ``caches_global`` all but those that ask for L1
    or for read-only data. Bulk copies move between L2 and shared memory. Local memory, which is a
    thread's own, is always looked for in L1.
    """
    words = set(operation.modifiers)
    if operation.space is Space.LOCAL:
        return False
    if words & _PAST_L1 or (words & _ORDERED and "cta" not in words):
        return True
    if "STRONG" in words and not words & _OF_CTA:
        return True
    return not caches_global and not words & _IN_L1
