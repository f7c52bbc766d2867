"""Rules of memory: what accesses move beyond what they need, and how often.

They are rules as those of ``finding_rules``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import fsum

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import LINE_BYTES
from warpmill.report.page import figure as number
from warpmill.session.evidence import DRAIN, AccessEvidence, Evidence
from warpmill.session.finding_rules import (
    Mend,
    Pairs,
    buffer_name,
    is_product,
    part_of,
    times,
    total,
    worst_line,
)
from warpmill.simulator.resources import ISSUE_SLOTS, SERVERS

LSU, SHARED, L1, L2, DRAM, ATOMIC = (
    SERVERS[name] for name in ("lsu", "shared", "l1", "l2", "dram", "atomic")
)

_OFF_CHIP = (Space.GLOBAL, Space.LOCAL)


def bank_conflicts(e: Evidence) -> Iterator[Mend]:
    """Shared-memory wavefronts beyond those that the bytes of a request need."""
    pairs = [p for p in e.accesses(Space.SHARED) if p[1].wavefronts and p[1].ideal_wavefronts]
    excess = total(pairs, _conflicts)
    if excess <= 0:
        return
    worst = worst_line(e, pairs, _conflicts)
    part = excess / total(pairs, _wavefronts)
    ways = total(worst.pairs, _wavefronts) / total(worst.pairs, lambda a: a.ideal_wavefronts)
    yield Mend(
        "Shared memory bank conflicts",
        f"{times(ways)}-way",
        "1",
        f"{worst.words} {worst.verb('have', 'has')} {times(ways)}-way shared-memory bank conflicts "
        f"(ideal 1; {part:.0%} of all shared-memory wavefronts are excess)",
        "removing them",
        {SHARED: part},
        worst.one,
        part,
    )


def _conflicts(access: AccessEvidence) -> float:
    return (access.wavefronts or 0.0) - (access.ideal_wavefronts or 0.0)


def _wavefronts(access: AccessEvidence) -> float:
    return access.wavefronts or 0.0


def uncoalesced(e: Evidence) -> Iterator[Mend]:
    """Sectors of a buffer beyond those that the bytes of a request need."""
    every = [p for p in e.accesses(*_OFF_CHIP) if p[1].sectors and p[1].ideal_sectors]
    buffers: dict[str | None, Pairs] = {}
    for pair in every:
        if pair[1].space is Space.GLOBAL:
            name = pair[1].buffer
            buffers[name] = (*buffers.get(name, ()), pair)
    for name, own in buffers.items():
        if total(own, _excess_sectors) > 0:
            yield _uncoalesced(e, name, own, every)


def _uncoalesced(e: Evidence, name: str | None, own: Pairs, every: Pairs) -> Mend:
    worst = worst_line(e, own, _excess_sectors)
    requests = total(worst.pairs, lambda a: a.requests)
    found, ideal = (total(worst.pairs, of) / requests for of in (_sectors, _ideal_sectors))
    l1 = _l1_cycles(e, own) - _l1_cycles(e, own, ideal=True)
    return Mend(
        "Uncoalesced global accesses",
        f"{times(found)} sectors a request",
        times(ideal),
        f"{worst.words} {worst.verb('touch', 'touches')} {times(found)} sectors of "
        f"{buffer_name(e, name)} a request (ideal {times(ideal)})",
        "coalescing them",
        {
            L1: part_of(l1, _l1_cycles(e, every)),
            L2: part_of(_beyond(own, _l2), total(every, _l2)),
            DRAM: max(
                part_of(_beyond(own, _dram), total(every, _dram)),
                _opening_rows(e) * part_of(total(own, _dram), total(every, _dram)),
            ),
            DRAIN: part_of(total(_stores(own), _excess_sectors), total(_stores(every), _sectors)),
        },
        worst.one,
        part_of(total(own, _excess_sectors), total(every, _sectors)),
    )


def _opening_rows(e: Evidence) -> float:
    """The part of the time in which DRAM is busy and moves nothing: it opens rows for requests.

    Neighbours that are asked for together lie in rows that are open.
    """
    busy = (e.busy or {}).get(DRAM, 0.0)
    if e.dram_gbs is None or not busy:
        return 0.0
    rate, peak = e.dram_gbs
    return max(0.0, 1.0 - rate / peak / busy)


def _stores(pairs: Pairs) -> Pairs:
    return [pair for pair in pairs if pair[1].kind != "load"]


def _sectors(access: AccessEvidence) -> float:
    return access.sectors or 0.0


def _ideal_sectors(access: AccessEvidence) -> float:
    return access.ideal_sectors or 0.0


def _l2(access: AccessEvidence) -> float:
    return access.l2_sectors or 0.0


def _dram(access: AccessEvidence) -> float:
    return access.dram_sectors or 0.0


def _excess_sectors(access: AccessEvidence) -> float:
    return (access.sectors or 0.0) - (access.ideal_sectors or 0.0)


def _beyond(pairs: Pairs, of: Callable[[AccessEvidence], float]) -> float:
    """Sectors that go on, beyond all that accesses to a buffer need."""
    return max(0.0, total(pairs, of) - total(pairs, _ideal_sectors))


def _l1_cycles(e: Evidence, pairs: Pairs, *, ideal: bool = False) -> float:
    """The cycles that accesses hold L1; 0 where the machine's rates are unknown."""
    if e.l1_rates is None:
        return 0.0
    found = 0.0
    for _, access in pairs:
        sectors, lines = access.sectors or 0.0, access.lines or 0.0
        if ideal and access.ideal_sectors is not None:
            sectors = access.ideal_sectors
            lines = min(lines, max(access.requests, sectors * e.sector_bytes / LINE_BYTES))
        found += e.l1_rates.cycles(lines, sectors, access.requests)
    return found


