"""A kernel's trace as a TraceSource: its CTAs are read anew as they are asked for.

A few MB of text are held at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import ravel_index, unravel_index
from warpmill.analyzer.traces.accelsim.code import untold
from warpmill.analyzer.traces.accelsim.reading import (
    IN_GLOBAL,
    IN_LOCAL,
    IN_SHARED,
    WARP,
    TracedKernel,
    in_window,
    scanned,
    where_generic,
)
from warpmill.analyzer.traces.accelsim.scan import Scanned
from warpmill.analyzer.traces.accelsim.text import Triple
from warpmill.analyzer.traces.event_batch import EventBatch, firsts
from warpmill.analyzer.traces.layout import LaunchLayout, MemoryRegion
from warpmill.analyzer.traces.model import Assumption, WarpTrace

Numbers = npt.NDArray[np.int64]

_TOGETHER = 4 << 20
"""Bytes of text whose CTAs are one batch, about."""


class AccelSimSource:
    """The traces of a kernel that Accel-Sim's tracer, or warpmill, wrote.

    InputError where the file has changed since it was read, UsageError for a CTA that it lacks.
    """

    kind = "saved"
    data = ""

    def __init__(self, traced: TracedKernel) -> None:
        self.traced = traced
        regions = tuple(
            MemoryRegion(f"memcpy {number}", copy.address, copy.size_bytes)
            for number, copy in enumerate(traced.copies, 1)
        )
        shared = traced.text.header.shared_bytes
        self.layout: LaunchLayout = LaunchLayout({}, {}, regions, shared)
        self._recent: tuple[Triple, EventBatch] | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""
        return self.traced.code.kernel

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What the format does not tell, and was taken to be."""
        return untold(self.traced.text.header, self.kernel)

    @property
    def reason(self) -> str:
        """Origin of the traces."""
        header = self.traced.text.header
        what = (
            "PTX instructions" if header.is_ptx else f"machine code for sm_{header.binary_version}"
        )
        return f"an Accel-Sim trace of {what}, read from {self.traced.text.label}"

    @property
    def ctas(self) -> tuple[Triple, ...] | None:
        """The CTAs that there are traces of; None: those of the whole grid."""
        traced = self.traced
        if traced.is_whole:
            return None
        grid = traced.text.header.grid
        return tuple(unravel_index(number, grid) for number in traced.ctas.tolist())

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """The traces of a CTA's warps, in order."""
        if self._recent is None or self._recent[0] != cta:
            self._recent = (cta, next(self.batches([cta])))
        return self._recent[1].traces(0)

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """The traces of several CTAs, in order."""
        for batch in self.batches(ctas):
            for place in range(len(batch.ctas)):
                yield batch.traces(place)

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        """The events of several CTAs as arrays: neighbours in the file are read together."""
        traced = self.traced
        try:
            with traced.text.open() as file:
                for group in _groups(traced, ctas):
                    yield _batch(traced, file, group)
        except OSError as error:
            words = f"cannot be read: {error.strerror or error}"
            raise InputError(traced.text.problem(words)) from None


def _groups(traced: TracedKernel, ctas: Iterable[Triple]) -> Iterator[list[int]]:
    """Places of CTAs that stand behind each other in the file, and ascend, some MB together."""
    group, size = list[int](), 0
    for cta in ctas:
        at = _place(traced, cta)
        own = int(traced.ends[at] - traced.begins[at])
        if group:
            last = group[-1]
            gap = traced.begins[at] - traced.ends[last]
            if at <= last or not 0 <= gap <= _GAP or size + own > _TOGETHER:
                yield group
                group, size = [], 0
        group.append(at)
        size += own
    if group:
        yield group


_GAP = 64
"""Bytes of empty lines between CTAs that are read together."""


def _place(traced: TracedKernel, cta: Triple) -> int:
    number = ravel_index(cta, traced.text.header.grid)
    at = int(np.searchsorted(traced.ctas, number))
    if at < len(traced.ctas) and traced.ctas[at] == number:
        return at
    place = ",".join(map(str, cta))
    raise UsageError(
        f"{traced.text.label} has no CTA {place}: it has {len(traced.ctas):,} of "
        f"{traced.text.header.ctas:,}; trace the whole grid, or ask for those"
    )


# -- events ----------------------------------------------------------------------------------------


