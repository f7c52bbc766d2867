"""The transactions of CTAs on an SM in the order in which their warps make them.

Warps go in step, one event each in turn; CTAs that take the place of others come after these. This
is the interleaving that the reuse distances of caches are taken over (hybrid paper, §III-B-3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import goes_past_l1
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.memory.rules import CONST, LOCAL, MEMORY, SHARED, TEXTURE
from warpmill.analyzer.memory.shapes import shared_wavefronts, spread
from warpmill.simulator.assembler.merged_loads import MergedLoad
from warpmill.simulator.estimate.rounds import Events
from warpmill.simulator.memory.stack_distance import previous_touches
from warpmill.simulator.streams import WarpStreams

# Passes over the accesses and transactions of a round that would take many each in NumPy, over
# arrays as ``Transactions`` has them.

Flags = npt.NDArray[np.bool_]


def in_turn(
    warp_events: Numbers, event_access: Numbers, warps_per_cta: int, resident: int
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The warp, the turn and the step of each access, and the accesses in their order.

    Warps go in step, one access each in turn, event by event, so many CTAs at a time; what comes at
    once comes in the order of its number. A block with many accesses is so no turn of its own:
    other warps issue theirs while one waits. A step is an event of each warp.
    """
    warp, turn, step, order = turns_of(warp_events, event_access, warps_per_cta, resident)
    return warp, turn, step, order if order.size == turn.size else np.argsort(turn, kind="stable")


@jit
def turns_of(warp_events: Numbers, event_access: Numbers, warps_per_cta: int, resident: int) -> Any:
    """The warp, turn and step of each access, and their order; none where turns are many."""
    warps, accesses = warp_events.size - 1, event_access[-1]
    longest = np.int64(0)
    for w in range(warps):
        longest = max(longest, warp_events[w + 1] - warp_events[w])
    begins = np.zeros(longest + 1, np.int64)  # the first turn of a warp's each event
    for w in range(warps):
        for event in range(warp_events[w], warp_events[w + 1]):
            number = event - warp_events[w] + 1
            begins[number] = max(begins[number], event_access[event + 1] - event_access[event])
    for k in range(longest):
        begins[k + 1] += begins[k]
    warp, turn = np.empty(accesses, np.int64), np.empty(accesses, np.int64)
    step, last = np.empty(accesses, np.int64), np.int64(0)
    for w in range(warps):
        group = w // warps_per_cta // resident
        begin, first = group * begins[longest], group * longest - warp_events[w]
        for event in range(warp_events[w], warp_events[w + 1]):
            at = begin + begins[event - warp_events[w]]
            for access in range(event_access[event], event_access[event + 1]):
                warp[access], turn[access], step[access] = w, at, first + event
                at += 1
            last = max(last, at)
    if last > 4 * accesses + 1024:  # too many turns without accesses to count them all
        return warp, turn, step, np.empty(0, np.int64)
    place = np.zeros(last + 2, np.int64)
    for access in range(accesses):
        place[turn[access] + 1] += 1
    for k in range(last + 1):
        place[k + 1] += place[k]
    order = np.empty(accesses, np.int64)
    for access in range(accesses):
        order[place[turn[access]]] = access
        place[turn[access]] += 1
    return warp, turn, step, order


NEVER = np.iinfo(np.int64).max
"""Turns behind another access: there is none."""


def turns_behind(
    previous: npt.NDArray[np.int32],
    missed: Flags,
    stores: Flags,
    owner: Numbers,
    turn: Numbers,
    step: Numbers,
    together: Numbers,
    which: Numbers | None = None,
) -> Numbers:
    """How many turns each access comes after another of its step has asked for the same, at least.

    That is on its way for some turns: what was asked for in an earlier step warps have waited for.
    NEVER where no other did. Accesses go in step that have the same number ``together``: those of
    a CTA, as CTAs drift apart. ``missed`` are the transactions that ask for it first; ``stores``
    tells the accesses that wait for nothing. ``previous`` is the place of the transaction before
    each that is to the same granule. With ``which`` those at some places are looked at, with which
    all come that are to their granules; ``missed`` is of them alone.
    """
    behind = np.full(stores.size, NEVER)
    asked = np.empty(previous.size, np.int32)
    some = np.zeros(0, np.int64) if which is None or which.size == previous.size else which
    put_turns_behind(previous, missed, stores, owner, turn, step, together, some, asked, behind)
    return behind


