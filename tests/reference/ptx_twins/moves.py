"""Moves and addresses, PTX ISA 9.0, section 9.7.9."""

import numpy as np

from tests.reference.ptx_twins.answers import Exact, bits_of

WINDOWS = {
    "shared": 0x0100_0000,
    "shared::cta": 0x0100_0000,
    "shared::cluster": 0x0100_0000,
    "local": 0x0200_0000,
    "const": 0x0300_0000,
    "param": 0x0400_0000,
}
"""Where the windows of generic addresses begin: a choice of warpmill's, PTX leaves it open."""

WINDOW_BYTES = 0x0100_0000


def _words(values):
    """Registers of any size as Python's integers."""
    if values.ndim == 2:
        return values[:, 0].astype(object) | values[:, 1].astype(object) << 64
    return values.astype(object)


def move(form, sources):
    """mov: a copy, or the parts of a vector as one number, the first the lowest, and back."""
    bits = [p.bits for p in form.destinations]
    if len(sources) > 1:
        size = form.sources[0].bits
        whole = sum(_words(s) << k * size for k, s in enumerate(sources))
        return [Exact(bits_of(whole, bits[0]))]
    if "{" not in form.template:
        return [Exact(sources[0])]
    first = form.sources[0].bits - sum(bits)  # a sink stands first, if anywhere
    whole = _words(sources[0]) >> first
    return [Exact(bits_of(whole >> k * size, size)) for k, size in enumerate(bits)]


def to_generic(form, sources):
    """cvta: adds the window's start; .to takes it away."""
    space = next(m for m in form.modifiers if m not in ("to", "u64"))
    start = WINDOWS.get(space, 0)
    value = sources[0].astype(object)
    return [Exact(bits_of(value - start if "to" in form.modifiers else value + start, 64))]


def is_in_space(form, sources):
    """isspacep: whether an address lies in a space's window."""
    space = form.modifiers[0]
    if space == "global":
        return [Exact(sources[0] >= np.uint64(0x1000_0000))]
    start = np.uint64(WINDOWS[space])
    return [Exact((sources[0] >= start) & (sources[0] < start + np.uint64(WINDOW_BYTES)))]


def _same(form, sources):
    """mapa: of the only CTA of a cluster an address stays what it is."""
    return [Exact(sources[0])]


def _first(form, sources):
    """getctarank: the only CTA has rank 0."""
    return [Exact(np.zeros(sources[0].shape, np.uint32))]


def _nothing(form, sources):
    """istypep: random bits are the address of no opaque variable."""
    return [Exact(np.zeros(sources[0].shape, bool))]


TWINS = {
    "mov": move,
    "cvta": to_generic,
    "isspacep": is_in_space,
    "mapa": _same,
    "getctarank": _first,
    "istypep": _nothing,
}
"""Twins of moves, by the opcode's first word."""
