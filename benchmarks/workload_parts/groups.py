"""GT-Pin's five groups of opcodes (its Figure 4a), by what instructions do here."""

from __future__ import annotations

from warpmill.analyzer.ir.types import OpClass, Space

GROUPS = ("move", "logic", "control", "computation", "send")

_OF_CLASS = {
    "move": ("MOVE", "CONVERT", "SELECT", "ADDRESS", "SHUFFLE"),
    "logic": ("LOGIC", "SHIFT", "COMPARE", "BIT"),
    "control": ("BRANCH", "CALL", "RETURN", "CONTROL", "VOTE"),
    "computation": ("ADD", "MUL", "FMA", "DIV", "MINMAX", "SPECIAL", "VIDEO", "MMA", "UNKNOWN"),
    "send": (
        "LOAD", "STORE", "ATOMIC", "PREFETCH", "ASYNC_COPY", "TEXTURE", "SURFACE", "MATRIX_MOVE",
        "BARRIER", "FENCE",
    ),
}  # fmt: skip
"""The paper's ISA sends messages for all memory operations, barriers and fences; its arguments of
kernels are in registers."""

_GROUP_OF = {OpClass[name]: group for group, names in _OF_CLASS.items() for name in names}


def group_of(operation):
    """The group of an operation; reading a kernel's argument is a move."""
    if operation.op_class is OpClass.LOAD and operation.space is Space.PARAM:
        return "move"
    return _GROUP_OF[operation.op_class]