@partial(jit, arrays=False)
def put_turns_behind(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    previous: Any,
    missed: Any,
    stores: Any,
    owner: Any,
    turn: Any,
    step: Any,
    together: Any,
    which: Any,
    asked: Any,
    behind: Any,
) -> None:
    """Write down ``turns_behind``; in ``asked`` who asked last for what each asks for."""
    for n in range(missed.size):
        k = which[n] if which.size else n
        access = owner[k]
        if missed[n] and not stores[access]:
            asked[k] = access
            continue
        by = previous[k]
        if by >= 0:
            by = asked[by]
        asked[k] = by
        in_step = by >= 0 and step[access] == step[by]
        in_step = in_step and together[access] == together[by]
        if in_step and not stores[access]:
            behind[access] = min(behind[access], turn[access] - turn[by])


@jit
def askers(previous: Any, missed: Any, waits: Any, owner: Any, turn: Any) -> Any:
    """Who has asked last for what each access wants: itself where it misses; -1: nobody.

    ``previous`` and ``missed`` are by transaction, as in ``turns_behind``; accesses that do not
    ``waits`` ask for nothing that others wait for.
    """
    asked, found = np.empty(previous.size, np.int64), np.full(waits.size, -1)
    for k in range(previous.size):
        access = owner[k]
        by = np.int64(-1)
        if missed[k]:
            by = access if waits[access] else by
        elif previous[k] >= 0:
            by = asked[previous[k]]
        asked[k] = by
        if by < 0 or not waits[access]:
            continue
        last = found[access]
        if by == access or last < 0 or (last != access and turn[by] >= turn[last]):
            found[access] = by
    return found


@jit
def distinct_lines(
    owner: Numbers, granule: Numbers, granules_per_line: int, accesses: int
) -> Numbers:
    """Count the lines that each access touches; transactions of an access follow one another."""
    lines = np.zeros(accesses, np.int64)
    begin = 0
    for k in range(owner.size):
        if owner[k] != owner[begin]:
            begin = k
        line = granule[k] // granules_per_line
        known = False
        for before in range(k - 1, begin - 1, -1):  # mostly the one before
            if granule[before] // granules_per_line == line:
                known = True
                break
        lines[owner[k]] += not known
    return lines


@jit
def evenly(
    order: Numbers,
    point: Any,
    asks: Flags,
    share: npt.NDArray[np.float64],
    step: float,
    more: float,
) -> Flags:
    """Choose a share of the accesses of each point that ask, one by one in an order.

    They are spread by steps of an irrational number, without a period.
    """
    found = np.zeros(point.size, np.bool_)
    number = np.zeros(share.size, np.int64)
    for access in order:
        if asks[access]:
            at = point[access]
            number[at] += 1
            found[access] = share[at] + number[at] * step % 1.0 + more >= 1.0
    return found


Numbers = npt.NDArray[np.int64]

LOAD, STORE, ATOMIC = 0, 1, 2
"""Kinds of access."""

_KINDS = {"load": LOAD, "store": STORE, "atomic": ATOMIC}

OWN_WINDOW = 1 << 40
"""Granules of a warp's local memory are numbered from here on, apart for each warp."""

_WINDOW = 1 << 24
"""Granules of a warp's local memory, at most."""

_ADDRESSES = (1 << 52) - 1
"""The last granule of 32 B that virtual addresses of 57 bits reach: what lies before 0 wraps."""

_WIDTHS = 1 << 10
"""More than the bytes that a lane accesses at once."""

