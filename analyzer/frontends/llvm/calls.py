"""Lowering of calls: built-ins by table, what is left as ``call``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.assembly import lower_assembly
from analyzer.frontends.llvm.block_memory import SPECIAL, vector_access
from analyzer.frontends.llvm.context import ModuleContext
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.memory import dotted
from analyzer.frontends.llvm.opencl import is_named, lower_by_name
from analyzer.frontends.llvm.target import data_table
from analyzer.frontends.llvm.templates import Call, fill
from analyzer.frontends.llvm.text import unquoted
from analyzer.frontends.llvm.types import (
    FloatType,
    PointerType,
    Scalar,
    Unsupported,
    VectorType,
)
from analyzer.ir.kernel import Arguments, Imm, Operand, Symbol

_TABLE: dict[str, Any] = data_table("calls.toml")
_DROP = frozenset(_TABLE["drop"])
_MANGLED = re.compile(r"_Z(\d+)(\w+)")
_SIGNED = frozenset("acsilx")
_UNSIGNED = frozenset("htjmy")
_FLOATS = ("f", "d", "Dh")


class Rule(NamedTuple):
    """What a function becomes: templates, and what the table says beside them."""

    name: str
    emit: list[str]
    rest: str = ""
    approximate: bool = False
    beyond: int | None = None
    width: int | None = None


def is_dropped(callee: str) -> bool:
    """Whether calls of a function are no instructions."""
    return any(name in _DROP for name in _prefixes(callee))


def _prefixes(name: str) -> list[str]:
    """A dotted name and its beginnings, the longest first."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


@cache
def find_rule(callee: str) -> Rule | None:
    """The rule for a function by its name; None where there is none."""
    if callee.startswith("llvm."):
        return _intrinsic(callee)
    mangled = _MANGLED.fullmatch(callee)
    if mangled is not None:
        length = int(mangled[1])
        return _builtin(mangled[2][:length], mangled[2][length:])
    return _plain(callee)


def _intrinsic(callee: str) -> Rule | None:
    for name in _prefixes(callee):
        line = _TABLE["intrinsics"].get(name)
        if line is not None:
            rest = callee[len(name) + 1 :]
            if isinstance(line, list):
                return Rule(name, line, rest)
            return Rule(name, line["emit"], rest, line.get("approximate", False))
    return None


def _builtin(name: str, signature: str) -> Rule | None:
    line = _TABLE["opencl"].get(name)
    if line is None:
        return None
    emit = line.get("any") or line.get(_kind(signature))
    if emit is None:
        return None
    return Rule(
        name, emit, "", line.get("approximate", False), line.get("beyond"), line.get("width")
    )


def _kind(signature: str) -> str:
    """What the first argument of a mangled signature is; of a pointer, what it points to."""
    plain = re.sub(r"^(?:P(?:U3AS\d)?V?K?|Dv\d+_)+", "", signature)
    if plain.startswith(_FLOATS):
        return "float"
    return "signed" if plain[:1] in _SIGNED else "unsigned"


def _plain(callee: str) -> Rule | None:
    """Functions of C and libdevice, as far as a float rule of OpenCL fits."""
    alias = _TABLE["aliases"].get(callee)
    if alias is not None:
        return _builtin(alias, "f")
    name = callee.removeprefix("__nv_")
    for short in (name.removesuffix("f"), name):
        if "float" in _TABLE["opencl"].get(short, {}):
            return _builtin(short, "f")
    return None


def lower_call(low: Lowering, template: st.Template) -> None:
    """``call``: by the table, else left as it is."""
    match template.callee:
        case st.Assembly() as assembly:
            lower_assembly(low, template, assembly)
            return
        case st.Global(slot):
            callee = unquoted(low.values.texts[slot][1:])
            if is_dropped(callee):
                return
            if callee not in low.module.text.functions and _known(low, template, callee):
                return
    _plain_call(low, template)


def plain_rule(module: ModuleContext, callee: str) -> Rule | None:
    """The rule of a function that nothing but its rule decides; None for any other."""
    if callee in module.text.functions or vector_access(callee) is not None:
        return None
    if any(n in SPECIAL for n in _prefixes(callee)) or is_named(callee):
        return None
    return find_rule(callee)


def spelled_words(
    module: ModuleContext, rule: Rule, results: Sequence[Scalar], arguments: Sequence[Scalar]
) -> dict[str, str]:
    """What the holes of a rule's templates are, for a call on scalars."""
    words = {"rest": rule.rest, "warp_size": str(module.warp_size)}
    parts: list[_Parts] = [((Imm(0), scalar),) for scalar in arguments]
    _spell(module, words, tuple((Imm(0), scalar) for scalar in results), parts)
    return words


