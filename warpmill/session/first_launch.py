"""A launch to begin with, for a kernel file that nobody has given one: what could be typed.

Its buffers are as large as the kernel's accesses need, where analysis can tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.ir.kernel import Address, Kernel, Module
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch.check import MAX_THREADS
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.analyzer.launch.options import (
    advised_argument,
    advised_block,
    advised_grid,
    pointees,
)
from warpmill.executor.independence.affine import LaunchNumbers, TouchedBytes
from warpmill.executor.independence.affine_rules import evaluate
from warpmill.executor.independence.affine_values import AffineValues
from warpmill.executor.independence.deciding import address_form, may_be_global, prepared

_APART = 1 << 44
"""Bytes between the addresses that pointers are taken to have, so that each is told by its own."""


@dataclass(frozen=True)
class FirstLaunch:
    """Grid, block and arguments as options say them; what of it is assumed, in words.

    ``lacking`` are parameters for which options have no word, as structs: a launch file has.
    """

    grid: Annotated[str, Metric("Grid size")]
    block: Annotated[str, Metric("Block size")]
    arguments: Annotated[tuple[str, ...], Metric("Arguments")]
    assumed: Annotated[tuple[str, ...], Metric("Assumed")]
    lacking: Annotated[tuple[str, ...], Metric("Parameters")] = ()

    @property
    def buffer_bytes(self) -> int:
        """Bytes of all buffers."""
        buffers = [text.partition(":") for text in self.arguments if text.startswith("buffer=")]
        return sum(int(count) * int(type_[8:]) // 8 for type_, _, count in buffers)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command line."""
        each = [word for text in self.arguments for word in ("--arg", text)]
        return ("--grid", self.grid, "--block", self.block, *each)


_LENGTHS = (1024, 256, 64, 16)
"""What integers are taken to be: the first with which buffers stay small."""
_SMALL = 1 << 28
"""Bytes of all buffers together that a launch to begin with takes at most, where it can be."""


def first_launch(module: Module, kernel: Kernel) -> FirstLaunch:
    """A launch of a kernel: integers of 1024 or less, and buffers as its accesses need them."""
    elements = pointees(module, kernel)
    advised = {p.name: advised_argument(p, elements) for p in kernel.parameters}
    lacking = tuple(name for name, text in advised.items() if text is None)
    given = {name: text for name, text in advised.items() if text is not None}
    for length in _LENGTHS:
        made = _launch_of(module, kernel, given, length, lacking)
        if made.buffer_bytes <= _SMALL:
            break
    return made


