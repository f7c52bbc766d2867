"""The rules of faults that words tell: barriers, waits, masks, scopes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import Space
from warpmill.benchmarks.check.planting import ExecutedKernel, Fault, Statement

LANES = 32
_COMMON = (Space.SHARED, Space.GLOBAL, Space.GENERIC)
_ALL = 0xFFFFFFFF

_GUARD = r"(?:@!?%\w+\s+)?"
_BARRIER = re.compile(
    _GUARD + r"(?:bar\.warp\.sync|bar(?:\.cta)?\.sync|barrier(?:\.cta)?\.sync"
    r"|barrier\.cluster\.wait)\b"
)
_WAIT = re.compile(_GUARD + r"cp\.async\.(?:wait_all|wait_group|bulk\.wait_group)\b")
_COMMIT = re.compile(_GUARD + r"cp\.async\.(?:bulk\.)?commit_group\b")
_GROUPS = re.compile(r"(.*wait_group(?:\.read)?\s+)(\d+)")
_BULK_WRITES = re.compile(r"(.*cp\.async\.bulk\.wait_group)(\s+\d+)")
_PHASE = re.compile(_GUARD + r"mbarrier\.(?:try|test)_wait\S*\s+(%?\w+)\s*,")
_ARRIVAL = re.compile(r"cp\.async\.mbarrier\.arrive(?:\.noinc)?((?:\.shared\S*)?\.b64)(\s+.*)")
_MASKED = re.compile(
    _GUARD + r"(?:(?:shfl|vote|match|redux)\.\S*sync\S*\s.*,\s*|bar\.warp\.sync\s+)"
    r"(?P<mask>%?[-\w]+)\s*"
)
_SCOPED = re.compile(
    _GUARD + r"(?:atom|red|ld|st|fence|membar)\b(?!\.param|\.mbarrier_init|\S*\.shared\b(?!:))\S*"
)
_WIDE_SCOPE = re.compile(r"\.(?:gpu|sys|cluster)\b(?!:)")
_SCOPE = re.compile(r"\.(?:cta|cluster|gpu|sys)\b(?!:)")
_MEMBAR = re.compile(r"membar\.(?:gl|sys)\b")
_PLAIN_ATOMIC = re.compile(
    r"(@!?%\w+\s+)?(atom|red)\.(global\.)?(?=(?:add|and|or|xor|cas|exch|min|max|inc|dec)\b)"
)
_FENCE = re.compile(
    _GUARD + r"(?:fence|membar)\.(?!cta\b|acq_rel\.cta\b|sc\.cta\b|mbarrier_init\b)\S+"
)
_ORDERED = re.compile(r"\.(?:acquire|release|acq_rel)\b")
_VOLATILE = re.compile(_GUARD + r"(?:ld|st)\.volatile\.(?:global\.)?")


def barriers(kernel: ExecutedKernel) -> Iterator[Fault]:
    """A barrier that is not there any more, where accesses to memory come before and after it."""
    for one in kernel.statements:
        if _BARRIER.match(one.text) and _parts_accesses(kernel.kernel, one):
            yield kernel.fault("barrier", "removed", one.removed)


def _parts_accesses(kernel: Kernel, one: Statement) -> bool:
    block = kernel.blocks[one.block]
    place = next(k for k, each in enumerate(block.instructions) if each is one.instruction)
    before, after = block.instructions[:place], block.instructions[place + 1 :]
    follow = {each.id: each.successors for each in kernel.blocks}
    precede = {n: [k for k, nexts in follow.items() if n in nexts] for n in follow}
    return all(
        any(map(_accesses, own))
        or any(_accesses(i) for k in reached for i in kernel.blocks[k].instructions)
        for own, reached in (
            (before, _reached(precede, block.id)),
            (after, _reached(follow, block.id)),
        )
    )


def _reached(edges: Mapping[int, Sequence[int]], start: int) -> set[int]:
    """Where edges lead to from a block; itself where it is in a loop."""
    found: set[int] = set()
    to_do = list(edges[start])
    while to_do:
        block = to_do.pop()
        if block not in found:
            found.add(block)
            to_do += edges[block]
    return found


def _accesses(instruction: Instruction) -> bool:
    return bool(instruction.accessed) and instruction.operation.space in _COMMON


def waits(kernel: ExecutedKernel) -> Iterator[Fault]:
    """A wait for copies that does not wait, or not for all that it has to."""
    for one in kernel.statements:
        for rule, after in _without_wait(one.text):
            edit = one.replaced(after) if after else one.removed
            yield kernel.fault("wait", rule, edit)


def _without_wait(text: str) -> Iterator[tuple[str, str]]:
    if _WAIT.match(text):
        yield "removed", ""
    if _COMMIT.match(text):
        yield "group not committed", ""
    if found := _GROUPS.fullmatch(text):
        yield "one group more left open", f"{found[1]}{int(found[2]) + 1}"
    if found := _BULK_WRITES.fullmatch(text):
        yield "waits for reads alone", f"{found[1]}.read{found[2]}"
    if (found := _PHASE.match(text)) and not text.startswith("@"):
        yield "told to be over", f"setp.eq.u32 {found[1]}, 0, 0"
    if found := _ARRIVAL.fullmatch(text):
        yield "arrives before its copies", f"mbarrier.arrive{found[1]} _,{found[2]}"


def masks(kernel: ExecutedKernel) -> Iterator[Fault]:
    """A mask that leaves out a lane that is there, or names lanes that are not."""
    for one in kernel.statements:
        found = _MASKED.fullmatch(one.text)
        if not found:
            continue
        begin = found.start("mask")
        number = _number(found["mask"])
        is_full = one.threads == LANES * one.warps
        if number is not None:
            lane = _lane_of(number, one)
            yield _masked(kernel, one, "leaves out a lane", f"{number & ~(1 << lane):#x}", begin)
        if not is_full and number != _ALL and kernel.block % LANES == 0:
            # lanes that a CTA lacks count as those that have left, which a mask may name
            yield _masked(kernel, one, "names all lanes", "-1", begin)
        if is_full and not one.text.startswith("@"):
            edit = one.replaced(_passed_by(one.text, _drawn(one).randrange(LANES)))
            yield kernel.fault("mask", "a lane goes round it", edit)


def _number(text: str) -> int | None:
    return None if text.startswith("%") else int(text.rstrip("Uu"), 0) & _ALL


def _drawn(one: Statement) -> random.Random:
    """Chance that depends on the statement alone."""
    return random.Random(f"{one.instruction.span} {one.text}")


def _lane_of(mask: int, one: Statement) -> int:
    """A lane of a mask that is there for certain: any where warps are whole, else the first."""
    own = [lane for lane in range(LANES) if mask >> lane & 1]
    return _drawn(one).choice(own) if one.threads == LANES * one.warps else own[0]


def _masked(kernel: ExecutedKernel, one: Statement, rule: str, mask: str, at: int) -> Fault:
    return kernel.fault("mask", rule, one.replaced(one.text[:at] + mask))


def _passed_by(text: str, lane: int) -> str:
    """A statement that all lanes of a warp but one execute."""
    return (
        "{ .reg .pred %planted_p; .reg .b32 %planted_r; mov.u32 %planted_r, %laneid; "
        f"setp.ne.u32 %planted_p, %planted_r, {lane}; @%planted_p {text}; }}"
    )


def scopes(kernel: ExecutedKernel) -> Iterator[Fault]:
    """An atomic, a fence or an ordered access of too narrow a scope, too weak, or not there."""
    if kernel.ctas < 2:
        return
    for one in kernel.statements:
        for rule, after in _narrowed(one.text):
            edit = one.replaced(after) if after else one.removed
            yield kernel.fault("scope", rule, edit)


def _narrowed(text: str) -> Iterator[tuple[str, str]]:
    opcode = _SCOPED.match(text)
    if opcode is None:
        return
    head, rest = opcode[0], text[opcode.end() :]
    if _WIDE_SCOPE.search(head):
        yield "scope of a CTA", _WIDE_SCOPE.sub(".cta", head) + rest
    if _MEMBAR.search(head):
        yield "scope of a CTA", _MEMBAR.sub("membar.cta", head) + rest
    found = _PLAIN_ATOMIC.match(text)
    if found and not _SCOPE.search(head):
        guard, name, space = (each or "" for each in found.groups())
        yield "scope of a CTA", f"{guard}{name}.relaxed.cta.{space}{text[found.end() :]}"
    if _FENCE.match(head):
        yield "fence removed", ""
    elif _ORDERED.search(head) and not head.startswith("fence"):
        yield "order left out", _ORDERED.sub(".relaxed", head) + rest
    if _VOLATILE.match(head):
        yield "not volatile", head.replace(".volatile", "") + rest
