"""Operations that only compute, as expressions of Python, for the checker of all schedules.

``expression_of`` writes what an instruction computes over its operands; ``ENVIRONMENT`` are the
functions that such expressions call. What has no line here raises ``NotModelledError``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space, Type, TypeKind
from warpmill.analyzer.launch.numbering import WINDOWS
from warpmill.benchmarks.check.exhaustive import numbers


class NotModelledError(Exception):
    """What the checker has no model of: its answer is that it does not know."""


_INTEGER = {
    "add": "{a} + {b}",
    "sub": "{a} - {b}",
    "neg": "-{a}",
    "abs": "abs({na})",
    "mul.lo": "{a} * {b}",
    "mul.hi": "{na} * {nb} >> {bits}",
    "mul.wide": "{na} * {nb}",
    "mad.lo": "{a} * {b} + {c}",
    "mad.hi": "({na} * {nb} >> {bits}) + {c}",
    "mad.wide": "{na} * {nb} + {wc}",
    "div": "quotient({na}, {nb})",
    "rem": "remainder({na}, {nb})",
    "min": "min({na}, {nb})",
    "max": "max({na}, {nb})",
    "sad": "{c} + abs({na} - {nb})",
    "and": "{a} & {b}",
    "or": "{a} | {b}",
    "xor": "{a} ^ {b}",
    "not": "~{a}",
    "cnot": "{a} ^ 0 == 0",
    "shl": "{a} << min({ub}, {bits})",
    "shr": "{na} >> min({ub}, {bits})",
    "popc": "({a} ^ 0).bit_count()",
    "clz": "{bits} - ({a} ^ 0).bit_length()",
    "brev": "reverse({a} ^ 0, {bits})",
    "bfind": "find_first({a} ^ 0, {bits}, {signed})",
    "bfe": "extract({a} ^ 0, {ub}, {uc}, {bits}, {signed})",
    "bfi": "insert({a}, {b}, {uc}, {ud}, {bits})",
    "prmt": "permute({a}, {b}, {c})",
    "lop3": "table_logic({a}, {b}, {c}, {ud})",
    "mov": "{a}",
    "selp": "({b}, {a})[{pc}]",
}
"""By the name, with lo, hi or wide where it says that.

Of the operand a: ``a`` its bits, ``na`` the number that the type makes of them, ``ua`` its lowest
32 bits, ``pa`` a predicate, ``wa`` twice the type's bits."""

_COMPARE = {
    "eq": "{a} ^ {b} == 0", "ne": "{a} ^ {b} != 0", "lt": "{na} < {nb}", "le": "{na} <= {nb}",
    "gt": "{na} > {nb}", "ge": "{na} >= {nb}", "lo": "{a} < {b}", "ls": "{a} <= {b}",
    "hi": "{a} > {b}", "hs": "{a} >= {b}",
}  # fmt: skip

_FLOAT_COMPARE = (
    "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
)  # fmt: skip

_BITWISE = frozenset({"mov", "selp", "and", "or", "xor", "not"})
"""What takes a float's bits as they are."""

ENVIRONMENT: dict[str, Any] = {
    name: getattr(numbers, name)
    for name in (
        "quotient", "remainder", "reverse", "find_first", "shift_to", "extract", "insert",
        "permute", "table_logic", "funnel", "dot4", "float_compare", "float_extreme",
        "float_to_integer", "integer_to_float", "float_to_float",
    )
}  # fmt: skip

Read = Callable[[int, Type | None, str], str]
"""How an operand reads as an expression: its number among the sources, its type, its form."""


def expression_of(instruction: Instruction, read: Read, environment: dict[str, Any]) -> str:
    """What an instruction computes, for its first destination, above its type's bits as it comes.

    Functions of its own are added to the environment. NotModelledError where it is not known.
    """
    operation = instruction.operation
    refuse_unknown_words(operation, _WORDS.get(operation.name, _PLAIN))
    name, words, type_ = operation.name, operation.modifiers, operation.type
    special = _SPECIAL.get(name)
    if special is not None:
        return special(instruction, read)
    if type_ is None or type_.lanes > 1:
        raise NotModelledError(operation.opcode)
    if type_.is_float and name not in _BITWISE:
        return _float_expression(instruction, type_, read, environment)
    way = next((w for w in words if w in ("lo", "hi", "wide")), "")
    template = _INTEGER.get(f"{name}.{way}" if way else name)
    if template is None or {"cc", "sat", "relu"} & set(words):
        raise NotModelledError(operation.opcode)
    return filled(template, type_, read)


