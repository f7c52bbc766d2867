"""Races by the book: a vector clock for every thread as a dictionary, and all pairs compared.

A program is a list of operations that all threads of all CTAs go through in order, each thread
taking part in those that name it. What orders threads does not depend on values, so that any order
of execution gives the same races.
"""

from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple


class Access(NamedTuple):
    """An access of a thread to bytes of a space; ``scope`` is None where it is weak."""

    cta: int
    thread: int
    op: int
    space: str
    address: int
    width: int
    writes: bool
    scope: str | None
    order: str = "relaxed"
    changes: bool = False  # what it reads: an atomic

    @property
    def who(self):
        return self.cta, self.thread

    def meets(self, other):
        same = self.space == other.space and (self.space == "global" or self.cta == other.cta)
        first, last = sorted((self, other), key=lambda a: a.address)
        return same and last.address < first.address + first.width

    def is_same_store(self, other):
        """Whether one instruction of a warp stores one value twice: operations have one value."""
        warps = self.thread // 32, other.thread // 32
        same = (self.cta, self.op, self.address) == (other.cta, other.op, other.address)
        return same and self.scope is None and warps[0] == warps[1]

    def is_strong_enough(self, other):
        if self.scope is None or other.scope is None:
            return False
        return self.cta == other.cta or {self.scope, other.scope} <= {"gpu", "sys"}


class Meeting(NamedTuple):
    """Threads of a CTA that wait for each other, and those that they wait for and that go on."""

    cta: int
    waiting: tuple
    arriving: tuple = ()


class Fence(NamedTuple):
    """A fence of a thread."""

    cta: int
    thread: int
    scope: str


@dataclass
class Clocks:
    """Times of every thread, as far as each thread knows them."""

    lockstep: int = 0
    known: dict = field(default_factory=dict)
    accesses: list = field(default_factory=list)
    released: dict = field(default_factory=dict)  # by place: (clock for a CTA, it, clock for all)
    unread: dict = field(default_factory=dict)  # by thread: what relaxed reads have seen
    fenced: dict = field(default_factory=dict)  # by thread and scope: its clock at the last fence

    def of(self, who):
        return self.known.setdefault(who, {who: 1})

    def access(self, access):
        self.accesses.append((access, dict(self.of(access.who))))
        if access.scope is not None:
            self._synchronise(access)

    def _synchronise(self, access):
        """Acquire what was left at the place, where the access reads; leave what it releases."""
        who, wide = access.who, access.scope != "cta"
        place = (access.space, access.address, access.cta if access.space == "shared" else None)
        own, cta, to_all = self.released.get(place, (None, None, None))
        is_own, to_all = cta == access.cta, to_all if wide else None
        seen = own if is_own else to_all
        if seen is not None and (access.changes or not access.writes):
            if access.order in ("acquire", "acq_rel"):
                _join(self.of(who), seen)
            else:
                self.unread.setdefault(who, []).append((seen, cta))
        if not access.writes:
            return
        if not access.changes:
            own = seen = to_all = None
        to_cta, wider = self._releases(access)
        if to_cta is not None:
            wider = _both(wider, to_all) if wide else to_all
            self.released[place] = _both(to_cta, seen), access.cta, wider
        else:
            self.released[place] = own if is_own or wide else None, cta, to_all
        self.of(who)[who] += 1

    def _releases(self, access):
        """The clocks that a write hands on to its CTA and to all; None: no clock."""
        if access.order in ("release", "acq_rel"):
            return self.of(access.who), self.of(access.who)
        wide = self.fenced.get((access.who, True))
        narrow = self.fenced.get((access.who, False))
        later = [c for c in (wide, narrow) if c is not None]
        return max(later, key=lambda c: c[access.who], default=None), wide

    def fence(self, fence):
        """A fence makes known what was read before, and releases by what is written after."""
        who, wide = (fence.cta, fence.thread), fence.scope != "cta"
        kept = []
        for clock, cta in self.unread.pop(who, []):
            if wide or cta == fence.cta:
                _join(self.of(who), clock)
            else:
                kept.append((clock, cta))
        self.unread[who] = kept
        self.fenced[who, wide] = dict(self.of(who))
        self.of(who)[who] += 1

    def meet(self, meeting):
        """Join what all know, hand it to those that wait, and let all go on to a new time."""
        waiting = [(meeting.cta, t) for t in meeting.waiting]
        arriving = [(meeting.cta, t) for t in meeting.arriving]
        joined = {}
        for who in (*waiting, *arriving):
            for other, time in self.of(who).items():
                joined[other] = max(time, joined.get(other, 0))
        for who in waiting:
            self.known[who] = dict(joined)
        for who in (*waiting, *arriving):
            self.known[who][who] += 1

    def races(self):
        """All pairs of accesses that conflict, each earlier operation first."""
        found = []
        for (one, _), (two, knows) in combinations(self.accesses, 2):
            if one.who == two.who or not one.meets(two) or not one.writes | two.writes:
                continue
            if one.is_strong_enough(two) or self._before(one, two, knows):
                continue
            if one.is_same_store(two):
                continue
            found.append((one, two))
        return found

    def _before(self, one, two, knows):
        if self._time(one) <= knows.get(one.who, 0):
            return True
        same_warp = self.lockstep and one.cta == two.cta
        if not same_warp or one.thread // self.lockstep != two.thread // self.lockstep:
            return False
        return one.op != two.op

    def _time(self, one):
        return next(clock[one.who] for access, clock in self.accesses if access is one)


def races_of(program, lockstep=0):
    """The racing pairs of a program: accesses and meetings in order."""
    clocks = Clocks(lockstep)
    does = {Access: clocks.access, Fence: clocks.fence, Meeting: clocks.meet}
    for event in program:
        does[type(event)](event)
    return clocks.races()


def _join(clock, other):
    for who, time in other.items():
        clock[who] = max(time, clock.get(who, 0))


def _both(one, other):
    """What two clocks know; None where there is none."""
    joined = {}
    for clock in (one, other):
        _join(joined, clock or {})
    return joined or None
