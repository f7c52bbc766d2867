"""Machines and their schema as rows and tables: for ``show``, for docs/machines.md."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from simulator.machines.derived import RULES
from simulator.machines.files import machine_names
from simulator.machines.model import Machine
from simulator.machines.resolve import load_machine, machine_chain
from simulator.machines.schema import Key, Scalar, schema


@dataclass(frozen=True)
class Row:
    """One value of a machine in words: what ``show`` prints."""

    key: str
    value: str
    unit: str
    status: str
    origin: str
    assumed: bool
    source: str


def rows(machine: Machine) -> tuple[Row, ...]:
    """Give every value that the machine has, in the order of the schema."""
    keys = schema().keys
    return tuple(
        Row(
            name,
            value_words(value.value),
            keys[name].unit,
            value.status,
            value.origin,
            value.assumed,
            f"{schema().letters[value.letter].meaning}: {value.source}",
        )
        for name, value in machine.values
    )


def value_words(value: Scalar) -> str:
    """Write a value as people read it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Announced:
    """A rate that was announced, and the one that lanes, clocks and bus width give."""

    key: str
    announced: float | None
    computed: float


def announced_rates(machine: Machine) -> tuple[Announced, ...]:
    """Compare peak.* with SMs × lanes × 2 × clock (TFLOP/s), and bus × data rate (GB/s).

    The clock is clock.peak_mhz, or clock.sm_mhz where that is absent. None was not announced.
    """
    clock = "clock.sm_mhz" if machine.get("clock.peak_mhz") is None else "clock.peak_mhz"
    flops_a_lane = machine.number("sm.count") * 2 * machine.number(clock) / 1e6
    bus = machine.number("dram.bus_bits") * machine.number("clock.mem_gtps") / 8
    computed = {
        "peak.fp32_tflops": machine.number("lanes.fp32") * flops_a_lane,
        "peak.fp64_tflops": machine.number("lanes.fp64") * flops_a_lane,
        "peak.dram_gbs": bus,
    }
    return tuple(
        Announced(key, None if machine.get(key) is None else float(machine.number(key)), value)
        for key, value in computed.items()
    )


def documentation() -> dict[str, str]:
    """Give the generated parts of docs/machines.md by name, as Markdown tables."""
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


def _range(key: Key) -> str:
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
