"""AMD's ways of naming lanes, as tables: which lane each lane reads, None where there is none.

Sources: AMD's GCN3, Vega and RDNA 2 instruction set references, ``DPP_CTRL`` and ``ds_swizzle``.
"""

from __future__ import annotations

from collections.abc import Callable

Source = Callable[[int, int], int]
"""Gives the source by the lane and the control's low four bits."""


def _within_row(lane: int, source: int) -> int:
    """Give a source, or -1 where it is in another row of 16 lanes."""
    return source if source >> 4 == lane >> 4 else -1


_BY_AMOUNT: dict[int, Source] = {
    0x100: lambda lane, n: _within_row(lane, lane + n),  # row_shl
    0x110: lambda lane, n: _within_row(lane, lane - n),  # row_shr
    0x120: lambda lane, n: lane & ~15 | lane - n & 15,  # row_ror
    0x150: lambda lane, n: lane & ~15 | n,  # row_share
    0x160: lambda lane, n: lane ^ n,  # row_xmask
}

_SINGLE: dict[int, Callable[[int, int], int]] = {
    0x130: lambda lane, _: lane + 1,  # wave_shl
    0x134: lambda lane, lanes: (lane + 1) % lanes,  # wave_rol
    0x138: lambda lane, _: lane - 1,  # wave_shr
    0x13C: lambda lane, lanes: (lane - 1) % lanes,  # wave_ror
    0x140: lambda lane, _: lane ^ 15,  # row_mirror
    0x141: lambda lane, _: lane ^ 7,  # row_half_mirror
    0x142: lambda lane, _: (lane & ~15) - 1,  # row_bcast15
    0x143: lambda lane, _: 31 if lane >= 32 else -1,  # row_bcast31
}


def dpp_sources(control: int, lanes: int) -> list[int | None] | None:
    """Give the lanes that ``dpp`` reads by its control; None for a control that is not known."""
    if 0 <= control < 0x100:
        return [lane & ~3 | control >> 2 * (lane & 3) & 3 for lane in range(lanes)]
    if control in _SINGLE:
        return [_valid(_SINGLE[control](lane, lanes), lanes) for lane in range(lanes)]
    kind, amount = control & ~15, control & 15
    if kind not in _BY_AMOUNT or (amount == 0 and kind < 0x150):
        return None
    return [_valid(_BY_AMOUNT[kind](lane, amount), lanes) for lane in range(lanes)]


def _valid(source: int, lanes: int) -> int | None:
    return source if 0 <= source < lanes else None


def swizzle_sources(pattern: int, lanes: int) -> list[int | None]:
    """Give the lanes that ``ds_swizzle`` reads, within each 32 of them."""
    return [lane & ~31 | _swizzled(lane & 31, pattern) for lane in range(lanes)]


def _swizzled(lane: int, pattern: int) -> int:
    low, middle, high = pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31
    if pattern >= 0xE000:  # for Fourier transforms: reversed bits, below those that stay
        turned = int(f"{lane:05b}"[::-1], 2)
        return turned >> low.bit_count() | lane & low
    if pattern >= 0xC000:  # rotation; bit 10 is its direction
        way = -middle if pattern >> 10 & 1 else middle
        return lane & low | lane + way & ~low & 31
    if pattern >= 0x8000:  # within fours
        return lane & ~3 | pattern >> 2 * (lane & 3) & 3
    return (lane & low | middle) ^ high
