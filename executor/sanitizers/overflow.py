"""Overflow: addresses that follow from an integer of 32 bits which wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.ir.types import Space
from warpmill.executor.sanitizers.callbacks import callback
from warpmill.executor.sanitizers.findings import WIDE_INDEX_HINT, Finding, FindingKind, Tool
from warpmill.executor.sanitizers.log import noted, run_at, watch_at

if TYPE_CHECKING:
    from warpmill.executor.sanitizers.watch import LaunchWatch

TOOL = Tool.OVERFLOW
WRAPPED = 300
"""Number of the kind in rows."""


@callback("warpmill.overflow")
def wrapped_address(ctx: int, site: int, lane: int, lanes: int, address: int, exact: int) -> None:
    """Note an access of lanes whose address is not what exact integers come to."""
    run: Any = run_at(ctx)
    row = noted(watch_at(run.sanitizer), WRAPPED, site, -1)
    row.count += lanes - 1
    if row.count == lanes:
        row.cta, row.thread = run.cta, run.warp * run.lanes + lane
        row.address, row.extra = address, exact


def begin(watch: LaunchWatch) -> None:
    """Keep nothing of a launch."""


def not_modelled(watch: LaunchWatch) -> tuple[str, ...]:  # noqa: ARG001 - as of all tools
    """What a launch did that is not looked at: nothing."""
    return ()


def finding(watch: LaunchWatch, row: Any) -> Finding | None:
    """The finding of a row; None where it is another tool's."""
    if row["kind"] != WRAPPED:
        return None
    site, cta, thread = (int(row[key]) for key in ("site", "cta", "thread"))
    address, exact = (int(row[key]) % (1 << 64) for key in ("address", "extra"))
    access = watch.access("access", site, cta, thread)
    apart = min((address - exact) % (1 << 64), (exact - address) % (1 << 64))
    meant = watch.memory.nearest(exact)
    return Finding(
        tool=Tool.OVERFLOW,
        kind=FindingKind.WRAPPED_ADDRESS,
        severity=Severity.ERROR,
        kernel=watch.compiled.kernel.name,
        launch=watch.number,
        message=f"32-bit overflow: `{access.opcode}` goes to {address:#x}, {apart:,} B from "
        f"{exact:#x} ({meant}), which its index comes to without wrapping",
        access=access,
        space=Space.GLOBAL,
        address=address,
        nearest=watch.memory.nearest(address),
        count=int(row["count"]),
        hint=WIDE_INDEX_HINT,
    )
