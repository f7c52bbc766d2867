"""The rules of faults that values tell: bounds, initialisation, indices."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from warpmill.analyzer.ir.kernel import Address, Imm, Reg
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.benchmarks.check.planting import ExecutedKernel, Fault, Statement, TextEdit

_COMPARED = re.compile(r"((?:@!?%\w+\s+)?setp\.)(lt|le|gt|ge|lo|ls|hi|hs)(\.[us](?:16|32|64)\b.*)")
_COUNTED = re.compile(r"(setp\.(?:ne|eq)\.[us](?:32|64)\s+%\w+,\s*(%\w+),\s*)(-?\d+)")
_STRICT = {"lt": "le", "gt": "ge", "lo": "ls", "hi": "hs"}
OFF_BY_ONE: Mapping[str, str] = {**_STRICT, **{value: key for key, value in _STRICT.items()}}
"""Comparisons, and those that differ where both sides are equal."""

_STORED = re.compile(r"st\.(?!param|async|bulk)\S*")
_MOVED = re.compile(r"mov\.(?P<type>[bufs](?:16|32|64))\s+(?P<register>%\w+),\s*(?P<value>[-\w]+)")
_WIDENED = re.compile(
    r"mul\.wide\.(?P<sign>[us])32\s+(?P<offset>%\w+),\s*(?P<index>%\w+),\s*(?P<bytes>\d+)"
)
_SUMMED = re.compile(r"add\.[us]64\s+(?P<sum>%\w+),\s*(?P<left>%\w+),\s*(?P<right>%\w+)")


def bounds(kernel: ExecutedKernel) -> Iterator[Fault]:
    """A comparison that is true, or false, for one value more, or a loop that goes on once more."""
    for one in kernel.statements:
        if found := _COMPARED.fullmatch(one.text):
            edit = one.replaced(f"{found[1]}{OFF_BY_ONE[found[2]]}{found[3]}")
            yield kernel.fault("bound", "off by one", edit)
        elif found := _COUNTED.fullmatch(one.text):
            step = _step(kernel, one)
            if step:
                edit = one.replaced(f"{found[1]}{int(found[3]) + step}")
                yield kernel.fault("bound", "an iteration more", edit)


def _step(kernel: ExecutedKernel, one: Statement) -> int | None:
    """What a counter grows by in the block where it is compared; None where nothing tells."""
    compared = one.instruction.sources[0]
    for each in kernel.kernel.blocks[one.block].instructions:
        if each.operation.name == "add" and each.destinations == (compared,):
            last = each.sources[-1]
            return last.value if isinstance(last, Imm) else None
    return None


def initialisations(kernel: ExecutedKernel) -> Iterator[Fault]:
    """A store, or the first value of a register that a loop goes on with, that is left out."""
    writes = Counter(index for one in kernel.kernel.instructions for index in one.writes)
    for one in kernel.statements:
        if one.instruction.operation.op_class is OpClass.STORE and _STORED.match(one.text):
            yield kernel.fault("initialisation", "store removed", one.removed)
        elif _MOVED.fullmatch(one.text) and writes[one.instruction.writes[0]] > 1:
            yield kernel.fault("initialisation", "first value of a register removed", one.removed)


INDEX_BYTES = {"scaled": 1 << 32, "scaled, with a sign": 1 << 31}
"""How far behind the start of a buffer its elements lie, about."""


def indices(kernel: ExecutedKernel) -> Iterator[Fault]:
    """An offset behind 2^31 or 2^32 bytes that is computed in 32 bits.

    The buffer begins so many bytes before what the host has of it, and the index is as much larger.
    """
    uses = _uses(kernel)
    for one in kernel.statements:
        found = _WIDENED.fullmatch(one.text)
        sums = _sums(kernel, one, uses) if found else None
        if found and sums:
            yield from _wrapped(kernel, one, found, sums)


def _uses(kernel: ExecutedKernel) -> Mapping[int, list[tuple[int, int]]]:
    """The instructions that read each register, by block and place."""
    uses = defaultdict(list)
    for block in kernel.kernel.blocks:
        for place, one in enumerate(block.instructions):
            for index in one.reads:
                uses[index].append((block.id, place))
    return uses


def _sums(
    kernel: ExecutedKernel, one: Statement, uses: Mapping[int, list[tuple[int, int]]]
) -> list[Statement] | None:
    """The sums of an offset and a pointer; None where it is used otherwise, or not at an access."""
    known = {id(each.instruction): each for each in kernel.statements}
    blocks = kernel.kernel.blocks
    (offset,) = one.instruction.writes
    sums = []
    is_accessed = False
    for block, place in uses[offset]:
        added = blocks[block].instructions[place]
        statement = known.get(id(added))
        if statement is None or not _SUMMED.fullmatch(statement.text):
            return None
        sums.append(statement)
        for user in uses[added.writes[0]]:
            is_accessed |= _accesses(kernel, user, added.writes[0])
    return sums if is_accessed else None


def _accesses(kernel: ExecutedKernel, user: tuple[int, int], register: int) -> bool:
    one = kernel.kernel.blocks[user[0]].instructions[user[1]]
    is_memory = one.operation.space is Space.GLOBAL and kernel.warps[user[0]] > 0
    bases = [address.base for address in one.accessed if isinstance(address, Address)]
    return is_memory and Reg(register) in bases


def _wrapped(
    kernel: ExecutedKernel, one: Statement, found: re.Match[str], sums: list[Statement]
) -> Iterator[Fault]:
    size, sign = int(found["bytes"]), found["sign"]
    for rule, least in INDEX_BYTES.items():
        elements = -(-least // (16 * size)) * 16
        if elements >= 1 << 31 or (least < 1 << 32 and sign == "u"):
            continue
        bias = elements * size
        shifted = tuple(_shifted(each, found["offset"], bias) for each in sums)
        own = (found["offset"], found["index"], sign, elements, size)
        yield kernel.fault(
            "index",
            f"{rule} in 32 bits",
            one.replaced(_narrow(*own)),
            *shifted,
            counterpart=(one.replaced(_wide(*own)), *shifted),
            bias_bytes=bias,
        )


def _narrow(offset: str, index: str, sign: str, elements: int, size: int) -> str:
    return (
        f"{{ .reg .b32 %planted; add.{sign}32 %planted, {index}, {elements}; "
        f"mul.lo.{sign}32 %planted, %planted, {size}; cvt.{sign}64.{sign}32 {offset}, %planted; }}"
    )


def _wide(offset: str, index: str, sign: str, elements: int, size: int) -> str:
    return (
        f"{{ .reg .b64 %planted; cvt.{sign}64.{sign}32 %planted, {index}; "
        f"add.{sign}64 %planted, %planted, {elements}; "
        f"mul.lo.{sign}64 {offset}, %planted, {size}; }}"
    )


def _shifted(one: Statement, offset: str, bias: int) -> TextEdit:
    """The sum with the pointer to where the buffer begins."""
    found = _SUMMED.fullmatch(one.text)
    assert found is not None
    pointer = found["right"] if found["left"] == offset else found["left"]
    return one.replaced(
        f"{{ .reg .b64 %planted; sub.s64 %planted, {pointer}, {bias}; "
        f"add.s64 {found['sum']}, %planted, {offset}; }}"
    )