OFF_CHIP = (MEMORY, LOCAL, TEXTURE)
"""Ways of accesses that may leave the SM."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """Transactions in the order of the round: numbers of granules, and the access that each is of.

    ``accesses`` are the accesses in that order, ``place`` the number of a transaction among those
    of all shapes.
    """

    granule: Numbers
    owner: Numbers
    accesses: Numbers
    place: Numbers
    streams: WarpStreams

    @cached_property
    def previous(self) -> npt.NDArray[np.int32]:
        """The place of the transaction before each that is to the same granule; -1: none is."""
        return previous_touches(self.granule)

    @cached_property
    def lanes(self) -> npt.NDArray[np.uint8]:
        """How many lanes touch each transaction."""
        return self.streams.txn_lanes[self.place]

    @cached_property
    def whole(self) -> npt.NDArray[np.bool_]:
        """Whether every byte of a transaction is touched."""
        return self.streams.txn_full[self.place]

    @cached_property
    def parts(self) -> npt.NDArray[np.uint8]:
        """The eighths of each transaction that are touched whole, a bit for each."""
        return self.streams.txn_parts[self.place]


class Transactions:
    """Memory that the accesses of a round touch; ``resident`` CTAs of it run at once.

    ``aggregated`` are atomics that a warp makes as one, ``merged`` loads of shared memory that are
    one: the passes of all of them are those of the first.
    """

    def __init__(
        self,
        events: Events,
        kernel: Kernel,
        resident: int,
        aggregated: frozenset[Place],
        merged: Sequence[MergedLoad] = (),
    ) -> None:
        self.events, self.streams = events, events.streams
        self.kernel, self._resident, self._aggregated = kernel, resident, aggregated
        self._merged = merged
        self._ways: dict[tuple[int, ...], npt.NDArray[np.bool_]] = {}

    @property
    def resident_warps(self) -> int:
        """Warps that run at once."""
        most = max(1, self._resident) * self.events.batch.tables.warps_per_cta
        return min(most, len(self.streams.warp_events) - 1)

    @cached_property
    def point(self) -> npt.NDArray[np.int32]:
        """The point of each access, by number."""
        return self.streams.access_point

    @cached_property
    def kind(self) -> npt.NDArray[np.int8]:
        """LOAD, STORE or ATOMIC of each access."""
        points = self.events.batch.tables.points
        kinds = np.array([_KINDS[p.kind] for p in points], np.int8)
        return kinds[self.point] if points else np.zeros(0, np.int8)

    def asks_l1(self, caches_global: bool) -> npt.NDArray[np.bool_]:
        """Whether accesses look into L1, as their opcodes say."""
        points = self.events.batch.tables.points
        blocks = self.kernel.blocks
        own = [blocks[p.block].instructions[p.instruction].operation for p in points]
        looks = np.array([not goes_past_l1(o, caches_global) for o in own], np.bool_)
        if not points:
            return np.zeros(0, np.bool_)
        way = self.streams.access_way
        return np.asarray((looks[self.point] & (way == MEMORY)) | (way == LOCAL))

    @cached_property
    def count(self) -> Numbers:
        """How many transactions each access has."""
        return np.diff(self.streams.shape_first)[self.streams.access_shape]

    @cached_property
    def as_one(self) -> npt.NDArray[np.bool_]:
        """Whether accesses are atomics whose lanes count as one."""
        points = self.events.batch.tables.points
        own = np.array([(p.block, p.instruction) in self._aggregated for p in points], np.bool_)
        return own[self.point] if points else np.zeros(0, np.bool_)

    @cached_property
    def shared_wavefronts(self) -> Numbers:
        """How often the banks of the SM's memory have to be asked for each access off the chip.

        The data of L1 lie in the banks that shared memory has (one array since Volta, and on Fermi
        and Kepler).
        """
        leaving = np.flatnonzero(self.of_way(*OFF_CHIP))
        shapes, first = np.unique(self.streams.access_shape[leaving], return_index=True)
        first = leaving[first]
        bytes_of = np.array([p.width_bytes or 4 for p in self.events.batch.tables.points], np.int64)
        width = bytes_of[self.point[first]] if shapes.size else np.zeros(0, np.int64)
        found = np.zeros(int(self.streams.access_shape.max(initial=-1)) + 1, np.int64)
        found[shapes] = self._wavefronts(first, width)
        return found[self.streams.access_shape]

    def _wavefronts(self, accesses: Numbers, width_bytes: Numbers) -> Numbers:
        """Wavefronts of accesses, had they such widths and were they to shared memory."""
        batch, rules = self.events.batch, self.events.rules
        masks = batch.access_mask[accesses].view(np.int64)
        placed = (batch.access_pattern[accesses], masks, batch.access_base[accesses], width_bytes)
        return shared_wavefronts(batch.patterns, np.stack(placed, axis=1), rules)

    def contention(self, chosen: npt.NDArray[np.bool_]) -> Numbers:
        """The most lanes of some accesses that are at one and the same word; 0 of others."""
        s = self.streams
        words = np.maximum(s.shape_most, 1).astype(np.int64)
        some = np.diff(s.shape_first) > 0
        words[some] = np.maximum.reduceat(s.txn_words, s.shape_first[:-1][some])
        return np.where(chosen, words[s.access_shape], 0)

    @cached_property
    def passes(self) -> Numbers:
        """How often shared or constant memory has to be asked for each access."""
        s = self.streams
        own = np.where(self.of_way(SHARED, CONST), s.shape_passes[s.access_shape], 0)
        if not self._merged:
            return own.astype(np.int64)
        width = self._merged_widths
        chosen = np.flatnonzero(width > 0)
        key = s.access_shape[chosen].astype(np.int64) * _WIDTHS + width[chosen]
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        own[width < 0] = 0
        own[chosen] = self._wavefronts(chosen[first], width[chosen[first]])[inverse]
        return own.astype(np.int64)

    @property
    def _merged_widths(self) -> Numbers:
        """The bytes a lane of accesses that stand for others too; -1 of these others, else 0."""
        widths = {load.first: load.width_bytes for load in self._merged}
        widths |= {place: -1 for load in self._merged for place in load.others}
        points = self.events.batch.tables.points
        own = np.array([widths.get((p.block, p.instruction), 0) for p in points], np.int64)
        return own[self.point] if points else np.zeros(0, np.int64)

    @property
    def warp(self) -> Numbers:
        """The warp of each access, counted over the round."""
        return self._in_turn[0]

    @cached_property
    def cta(self) -> Numbers:
        """The CTA of each access, counted over the round."""
        return self.warp // self.events.batch.tables.warps_per_cta

    @property
    def order(self) -> Numbers:
        """The accesses in the order in which warps make them."""
        return self._in_turn[3]

    @property
    def turn(self) -> Numbers:
        """The turn of each access: what warps that go in step make at once has the same."""
        return self._in_turn[1]

    @property
    def step(self) -> Numbers:
        """The step of each access: the events that warps which go in step are in at once."""
        return self._in_turn[2]

    @cached_property
    def _in_turn(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        s, warps_per_cta = self.streams, self.events.batch.tables.warps_per_cta
        warps, accesses = (np.asarray(n, np.int64) for n in (s.warp_events, s.event_access))
        return in_turn(warps, accesses, warps_per_cta, max(1, self._resident))

    def ordered(self, chosen: npt.NDArray[np.bool_]) -> Ordered:
        """The transactions of some accesses."""
        s = self.streams
        accesses = self.order[chosen[self.order]]
        granule, owner, place = spread(
            accesses, s.access_shape, s.shape_first, self._base, s.txn_offset, _ADDRESSES
        )
        return Ordered(granule, owner, accesses, place, s)

    def sectors(self, chosen: npt.NDArray[np.bool_]) -> Ordered:
        """The transactions of some accesses, those of textures, which are lines, by sector."""
        found, each = self.ordered(chosen), self.sectors_of_texel_line
        if each == 1 or not self.of_way(TEXTURE).any():
            return found
        times = np.where(self.streams.access_way[found.owner] == TEXTURE, each, 1)
        parts = np.repeat(np.arange(len(times)), times)
        inside = np.arange(len(parts)) - np.repeat(np.cumsum(times) - times, times)
        return Ordered(
            (found.granule * times)[parts] + inside,
            found.owner[parts],
            found.accesses,
            found.place[parts],
            self.streams,
        )

    @property
    def sectors_of_texel_line(self) -> int:
        """How many sectors a line of the texture cache has."""
        rules = self.events.rules
        return max(1, rules.tex_line_bytes // rules.sector_bytes)

    @cached_property
    def _base(self) -> Numbers:
        """The first granule of each access; a warp's local memory lies apart from the others'."""
        s = self.streams
        own = OWN_WINDOW + self.warp * _WINDOW
        return np.asarray(s.access_base + np.where(s.access_way == LOCAL, own, 0))

    def of_way(self, *ways: int) -> npt.NDArray[np.bool_]:
        """Whether accesses go one of some ways."""
        if ways not in self._ways:
            chosen = np.zeros(256, np.bool_)
            chosen[list(ways)] = True
            self._ways[ways] = chosen[self.streams.access_way]
            self._ways[ways].flags.writeable = False  # many are handed it
        return self._ways[ways]

    def lines(self, granules_per_line: int) -> Numbers:
        """Count the lines of so many sectors that each access touches; neighbours are in one."""
        found = self.sectors(self.of_way(*OFF_CHIP))
        return distinct_lines(found.owner, found.granule, granules_per_line, len(self.count))