_PLAIN = frozenset({"rn", "rz", "rm", "rp", "ftz", "sat", "approx", "full"})
_COMPARISONS = frozenset(
    {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
     "geu", "num", "nan", "and", "or", "xor", "ftz"}
)  # fmt: skip
_WORDS: dict[str, frozenset[str]] = {
    "mul": _PLAIN | {"lo", "hi", "wide"},
    "mad": _PLAIN | {"lo", "hi", "wide"},
    "min": frozenset({"NaN"}),
    "max": frozenset({"NaN"}),
    "neg": frozenset(),
    "abs": frozenset(),
    "copysign": frozenset(),
    "cvt": frozenset({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "ftz", "sat"}),
    "cvta": frozenset({"to", "global", "shared", "local"}),
    "shf": frozenset({"l", "r", "clamp", "wrap"}),
    "bfind": frozenset({"shiftamt"}),
    "set": _COMPARISONS,
    "setp": _COMPARISONS,
}
"""Words of operations that are known, beside the types."""


def refuse_unknown_words(operation: Operation, known: frozenset[str]) -> None:
    """NotModelledError where an opcode has a word that is not known."""
    types = {type_.name for type_ in operation.types}
    if set(operation.modifiers) - types - known:
        raise NotModelledError(operation.opcode)


def filled(template: str, type_: Type, read: Read) -> str:
    """A template with its operands."""
    fields = {"bits": str(type_.bits), "signed": str(type_.kind is TypeKind.SIGNED)}
    for place, letter in enumerate("abcd"):
        for form in ("", "n", "u", "p", "w"):
            if f"{{{form}{letter}}}" in template:
                fields[form + letter] = read(place, type_, form)
    return template.format(**fields)


def _float_expression(
    instruction: Instruction, type_: Type, read: Read, environment: dict[str, Any]
) -> str:
    operation = instruction.operation
    name, words = operation.name, operation.modifiers
    sign = 1 << type_.bits - 1
    if name == "neg":
        return f"{read(0, type_, '')} ^ {sign}"
    if name == "abs":
        return f"{read(0, type_, '')} & {sign - 1}"
    if name == "copysign":
        return f"{read(0, type_, '')} & {sign} | {read(1, type_, '')} & {sign - 1}"
    given = [read(place, type_, "") for place in range(len(instruction.sources))]
    if name in ("min", "max") and len(given) == 2 and not {"xorsign", "abs"} & set(words):
        return f"float_extreme({', '.join(given)}, {type_.name!r}, {name!r}, {'NaN' in words})"
    function = numbers.float_function(name, words, type_.name)
    if function is None:
        raise NotModelledError(operation.opcode)
    own = f"f_{operation.opcode.replace('.', '_')}"
    environment[own] = function
    return f"{own}({', '.join(given)})"


def comparison(instruction: Instruction, read: Read) -> str:
    """What a ``setp`` or ``set`` finds, before it is combined with another predicate."""
    operation = instruction.operation
    type_, words = operation.type, operation.modifiers
    refuse_unknown_words(operation, _COMPARISONS)
    assert type_ is not None
    if type_.lanes > 1:
        raise NotModelledError(operation.opcode)
    word = words[0]
    if type_.is_float and word in _FLOAT_COMPARE and type_.name in ("f16", "f32", "f64"):
        a, b = read(0, type_, ""), read(1, type_, "")
        return f"float_compare({a}, {b}, {type_.name!r}, {word!r}, {'ftz' in words})"
    if word not in _COMPARE or type_.is_float:
        raise NotModelledError(operation.opcode)
    return f"({filled(_COMPARE[word], type_, read)})"


def combined(instruction: Instruction, truth: str, read: Read) -> str:
    """A truth joined with the predicate operand, where there is one."""
    if len(instruction.sources) < 3:
        return truth
    signs = {"and": "&", "or": "|", "xor": "^"}
    word = next(w for w in instruction.operation.modifiers if w in signs)
    return f"{truth} {signs[word]} {read(2, None, 'p')}"


