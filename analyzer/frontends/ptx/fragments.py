"""Operands of one scope, remembered by their text.

A statement's operands are cut at commas into fragments. A fragment is mostly one operand; of a
vector it is a part. The same few texts return all the time, so each is lexed once a scope.
"""

from __future__ import annotations

from typing import Any

from analyzer.frontends.ptx.grammar import RejectedError, template
from analyzer.frontends.ptx.lexer import operand_shape
from analyzer.frontends.ptx.names import Scope
from analyzer.ir.kernel import Guard, Operand

Fragment = tuple[str, Any, tuple[object, ...], tuple[str, ...]]
"""What stands between two commas: its shape, the operand or guard that it is (None where it is a
part of one), the values of its tokens, and the names in it. There are very many: a plain tuple."""


class Fragments(dict[str, Fragment]):
    """The fragments of a scope; looking up a new text lexes it. May raise FaultError."""

    def __init__(self, scope: Scope, parent: Fragments | None) -> None:
        super().__init__()
        self._scope = scope
        self._parent = parent

    def __missing__(self, text: str) -> Fragment:
        """Take the fragment over from the scope around, or make it."""
        if self._parent is None and text[:1] == "%" and text[1:].isalnum():
            register = self._scope.numbered_register(text)  # most fragments; only a shortcut
            if register is not None:
                self[text] = made = ("REG", register, (register,), (text,))
                return made
        known = None if self._parent is None else self._parent.get(text)
        if known is None or self._scope.declares_any(known[3]):
            known = self._made(text)
        self[text] = known
        return known

    def _made(self, text: str) -> Fragment:
        names: list[str] = []

        def resolve(name: str) -> tuple[str, object]:
            names.append(name)
            if "." in name:
                names.append(name.partition(".")[0])
            return self._scope.resolve(name)

        shape, values = operand_shape(text, resolve)
        make = _guard if shape[:1] == "@" else _operand
        return shape, make(shape, values), tuple(values), tuple(names)


def _operand(shape: str, values: list[object]) -> Operand | None:
    try:
        return template("operand", shape)(values)  # type: ignore[no-any-return]
    except RejectedError:
        return None


def _guard(shape: str, values: list[object]) -> Guard | None:
    try:
        place, negated = template("guard", shape)
    except RejectedError:
        return None
    register = values[place]
    return Guard(register, negated)
