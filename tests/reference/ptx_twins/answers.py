"""What an operation may answer: exact bits, bits with some left open, or a number with a bound."""

from dataclasses import dataclass, field

import numpy as np

from tests.reference.ptx_twins.numbers import FORMATS


def bits_of(values, bits):
    """Numbers as an array of registers, negative ones in two's complement."""
    if bits == 1:
        return np.array([bool(v) for v in values])
    if bits == 128:
        whole = [int(v) & (1 << 128) - 1 for v in values]
        return np.array([(v & (1 << 64) - 1, v >> 64) for v in whole], np.uint64)
    mask = (1 << bits) - 1
    return np.array([int(v) & mask for v in values], f"u{max(8, bits) // 8}")


def is_nan(bits, f):
    """Whether bits are a NaN of a format."""
    magnitude = np.asarray(bits).astype(np.uint64) >> np.uint64(f.shift) & np.uint64(f.sign - 1)
    return magnitude > f.infinity if f.infinity is not None else magnitude == (f.nan or 1 << 60)


@dataclass
class Exact:
    """These bits; where ``others`` are given, those will do as well; ``free`` elements may be any.

    ``nan`` names a format of which any NaN is as good as another.
    """

    bits: np.ndarray
    others: np.ndarray | None = None
    free: np.ndarray | None = None
    nan: str | None = None

    def agrees(self, got):
        """Whether each element is right."""
        right = got == self.bits
        if right.ndim == 2:
            right = right.all(axis=1)
        if self.others is not None:
            right |= got == self.others
        if self.free is not None:
            right |= self.free
        if self.nan is not None:
            f = FORMATS[self.nan]
            right |= is_nan(got, f) & is_nan(self.bits, f)
        return right

    def shown(self, k):
        """Write what was expected of an element."""
        text = " ".join(f"{int(v):#x}" for v in np.atleast_1d(self.bits[k]))
        return text if self.others is None else f"{text} or {int(self.others[k]):#x}"


@dataclass
class Close:
    """A number of a format near a reference: by at most ``bound`` of it or by ``absolute``.

    ``bound`` is relative. Results in the subnormal range may be off by a unit more, and are zeros
    where ``ftz``. Infinities, NaNs and zeros of the reference are wanted as they are, zeros with
    their sign where ``signed_zero``. ``free`` elements may be any.
    """

    reference: np.ndarray  # float64
    format: str
    bound: float = 0.0
    absolute: float = 0.0
    ftz: bool = False
    free: np.ndarray | None = None
    signed_zero: bool = True
    limits: tuple[float, float] = field(default=(-np.inf, np.inf))

    def agrees(self, got):
        """Whether each element is right."""
        f, want = FORMATS[self.format], self.reference
        value = to_float(got, f)
        with np.errstate(all="ignore"):
            unit = 2.0 ** max(f.lowest, -1074)
            tolerance = np.abs(want) * self.bound + self.absolute + unit
            right = np.abs(value - want) <= tolerance
            largest = float(to_float(np.array([f.largest], "u8"), f)[0])
            over = np.abs(want) * (1 + self.bound) >= largest
            right |= over & (value == np.copysign(np.inf, want))
            normal = 2.0 ** (f.lowest + f.fraction)
            small = np.abs(want) * (1 - self.bound) < normal
            if self.ftz:
                right = np.where(small, (value == 0) | right & (np.abs(value) >= normal), right)
            right &= (value >= self.limits[0]) & (value <= self.limits[1])
        exact = np.isnan(want) | np.isinf(want) | (want == 0)
        same = (value == want) | (np.isnan(value) & np.isnan(want))
        if self.signed_zero:
            same &= np.isnan(want) | (np.signbit(value) == np.signbit(want))
        right = np.where(exact & (self.absolute == 0), same, np.where(np.isnan(want), same, right))
        return right if self.free is None else right | self.free

    def shown(self, k):
        """Write what was expected of an element."""
        return f"{self.reference[k]!r} within {self.bound or self.absolute:.3g}"


@dataclass
class Parts:
    """Answers for the equal parts of a packed register, from the lowest."""

    parts: list
    bits: int  # of one part

    def agrees(self, got):
        """Whether all parts of each element are right."""
        return np.logical_and.reduce(
            [p.agrees(part(got, k, self.bits)) for k, p in enumerate(self.parts)]
        )

    def shown(self, k):
        """Write what was expected of an element, the lowest part first."""
        return " | ".join(p.shown(k) for p in self.parts)


def part(values, k, bits):
    """One part of packed registers, as registers of its size."""
    kind = f"u{max(8, bits) // 8}"
    return (values.astype(np.uint64) >> np.uint64(k * bits) & np.uint64((1 << bits) - 1)).astype(
        kind
    )


def to_float(bits, f):
    """Bits of a format as float64."""
    bits = np.asarray(bits)
    with np.errstate(invalid="ignore"):  # a signalling NaN turns quiet
        return _widened(bits, f)


def _widened(bits, f):
    if f.name == "f64":
        return bits.astype(np.uint64).view(np.float64)
    if f.name == "bf16":
        return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    kind, narrow = {"f32": (np.uint32, np.float32), "f16": (np.uint16, np.float16)}[f.name]
    return bits.astype(kind).view(narrow).astype(np.float64)
