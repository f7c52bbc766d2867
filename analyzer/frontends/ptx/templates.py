"""Templates: what a shape means, as functions from the values of its tokens.

The parser calls the methods of ``Templates``, named after the rules of ``ptx.lark``, with the
templates of a rule's children. A template is called with the values of all tokens of a statement
that have one, and gives an operand, a number or a form.
"""
# ruff: noqa: D102 - the methods are named after the rules of the grammar, which explains them

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from lark import Token, Transformer

from warpmill.analyzer.frontends.ptx.expressions import ExpressionTemplates, offset_of
from warpmill.analyzer.frontends.ptx.form_templates import FormTemplates
from warpmill.analyzer.frontends.ptx.forms import Indexed
from warpmill.analyzer.frontends.ptx.literals import DecimalLiteral, negated
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Imm,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.types import Type

Values = Sequence[Any]
Children = list[Any]
Template = Callable[[Values], Any]


@dataclass(frozen=True, slots=True)
class Statement:
    """The template of an instruction.

    ``kind`` is the rule that it was read by, ``operands`` one template an operand. ``label`` gives
    the name of the branch target, or of the branch target list.
    """

    kind: str
    operands: tuple[Template, ...] = ()
    label: Template | None = None


class Templates(FormTemplates, ExpressionTemplates, Transformer[Any, Any]):
    """Templates of operands and instructions."""

    def atom(self, children: Children) -> Template:
        return itemgetter(children[0].start_pos)

    def integer(self, children: Children) -> Template:
        number = children[0]
        return lambda values: Imm(int(number(values)))

    def negated(self, children: Children) -> Template:
        place = children[0].start_pos
        return lambda values: Negated(values[place])

    def negative_float(self, children: Children) -> Template:
        place = children[0].start_pos
        return lambda values: negated(values[place])

    def symbol(self, children: Children) -> Template:
        place, offset = _name_and_offset(children)
        if offset is None:
            return itemgetter(place)
        return lambda values: Symbol(values[place].name, values[place].offset + int(offset(values)))

    def element(self, children: Children) -> Template:
        array, first, *rest = children
        place = array.start_pos
        if not isinstance(first, Token):
            return lambda values: Indexed(values[place], None, int(first(values)))
        index, steps = first.start_pos or 0, offset_of(rest)
        if steps is None:
            return lambda values: Indexed(values[place], values[index], 0)
        return lambda values: Indexed(values[place], values[index], int(steps(values)))

    def vector(self, children: Children) -> Template:
        parts = tuple(children)
        return lambda values: Vector(tuple([part(values) for part in parts]))

    def arguments(self, children: Children) -> Template:
        parts = tuple(children)
        return lambda values: Arguments(tuple([part(values) for part in parts]))

    def pair(self, children: Children) -> Template:
        first, second = children
        return lambda values: Pair(first(values), second(values))

    def not_predicate(self, children: Children) -> Template:
        place = children[0].start_pos
        return lambda values: NotPredicate(values[place])

    def address(self, children: Children) -> Template:
        place, offset = _name_and_offset(children)
        if offset is None:
            return lambda values: address_of(values[place], 0)
        return lambda values: address_of(values[place], int(offset(values)))

    def absolute_address(self, children: Children) -> Template:
        number = children[0]
        return lambda values: Address(Imm(int(number(values))))

    def tuple_address(self, children: Children) -> Template:
        base, *rest = children
        return lambda values: TupleAddress(
            (_without_brackets(base(values)), *[part(values) for part in rest])
        )

    def guard(self, children: Children) -> tuple[int, bool]:
        return children[0].start_pos, False

    def guard_not(self, children: Children) -> tuple[int, bool]:
        return children[0].start_pos, True

    def plain(self, children: Children) -> Statement:
        return Statement("plain", tuple(children))

    def return_(self, _children: Children) -> Statement:
        return Statement("return")

    def branch(self, children: Children) -> Statement:
        return Statement("branch", (), itemgetter(children[0].start_pos))

    def indexed(self, children: Children) -> Statement:
        return Statement("indexed", (children[0],), itemgetter(children[1].start_pos))

    def call(self, children: Children) -> Statement:
        return Statement("call", tuple(children))

    def call_indirect(self, children: Children) -> Statement:
        return Statement("call", tuple(children))


def _name_and_offset(children: Children) -> tuple[int, Template | None]:
    return children[0].start_pos, offset_of(children[1:])


def address_of(base: Any, offset: int) -> Address:
    """Make an address of a register or symbol; a symbol's own offset moves into the address."""
    if isinstance(base, Symbol):
        return Address(Symbol(base.name), base.offset + offset)
    return Address(base, offset)


def _without_brackets(address: Address) -> Operand:
    """Give the base of a tuple address as an operand; only one with an offset stays an Address."""
    if isinstance(address.base, Symbol):
        return Symbol(address.base.name, address.offset)
    return address if address.offset else address.base


def with_decimals(operand: Any, type_: Type | None) -> Operand:
    """Give decimal constants, in vectors too, the type that the instruction computes on."""
    match operand:
        case DecimalLiteral():
            return operand.as_type(type_)
        case Vector(elements):
            return Vector(tuple([with_decimals(e, type_) for e in elements]))
        case Arguments(items):
            return Arguments(tuple([with_decimals(e, type_) for e in items]))
        case _:
            return operand  # type: ignore[no-any-return]  # what a template gave
