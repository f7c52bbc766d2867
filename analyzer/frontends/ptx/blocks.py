"""Basic blocks in the making: instructions in order, labels, and branches that look forward."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from analyzer.frontends.ptx.names import FunctionNames, Scope
from analyzer.ir.kernel import Block, Instruction


@dataclass(slots=True)
class _OpenBlock:
    label: str | None
    instructions: list[Instruction] = field(default_factory=list)
    falls_through: bool = True


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
    """A name that a jump goes to, itself or by its list, and that is not there."""

    jump: Jump
    name: str


class BlockList:
    """The blocks of one function, in the order of the text."""

    def __init__(self) -> None:
        self._blocks: list[_OpenBlock] = []
        self._current: _OpenBlock | None = None
        self._jumps: list[Jump] = []
        self._labels = FunctionNames(reserved=())

    def add(self, instruction: Instruction) -> None:
        """Append an instruction to the block that is open, or to a new one."""
        block = self._current
        if block is None:
            block = self._current = self._new(None)
        block.instructions.append(instruction)

    def add_label(self, name: str, scope: Scope) -> bool:
        """Start a block at a label; False where the scope has that label already."""
        if name in scope.labels:
            return False
        if self._current is None or self._current.instructions or self._current.label is None:
            self._current = self._new(self._labels.unique(name))
        scope.labels[name] = len(self._blocks) - 1
        return True

    def end(self, falls_through: bool) -> None:
        """Close the block after its last instruction; a guarded one falls through."""
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
            self._new(None)
        missing = [m for jump in self._jumps for m in self._resolve(jump)]
        last = len(self._blocks) - 1
        return tuple(
            Block(
                i,
                block.label or self._labels.unique(f"bb{i}"),
                tuple(block.instructions),
                i + 1 if block.falls_through and i < last else None,
            )
            for i, block in enumerate(self._blocks)
        ), missing

    def _new(self, label: str | None) -> _OpenBlock:
        block = _OpenBlock(label)
        self._blocks.append(block)
        return block

    def _resolve(self, jump: Jump) -> list[MissingLabel]:
        names, scope = (jump.name,), jump.scope
        if jump.is_indexed:
            table = scope.find_table(jump.name)
            if table is None:
                return [MissingLabel(jump, jump.name)]
            names, scope = table
        found = [scope.find_label(name) for name in names]
        targets = tuple(block for block in found if block is not None)
        instructions = self._blocks[jump.block].instructions
        instructions[jump.place] = replace(instructions[jump.place], targets=targets)
        return [
            MissingLabel(jump, name)
            for name, block in zip(names, found, strict=True)
            if block is None
        ]