def _launch_of(
    module: Module, kernel: Kernel, given: Mapping[str, str], length: int, lacking: tuple[str, ...]
) -> FirstLaunch:
    most = str(_LENGTHS[0])
    texts = {name: str(length) if text == most else text for name, text in given.items()}
    block = advised_block(kernel) if lacking else _block(module, kernel, texts)
    grid = _grid(kernel, block, length)
    needed = {} if lacking else _needed_bytes(module, kernel, _shape(grid), _shape(block), texts)
    by_value: dict[str, list[str]] = {}
    for name, text in texts.items():
        if "=" not in text:
            by_value.setdefault(text, []).append(name)
    assumed = [f"{', '.join(names)}: {text}" for text, names in by_value.items()]
    for name, text in texts.items():
        if not text.startswith("buffer="):
            continue
        type_ = text.removeprefix("buffer=").partition(":")[0]
        count = length * length
        if name in needed:
            count = max(1, -(-needed[name] * 8 // int(type_[1:])))
        else:
            assumed.append(f"{name}: {count:,} elements; its accesses do not tell how many")
        texts[name] = f"buffer={type_}:{count}"
    return FirstLaunch(grid, block, tuple(texts.values()), tuple(assumed), lacking)


def _block(module: Module, kernel: Kernel, texts: Mapping[str, str]) -> str:
    """A block that the kernel allows: of the sides that it counts CTAs by, where these show.

    ``blockIdx.x * 32 + threadIdx.x`` is written for 32 threads. In a kernel with shared memory a
    CTA's part is often of several rows a thread, which says nothing of its threads.
    """
    advised = advised_block(kernel)
    bounds = kernel.bounds
    own = any(v.space is Space.SHARED for v in (*kernel.variables, *module.variables))
    if own or bounds.required_threads is not None or bounds.max_threads is not None:
        return advised
    sides = [*_shape(advised)]
    grid = _shape(advised_grid(kernel))
    facts = LaunchNumbers(
        grid, _shape(advised), _parameter_bytes(kernel, texts), _symbols(module, kernel)
    )
    counted: dict[int, set[int]] = {}
    for _, reach in _reaches(module, kernel, facts):
        terms = {term.name: factor for term, factor in reach.form.terms.items()}
        for axis, name in enumerate("xyz"):
            thread, cta = terms.get(f"tid.{name}", 0), terms.get(f"ctaid.{name}", 0)
            if thread and cta and cta % thread == 0:
                counted.setdefault(axis, set()).add(cta // thread)
    for axis, found in counted.items():
        if len(found) == 1 and min(found) > 0:
            sides[axis] = min(found)
    fits = math.prod(sides) <= MAX_THREADS
    return ",".join(map(str, sides[: advised.count(",") + 1])) if fits else advised


def _grid(kernel: Kernel, block: str, length: int) -> str:
    """Threads for each of a length, where blocks have all directions that the grid has."""
    sides, advised = _shape(block), advised_grid(kernel)
    ctas = advised.split(",")
    if sum(side > 1 for side in sides) < len(ctas):
        return advised
    across = [str(-(-length // side)) for side in sides[:2]]  # the third is often a batch
    return ",".join([*across, *ctas[2:]][: len(ctas)])


def _shape(text: str) -> tuple[int, int, int]:
    sides = [*map(int, text.split(",")), 1, 1]
    return sides[0], sides[1], sides[2]


def _needed_bytes(
    module: Module,
    kernel: Kernel,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    texts: Mapping[str, str],
) -> dict[str, int]:
    """Bytes that accesses need of buffers, by parameter: of those whose accesses are all known."""
    facts = LaunchNumbers(grid, block, _parameter_bytes(kernel, texts), _symbols(module, kernel))
    needed: dict[str, float] = {}
    names = [p.name for p in kernel.parameters]
    for number, reach in _reaches(module, kernel, facts):
        base = (number + 1) * _APART
        if not 0 <= number < len(names):
            continue  # counted from a variable, or from what lies in memory
        is_known = base <= reach.first and reach.end <= base + _APART // 2
        before = needed.get(names[number], 0)
        needed[names[number]] = max(before, int(reach.end) - base) if is_known else math.inf
    return {name: int(size) for name, size in needed.items() if size < math.inf}


def _reaches(
    module: Module, kernel: Kernel, facts: LaunchNumbers
) -> Iterator[tuple[int, TouchedBytes]]:
    """What each access of global memory reaches, and the number of the pointer of its address."""
    structure, needed, _ = prepared(kernel)
    values = AffineValues(module, structure, facts, needed, evaluate)
    for block in kernel.blocks:
        if block.id not in structure.cfg.reachable:
            continue
        for number, instruction in enumerate(block.instructions):
            width = instruction.operation.width_bytes
            for address in (o for o in instruction.operands if isinstance(o, Address)):
                if may_be_global(instruction):
                    form, raw, holds = address_form(values, (block.id, number), address)
                    reach = TouchedBytes(form, width or 16, tuple(holds))
                    yield raw.constant // _APART - 1, reach


def _parameter_bytes(kernel: Kernel, texts: Mapping[str, str]) -> bytes:
    """The parameters as a launch lays them out, with an address of its own for each pointer."""
    offsets, size = parameter_offsets(kernel)
    laid = bytearray(size)
    for number, (parameter, offset) in enumerate(zip(kernel.parameters, offsets, strict=True)):
        text = texts[parameter.name]
        if "=" in text:
            value = (number + 1) * _APART
        elif parameter.type.kind is TypeKind.FLOAT:
            continue  # no address is made of one
        else:
            value = int(text)
        bytes_ = min(8, parameter.size_bytes)
        laid[offset : offset + bytes_] = (value % (1 << 8 * bytes_)).to_bytes(bytes_, "little")
    return bytes(laid)


def _symbols(module: Module, kernel: Kernel) -> dict[str, int]:
    names = [v.name for v in (*module.variables, *kernel.variables)]
    first = len(kernel.parameters) + 1
    return {name: (first + k) * _APART for k, name in enumerate(names)}
