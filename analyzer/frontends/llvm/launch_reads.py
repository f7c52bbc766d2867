"""Reads of the launch's dimensions that kernels for AMD make through memory.

Such a kernel gets its block and grid sizes out of two structures that the driver lays beside its
arguments: the implicit arguments and the dispatch packet. Their loads become the special registers
that say the same. Offsets are those of code object version 5 and of the packet of the HSA.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.context import ModuleContext
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.scalar_plans import Run
from analyzer.frontends.llvm.text import unquoted
from analyzer.frontends.llvm.types import IntType, Unsupported
from analyzer.frontends.llvm.values import Values
from analyzer.ir.kernel import Imm, Operand, Special
from analyzer.ir.types import TYPES

IMPLICIT, PACKET = "llvm.amdgcn.implicitarg.ptr", "llvm.amdgcn.dispatch.ptr"
_AXES = "xyz"
# Offset: bytes, and what is read. Sizes of the last, partial blocks are 0: a launch has whole ones.
_IMPLICIT: dict[int, tuple[int, str]] = {
    **{4 * k: (4, f"nctaid.{a}") for k, a in enumerate(_AXES)},
    **{12 + 2 * k: (2, f"ntid.{a}") for k, a in enumerate(_AXES)},
    **{18 + 2 * k: (2, "0") for k in range(3)},
    **{40 + 8 * k: (8, "0") for k in range(3)},
    64: (2, "3"),
}
_PACKET: dict[int, tuple[int, str]] = {
    2: (2, "3"),
    **{4 + 2 * k: (2, f"ntid.{a}") for k, a in enumerate(_AXES)},
    **{12 + 4 * k: (4, f"nctaid.{a} * ntid.{a}") for k, a in enumerate(_AXES)},
}
_TABLES = {IMPLICIT: _IMPLICIT, PACKET: _PACKET}
_CHOICES = {frozenset({12 + 2 * k, 18 + 2 * k}): 12 + 2 * k for k in range(3)}


class Line(Protocol):
    """A statement: its template and the texts of its slots."""

    @property
    def template(self) -> st.Template:
        """The parsed shape."""
        ...

    @property
    def texts(self) -> Sequence[str]:
        """The texts of its slots."""
        ...


class LaunchReads:
    """Which statements of a function make up such reads, by their place.

    ``loads`` has the structure and the offset of each load; ``silent`` the statements that only
    compute addresses of them.
    """

    def __init__(self, lines: Sequence[Line], values: Values) -> None:
        self._values = values
        self._pointers: dict[str, tuple[str, int]] = {}
        self._choices: dict[str, int] = {}
        self.loads: dict[int, tuple[str, int]] = {}
        self.silent: set[int] = set()
        for number, line in enumerate(lines):
            self._take(number, line)
        self._give_back(lines)

    def _take(self, number: int, line: Line) -> None:
        template, texts = line.template, line.texts
        self._values.texts = texts
        match template.opcode:
            case "call" if isinstance(template.callee, st.Global):
                name = unquoted(texts[template.callee.slot][1:])
                if name in _TABLES and template.result is not None:
                    self._pointers[self._values.name(template.result)] = (name, 0)
                    self.silent.add(number)
            case "select":
                self._note_choice(template)
            case "getelementptr" if (base := self._base(template.operands[0])) is not None:
                self._move(number, template, base)
            case "load" if (base := self._base(template.operands[0])) is not None:
                size = _size(template)
                if _TABLES[base[0]].get(base[1], (0, ""))[0] == size:
                    self.loads[number] = base

    def runs(self, count: int) -> list[Run | None]:
        """For each of ``count`` statements what lowers it; None: its own plan."""
        silent = dict.fromkeys(self.silent, _nothing)
        loads = {number: _read(read) for number, read in self.loads.items()}
        found: dict[int, Run] = {**silent, **loads}
        return [found.get(number) for number in range(count)]

    def _base(self, typed: st.Typed) -> tuple[str, int] | None:
        match typed.value:
            case st.Local(name):
                return self._pointers.get(self._values.name(name))
        return None

    def _note_choice(self, template: st.Template) -> None:
        """A choice between the size of a whole block and of the last: all blocks are whole."""
        numbers = frozenset(
            n for o in template.operands[1:] if (n := self._values.integer(o)) is not None
        )
        if numbers in _CHOICES and template.result is not None:
            self._choices[self._values.name(template.result)] = _CHOICES[numbers]

    def _move(self, number: int, template: st.Template, base: tuple[str, int]) -> None:
        assert template.type is not None and template.result is not None
        try:
            offset, terms = self._values.gep_terms(template.type, list(template.operands[1:]))
        except Unsupported:
            return
        for index, scale in terms:
            match index.value:
                case st.Local(name) if self._values.name(name) in self._choices and scale == 1:
                    offset += self._choices[self._values.name(name)]
                case _:
                    return
        self._pointers[self._values.name(template.result)] = (base[0], base[1] + offset)
        self.silent.add(number)

    def _give_back(self, lines: Sequence[Line]) -> None:
        """Where a pointer goes elsewhere too, its statements stay as they are."""
        understood = self.loads.keys() | self.silent
        for number, line in enumerate(lines):
            if number in understood:
                continue
            if any(text in self._pointers for text in line.texts):
                self.loads.clear()
                self.silent.clear()
                return


def reads_structures(module: ModuleContext) -> bool:
    """Whether a module asks for the structures at all."""
    return not _TABLES.keys().isdisjoint(module.text.declarations)


def _read(read: tuple[str, int]) -> Run:
    def run(low: Lowering, texts: Sequence[str]) -> None:  # noqa: ARG001 - a plan takes both
        lower_read(low, read)

    return run


def _nothing(low: Lowering, texts: Sequence[str]) -> None:
    """A statement that leaves no instruction."""


def _size(template: st.Template) -> int | None:
    return template.type.bits // 8 if isinstance(template.type, IntType) else None


def lower_read(low: Lowering, read: tuple[str, int]) -> None:
    """Lower a load of such a value."""
    template, (structure, offset) = low.template, read
    assert template.type is not None
    (to,) = low.results(template.type)
    _, what = _TABLES[structure][offset]
    low.builder.move(to, _value(low, what, low.builder.type_of(to).bits))


def _value(low: Lowering, what: str, bits: int) -> Operand:
    if what.isdigit():
        return Imm(int(what))
    first, *others = what.split(" * ")
    value: Operand = low.builder.compute("mov.u32", TYPES["b32"], Special(first))
    for name in others:
        factor = low.builder.compute("mov.u32", TYPES["b32"], Special(name))
        value = low.builder.compute("mul.lo.u32", TYPES["b32"], value, factor)
    return low.builder.resized(value, IntType(32), bits)
