"""Reads of the launch's dimensions and of a thread's place that kernels make through memory.

A kernel for AMD gets its block and grid sizes out of two structures that the driver lays beside its
arguments: the implicit arguments and the dispatch packet. SPIR-V has variables that hold them, and
the ids. Loads of them become the special registers that say the same. Offsets are those of code
object version 5 and of the packet of the HSA; a version that another file defines is taken as 5.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.call_table import TemplateCall, fill
from warpmill.analyzer.frontends.llvm.calls import find_rule
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.opencl import builtin_of
from warpmill.analyzer.frontends.llvm.scalar_plans import Run
from warpmill.analyzer.frontends.llvm.text import unquoted
from warpmill.analyzer.frontends.llvm.types import IntType, Scalar, Type, Unsupported
from warpmill.analyzer.frontends.llvm.values import Lowering, OperandValues
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg, Special
from warpmill.analyzer.ir.types import TYPES

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
_VERSION, _VERSION_5 = "__oclc_ABI_version", {0: (4, "500")}
_Table = dict[int, tuple[int, str]]
_ELEMENT = re.compile(r"(?:constant|global) (?P<many><3 x |\[3 x )?i(?P<bits>32|64)\b")
_CHOICES = {frozenset({12 + 2 * k, 18 + 2 * k}): 12 + 2 * k for k in range(3)}


class FilledStatement(Protocol):
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
    """Statements of a function that make up reads of the launch, by their place.

    ``loads`` has for each load what its parts are; ``silent`` are the statements that only compute
    addresses of them.
    """

    def __init__(self, lines: Sequence[FilledStatement], values: OperandValues) -> None:
        self._values = values
        self._variables = _variables(values.module)
        self._pointers: dict[str, tuple[str, int]] = {}
        self._choices: dict[str, int] = {}
        self.loads: dict[int, tuple[str, ...]] = {}
        self.silent: set[int] = set()
        for number, line in enumerate(lines):
            self._take(number, line)
        self._give_back(lines)

    def _take(self, number: int, line: FilledStatement) -> None:
        template, texts = line.template, line.texts
        self._values.texts = texts
        match template.opcode:
            case "call" if isinstance(template.callee, st.Global):
                name = unquoted(texts[template.callee.slot][1:])
                if name in _TABLES:
                    self._point(number, template, (name, 0))
            case "select":
                self._note_choice(template)
                one, other = (self._base(o) for o in template.operands[1:])
                if one is not None and other is not None and self._entry(one) == self._entry(other):
                    self._point(number, template, one)
            case "addrspacecast" | "bitcast" if base := self._base(template.operands[0]):
                self._point(number, template, base)
            case "getelementptr" if (base := self._base(template.operands[0])) is not None:
                self._move(number, template, base)
            case "load" if (base := self._base(template.operands[0])) is not None:
                found = self._read_at(template, base)
                if found is not None:
                    self.loads[number] = found

    def _point(self, number: int, template: st.Template, base: tuple[str, int]) -> None:
        if template.result is not None:
            self._pointers[self._values.name(template.result)] = base
            self.silent.add(number)

    def runs(self, count: int) -> list[Run | None]:
        """For each of ``count`` statements what lowers it; None: its own plan."""
        silent = dict.fromkeys(self.silent, _nothing)
        loads = {number: _read(parts) for number, parts in self.loads.items()}
        found: dict[int, Run] = {**silent, **loads}
        return [found.get(number) for number in range(count)]

    def _base(self, typed: st.Typed) -> tuple[str, int] | None:
        match typed.value:
            case st.Local(name):
                return self._pointers.get(self._values.name(name))
            case st.Global(slot) if self._values.global_name(slot) in self._variables:
                return self._values.global_name(slot), 0
            case st.ConstantExpression("addrspacecast" | "bitcast", (inner,)):
                return self._base(inner)
            case st.ConstantExpression("getelementptr", (inner, *indices), source) if (
                source is not None
            ):
                base = self._base(inner)
                offset = None if base is None else self._offset(source, indices)
                return None if base is None or offset is None else (base[0], base[1] + offset)
        return None

    def _entry(self, base: tuple[str, int]) -> tuple[int, str] | None:
        """Bytes and meaning of what a pointer points to."""
        table = _TABLES.get(base[0]) or self._variables[base[0]]
        return table.get(base[1])

    def _read_at(self, template: st.Template, base: tuple[str, int]) -> tuple[str, ...] | None:
        """Parts of a load; None where one of them is not known."""
        assert template.type is not None
        layout, found = self._values.layout, []
        for leaf, offset in layout.placed_leaves(template.type):
            size = layout.scalar_bits(leaf) // 8
            entry = self._entry((base[0], base[1] + offset))
            is_wider = base[0] in self._variables and entry is not None and size < entry[0]
            if (
                entry is None
                or not isinstance(leaf, IntType)
                or (size != entry[0] and not is_wider)
            ):
                return None
            found.append(entry[1])
        return tuple(found)

    def _note_choice(self, template: st.Template) -> None:
        """A choice between the size of a whole block and of the last: all blocks are whole."""
        numbers = frozenset(
            n for o in template.operands[1:] if (n := self._values.integer(o)) is not None
        )
        if numbers in _CHOICES and template.result is not None:
            self._choices[self._values.name(template.result)] = _CHOICES[numbers]

    def _move(self, number: int, template: st.Template, base: tuple[str, int]) -> None:
        assert template.type is not None
        offset = self._offset(template.type, list(template.operands[1:]))
        if offset is not None:
            self._point(number, template, (base[0], base[1] + offset))

    def _offset(self, source: Type, indices: list[st.Typed]) -> int | None:
        """Bytes that indices move a pointer by; None where they are not known."""
        try:
            offset, terms = self._values.gep_terms(source, indices)
        except Unsupported:
            return None
        for index, scale in terms:
            match index.value:
                case st.Local(name) if self._values.name(name) in self._choices and scale == 1:
                    offset += self._choices[self._values.name(name)]
                case _:
                    return None
        return offset

    def _give_back(self, lines: Sequence[FilledStatement]) -> None:
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
    """Whether a module asks for the structures, or has such variables, at all."""
    return not _TABLES.keys().isdisjoint(module.text.declarations) or bool(_variables(module))


def _variables(module: ModuleContext) -> dict[str, _Table]:
    """The module's variables that hold such values: what is at which offset."""
    found = {}
    for name, (line, _) in module.text.variables.items():
        builtin = builtin_of(name)
        if builtin is not None and (element := _ELEMENT.search(line)) is not None:
            size = int(element["bits"]) // 8
            axes = [f"{builtin[0]}.{axis}" for axis in _AXES] if element["many"] else [builtin[0]]
            found[name] = {k * size: (size, what) for k, what in enumerate(axes)}
        elif name == _VERSION and " external " in f" {line} ":
            found[name] = _VERSION_5
    return found


