"""Read what nvdisasm prints of a cubin: machine instructions, their PTX lines, the usual path.

The listing is that of ``nvdisasm -c -gp`` of a cubin made with ``ptxas -lineinfo``: a comment names
the PTX line of the instructions that follow it until the next one. Nothing but Python is needed.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise

_FUNCTION = re.compile(r"^\.text\.(\S+):")
_LINE = re.compile(r'//## File "\.nv_debug_ptx_txt[^"]*", line (\d+)')
_LABEL = re.compile(r"^\s*(\.?[\w$.]+):\s*$")
_INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*\}?\s*(?:/\*.*)?$")
_GUARD = re.compile(r"^@(!?)(U?P(?:\d|T))\s+")
_TARGET = re.compile(r"`\(([^)]+)\)")
_CONDITION = re.compile(r"BRA\.(?:DIV|CONV)|BRA(?:\.\w+)* !?U?P\d")
_JUMPS = frozenset({"CALL", "BRA", "BRX", "JMP", "JMX", "BRXU", "SYNC", "BRK", "PBRK"})
_ENDS = frozenset({"EXIT", "RET", "BRX", "JMX", "BRXU", "BPT"})
_CALLS = frozenset({"CALL", "CAL", "JCAL"})
_CALLEE = ("$__internal_", "__cuda_sm")
_FAR = 1 << 20
"""Instructions that a call counts for in the choice of a path: more than any way around it."""


@dataclass(frozen=True, slots=True)
class MachineInstruction:
    """One instruction: its PTX line (None: no line), address, text without guard, and guard."""

    line: int | None
    address: int
    text: str
    guard: str

    @property
    def opcode(self) -> str:
        """The opcode with its modifiers: ``IMAD.WIDE.U32``."""
        return self.text.split(maxsplit=1)[0] if self.text else ""

    @property
    def name(self) -> str:
        """The opcode without them."""
        return self.opcode.partition(".")[0]

    @property
    def target(self) -> str | None:
        """The label that a branch or a call goes to."""
        found = _TARGET.search(self.text)
        return None if found is None else found[1]

    @property
    def is_call(self) -> bool:
        """Whether it calls a function; with a label of the same function it is a jump."""
        return self.name in _CALLS and not (self.target or "").startswith(".L_")


@dataclass(frozen=True)
class MachineFunction:
    """A function's instructions in order; ``labels`` give the place of what follows each."""

    name: str
    instructions: tuple[MachineInstruction, ...]
    labels: dict[str, int]


def read_listing(text: str) -> dict[str, MachineFunction]:
    """Read a listing; the functions by their mangled names."""
    functions: dict[str, MachineFunction] = {}
    name, line = None, None
    instructions: list[MachineInstruction] = []
    labels: dict[str, int] = {}
    for row in text.splitlines():
        if found := _FUNCTION.match(row):
            name, line, instructions, labels = found[1], None, [], {}
        elif name is None:
            continue
        elif row.lstrip().startswith(".section"):
            name = None
        elif found := _LINE.search(row):
            line = int(found[1])
        elif found := _LABEL.match(row):
            labels[found[1]] = len(instructions)
        elif found := _INSTRUCTION.search(row):
            instructions.append(_instruction(line, int(found[1], 16), found[2]))
        if name is not None:
            functions[name] = MachineFunction(name, tuple(instructions), labels)
    return functions


def _instruction(line: int | None, address: int, text: str) -> MachineInstruction:
    """Take the guard off; a pair that is issued together stands in braces."""
    text = text.lstrip("{ ").rstrip("; }")
    found = _GUARD.match(text)
    guard = "" if found is None else found[1] + found[2]
    return MachineInstruction(line, address, text[found.end() if found else 0 :], guard)


