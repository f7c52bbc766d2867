"""A kernel made ready to run: blocks cut at barriers, steps, edges and reconvergence points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.reference.numpy_executor.frame import Operands
from tests.reference.numpy_executor.steps import CARRY, registers_read, step_of
from tests.reference.numpy_executor.values import dtype_of
from warpmill.analyzer.analyses.cfg.graph import build_cfg, postdominator_tree
from warpmill.analyzer.ir.kernel import Imm, Reg
from warpmill.analyzer.ir.types import OpClass

CONTROL = (OpClass.BRANCH, OpClass.RETURN)


@dataclass
class Barrier:
    """A barrier: which one, how many threads (None: all of the CTA), whether it waits."""

    number: object
    threads: object
    waits: bool = True
    reduce: object = None


@dataclass
class Piece:
    """Steps of a block up to a barrier or to its end."""

    steps: list
    barrier: Barrier | None = None


@dataclass
class Program:
    """What a machine executes."""

    kernel: object
    operands: Operands
    pieces: list  # by block
    meet: tuple
    order: list  # the number of a block in reverse postorder
    exit_id: int
    kept: list  # by block: registers that are read after it
    copies: dict  # (block, successor): steps


def prepare(kernel, layout, exact=True) -> Program:
    """Make a program of a kernel. NotImplementedError for what is not known here."""
    cfg = build_cfg(kernel)
    operands = Operands(kernel, layout, exact)
    operands.ever_read = registers_read(kernel)
    number = {block: place for place, block in enumerate(cfg.reverse_postorder)}
    return Program(
        kernel,
        operands,
        [_pieces(block, operands) if block.id in cfg.reachable else [] for block in kernel.blocks],
        postdominator_tree(cfg).idom,
        [number.get(block, len(number)) for block in range(cfg.exit_id + 1)],
        cfg.exit_id,
        _kept(kernel, cfg),
        {
            (edge.predecessor, block.id): _copies(edge, operands)
            for block in kernel.blocks
            for edge in block.incoming
        },
    )


def _pieces(block, operands):
    pieces = [Piece([])]
    for instruction in block.instructions:
        operation = instruction.operation
        if instruction.is_branch or operation.op_class in CONTROL:
            continue
        if operation.name == "trap":
            pieces[-1].steps.append(trap)
        elif operation.op_class is OpClass.BARRIER:
            pieces[-1].barrier = _barrier(instruction, operands)
            pieces.append(Piece([]))
        else:
            step = step_of(instruction, operands)
            if step is not None:
                pieces[-1].steps.append(step)
    return pieces


def _barrier(instruction, operands):
    operation = instruction.operation
    if operation.name not in ("bar", "barrier", "bar.arrive", "barrier.arrive"):
        raise NotImplementedError(operation.opcode)
    if instruction.guard is not None:
        raise NotImplementedError(f"guarded {operation.opcode}")
    readers = [operands.reader(o, np.dtype(np.uint32)) for o in instruction.operands]
    waits = not operation.name.endswith("arrive")
    return Barrier(readers[0], readers[1] if len(readers) > 1 else None, waits)


class TrapError(Exception):
    """A thread came to a trap."""


def trap(frame):
    raise TrapError(f"{frame.size} threads")


def _copies(edge, operands):
    """Make one step of the copies on an edge: all are read before one is written."""
    pairs = [
        (
            operands.reader(value, dtype_of(operands.kernel.registers[register.index].type)),
            operands.writer(register),
        )
        for register, value in edge.copies
    ]

    def step(frame):
        values = [read(frame) for read, _ in pairs]
        for (_, write), value in zip(pairs, values, strict=True):
            write(frame, value)

    return step


def _kept(kernel, cfg):
    """For each block the registers that may be read after it, by a plain fixpoint."""
    reads, writes = [], []
    for block in kernel.blocks:
        seen, killed = set(), set()
        for instruction in block.instructions:
            seen |= set(instruction.reads) - killed
            if instruction.guard is None:
                killed |= set(instruction.writes)
            else:
                seen |= set(instruction.writes) - killed  # the lanes that are off keep theirs
        reads.append(seen)
        writes.append(killed)
    live = [set(r) for r in reads]
    out = [set() for _ in reads]
    changed = True
    while changed:
        changed = False
        for block in reversed(cfg.reverse_postorder):
            after = set()
            for successor in cfg.successors[block]:
                if successor != cfg.exit_id:
                    edges = kernel.blocks[successor].incoming
                    copies = [c for e in edges if e.predecessor == block for c in e.copies]
                    targets = {register.index for register, _ in copies}
                    after |= live[successor] - targets
                    after |= {o.index for _, o in copies if isinstance(o, Reg)}
                    after |= {o.register.index for _, o in copies if hasattr(o, "register")}
            if after - out[block]:
                out[block] |= after
                live[block] = reads[block] | (out[block] - writes[block])
                changed = True
    for block in kernel.blocks:  # what the edges write is read after them
        for edge in block.incoming:
            out[edge.predecessor] |= {register.index for register, _ in edge.copies}
    terminators = [set(b.terminator.reads) if b.terminator else set() for b in kernel.blocks]
    return [frozenset(o | t | {CARRY}) for o, t in zip(out, terminators, strict=True)]


def sides_of(block, exit_id):
    """Where a block may go, in the order of divergence, each target once."""
    fall = exit_id if block.fallthrough is None else block.fallthrough
    last = block.terminator
    return [fall] if last is None else list(dict.fromkeys((fall, *last.targets)))


def case_values(instruction):
    """The value for each target of a switch or brx.idx."""
    cases = [o.value for o in instruction.operands[1:] if isinstance(o, Imm)]
    return cases or list(range(len(instruction.targets)))
