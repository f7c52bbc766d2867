"""What warps wrote down of themselves, read entry by entry: a slow twin of ``entries.py``."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from warpmill.executor.native.events import AGAIN, BLOCK, END, GUARD, TURN, Words

Place = tuple[int, int]
"""An instruction: its block and its place there."""


@dataclass(frozen=True)
class RecordedAddresses:
    """The byte addresses of a warp's access: lane ``k`` of ``bits`` is at ``first + steps[k]``."""

    bits: int
    first: int
    steps: tuple[int, ...]

    @property
    def addresses(self) -> tuple[int, ...]:
        """The addresses of the lanes that are on, from the lowest lane."""
        return tuple(self.first + s for k, s in enumerate(self.steps) if self.bits >> k & 1)


@dataclass(frozen=True)
class RecordedEvent:
    """One execution of a block by a warp.

    ``guards`` are the lanes that guarded instructions were on for, ``accesses`` the addresses of
    loads, stores and atomics, both by the instruction's place; what no lane accessed has none.
    """

    cta: int
    warp: int
    block: int
    mask: int
    guards: Mapping[int, int] = field(default_factory=dict)
    accesses: Mapping[int, tuple[RecordedAddresses, ...]] = field(default_factory=dict)


@dataclass
class EventReader:
    """Turns entries into events; entries may come in pieces, cut between entries."""

    lanes: int
    sites: tuple[Place, ...]
    guards: tuple[Place, ...]
    _patterns: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    _turn: tuple[int, int] = (0, 0)
    _open: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)

    def read(self, words: Words) -> Iterator[RecordedEvent]:
        """The events that these entries end: an event ends where its warp's next begins."""
        given = words.tolist()
        at = 0
        while at < len(given):
            kind, number = given[at] & 0xFF, given[at] >> 8
            if kind == TURN:
                self._turn = (given[at + 1], number)
                at += 2
            elif kind == END:
                yield from self._close((given[at + 1], number))
                at += 2
            elif kind == BLOCK:
                yield from self._close(self._turn)
                bits = given[at + 1] & ((1 << self.lanes) - 1)
                self._open[self._turn] = {
                    "block": number,
                    "mask": bits,
                    "guards": {},
                    "accesses": {},
                }
                at += 2
            elif kind == GUARD:
                place = self.guards[number][1]
                self._open[self._turn]["guards"][place] = given[at + 1] & ((1 << self.lanes) - 1)
                at += 2
            else:
                at += self._access(kind, number, given, at)

    def _access(self, kind: int, site: int, given: list[int], at: int) -> int:
        """Add an access to the event of the warp whose turn it is; give the entry's length."""
        if kind == AGAIN:
            first, length = given[at + 1], 2
        else:
            first, length = given[at + 2], 3 + self.lanes
            bits = given[at + 1] & ((1 << self.lanes) - 1)
            self._patterns[site] = (bits, tuple(given[at + 3 : at + length]))
        bits, steps = self._patterns[site]
        accesses = self._open[self._turn]["accesses"]
        place = self.sites[site][1]
        accesses[place] = (*accesses.get(place, ()), RecordedAddresses(bits, first, steps))
        return length

    def _close(self, key: tuple[int, int]) -> Iterator[RecordedEvent]:
        event = self._open.pop(key, None)
        if event is not None:
            yield RecordedEvent(key[0], key[1], **event)