def local_memory(e: Evidence) -> Iterator[Mend]:
    """Accesses to the threads' own memory: spilled registers and arrays."""
    own, every = e.accesses(Space.LOCAL), e.accesses(*_OFF_CHIP)
    if not own:
        return
    worst = worst_line(e, own, lambda a: a.requests)
    part = part_of(total(own, _sectors), total(every, _sectors))
    requests = total(own, lambda a: a.requests)
    yield Mend(
        "Local memory accesses",
        f"{part:.0%} of sectors",
        "0%",
        f"{worst.words} {worst.verb('access', 'accesses')} local memory, with {part:.0%} of all "
        "sectors (ideal 0%)",
        "keeping these values in registers",
        {
            LSU: part_of(requests, _requests(e)),
            L1: part_of(_l1_cycles(e, own), _l1_cycles(e, every)),
            L2: part_of(total(own, _l2), total(every, _l2)),
            DRAM: part_of(total(own, _dram), total(every, _dram)),
            ISSUE_SLOTS: part_of(requests, e.warp_instructions),
        },
        worst.one,
        part,
    )


def _requests(e: Evidence) -> float:
    return total(e.accesses(*_OFF_CHIP, Space.SHARED), lambda a: a.requests)


def dram_beyond_footprint(e: Evidence) -> Iterator[Mend]:
    """DRAM traffic beyond the least: once to be read, once written."""
    whole = fsum(one.dram_bytes for one in e.traffic)
    kinds = {(a.buffer, a.kind) for _, a in e.accesses(*_OFF_CHIP)}
    for region in e.traffic:
        own = {kind for buffer, kind in kinds if buffer in (region.region, None)}
        read, written, both = (kind in own for kind in ("load", "store", "atomic"))
        ideal = max(1, (read or both) + (written or both))
        excess = region.dram_bytes - region.footprint_bytes * ideal
        if not region.footprint_bytes or excess <= 0:
            continue
        found = times(region.dram_bytes / region.footprint_bytes)
        yield Mend(
            "DRAM traffic beyond the footprint",
            f"{found} times",
            number(ideal),
            f"{buffer_name(e, region.region)} moves {found} times its footprint between L2 and "
            f"DRAM (ideal {ideal})",
            "using it while L2 has it",
            {DRAM: part_of(excess, whole)},
            None,
            part_of(excess, whole),
        )


