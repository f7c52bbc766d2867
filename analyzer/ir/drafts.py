"""Blocks while a function is rewritten: they name each other by keys until all are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    EdgeCopies,
    Element,
    Imm,
    Instruction,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Symbol,
    TupleAddress,
    Vector,
)

Key = tuple[int | str, ...]
"""What a block is named by; blocks of the function before have their id first."""


@dataclass
class BlockDraft:
    """A block that is being written; ``copies_from`` are the keys of where ``incoming`` is from."""

    key: Key
    label: str
    instructions: list[Instruction]
    fallthrough: Key | None = None
    targets: tuple[Key, ...] = ()
    incoming: tuple[EdgeCopies, ...] = ()
    copies_from: tuple[Key, ...] = ()
    attributes: tuple[str, ...] = ()


def finished(drafts: Sequence[BlockDraft]) -> tuple[Block, ...]:
    """The blocks with ids in place of keys."""
    ids = {draft.key: number for number, draft in enumerate(drafts)}
    return tuple(_block(draft, ids) for draft in drafts)


def _block(draft: BlockDraft, ids: dict[Key, int]) -> Block:
    instructions = list(draft.instructions)
    if draft.targets:
        targets = tuple(ids[key] for key in draft.targets)
        instructions[-1] = replace(instructions[-1], targets=targets)
    incoming = tuple(
        EdgeCopies(ids[key], edge.copies)
        for edge, key in zip(draft.incoming, draft.copies_from, strict=True)
    )
    fallthrough = None if draft.fallthrough is None else ids[draft.fallthrough]
    parts = ids[draft.key], draft.label, tuple(instructions), fallthrough, incoming
    return Block(*parts, draft.attributes)


def mapped(
    operand: Operand, register: Callable[[Reg], Reg], symbol: Callable[[Symbol], Operand]
) -> Operand:
    """An operand with other registers and symbols in place of its own.

    A symbol that is the base of an address may become a register or another symbol.
    """

    def each(items: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple(mapped(item, register, symbol) for item in items)

    match operand:
        case Reg():
            return register(operand)
        case Symbol():
            return symbol(operand)
        case Address(Reg() as base):
            return replace(operand, base=register(base))
        case Address(Symbol() as base):
            moved = symbol(base)
            assert isinstance(moved, Reg | Symbol | Imm)
            return replace(operand, base=moved)
        case NotPredicate(inner):
            return NotPredicate(register(inner))
        case Negated(inner):
            negated = mapped(inner, register, symbol)
            assert isinstance(negated, Reg | Element)
            return Negated(negated)
        case Element(inner, component):
            return Element(register(inner), component)
        case Vector(items):
            return Vector(each(items))
        case Arguments(items):
            return Arguments(each(items))
        case TupleAddress(items):
            return TupleAddress(each(items))
        case Pair(first, second):
            return Pair(*each((first, second)))
    return operand
