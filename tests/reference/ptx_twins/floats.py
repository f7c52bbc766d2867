"""Floating-point arithmetic that rounds once, and on signs alone, PTX ISA 9.0, section 9.7.3."""

import numpy as np

from tests.reference.ptx_twins import numbers as soft
from tests.reference.ptx_twins.answers import Exact, Parts, bits_of, part
from tests.reference.ptx_twins.numbers import FORMATS, decode, encode, flushed

ROUNDINGS = {"rn", "rz", "rm", "rp", "rna"}


def rounding(form):
    """The rounding of a form, to nearest where it names none."""
    return next((m for m in form.modifiers if m in ROUNDINGS), "rn")


def by_element(twin):
    """Make a twin of one element work on packed types: f16x2, bf16x2, f32x2."""

    def packed(form, sources):
        type_ = form.types[-1]
        if not type_.endswith("x2"):
            return [twin(form, sources, type_)]
        bits = 32 if type_ == "f32x2" else 16
        halves = [[part(s, k, bits) for s in sources] for k in (0, 1)]
        return [Parts([twin(form, h, type_.removesuffix("x2")) for h in halves], bits)]

    return packed


def _canonical(type_):
    """Any NaN will do for f32 and f64; the 16-bit formats have one of their own."""
    return type_ if type_ in ("f32", "f64") else None


def _add(mode, a, b):
    return soft.add(a, b, mode), False


def _subtract(mode, a, b):
    return soft.add(a, b if b[0] == "nan" else soft.negated(b), mode), False


def _multiply(mode, a, b):
    return soft.multiply(a, b), False


def _fused(mode, a, b, c):
    return soft.add(soft.multiply(a, b), c, mode), False


def _divide(mode, a, b):
    return soft.divide(a, b)


def _reciprocal(mode, a):
    return soft.divide(("finite", 0, 1, 0), a)


def _root(mode, a):
    return soft.square_root(a)


_FUNCTIONS = {
    "add": _add, "sub": _subtract, "mul": _multiply, "fma": _fused, "mad": _fused,
    "div": _divide, "rcp": _reciprocal, "sqrt": _root,
}  # fmt: skip


def arithmetic(form, sources, type_):
    """Round the exact result once; .ftz, .sat and .relu as the manual orders them."""
    if len(form.types) == 2 and form.types[0] == "f32":
        return _mixed(form, sources)
    return _computed(form, [(s, type_) for s in sources], type_)


def _mixed(form, sources):
    """add, sub, fma with f32 as result and last operand: the others are widened exactly."""
    narrow = form.types[1]
    formats = [narrow] * (len(sources) - 1) + ["f32"]
    return _computed(form, list(zip(sources, formats, strict=True)), "f32")


def _computed(form, operands, type_):
    mode, f, function = rounding(form), FORMATS[type_], _FUNCTIONS[form.operation]
    ftz = "ftz" in form.modifiers
    columns = [_decoded(values, FORMATS[t], ftz) for values, t in operands]
    rows = list(zip(*columns, strict=True))
    results = [_finish(form, f, *function(mode, *row)) for row in rows]
    others = None
    if {"sat", "relu"} & set(form.modifiers):
        others = bits_of([f.sign if r == 0 else r for r in results], f.bits)
    free = None
    if "oob" in form.modifiers:  # the NaN that stands for out of bounds has no published bits
        free = np.array([any(n[0] == "nan" for n in row) for row in rows])
    return Exact(bits_of(results, f.bits), others, free, _canonical(type_))


def _decoded(values, f, ftz):
    numbers = [decode(int(v), f) for v in values]
    return [flushed(n, f) for n in numbers] if ftz else numbers


def _finish(form, f, number, sticky):
    """Round and apply .relu (a negative number is 0) and .sat (to 0..1, a NaN is 0)."""
    bits = encode(number, f, rounding(form), sticky=sticky)
    if "ftz" in form.modifiers:
        bits = encode(flushed(decode(bits, f), f), f)
    if number[0] == "nan":
        return 0 if "sat" in form.modifiers else bits
    if {"relu", "sat"} & set(form.modifiers) and bits & f.sign:
        return 0
    return min(bits, f.bias << f.fraction) if "sat" in form.modifiers else bits


def _flush_bits(values, f):
    """Subnormal numbers as zeros of their sign."""
    magnitude = values & values.dtype.type(f.sign - 1)
    return np.where(magnitude < 1 << f.fraction, values & values.dtype.type(f.sign), values)


def _sign_operation(form, sources, type_):
    f = FORMATS[type_]
    a = _flush_bits(sources[0], f) if "ftz" in form.modifiers else sources[0]
    sign = a.dtype.type(f.sign)
    return Exact(a & ~sign if form.operation == "abs" else a ^ sign, nan=type_)


def smallest(form, sources, type_):
    """min, max: -0 below +0, a NaN gives way unless .NaN; .xorsign.abs, and .abs of three."""
    f = FORMATS[type_]
    values = [_flush_bits(s, f) for s in sources] if "ftz" in form.modifiers else sources
    kind = values[0].dtype.type
    sign, magnitude = kind(f.sign), kind(f.sign - 1)
    xored = np.bitwise_xor.reduce(values) & sign
    if "abs" in form.modifiers:
        values = [v & magnitude for v in values]
    best = values[0]
    for value in values[1:]:
        best = _better(form, best, value, f)
    nans = [(v & magnitude) > f.infinity for v in values]
    lost = np.logical_or.reduce(nans) if "NaN" in form.modifiers else np.logical_and.reduce(nans)
    if "xorsign" in form.modifiers:
        best = best & magnitude | xored
    return Exact(np.where(lost, kind(f.nan), best), nan="f64" if type_ == "f64" else None)


def _better(form, a, b, f):
    magnitude = a.dtype.type(f.sign - 1)

    def key(v):
        size = (v & magnitude).astype(object)
        return np.where(v > magnitude, -size - 1, size)

    first = key(a) < key(b) if form.operation == "min" else key(a) > key(b)
    chosen = np.where(first, a, b)
    chosen = np.where((a & magnitude) > f.infinity, b, chosen)
    return np.where((b & magnitude) > f.infinity, a, chosen)


def _copy_sign(form, sources, type_):
    sign = sources[0].dtype.type(FORMATS[type_].sign)
    return Exact(sources[0] & sign | sources[1] & ~sign)


def _test(form, sources, type_):
    """testp: the manual counts both zeros as normal numbers."""
    f = FORMATS[type_]
    size = sources[0].astype(np.uint64) & np.uint64(f.sign - 1)
    least = 1 << f.fraction
    return Exact(
        {
            "finite": size < f.infinity,
            "infinite": size == f.infinity,
            "number": size <= f.infinity,
            "notanumber": size > f.infinity,
            "normal": (size == 0) | (size >= least) & (size < f.infinity),
            "subnormal": (size > 0) & (size < least),
        }[form.modifiers[0]]
    )


TWINS = {
    **{name: by_element(arithmetic) for name in _FUNCTIONS},
    "abs": by_element(_sign_operation),
    "neg": by_element(_sign_operation),
    "min": by_element(smallest),
    "max": by_element(smallest),
    "copysign": by_element(_copy_sign),
    "testp": by_element(_test),
}
"""Twins of operations on floats, by the opcode's first word."""
