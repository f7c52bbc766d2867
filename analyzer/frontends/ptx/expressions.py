"""Templates of constant expressions: functions from the values of tokens to an integer.

The rules are those of ``ptx.lark``. Results wrap around at 64 bits, as in PTX; division by zero and
shifts beyond 63 bits raise FaultError.
"""
# ruff: noqa: D102 - the methods are named after the rules of the grammar, which explains them

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from analyzer.frontends.ptx.literals import FaultError, wrapped

Values = Sequence[Any]
Number = Callable[[Values], int]
Step = tuple[Callable[[int, int], int], Number]


class ExpressionTemplates:
    """The rules from ``expression`` to ``primary``."""

    def number(self, children: list[Any]) -> Number:
        place = children[0].start_pos
        return lambda values: int(values[place].value)

    def negative(self, children: list[Number]) -> Number:
        inner = children[0]
        return lambda values: wrapped(-inner(values))

    def complement(self, children: list[Number]) -> Number:
        inner = children[0]
        return lambda values: ~inner(values)

    def positive(self, children: list[Number]) -> Number:
        return children[0]

    def sum(self, children: list[Any]) -> Number:
        return chain(children[0], children[1:])

    product = sum

    def plus(self, children: list[Number]) -> Step:
        return operator.add, children[0]

    def minus(self, children: list[Number]) -> Step:
        return operator.sub, children[0]

    def times(self, children: list[Number]) -> Step:
        return operator.mul, children[0]

    def over(self, children: list[Number]) -> Step:
        return _quotient, children[0]

    def modulo(self, children: list[Number]) -> Step:
        return _remainder, children[0]

    def bit_and(self, children: list[Number]) -> Number:
        return _binary(operator.and_, children)

    def bit_or(self, children: list[Number]) -> Number:
        return _binary(operator.or_, children)

    def bit_xor(self, children: list[Number]) -> Number:
        return _binary(operator.xor, children)

    def shift_left(self, children: list[Number]) -> Number:
        return _binary(_shift_left, children)

    def shift_right(self, children: list[Number]) -> Number:
        return _binary(_shift_right, children)


def chain(first: Number, steps: Sequence[Step]) -> Number:
    """Apply the steps to the first number from left to right."""
    if not steps:
        return first

    def compute(values: Values) -> int:
        result = first(values)
        for operation, operand in steps:
            result = wrapped(operation(result, operand(values)))
        return result

    return compute


def offset_of(steps: Sequence[Step]) -> Number | None:
    """Give the number that the steps add to what stands before them; None without steps."""
    return chain(lambda _values: 0, steps) if steps else None


def _binary(operation: Callable[[int, int], int], children: list[Number]) -> Number:
    first, second = children
    return lambda values: wrapped(operation(first(values), second(values)))


def _quotient(dividend: int, divisor: int) -> int:
    if divisor == 0:
        raise FaultError("division by zero in a constant expression")
    magnitude = abs(dividend) // abs(divisor)
    return magnitude if (dividend < 0) == (divisor < 0) else -magnitude


def _remainder(dividend: int, divisor: int) -> int:
    return dividend - divisor * _quotient(dividend, divisor)


def _shift_left(value: int, count: int) -> int:
    return value << _checked(count)


def _shift_right(value: int, count: int) -> int:
    return value >> _checked(count)


def _checked(count: int) -> int:
    if not 0 <= count < 64:
        raise FaultError("a shift in a constant expression is not between 0 and 63")
    return count
