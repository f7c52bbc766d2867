"""Constants: their bits, and the operands that stand for them."""

from __future__ import annotations

import re
import struct

from warpmill.analyzer.frontends.llvm.types import BOOL, FloatType, IntType, Scalar, Unsupported
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Operand
from warpmill.analyzer.ir.types import TYPES

_PACK = {"half": ("<e", "<H"), "float": ("<f", "<I"), "double": ("<d", "<Q")}


def integer_value(text: str) -> int:
    """The value of an integer constant, decimal or ``u0x``/``s0x``."""
    if text[:3] == "u0x":
        return int(text[3:], 16)
    if text[:3] == "s0x":
        value, bits = int(text[3:], 16), 4 * len(text[3:])
        return value - (1 << bits) if value >> (bits - 1) else value
    if len(text) > _MOST_DIGITS:
        raise Unsupported(f"an integer of {len(text)} digits")
    return int(text)


_MOST_DIGITS = 4000  # what Python reads is bounded


def float_bits(text: str, name: str) -> int:
    """The bits of a floating-point constant of LLVM's type ``name``.

    A plain hexadecimal ``float`` is written with the bits of the double of the same value.
    """
    if text.startswith("0xH") or text.startswith("0xR"):
        return int(text[3:], 16)
    if text.startswith("f0x"):
        return int(text[3:], 16)
    if text.startswith("0x"):
        if not re.fullmatch(r"0x[0-9A-Fa-f]{1,16}", text):
            raise Unsupported(f"the constant {text}")
        return _from_double(int(text, 16), name)
    try:
        value = float(text)
    except ValueError:
        raise Unsupported(f"the constant {text}") from None
    (double,) = struct.unpack("<Q", struct.pack("<d", value))
    return _from_double(double, name)


def _from_double(bits: int, name: str) -> int:
    """Narrow a double's bits; a NaN keeps its sign and the top of its payload."""
    sign, exponent, fraction = bits >> 63, bits >> 52 & 0x7FF, bits & ((1 << 52) - 1)
    if exponent == 0x7FF and fraction and name in _NAN:
        width, kept, mask = _NAN[name]
        return sign << (width - 1) | mask | fraction >> (52 - kept)
    if name == "bfloat":
        return _from_double(bits, "float") >> 16
    if name not in _PACK:
        raise Unsupported(f"a constant of type {name}")
    (value,) = struct.unpack("<d", struct.pack("<Q", bits))
    pack, unpack = _PACK[name]
    (narrow,) = struct.unpack(unpack, struct.pack(pack, value))
    return int(narrow)


_NAN = {"half": (16, 10, 0x7C00), "bfloat": (16, 7, 0x7F80), "float": (32, 23, 0x7F800000)}


def zero_of(scalar: Scalar) -> Imm | FloatImm:
    """What ``zeroinitializer`` and ``null`` are, and what stands for ``undef`` and ``poison``."""
    return float_of(0.0, scalar) if isinstance(scalar, FloatType) else Imm(0)


FLOAT_NAMES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}


def float_operand(text: str, scalar: Scalar) -> FloatImm:
    """The operand of a floating-point constant."""
    if not isinstance(scalar, FloatType) or scalar.name not in FLOAT_NAMES:
        raise Unsupported(f"a constant of type {scalar}")
    return FloatImm(float_bits(text, scalar.name), TYPES[FLOAT_NAMES[scalar.name]])


def float_of(value: float, scalar: Scalar) -> FloatImm:
    """A floating-point constant that the front-end brings itself."""
    if not isinstance(scalar, FloatType):
        raise Unsupported(f"a float constant of type {scalar}")
    (double,) = struct.unpack("<Q", struct.pack("<d", value))
    return FloatImm(_from_double(double, scalar.name), TYPES[FLOAT_NAMES[scalar.name]])


def bits_as(operand: Operand, scalar: Scalar, bits: int) -> Operand:
    """A constant's bits as a constant of another type of the same width; registers as they are."""
    match operand:
        case Imm(value) if isinstance(scalar, FloatType) and scalar.name in FLOAT_NAMES:
            return FloatImm(value & ((1 << bits) - 1), TYPES[FLOAT_NAMES[scalar.name]])
        case FloatImm(value) if not isinstance(scalar, FloatType):
            return Imm(value)
        case FloatImm(value) if isinstance(scalar, FloatType) and scalar.name in FLOAT_NAMES:
            return FloatImm(value, TYPES[FLOAT_NAMES[scalar.name]])
    return operand


def integer_operand(text: str, scalar: Scalar) -> Imm | FloatImm:
    """The operand of an integer constant; newer LLVM also writes whole floats so."""
    if isinstance(scalar, FloatType):
        return float_operand(text, scalar)
    value = integer_value(text)
    if isinstance(scalar, IntType) and scalar.bits not in _WIDTHS:
        value &= (1 << scalar.bits) - 1  # odd widths are kept with zeros above
    return Imm(value)


_WIDTHS = frozenset({8, 16, 32, 64})


def word_operands(text: str, leaves: tuple[Scalar, ...]) -> tuple[Imm, ...]:
    """The words of a wide integer's constant, the lowest first."""
    value = integer_value(text)
    found = []
    for leaf in leaves:
        assert isinstance(leaf, IntType)
        found.append(Imm(value & ((1 << leaf.bits) - 1)))
        value >>= leaf.bits
    return tuple(found)


def string_bytes(text: str) -> bytes:
    r"""The bytes of ``c"..."``, with its ``\\XX`` escapes."""
    body = text[text.index('"') + 1 : -1].encode("utf-8", "surrogateescape")
    return re.sub(rb"\\(\\|[0-9A-Fa-f]{2})", _unescaped, body)


def _unescaped(found: re.Match[bytes]) -> bytes:
    return b"\\" if found[1] == b"\\" else bytes([int(found[1], 16)])


def is_true(word: str) -> bool | None:
    """The value of ``true`` and ``false``; None for other words."""
    return {"true": True, "false": False}.get(word)


def word_operand(word: str, scalar: Scalar) -> Imm | FloatImm:
    """The operand of a constant word such as ``true``, ``null`` or ``poison``."""
    truth = is_true(word)
    if truth is not None and scalar is BOOL:
        return Imm(int(truth))
    return zero_of(scalar)
