"""Cutting the walk of a batch into the traces of single warps, and folding their loops.

Segments of a loop that differ for another warp of the batch may be the same for this one; those
that continue each other are folded into one Repeat. Rows that differ in base addresses alone are
cut once and share their tree. The three axes of the grid are the outermost levels: a batch that
stands for many CTAs gives the tree and the bases of each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.traces.event_batch import SharedTree
from warpmill.analyzer.traces.model import (
    LaneAddresses,
    Node,
    Pattern,
    Repeat,
    TracedAccess,
    UnknownAddresses,
    Visit,
)
from warpmill.analyzer.traces.static.constraints import AXES, Triple
from warpmill.analyzer.traces.static.nodes import (
    AccessColumns,
    BatchNode,
    Columns,
    LoopColumns,
    Rows,
    VisitColumns,
    Which,
    alike,
    columns_of,
)

_ROUND = 1 << 32
"""Bytes from one CTA to the next that no memory has; addresses of 64 bits go round with them."""

Strides = tuple[int | None, ...]
"""Increment at each level; None for a level that happens once, where any stride would do."""


class _Where(NamedTuple):
    """Addresses of an access for all rows of a group, in every level around."""

    bases: Rows
    pattern: Pattern
    strides: Strides


class _Touch(NamedTuple):
    which: Which
    mask: int
    where: _Where | UnknownAddresses


class _Step(NamedTuple):
    block: int
    mask: int
    guards: tuple[tuple[int, int], ...]
    touches: tuple[_Touch, ...]


class _Piece(NamedTuple):
    """Some iterations of a loop: ``times``, and what each level around adds to it."""

    times: int
    strides: Strides
    body: tuple[_Item, ...]

    @property
    def is_one(self) -> bool:
        """Whether it is a single iteration, always."""
        return self.times == 1 and not any(self.strides)


_Item = _Step | _Piece


class _Differs(Exception):  # noqa: N818 - no error: a group of rows turns out to be several
    """Rows of a group whose base addresses move differently; ``labels`` tells them apart."""

    def __init__(self, labels: Rows) -> None:
        super().__init__()
        self.labels = labels


Trees = dict[tuple[Node, ...], tuple[Node, ...]]
"""The trees that there are, by themselves: equal ones are to be the same object."""


class AlikeWarps:
    """Warps of a batch that take the same way, in all CTAs that the batch stands for."""

    def __init__(self, items: tuple[_Item, ...], rows: NDArray[np.intp], trees: Trees) -> None:
        self._items, self._rows, self._trees = items, rows, trees
        self._moves = any(_moves(item) for item in items)
        self._tree, self._slots = self._finish((0, 0, 0))

    def _finish(self, offset: Triple) -> tuple[tuple[Node, ...], _Slots]:
        slots = _Slots(len(self._rows))
        tree = tuple(_finished(self._items, offset, (), slots))
        return self._trees.setdefault(tree, tree), slots

    @property
    def is_same(self) -> bool:
        """Whether the tree is the same in all CTAs."""
        return not self._moves

    def everywhere(self, offsets: Rows, first_rows: Rows) -> SharedTree:
        """The tree in CTAs that lie so far from the one walked, shape (CTAs, 3).

        The warps of each CTA come from its first row on. It is for groups whose tree ``is_same``.
        """
        rows = (first_rows[:, None] + self._rows).reshape(-1)
        bases = self._slots.everywhere(offsets).reshape(len(rows), -1)
        return SharedTree(self._tree, rows, bases)

    def between(self, first: Triple, last: Triple) -> tuple[tuple[Node, ...], Rows, Rows]:
        """The tree, and the least and the greatest base of each slot, in a box of CTAs.

        The corners are given by how far they lie from the CTA walked. Where the tree is not the
        same in all CTAs, it is that one's.
        """
        here = (0, 0, 0)
        return self._tree, *self._slots.between(*((here, here) if self._moves else (first, last)))

    def shape(self, offset: Triple) -> SharedTree:
        """The tree and the bases in the CTA that lies so far from the one walked."""
        tree, slots = self._finish(offset) if self._moves else (self._tree, self._slots)
        return SharedTree(tree, self._rows, slots.at(offset))


@dataclass
class _Slots:
    """Base addresses by row, and what one step of each axis of the grid adds to them."""

    rows: int
    bases: list[Rows] = field(default_factory=list)
    strides: list[tuple[int, ...]] = field(default_factory=list)

    @cached_property
    def _table(self) -> tuple[Rows, Rows]:
        """Base addresses, shape (rows, slots), and strides, shape (slots, axes)."""
        if not self.bases:
            return np.zeros((self.rows, 0), np.int64), np.zeros((0, len(AXES)), np.int64)
        return np.stack(self.bases, axis=1), np.array(self.strides, np.int64)

    def at(self, offset: Triple) -> Rows:
        """The base addresses in another CTA. No base is added after this was asked."""
        bases, strides = self._table
        moved: Rows = bases + strides @ np.array(offset, np.int64)
        return moved

    def between(self, first: Triple, last: Triple) -> tuple[Rows, Rows]:
        """The least and the greatest by slot, from one CTA to another; the same holds.

        What goes round from CTA to CTA stays where it is.
        """
        bases, strides = self._table
        strides = np.where(abs(strides) < _ROUND, strides, 0)
        ends = strides * np.array([first, last], np.int64)[:, None, :]
        least, most = ends.min(axis=0).sum(axis=1), ends.max(axis=0).sum(axis=1)
        return bases.min(axis=0) + least, bases.max(axis=0) + most

    def everywhere(self, offsets: Rows) -> Rows:
        """Offsets in many other CTAs; the same holds."""
        bases, strides = self._table
        moved: Rows = bases + (offsets @ strides.T)[:, None, :]
        return moved


def _moves(item: _Item) -> bool:
    """Whether a count depends on the CTA."""
    return isinstance(item, _Piece) and (
        any(item.strides[: len(AXES)]) or any(_moves(inner) for inner in item.body)
    )


def groups(nodes: tuple[BatchNode, ...], warps: int, trees: Trees) -> tuple[AlikeWarps, ...]:
    """Cut a batch of so many warps into those that take the same way."""
    columns = columns_of(nodes, AXES)
    work = alike(columns, warps)[::-1]
    found = []
    while work:
        rows = work.pop()
        try:
            found.append(AlikeWarps(_items(columns, rows, len(AXES)), rows, trees))
        except _Differs as difference:
            labels = difference.labels
            work += [rows[labels == label] for label in np.unique(labels)[::-1]]
    return tuple(found)


# -- cutting -------------------------------------------------------------------------------------


def _items(columns: tuple[Columns, ...], rows: NDArray[np.intp], depth: int) -> tuple[_Item, ...]:
    items: list[_Item] = []
    for column in columns:
        if isinstance(column, LoopColumns):
            items += _pieces(column, rows, depth)
        elif column.masks[rows[0]]:
            items.append(_step(column, rows))
    return tuple(items)


def _pieces(loop: LoopColumns, rows: NDArray[np.intp], depth: int) -> list[_Piece]:
    pieces: list[_Piece] = []
    for segment in loop.segments:
        body = _items(segment.body, rows, depth + 1)
        if not body:
            continue
        piece = _piece(segment.count, segment.count_strides, body, depth)
        joined = _Join(pieces[-1], piece, depth).joined() if pieces else None
        if joined is None:
            pieces.append(piece)
        else:
            pieces[-1] = joined
    return _nested(pieces, depth) if len(pieces) > 1 else pieces


def _nested(pieces: list[_Piece], depth: int) -> list[_Piece]:
    """Pieces of which those that repeat, moved along and as often, are one level more.

    A loop that takes buffers in turn moves on within a round, and back to the first with the next.
    """
    found: list[_Piece] = []
    around: list[_Piece] = []
    last: _Piece | None = None
    for piece in pieces:
        outer = _piece(1, (0,) * depth, (_inside(piece, depth),), depth)
        alike = last is not None and (last.times, last.strides) == (piece.times, piece.strides)
        joined = _Join(around[-1], outer, depth).joined() if alike else None
        last = piece
        if joined is None:
            around.append(outer)
            found.append(piece)
        else:
            around[-1] = found[-1] = joined
    return found


def _inside(item: _Item, level: int) -> _Item:
    """An item with a level more around it, at ``level``."""

    def more(strides: Strides) -> Strides:
        return (*strides[:level], None, *strides[level:])

    if isinstance(item, _Piece):
        body = tuple(_inside(inner, level) for inner in item.body)
        return _Piece(item.times, more(item.strides), body)
    touches = (
        t if isinstance(t.where, UnknownAddresses)
        else t._replace(where=t.where._replace(strides=more(t.where.strides)))
        for t in item.touches
    )  # fmt: skip
    return item._replace(touches=tuple(touches))


def _piece(count: int, strides: Strides, body: tuple[_Item, ...], depth: int) -> _Piece:
    piece = _Piece(count, strides, body)
    if not piece.is_one:
        return piece
    return _Piece(count, strides, tuple(_freed(item, depth) for item in body))


def _freed(item: _Item, level: int) -> _Item:
    """Free the strides of a level that happens once."""
    if isinstance(item, _Piece):
        body = tuple(_freed(inner, level) for inner in item.body)
        return _Piece(item.times, _replaced(item.strides, level, None), body)
    touches = (
        t
        if isinstance(t.where, UnknownAddresses)
        else _Touch(
            t.which,
            t.mask,
            _Where(t.where.bases, t.where.pattern, _replaced(t.where.strides, level, None)),
        )
        for t in item.touches
    )
    return _Step(item.block, item.mask, item.guards, tuple(touches))


def _replaced(strides: Strides, level: int, stride: int | None) -> Strides:
    return (*strides[:level], stride, *strides[level + 1 :])


def _step(column: VisitColumns, rows: NDArray[np.intp]) -> _Step:
    row = rows[0]
    mask = column.masks[row]
    return _Step(
        column.block,
        mask,
        tuple((i, masks[row]) for i, masks in column.guards if masks[row] != mask),
        tuple(_touch(a, rows) for a in column.accesses if a.masks[row]),
    )


def _touch(column: AccessColumns, rows: NDArray[np.intp]) -> _Touch:
    row = rows[0]
    if column.unknown is not None:
        return _Touch(column.which, column.masks[row], column.unknown)
    strides = tuple(s if isinstance(s, int) else int(s[row]) for s in column.strides)
    where = _Where(column.bases[rows], column.patterns[row], strides)
    return _Touch(column.which, column.masks[row], where)


# -- folding -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Join:
    """Two pieces of a loop that follow each other, ``second`` perhaps continuing ``first``."""

    first: _Piece
    second: _Piece
    level: int

    def joined(self) -> _Piece | None:
        """Fold both into one; None where the second does not continue the first."""
        body = self._bodies(self.first.body, self.second.body)
        if body is None:
            return None
        a, b = self.first, self.second
        strides = tuple((x or 0) + (y or 0) for x, y in zip(a.strides, b.strides, strict=True))
        return _Piece(a.times + b.times, strides, body)

    def _bodies(self, a: tuple[_Item, ...], b: tuple[_Item, ...]) -> tuple[_Item, ...] | None:
        if len(a) != len(b):
            return None
        items: list[_Item] = []
        for x, y in zip(a, b, strict=True):
            item = self._item(x, y)
            if item is None:
                return None
            items.append(item)
        return tuple(items)

    def _item(self, x: _Item, y: _Item) -> _Item | None:
        if isinstance(x, _Piece) and isinstance(y, _Piece):
            strides = self._strides(x.strides, y.strides, y.times - x.times)
            body = None if strides is None else self._bodies(x.body, y.body)
            return None if strides is None or body is None else _Piece(x.times, strides, body)
        if isinstance(x, _Piece) or isinstance(y, _Piece):
            return None
        if (x.block, x.mask, x.guards) != (y.block, y.mask, y.guards):
            return None
        if len(x.touches) != len(y.touches):
            return None
        touches: list[_Touch] = []
        for p, q in zip(x.touches, y.touches, strict=True):
            touch = self._touches(p, q)
            if touch is None:
                return None
            touches.append(touch)
        return _Step(x.block, x.mask, x.guards, tuple(touches))

    def _touches(self, p: _Touch, q: _Touch) -> _Touch | None:
        if (p.which, p.mask) != (q.which, q.mask):
            return None
        a, b = p.where, q.where
        if isinstance(a, UnknownAddresses) or isinstance(b, UnknownAddresses):
            return p if a == b else None
        if a.pattern != b.pattern:
            return None
        moved = b.bases - a.bases
        if len(moved) > 1 and (moved != moved[0]).any():
            raise _Differs(moved)
        strides = self._strides(a.strides, b.strides, int(moved[0]))
        if strides is None:
            return None
        return _Touch(p.which, p.mask, _Where(a.bases, a.pattern, strides))

    def _strides(self, a: Strides, b: Strides, moved: int) -> Strides | None:
        """Strides of what moves by ``moved`` from the first piece to the second, or None.

        The step of the level itself has to be what both pieces do; a level around that lengthens
        the first piece moves the second along.
        """
        step, rest = divmod(moved, self.first.times)
        here = self.level
        if rest or not _agree(a[here], step) or not _agree(b[here], step):
            return None
        grown = self.first.strides
        for level in range(here):  # a loop, as generators cost too much here
            if (b[level] or 0) - (a[level] or 0) != step * (grown[level] or 0):
                return None
        found = [*a[:here], step]
        for x, y in zip(a[here + 1 :], b[here + 1 :], strict=True):
            if not _agree(x, y):
                return None
            found.append(y if x is None else x)
        return tuple(found)


def _agree(stride: int | None, other: int | None) -> bool:
    return stride is None or other is None or stride == other


# -- finishing -----------------------------------------------------------------------------------


def _finished(
    items: tuple[_Item, ...], offset: Triple, kept: tuple[bool, ...], slots: _Slots
) -> Iterator[Node]:
    """Drop the levels that do not repeat, and their strides; number the bases."""
    for item in items:
        if isinstance(item, _Step):
            yield _visit(item, kept, slots)
            continue
        by_axis, strides = _split(item.strides, kept)
        count = item.times + sum(s * n for s, n in zip(by_axis, offset, strict=True))
        repeats = count > 1 or any(strides)
        body = tuple(_finished(item.body, offset, (*kept, repeats), slots))
        if repeats:
            yield Repeat(count, body, strides if any(strides) else ())
        else:
            yield from body


def _visit(step: _Step, kept: tuple[bool, ...], slots: _Slots) -> Visit:
    accesses = []
    for touch in step.touches:
        where: LaneAddresses | UnknownAddresses
        if isinstance(touch.where, UnknownAddresses):
            where = touch.where
        else:
            by_axis, strides = _split(touch.where.strides, kept)
            where = LaneAddresses(len(slots.bases), touch.where.pattern, strides)
            slots.bases.append(touch.where.bases)
            slots.strides.append(by_axis)
        instruction, turn, width = touch.which
        accesses.append(TracedAccess(instruction, touch.mask, where, width, turn))
    return Visit(step.block, step.mask, step.guards, tuple(accesses))


def _split(strides: Strides, kept: tuple[bool, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Strides of the grid's axes, and strides of the levels that are kept."""
    by_level = zip(strides[len(AXES) :], kept, strict=True)
    return (
        tuple(s or 0 for s in strides[: len(AXES)]),
        tuple(s or 0 for s, keep in by_level if keep),
    )
