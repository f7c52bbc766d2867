"""The tables of known functions, joined: what a name becomes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from warpmill.analyzer.frontends.llvm.target import data_table

NVVM = "llvm.nvvm."
_HOLE = re.compile(r"\((\d)([!~_:>]?)\)")
_TO_INTEGERS = {"rn": "rni", "rz": "rzi", "rm": "rmi", "rp": "rpi", "floor": "rmi", "ceil": "rpi",
                "trunc": "rzi", "round": "rni"}  # fmt: skip


class CallRule(NamedTuple):
    """What a function becomes: templates, and what the table says beside them."""

    name: str
    emit: list[str]
    rest: str = ""
    approximate: bool = False
    beyond: int | None = None
    emit32: list[str] | None = None


@cache
def joined() -> dict[str, Any]:
    """``calls.toml`` with what the vendors' tables add to it."""
    table = dict(data_table("calls.toml"))
    amd = data_table("calls_amd.toml")
    table["drop"] = frozenset([*table["drop"], *amd["drop"]])
    table["intrinsics"] = {**table["intrinsics"], **amd["intrinsics"]}
    table["functions"] = {**table["functions"], **amd["functions"]}
    return table


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], list[str]], ...]:
    lines = data_table("calls_nvvm.toml")["patterns"]
    return tuple((re.compile(line["match"]), line["emit"]) for line in lines)


def nvvm_rule(callee: str) -> CallRule | None:
    """The rule of an intrinsic that is one of a family."""
    name = callee.removeprefix(NVVM)
    for pattern, emit in _patterns():
        found = pattern.fullmatch(name)
        if found is not None:
            return CallRule(callee, [_expanded(text, found) for text in emit])
    return None


def _expanded(text: str, found: re.Match[str]) -> str:
    return _HOLE.sub(lambda hole: _group(found[int(hole[1])] or "", hole[2]), text)


def _group(text: str, how: str) -> str:
    types: Mapping[str, str] = data_table("calls_nvvm.toml")["types"]
    match how:
        case "!":
            return types[text]
        case "~":
            return _TO_INTEGERS[text]
        case "_":
            return text.replace(".", "_")
        case ":":
            return text.replace("shared.cluster", "shared::cluster")
        case ">":
            source, _, to = text.partition("2")
            return f"{types[to]}.{types[source]}"
    return text


@cache
def math_names() -> Mapping[str, str]:
    """The operation of each function of mathematics that has one, without its type."""
    table = data_table("calls_math.toml")
    found = {name: f"math.{name}.<f>" for name in table["functions"]}
    return {**found, **{name: f"math.{name}.s32.<0f>" for name in table["to_integer"]}}


def math_rule(name: str) -> CallRule | None:
    """The rule of a function of mathematics; its arguments are as many as it is given."""
    opcode = math_names().get(name)
    return None if opcode is None else CallRule(name, [f"{opcode} $d, $*"])
