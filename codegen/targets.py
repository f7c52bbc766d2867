"""Chip that a clone is for, and the version of PTX that it takes."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from warpmill.analyzer.ir.kernel import Module

DEFAULT_CHIP = "sm_80"
"""Target of clones whose original names no chip of NVIDIA."""

_LEAST = (7, 8)
"""The version of clones whose original is not in PTX: new enough for all that they are made of."""

_FIRST = {
    20: (2, 0), 30: (3, 0), 32: (4, 0), 35: (3, 1), 37: (4, 1), 50: (4, 0), 52: (4, 1),
    53: (4, 2), 60: (5, 0), 61: (5, 0), 62: (5, 0), 70: (6, 0), 72: (6, 1), 75: (6, 3),
    80: (7, 0), 86: (7, 1), 87: (7, 4), 88: (9, 0), 89: (7, 8), 90: (7, 8), 100: (8, 6),
    101: (8, 6), 103: (8, 8), 110: (9, 0), 120: (8, 7), 121: (8, 8),
}  # fmt: skip
"""The first version of PTX for each chip, from the release notes of the PTX ISA 9.0."""

KNOWN_CHIPS = tuple(f"sm_{number}" for number in _FIRST)
"""Chips that clones can be for, also with the ending ``a`` or ``f`` of those that have one."""


def is_known_chip(name: str) -> bool:
    """Whether there is such a chip: ``sm_90``, ``sm_90a``."""
    return _number(name) in _FIRST


def chip_of(module: Module) -> str:
    """The chip that a module names, or the default one."""
    return module.target if _number(module.target) is not None else DEFAULT_CHIP


def refused_on(opcode: str, chip: str) -> str | None:
    """The first chip that has an opcode where the given one does not; None where it does."""
    number = _number(chip)
    first = max((chip for form, chip in _first_chips() if form.match(f"{opcode}.")), default=0)
    return f"sm_{first}" if number is not None and number < first else None


@cache
def _first_chips() -> tuple[tuple[re.Pattern[str], int], ...]:
    rows = tomllib.loads(files("warpmill.codegen").joinpath("first_chips.toml").read_text("utf-8"))[
        "row"
    ]
    return tuple((re.compile(form), row["first"]) for row in rows for form in row["opcodes"])


def ptx_version(module: Module, chip: str) -> str:
    """The version of PTX for a clone of a module's kernels on a chip."""
    written = re.fullmatch(r"(\d+)\.(\d+)", module.version)
    own = _LEAST
    if written is not None and _number(module.target) is not None:
        own = (int(written[1]), int(written[2]))
        own = own if own <= (9, 99) else _LEAST  # a version of LLVM's
    number = _number(chip)
    first = _FIRST.get(number, max(_FIRST.values())) if number is not None else _LEAST
    return ".".join(map(str, max(own, first)))


def _number(target: str) -> int | None:
    match = re.fullmatch(r"sm_(\d+)[af]?", target)
    return None if match is None else int(match[1])
