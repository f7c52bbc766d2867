"""How many of PTX's scalar and warp opcodes, with all their types and modifiers, run and are right.

Each form is compiled and run on edges and random bits, and held against a twin that was written
from the PTX ISA manual alone (tests/reference/ptx_twins). An opcode counts where all its forms are
right; what is refused by name is listed apart.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from tests.reference.ptx_check import Verdict, check_forms
from tests.reference.ptx_forms import Form, all_forms


def opcodes_executed() -> dict[str, Any]:
    """``opcodes_executed``, [right, all but those refused], and those refused by name.

    ``failing`` are pairs of a form and what is wrong with it, in order; ``missing`` are opcodes
    without a rule, which count among all.
    """
    verdicts = list(_verdicts(all_forms()))
    refused = _of_kinds(verdicts, "refused")
    opcodes = {v.form.opcode for v in verdicts} - refused
    return {
        "opcodes_executed": [
            len(opcodes - _of_kinds(verdicts, "right", among=False)),
            len(opcodes),
        ],
        "failing": sorted(
            [v.form.name, v.details] for v in verdicts if v.kind in ("wrong", "error")
        ),
        "refused": sorted(refused),
        "missing": sorted(_of_kinds(verdicts, "no rule")),
    }


def _of_kinds(verdicts: Iterable[Verdict], kind: str, *, among: bool = True) -> set[str]:
    """The opcodes with a verdict of a kind; or, not ``among``, with one of another."""
    return {v.form.opcode for v in verdicts if (v.kind == kind) is among}


def _verdicts(forms: Iterable[Form]) -> Iterator[Verdict]:
    """Check forms operation by operation, and tell on standard error how far it is."""
    for operation, group in groupby(forms, key=lambda form: form.operation):
        print(f"opcodes: {operation}", file=sys.stderr)
        yield from check_forms(group)
