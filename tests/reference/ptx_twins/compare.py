"""Comparison and selection, PTX ISA 9.0, sections 9.7.5 to 9.7.7."""

import numpy as np

from tests.reference.ptx_twins.answers import Exact, bits_of, is_nan, part, to_float
from tests.reference.ptx_twins.integer import numbers
from tests.reference.ptx_twins.numbers import FORMATS

_ORDERED = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "lo": np.less, "ls": np.less_equal, "hi": np.greater,
    "hs": np.greater_equal,
}  # fmt: skip

_COMBINE = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def compared(name, a, b, type_, *, ftz=False):
    """Compare as a type: a NaN makes an ordered comparison false, one that ends in u true."""
    if type_ not in FORMATS:
        return _ORDERED[name](numbers(a, type_), numbers(b, type_)).astype(bool)
    f = FORMATS[type_]
    x, y = (_value(v, f, ftz) for v in (a, b))
    unordered = is_nan(a, f) | is_nan(b, f)
    if name in ("num", "nan"):
        return unordered if name == "nan" else ~unordered
    if name in _ORDERED:
        return _ORDERED[name](x, y) & ~unordered
    return _ORDERED[name.removesuffix("u")](x, y) | unordered


def _value(bits, f, ftz):
    value = to_float(bits, f)
    small = np.abs(value) < 2.0 ** (f.lowest + f.fraction)
    return np.where(small, 0.0, value) if ftz else value


def _outcomes(form, sources):
    """A truth for each element of a, b: one, or two of packed types; not yet combined."""
    type_, ftz = form.types[-1], "ftz" in form.modifiers
    name = form.modifiers[0]
    if type_.endswith("x2"):
        inner = type_.removesuffix("x2")
        return [
            compared(name, part(sources[0], k, 16), part(sources[1], k, 16), inner, ftz=ftz)
            for k in (0, 1)
        ]
    return [compared(name, sources[0], sources[1], type_, ftz=ftz)]


def _combined(form, truth, sources):
    """Join a truth with the predicate operand, where the form has one."""
    if len(sources) < 3:
        return truth
    other = ~sources[2] if form.sources[2].sign == "!" else sources[2]
    return _COMBINE[form.modifiers[1]](truth, other)


def set_predicate(form, sources):
    """setp: p is the truth and q its opposite, both combined; of packed types one for each half."""
    truths = _outcomes(form, sources)
    truths = truths if len(truths) == 2 else [truths[0], ~truths[0]]
    results = [Exact(_combined(form, t, sources)) for t in truths]
    if form.template.startswith("_|"):
        return results[1:]
    return results[: len(form.destinations)]


_ONES = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}


def set_value(form, sources):
    """set: all ones or 1.0 where true; of packed types each half by its own comparison."""
    type_ = form.types[0]
    truths = [_combined(form, t, sources) for t in _outcomes(form, sources)]
    bits = form.destinations[0].bits
    if len(truths) == 1:
        one = _ONES.get(type_, -1)
        return [Exact(bits_of([one if t else 0 for t in truths[0]], bits))]
    one = _ONES.get(type_.removesuffix("x2"), 0xFFFF)
    rows = zip(*truths, strict=True)
    return [Exact(bits_of([(one if a else 0) | (one if b else 0) << 16 for a, b in rows], bits))]


def _select(form, sources):
    return [Exact(np.where(sources[2], sources[0], sources[1]))]


def _select_by_sign(form, sources):
    """slct: a where c >= 0; -0.0 counts as 0, a NaN chooses b; .ftz flushes c."""
    zero = np.zeros_like(sources[2])
    chosen = compared("ge", sources[2], zero, form.types[-1], ftz="ftz" in form.modifiers)
    return [Exact(np.where(chosen, sources[0], sources[1]))]


TWINS = {
    "setp": set_predicate,
    "set": set_value,
    "selp": _select,
    "slct": _select_by_sign,
}
"""Twins of comparisons and selections, by the opcode's first word."""
