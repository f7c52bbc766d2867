"""Shapes of warp accesses: found once each, and worked out once each. The jitted part.

Two accesses have one shape where the way they go, their width, the lanes that are on, the lanes'
distances and the place of the first address in its granule are the same. Then they cost the same,
wherever they go: transactions are moved by whole granules, and of passes over banks it does not
matter with which bank they begin.

numba's cache does not see when a file changes that another one calls into, so everything that
works on shapes stands here.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity
from warpmill.analyzer.base.jit import jit, jit_part
from warpmill.analyzer.memory.rules import WIDEST_WORDS

MEMORY, LOCAL, CONST, TEXTURE, SHARED, GENERIC = range(6)
"""Ways that an access goes; of a GENERIC one its address tells which."""

ROW, MASK, ALIKE, WIDTH = range(4)
"""Columns of a shape's key. ALIKE holds the way, and the first address's place in the granule."""

BYTES, SHIFT = range(2)
"""Columns of granules: their bytes, and by how much to shift for a division, -1 where none does."""

WORD_BYTES = 4
"""Interleaving unit of local memory, and unit in which atomics and constants are served."""

MOST_PIECES = 1 << 23
"""Pieces of 32 B that one access of a warp may touch; there is no room for more."""

_WAYS = 8  # values that ALIKE has room for below the place in a word
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FIRST_SLOTS = 1 << 9
_PIECE = 32  # bytes of a granule for which two words say what is touched
_EIGHTHS, _ALL = 8, 255
_ONE, _BYTE, _EACH = np.uint64(1), np.uint64(255), np.uint64(0x0101010101010101)


class ShapeRules(NamedTuple):
    """Numbers that are the same for all accesses. ``line_sectors`` are granules of a line of L1.

    ``row_bytes`` is a word of each thread of a warp. Generic addresses below ``on_chip_end`` are in
    shared memory, those from ``constants`` to ``constants_end`` in constant memory.
    """

    row_bytes: int
    group: int
    banks: int
    l1_banks: int
    line_sectors: int
    lines_per_clk: float
    packs_pairs: bool
    on_chip_end: int
    constants: int
    constants_end: int


class CoalescedAccesses(NamedTuple):
    """The transactions of all shapes so far, as arrays that have room for more."""

    offset: Any
    lanes: Any
    full: Any
    words: Any
    parts: Any


class Scratch(NamedTuple):
    """Scratch memory for building the transactions of one shape.

    ``slots`` say where the newest transaction of a granule is; numbers before those of the lanes
    that merge are out of date. ``last`` has the last lane of each transaction, ``whole`` its pieces
    of 32 B of which every byte is touched. ``touched`` has two words for each such piece: a bit for
    each byte, and in a byte for each 4 B how many lanes touch it. ``counts`` are those of the
    banks of L1, zeros between shapes.
    """

    slots: Any
    last: Any
    whole: Any
    touched: Any
    counts: Any


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
def way_of(way: int, base: int, rules: Any) -> Any:
    """Way that an access goes."""
    if way != GENERIC:
        return way
    if base < rules.on_chip_end:
        return SHARED
    return CONST if rules.constants <= base < rules.constants_end else MEMORY


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


def find_shapes(
    point: Any,
    base: Any,
    pattern: Any,
    mask: Any,
    ways: Any,
    widths: Any,
    granules: Any,
    rules: Any,
) -> Any:
    """The way, first granule and shape of each access, and the shapes' keys.

    ``ways`` and ``widths`` are those of points, ``granules`` has a row for each way.
    """
    n, done, known, slots = base.size, 0, 0, _FIRST_SLOTS
    found = np.empty(n, np.uint8), np.empty(n, np.int64), np.empty(n, np.int32)
    keys = np.empty((slots // 2, 4), np.int64)
    while True:
        table = np.full(slots, -1, np.int32)
        done, known = put_shapes(done, known, point, base, pattern, mask, ways, widths, granules,
                                 rules, *found, keys, table)  # fmt: skip
        if done == n:
            return *found, keys[:known].copy()
        slots *= 4
        more = np.empty((slots // 2, 4), np.int64)
        more[:known] = keys
        keys = more


@partial(jit, arrays=False)
def put_shapes(
    done: int,
    known: int,
    point: Any,
    base: Any,
    pattern: Any,
    mask: Any,
    ways: Any,
    widths: Any,
    granules: Any,
    rules: Any,
    way: Any,
    unit: Any,
    shape: Any,
    keys: Any,
    slots: Any,
) -> Any:
    """Find the shapes of the accesses from ``done`` on; gives how many are done and known now.

    ``keys`` has those that are known, ``slots`` is empty. It ends where ``keys`` is full.
    """
    for k in range(known):
        row, bits, alike, width = keys[k, ROW], keys[k, MASK], keys[k, ALIKE], keys[k, WIDTH]
        slots[slot_of(slots, keys, row, bits, alike, width)] = k
    for k in range(done, base.size):
        own = way_of(ways[point[k]], base[k], rules)
        origin, rest = base[k], 0
        if own == LOCAL:
            origin, rest = (base[k] >> 2) * rules.row_bytes, base[k] & 3
        unit[k] = quotient(origin, granules[own, BYTES], granules[own, SHIFT])
        inside = origin - unit[k] * granules[own, BYTES]
        alike = (inside * WORD_BYTES + rest) * _WAYS + own
        row, bits, width = np.int64(pattern[k]), np.int64(mask[k]), widths[point[k]]
        slot = slot_of(slots, keys, row, bits, alike, width)
        if slots[slot] < 0:
            if known == len(keys):
                return k, known
            keys[known, ROW], keys[known, MASK] = row, bits
            keys[known, ALIKE], keys[known, WIDTH] = alike, width
            slots[slot] = known
            known += 1
        way[k], shape[k] = own, slots[slot]
    return base.size, known


def work_out(keys: Any, patterns: Any, granules: Any, rules: Any) -> Any:
    """Work shapes out: first transaction, passes, lanes on a word, lanes; and the transactions.

    NumPy makes the large arrays here: their pages are large ones, which are there much sooner.
    """
    n, done = len(keys), 0
    first, on, passes = np.zeros(n + 1, np.int64), np.zeros(n, np.int32), np.ones(n, np.int32)
    most = np.ones(n, np.int32)
    made, scratch = _room_for(4 * n + 64), _scratch_for(64, 64, rules.l1_banks)
    while done < n:
        done = put_transactions(done, keys, patterns, granules, rules, first, on, passes, made,
                                scratch)  # fmt: skip
        if done < n:
            needed, pieces = _needs(keys[done].tolist(), granules)
            scratch = _larger_scratch(scratch, needed, pieces)
            made = _larger(made, int(first[done]), needed, n - done, done)
    counts = np.zeros(rules.banks, np.int64)
    found = np.zeros((rules.banks, patterns.shape[1]), np.int64)
    count_passes(keys, patterns, granules, rules, counts, found, passes)
    count_lanes_on_words(keys, patterns, most)
    return first, passes, most, on, *(array[: first[n]] for array in made)


def _needs(key: list[int], granules: Any) -> tuple[int, int]:
    """The transactions that a shape has at the most, and the pieces of its granule."""
    way, lanes = key[ALIKE] % _WAYS, (key[MASK] & (1 << 64) - 1).bit_count()
    granule = int(granules[way, BYTES])
    most, pieces = lanes * int(most_of(way, key[WIDTH], granule)), -(-granule // _PIECE)
    if most * pieces > MOST_PIECES:
        words = f"{lanes} threads access {key[WIDTH]} bytes each at once"
        hint = f"the simulator takes {MOST_PIECES * _PIECE} bytes an instruction of a warp"
        raise LimitError(Diagnostic(Severity.ERROR, words, hint=hint))
    return most, pieces


def _room_for(number: int) -> CoalescedAccesses:
    """Make arrays for so many transactions, each as yet of one lane and not full."""
    facts = np.ones(number, np.uint8), np.zeros(number, np.bool_), np.ones(number, np.uint8)
    return CoalescedAccesses(np.empty(number, np.int64), *facts, np.zeros(number, np.uint8))


def _larger(
    made: CoalescedAccesses, end: int, most: int, left: int, done: int
) -> CoalescedAccesses:
    """Make room for one more shape, and for those left if they are as those that are done."""
    if end + most <= made.offset.size:
        return made
    others = left * (end // max(done, 1) + 1)
    larger = _room_for(max(end + most + others + others // 16, 3 * made.offset.size // 2))
    for new, old in zip(larger, made, strict=True):
        new[:end] = old[:end]
    return larger


def _scratch_for(most: int, pieces: int, l1_banks: int) -> Scratch:
    """Make what serves at most so many transactions of one shape, with so many pieces in all."""
    slots = np.full(max(1 << (4 * most - 1).bit_length(), _FIRST_SLOTS), -1, np.int64)
    last, whole = np.zeros(most, np.int64), np.zeros(most, np.int64)
    touched, counts = np.zeros(2 * pieces, np.uint64), np.zeros(l1_banks, np.int64)
    return Scratch(slots, last, whole, touched, counts)


def _larger_scratch(scratch: Scratch, most: int, pieces: int) -> Scratch:
    """Make it serve so many transactions, each of so many pieces, beside what it serves now."""
    if most <= scratch.last.size and 2 * most * pieces <= scratch.touched.size:
        return scratch
    most = max(most, scratch.last.size)
    return _scratch_for(most, max(most * pieces, scratch.touched.size // 2), scratch.counts.size)


@jit_part
def ones(mask: Any) -> Any:
    """Count the lanes that are on."""
    mask -= (mask >> _ONE) & np.uint64(0x5555555555555555)
    twos = np.uint64(0x3333333333333333)
    mask = (mask & twos) + ((mask >> np.uint64(2)) & twos)
    mask = (mask + (mask >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((mask * _EACH) >> np.uint64(56))


@jit_part
def bytes_of(low: int, size: int) -> Any:
    """A bit for each of neighbouring bytes of a piece."""
    return ((_ONE << np.uint64(size)) - _ONE) << np.uint64(low)


@jit_part
def words_of(low: int, size: int) -> Any:
    """A word with a 1 in the byte of each 4 B that neighbouring bytes of a piece touch."""
    first, last = low >> 2, (low + size - 1) >> 2
    return (_EACH >> np.uint64(8 * (7 - last + first))) << np.uint64(8 * first)


@jit_part
def most_of(way: int, width: int, granule: int) -> Any:
    """How many transactions a lane can make at the most."""
    if way != LOCAL:
        return (width + granule - 2) // granule + 1
    each = (min(width, WORD_BYTES) + granule - 2) // granule + 1
    return (width + 2 * WORD_BYTES - 2) // WORD_BYTES * each


@partial(jit, arrays=False)
def put_transactions(
    done: int,
    keys: Any,
    patterns: Any,
    granules: Any,
    rules: Any,
    first: Any,
    on: Any,
    passes: Any,
    made: Any,
    scratch: Any,
) -> Any:
    """Append the transactions of shapes from ``done`` on, as lanes first touch them.

    Passes are the lines of a texture, else the transactions in the busiest bank of L1. Gives the
    first shape for which there may be no room. Each step of the inner loop is what a lane touches
    of one piece of a granule, and in local memory of one word. Where it takes ``several`` steps to
    touch a whole granule, it matters whether the lane was there before.
    """
    offset, lanes, full, words, parts = made
    slots, last, whole, touched, counts = scratch
    for shape in range(done, len(keys)):
        mask, width = np.uint64(keys[shape, MASK]), keys[shape, WIDTH]
        way, inside = keys[shape, ALIKE] % _WAYS, keys[shape, ALIKE] // _WAYS
        granule, shift = granules[way, BYTES], granules[way, SHIFT]
        rest, inside = inside % WORD_BYTES, inside // WORD_BYTES
        row, pieces = keys[shape, ROW], (granule + _PIECE - 1) // _PIECE
        on[shape], end = ones(mask), first[shape]
        first[shape + 1] = end
        if way == SHARED:
            continue
        most = on[shape] * most_of(way, width, granule)
        if end + most > offset.size or most > last.size or 2 * most * pieces > touched.size:
            return shape
        several = way == LOCAL or pieces > 1
        start, group, left = end, end, rules.group
        for lane in range(patterns.shape[1]):
            if left == 0:
                group, left = end, rules.group
            left -= 1
            if not is_on(mask, lane):
                continue
            here = rest + patterns[row, lane]
            stop = here + width
            while here < stop:
                place, size = inside + here, stop - here
                if way == LOCAL:
                    place = inside + (here >> 2) * rules.row_bytes + lane * WORD_BYTES + (here & 3)
                    size = min(size, WORD_BYTES - (here & 3))
                unit = quotient(place, granule, shift)
                begin = place - unit * granule
                low, wanted = begin, bytes_of(0, _PIECE)
                if granule != _PIECE or begin + size > _PIECE:
                    low = begin & (_PIECE - 1)
                    wanted = bytes_of(0, min(granule - begin + low, _PIECE))
                    size = min(size, granule - begin, _PIECE - low)
                here += size
                bits, each = bytes_of(low, size), words_of(low, size)
                slot = np.int64((np.uint64(unit) * _MIX) >> np.uint64(40)) & (slots.size - 1)
                one = slots[slot]
                while one >= group and offset[one] != unit:
                    slot = (slot + 1) & (slots.size - 1)
                    one = slots[slot]
                again = one >= group and several and last[one - start] == lane
                if one < group:
                    slots[slot], offset[end] = end, unit
                    counts[remainder(unit, rules.l1_banks)] += 1
                    at = 2 * pieces * (end - start)
                    if several:
                        last[end - start], whole[end - start] = lane, bits == wanted
                        for k in range(at, at + 2 * pieces):
                            touched[k] = 0
                    at += 2 * (begin // _PIECE)
                    touched[at], touched[at + 1] = bits, each
                    if bits == wanted and pieces == 1:
                        full[end] = True
                    end += 1
                    continue
                lanes[one] += not again
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
        for one in range(start, end):
            at = 2 * pieces * (one - start)
            parts[one] = _ALL if full[one] else _whole_parts(touched, at, granule, pieces)
        first[shape + 1], busiest = end, _emptied(counts, rules.l1_banks)
        if rules.lines_per_clk > 0 and way != TEXTURE:
            busiest = _tag_cycles(offset, start, end, rules)
        passes[shape] = max(1, end - start if way == TEXTURE else busiest)
    return len(keys)


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


@jit_part
def _tag_cycles(offset: Any, start: int, end: int, rules: Any) -> Any:
    """The cycles in which the tags of an access are looked up, by the lines that it touches.

    Two lines take one cycle, and each further one its part; a line's sectors follow each other.
    """
    lines, last = 0, -1
    for one in range(start, end):
        line = offset[one] // rules.line_sectors
        lines += one == start or line != last
        last = line
    return np.int64(1.5 + max(0, lines - 2) / rules.lines_per_clk)


@partial(jit, arrays=False)
def count_passes(
    keys: Any, patterns: Any, granules: Any, rules: Any, counts: Any, found: Any, passes: Any
) -> None:
    """Count the passes of what does without L1: over shared memory's banks, of constants' words.

    Where L1's data lie in the banks of shared memory (rules.lines_per_clk above 0), what goes
    through it takes at least as many passes as these.
    """
    for shape in range(len(keys)):
        way, row = keys[shape, ALIKE] % _WAYS, keys[shape, ROW]
        mask, inside = np.uint64(keys[shape, MASK]), keys[shape, ALIKE] // (_WAYS * WORD_BYTES)
        if way == CONST:
            own = _distinct_words(patterns, row, mask, inside, rules.group, found)
        elif way == SHARED or (way == MEMORY and rules.lines_per_clk > 0):
            own = shared_wavefronts(
                patterns, row, mask, inside, keys[shape, WIDTH], granules, rules, counts, found
            )
        else:
            continue
        passes[shape] = max(1 if way != MEMORY else passes[shape], own)


@partial(jit, arrays=False)
def count_lanes_on_words(keys: Any, patterns: Any, most: Any) -> None:
    """Count the most lanes that begin at one word of shared memory: atomics take turns there."""
    for shape in range(len(keys)):
        if keys[shape, ALIKE] % _WAYS != SHARED:
            continue
        row, mask = keys[shape, ROW], np.uint64(keys[shape, MASK])
        inside = keys[shape, ALIKE] // (_WAYS * WORD_BYTES)
        for lane in range(patterns.shape[1]):
            word, alike = (inside + patterns[row, lane]) >> 2, 0
            for other in range(lane, patterns.shape[1]):
                if is_on(mask, lane) and is_on(mask, other):
                    alike += (inside + patterns[row, other]) >> 2 == word
            most[shape] = max(most[shape], alike)


@jit_part
def _emptied(counts: Any, banks: int) -> Any:
    """The highest of the counts of banks, and leave them as zeros."""
    most = 0
    for bank in range(banks):
        most = max(most, counts[bank])
        counts[bank] = 0
    return most


@jit_part
def _distinct_words(
    patterns: Any, row: int, mask: Any, inside: int, in_group: int, found: Any
) -> Any:
    """Count the distinct words at which lanes begin, in each group of lanes."""
    total = known = 0
    for lane in range(patterns.shape[1]):
        if lane % in_group == 0:
            total, known = total + known, 0
        word = (inside + patterns[row, lane]) >> 2
        if is_on(mask, lane) and not _is_in(found, 0, known, word):
            found[0, known] = word
            known += 1
    return total + known


@jit_part
def shared_wavefronts(
    patterns: Any,
    row: int,
    mask: Any,
    inside: int,
    width: int,
    granules: Any,
    rules: Any,
    counts: Any,
    found: Any,
) -> Any:
    """Wavefronts of shared memory, as ``analyzer.memory.rules.shared_wavefronts``.

    ``found`` has a row of words for each bank, of which ``counts`` are there. In hardware two
    groups of lanes that read several words each are served together where lanes read in pairs.
    """
    bank_bytes, shift = granules[SHARED, BYTES], granules[SHARED, SHIFT]
    words = max(1, width // bank_bytes)
    group = max(1, rules.banks // words)
    if rules.packs_pairs and 1 < words <= WIDEST_WORDS and _in_pairs(patterns, row, mask):
        group *= 2
    total = most = 0
    for lane in range(patterns.shape[1]):
        if lane % group == 0:
            for bank in range(rules.banks):
                counts[bank] = 0
            total, most = total + most, 0
        if not is_on(mask, lane):
            continue
        if words >= rules.banks:  # a group of its own, without conflicts
            most = (words + rules.banks - 1) // rules.banks
            continue
        first = quotient(inside + patterns[row, lane], bank_bytes, shift)
        for word in range(first, first + words):
            bank = remainder(word, rules.banks)
            if not _is_in(found, bank, counts[bank], word):
                found[bank, counts[bank]] = word
                counts[bank] += 1
                most = max(most, counts[bank])
    return total + most


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
