"""Synccheck: barriers and operations of a warp that lanes or warps come to which do not match."""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import Severity
from warpmill.executor.faults import numbered
from warpmill.executor.native.driver import BARRIERS
from warpmill.executor.sanitizers.callbacks import callback, part
from warpmill.executor.sanitizers.findings import Finding, FindingKind, FoundAccess, Tool
from warpmill.executor.sanitizers.log import noted, run_at, watch_at
from warpmill.executor.sanitizers.sync_records import (
    MOST_GROUPS,
    awaited,
    barrier_at,
    come,
    elsewhere,
    first_arrival,
    group_of,
    lanes_of_warp,
    lowest,
    nth_group,
)

if TYPE_CHECKING:
    from warpmill.executor.sanitizers.watch import LaunchWatch

TOOL = Tool.SYNCCHECK

ABSENT, OTHER_MASK, OTHER_OPERATION, EXITED, OUTSIDE, PARTIAL = range(200, 206)
DIVERGENT, OTHER_BARRIERS, NO_MULTIPLE, TOO_MANY, OTHER_COUNT, OTHER_KIND = range(206, 212)
"""Numbers of the kinds in rows.

A row's ``value`` and ``other_value`` are masks or counts, ``extra`` the lanes that came,
``address`` those that did not, ``bytes`` the segment that these stood at, from 1.
"""

_BARRIER_BYTES = 8 * 4
_REDUCES = 2  # the kinds of barriers from this one on reduce


# What native code tells.


@part
def _row(run: Any, kind: int, site: int, other_site: int, came: int) -> Any:
    """A row with what there is to say of the lanes that came, its count raised."""
    row = noted(watch_at(run.sanitizer), kind, site, other_site)
    if row.count == 1:
        row.cta, row.thread, row.extra = run.cta, run.warp * run.lanes + lowest(came), came
        row.other_cta, row.other_thread = run.cta, -1
    return row


@callback("warpmill.sync.members")
def members(
    ctx: int, site: int, opcode: int, mask: int, arrived: int, active: int, gone: int
) -> None:
    """Lanes come to an operation with a mask; all that are ``active`` come with any.

    ``gone`` are lanes that have ended, or will do nothing else.
    """
    run: Any = run_at(ctx)
    own = lanes_of_warp(run)
    if arrived & ~mask:
        row = _row(run, OUTSIDE, site, -1, arrived & ~mask)
        row.value = mask
    if mask & own & gone & ~arrived:
        row = _row(run, EXITED, site, -1, arrived)
        row.value, row.address = mask, mask & own & gone & ~arrived
    missing = mask & own & ~gone & ~arrived
    if missing & active:
        row = _row(run, OTHER_MASK, site, site, arrived)
        if row.count == 1:
            row.value, row.address = mask, missing & active
            row.other_thread = run.warp * run.lanes + lowest(missing & active)
    elif missing:
        come(run, group_of(run, opcode, mask), site, arrived, gone)


@callback("warpmill.sync.all")
def together(ctx: int, site: int, arrived: int, missing: int) -> None:
    """A part of a warp comes to an operation of all its lanes."""
    run: Any = run_at(ctx)
    row = _row(run, PARTIAL, site, -1, arrived)
    if row.count == 1:
        row.address, row.bytes = missing, elsewhere(run, missing)


@callback("warpmill.sync.end")
def end(ctx: int) -> None:
    """The warp that runs has ended: whom its lanes still await will not come."""
    _close(run_at(ctx))


