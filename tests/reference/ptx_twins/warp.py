"""Operations of the lanes of a warp together, PTX ISA 9.0, sections 9.7.9 and 9.7.13.

Each lane's members mask names those it works with; the lanes of a mask have the same one.
"""

import numpy as np

from tests.reference.ptx_twins.answers import Exact
from tests.reference.ptx_twins.floats import smallest

_MATCHED = {"all": all, "any": any}


def _rows(sources, lanes):
    """The sources warp by warp."""
    return zip(*[s.reshape(-1, lanes) for s in sources], strict=True)


def _groups(members, active):
    """The lanes that work together: those on with equal masks."""
    for mask in {int(m) for m, on in zip(members, active, strict=True) if on}:
        yield [k for k in range(len(active)) if active[k] and mask >> k & 1]


def shuffle(form, sources, active, lanes):
    """shfl: from another lane of the segment; where there is none, one's own value and false."""
    values, found = [], []
    for (a, b, c, members), on in zip(_rows(sources, lanes), active, strict=True):
        for lane in range(lanes):
            j, inside = _source_lane(form.modifiers[1], lane, int(b[lane]) & 31, int(c[lane]))
            j = j % lanes if inside else lane
            is_member = on[j] and int(members[lane]) >> j & 1
            values.append((int(a[j]), not is_member))
            found.append(inside)
    got, free = zip(*values, strict=True)
    result = Exact(np.array(got, np.uint32), free=np.array(free))
    return [result, Exact(np.array(found))][: len(form.destinations)]


def _source_lane(mode, lane, b, c):
    clamp, segment = c & 31, c >> 8 & 31
    first = lane & segment
    last = first | clamp & ~segment
    match mode:
        case "up":
            return lane - b, lane - b >= last
        case "down":
            return lane + b, lane + b <= last
        case "bfly":
            return lane ^ b, lane ^ b <= last
    j = first | b & ~segment & 31
    return j, j <= last


def vote(form, sources, active, lanes):
    """vote: all, any, all alike, or the lanes where true as bits."""
    is_ballot = "ballot" in form.modifiers
    results = np.zeros(active.shape, np.uint32 if is_ballot else bool)
    for row, ((given, members), on) in enumerate(zip(_rows(sources, lanes), active, strict=True)):
        p = ~given if form.sources[0].sign == "!" else given
        for group in _groups(members, on):
            truths = [bool(p[k]) for k in group]
            if is_ballot:
                value = sum(1 << k for k, t in zip(group, truths, strict=True) if t)
            else:
                value = len(set(truths)) == 1 if "uni" in form.modifiers else None
                value = _MATCHED[_kind(form)](truths) if value is None else value
            results[row, group] = value
    return [Exact(results.reshape(-1))]


def _kind(form):
    return next(m for m in form.modifiers if m in ("all", "any"))


def match(form, sources, active, lanes):
    """match: the lanes that have one's own value; with all, the mask if they all have, else 0."""
    masks, same = np.zeros(active.shape, np.uint32), np.zeros(active.shape, bool)
    for row, ((a, members), on) in enumerate(zip(_rows(sources, lanes), active, strict=True)):
        for group in _groups(members, on):
            for k in group:
                alike = [j for j in group if a[j] == a[k]]
                if "any" in form.modifiers or len(alike) == len(group):
                    masks[row, k] = sum(1 << j for j in alike)
                same[row, k] = len(alike) == len(group)
    answers = [Exact(masks.reshape(-1)), Exact(same.reshape(-1))]
    return answers[: len(form.destinations)]


def active_mask(form, sources, active, lanes):
    """activemask: the lanes that are on, as bits."""
    words = [sum(1 << k for k in range(lanes) if on[k]) for on in active]
    return [Exact(np.repeat(np.array(words, np.uint32), lanes))]


def elect(form, sources, active, lanes):
    """elect: one lane of the mask, the lowest here; PTX leaves open which."""
    leader, chosen = np.zeros(active.shape, np.uint32), np.zeros(active.shape, bool)
    for row, ((members,), on) in enumerate(zip(_rows(sources, lanes), active, strict=True)):
        for group in _groups(members, on):
            leader[row, group] = min(group)
            chosen[row, min(group)] = True
    answers = [Exact(leader.reshape(-1)), Exact(chosen.reshape(-1))]
    return answers[-len(form.destinations) :]


_REDUCED = {
    "add": sum,
    "min": min,
    "max": max,
    "and": lambda v: int(np.bitwise_and.reduce(np.array(v, np.uint32))),
    "or": lambda v: int(np.bitwise_or.reduce(np.array(v, np.uint32))),
    "xor": lambda v: int(np.bitwise_xor.reduce(np.array(v, np.uint32))),
}


def reduce(form, sources, active, lanes):
    """redux: all members' values joined; of f32 as min and max do, NaNs given way to or not."""
    results = np.zeros(active.shape, np.uint32)
    for row, ((a, members), on) in enumerate(zip(_rows(sources, lanes), active, strict=True)):
        for group in _groups(members, on):
            results[row, group] = _joined(form, [a[k] for k in group])
    return [Exact(results.reshape(-1))]


def _joined(form, values):
    name, type_ = form.modifiers[1], form.types[-1]
    if type_ == "f32":
        return _extreme(form, name, values)
    numbers = [int(v) - ((int(v) >> 31) << 32 if type_ == "s32" else 0) for v in values]
    return _REDUCED[name](numbers) & 0xFFFFFFFF


class _Extreme:
    """The form of min or max that redux joins two values by."""

    def __init__(self, form, name):
        self.operation, self.modifiers = name, form.modifiers


def _extreme(form, name, values):
    columns = [np.array([v], np.uint32) for v in values]
    return int(smallest(_Extreme(form, name), columns, "f32").bits[0])


TWINS = {
    "shfl": shuffle,
    "vote": vote,
    "match": match,
    "activemask": active_mask,
    "elect": elect,
    "redux": reduce,
}
"""Twins of operations on a warp: of the sources, the lanes that are on and the warp's size."""
