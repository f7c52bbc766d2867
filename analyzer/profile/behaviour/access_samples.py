"""A sample of the executions of an access point, and the affine address that it shows.

Executions are chosen by their number, scrambled, so that the sample is spread over CTAs and time
without a period, is the same in every run, and does not hang on how executions come in batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.loops import Loop
from warpmill.analyzer.base.linear import place_of
from warpmill.analyzer.profile.behaviour.access_counts import PointAccesses
from warpmill.analyzer.profile.behaviour.affine_fit import affine_fit, scrambled
from warpmill.analyzer.profile.behaviour.iterations import Iterations
from warpmill.analyzer.profile.behaviour.model import AffineAddress, Triple
from warpmill.analyzer.traces.event_batch import EventBatch, Masks, Numbers

_MOST = 2048
"""Executions of a point that are kept."""


class _Kept(NamedTuple):
    """Executions that were chosen, with the scrambled numbers that chose them.

    ``addresses`` are of lanes; ``ctas`` has x, y and z; ``loops`` an iteration for each loop
    around, the outermost first. ``warp`` is the warp's number in its CTA.
    """

    order: npt.NDArray[np.uint64]
    addresses: Numbers
    mask: Masks
    warp: Numbers
    ctas: Numbers
    loops: Numbers

    def some(self, chosen: npt.NDArray[np.bool_]) -> _Kept:
        """Give some of them."""
        return _Kept._make(column[chosen] for column in self)


@dataclass
class Sample:
    """The executions of one point that were chosen so far; ``loops`` are those around it."""

    loops: Sequence[Loop]
    _seen: int = 0
    _limit: int = (1 << 64) - 1
    _kept: _Kept | None = None

    def add(self, own: PointAccesses, batch: EventBatch, iterations: Iterations) -> None:
        """Choose of executions; they are of the warps of a batch."""
        order = scrambled(np.arange(self._seen, self._seen + len(own), dtype=np.uint64))
        self._seen += len(own)
        chosen = np.flatnonzero(order <= np.uint64(self._limit))
        if len(chosen) > _MOST:
            chosen = chosen[np.sort(np.argpartition(order[chosen], _MOST)[:_MOST])]
        new = _taken(order[chosen], own, chosen, batch, iterations, len(self.loops))
        if self._kept is not None:
            both = zip(self._kept, new, strict=True)
            new = _Kept._make(np.concatenate(columns) for columns in both)
        if len(new.order) >= _MOST:
            self._limit = int(np.partition(new.order, _MOST - 1)[_MOST - 1])
            new = new.some(new.order <= np.uint64(self._limit))
        self._kept = new

    def affine(self, block: Triple, origin: int) -> AffineAddress | None:
        """Give the form of the addresses' distances from ``origin`` in CTAs of a shape."""
        kept = self._kept
        if kept is None:
            return None
        lanes = np.arange(kept.addresses.shape[1])
        on = (kept.mask[:, None] >> lanes.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
        row, lane = np.nonzero(on)
        thread = kept.warp[row] * kept.addresses.shape[1] + lane
        threads = np.stack(place_of(thread, block), axis=1)
        columns = np.hstack([threads, kept.loops[row][:, ::-1], kept.ctas[row]])
        fit = affine_fit(columns, kept.addresses[on] - origin)
        if fit is None:
            return None
        inner = len(self.loops)
        found = fit.coefficients
        of_loops = found[3 : 3 + inner][::-1]
        return AffineAddress(
            offset=fit.offset,
            threads=_triple(found[:3]),
            ctas=_triple(found[3 + inner :]),
            loops=tuple((o.header, n) for o, n in zip(self.loops, of_loops, strict=True)),
            share=fit.share,
        )


def _taken(  # noqa: PLR0913, PLR0917 - executions, and all that is known of them
    order: npt.NDArray[np.uint64],
    own: PointAccesses,
    chosen: npt.NDArray[np.intp],
    batch: EventBatch,
    iterations: Iterations,
    levels: int,
) -> _Kept:
    """Give the chosen ones of some executions with all that an address may depend on."""
    warp, each = own.warp[chosen], batch.tables.warps_per_cta
    cta = batch.ctas[warp // each]
    return _Kept(
        order,
        own.base[chosen, None] + own.patterns[own.pattern[chosen]],
        own.mask[chosen],
        warp % each,
        np.stack(place_of(cta, batch.tables.grid), axis=1),
        iterations.numbers[:levels, own.event[chosen]].T.astype(np.int64),
    )


def _triple(numbers: Sequence[int]) -> Triple:
    x, y, z = numbers
    return x, y, z