@part
def _close(run: Any) -> None:
    """Note the lanes of the warp that runs which others await."""
    own = lanes_of_warp(run)
    for k in range(MOST_GROUPS):
        group = nth_group(run, k)
        if group.opcode and not group.is_told:
            late = awaited(group, own)
            missing = group.missing & late or late
            other, number = -1, ABSENT
            for j in range(MOST_GROUPS):
                partner = nth_group(run, j)
                if j != k and partner.opcode and partner.arrived & missing:
                    same = partner.opcode == group.opcode
                    number = OTHER_MASK if same else OTHER_OPERATION
                    other = j
            partner = nth_group(run, max(other, 0))
            row = _row(run, number, group.site, -1 if other < 0 else partner.site, group.arrived)
            if row.count == 1:
                row.value, row.address, row.bytes = group.mask, missing, group.elsewhere
            if other >= 0:
                partner.is_told = 1
                row.other_value = partner.mask
                row.other_thread = run.warp * run.lanes + lowest(partner.arrived)
    for k in range(MOST_GROUPS):
        nth_group(run, k).opcode = 0


@callback("warpmill.sync.arrive")
def arrive(
    ctx: int, site: int, lanes: int, missing: int, apart: int, number: int, threads: int, kind: int
) -> None:
    """Lanes come to a barrier, without those that are ``missing``.

    Lanes ``apart`` name another barrier than the first lane, or another count.
    """
    run: Any = run_at(ctx)
    if missing:
        row = _row(run, DIVERGENT, site, -1, lanes)
        if row.count == 1:
            row.address, row.bytes = missing, elsewhere(run, missing)
    else:
        _close(run)
    if apart:
        row = _row(run, OTHER_BARRIERS, site, -1, lanes & ~apart)
        row.address = apart
    if threads % run.lanes:
        _row(run, NO_MULTIPLE, site, -1, lanes).value = threads
    if threads > run.warp_count * run.lanes:
        _row(run, TOO_MANY, site, -1, lanes).value = threads
    if 0 <= number < BARRIERS:
        _compare(run, site, lanes, number, threads or run.warp_count * run.lanes, kind)


@part
def _compare(run: Any, site: int, lanes: int, number: int, threads: int, kind: int) -> None:
    """Compare what a warp says of a barrier with what the first one there said."""
    first = first_arrival(run, number)
    if barrier_at(run.barriers + number * _BARRIER_BYTES).arrived == 0:
        first.site, first.warp, first.threads, first.kind = site, run.warp, threads, kind
        return
    if first.threads != threads:
        row = _row(run, OTHER_COUNT, site, first.site, lanes)
        row.value, row.other_value = threads, first.threads
        row.other_thread = first.warp * run.lanes
    if (first.kind >= _REDUCES or kind >= _REDUCES) and first.kind != kind:
        row = _row(run, OTHER_KIND, site, first.site, lanes)
        row.other_thread = first.warp * run.lanes


# Rows read into findings.


def begin(watch: LaunchWatch) -> None:
    """Keep nothing of a launch: what there is belongs to CTAs."""


def not_modelled(watch: LaunchWatch) -> tuple[str, ...]:  # noqa: ARG001 - as of all tools
    """What a launch did that synccheck does not know the meaning of: nothing."""
    return ()


@dataclass(frozen=True)
class _Words:
    """The kind of a finding and its words: of lanes, masks and counts of the row."""

    kind: FindingKind
    message: str
    hint: str | None = None
    severity: Severity = Severity.ERROR


_SAME_MASK = "all lanes that a mask names, and have not exited, come to the operation with it"

