"""Shapes of warp accesses: found once each, and what one costs is worked out once each. Jitted.

Two accesses have one shape where their state space, their width, the lanes that are on, the lanes'
distances and the place of the first address in its granule are the same. Then they cost the same,
wherever they go: transactions are moved by whole granules, and of wavefronts it does not matter
with which bank they begin. The rules are those of ``rules``, which says them one by one.

numba's cache does not see when a file changes that another one calls into, so everything jitted
that works on shapes stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity
from warpmill.analyzer.base.jit import jit, jit_part
from warpmill.analyzer.memory.rules import (
    LOCAL,
    LOCAL_WORD_BYTES,
    SHARED,
    WIDEST_WORDS,
    MemoryRules,
    WarpAccesses,
)

Numbers = npt.NDArray[np.int64]

ROW, MASK, ALIKE, WIDTH = range(4)
"""Columns of a shape's key: the row of the patterns, the lanes on as bits, the way with the first
address's place in the granule, bytes of a lane."""

PLACE = ALIKE
"""Column of keys from which the way was taken away."""

BYTES, SHIFT = range(2)
"""Columns of granules: their bytes, and by how much to shift for a division, -1 where none does."""

WORD_BYTES = LOCAL_WORD_BYTES

MOST_PIECES = 1 << 23
"""Pieces of 32 B that one access of a warp may touch; there is no room for more."""

_WAYS = 8  # values that ALIKE has room for below the place in a word
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FIRST_SLOTS = 1 << 9
_PIECE = 32  # bytes of a granule for which two words say what is touched
_EIGHTHS, _ALL = 8, 255
_TOGETHER = 1 << 24  # transactions, at most, for which there is room at once
_ONE, _BYTE, _EACH = np.uint64(1), np.uint64(255), np.uint64(0x0101010101010101)


@dataclass(frozen=True, eq=False)
class AccessShapes:
    """Shapes of accesses: ``shape`` is the number of each one's.

    ``unit`` is the granule of the first lane of each access: its address divided by the granule of
    its way. ``keys`` has a row for each shape (ROW, MASK, ALIKE, WIDTH); rows are of ``patterns``.
    """

    unit: Numbers
    shape: npt.NDArray[np.int32]
    keys: Numbers
    patterns: Numbers

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def way(self) -> Numbers:
        """Way of each shape."""
        return self.keys[:, ALIKE] % _WAYS

    @property
    def placed(self) -> Numbers:
        """Keys with the first address's place in its granule (PLACE), but for LOCAL ones."""
        keys = self.keys.copy()
        keys[:, PLACE] = keys[:, ALIKE] // (_WAYS * WORD_BYTES)
        return keys


def granule_table(sizes: Mapping[int, int]) -> Numbers:
    """The bytes of each way's granule, and how to divide by it; 1 B where none is told."""
    table = np.zeros((_WAYS, 2), np.int64)
    for way in range(_WAYS):
        size = sizes.get(way, 1)
        table[way] = size, size.bit_length() - 1 if size & (size - 1) == 0 else -1
    return table


@jit_part
def quotient(number: int, unit: int, shift: int) -> Any:
    """Divide, rounding down; ``shift`` is -1 where the unit is no power of two."""
    return number >> shift if shift >= 0 else number // unit


@jit_part
def remainder(number: int, unit: int) -> Any:
    """Remainder of a division, 0 or more."""
    return number % unit if unit & (unit - 1) else number & (unit - 1)


@jit_part
def is_on(mask: Any, lane: int) -> Any:
    """Whether a lane is on."""
    return (mask >> np.uint64(lane)) & np.uint64(1) != 0


@jit_part
def slot_of(slots: Any, keys: Any, row: Any, bits: Any, alike: int, width: int) -> Any:
    """The slot in which the number of a shape stands, or the empty one where it belongs."""
    mixed = (np.uint64(row) ^ np.uint64(bits)) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(29)) ^ np.uint64(alike)) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(32)) ^ np.uint64(width)) * _MIX
    slot = np.int64(mixed >> np.uint64(20)) & (slots.size - 1)
    while slots[slot] >= 0:
        key = slots[slot]
        same = keys[key, ROW] == row and keys[key, ALIKE] == alike
        if same and keys[key, MASK] == bits and keys[key, WIDTH] == width:
            break
        slot = (slot + 1) & (slots.size - 1)
    return slot


