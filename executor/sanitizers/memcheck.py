"""Memcheck: accesses to what no kernel may access. What else the launch does goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import SHARED_WINDOW
from warpmill.executor.faults import Fault, Noted, report
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.sanitizers.callbacks import callback
from warpmill.executor.sanitizers.findings import Finding, FindingKind, Tool
from warpmill.executor.sanitizers.log import noted, run_at, watch_at

if TYPE_CHECKING:
    from warpmill.executor.sanitizers.watch import LaunchWatch

TOOL = Tool.MEMCHECK

KINDS = {
    FaultKind.OUT_OF_BOUNDS: FindingKind.OUT_OF_BOUNDS,
    FaultKind.MISALIGNED: FindingKind.MISALIGNED,
    FaultKind.NULL: FindingKind.NULL_POINTER,
    FaultKind.READ_ONLY: FindingKind.READ_ONLY,
}
"""The faults that do not end a launch where memcheck notes them."""


@callback("warpmill.memcheck")
def bad_access(ctx: int, kind: int, site: int, lane: int, address: int) -> None:
    """Note an access that reaches no memory; ``kind`` is a ``FaultKind``."""
    run: Any = run_at(ctx)
    row = noted(watch_at(run.sanitizer), kind, site, -1)
    if row.count == 1:
        row.cta, row.thread, row.address = run.cta, run.warp * run.lanes + lane, address
        row.value, row.other_value = address, address
    row.value, row.other_value = min(row.value, address), max(row.other_value, address)


def begin(watch: LaunchWatch) -> None:
    """Keep nothing of a launch."""


def not_modelled(watch: LaunchWatch) -> tuple[str, ...]:  # noqa: ARG001 - as of all tools
    """What a launch did that memcheck does not see: nothing."""
    return ()


def finding(watch: LaunchWatch, row: Any) -> Finding | None:
    """The finding of a row; None where it is another tool's."""
    kind = next((k for k in KINDS if k == int(row["kind"])), None)
    if kind is None:
        return None
    thread, lanes = int(row["thread"]), watch.compiled.lanes
    what = Noted(
        kind=kind,
        site=int(row["site"]),
        lanes=1 << thread % lanes,
        address=int(row["address"]),
        warp=thread // lanes,
        cta=watch.cta_at(int(row["cta"])),
        block=watch.grid.block,
        shared_bytes=watch.compiled.static_shared_bytes + watch.grid.dynamic_shared_bytes,
        records=np.zeros((0, 0), np.int64),
    )
    fault = report(watch.compiled, watch.memory, what).fault
    freed = fault.nearest is not None and fault.nearest.endswith("which was freed")
    return Finding(
        tool=Tool.MEMCHECK,
        kind=FindingKind.FREED if freed else KINDS[kind],
        severity=Severity.ERROR,
        kernel=fault.kernel,
        launch=watch.number,
        message=fault.message,
        access=watch.access(
            "access", what.site, int(row["cta"]), thread, bytes_=fault.access_bytes
        ),
        space=fault.space,
        address=fault.address,
        nearest=fault.nearest,
        count=int(row["count"]),
        details=tuple(_farthest(watch, row, fault, what.shared_bytes)),
    )


def _farthest(watch: LaunchWatch, row: Any, fault: Fault, shared_bytes: int) -> Iterator[str]:
    """How far the accesses go, where there are several addresses."""
    if row["kind"] != FaultKind.OUT_OF_BOUNDS:
        return
    least, most = (int(row[key]) for key in ("value", "other_value"))

    def place(address: int) -> str:
        if fault.space is not Space.SHARED:
            return watch.memory.nearest(address % (1 << 64))
        offset = address - SHARED_WINDOW
        past, side = offset - shared_bytes, "past the end"
        if offset < 0:
            past, side = -offset, "before the start"
        return f"{past:,} B {side} of the CTA's shared memory"

    if least < row["address"]:
        yield f"the lowest begins {place(least)}"
    if most > row["address"] or least == most:
        yield f"the highest ends {place(most + (fault.access_bytes or 1))}"
