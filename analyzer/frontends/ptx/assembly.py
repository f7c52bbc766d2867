"""PTX without a module around it: the inline assembly of a CUDA program that is no PTX itself."""

from __future__ import annotations

import re
from functools import lru_cache

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.source import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import Function

OPERAND = "%operand"
"""The registers that stand for the operands are called so, with the operand's number behind."""

_PLACE = re.compile(r"\$(?:\{(\d{1,4})(?::\w+)?\}|(\d{1,4})|(\$))")
_HEAD = ".version 9.4\n.target sm_100a\n.address_size 64\n"


@lru_cache(maxsize=4096)
def read_assembly(text: str, types: tuple[str, ...]) -> Function | str:
    """Read an assembly text with places ``$0``, ``$1``… for operands of PTX types, in order.

    Gives a function without parameters in whose body the operands are registers of their types,
    named by ``OPERAND``; those that the text does not use are not there. Where it is no PTX, the
    reason.
    """
    body = _PLACE.sub(_operand, text)
    if not body.replace("{", " ").replace("}", " ").strip():
        body = ""  # a scope around other assembly, which is read by itself
    declared = "".join(f".reg .{type_} {OPERAND}{n};" for n, type_ in enumerate(types))
    source = Source("inline assembly", f"{_HEAD}.func assembly()\n{{{declared}\n{body}\n}}\n")
    try:
        module = parse(source).module
    except InputError as error:
        return error.diagnostics[0].message
    return module.functions[0] if len(module.functions) == 1 else "its braces do not match"


def _operand(match: re.Match[str]) -> str:
    return "$" if match[3] else f"{OPERAND}{match[1] or match[2]}"