def usual_path(function: MachineFunction) -> tuple[MachineInstruction, ...]:
    """The instructions from entry to exit that ordinary operands execute.

    Of the ways through, the one with the fewest calls, then the shortest: slow paths of division
    and square root lie behind calls or are the longer way. A call that no way avoids is followed.
    Code without loops only.
    """
    code = function.instructions
    tie = count()
    queue: list[tuple[int, int, int, tuple[int, ...]]] = [(0, next(tie), 0, ())]
    before: dict[tuple[int, tuple[int, ...]], tuple[int, tuple[int, ...]] | None] = {(0, ()): None}
    last_resort: tuple[int, tuple[int, ...]] | None = None
    while queue:
        cost, _, place, stack = heapq.heappop(queue)
        if code[place].name == "EXIT":
            if not code[place].guard:
                return tuple(code[i] for i in _way(before, place, stack))
            last_resort = last_resort or (place, stack)
        for following, deeper in _following(function, place, stack):
            if (following, deeper) not in before and following < len(code):
                before[following, deeper] = (place, stack)
                more = _FAR if code[place].is_call else 1
                heapq.heappush(queue, (cost + more, next(tie), following, deeper))
    if last_resort is None:
        raise ValueError(f"{function.name}: no way to an exit")
    return tuple(code[i] for i in _way(before, *last_resort))


def _way(
    before: dict[tuple[int, tuple[int, ...]], tuple[int, tuple[int, ...]] | None],
    place: int,
    stack: tuple[int, ...],
) -> list[int]:
    way: list[int] = []
    at: tuple[int, tuple[int, ...]] | None = (place, stack)
    while at is not None:
        way.append(at[0])
        at = before[at]
    return way[::-1]


def _following(
    function: MachineFunction, place: int, stack: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """What may execute after an instruction, with the places that calls return to."""
    instruction = function.instructions[place]
    name, next_place = instruction.name, place + 1
    target = instruction.target
    joins = _joins(function, instruction)
    if joins:
        target = _sync_target(function, place)
    if instruction.is_call and target in function.labels:
        yield function.labels[target], (*stack, next_place)
        return
    if name == "RET" and stack:
        yield stack[-1], stack[:-1]
    elif (name in _JUMPS or joins) and target in function.labels:
        yield function.labels[target], stack
    if (not joins and _may_fall_through(instruction)) or (joins and instruction.guard):
        yield next_place, stack


def _may_fall_through(instruction: MachineInstruction) -> bool:
    """Whether the next instruction may follow; a branch may carry its condition as an operand."""
    if instruction.name not in _JUMPS | _ENDS:
        return True
    return bool(instruction.guard) or bool(_CONDITION.match(instruction.text))


def _joins(function: MachineFunction, instruction: MachineInstruction) -> bool:
    """Whether it goes where the last SSY points (before Volta): SYNC, on Kepler anything with S."""
    if instruction.name == "SYNC":
        return True
    return instruction.opcode.endswith(".S") and any(i.name == "SSY" for i in function.instructions)


def _sync_target(function: MachineFunction, place: int) -> str | None:
    before = function.instructions[:place]
    return next((i.target for i in reversed(before) if i.name == "SSY"), None)


def usual_body(function: MachineFunction) -> tuple[MachineInstruction, ...]:
    """A function's instructions without those of slow paths and without padding.

    Left out are functions called from it, stretches that set up a call of one, and what stands
    behind the last exit: a branch to itself and NOPs.
    """
    code = function.instructions
    end = min((p for label, p in function.labels.items() if _is_callee(label)), default=len(code))
    starts = {place for place in function.labels.values() if place < end}
    for place in range(end):
        if code[place].name in _JUMPS | _ENDS or code[place].is_call:
            starts.add(place + 1)
    kept: list[MachineInstruction] = []
    edges = sorted(starts | {0, end})
    for first, last in pairwise(edges):
        stretch = code[first:last]
        if stretch and not (stretch[-1].is_call and _is_callee(stretch[-1].target or "")):
            kept += stretch
    while kept and (kept[-1].name == "NOP" or (kept[-1].name == "BRA" and not kept[-1].guard)):
        kept.pop()
    return tuple(kept)


def _is_callee(label: str) -> bool:
    return any(word in label for word in _CALLEE)
