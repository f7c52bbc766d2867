"""The transactions of warp accesses as one would write them down: lane by lane, byte by byte."""

import numpy as np

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, SHARED_WINDOW, WINDOW_BYTES
from warpmill.analyzer.memory.rules import MemoryRules, shared_wavefronts


def slow_streams(batch, rules, spaces=None, chosen=None):
    """(space, passes, lanes, transactions) of accesses: all, or those of ``chosen`` numbers.

    A transaction is (granule, lanes, whether it is full, lanes on its busiest word, a bit for each
    eighth that is all touched); of granules whose eighths are no parts of pieces of 32 B none is.
    """
    everywhere, masks = batch.lane_addresses, batch.access_mask.tolist()
    for k in range(len(masks)) if chosen is None else chosen:
        mask = masks[k]
        point = batch.tables.points[batch.access_point[k]]
        space = _meant(point, int(batch.access_base[k]), spaces or {})
        lanes = [lane for lane in range(batch.tables.warp_size) if mask >> lane & 1]
        yield _one(space, lanes, everywhere[k], point.width_bytes or 1, rules)


def _one(space, lanes, addresses, width, rules):
    if space is Space.SHARED:
        own = MemoryRules(
            banks=rules.banks,
            bank_width_bytes=rules.bank_width_bytes,
            packs_pairs=rules.packs_pairs,
        )
        passes = shared_wavefronts(addresses[lanes], width, own, np.array(lanes, np.int64))
        return space, max(1, passes), len(lanes), []
    size = size_of(space, rules)
    parts = [_bytes(space, lane, int(addresses[lane]), width, len(addresses)) for lane in lanes]
    in_group = [lane // rules.lanes_per_group for lane in lanes]
    made = [_summed(one, size) for one in _transactions(parts, in_group, size)]
    return space, max(1, _passes(space, made, lanes, addresses, rules)), len(lanes), made


def size_of(space, rules):
    if space is Space.CONST:
        return rules.const_line_bytes
    return rules.tex_line_bytes if space is Space.TEXTURE else rules.sector_bytes


def _meant(point, base, spaces):
    space = point.space
    if space is Space.GENERIC:
        space = spaces.get((point.block, point.instruction), space)
    if space is Space.GENERIC and base < SHARED_WINDOW:
        return Space.SHARED
    if space is Space.GENERIC and CONSTANT_BASE <= base < CONSTANT_BASE + WINDOW_BYTES:
        return Space.CONST
    alike = {Space.PARAM: Space.CONST, Space.SURFACE: Space.GLOBAL, Space.TENSOR: Space.SHARED}
    return {Space.GENERIC: Space.GLOBAL, **alike}.get(space, space)


def _bytes(space, lane, address, width, warp_size):
    """Where the bytes that a lane accesses lie."""
    own = range(address, address + width)
    if space is not Space.LOCAL:
        return list(own)
    return [at // 4 * 4 * warp_size + 4 * lane + at % 4 for at in own]


def _transactions(parts, in_group, size):
    """Transactions as lists of the places that each lane touches."""
    made, newest = [], {}
    for group, places in zip(in_group, parts, strict=True):
        for granule in dict.fromkeys(at // size for at in places):
            one = newest.get((group, granule))
            if one is None:
                one = newest[group, granule] = []
                made.append(one)
            one.append([at for at in places if at // size == granule])
    return made


def _summed(one, size):
    """The granule, lanes, whether all is touched, the lanes on the busiest word, and eighths."""
    words = [word for places in one for word in {at % size // 4 for at in places}]
    touched = {at % size for places in one for at in places}
    full, parts = len(touched) == size, range(8 if size in (32, 64, 128, 256) else 0)
    eighths = sum(touched.issuperset(range(k * size // 8, (k + 1) * size // 8)) << k for k in parts)
    own = len(one), full, max(map(words.count, words)), 255 if full else eighths
    return one[0][0] // size, *own


def _passes(space, made, lanes, addresses, rules):
    if space is Space.TEXTURE:
        return len(made)
    if space is Space.CONST:
        return len({(lane // rules.lanes_per_group, int(addresses[lane]) // 4) for lane in lanes})
    banks = [granule % rules.l1_banks for granule, *_ in made]
    return max(map(banks.count, banks), default=0)