def find_shapes(accesses: WarpAccesses, granules: Numbers) -> AccessShapes:
    """The shapes of accesses, none of which is GENERIC; ``granules`` has a row for each way."""
    a = accesses
    patterns = np.ascontiguousarray(a.patterns, np.int64)
    start = np.zeros(0, np.int64) if a.local_start is None else a.local_start
    columns = (a.base, a.pattern, a.mask, np.maximum(a.width_bytes, 1), a.way, start)
    unit, shape = np.empty(len(a), np.int64), np.empty(len(a), np.int32)
    keys, slots = np.empty((len(a), 4), np.int64), 2 << len(a).bit_length()
    known = put_shapes(
        *columns, granules, patterns.shape[1] * WORD_BYTES, unit, shape, keys,
        np.full(slots, -1, np.int32),
    )  # fmt: skip
    return AccessShapes(unit, shape, keys[:known].copy(), patterns)


@partial(jit, arrays=False)
def put_shapes(
    base: Any,
    pattern: Any,
    mask: Any,
    width: Any,
    way: Any,
    start: Any,
    granules: Any,
    row_bytes: int,
    unit: Any,
    shape: Any,
    keys: Any,
    slots: Any,
) -> Any:
    """Find the shapes of accesses, whose number it gives; ``slots`` is empty, for twice as many."""
    known = 0
    for k in range(base.size):
        own, origin, rest = np.int64(way[k]), base[k], 0
        if own == LOCAL:
            origin, rest = (base[k] >> 2) * row_bytes, base[k] & 3
            if start.size:
                origin += start[k]
        unit[k] = quotient(origin, granules[own, BYTES], granules[own, SHIFT])
        inside = origin - unit[k] * granules[own, BYTES]
        alike = (inside * WORD_BYTES + rest) * _WAYS + own
        row, bits, wide = np.int64(pattern[k]), np.int64(mask[k]), width[k]
        slot = slot_of(slots, keys, row, bits, alike, wide)
        if slots[slot] < 0:
            keys[known, ROW], keys[known, MASK] = row, bits
            keys[known, ALIKE], keys[known, WIDTH] = alike, wide
            slots[slot] = known
            known += 1
        shape[k] = slots[slot]
    return known


# Coalescing: transactions, and what lanes touch of each. One is a granule that lanes touch, merged
# within each group of neighbours: a sector, a line of a cache without sectors, a word.


class CoalescedAccesses(NamedTuple):
    """Transactions of shapes: those of shape s from ``first[s]`` on, up to ``first[s + 1]``.

    They stand group by group of lanes in the order in which lanes first touch them. ``offset``
    counts granules from that of the access's first address. ``lanes`` are those that touch a
    transaction, ``words`` the most that touch one and the same 4 B word, ``full`` whether every
    byte is touched and ``parts`` a bit for each eighth of which that is so.
    """

    first: Numbers
    offset: Numbers
    lanes: npt.NDArray[np.uint8]
    full: npt.NDArray[np.bool_]
    words: npt.NDArray[np.uint8]
    parts: npt.NDArray[np.uint8]

    @property
    def counts(self) -> Numbers:
        """Transactions of each shape."""
        return np.diff(self.first)


class _Scratch(NamedTuple):
    """Scratch memory for building the transactions of one shape.

    ``slots`` say where the newest transaction of a granule is; numbers before those of the lanes
    that merge are out of date. ``last`` has the last lane of each transaction, ``whole`` its pieces
    of 32 B of which every byte is touched. ``touched`` has two words for each such piece: a bit for
    each byte, and in a byte for each 4 B how many lanes touch it.
    """

    slots: Any
    last: Any
    whole: Any
    touched: Any


