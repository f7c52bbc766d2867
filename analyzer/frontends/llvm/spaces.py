"""Which generic pointers of a function point into one known memory space.

Compilers write the address of a CUDA shared variable as a cast to generic in a constant expression
and go on from there; a stack slot is generic on some targets. The space is carried through address
arithmetic, phi and select, as far as all sources agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.types import PointerType
from warpmill.analyzer.frontends.llvm.values import OperandValues
from warpmill.analyzer.ir.types import Space


class Bound(NamedTuple):
    """A parsed statement with its names."""

    template: st.Template
    texts: Sequence[str]


class _Carrier(NamedTuple):
    """A pointer made out of pointers: ``locals`` that are to be settled, ``fixed`` spaces."""

    name: str
    locals: tuple[str, ...]
    fixed: frozenset[Space]


_CARRIES = frozenset({"getelementptr", "phi", "select", "freeze"})


def carries_space(template: st.Template) -> bool:
    """Whether a statement makes a pointer out of pointers."""
    if template.opcode not in _CARRIES or template.result is None:
        return False
    return isinstance(_sources(template)[0].type, PointerType)


def infer_spaces(
    carriers: Sequence[Bound], roots: Mapping[str, Space], values: OperandValues
) -> dict[str, Space]:
    """Memory spaces of local pointers by name, ``roots`` included; generic ones are left out.

    ``carriers`` are the statements that ``carries_space`` tells. Optimistic: a pointer that is not
    settled yet agrees with every other, so loops settle.
    """
    names = [_name(bound.template.result, bound) for bound in carriers]
    found: dict[str, Space | None] = dict.fromkeys(names)
    found.update(roots)
    pointers = [_carrier(n, b, found, values) for n, b in zip(names, carriers, strict=True)]
    changed = True
    while changed:
        changed = False
        for pointer in pointers:
            space = _meet(pointer, found)
            if space is not found[pointer.name]:
                found[pointer.name], changed = space, True
    return {n: s for n, s in found.items() if s is not None and s is not Space.GENERIC}


def _carrier(
    name: str, bound: Bound, found: Mapping[str, Space | None], values: OperandValues
) -> _Carrier:
    """Sort the sources of a pointer; what is undefined agrees with every space."""
    values.texts = bound.texts
    names, fixed = [], set()
    for source in _sources(bound.template):
        match source.value:
            case st.Keyword("undef" | "poison"):
                continue
            case st.Local(local) if (text := _name(local, bound)) in found:
                names.append(text)
            case _:
                fixed.add(values.space(source))
    return _Carrier(name, tuple(names), frozenset(fixed))


def _name(name: st.Name | None, bound: Bound) -> str:
    assert name is not None
    return bound.texts[name] if isinstance(name, int) else name


def _sources(template: st.Template) -> tuple[st.Typed, ...]:
    if template.opcode == "getelementptr":
        return template.operands[:1]
    return template.operands[1:] if template.opcode == "select" else template.operands


def _meet(pointer: _Carrier, found: Mapping[str, Space | None]) -> Space | None:
    if len(pointer.locals) == 1 and not pointer.fixed:
        return found[pointer.locals[0]]
    spaces = {s for n in pointer.locals if (s := found[n]) is not None} | pointer.fixed
    return next(iter(spaces)) if len(spaces) == 1 else Space.GENERIC if spaces else None
