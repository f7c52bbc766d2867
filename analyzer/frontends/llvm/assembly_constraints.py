"""What the constraints of an inline assembly say of its operands, for NVIDIA's targets.

Source: the language reference's chapter on inline assembler expressions, and the letters that
LLVM's NVPTX back end takes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

REGISTERS = {
    "b": "pred", "c": "b16", "h": "b16", "r": "b32", "f": "b32", "l": "b64", "N": "b64",
    "d": "b64", "q": "b128",
}  # fmt: skip
"""The type of the register that a letter asks for; floats are bits in registers of assembly."""

NUMBERS = frozenset("ni")
"""Letters of constants that are written into the text."""

ADDRESSES = frozenset("is")
"""Letters of addresses that are written into the text."""

MEMORY = frozenset("mo")
"""Letters of operands that are an address in the text, with its brackets."""


class AssemblyOperand(NamedTuple):
    """One operand of an assembly text.

    ``letters`` are the kinds that it may be. An input without letters lies in the register of a
    result, the one at ``tie`` among the results.
    """

    is_result: bool
    letters: str
    tie: int | None = None

    @property
    def letter(self) -> str | None:
        """The first letter of a register; None where it may be in none."""
        return next((c for c in self.letters if c in REGISTERS), None)


_CONSTRAINT = re.compile(r"(=?)[&%]*(\*?)(?:(\d+)|([A-Za-z]+))")


@lru_cache(maxsize=4096)
def places_of(constraints: str) -> tuple[AssemblyOperand, ...] | None:
    """Read a list of constraints such as ``"=r,r,n,0,~{memory}"``; clobbers are no operands.

    None where one is of a form that NVIDIA's assembly does not have: a register by its name, a
    label. Results in memory are arguments, as they are for LLVM. Of alternatives the first counts.
    """
    found = []
    for word in constraints.strip('"').split(","):
        if not word or word.startswith("~"):
            continue
        match = _CONSTRAINT.fullmatch(word.partition("|")[0])
        if match is None:
            return None
        result, indirect, tie, letters = match.groups()
        is_result = bool(result) and not indirect
        found.append(AssemblyOperand(is_result, letters or "", None if tie is None else int(tie)))
    count = len(results_of(tuple(found)))
    sound = all(place.tie is None or place.tie < count for place in found)
    return tuple(found) if sound else None


def results_of(places: tuple[AssemblyOperand, ...]) -> tuple[int, ...]:
    """The numbers of the operands that are results."""
    return tuple(number for number, place in enumerate(places) if place.is_result)