def _known(low: Lowering, template: st.Template, callee: str) -> bool:
    """Lower a call of a known function; False where it is not known in this form."""
    special = next((SPECIAL[n] for n in _prefixes(callee) if n in SPECIAL), None)
    special = special or vector_access(callee)
    if special is not None:
        return special(low, template)
    if lower_by_name(low, template, callee):
        return True
    rule = find_rule(callee)
    if rule is None:
        return False
    mark = len(low.builder.out)
    try:
        done = _by_rule(low, template, rule)
    except Unsupported:
        del low.builder.out[mark:]
        return False
    if done and rule.approximate:
        low.module.note_once(
            low.builder.span, f"`{rule.name}` is taken as the approximate instructions of PTX"
        )
    return done


def _by_rule(low: Lowering, template: st.Template, rule: Rule) -> bool:
    assert template.type is not None
    words = {"rest": rule.rest, "warp_size": str(low.module.warp_size)}
    if any("<axis>" in text for text in rule.emit):
        axis = low.values.integer(template.operands[0]) if template.operands else None
        if axis is None:
            return False
        if axis > 2:
            (to,) = low.results(template.type)
            low.builder.move(to, Imm(rule.beyond or 0))
            return True
        words["axis"] = "xyz"[axis]
    values = [o for o in template.operands if not isinstance(o.value, st.Metadata)]
    arguments = [_typed_parts(low, value) for value in values]
    pointers = _pointers(low, values, words)
    results = tuple(zip(low.results(template.type), low.layout.leaves(template.type), strict=True))
    _spell(low.module, words, results, arguments)
    if rule.width is not None and words.get("b") != f"b{rule.width}":
        return False
    whole = any("{$d}" in t or "$d0" in t for t in rule.emit)
    elementwise = isinstance(low.layout.resolve(template.type), VectorType) and not whole
    for k in range(len(results) if elementwise else 1):
        call = Call(
            results=(results[k],) if elementwise else results,
            arguments=tuple((a[k],) if elementwise and len(a) > 1 else a for a in arguments),
            pointers=pointers,
            words=words,
        )
        fill(low, rule.emit, call)
    return True


_Parts = tuple[tuple[Operand, Scalar], ...]


def _typed_parts(low: Lowering, value: st.Typed) -> _Parts:
    if isinstance(value.type, PointerType):
        return ((low.values.pointer(value)[0], value.type),)
    return tuple(zip(low.values.parts(value), low.layout.leaves(value.type), strict=True))


def _pointers(
    low: Lowering, values: list[st.Typed], words: dict[str, str]
) -> Mapping[int, Operand]:
    """Pointer arguments as addresses; ``words`` takes the spaces that they point into."""
    found = {}
    for number, value in enumerate(values):
        if isinstance(value.type, PointerType):
            found[number], space = low.values.pointer(value)
            words[f"space{number}"] = dotted(space)
    return found


def _spell(
    module: ModuleContext, words: dict[str, str], results: _Parts | Any, arguments: list[_Parts]
) -> None:
    """Fill in the names of the types that templates ask for."""
    for number, parts in enumerate(arguments):
        if parts and module.width(parts[0][1]) > 1:
            words.update(module.spellings(parts[0][1], str(number)))
    scalars = [scalar for _, scalar in (*results, *(a[0] for a in arguments if a))]
    if scalars and module.width(scalars[0]) > 1:
        words.update(module.spellings(scalars[0]))
        if isinstance(scalars[0], FloatType) and scalars[0].name == "bfloat":
            words["b"] = "b16"


def _plain_call(low: Lowering, template: st.Template) -> None:
    """A call that stays: results, callee, arguments, each scalar by itself."""
    callee = _callee(low, template)
    arguments = [
        part
        for operand in template.operands
        if not isinstance(operand.value, st.Metadata)
        for part in low.values.parts(operand)
    ]
    assert template.type is not None
    results = low.results(template.type)
    low.emit("call", Arguments(results), callee, Arguments(tuple(arguments)))


def _callee(low: Lowering, template: st.Template) -> Operand:
    match template.callee:
        case st.Global(slot):
            return low.values.global_symbol(slot)
        case None | st.Assembly():
            raise Unsupported("a call of something that is no function")
        case value:
            operand, _ = low.values.pointer(st.Typed(PointerType(), value))
            if isinstance(operand, Symbol):
                low.module.referenced[operand.name] = None
            return operand