def _read(parts: tuple[str, ...]) -> Run:
    def run(low: Lowering, texts: Sequence[str]) -> None:  # noqa: ARG001 - a plan takes both
        lower_read(low, parts)

    return run


def _nothing(low: Lowering, texts: Sequence[str]) -> None:
    """A statement that leaves no instruction."""


def lower_read(low: Lowering, parts: tuple[str, ...]) -> None:
    """Lower a load of such values."""
    template = low.template
    assert template.type is not None
    leaves = low.layout.leaves(template.type)
    for to, leaf, what in zip(low.results(template.type), leaves, parts, strict=True):
        if what.startswith("get_"):
            _lower_builtin(low, to, leaf, what)
        else:
            low.builder.move(to, _value(low, what, low.builder.type_of(to).bits))


def _lower_builtin(low: Lowering, to: Reg, leaf: Scalar, what: str) -> None:
    """The value that one of OpenCL's functions gives."""
    name, _, axis = what.partition(".")
    rule = find_rule(f"_Z{len(name)}{name}j")
    assert rule is not None
    words = {"axis": axis, "warp_size": str(low.module.warp_size)}
    fill(low, rule.emit, TemplateCall(((to, leaf),), (), {}, words))


def _value(low: Lowering, what: str, bits: int) -> Operand:
    if what.isdigit():
        return Imm(int(what))
    first, *others = what.split(" * ")
    value: Operand = low.builder.compute("mov.u32", TYPES["b32"], Special(first))
    for name in others:
        factor = low.builder.compute("mov.u32", TYPES["b32"], Special(name))
        value = low.builder.compute("mul.lo.u32", TYPES["b32"], value, factor)
    return low.builder.resized(value, IntType(32), bits)
