"""Basic blocks in the making: instructions in order, labels, and branches that look forward."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from analyzer.frontends.ptx.names import FunctionNames, Scope, TargetList
from analyzer.ir.kernel import Block, Instruction


@dataclass(slots=True)
class _OpenBlock:
    """A block as it was met; ``is_ended`` after a branch or return, ``is_target`` of a branch."""

    labels: list[str]
    instructions: list[Instruction] = field(default_factory=list)
    is_ended: bool = False
    falls_through: bool = True
    is_target: bool = False


@dataclass(frozen=True, slots=True)
class Jump:
    """A branch whose targets are still names; ``start`` and ``end`` are those of its statement."""

    block: int
    place: int
    name: str
    is_indexed: bool
    scope: Scope
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
    """

    def __init__(self) -> None:
        self._blocks: list[_OpenBlock] = []
        self._current: _OpenBlock | None = None
        self._jumps: list[Jump] = []
        self._labels = FunctionNames(reserved=())

    def add(self, instruction: Instruction) -> None:
        """Append an instruction to the block that is open, or to a new one."""
        block = self._current
        if block is None:
            block = self._current = self._new()
        block.instructions.append(instruction)

    def add_label(self, name: str, scope: Scope) -> bool:
        """Start a block at a label; False where the scope has that label already."""
        if name in scope.labels:
            return False
        if self._current is None or self._current.instructions:
            self._current = self._new()
        self._current.labels.append(self._labels.unique(name))
        scope.labels[name] = len(self._blocks) - 1
        return True

    def end(self, falls_through: bool) -> None:
        """Close the block after its last instruction; a guarded one falls through."""
        self._blocks[-1].is_ended = True
        self._blocks[-1].falls_through = falls_through
        self._current = None

    def jump(self, name: str, is_indexed: bool, scope: Scope, start: int, end: int) -> None:
        """Note that the last instruction branches to ``name``, or by the list of that name."""
        place = len(self._blocks[-1].instructions) - 1
        block = len(self._blocks) - 1
        self._jumps.append(Jump(block, place, name, is_indexed, scope, start, end))

    def finish(self) -> tuple[tuple[Block, ...], list[MissingLabel]]:
        """Resolve the branches and give the blocks, and the labels that are not there."""
        if not self._blocks:
            self._new()
        missing: list[MissingLabel] = []
        targets = [self._targets(jump, missing) for jump in self._jumps]
        for target in (t for ts in targets for t in ts):
            self._blocks[target].is_target = True
        ids = self._ids()
        for jump, places in zip(self._jumps, targets, strict=True):
            instructions = self._blocks[jump.block].instructions
            final = tuple(ids[place] for place in places)
            instructions[jump.place] = replace(instructions[jump.place], targets=final)
        return self._finished(ids), missing

    def _new(self) -> _OpenBlock:
        block = _OpenBlock([])
        self._blocks.append(block)
        return block

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
            is_empty_end = not (block.is_target or block.instructions) and block is self._blocks[-1]
            ids.append(ids[-1] + (not is_rest and not is_empty_end))
        return ids

    def _finished(self, ids: list[int]) -> tuple[Block, ...]:
        parts: list[list[_OpenBlock]] = [[] for _ in range(ids[-1] + 1)]
        for block, place in zip(self._blocks, ids, strict=True):
            parts[place].append(block)
        return tuple(self._joined(i, part, i == ids[-1]) for i, part in enumerate(parts))

    def _joined(self, place: int, parts: list[_OpenBlock], is_last: bool) -> Block:
        last = next(part for part in reversed(parts) if part.instructions or part is parts[0])
        falls_through = last.falls_through and not is_last
        return Block(
            id=place,
            label=self._label(place, parts[0]),
            instructions=tuple(i for part in parts for i in part.instructions),
            fallthrough=place + 1 if falls_through else None,
        )

    def _label(self, place: int, block: _OpenBlock) -> str:
        return block.labels[0] if block.labels else self._labels.unique(f"bb{place}")
