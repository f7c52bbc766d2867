"""Operations of NVIDIA's machine code (SASS): what an opcode such as ``LDG.E.64`` does.

The table is data (``sass.toml``). Operands are no part of it: who reads an instruction knows how
many registers it writes and reads.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from warpmill.analyzer.ir.operation import Knowledge, Operation, Role
from warpmill.analyzer.ir.types import TYPES, OpClass, Space, Type


@dataclass(frozen=True, slots=True)
class SassEntry:
    """What opcodes of one group do. ``space`` None: an access of them is to a generic address."""

    op_class: OpClass
    type: Type | None = None
    space: Space | None = None
    effects: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SassTable:
    """The entries of opcodes, and of the beginnings of others, the first that fits."""

    opcodes: Mapping[str, SassEntry]
    nearest: Mapping[str, SassEntry]


@cache
def sass_table() -> SassTable:
    """Read ``sass.toml``."""
    data = tomllib.loads(files(__package__).joinpath("sass.toml").read_text(encoding="utf-8"))
    opcodes = {o: _entry(group) for group in data["groups"] for o in group["opcodes"].split()}
    return SassTable(opcodes, {prefix: _entry(line) for prefix, line in data["nearest"].items()})


def _entry(line: Mapping[str, object]) -> SassEntry:
    type_, space, effects = line.get("type"), line.get("space"), line.get("effects", [])
    assert isinstance(effects, list)
    return SassEntry(
        OpClass(line["class"]),
        None if type_ is None else TYPES[str(type_)],
        None if space is None else Space(space),
        frozenset(map(str, effects)),
    )


@lru_cache(maxsize=4096)
def sass_operation(
    opcode: str, destinations: int, sources: int, *, has_addresses: bool, told_bytes: int = 0
) -> Operation:
    """The operation of an opcode with so many registers written and read; it never fails.

    ``has_addresses``: lanes have addresses, of which ``told_bytes`` are accessed where the opcode
    does not tell. An opcode that the table lacks has the class of the nearest rule, and says so.
    """
    words = opcode.split(".")
    entry, knowledge = _found(words)
    op_class = entry.op_class
    if has_addresses and not (op_class.is_memory or op_class.is_texel_access):
        op_class, entry = OpClass.LOAD, SassEntry(OpClass.LOAD)
    types = _types(words, op_class, entry.type)
    accesses = has_addresses and op_class.is_memory
    space = (entry.space or Space.GENERIC) if op_class.is_memory else entry.space
    return Operation(
        opcode=opcode,
        name=words[0],
        op_class=op_class,
        types=types,
        type=types[0] if types else None,
        spaces=() if space is None else (space,),
        vector=1,
        width_bytes=access_bytes(words, told_bytes) if accesses else 0,
        roles=(*(Role.DESTINATION,) * destinations, *(Role.SOURCE,) * sources),
        optional=(False,) * (destinations + sources),
        operand_types=(None,) * (destinations + sources),
        effects=entry.effects,
        knowledge=knowledge,
        access=(_ACCESS[op_class],) if accesses else (),
    )


_ACCESS = {
    OpClass.LOAD: "load",
    OpClass.STORE: "store",
    OpClass.ATOMIC: "atomic",
    OpClass.ASYNC_COPY: "load",
}


def _found(words: list[str]) -> tuple[SassEntry, Knowledge]:
    table = sass_table()
    for end in range(min(len(words), _MOST_WORDS), 0, -1):
        entry = table.opcodes.get(".".join(words[:end]))
        if entry is not None:
            return entry, Knowledge.TABLE
    like = (entry for prefix, entry in table.nearest.items() if words[0].startswith(prefix))
    return next(like, SassEntry(OpClass.UNKNOWN)), Knowledge.NEAREST


_MOST_WORDS = 2  # of an opcode in the table: IMAD.MOV

_BITS = re.compile(r"[US]?(8|16|32|64|96|128|256)")
_MATRIX_ROW_BYTES = 16
_WIDTHS = frozenset({1, 2, 4, 8, 16, 32})
_USUAL_BYTES = 4


def access_bytes(words: list[str], told_bytes: int = 0) -> int:
    """Bytes that a lane accesses: by the first size in an opcode, else as told, else 4.

    >>> access_bytes(["LDG", "E", "64"]), access_bytes(["LDS", "U8"]), access_bytes(["LDG", "E"])
    (8, 1, 4)
    """
    if words[0] in ("LDSM", "STSM"):
        return _MATRIX_ROW_BYTES  # a lane has the address of a row of a matrix
    found = next((match for word in words[1:] if (match := _BITS.fullmatch(word))), None)
    if found is not None:
        return int(found[1]) // 8
    return told_bytes if told_bytes in _WIDTHS else _USUAL_BYTES


_FACTORS = {"BF16": "bf16", "TF32": "tf32", "E4M3": "e4m3", "E5M2": "e5m2", "S8": "s8",
            "U8": "u8", "S4": "s4", "U4": "u4", "B1": "b1"}  # fmt: skip
_USUAL_FACTORS = {"IMMA": "s8", "BMMA": "b1", "DMMA": "f64", "QMMA": "e4m3", "OMMA": "e2m1"}


def _types(words: list[str], op_class: OpClass, usual: Type | None) -> tuple[Type, ...]:
    """Types as ``Operation`` has them: of a matrix product the result's, then the factors'."""
    if op_class is OpClass.CONVERT and any(w in _WIDE for w in words[1:]):
        return (TYPES["f64"],)
    if op_class is not OpClass.MMA:
        return () if usual is None else (usual,)
    factor = next((_FACTORS[w] for w in words[1:] if w in _FACTORS), None)
    factor = factor or _USUAL_FACTORS.get(words[0], "f16")
    is_half = words[0] == "HMMA" and "F32" not in words
    result = TYPES["f16"] if is_half else usual or TYPES["f32"]
    return (result, TYPES[factor], TYPES[factor], result)


_WIDE = frozenset({"F64", "S64", "U64"})


@cache
def _firsts() -> dict[tuple[OpClass, str, Space | None], str]:
    """The first opcode of each group, by class, kind of the type and space."""
    found: dict[tuple[OpClass, str, Space | None], str] = {}
    for opcode, entry in sass_table().opcodes.items():
        found.setdefault((entry.op_class, _kind(entry.type), entry.space), opcode)
        found.setdefault((entry.op_class, "", None), opcode)
    return found


def _kind(type_: Type | None) -> str:
    """How a type is computed on: as a double, a float, halves, or an integer."""
    if type_ is None or not type_.is_float:
        return "int"
    return {64: "f64", 32: "f32"}.get(type_.bits // type_.lanes, "f16")


def mnemonic_like(operation: Operation) -> str:
    """The opcode of machine code that does, about, what an operation of PTX does.

    What becomes several machine instructions has the one that most of them wait for.
    """
    for beginning, mnemonic in _LIKE.items():
        if operation.opcode.startswith(beginning):
            return mnemonic
    op_class = operation.op_class
    if op_class is OpClass.CONVERT:
        return _CONVERTS[operation.types[0].is_float, operation.types[-1].is_float]
    if op_class is OpClass.DIV:
        op_class = OpClass.SPECIAL
    firsts, space = _firsts(), operation.space
    if op_class is OpClass.ASYNC_COPY:
        return "LDGSTS"
    if not op_class.is_memory:
        found = firsts.get((op_class, _kind(operation.type), None))
        return found or firsts.get((op_class, "", None), "NOP")
    of_constants = op_class is OpClass.LOAD and space in (Space.CONST, Space.PARAM)
    where = Space.CONST if of_constants else None if space is Space.GENERIC else space
    return firsts.get((op_class, "int", where)) or firsts.get((op_class, "", None), "NOP")


_CONVERTS = {
    (True, True): "F2F", (True, False): "I2F", (False, True): "F2I", (False, False): "MOV",
}  # fmt: skip
"""By whether the result and what is converted are floating-point."""

_LIKE = {
    "cp.async.commit_group": "LDGDEPBAR", "cp.async.wait": "DEPBAR", "red.": "RED",
    "popc": "POPC", "clz": "FLO", "bfind": "FLO", "brev": "BREV", "ldmatrix": "LDSM",
    "stmatrix": "STSM", "wmma.load": "LDSM", "wmma.store": "STSM", "cvta": "MOV",
    "prefetch": "CCTL", "lea": "IMAD", "mad.": "IMAD", "mul.wide": "IMAD",
}  # fmt: skip
"""Opcodes of PTX by how they begin, where class and type do not tell the mnemonic."""
