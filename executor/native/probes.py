"""What generated code counts and writes down beside what it does: only what is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.events import record_block, record_guard
from warpmill.executor.native.paths import PathLayout, count_lanes, pass_block, pass_edge
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.values import LlvmValue, constant


@dataclass(frozen=True)
class Counting:
    """What generated code counts beside what it does.

    ``guards`` numbers the guarded instructions by (block, index), ``edges`` the edges of which
    crossings are counted by (block, successor). ``lanes`` counts executions of blocks by their
    lanes, ``paths`` the threads that go each way, ``ctas`` leaves a line for each CTA. ``rules``
    count memory accesses. ``events`` has blocks and guards written down, ``addresses`` accesses
    too.
    """

    blocks: bool = True
    guards: Mapping[tuple[int, int], int] | None = None
    edges: Mapping[tuple[int, int], int] | None = None
    lanes: bool = False
    paths: PathLayout | None = None
    ctas: bool = False
    rules: MemoryRules | None = None
    events: bool = False
    addresses: bool = False


@dataclass(frozen=True)
class Probes:
    """Writes what is counted at blocks, edges and guards."""

    emitter: Emitter
    counting: Counting

    def block(self, block: int, bits: LlvmValue) -> None:
        """A block begins, with lanes on."""
        counting = self.counting
        if counting.blocks:
            count(self.emitter, "block_counts", block, bits)
        if counting.lanes:
            count_lanes(self.emitter, block, bits)
        if counting.paths is not None:
            pass_block(self.emitter, counting.paths, block, bits)
        if counting.events:
            record_block(self.emitter, block, bits)

    def edge(self, source: int, target: int, lanes: LlvmValue) -> None:
        """Lanes, at least one, take an edge."""
        number = (self.counting.edges or {}).get((source, target))
        if number is None:
            return
        count(self.emitter, "edge_counts", number, lanes)
        if self.counting.paths is not None:
            pass_edge(self.emitter, self.counting.paths, number, lanes)

    def guard(self, step: LoweringStep) -> None:
        """A guarded instruction begins."""
        number = (self.counting.guards or {}).get(step.place)
        if number is None:
            return
        e, place = self.emitter, self.emitter.name()
        e.raw(f"  {place} = getelementptr i64, ptr {e.context('guard_counts').text}, i64 {number}")
        old = e.define(f"load i64, ptr {place}", "i64", uniform=True)
        bits = e.bits(step.mask)
        if self.counting.events:
            record_guard(e, number, bits)
        on = e.resize(e.call("llvm.ctpop", bits), "i64")
        e.raw(f"  store i64 {e.op('add', old, on).text}, ptr {place}")


def count(e: Emitter, table: str, number: int, lanes: LlvmValue) -> None:
    """Count one execution by a warp and by its lanes in a table of pairs."""
    base = e.context(table)
    for k, by in enumerate((None, lanes)):
        place = e.name()
        e.raw(f"  {place} = getelementptr i64, ptr {base.text}, i64 {2 * number + k}")
        old = e.define(f"load i64, ptr {place}", "i64", uniform=True)
        more = constant(1, "i64") if by is None else e.resize(e.call("llvm.ctpop", by), "i64")
        e.raw(f"  store i64 {e.op('add', old, more).text}, ptr {place}")
