"""Where the engine keeps when registers can be read: few places, close together.

Compilers name each value anew, so that a kernel has hundreds of registers, of which a warp needs
few at a time; the words of all of them do not fit into a CPU's caches. Registers that one block
alone uses share words, one after the other. That changes no time: a value that was read is there,
and holds up nobody who writes another one to its word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Accessed(NamedTuple):
    """Registers of an instruction. One that is free is carried out without waiting for them."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    is_free: bool


Block = Sequence[Accessed]


def register_slots(blocks: Sequence[Block]) -> dict[int, int]:
    """The place of each register of a kernel among a warp's words, from 0 on.

    Those that several blocks use come first, each with a word of its own, in the order in which
    the code names them: lanes of a warp may go through blocks one after the other that no path of
    the control flow has in that order.
    """
    homes = _homes(blocks)
    lives = [_lives(block, homes, number) for number, block in enumerate(blocks)]
    shared = {register for each in lives for register in each}
    slots: dict[int, int] = {}
    for register in homes:
        if register not in shared:
            slots[register] = len(slots)
    first = len(slots)
    for block, each in zip(blocks, lives, strict=True):
        slots |= _shared_slots(block, each, first)
    return slots


def _homes(blocks: Sequence[Block]) -> dict[int, int | None]:
    """The block that alone uses a register; None where there are several, or some free one does."""
    homes: dict[int, int | None] = {}
    for number, block in enumerate(blocks):
        for reads, writes, is_free in block:
            for register in (*reads, *writes):
                if homes.setdefault(register, number) != number or is_free:
                    homes[register] = None
    return homes


def _lives(block: Block, homes: dict[int, int | None], number: int) -> dict[int, int]:
    """The last read of each register that a block writes before it reads it, and reads in the end.

    By the places of instructions in the block.
    """
    read, written, first = dict[int, int](), dict[int, int](), set[int]()
    for place, (reads, writes, _) in enumerate(block):
        read |= dict.fromkeys(reads, place)
        first |= {one for one in writes if one not in read and homes[one] == number}
        written |= dict.fromkeys(writes, place)
    return {one: read[one] for one in first if read.get(one, -1) > written[one]}


def _shared_slots(block: Block, lives: dict[int, int], first: int) -> dict[int, int]:
    """Slots from one on for the registers of a block that share them, as they come and go."""
    slots, free, used = dict[int, int](), list[int](), first
    for place, (reads, writes, _) in enumerate(block):
        free += (slots[one] for one in dict.fromkeys(reads) if lives.get(one) == place)
        for one in writes:
            if one not in lives or one in slots:
                continue
            if not free:
                free.append(used)
                used += 1
            slots[one] = free.pop()
    return slots
