"""Lowering of each operation: importing this package fills the registry."""

from __future__ import annotations

from warpmill.executor.native.rules import (
    atomics,
    bits,
    compare,
    control,
    convert,
    floats,
    groups,
    integer,
    mathematics,
    matrix_fragments,
    memory,
    mma,
    special_functions,
    surfaces,
    textures,
    video,
    warp_operations,
)
from warpmill.executor.native.rules.registry import REFUSALS, RULES

__all__ = [
    "REFUSALS",
    "RULES",
    "atomics",
    "bits",
    "compare",
    "control",
    "convert",
    "floats",
    "groups",
    "integer",
    "mathematics",
    "matrix_fragments",
    "memory",
    "mma",
    "special_functions",
    "surfaces",
    "textures",
    "video",
    "warp_operations",
]