def coalesce(
    keys: Numbers, patterns: Numbers, granules: Numbers, group: int, *, details: bool = True
) -> CoalescedAccesses:
    """The transactions of shapes, merged within each group of so many neighbouring lanes.

    ``keys`` and ``patterns`` as in ``AccessShapes``; SHARED ones have none. ``granules`` may be
    other ones than those by which shapes were told apart, if these are multiples of them. Without
    ``details`` it is not found out what is touched of them: only ``first`` and ``offset`` are told.
    NumPy makes the large arrays: their pages are large ones, which are there much sooner.
    LimitError for an access that touches more memory at once than there is room for.
    """
    on, most = lanes_on(keys), np.empty(len(keys), np.int64)
    widest, longest = count_room(keys, granules, on, details, most)
    if widest > MOST_PIECES:
        told = f"{on[longest]} threads access {keys[longest, WIDTH]} bytes each at once"
        hint = f"an instruction of a warp may touch {MOST_PIECES * _PIECE} bytes"
        raise LimitError(Diagnostic(Severity.ERROR, told, hint=hint))
    room = int(most.sum())
    if room > _TOGETHER and len(keys) > 1:
        cut, how = len(keys) // 2, (patterns, granules, group)
        low, high = (coalesce(part, *how, details=details) for part in (keys[:cut], keys[cut:]))
        first = np.concatenate((low.first, high.first[1:] + low.first[-1]))
        parts: Any = zip(low[1:], high[1:], strict=True)
        return CoalescedAccesses(first, *map(np.concatenate, parts))
    first, offset = np.zeros(len(keys) + 1, np.int64), np.empty(room, np.int64)
    lanes, words, parts = (np.empty(room, np.uint8) for _ in range(3))
    made: tuple[Any, ...] = (offset, lanes, np.empty(room, np.bool_), words, parts)
    scratch = _scratch_for(int(most.max(initial=1)), widest)
    put_transactions(keys, patterns, granules, group, details, first, made, scratch)
    return CoalescedAccesses(first, *(array[: first[-1]] for array in made))


def lanes_on(keys: Numbers) -> Numbers:
    """How many lanes are on in each shape."""
    masks = np.ascontiguousarray(keys[:, MASK]).view(np.uint64)
    return np.bitwise_count(masks).astype(np.int64)


def _scratch_for(most: int, pieces: int) -> _Scratch:
    """Make what serves at most so many transactions of one shape, with so many pieces in all."""
    slots = np.full(max(1 << (4 * most - 1).bit_length(), _FIRST_SLOTS), -1, np.int64)
    last, whole = np.zeros(most, np.int64), np.zeros(most, np.int64)
    return _Scratch(slots, last, whole, np.zeros(2 * pieces, np.uint64))


@jit_part
def bytes_of(low: int, size: int) -> Any:
    """A bit for each of neighbouring bytes of a piece."""
    return ((_ONE << np.uint64(size)) - _ONE) << np.uint64(low)


@jit_part
def words_of(low: int, size: int) -> Any:
    """A word with a 1 in the byte of each 4 B that neighbouring bytes of a piece touch."""
    first, last = low >> 2, (low + size - 1) >> 2
    return (_EACH >> np.uint64(8 * (7 - last + first))) << np.uint64(8 * first)


