"""What ``lea`` becomes, the address arithmetic of LLVM's ``getelementptr``, in machine code.

PTX writes it as a conversion, a multiplication and an addition; the lines of ``expansion.toml`` for
those together are used.
"""

from __future__ import annotations

from analyzer.ir.kernel import Imm, Operand, Reg
from analyzer.ir.types import Space
from simulator.estimate.expansion_table import is_power_of_two
from simulator.estimate.expansion_values import Place, Values, signature

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


def _key(alone: str, shifted: str, multiplied: str, scale: Operand) -> str:
    if scale == Imm(1):
        return alone
    return shifted if is_power_of_two(scale) else multiplied
