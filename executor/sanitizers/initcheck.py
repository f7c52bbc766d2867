"""Initcheck: bytes that nobody has written, told where their value matters, not where it is copied.

``shadow_writing`` adds to a kernel what finds out; here it is noted, with the last place at which
the thread loaded such bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.base.pointers import first_at, record, words_in
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.executor.sanitizers.callbacks import callback, part
from warpmill.executor.sanitizers.findings import Finding, FindingKind, FoundAccess, Tool
from warpmill.executor.sanitizers.log import noted, run_at, watch_at
from warpmill.executor.sanitizers.shadow_flow import NOT_MODELLED
from warpmill.executor.sanitizers.shadow_operations import RESULT, USES

if TYPE_CHECKING:
    from warpmill.executor.sanitizers.watch import LaunchWatch

TOOL = Tool.INITCHECK

ORIGIN = record("site", "address", "cta")
"""Where a thread has last loaded what is undefined; the site counts from 1, 0: nowhere."""

_ADDRESS = record("address")
_origin_at: Any = first_at(ORIGIN)
_address_at: Any = first_at(_ADDRESS)
_ORIGIN_BYTES = 8 * words_in(ORIGIN)


@callback("warpmill.initcheck.load")
def undefined_load(ctx: int, site: int, lanes: int, addresses: int) -> None:
    """Take down what lanes have loaded, each at its address."""
    run: Any = run_at(ctx)
    watch: Any = watch_at(run.sanitizer)
    for lane in range(run.lanes):
        if lanes >> lane & 1:
            thread = run.warp * run.lanes + lane
            origin: Any = _origin_at(watch.origins + thread * _ORIGIN_BYTES)
            place: Any = _address_at(addresses + 8 * lane)
            origin.site, origin.address, origin.cta = site + 1, place.address, run.cta


@part
def _note(ctx: int, kind: int, site: int, lanes: int) -> Any:
    """Row of a finding; the thread and the origin of a new one are those of the first lane."""
    run: Any = run_at(ctx)
    watch: Any = watch_at(run.sanitizer)
    row = noted(watch, kind, site, -1)
    is_new = row.count == 1
    row.count -= 1
    for lane in range(run.lanes):
        if lanes >> lane & 1:
            if is_new and row.count == 0:
                row.cta, row.thread = run.cta, run.warp * run.lanes + lane
                origin: Any = _origin_at(watch.origins + row.thread * _ORIGIN_BYTES)
                if origin.cta == run.cta:
                    row.extra, row.other_value = origin.site, origin.address
            row.count += 1
    return row


@callback("warpmill.initcheck.use")
def undefined_use(ctx: int, kind: int, site: int, lanes: int) -> None:
    """Note that lanes use what is undefined."""
    _note(ctx, kind, site, lanes)


@callback("warpmill.initcheck.result")
def undefined_result(ctx: int, site: int, lanes: int, addresses: int) -> None:
    """Note that lanes leave in global memory what was computed from undefined bytes."""
    run: Any = run_at(ctx)
    inside = 0
    last = 0
    first = 0
    for lane in range(run.lanes):
        place: Any = _address_at(addresses + 8 * lane)
        if lanes >> lane & 1 and place.address >= GLOBAL_BASE:
            inside |= 1 << lane
            last = place.address
            if first == 0:
                first = last
    if inside != 0:
        row = _note(ctx, RESULT, site, inside)
        if row.address == 0:
            row.address = first
        row.value = last


@dataclass
class _Origins:
    """Where each thread of a CTA has last loaded what is undefined."""

    rows: npt.NDArray[Any]


def begin(watch: LaunchWatch) -> None:
    """Make room for the origins of a CTA's threads."""
    x, y, z = watch.grid.block
    lanes = watch.compiled.lanes
    origins = _Origins(np.zeros(-(-x * y * z // lanes) * lanes, ORIGIN))
    watch.states[TOOL] = origins
    watch.log.watch["origins"] = origins.rows.ctypes.data


def not_modelled(watch: LaunchWatch) -> tuple[str, ...]:
    """What a launch did of which it is not known whether it is defined."""
    names = {i.operation.name: i.operation.opcode for i in watch.compiled.kernel.instructions}
    return tuple(f"what `{names[name]}` leaves in memory" for name in NOT_MODELLED if name in names)


_USED = {number: word for word, number in USES.items()}


def finding(watch: LaunchWatch, row: Any) -> Finding | None:
    """The finding of a row; None where it is another tool's, or nothing is left of a result."""
    kind = int(row["kind"])
    is_result = kind == RESULT
    if is_result and not _is_left(watch, row):
        return None
    if not is_result and kind not in _USED:
        return None
    site, cta, thread = (int(row[key]) for key in ("site", "cta", "thread"))
    used = watch.access("store" if is_result else "use", site, cta, thread)
    origin, where, space = _origin(watch, row, cta, thread)
    what = _what(used.opcode, _USED.get(kind))
    return Finding(
        tool=TOOL,
        kind=FindingKind.UNDEFINED_RESULT if is_result else FindingKind.UNDEFINED_VALUE,
        severity=Severity.WARNING if is_result else Severity.ERROR,
        kernel=watch.compiled.kernel.name,
        launch=watch.number,
        message=f"{what} that nothing has written: {where}",
        access=used,
        other=origin,
        space=space,
        address=None if origin is None else int(row["other_value"]),
        nearest=where,
        count=int(row["count"]),
    )


def _is_left(watch: LaunchWatch, row: Any) -> bool:
    """Whether a result is still there when the launch has ended."""
    return any(watch.memory.is_computed(int(row[key])) for key in ("address", "value"))


def _what(opcode: str, use: str | None) -> str:
    if use is None:
        return f"`{opcode}` leaves in memory what was computed from bytes"
    if use == "branch":
        return f"whether `{opcode}` is executed depends on bytes"
    return f"the {use} of `{opcode}` follows from bytes"


def _origin(
    watch: LaunchWatch, row: Any, cta: int, thread: int
) -> tuple[FoundAccess | None, str, Space | None]:
    """Where the thread loaded undefined bytes before, in words too, and their space."""
    number, address = int(row["extra"]), int(row["other_value"])
    if number == 0:
        return None, "a register, or what another lane has", None
    access = watch.access("load", number - 1, cta, thread)
    block, place = access.instruction
    operation = watch.compiled.kernel.blocks[block].instructions[place].operation
    space = operation.spaces[-1] if operation.spaces else Space.GENERIC
    if operation.op_class is not OpClass.ASYNC_COPY and operation.space is not None:
        space = operation.space
    if space in (Space.GLOBAL, Space.GENERIC):
        return access, watch.memory.nearest(address), space
    return access, f"{address:,} B into {space.value} memory", space
