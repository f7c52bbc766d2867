"""Operands of one scope, remembered by their text.

A statement's operands are cut at commas into fragments. A fragment is mostly one operand; of a
vector it is a part. The same few texts return all the time, so each is lexed once a scope. The most
usual forms are read by shortcuts, which give what the grammar gives and nothing else.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from analyzer.frontends.ptx.grammar import RejectedError, template
from analyzer.frontends.ptx.lexer import operand_shape
from analyzer.frontends.ptx.literals import float_bits
from analyzer.frontends.ptx.names import Scope
from analyzer.frontends.ptx.templates import address_of
from analyzer.ir.kernel import Guard, Imm, Operand

Fragment = tuple[str, Any, tuple[object, ...]]
"""What stands between two commas: its shape, the operand or guard that it is (None where it is a
part of one), and the values of its tokens. There are very many: a plain tuple."""

_DECIMAL = r"(?:0|[1-9][0-9]{0,17})"
_INTEGER = re.compile(rf"(-?)({_DECIMAL})", re.ASCII)
_ADDRESS = re.compile(rf"\[([%A-Za-z_$][\w$]*+)(?:\+(-?)({_DECIMAL}))?\]", re.ASCII)
_BITS = re.compile(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", re.ASCII)

_ADDRESS_SHAPES = {
    kind: (f"[ {kind} ]", f"[ {kind} + INT ]", f"[ {kind} + - INT ]") for kind in ("REG", "NAME")
}


class Fragments(dict[str, Fragment]):
    """The fragments of a scope; looking up a new text reads it. May raise FaultError."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope

    def __missing__(self, text: str) -> Fragment:
        """Read a text that is new in the scope, and remember what it is."""
        first = text[:1]
        made: Fragment | None = None
        if first == "%":
            register = self._scope.numbered_register(text)
            if register is not None:
                self[text] = made = ("REG", register, (register,))
                return made
            made = self._closing(text)
        elif first == "[":
            made = self._address(text)
        elif first == "@":
            made = self._guard(text)
        elif first == "{":
            made = self._opening(text)
        elif first == "-" or first.isdigit():
            made = _constant(text)
        self[text] = made = made or self._made(text)
        return made

    def _address(self, text: str) -> Fragment | None:
        match = _ADDRESS.fullmatch(text)
        if match is None:
            return None
        name, minus, digits = match.groups()
        kind, base, values = self[name]
        if kind not in _ADDRESS_SHAPES:
            return None
        shape, plus, minus_shape = _ADDRESS_SHAPES[kind]
        if digits is None:
            return shape, address_of(base, 0), values
        number = int(digits)
        made = address_of(base, -number if minus else number)
        return minus_shape if minus else plus, made, (*values, Imm(number))

    def _guard(self, text: str) -> Fragment | None:
        negated = text[1:2] == "!"
        register = self._scope.numbered_register(text[1 + negated :].rstrip())
        if register is None:
            return None
        return "@ ! REG" if negated else "@ REG", Guard(register, negated), (register,)

    def _opening(self, text: str) -> Fragment | None:
        register = self._scope.numbered_register(text[1:])
        return None if register is None else ("{ REG", None, (register,))

    def _closing(self, text: str) -> Fragment | None:
        if text[-1] != "}":
            return None
        register = self._scope.numbered_register(text[:-1])
        return None if register is None else ("REG }", None, (register,))

    def _made(self, text: str) -> Fragment:
        """Read any text by the grammar."""
        shape, values = operand_shape(text, self._scope.resolve)
        make = _guard_of if shape[:1] == "@" else _operand
        return sys.intern(shape), make(shape, values), tuple(values)


def _constant(text: str) -> Fragment | None:
    match = _INTEGER.fullmatch(text)
    if match is None:
        if _BITS.fullmatch(text) is None:
            return None
        bits = float_bits(text)
        return "FLOAT", bits, (bits,)
    number = int(match[2])
    positive = Imm(number)
    return ("- INT", Imm(-number), (positive,)) if match[1] else ("INT", positive, (positive,))


def _operand(shape: str, values: list[object]) -> Operand | None:
    try:
        return template("operand", shape)(values)  # type: ignore[no-any-return]
    except RejectedError:
        return None


def _guard_of(shape: str, values: list[object]) -> Guard | None:
    try:
        place, negated = template("guard", shape)
    except RejectedError:
        return None
    register = values[place]
    return Guard(register, negated)
