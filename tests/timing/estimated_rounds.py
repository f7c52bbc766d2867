"""Rounds of CTAs whose accesses a test writes down: who asks, when, and at which addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.timing.estimated_kernels import job
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables
from warpmill.simulator.assembler.merged_loads import MergedLoad
from warpmill.simulator.estimate.rounds import Events
from warpmill.simulator.estimate.transactions import Transactions
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.streams import stream_rules, streams

LANES = 32

Lanes = Sequence[int | None]
"""The byte address of each lane; None, or nothing where the row ends, for a lane that is off."""

Asked = tuple[str, Lanes]
"""An access of a warp: its opcode, which is that of one instruction, and the lanes' addresses."""


@dataclass(frozen=True)
class Accessing:
    """A kernel that has one instruction for each of some opcodes, and the points of these."""

    kernel: Kernel
    opcodes: tuple[str, ...]
    points: tuple[AccessPoint, ...]


_SPACES = {s.value: s for s in (Space.GLOBAL, Space.SHARED, Space.LOCAL, Space.CONST)}
_KINDS = {"ld": "load", "st": "store", "atom": "atomic"}


def accessing(folder: Path, *opcodes: str) -> Accessing:
    """Make a kernel of these loads, stores and atomics (``ld.global.u32``)."""
    lines = [f"{text} {_operands(text)};" for text in opcodes]
    made = job(folder, "\n".join(lines), 1, LANES).kernel
    (block,) = (b for b in made.blocks if len(b.instructions) > len(opcodes))
    place = {i.operation.opcode: k for k, i in enumerate(block.instructions)}
    points = tuple(_point(block.id, place[text], text) for text in opcodes)
    return Accessing(made, opcodes, points)


def _operands(opcode: str) -> str:
    data = "{%r1, %r2, %r3, %r4}" if ".v4." in opcode else "%rd3" if "64" in opcode else "%r1"
    forms = {"ld": f"{data}, [%rd1]", "st": f"[%rd1], {data}", "atom": "%r1, [%rd1], %r2"}
    return forms[opcode.partition(".")[0]]


def _point(block: int, number: int, opcode: str) -> AccessPoint:
    words = opcode.split(".")
    space = next((_SPACES[w] for w in words if w in _SPACES), Space.GLOBAL)
    width = int("".join(c for c in words[-1] if c.isdigit())) // 8
    return AccessPoint(block, number, _KINDS[words[0]], space, width * (4 if "v4" in words else 1))


def asked(
    of: Accessing,
    machine: Machine,
    warps: Sequence[Sequence[Asked]],
    *,
    warps_per_cta: int = 1,
    resident: int = 99,
    aggregated: Sequence[str] = (),
    merged: Sequence[MergedLoad] = (),
) -> Transactions:
    """The transactions of warps, CTA by CTA, each of whose events has one access.

    Of ``aggregated`` opcodes a warp makes one atomic.
    """
    events = list(_events(of, warps))
    ends = np.arange(len(events) + 1)
    nothing = np.zeros(0, np.int64)
    masks = np.array([mask for _, mask, _, _ in events], np.uint64)
    batch = EventBatch(
        tables=EventTables((len(warps), 1, 1), LANES, warps_per_cta, of.points, ()),
        ctas=np.arange(len(warps) // warps_per_cta),
        warps=np.cumsum([0, *map(len, warps)]),
        block=np.array([of.points[point].block for point, *_ in events], np.int32),
        mask=masks,
        event_guards=np.zeros(len(events) + 1, np.int64),
        guard_number=nothing.astype(np.int32),
        guard_mask=nothing.astype(np.uint64),
        event_accesses=ends,
        access_point=np.array([point for point, *_ in events], np.int32),
        access_mask=masks,
        access_base=np.array([base for _, _, base, _ in events], np.int64),
        access_pattern=np.arange(len(events), dtype=np.int32),
        patterns=np.array([row for *_, row in events], np.int64).reshape(-1, LANES),
    )
    rules = stream_rules(machine)
    made = Events(batch, streams(batch, rules), {}, rules)
    whole = zip(of.points, of.opcodes, strict=True)
    as_one = frozenset((p.block, p.instruction) for p, opcode in whole if opcode in aggregated)
    return Transactions(made, of.kernel, resident, as_one, merged)


def _events(
    of: Accessing, warps: Sequence[Sequence[Asked]]
) -> Iterator[tuple[int, int, int, list[int]]]:
    """Point, lanes on, the first lane's address and the distances of each access."""
    for warp in warps:
        for opcode, lanes in warp:
            on = {k: address for k, address in enumerate(lanes) if address is not None}
            base = next(iter(on.values()))
            row = [on.get(k, base) - base for k in range(LANES)]
            yield of.opcodes.index(opcode), sum(1 << k for k in on), base, row


def words(start: int, step: int = 4) -> list[int]:
    """The addresses of a warp whose lanes are ``step`` bytes apart."""
    return [start + step * k for k in range(LANES)]
