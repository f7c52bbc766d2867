"""A launch to begin with, where somebody gave none that fits: what one could type."""

from __future__ import annotations

import math
from collections.abc import Mapping

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.ir.kernel import Kernel, Module, Parameter, Special
from warpmill.analyzer.ir.types import TypeKind

_THREADS = 256
_BLOCKS = {1: "256", 2: "16,16", 3: "8,8,4"}
_GRIDS = {1: "4", 2: "4,4", 3: "4,4,4"}
"""Threads of a CTA and CTAs to begin with, by the directions that a kernel asks for."""

_LENGTH = 1024
"""Threads of a CTA, and elements a side: as many as the threads of the grid."""

_BITS = {8: "u8", 16: "f16", 32: "f32", 64: "f64"}
"""What elements are taken to be of which only the size is known."""

_LETTERS = {TypeKind.SIGNED: "i", TypeKind.UNSIGNED: "u", TypeKind.FLOAT: "f"}


def advised_block(kernel: Kernel) -> str:
    """Give the block that a kernel requires, or one that it allows."""
    required, most = kernel.bounds.required_threads, kernel.bounds.max_threads
    if required is not None:
        return ",".join(map(str, required))
    if most is not None and math.prod(most) < _THREADS:
        return str(math.prod(most))
    return _BLOCKS[_directions(kernel, "tid")]


def advised_grid(kernel: Kernel) -> str:
    """Give a few CTAs in the directions in which a kernel has several."""
    return _GRIDS[_directions(kernel, "ctaid")]


def _directions(kernel: Kernel, register: str) -> int:
    """Count the directions of an id that a kernel reads, 1 at least."""
    operands = (o for b in kernel.blocks for i in b.instructions for o in i.operands)
    read = {o.name for o in operands if isinstance(o, Special)}
    return 3 if f"{register}.z" in read else 2 if f"{register}.y" in read else 1


def pointees(module: Module, kernel: Kernel) -> Mapping[str, str]:
    """Give the element types of the parameters by which memory is accessed, by their names."""
    found: dict[str, str] = {}
    for access in memory_accesses(module, analyse_structure(kernel)):
        operation = kernel.blocks[access.block].instructions[access.instruction].operation
        if access.base is None or operation.type is None:
            continue
        bits, kind = operation.type.bits, operation.type.kind
        known = f"{_LETTERS[kind]}{bits}" if kind in _LETTERS and bits <= 64 else None
        found.setdefault(access.base, known or _BITS.get(bits, "f32"))
    return found


def advised_argument(parameter: Parameter, elements: Mapping[str, str]) -> str | None:
    """Give an argument that fits a parameter; None: that takes a launch file, as structs do."""
    is_plain = parameter.size_bytes == parameter.type.size_bytes and not parameter.shape
    if parameter.type.kind is TypeKind.OPAQUE:
        return f"texture=f32:{_LENGTH}x{_LENGTH}"
    if not is_plain:
        return None
    if parameter.is_pointer or parameter.name in elements:
        return f"buffer={elements.get(parameter.name, 'f32')}:{_LENGTH * _LENGTH}"
    if parameter.type.kind is TypeKind.FLOAT:
        return "1.0"
    return str(_LENGTH) if parameter.size_bytes > 1 else "1"
