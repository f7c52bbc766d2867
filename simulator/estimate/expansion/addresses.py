"""Addresses: what ``lea`` becomes, and the arithmetic of shared memory's, which has 32 bits.

``lea`` is LLVM's ``getelementptr``. PTX writes a conversion, a multiplication and an addition; the
lines of ``expansion.toml`` for those together are used.
"""

from __future__ import annotations

from collections.abc import Mapping

from warpmill.analyzer.ir.kernel import Imm, Operand, Reg
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import Space
from warpmill.simulator.estimate.expansion.table import is_power_of_two
from warpmill.simulator.estimate.expansion.values import Values, signature

_WIDENED = frozenset({"cvt.s64.s32", "cvt.u64.u32", "cvt.s64.u32", "cvt.u64.s32"})


def lea_keys(values: Values, place: Place, spaces: frozenset[Space | None] | None) -> list[str]:
    """Give the keys whose lines together are a ``lea`` with an index in a register.

    ``spaces`` is the memory that it is the address of, None where it is used for anything else.
    Shared memory has addresses of 32 bits.
    """
    _, index, scale, offset = values.sources[place]
    type_ = values.instructions[place].operation.type
    is_short = spaces == frozenset({Space.SHARED}) or (type_ is not None and type_.bits == 32)
    if is_short:
        found = [_key("add.b32", "shl.b32+add.b32", "mul.lo.b32+add.b32.const", scale)]
    elif widened(values, index) is not None:
        wide = "mul.wide.b32+add.b64"
        found = [_key("cvt.b64.b32+add.b64", f"{wide}.pow2", f"{wide}.const", scale)]
    else:
        found = [_key("add.b64", "shl.b64+add.b64", "mul.lo.b64+add.b64.const", scale)]
    if spaces is None and offset != Imm(0):
        found.append("add.b32" if is_short else "add.b64.const")
    return found


def widened(values: Values, index: Operand) -> Place | None:
    """Give the conversion from 32 to 64 bits that an index is, where only ``lea`` use it."""
    place = values.maker(index) if isinstance(index, Reg) else None
    if place is None or signature(values.instructions[place].operation) not in _WIDENED:
        return None
    users = values.uses(place)
    only = all(u in values.instructions and is_lea(values, u) for u in users)
    return place if users and only else None


def is_lea(values: Values, place: Place) -> bool:
    """Whether an instruction is a ``lea`` with an index in a register."""
    instruction = values.instructions[place]
    return instruction.operation.name == "lea" and isinstance(values.sources[place][1], Reg)


_SHARED: frozenset[Space | None] = frozenset({Space.SHARED})
_NARROW = {
    "add.b64": "add.b32",
    "shl.b64": "shl.b32",
    "mul.lo.b64": "mul.lo.b32",
    "mul.wide.b32": "mul.lo.b32",
    **dict.fromkeys(_WIDENED, "cvt.u32.u64"),
}
"""What operations are in 32 bits; a conversion from 32 bits is none."""


def narrowed(
    values: Values, accessed: Mapping[Place, frozenset[Space | None] | None]
) -> dict[Place, str]:
    """Give the signature of each 64-bit operation that computes an address of shared memory alone.

    Compilers compute those in 32 bits. ``accessed`` has the offsets that are parts of accesses.
    """
    found: dict[Place, str] = {}

    def is_shared(user: Place, register: Reg) -> bool:
        if user in found or accessed.get(user) == _SHARED:
            return True
        if user not in values.instructions or not values.is_base(user, register):
            return False
        return values.instructions[user].operation.space is Space.SHARED

    for place in reversed(values.instructions):
        narrow = _NARROW.get(signature(values.instructions[place].operation))
        register = values.result(place) if narrow is not None else None
        if narrow is None or register is None or accessed.get(place) is not None:
            continue
        users = values.uses(place)
        if users and all(is_shared(user, register) for user in users):
            is_shift = narrow == "mul.lo.b32" and is_power_of_two(values.sources[place][-1])
            found[place] = "shl.b32" if is_shift else narrow
    return found


def _key(alone: str, shifted: str, multiplied: str, scale: Operand) -> str:
    if scale == Imm(1):
        return alone
    return shifted if is_power_of_two(scale) else multiplied
