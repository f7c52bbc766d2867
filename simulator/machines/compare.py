"""Machines side by side, and the text of a new one that differs in a few values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Protocol

from warpmill.simulator.machines.model import Machine, SourcedValue
from warpmill.simulator.machines.resolve import load_machine
from warpmill.simulator.machines.schema import Scalar, schema

HEAD = (
    "machine.vendor",
    "machine.chip",
    "machine.architecture",
    "machine.compute_capability",
    "machine.warp_size",
    "machine.cycle_domain",
)
"""Keys that say what a machine is: no file inherits them."""


def diff(
    a: Machine, b: Machine
) -> tuple[tuple[str, SourcedValue | None, SourcedValue | None], ...]:
    """List the keys whose values differ, in the order of the schema; None where one lacks it."""
    pairs = ((key, a.get(key), b.get(key)) for key in schema().keys)
    return tuple((key, x, y) for key, x, y in pairs if _shown(x) != _shown(y))


def _shown(value: SourcedValue | None) -> Scalar | None:
    return None if value is None else value.value


def new_machine_text(base: str, overrides: Mapping[str, Scalar], name: str | None = None) -> str:
    """Write the TOML text of a machine that falls back on packaged machine ``base``.

    It holds the overridden keys, and those of ``machine`` and ``clock``, which are never
    inherited; what was announced for the base (``peak``) is not said of the new machine. A file
    with this text loads as the base does with the same overrides, but for its name and fallback.
    """
    machine = load_machine(base, overrides)
    label = f"{machine.text('machine.name')}, changed" if name is None else name
    lines = [f"schema = {schema().version}"]
    group = ""
    for key in schema().keys:
        entry = _line(key, machine, base, label, key in overrides)
        if entry is None:
            continue
        if key.rpartition(".")[0] != group:
            group = key.rpartition(".")[0]
            lines += ["", f"[{group}]"]
        lines.append(entry)
    return "\n".join(lines) + "\n"


def _line(key: str, machine: Machine, base: str, label: str, overridden: bool) -> str | None:
    name = key.rpartition(".")[2]
    if key == "machine.fallback":
        return f'{name} = {{ value = "{base}", source = "- the machine this one was made from" }}'
    if key == "machine.kind" and not overridden:
        return f'{name} = {{ value = "design", source = "- identification" }}'
    if key == "machine.name" and not overridden:
        return f'{name} = {{ value = {toml_value(label)}, source = "- identification" }}'
    value = machine.get(key)
    if value is None or not (overridden or key.startswith("clock.") or key in HEAD):
        return None
    source = "U set by user" if overridden else f"{value.letter} {value.source}"
    return f"{name} = {{ value = {toml_value(value.value)}, source = {toml_value(source)} }}"


class Sourced(Protocol):
    """A value of a machine, and where it comes from."""

    @property
    def value(self) -> Scalar:
        """The value, in the unit of its key."""

    @property
    def source(self) -> str:
        """The letter of the source, and its words."""


def tables(stated: Mapping[str, Sourced]) -> Iterator[str]:
    """Give the lines of a machine file, without its head, from values by key."""
    group = ""
    for key in schema().keys:
        if key not in stated:
            continue
        if key.rpartition(".")[0] != group:
            group = key.rpartition(".")[0]
            yield from ("", f"[{group}]")
        value, source = toml_value(stated[key].value), toml_value(stated[key].source)
        yield f"{key.rpartition('.')[2]} = {{ value = {value}, source = {source} }}"


def toml_value(value: Scalar) -> str:
    """Write a value as TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