def atomics(e: Evidence) -> Iterator[Mend]:
    """Lanes of atomics that could be added up in their warp before."""
    own = [p for p in e.accesses(Space.GLOBAL) if p[1].kind == "atomic" and p[1].sectors]
    excess = total(own, _excess_lanes)
    if excess <= 0:
        return
    worst = worst_line(e, own, _excess_lanes)
    lanes = times(total(worst.pairs, lambda a: a.lanes) / total(worst.pairs, _sectors))
    part = excess / total(own, lambda a: a.lanes)
    yield Mend(
        "Atomic contention",
        f"{lanes} lanes a sector",
        "1",
        f"{worst.words} {worst.verb('have', 'has')} atomics of {lanes} lanes to each sector "
        "(ideal 1)",
        "adding up within a warp first, where these are at one address,",
        {ATOMIC: part},
        worst.one,
        part,
    )


def _excess_lanes(access: AccessEvidence) -> float:
    return max(0.0, access.lanes - (access.sectors or 0.0))


_TILE = 0.5
"""Loads a multiply-add that are left where a thread has 2 x 2 results in place of one."""

_BUSY_CARRIER = 0.6
_LOADS_PER_FMA = 0.5

_REUSED = 8.0
"""Times that bytes of a buffer are loaded, from which on registers could keep some of them."""


def operand_reuse(e: Evidence) -> Iterator[Mend]:
    """Loads that a multiply-add needs, where what carries them is what is busy."""
    if e.busy is None or max(e.busy.get(name, 0.0) for name in (LSU, SHARED, L1)) < _BUSY_CARRIER:
        return
    loads = [p for p in e.accesses(*_OFF_CHIP, Space.SHARED) if _is_reused(e, p[1])]
    products = fsum(x.threads or 0.0 for x in e.instructions if is_product(x))
    values = fsum(a.lanes * max(1, x.instruction.operation.vector) for x, a in loads)
    if not loads or not products or values / products < _LOADS_PER_FMA:
        return
    worst = worst_line(e, loads, lambda a: a.lanes)
    shared = [p for p in loads if p[1].space is Space.SHARED]
    others = [p for p in loads if p[1].space is not Space.SHARED]
    asked, l1 = total(loads, lambda a: a.requests), _l1_cycles(e, e.accesses(*_OFF_CHIP))
    wavefronts = total(e.accesses(Space.SHARED), _wavefronts)
    found, ideal = times(values / products), times(values / products * _TILE)
    yield Mend(
        "Operand reuse",
        f"{found} loads a multiply-add",
        ideal,
        f"{worst.words} {worst.verb('load', 'loads')} {found} values for each multiply-add (ideal "
        f"{ideal} with 2 x 2 results a thread)",
        "more results a thread in registers",
        {
            LSU: _TILE * part_of(asked, _requests(e)),
            SHARED: _TILE * part_of(total(shared, _wavefronts), wavefronts),
            L1: _TILE * part_of(_l1_cycles(e, others), l1),
            ISSUE_SLOTS: _TILE * part_of(asked, e.warp_instructions),
        },
        worst.one,
    )


def _is_reused(e: Evidence, access: AccessEvidence) -> bool:
    """Whether many threads load the same values, at addresses that no data decide."""
    if access.kind != "load" or access.gathers or access.space is Space.SHARED:
        return access.kind == "load" and not access.gathers
    region = next((r for r in e.traffic if r.region == access.buffer), None)
    if region is None or access.space is Space.LOCAL:
        return False
    return access.bytes_requested >= _REUSED * region.footprint_bytes


RULES = (
    bank_conflicts,
    uncoalesced,
    local_memory,
    dram_beyond_footprint,
    atomics,
    operand_reuse,
)
