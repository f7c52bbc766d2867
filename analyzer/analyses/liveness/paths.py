"""Blocks that run one after another, put together to one piece of straight code.

An assembler gives a short block that is branched around a predicate in place of the branch, so
that its loads, too, can be issued early; and blocks with one way between them are one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.liveness.liveness import Liveness
from warpmill.analyzer.analyses.liveness.values import Line, MachineView
from warpmill.analyzer.ir.types import OpClass

MOST_PREDICATED = 6
"""Instructions of a block up to which a predicate takes the place of the branch around it.

Fitted, as ``RESERVED`` is: 5 to 7 fit alike, more makes too much of kernels with long branches.
"""

_NEVER_PREDICATED = frozenset(
    {OpClass.CALL, OpClass.BARRIER, OpClass.FENCE, OpClass.ASYNC_COPY, OpClass.RETURN}
)


@dataclass(frozen=True)
class Path:
    """Straight code, with the sets of registers that are live on entry and at the end of it."""

    lines: tuple[Line, ...]
    on_entry: int
    at_end: int


def straight_paths(view: MachineView, live: Liveness, cfg: Cfg) -> list[Path]:
    """Put the blocks that control can reach together as far as they run one after another."""
    joined: set[int] = set()
    paths = []
    for block in cfg.reverse_postorder:
        if block in joined:
            continue
        parts = [(block, False), *_behind(block, view, cfg, joined)]
        joined.update(part for part, _ in parts)
        lines = tuple(
            line
            for place, (part, is_predicated) in enumerate(parts)
            for line in (
                _predicated(view.lines[part], live.at_end[parts[place - 1][0]])
                if is_predicated
                else view.lines[part]
            )
            if place == len(parts) - 1 or not line.instruction.is_branch
        )
        paths.append(Path(lines, live.on_entry[block], live.at_end[parts[-1][0]]))
    return paths


def _behind(
    block: int, view: MachineView, cfg: Cfg, joined: set[int]
) -> Iterator[tuple[int, bool]]:
    """Give the blocks that follow in one piece, each with whether a predicate guards it."""
    seen = {block, *joined}
    while True:
        after = cfg.successors[block]
        if (
            cfg.exit_id in after
            or seen & set(after)
            or any((block, a) in view.copies for a in after)
        ):
            return
        if len(after) == 1 and cfg.predecessors[after[0]] == (block,):
            seen.add(block := after[0])
            yield block, False
            continue
        side = next((s for s in after if _is_side(s, block, view, cfg)), None)
        if side is None:
            return
        yield side, True
        seen |= {side, block := cfg.successors[side][0]}
        yield block, False


def _is_side(side: int, block: int, view: MachineView, cfg: Cfg) -> bool:
    """Tell whether a block is short, comes after ``block`` only, and leads to what it else goes to.

    ``block`` has to branch by a predicate.
    """
    ends, after = cfg.successors[side], cfg.successors[block]
    return (
        len(after) == 2
        and view.lines[block][-1].instruction.operation.name == "bra"
        and cfg.predecessors[side] == (block,)
        and len(ends) == 1
        and ends[0] in after
        and set(cfg.predecessors[ends[0]]) == {block, side}
        and (side, ends[0]) not in view.copies
        and _can_be_predicated(view.lines[side])
    )


def _can_be_predicated(lines: tuple[Line, ...]) -> bool:
    classes = {line.instruction.operation.op_class for line in lines}
    return len(lines) <= MOST_PREDICATED and not classes & _NEVER_PREDICATED


def _predicated(lines: tuple[Line, ...], live_before: int) -> Iterator[Line]:
    """Give lines that keep what lanes without the predicate have in registers that they write."""
    for line in lines:
        kept = (r for r in line.writes if live_before >> r & 1)
        yield Line(line.instruction, tuple(dict.fromkeys((*line.reads, *kept))), line.writes)
