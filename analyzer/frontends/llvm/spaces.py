"""Which generic pointers of a function point into one known memory space.

Compilers write the address of a CUDA shared variable as a cast to generic in a constant expression
and go on from there; a stack slot is generic on some targets. The space is carried through address
arithmetic, phi and select, as far as all sources agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.types import PointerType
from analyzer.frontends.llvm.values import Values
from analyzer.ir.types import Space


class Bound(NamedTuple):
    """A parsed statement with its names."""

    template: st.Template
    texts: tuple[str, ...]


_CARRIES = frozenset({"getelementptr", "phi", "select", "freeze"})


def infer_spaces(
    statements: Sequence[Bound], roots: Mapping[str, Space], values: Values
) -> dict[str, Space]:
    """Memory spaces of local pointers by name, ``roots`` included; generic ones are left out.

    Optimistic: a pointer that is not settled yet agrees with every other, so loops settle.
    """
    carriers = {name: bound for bound in statements if (name := _carrier(bound)) is not None}
    found: dict[str, Space | None] = dict.fromkeys(carriers)
    found.update(roots)
    changed = True
    while changed:
        changed = False
        for name, bound in carriers.items():
            space = _meet(bound, found, values)
            if space is not found[name]:
                found[name], changed = space, True
    return {n: s for n, s in found.items() if s is not None and s is not Space.GENERIC}


def _carrier(bound: Bound) -> str | None:
    """The result's name where a statement makes a pointer out of pointers."""
    template = bound.template
    if template.opcode not in _CARRIES or template.result is None:
        return None
    if not isinstance(_sources(template)[0].type, PointerType):
        return None
    return bound.texts[template.result] if isinstance(template.result, int) else template.result


def _sources(template: st.Template) -> tuple[st.Typed, ...]:
    if template.opcode == "getelementptr":
        return template.operands[:1]
    return template.operands[1:] if template.opcode == "select" else template.operands


def _meet(bound: Bound, found: Mapping[str, Space | None], values: Values) -> Space | None:
    values.texts = bound.texts
    spaces = {_space(source, bound, found, values) for source in _sources(bound.template)}
    spaces.discard(None)
    return spaces.pop() if len(spaces) == 1 else Space.GENERIC if spaces else None


def _space(
    source: st.Typed, bound: Bound, found: Mapping[str, Space | None], values: Values
) -> Space | None:
    match source.value:
        case st.Word("undef" | "poison"):
            return None
        case st.Local(name):
            text = bound.texts[name] if isinstance(name, int) else name
            if text in found:
                return found[text]
    return values.space(source)
