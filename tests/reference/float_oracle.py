"""Floating-point results by exact rational arithmetic, and instructions run on long arrays."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tests.reference.one_operation import HEADER, compile_operation
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx

DECLARATIONS = """.reg .pred %p<4>; .reg .b8 %b<8>; .reg .b16 %h<8>; .reg .b32 %r<8>;
.reg .b64 %d<8>; .reg .f32 %f<8>; .reg .f64 %fd<8>;"""


def first_instruction(statement):
    """An instruction as the front-end reads it, without running it."""
    text = f"{HEADER}.visible .entry k()\n{{\n{DECLARATIONS}\n{statement}\nret;\n}}\n"
    return ptx.parse(Source("one.ptx", text)).module.kernels[0].blocks[0].instructions[0]


def compute(statement, result, dtype, lanes=32, **sources):
    """Run a statement on arrays of any length; names without the percent sign."""
    operation = compile_operation(statement, DECLARATIONS, lanes)
    count = max(len(a) for a in sources.values())
    padded = -(-count // lanes) * lanes
    whole = {f"%{name}": np.resize(np.asarray(values), padded) for name, values in sources.items()}
    pieces = [
        operation.run({k: v[i : i + lanes] for k, v in whole.items()})[f"%{result}"]
        for i in range(0, padded, lanes)
    ]
    return np.concatenate(pieces)[:count].view(dtype)


@dataclass(frozen=True)
class Format:
    """A binary format: bits of the significand with the hidden one, least and largest exponent."""

    precision: int
    least: int
    most: int

    @property
    def largest(self):
        return (2 - Fraction(2) ** (1 - self.precision)) * Fraction(2) ** self.most


F16 = Format(11, -14, 15)
BF16 = Format(8, -126, 127)
TF32 = Format(11, -126, 127)
F32 = Format(24, -126, 127)
F64 = Format(53, -1022, 1023)


def rounded(exact, format_, mode="rn"):
    """Round a Fraction to a format; a float, infinite where it overflows."""
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent += (Fraction(2) ** (exponent + 1) <= size) - (Fraction(2) ** exponent > size)
    unit = Fraction(2) ** (max(exponent, format_.least) - format_.precision + 1)
    units = _whole(exact / unit, mode)
    result = units * unit
    if abs(result) <= format_.largest:
        return float(result) if result else (-0.0 if exact < 0 else 0.0)
    inward = mode in ("rz", "rm" if exact > 0 else "rp")
    beyond = float(format_.largest) if inward else np.inf
    return beyond if exact > 0 else -beyond


def _whole(x, mode):
    """Round a Fraction to an integer."""
    below = x.numerator // x.denominator
    rest = x - below
    if rest == 0 or mode == "rm":
        return below
    if mode == "rp":
        return below + 1
    if mode == "rz":
        return below if x > 0 else below + 1
    if rest != Fraction(1, 2):
        return below + (rest > Fraction(1, 2))
    if mode == "rna":
        return below + (x > 0)
    return below + below % 2


def fraction(value):
    """A finite number as a Fraction."""
    return Fraction(float(value))


def same(a, b):
    """Whether floats are equal, with the sign of zero; any NaN equals any NaN."""
    return (np.isnan(a) & np.isnan(b)) | ((a == b) & (np.signbit(a) == np.signbit(b)))


def assert_same(got, wanted, *inputs):
    """Compare arrays of floats, and show the first difference."""
    bad = np.flatnonzero(~same(np.asarray(got), np.asarray(wanted)))
    where = [(got[i], wanted[i], *[x[i] for x in inputs]) for i in bad[:3]]
    assert not bad.size, where


def random_bits(count, dtype, seed=1):
    """Random bit patterns of a float type: every exponent as often, NaN and infinity among them."""
    size = np.dtype(dtype).itemsize
    raw = np.random.default_rng(seed).bytes(count * size)
    return np.frombuffer(raw, np.uint8).copy().view(dtype)


def near(values, count, seed=2):
    """Numbers of ordinary size, so that sums of them cancel and carry."""
    random = np.random.default_rng(seed)
    return (random.standard_normal(count) * 2.0 ** random.integers(-6, 7, count)).astype(values)
