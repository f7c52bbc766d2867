"""Basic blocks in the making: instructions in order, labels, and branches that look forward."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from warpmill.analyzer.base.source import DebugLocation, Span
from warpmill.analyzer.frontends.bulk import instances
from warpmill.analyzer.frontends.ptx.names import FunctionNames, NameScope, TargetList
from warpmill.analyzer.ir.kernel import Block, Guard, Instruction, Operand
from warpmill.analyzer.ir.operation import Operation, decode


@dataclass(slots=True)
class _OpenBlock:
    """A block as it was met; ``is_ended`` after a branch or return, ``is_target`` of a branch.

    ``start`` is the place of its first instruction in the function.
    """

    start: int
    labels: list[str]
    is_ended: bool = False
    falls_through: bool = True
    is_target: bool = False


@dataclass(frozen=True, slots=True)
class Jump:
    """A branch whose targets are still names.

    ``place`` is that of the instruction in the function, ``start`` and ``end`` are the offsets of
    its statement.
    """

    place: int
    name: str
    is_indexed: bool
    scope: NameScope
    start: int
    end: int


class MissingLabel(NamedTuple):
    """A name that a branch or its target list goes to and that is not there.

    ``start`` and ``end`` are those of the text that names it.
    """

    name: str
    start: int
    end: int


class BlockList:
    """The blocks of one function, in the order of the text.

    A label that no branch names starts no block: compilers put such labels everywhere for the
    debugger. Where it stands at the start of a block it still may give the block its name.

    The lists hold the fields of the instructions so far: the objects are made at the end, together.
    """

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.operands: list[tuple[Operand, ...]] = []
        self.spans: list[Span] = []
        self.guards: list[Guard | None] = []
        self.debugs: list[DebugLocation | None] = []
        self._blocks: list[_OpenBlock] = [_OpenBlock(0, [])]
        self._jumps: list[Jump] = []
        self._pragmas: list[tuple[int, str]] = []  # with the number of instructions before
        self._labels = FunctionNames(reserved=())

    def add(
        self,
        operation: Operation,
        operands: tuple[Operand, ...],
        span: Span,
        guard: Guard | None,
        debug: DebugLocation | None,
    ) -> None:
        """Append an instruction to the last block."""
        self.operations.append(operation)
        self.operands.append(operands)
        self.spans.append(span)
        self.guards.append(guard)
        self.debugs.append(debug)

    def add_label(self, name: str, scope: NameScope) -> bool:
        """Start a block at a label; False where the scope has that label already."""
        if name in scope.labels:
            return False
        if self._blocks[-1].start < len(self.spans):
            self._start_block()
        self._blocks[-1].labels.append(self._labels.unique(name))
        scope.labels[name] = len(self._blocks) - 1
        return True

    def add_pragmas(self, texts: list[str]) -> None:
        """Note hints about the block that the next instruction belongs to."""
        self._pragmas += [(len(self.spans), text) for text in texts]

    def end(self, falls_through: bool) -> None:
        """Close the block after its last instruction; a guarded one falls through."""
        self._blocks[-1].is_ended = True
        self._blocks[-1].falls_through = falls_through
        self._start_block()

    def jump(self, name: str, is_indexed: bool, scope: NameScope, start: int, end: int) -> None:
        """Note that the last instruction branches to ``name``, or by the list of that name."""
        self._jumps.append(Jump(len(self.spans) - 1, name, is_indexed, scope, start, end))

    def finish(
        self, return_span: Span, debug: DebugLocation | None
    ) -> tuple[tuple[Block, ...], list[MissingLabel]]:
        """Resolve the branches and give the blocks, and the labels that are not there.

        Where control can reach the end, a ``ret`` at ``return_span`` becomes the last instruction.
        """
        missing: list[MissingLabel] = []
        targets = [self._targets(jump, missing) for jump in self._jumps]
        for target in (t for ts in targets for t in ts):
            self._blocks[target].is_target = True
        if self._reaches_end():
            self.add(decode("ret"), (), return_span, None, debug)
            self._blocks[-1].falls_through = False
        ids = self._ids()
        final: list[tuple[int, ...]] = [()] * len(self.spans)
        for jump, places in zip(self._jumps, targets, strict=True):
            final[jump.place] = tuple([ids[place] for place in places])
        fields = self.operations, self.operands, self.spans, self.guards, final, self.debugs
        return self._finished(ids, instances(Instruction, fields)), missing

    def _start_block(self) -> None:
        self._blocks.append(_OpenBlock(len(self.spans), []))

    def _reaches_end(self) -> bool:
        last = self._blocks[-1]
        is_used = last.start < len(self.spans) or last.is_target
        return is_used or len(self._blocks) == 1 or self._blocks[-2].falls_through

    def _targets(self, jump: Jump, missing: list[MissingLabel]) -> list[int]:
        """Give the blocks that a jump names, as they were met, and note what is not there."""
        wanted = TargetList((jump.name,), jump.start, jump.end)
        scope = jump.scope
        if jump.is_indexed:
            table = scope.find_table(jump.name)
            if table is None:
                missing.append(MissingLabel(jump.name, jump.start, jump.end))
                return []
            wanted, scope = table
        found = [(name, scope.find_label(name)) for name in wanted.targets]
        missing += [MissingLabel(n, wanted.start, wanted.end) for n, b in found if b is None]
        return [block for _, block in found if block is not None]

    def _ids(self) -> list[int]:
        """Give each block as it was met the id of the one that it becomes a part of."""
        ids = [0]
        for before, block in pairwise(self._blocks):
            is_rest = not block.is_target and not before.is_ended
            is_last = block is self._blocks[-1]
            is_empty_end = is_last and not block.is_target and block.start == len(self.spans)
            ids.append(ids[-1] + (not is_rest and not is_empty_end))
        return ids

    def _finished(self, ids: list[int], instructions: list[Instruction]) -> tuple[Block, ...]:
        parts: list[list[_OpenBlock]] = [[] for _ in range(ids[-1] + 1)]
        for block, place in zip(self._blocks, ids, strict=True):
            parts[place].append(block)
        ends = [*(part[0].start for part in parts[1:]), len(instructions)]
        pragmas: list[list[str]] = [[] for _ in parts]
        for before, text in self._pragmas:
            pragmas[min(bisect_right(ends, before), len(parts) - 1)].append(text)
        return tuple(
            Block(
                id=place,
                label=self._label(place, part[0]),
                instructions=tuple(instructions[part[0].start : end]),
                fallthrough=self._fallthrough(place, part, end, place == ids[-1]),
                attributes=tuple(dict.fromkeys(pragmas[place])),
            )
            for place, (part, end) in enumerate(zip(parts, ends, strict=True))
        )

    def _fallthrough(
        self, place: int, parts: list[_OpenBlock], end: int, is_last: bool
    ) -> int | None:
        """Give the next block where control can leave the last part that has instructions."""
        last = next(p for p in reversed(parts) if p.start < end or p is parts[0])
        return place + 1 if last.falls_through and not is_last else None

    def _label(self, place: int, block: _OpenBlock) -> str:
        return block.labels[0] if block.labels else self._labels.unique(f"bb{place}")
