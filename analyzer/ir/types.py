"""Data types, memory spaces, operation classes and places of instructions of the IR."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class TypeKind(Enum):
    """Meaning of a value's bits."""

    __hash__ = object.__hash__  # Enum's own is no faster than Python

    PREDICATE = "pred"
    BITS = "b"
    UNSIGNED = "u"
    SIGNED = "s"
    FLOAT = "f"
    OPAQUE = "opaque"  # texture, surface and sampler references


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar or packed type, by PTX's name: ``s32``, ``f16x2``, ``pred``.

    ``bits`` is the size of the whole value, ``lanes`` the number of packed elements in it.
    """

    name: str
    kind: TypeKind
    bits: int
    lanes: int = 1

    @property
    def size_bytes(self) -> int:
        """Bytes that a value takes in memory."""
        return (self.bits + 7) // 8

    @property
    def is_float(self) -> bool:
        """Whether arithmetic on it is floating-point, narrow formats included."""
        return self.kind is TypeKind.FLOAT

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer or untyped bits."""
        return self.kind in (TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.BITS)

    def read(self, bits: int) -> int:
        """Read a number's lowest bits as this integer type does: ``-1`` as u32 is 4294967295."""
        low = -(1 << self.bits - 1) if self.kind is TypeKind.SIGNED else 0
        return (bits - low) % (1 << self.bits) + low

    def read_near_zero(self, bits: int) -> int:
        """Read a number's lowest bits as signed, whatever the type: what compilers write."""
        half = 1 << self.bits - 1
        return (bits + half) % (1 << self.bits) - half

    def __str__(self) -> str:
        return self.name


def _make_types() -> dict[str, Type]:
    types = [Type("pred", TypeKind.PREDICATE, 1)]
    for prefix, kind in (
        ("b", TypeKind.BITS),
        ("u", TypeKind.UNSIGNED),
        ("s", TypeKind.SIGNED),
    ):
        types += [Type(f"{prefix}{bits}", kind, bits) for bits in (8, 16, 32, 64)]
    types += [
        Type(f"{p}16x2", k, 32, 2) for p, k in (("u", TypeKind.UNSIGNED), ("s", TypeKind.SIGNED))
    ]
    types += [
        Type(f"{p}8x4", k, 32, 4) for p, k in (("u", TypeKind.UNSIGNED), ("s", TypeKind.SIGNED))
    ]
    types += [
        Type(f"{p}4", k, 4)
        for p, k in (("u", TypeKind.UNSIGNED), ("s", TypeKind.SIGNED), ("b", TypeKind.BITS))
    ]
    types += [Type(f"{p}2", k, 2) for p, k in (("u", TypeKind.UNSIGNED), ("s", TypeKind.SIGNED))]
    types += [Type(f"b{bits}", TypeKind.BITS, bits) for bits in (1, 2, 128, 1024)]
    floats = (
        ("f16", 16, 1), ("f16x2", 32, 2), ("f32", 32, 1), ("f32x2", 64, 2), ("f64", 64, 1),
        ("bf16", 16, 1), ("bf16x2", 32, 2), ("tf32", 32, 1), ("tf32x2", 64, 2),
        ("e4m3", 8, 1), ("e5m2", 8, 1), ("e4m3x2", 16, 2), ("e5m2x2", 16, 2),
        ("e4m3x4", 32, 4), ("e5m2x4", 32, 4),
        ("e2m1", 4, 1), ("e2m1x2", 8, 2), ("e2m1x4", 16, 4),
        ("e2m3", 6, 1), ("e2m3x2", 16, 2), ("e2m3x4", 32, 4),
        ("e3m2", 6, 1), ("e3m2x2", 16, 2), ("e3m2x4", 32, 4),
        ("ue8m0", 8, 1), ("ue8m0x2", 16, 2), ("ue4m3", 8, 1), ("ue5m3x2", 16, 2),
    )  # fmt: skip
    types.append(Type("s2f6x2", TypeKind.BITS, 16, 2))  # fixed point, which only cvt knows
    # what copies to matrix registers and tensor memory unpack: 16 elements, maybe with padding
    matrix_elements = (("b8x16", 128), ("b6x16_p32", 128), ("b4x16", 64), ("b4x16_p64", 128),
                       ("b6p2x16", 128))  # fmt: skip
    types += [Type(name, TypeKind.BITS, bits, 16) for name, bits in matrix_elements]
    types += [Type(name, TypeKind.FLOAT, bits, lanes) for name, bits, lanes in floats]
    types += [Type(name, TypeKind.OPAQUE, 64) for name in ("texref", "surfref", "samplerref")]
    return {t.name: t for t in types}


TYPES: dict[str, Type] = _make_types()
"""Every type by its name."""


class Space(Enum):
    """A memory space. ``GENERIC`` is an address whose space is not known from the instruction."""

    __hash__ = object.__hash__  # Enum's own is no faster than Python

    GENERIC = "generic"
    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONST = "const"
    PARAM = "param"
    TEXTURE = "texture"
    SURFACE = "surface"
    TENSOR = "tensor"  # tensor memory of compute capability 10


class OpClass(Enum):
    """Class of an instruction, as far as time and profiles care.

    Together with the data type it selects latency and issue interval in a machine.
    """

    __hash__ = object.__hash__  # as above

    ADD = "add"
    MUL = "mul"
    FMA = "fma"
    DIV = "div"
    MINMAX = "minmax"
    LOGIC = "logic"
    SHIFT = "shift"
    COMPARE = "compare"
    SELECT = "select"
    MOVE = "move"
    CONVERT = "convert"
    SPECIAL = "special"  # sin, cos, ex2, lg2, rcp, rsqrt, sqrt, tanh
    BIT = "bit"  # population count, leading zeros, bit fields, permutation
    VIDEO = "video"  # packed and video instructions, dp4a
    ADDRESS = "address"  # address arithmetic and conversion between spaces
    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
    PREFETCH = "prefetch"
    ASYNC_COPY = "async_copy"
    TEXTURE = "texture"
    SURFACE = "surface"
    SHUFFLE = "shuffle"
    VOTE = "vote"
    MMA = "mma"
    MATRIX_MOVE = "matrix_move"  # ldmatrix, stmatrix, wmma.load, tcgen05.ld
    BARRIER = "barrier"
    FENCE = "fence"
    BRANCH = "branch"
    CALL = "call"
    RETURN = "return"
    CONTROL = "control"  # hints and machine control without a result
    UNKNOWN = "unknown"

    @property
    def is_memory(self) -> bool:
        """Whether it reads or writes memory at an address that each lane gives."""
        return self in _MEMORY

    @property
    def is_texel_access(self) -> bool:
        """Whether it goes to texels, of textures or surfaces, or asks about them."""
        return self in (OpClass.TEXTURE, OpClass.SURFACE)

    @property
    def is_arithmetic(self) -> bool:
        """Whether it computes a value in registers."""
        return self in _ARITHMETIC


_MEMORY = frozenset(
    {OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC, OpClass.PREFETCH, OpClass.ASYNC_COPY}
)
_ARITHMETIC = frozenset(
    {
        OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.DIV, OpClass.MINMAX, OpClass.LOGIC,
        OpClass.SHIFT, OpClass.COMPARE, OpClass.SELECT, OpClass.MOVE, OpClass.CONVERT,
        OpClass.SPECIAL, OpClass.BIT, OpClass.VIDEO, OpClass.ADDRESS,
    }
)  # fmt: skip


# Where instructions stand in a kernel.

Place = tuple[int, int]
"""An instruction: its block, and its index there."""
