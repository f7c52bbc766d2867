"""Inline assembly of NVIDIA targets: PTX, as far as it is plain instructions."""

from __future__ import annotations

import re

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.constants import string_bytes
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.templates import Call, fill
from analyzer.frontends.llvm.types import PointerType, Unsupported
from analyzer.ir.operation import Knowledge, decode

_PLACE = re.compile(r"\$\{?(\d+)(?::\w+)?\}?")
_WORD = r"(?:-?\d+|%[a-z][\w.]*|\$\w+)"
_PLAIN = re.compile(
    rf"([a-z][\w.:]*)((?:\s+|\s*,\s*)(?:{_WORD}|\[\$\d+\]|\{{\s*{_WORD}(?:\s*,\s*{_WORD})*\s*\}}))*"
)


def lower_assembly(low: Lowering, template: st.Template, assembly: st.Assembly) -> None:
    """Emit the instructions of an assembly text; Unsupported where it has more than those."""
    text = string_bytes(low.values.texts[assembly.text]).decode("utf-8", "replace")
    constraints = low.values.texts[assembly.constraints].strip('"').split(",")
    outputs = [c for c in constraints if c.startswith("=")]
    inputs = [c for c in constraints if c and not c.startswith(("=", "~"))]
    if low.module.target.name != "nvptx" or any(not c[:1].isalpha() for c in inputs):
        raise Unsupported(f"inline assembly `{_short(text)}`")
    statements = [s for s in (" ".join(t.split()) for t in re.split(r";|\n", text)) if s]
    templates = [_template(statement, len(outputs), text) for statement in statements]
    fill(low, templates, _call(low, template))


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:57] + "..."


def _template(statement: str, outputs: int, text: str) -> str:
    """A statement with its places renamed: results first, then arguments."""

    def place(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"$d{number}" if number < outputs else f"${number - outputs}"

    renamed = _PLACE.sub(place, statement)
    opcode = renamed.split(" ", maxsplit=1)[0]
    known = decode(opcode).knowledge is Knowledge.TABLE
    if not _PLAIN.fullmatch(renamed) or not known or decode(opcode).name in ("bra", "call", "ret"):
        raise Unsupported(f"inline assembly `{_short(text)}`")
    return renamed


def _call(low: Lowering, template: st.Template) -> Call:
    assert template.type is not None
    arguments = [
        tuple(zip(low.values.parts(o), low.layout.leaves(o.type), strict=True))
        for o in template.operands
    ]
    pointers = {
        number: parts[0][0]
        for number, parts in enumerate(arguments)
        if isinstance(template.operands[number].type, PointerType) or len(parts) == 1
    }
    results = zip(low.results(template.type), low.layout.leaves(template.type), strict=True)
    return Call(tuple(results), tuple(arguments), pointers, {})
