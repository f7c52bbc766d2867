"""The tables of docs/machines.md: machines, letters of sources, rules and keys."""

from __future__ import annotations

import re
from collections.abc import Iterable

from warpmill.simulator.machines.files import machine_names
from warpmill.simulator.machines.resolve import load_machine, machine_chain
from warpmill.simulator.machines.schema import RULES, SchemaKey, schema


def documentation() -> dict[str, str]:
    """The generated parts of docs/machines.md by name, as Markdown tables."""
    letters = ((f"`{x.letter}`", x.meaning, _yes(x.assumed)) for x in schema().letters.values())
    formulas = ((f"`{rule.key}`", rule.formula, _yes(rule.assumed)) for rule in RULES.values())
    return {
        "machines": _table(("machine", "name", "kind", "falls back on"), _machine_rows()),
        "letters": _table(("letter", "kind of source", "assumed"), letters),
        "rules": _table(("key", "follows as", "rule of thumb"), formulas),
        "keys": _table(("key", "unit", "type", "range", "meaning"), _key_rows()),
    }


def _machine_rows() -> Iterable[tuple[str, ...]]:
    for name in machine_names():
        machine = load_machine(name)
        chain = " → ".join(file.name for file in machine_chain(name)[1:])
        yield (
            f"`{name}`",
            machine.text("machine.name"),
            machine.text("machine.kind"),
            chain or "(the end of every chain)",
        )


def _key_rows() -> Iterable[tuple[str, ...]]:
    for key in schema().keys.values():
        notes = "" if key.inherited else " (never inherited)"
        yield f"`{key.name}`", key.unit, key.type, _range(key), key.meaning + notes


def _range(key: SchemaKey) -> str:
    if key.choices:
        return ", ".join(key.choices)
    return f"{key.min:.15g} to {key.max:.15g}" if key.max < float("inf") else ""


def _yes(flag: bool) -> str:
    return "yes" if flag else ""


def _table(header: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> str:
    every = [header, ("---",) * len(header), *lines]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in every)


_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def with_generated_parts(text: str) -> str:
    """Renew the tables between ``<!-- generated: … -->`` and ``<!-- end -->`` of a page."""
    parts = documentation()
    return _PART.sub(lambda part: f"{part[1]}\n{parts[part[2]]}\n\n{part[3]}", text)