def _batch(traced: TracedKernel, file: BinaryIO, group: list[int]) -> EventBatch:
    """The events of CTAs that stand behind each other in the file."""
    text = traced.text
    begin, end = int(traced.begins[group[0]]), int(traced.ends[group[-1]])
    file.seek(begin)
    piece = text.read(file, end - begin)
    line = int(traced.lines[group[0]])
    found = scanned(text, piece, line)
    if len(found.cta_byte) != len(group):
        raise InputError(text.problem("the file has changed since it was read", hint="run again"))
    return events(traced, found, traced.ctas[np.array(group)])


def events(traced: TracedKernel, found: Scanned, ctas: Numbers) -> EventBatch:
    """The events of what was scanned: a block that a warp executes is one.

    Its mask has the lanes of all its instructions; those with fewer of them have a guard. A block
    whose instructions had no lanes has those of the event before, or all, and guards that turn off.
    """
    code, tables = traced.code, traced.tables
    at = np.minimum(np.searchsorted(code.keys, found.key), len(code.keys) - 1)
    if len(found.key) and not (code.keys[at] == found.key).all():
        raise InputError(traced.text.problem("the file has changed since it was read"))
    slot, order = _in_warps(found, tables.warps_per_cta)
    if order is not None:
        at = at[order]
    mask = found.mask if order is None else found.mask[order]
    access = found.access if order is None else found.access[order]
    place = code.place[at]
    begins = np.flatnonzero(place == 0)
    event = np.repeat(np.arange(len(begins)), np.diff(np.r_[begins, len(place)]))
    warp_events = firsts(np.bincount(slot[begins], minlength=len(ctas) * tables.warps_per_cta))
    joint = np.bitwise_or.reduceat(mask, begins) if len(begins) else np.zeros(0, np.uint64)
    joint = _never_empty(joint, slot[begins], traced.text.header.threads)
    guarded = np.flatnonzero(mask != joint[event])
    touching = np.flatnonzero((access >= 0) & (code.point[at] >= 0))
    point, row = code.point[at[touching]], access[touching]
    return EventBatch(
        tables=tables,
        ctas=ctas,
        warps=warp_events,
        block=code.block[at[begins]],
        mask=joint,
        event_guards=firsts(np.bincount(event[guarded], minlength=len(begins))),
        guard_number=code.guard[at[guarded]],
        guard_mask=mask[guarded],
        event_accesses=firsts(np.bincount(event[touching], minlength=len(begins))),
        access_point=point,
        access_mask=mask[touching],
        access_base=_moved(traced, point, found.base[row]),
        access_pattern=found.pattern[row].astype(np.int32),
        patterns=found.patterns,
    )


def _in_warps(found: Scanned, warps: int) -> tuple[Numbers, Numbers | None]:
    """The warp of each instruction, over all CTAs, and an order where warps do not ascend."""
    cta = np.repeat(np.arange(len(found.cta_byte)), np.diff(found.cta_warp))
    own = np.repeat(cta * warps + found.warp_id, np.diff(found.warp_first))
    if (np.diff(own) >= 0).all():
        return own, None
    order = np.argsort(own, kind="stable")
    return own[order], order


def _never_empty(
    joint: npt.NDArray[np.uint64], slot: Numbers, threads: int
) -> npt.NDArray[np.uint64]:
    """Masks where those without lanes have the lanes of the event before in their warp, or all."""
    empty = np.flatnonzero(joint == 0)
    whole = (1 << min(threads, WARP)) - 1
    for k in empty.tolist():
        goes_on = k > 0 and slot[k] == slot[k - 1]
        joint[k] = joint[k - 1] if goes_on else whole
    return joint


def _moved(traced: TracedKernel, point: npt.NDArray[np.int32], base: Numbers) -> Numbers:
    """Addresses counted as warpmill does: shared and local ones from the start of their windows."""
    header, points = traced.text.header, traced.tables.points
    spaces = np.array([_SPACES.get(p.space, 0) for p in points] or [0])[point]
    where = where_generic(header.shared_base, header.local_base, base)
    is_generic = spaces == _ANY
    shared = (spaces == IN_SHARED) | (is_generic & (where == IN_SHARED))
    local = (spaces == IN_LOCAL) | (is_generic & (where == IN_LOCAL))
    found = np.where(shared, in_window(header.shared_base, base), base)
    moved = in_window(header.local_base, base) - traced.moved
    return np.where(local, moved, found).astype(np.int64)


_ANY = 8
_SPACES = {
    Space.GLOBAL: IN_GLOBAL,
    Space.SHARED: IN_SHARED,
    Space.LOCAL: IN_LOCAL,
    Space.GENERIC: _ANY,
}
