"""``--set key=value``: reading what people type into values of the schema's types."""

from __future__ import annotations

from collections.abc import Iterable

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import Scalar, SchemaKey, normalised, problem_with, schema

_FLAGS = {"true": True, "false": False}


def parse_overrides(settings: Iterable[str]) -> dict[str, Scalar]:
    """Read settings such as ``sm.count=132``; the last one of a key counts.

    Lists are written with commas (``0,8,16``). UsageError for what is not ``key=value``, for an
    unknown key (with the nearest names) and for a value of the wrong type or out of range.
    """
    return dict(_parsed(setting) for setting in settings)


def _parsed(setting: str) -> tuple[str, Scalar]:
    name, equals, text = setting.partition("=")
    if not equals or not name.strip():
        words = f"`{setting}` is not of the form key=value"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint="such as --set sm.count=132"))
    key = schema().key(name.strip())
    value = _typed(key, text.strip())
    problem = problem_with(key, value)
    if problem is not None:
        raise UsageError(problem)
    return key.name, normalised(key, value)


def _typed(key: SchemaKey, text: str) -> object:
    """Give the value that a text stands for; the text itself where it is not of the key's type."""
    if key.type == "str":
        return text
    if key.type == "bool":
        return _FLAGS.get(text.lower(), text)
    try:
        if key.type == "int_list":
            return [int(part) for part in text.split(",")]
        return int(text) if key.type == "int" else float(text)
    except ValueError:
        return text


def simd_overrides(machine: Machine, width: int) -> dict[str, Scalar]:
    """Give the overrides that make every arithmetic pipeline ``width`` lanes wide.

    Stargazer varies the SIMD width as one parameter; lanes scale with it and intervals follow.
    Tensor cores stay as they are.
    """
    factor = width / machine.number("sm.simd_width")
    lanes = (name for name in schema().keys if name.startswith("lanes.") and "tensor" not in name)
    scaled: dict[str, Scalar] = {name: float(machine.number(name) * factor) for name in lanes}
    return scaled | {"sm.simd_width": float(width)}
