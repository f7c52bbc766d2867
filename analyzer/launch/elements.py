"""The types that arguments and buffers of a launch are made of, with what fits them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum


class ElementKind(Enum):
    """What the bits of an element mean."""

    SIGNED = "signed integer"
    UNSIGNED = "unsigned integer"
    FLOAT = "floating-point number"
    BOOL = "truth value"


@dataclass(frozen=True, slots=True)
class ElementType:
    """A scalar type by its name in launch files: ``i32``, ``bf16``.

    ``storage`` is the NumPy type that holds it; bf16 has none, its bits are kept in ``uint16``.
    ``largest`` is the greatest finite value.
    """

    name: str
    kind: ElementKind
    size_bytes: int
    storage: str
    largest: float

    @property
    def is_float(self) -> bool:
        """Whether it holds floating-point numbers."""
        return self.kind is ElementKind.FLOAT

    @property
    def smallest(self) -> float:
        """The least finite value."""
        if self.kind is ElementKind.SIGNED:
            return -self.largest - 1
        return -self.largest if self.is_float else 0

    def holds(self, value: float) -> bool:
        """Whether ``value`` is within the type's range; infinities and NaN fit any float."""
        if isinstance(value, float) and not math.isfinite(value):
            return self.is_float
        return self.smallest <= value <= self.largest


_C_NAMES = {
    "float": "f32", "double": "f64", "half": "f16", "__half": "f16", "bfloat16": "bf16",
    "__nv_bfloat16": "bf16", "char": "i8", "short": "i16", "int": "i32", "long": "i64",
    "uchar": "u8", "ushort": "u16", "uint": "u32", "unsigned": "u32", "ulong": "u64",
    "size_t": "u64", "byte": "u8",
}  # fmt: skip


def element_meant(name: str) -> str | None:
    """Give the element type that a name of C, NumPy or PTX means: ``float``, ``int32``, ``s32``."""
    plain = name.strip().lower().rstrip("*").removesuffix("_t")
    if plain in _C_NAMES or plain in ELEMENT_TYPES:
        return _C_NAMES.get(plain, plain)
    match = _SIZED.fullmatch(plain)
    letters = {"float": "f", "int": "i", "uint": "u", "s": "i", "b": "u"}
    short = None if match is None else f"{letters[match[1]]}{match[2]}"
    return short if short in ELEMENT_TYPES else None


_SIZED = re.compile(r"(float|int|uint|s|b)([0-9]{1,2})")


def _integer(prefix: str, bits: int) -> ElementType:
    signed = prefix == "i"
    kind = ElementKind.SIGNED if signed else ElementKind.UNSIGNED
    largest = (1 << (bits - signed)) - 1
    return ElementType(
        f"{prefix}{bits}", kind, bits // 8, f"{'' if signed else 'u'}int{bits}", largest
    )


_FLOATS = (
    ElementType("f16", ElementKind.FLOAT, 2, "float16", 65504.0),
    ElementType("bf16", ElementKind.FLOAT, 2, "uint16", float.fromhex("0x1.fep127")),
    ElementType("f32", ElementKind.FLOAT, 4, "float32", float.fromhex("0x1.fffffep127")),
    ElementType("f64", ElementKind.FLOAT, 8, "float64", float.fromhex("0x1.fffffffffffffp1023")),
)
ELEMENT_TYPES: dict[str, ElementType] = {
    t.name: t
    for t in (
        *(_integer(prefix, bits) for prefix in "iu" for bits in (8, 16, 32, 64)),
        *_FLOATS,
        ElementType("bool", ElementKind.BOOL, 1, "bool", 1),
    )
}
"""Every type of a scalar argument or a buffer's element, by its name."""