_WORDS = {
    ABSENT: _Words(
        FindingKind.ABSENT_LANES,
        "`{opcode}` names {missing} in its mask {mask:#x}, but {came} alone came to it",
        f"{_SAME_MASK}; __activemask() does not tell who will: pass the lanes by a ballot before "
        "the branch",
    ),
    OTHER_OPERATION: _Words(
        FindingKind.ABSENT_LANES,
        "`{opcode}` names {missing} in its mask {mask:#x}, but {came} alone came to it: "
        "the others wait at another operation",
        _SAME_MASK,
    ),
    OTHER_MASK: _Words(
        FindingKind.DIFFERENT_MASKS,
        "{came} come to `{opcode}` with the mask {mask:#x}, {missing} with another one",
        _SAME_MASK,
    ),
    EXITED: _Words(
        FindingKind.EXITED_LANES,
        "`{opcode}` names {missing} in its mask {mask:#x}, which have exited",
        "nobody waits for lanes that have exited, and what is read from them is undefined",
        Severity.WARNING,
    ),
    OUTSIDE: _Words(
        FindingKind.OUTSIDE_MASK,
        "{came} come to `{opcode}` with the mask {mask:#x}, which does not name them",
        "a lane has to be in its own mask",
    ),
    PARTIAL: _Words(
        FindingKind.ABSENT_LANES,
        "`{opcode}` is an operation of a whole warp, but {came} alone came to it, not {missing}",
        "all lanes of a warp that have not exited must come to it together",
    ),
    DIVERGENT: _Words(
        FindingKind.DIVERGENT_BARRIER,
        "a barrier is reached by a part of the warp only: by {came}, not by {missing}",
        "all lanes of a warp that have not exited must come to it together; barrier.sync without "
        ".aligned need not be, and is executed like the others",
    ),
    OTHER_BARRIERS: _Words(
        FindingKind.DIFFERENT_BARRIERS,
        "{came} of a warp come to a barrier, {missing} to another one, or with another count",
        "number and count are the same for all lanes of a warp",
    ),
    NO_MULTIPLE: _Words(
        FindingKind.BARRIER_COUNT,
        "a barrier is for {mask} threads, which is no multiple of the warp's {lanes}",
    ),
    TOO_MANY: _Words(
        FindingKind.BARRIER_COUNT,
        "a barrier is for {mask} threads, more than the {threads} of the CTA: nobody passes it",
    ),
    OTHER_COUNT: _Words(
        FindingKind.BARRIER_COUNT,
        "a barrier is for {mask} threads here, for {other} where warp {warp} came to it",
        "all that come to a barrier before it is passed give the same count",
    ),
    OTHER_KIND: _Words(
        FindingKind.DIFFERENT_BARRIERS,
        "a barrier that reduces is one that others come to without, or with another reduction",
        "bar.red goes with bar.red of the same kind alone",
    ),
}
"""Kind and words of each kind of row."""


def finding(watch: LaunchWatch, row: Any) -> Finding | None:
    """The finding of a row; None where it is another tool's."""
    words = _WORDS.get(int(row["kind"]))
    if words is None:
        return None
    lanes = watch.compiled.lanes
    access = watch.access("arrival", int(row["site"]), int(row["cta"]), int(row["thread"]))
    every = (1 << lanes) - 1
    message = words.message.format(
        opcode=access.opcode,
        mask=int(row["value"]) & every,
        other=int(row["other_value"]),
        came=_lanes(int(row["extra"]) & every),
        missing=_lanes(int(row["address"]) & every),
        lanes=lanes,
        threads=watch.grid.threads_per_cta,
        warp=max(0, int(row["other_thread"])) // lanes,
    )
    return Finding(
        tool=TOOL,
        kind=words.kind,
        severity=words.severity,
        kernel=watch.compiled.kernel.name,
        launch=watch.number,
        message=message,
        access=access,
        other=_other(watch, row, every),
        count=int(row["count"]),
        hint=words.hint,
    )


def _other(watch: LaunchWatch, row: Any, every: int) -> FoundAccess | None:
    """Where the others came to, or stood meanwhile."""
    cta, thread = int(row["cta"]), int(row["other_thread"])
    if row["other_site"] >= 0:
        return watch.access("arrival", int(row["other_site"]), cta, thread)
    missing = int(row["address"]) & every
    instruction = watch.compiled.lowered.segments.starts_at(int(row["bytes"]) - 1)
    if instruction is None or not missing:
        return None
    lanes = watch.compiled.lanes
    thread = int(row["thread"]) // lanes * lanes + (missing & -missing).bit_length() - 1
    return watch.event("branch", instruction, cta, thread)


def _lanes(bits: int) -> str:
    """Lanes by their numbers."""
    return numbered("lane", [lane for lane in range(bits.bit_length()) if bits >> lane & 1] or [0])