def _set(instruction: Instruction, read: Read) -> str:
    to = instruction.operation.types[0]
    truth = combined(instruction, comparison(instruction, read), read)
    return f"(0, {0x3F800000 if to.is_float else -1})[{truth}]"


def _convert(instruction: Instruction, read: Read) -> str:
    operation = instruction.operation
    to, *rest = operation.types
    from_, words = (rest[0] if rest else to), operation.modifiers
    mode = next((w for w in words if w in ("rn", "rz", "rm", "rp")), "rn")
    if to.name == "f16x2" and from_.name == "f32" and mode == "rn" and "relu" not in words:
        high, low = [
            f"float_to_float({read(k, from_, '')}, 'f16', 'f32', {words!r})" for k in (0, 1)
        ]
        return f"{high} << 16 | {low}"
    known = ("f16", "f32", "f64")
    if any(t.lanes > 1 or (t.is_float and t.name not in known) for t in (to, from_)):
        raise NotModelledError(operation.opcode)
    if to.is_float and from_.is_float:
        return f"float_to_float({read(0, from_, '')}, {to.name!r}, {from_.name!r}, {words!r})"
    if to.is_float:
        return f"integer_to_float({read(0, from_, 'n')}, {to.name!r}, {mode!r})"
    least, most = _limits(to)
    if from_.is_float:
        integral = next(w for w in words if w in ("rni", "rzi", "rmi", "rpi"))
        given = f"{read(0, from_, '')}, {from_.name!r}, {integral!r}, ({least}, {most})"
        return f"float_to_integer({given}, {'ftz' in words})"
    value = read(0, from_, "n")
    return f"min(max({value}, {least}), {most})" if "sat" in words else value


def _limits(type_: Type) -> tuple[int, int]:
    if type_.kind is TypeKind.SIGNED:
        return -(1 << type_.bits - 1), (1 << type_.bits - 1) - 1
    return 0, (1 << type_.bits) - 1


def _funnel(instruction: Instruction, read: Read) -> str:
    words = instruction.operation.modifiers
    given = ", ".join(read(place, None, "u") for place in range(3))
    return f"funnel({given}, {'l' in words}, {'clamp' in words})"


def _dot(instruction: Instruction, read: Read) -> str:
    signs = tuple(t.kind is TypeKind.SIGNED for t in instruction.operation.types[:2])
    given = ", ".join(read(place, None, "u") for place in range(3))
    return f"dot4({given}, {signs!r})"


def _table_logic(instruction: Instruction, read: Read) -> str:
    operation = instruction.operation
    if operation.modifiers != ("b32",):
        raise NotModelledError(operation.opcode)
    assert operation.type is not None
    return filled(_INTEGER["lop3"], operation.type, read)


def _permute(instruction: Instruction, read: Read) -> str:
    operation = instruction.operation
    if operation.modifiers != ("b32",):
        raise NotModelledError(operation.opcode)
    assert operation.type is not None
    return filled(_INTEGER["prmt"], operation.type, read)


def _convert_address(instruction: Instruction, read: Read) -> str:
    operation = instruction.operation
    space = operation.space
    if space not in (Space.GLOBAL, Space.SHARED, Space.LOCAL):
        raise NotModelledError(operation.opcode)
    window = WINDOWS.get(space, 0)
    return f"{read(0, operation.type, '')} {'-' if 'to' in operation.modifiers else '+'} {window}"


def _find_first(instruction: Instruction, read: Read) -> str:
    operation = instruction.operation
    type_ = operation.type
    assert type_ is not None
    text = filled(_INTEGER["bfind"], type_, read)
    return f"shift_to({text}, {type_.bits})" if "shiftamt" in operation.modifiers else text


_SPECIAL: dict[str, Callable[[Instruction, Read], str]] = {
    "cvt": _convert,
    "cvta": _convert_address,
    "set": _set,
    "shf": _funnel,
    "bfind": _find_first,
    "dp4a": _dot,
    "lop3": _table_logic,
    "prmt": _permute,
}
