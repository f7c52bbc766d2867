"""Inline assembly of NVIDIA targets, read as the PTX that it is."""

from __future__ import annotations

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.assembly_constraints import (
    ADDRESSES,
    MEMORY,
    NUMBERS,
    REGISTERS,
    Place,
    places_of,
    results_of,
)
from warpmill.analyzer.frontends.llvm.assembly_function import function_of
from warpmill.analyzer.frontends.llvm.assembly_operands import (
    Given,
    Operand,
    form_of,
    whole_constant,
)
from warpmill.analyzer.frontends.llvm.assembly_plan import Key, assembly_text, make_plan
from warpmill.analyzer.frontends.llvm.assembly_splice import call_function, splice
from warpmill.analyzer.frontends.llvm.lowering import BlockEnds, Lowering
from warpmill.analyzer.frontends.llvm.types import VOID, PointerType, StructType, Type, Unsupported


def lower_assembly(low: Lowering, template: st.Template, assembly: st.Assembly) -> None:
    """Put the instructions of an assembly text in place; call them where they jump.

    Raise Unsupported, with the reason, where they are not understood.
    """
    text, constraints = (low.values.texts[slot] for slot in (assembly.text, assembly.constraints))
    places = places_of(constraints)
    if low.module.target.name != "nvptx" and assembly_text(text).strip():
        raise _not_understood(text, "it is not for an NVIDIA target")
    if places is None:
        raise _not_understood(text, f"its constraints are {constraints}")
    operands = _bind(low, template, places, text)
    forms = [None if o.given is None else form_of(low, o.given) for o in operands]
    _part_unlike_ties(places, operands, forms)
    key = Key(
        text,
        constraints,
        tuple((n, o.written) for n, o in enumerate(operands) if o.written),
        tuple(o.type for o in operands),
        tuple(forms),
    )
    plan = make_plan(key)
    if isinstance(plan, str):
        raise _not_understood(text, plan)
    for operation in plan.guessed:
        low.module.warn_once(
            low.builder.span,
            f"opcode `{operation.opcode}` of inline assembly is not in the table; "
            f"it counts as `{operation.op_class.value}`, by the nearest rule",
        )
    if plan.is_straight:
        splice(low, plan, places, operands)
    else:
        name = function_of(low.module, key, plan, low.builder.span, low.builder.debug)
        call_function(low, name, places, operands)
    if plan.ends:
        raise BlockEnds


def _not_understood(text: str, reason: str) -> Unsupported:
    words = " ".join(assembly_text(text).split())
    short = words if len(words) <= 60 else words[:57] + "..."
    return Unsupported(f"inline assembly `{short}` ({reason})")


def _bind(
    low: Lowering, template: st.Template, places: tuple[Place, ...], text: str
) -> list[Operand]:
    """Give each place its result or argument: both come in the order of the places."""
    assert template.type is not None
    results = iter(_results(low, template.type, len(results_of(places))))
    arguments = iter([o for o in template.operands if not isinstance(o.value, st.Metadata)])
    found: list[Operand] = []
    numbers = results_of(places)
    try:
        for number, place in enumerate(places):
            if place.is_result:
                given = next(results)
                found.append(Operand(given, _register_type(low, place, given, text)))
            elif place.tie is not None:
                given = _given(low, next(arguments))
                found.append(Operand(given, found[numbers[place.tie]].type))
            else:
                found.append(_argument(low, place, number, next(arguments), text))
    except StopIteration:
        raise _not_understood(text, "its operands are not those of its constraints") from None
    return found


def _results(low: Lowering, type_: Type, count: int) -> list[Given]:
    """The results, each with its registers."""
    if type_ == VOID:
        return []
    registers = low.results(type_)
    resolved = low.layout.resolve(type_)
    types = resolved.elements if count > 1 and isinstance(resolved, StructType) else (type_,)
    found, at = [], 0
    for element in types:
        scalars = low.layout.leaves(element)
        found.append(Given(registers[at : at + len(scalars)], scalars))
        at += len(scalars)
    return found


def _given(low: Lowering, value: st.Typed) -> Given:
    given = Given(low.values.parts(value), low.layout.leaves(value.type))
    return whole_constant(low, given)


def _register_type(low: Lowering, place: Place, given: Given, text: str) -> str:
    """The register that a place asks for; where there is no text any that is as wide will do."""
    if place.letter is not None:
        return REGISTERS[place.letter]
    if assembly_text(text).strip() or len(given.scalars) != 1:
        raise _not_understood(text, f"it has a constraint `{place.letters}`")
    width = low.module.width(given.scalars[0])
    return "pred" if width == 1 else f"b{width}"


def _argument(low: Lowering, place: Place, number: int, value: st.Typed, text: str) -> Operand:
    constant = low.values.integer(value) if NUMBERS & set(place.letters) else None
    if constant is not None:
        return Operand(None, "b32", str(constant))
    letters = set(place.letters)
    is_address = isinstance(value.type, PointerType)
    if place.letter is None and is_address and (MEMORY | ADDRESSES) & letters:
        in_brackets = f"[${{{number}}}]" if MEMORY & letters else f"${{{number}}}"
        type_ = f"b{low.module.width(low.layout.leaf(value.type))}"
        return Operand(_given(low, value), type_, in_brackets)
    given = _given(low, value)
    return Operand(given, _register_type(low, place, given, text))


def _part_unlike_ties(
    places: tuple[Place, ...], operands: list[Operand], forms: list[str | None]
) -> None:
    """Let a result have a register in between where the input that lies with it is unlike it."""
    numbers = results_of(places)
    for number, place in enumerate(places):
        if place.tie is None:
            continue
        given, result = operands[number].given, operands[numbers[place.tie]].given
        assert given is not None
        assert result is not None
        if given.scalars != result.scalars:
            forms[numbers[place.tie]] = None
