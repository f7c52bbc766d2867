"""Batches of events as bytes and back (MessagePack), checked as they are read.

Columns of numbers are written in as few bytes a number as hold all of them; base addresses as
differences from the one before at the same point. docs/trace-file.md describes the fields.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from warpmill.analyzer.traces.event_batch import EventBatch, EventTables

Numbers = npt.NDArray[np.int64]


class EncodedColumn(msgspec.Struct, array_like=True, frozen=True):
    """Numbers, little-endian, of ``width`` bytes each; 8 of masks are unsigned."""

    width: int
    data: bytes


class EncodedBatch(msgspec.Struct, array_like=True, frozen=True):
    """The columns of a batch; see ``EventBatch``. Firsts are written as counts."""

    ctas: EncodedColumn
    warp_events: EncodedColumn
    block: EncodedColumn
    mask: EncodedColumn
    guards: EncodedColumn
    guard_number: EncodedColumn
    guard_mask: EncodedColumn
    accesses: EncodedColumn
    access_point: EncodedColumn
    access_mask: EncodedColumn
    access_base: EncodedColumn
    access_pattern: EncodedColumn
    patterns: EncodedColumn


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(EncodedBatch)
_WIDTHS = (1, 2, 4, 8)


def encoded_batch(batch: EventBatch) -> bytes:
    """Write a batch as bytes; equal arrays give equal bytes."""
    columns = (
        batch.ctas,
        np.diff(batch.warps),
        batch.block,
        batch.mask.view(np.int64),
        np.diff(batch.event_guards),
        batch.guard_number,
        batch.guard_mask.view(np.int64),
        np.diff(batch.event_accesses),
        batch.access_point,
        batch.access_mask.view(np.int64),
        _differences(batch.access_base, batch.access_point),
        batch.access_pattern,
        batch.patterns.reshape(-1),
    )
    return _ENCODER.encode(EncodedBatch(*map(_column, columns)))


def _column(values: npt.NDArray[np.signedinteger[npt.NBitBase]]) -> EncodedColumn:
    wide = values.astype(np.int64)
    least, most = (int(wide.min()), int(wide.max())) if wide.size else (0, 0)
    width = next(w for w in _WIDTHS if -(1 << 8 * w - 1) <= least and most < 1 << 8 * w - 1)
    return EncodedColumn(width, wide.astype(f"<i{width}").tobytes())


def _differences(bases: Numbers, points: npt.NDArray[np.int32]) -> Numbers:
    """Give each base less the one before at the same point, point by point."""
    order = np.argsort(points, kind="stable")
    own, of = bases[order], points[order]
    before = np.r_[np.int64(0), own[:-1]]
    starts = np.r_[True, of[1:] != of[:-1]][: len(own)]
    return np.where(starts, own, own - before[: len(own)]).astype(np.int64)


def _summed(steps: Numbers, points: npt.NDArray[np.int32]) -> Numbers:
    """Undo ``_differences``."""
    order = np.argsort(points, kind="stable")
    of = points[order]
    total = np.cumsum(steps)
    starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]][: len(of)])
    before = np.r_[np.int64(0), total][starts]
    lengths = np.diff(np.r_[starts, len(of)])
    bases = np.empty(len(of), np.int64)
    bases[order] = total - np.repeat(before, lengths)
    return bases


def decoded_batch(data: bytes, tables: EventTables, lengths: Sequence[int]) -> EventBatch:
    """Read a batch of a kernel whose blocks have so many instructions.

    ValueError where the bytes are no batch of such a kernel.
    """
    try:
        raw = _DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"a batch cannot be read: {error}") from None
    columns = {name: _numbers(getattr(raw, name)) for name in EncodedBatch.__struct_fields__}
    return _Reader(columns, tables, lengths).batch()


def _numbers(column: EncodedColumn) -> Numbers:
    if column.width not in _WIDTHS or len(column.data) % column.width:
        raise ValueError("a batch has a column that is cut off")
    return np.frombuffer(column.data, f"<i{column.width}").astype(np.int64)


class _Reader:
    """Makes a batch of its columns and checks that they make sense."""

    def __init__(
        self, columns: dict[str, Numbers], tables: EventTables, lengths: Sequence[int]
    ) -> None:
        self.columns, self.tables, self.lengths = columns, tables, lengths

    def batch(self) -> EventBatch:
        """Give it."""
        of, tables = self.columns, self.tables
        warps = self._firsts("warp_events", of["block"], len(of["ctas"]) * tables.warps_per_cta)
        events = len(of["block"])
        guards = self._firsts("guards", of["guard_number"], events)
        accesses = self._firsts("accesses", of["access_point"], events)
        self._check_numbers("block", len(self.lengths))
        self._check_numbers("guard_number", len(tables.guards))
        self._check_numbers("access_point", len(tables.points))
        self._check_ctas()
        patterns = self._patterns()
        points = of["access_point"].astype(np.int32)
        masks = {n: of[n].view(np.uint64) for n in ("mask", "guard_mask", "access_mask")}
        self._check_masks(masks, np.diff(guards), np.diff(accesses))
        return EventBatch(
            tables=tables,
            ctas=of["ctas"],
            warps=warps,
            block=of["block"].astype(np.int32),
            mask=masks["mask"],
            event_guards=guards,
            guard_number=of["guard_number"].astype(np.int32),
            guard_mask=masks["guard_mask"],
            event_accesses=accesses,
            access_point=points,
            access_mask=masks["access_mask"],
            access_base=_summed(of["access_base"], points),
            access_pattern=of["access_pattern"].astype(np.int32),
            patterns=patterns,
        )

    def _firsts(self, name: str, of: Numbers, number: int) -> Numbers:
        counts = self.columns[name]
        _check(len(counts) == number, f"{name} of other events")
        _check(not counts.size or int(counts.min()) >= 0, f"a negative number of {name}")
        _check(int(counts.sum()) == len(of), f"{name} are missing")
        firsts: Numbers = np.r_[np.int64(0), np.cumsum(counts)]
        return firsts

    def _check_numbers(self, name: str, most: int) -> None:
        found = self.columns[name]
        _check(not found.size or 0 <= int(found.min()) <= int(found.max()) < most, name)

    def _check_ctas(self) -> None:
        ctas = self.columns["ctas"]
        x, y, z = self.tables.grid
        _check(ctas.size > 0 and bool((np.diff(ctas) > 0).all()), "CTAs out of order")
        _check(int(ctas[0]) >= 0 and int(ctas[-1]) < x * y * z, "a CTA that the grid has not")

    def _patterns(self) -> Numbers:
        flat, lanes = self.columns["patterns"], self.tables.warp_size
        _check(len(flat) % lanes == 0, "patterns that are cut off")
        patterns: Numbers = flat.reshape(-1, lanes)
        self._check_numbers("access_pattern", len(patterns))
        number = len(self.columns["access_point"])
        for name in ("access_mask", "access_base", "access_pattern"):
            _check(len(self.columns[name]) == number, f"{name} of other accesses")
        return patterns

    def _check_masks(
        self, masks: dict[str, npt.NDArray[np.uint64]], guards: Numbers, accesses: Numbers
    ) -> None:
        mask = masks["mask"]
        whole = np.uint64((1 << self.tables.warp_size) - 1)
        _check(len(mask) == len(self.columns["block"]), "masks of other events")
        _check(len(masks["guard_mask"]) == int(guards.sum()), "guards without lanes")
        _check(bool((mask != 0).all() and (mask & ~whole == 0).all()), "a mask without lanes")
        for name, counts in (("guard_mask", guards), ("access_mask", accesses)):
            around = np.repeat(mask, counts)
            _check(bool((masks[name] & ~around == 0).all()), f"{name} with other lanes")
        _check(bool((masks["access_mask"] != 0).all()), "an access without lanes")


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"a batch does not fit the kernel: {what}")