@partial(jit, arrays=False)
def count_room(keys: Any, granules: Any, lanes: Any, details: bool, most: Any) -> Any:
    """The most transactions that each shape can have, the most pieces of one, and of which."""
    widest, longest = 1, 0
    for shape in range(len(keys)):
        way, width = keys[shape, ALIKE] % _WAYS, keys[shape, WIDTH]
        granule, words = granules[way, BYTES], 1
        if way == LOCAL:  # each word of a lane lies by itself
            width, words = min(width, WORD_BYTES), (width + 2 * WORD_BYTES - 2) // WORD_BYTES
        most[shape] = (
            0 if way == SHARED else lanes[shape] * words * ((width + granule - 2) // granule + 1)
        )
        pieces = most[shape] * ((granule + _PIECE - 1) // _PIECE if details else 1)
        if pieces > widest:
            widest, longest = pieces, shape
    return widest, longest


@partial(jit, arrays=False)
def put_transactions(
    keys: Any,
    patterns: Any,
    granules: Any,
    group: int,
    details: bool,
    first: Any,
    made: Any,
    scratch: Any,
) -> None:
    """Write down the transactions of shapes as lanes first touch them.

    Each step of the inner loop is what a lane touches of a granule: for ``details`` of one piece of
    it, and in local memory of one word. Where it takes ``several`` steps to touch a whole granule,
    it matters whether the lane was there before. Transactions of ``group`` neighbours merge.
    """
    offset, lanes, full, words, parts = made
    slots, last, whole, touched = scratch
    row_bytes = patterns.shape[1] * WORD_BYTES
    for shape in range(len(keys)):
        mask, width = np.uint64(keys[shape, MASK]), keys[shape, WIDTH]
        way, inside = keys[shape, ALIKE] % _WAYS, keys[shape, ALIKE] // _WAYS
        granule, shift = granules[way, BYTES], granules[way, SHIFT]
        rest, inside = inside % WORD_BYTES, inside // WORD_BYTES
        row, pieces = keys[shape, ROW], (granule + _PIECE - 1) // _PIECE if details else 1
        end = first[shape]
        first[shape + 1] = end
        if way == SHARED:
            continue
        several = way == LOCAL or pieces > 1
        start, newest, left = end, end, group
        for lane in range(patterns.shape[1]):
            if left == 0:
                newest, left = end, group
            left -= 1
            if not is_on(mask, lane):
                continue
            here = rest + patterns[row, lane]
            stop = here + width
            while here < stop:
                place, size = inside + here, stop - here
                if way == LOCAL:
                    place = inside + (here >> 2) * row_bytes + lane * WORD_BYTES + (here & 3)
                    size = min(size, WORD_BYTES - (here & 3))
                unit = quotient(place, granule, shift)
                begin = place - unit * granule
                low, wanted = begin, bytes_of(0, _PIECE)
                if not details:
                    size = min(size, granule - begin)
                elif granule != _PIECE or begin + size > _PIECE:
                    low = begin & (_PIECE - 1)
                    wanted = bytes_of(0, min(granule - begin + low, _PIECE))
                    size = min(size, granule - begin, _PIECE - low)
                here += size
                slot = np.int64((np.uint64(unit) * _MIX) >> np.uint64(40)) & (slots.size - 1)
                one = slots[slot]
                while one >= newest and offset[one] != unit:
                    slot = (slot + 1) & (slots.size - 1)
                    one = slots[slot]
                if one < newest:
                    slots[slot], offset[end] = end, unit
                    end += 1
                if not details:
                    continue
                bits, each = bytes_of(low, size), words_of(low, size)
                if one < newest:
                    one = end - 1
                    at = 2 * pieces * (one - start)
                    if several:
                        last[one - start], whole[one - start] = lane, bits == wanted
                        for k in range(at, at + 2 * pieces):
                            touched[k] = 0
                    at += 2 * (begin // _PIECE)
                    touched[at], touched[at + 1] = bits, each
                    lanes[one], words[one] = 1, 1
                    full[one] = bits == wanted and pieces == 1
                    continue
                lanes[one] += not (several and last[one - start] == lane)
                at = 2 * (pieces * (one - start) + begin // _PIECE)
                old, each = touched[at], each + touched[at + 1]
                now = old | bits
                touched[at], touched[at + 1] = now, each
                for word in range(low >> 2, (low + size + 3) >> 2):
                    words[one] = max(words[one], (each >> np.uint64(8 * word)) & _BYTE)
                if several:
                    last[one - start] = lane
                    whole[one - start] += old != wanted and now == wanted
                if now == wanted and (not several or whole[one - start] == pieces):
                    full[one] = True
        for one in range(start, end if details else start):
            at = 2 * pieces * (one - start)
            parts[one] = _ALL if full[one] else _whole_parts(touched, at, granule, pieces)
        first[shape + 1] = end


@jit_part
def _whole_parts(touched: Any, at: int, granule: int, pieces: int) -> Any:
    """A bit for each eighth of a transaction whose every byte is touched.

    Where eighths are no whole parts of pieces of 32 B, none is said to be.
    """
    if pieces > _EIGHTHS or _EIGHTHS % pieces or granule % _PIECE:
        return 0
    if pieces == 1:
        return _whole_words(touched[at])
    found, each = 0, _EIGHTHS // pieces
    wanted = bytes_of(0, _PIECE // each)
    for k in range(_EIGHTHS):
        bits = touched[at + 2 * (k // each)] >> np.uint64(k % each * (_PIECE // each))
        found |= (bits & wanted == wanted) << k
    return found


@jit_part
def _whole_words(bits: Any) -> Any:
    """A bit for each 4 B of a piece whose every byte is touched."""
    bits &= bits >> _ONE
    bits &= (bits >> np.uint64(2)) & np.uint64(0x11111111)  # at the first byte of each word
    bits = (bits | (bits >> np.uint64(3))) & np.uint64(0x03030303)
    bits = (bits | (bits >> np.uint64(6))) & np.uint64(0x000F000F)
    return np.int64((bits | (bits >> np.uint64(12))) & _BYTE)


@jit
def spread(
    accesses: Numbers, shape: Any, first: Any, base: Numbers, offset: Any, mask: int
) -> tuple[Numbers, Numbers, Numbers]:
    """The granules of accesses, the access of each, and its number among all of its shape.

    Transactions of shape s are those from ``first[s]`` on, at ``offset`` from an access's base.
    """
    whole = np.int64(0)
    for access in accesses:
        whole += first[shape[access] + 1] - first[shape[access]]
    granule, owner = np.empty(whole, np.int64), np.empty(whole, np.int64)
    place = np.empty(whole, np.int64)
    n = 0
    for access in accesses:
        for k in range(first[shape[access]], first[shape[access] + 1]):
            granule[n] = (offset[k] + base[access]) & mask
            owner[n], place[n] = access, k
            n += 1
    return granule, owner, place


# Wavefronts of shared memory: how often its banks have to be asked.


def shared_wavefronts(patterns: Numbers, placed: Numbers, rules: MemoryRules) -> Numbers:
    """Wavefronts of each access; 0 has no lane on.

    ``placed`` has a row for each: the row of ``patterns`` with the distances of lanes, the lanes
    that are on as bits, the address that distances are counted from and the bytes of a lane
    (``AccessShapes.placed``). Of an address only the place in its bank matters.
    """
    banks, bytes_ = rules.banks, rules.bank_width_bytes
    shift = bytes_.bit_length() - 1 if bytes_ & (bytes_ - 1) == 0 else -1
    out = np.zeros(len(placed), np.int64)
    if out.size:
        counts, found = np.zeros(banks, np.int64), np.zeros((banks, patterns.shape[1]), np.int64)
        numbers = (banks, bytes_, shift, rules.packs_pairs)
        count_wavefronts(np.ascontiguousarray(patterns), placed, *numbers, counts, found, out)
    return out


@partial(jit, arrays=False)
def count_wavefronts(
    patterns: Any,
    placed: Any,
    banks: int,
    bank_bytes: int,
    shift: int,
    packs_pairs: bool,
    counts: Any,
    found: Any,
    out: Any,
) -> None:
    """Count those of each access; ``found`` has a row of words for each bank, ``counts`` so many.

    In hardware two groups of lanes that read several words each are served together where lanes
    read in pairs.
    """
    for k in range(len(placed)):
        row, mask, place = placed[k, ROW], np.uint64(placed[k, MASK]), placed[k, PLACE]
        words = max(1, placed[k, WIDTH] // bank_bytes)
        group = max(1, banks // words)
        if packs_pairs and 1 < words <= WIDEST_WORDS and _in_pairs(patterns, row, mask):
            group *= 2
        total = most = 0
        for lane in range(patterns.shape[1]):
            if lane % group == 0:
                for bank in range(banks):
                    counts[bank] = 0
                total, most = total + most, 0
            if not is_on(mask, lane):
                continue
            if words >= banks and group == 1:  # without conflicts
                most = (words + banks - 1) // banks
                continue
            first = quotient(place + patterns[row, lane], bank_bytes, shift)
            for word in range(first, first + words):
                bank = remainder(word, banks)
                if not _is_in(found, bank, counts[bank], word):
                    found[bank, counts[bank]] = word
                    counts[bank] += 1
                    most = max(most, counts[bank])
        out[k] = total + most


@jit_part
def _in_pairs(patterns: Any, row: int, mask: Any) -> Any:
    """Whether each lane reads what its neighbour does, or what the one after that does.

    That is the lane whose number differs in the last bit, or in the one before it; lanes that are
    off read the same as any.
    """
    near = far = True
    for lane in range(patterns.shape[1]):
        if not is_on(mask, lane):
            continue
        for other, distance in ((lane ^ 1, 1), (lane ^ 2, 2)):
            there = other < patterns.shape[1] and is_on(mask, other)
            if there and patterns[row, other] != patterns[row, lane]:
                near, far = near and distance != 1, far and distance != 2
    return near or far


@jit_part
def _is_in(found: Any, row: int, known: int, word: int) -> Any:
    """Whether a word is among the first ones of a row."""
    for k in range(known):
        if found[row, k] == word:
            return True
    return False
