"""What the modifiers of a floating-point instruction ask for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Type

HALF_TYPES = {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32"}
"""The types that hold two values in one register, and the type of each."""

_ROUNDINGS = ("rn", "rz", "rm", "rp", "rna", "rs")


@dataclass(frozen=True, slots=True)
class FloatModifiers:
    """The modifiers of a floating-point instruction (PTX ISA 9.0, section 9.7.3).

    ``type`` is what it computes on. ``rounding`` is empty where the opcode has no word for it,
    which means to nearest even.
    """

    type: str
    rounding: str = ""
    ftz: bool = False
    sat: bool = False
    relu: bool = False
    propagates_nan: bool = False
    xorsign: bool = False
    abs: bool = False
    oob: bool = False
    approx: bool = False

    @property
    def each(self) -> FloatModifiers:
        """The form of one half of a packed instruction."""
        return replace(self, type=HALF_TYPES.get(self.type, self.type))

    @property
    def is_plain(self) -> bool:
        """Whether nothing happens beside the operation itself, rounded to nearest."""
        return self.rounding in ("", "rn") and not (
            self.ftz or self.sat or self.relu or self.oob or self.approx
        )

    @property
    def text(self) -> str:
        """The form as part of a function's name."""
        flags = (
            ("ftz", self.ftz),
            ("sat", self.sat),
            ("relu", self.relu),
            ("nan", self.propagates_nan),
            ("xorsign", self.xorsign),
            ("abs", self.abs),
            ("oob", self.oob),
            ("approx", self.approx),
        )
        words = [word for word, present in flags if present]
        return ".".join([self.type, *filter(None, [self.rounding]), *words])


@lru_cache(maxsize=4096)
def form_of(operation: Operation) -> FloatModifiers:
    """Read the form off an opcode: ``fma.rn.relu.f16x2``."""
    words = operation.modifiers
    type_: Type | None = operation.type
    assert type_ is not None, operation.opcode
    return FloatModifiers(
        type=type_.name,
        rounding=next((word for word in words if word in _ROUNDINGS), ""),
        ftz="ftz" in words,
        sat="sat" in words,
        relu="relu" in words,
        propagates_nan="NaN" in words,
        xorsign="xorsign" in words,
        abs="abs" in words,
        oob="oob" in words,
        approx="approx" in words,
    )
