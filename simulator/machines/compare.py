"""Machines side by side, new ones that differ in a few values, and what such values change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Protocol

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity
from warpmill.simulator.machines.model import Machine, SourcedValue, announced_rates
from warpmill.simulator.machines.resolve import load_machine
from warpmill.simulator.machines.schema import RULES, Scalar, evaluate, schema

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
    """The lines of a machine file, without its head, from values by key."""
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


# What settings of a machine bring with them: values that follow, and what no longer fits.

AT_MOST = (
    ("l1.latency", "l2.latency"),
    ("l2.latency", "dram.latency"),
    ("l2.latency", "l2.latency_far"),
    ("dram.measured_gbs", "dram.bandwidth_gbs"),
    ("shared.per_block_bytes", "shared.per_block_optin_bytes"),
    ("shared.per_block_optin_bytes", "shared.per_sm_bytes"),
    ("shared.per_sm_bytes", "l1.unified_bytes"),
    ("shared.alloc_unit_bytes", "shared.per_sm_bytes"),
    ("reg.per_block", "reg.per_sm"),
    ("sm.max_threads_per_block", "sm.max_threads"),
    ("sm.subpartitions", "sm.schedulers"),
    ("l1.sector_bytes", "l1.line_bytes"),
    ("l2.sector_bytes", "l2.line_bytes"),
)
"""Pairs of which the first is at most the second, where a machine has both."""

_ROUNDING = 1e-3
_OTHER_CLOCKS = ("dram.latency",)
"""Cycles of SMs that something takes whose clock is another one."""


def followers(machine: Machine, base: Machine) -> Iterator[Diagnostic]:
    """Values that are others than the base's because settings are."""
    for key, value in machine.values:
        before = base.get(key)
        if value.status != "derived" or before is None or value.value == before.value:
            continue
        words = f"{key} follows: {before.value:g} → {value.value:g}"
        yield Diagnostic(Severity.NOTE, words)


def contradictions(machine: Machine, base: Machine) -> Iterator[Diagnostic]:
    """Settings that others of the machine's values do not fit, and that nothing follows."""
    is_set = {key for key, value in machine.values if _is_set(machine, base, key)}
    for key in sorted(is_set & set(RULES)):
        yield from _beside_its_rule(machine, key)
    for low, high in AT_MOST:
        if {low, high} & is_set and _exceeds(machine, low, high) and not _exceeds(base, low, high):
            one, other = (f"{key} = {machine.number(key):g}" for key in (low, high))
            hint = f"set {high if low in is_set else low} too"
            yield Diagnostic(Severity.WARNING, f"{one} is more than {other}", hint=hint)
    if "clock.sm_mhz" in is_set:
        yield from _stays_in_cycles(machine, base, is_set)


def announced_for_another(machine: Machine, base: Machine) -> Iterator[Diagnostic]:
    """Announced rates of the base that settings make no longer those of the machine."""
    for was, now in zip(announced_rates(base), announced_rates(machine), strict=True):
        is_same = abs(now.computed - was.computed) <= _ROUNDING * abs(was.computed)
        if was.announced is None or is_same or _is_set(machine, base, was.key):
            continue
        unit = schema().keys[was.key].unit
        words = (
            f"{was.key} = {was.announced:g} {unit} does not follow: it was announced for "
            f"{base.name}, and the settings make {was.computed:.4g} → {now.computed:.4g} of it"
        )
        yield Diagnostic(Severity.NOTE, words, hint=f"--set {was.key}=… says one for this machine")


def _is_set(machine: Machine, base: Machine, key: str) -> bool:
    value, before = machine.get(key), base.get(key)
    return (
        value is not None
        and value.status != "derived"
        and (before is None or before.value != value.value)
    )


def _beside_its_rule(machine: Machine, key: str) -> Iterator[Diagnostic]:
    """Warnings of settings that the values they follow from contradict; none of assumed rules."""
    rule = RULES[key]
    plain = evaluate(rule, tuple(_number(machine, name) for name in rule.inputs))
    own = float(machine.number(key))
    if rule.assumed or plain is None or abs(own - plain) <= _ROUNDING * abs(plain):
        return
    words = f"{key} = {own:g}, but {rule.formula} is {plain:g}: these stay as they are"
    yield Diagnostic(
        Severity.NOTE, words, hint=f"set one of {', '.join(rule.inputs)}: {key} follows"
    )


def _stays_in_cycles(machine: Machine, base: Machine, is_set: set[str]) -> Iterator[Diagnostic]:
    before, after = (float(one.number("clock.sm_mhz")) for one in (base, machine))
    for key in _OTHER_CLOCKS:
        cycles = _number(machine, key)
        if key not in is_set and cycles:
            was, now = (f"{cycles / mhz * 1e3:.0f}" for mhz in (before, after))
            words = f"{key} stays {cycles:g} cycles, which are {now} ns and were {was}"
            hint = f"set {key}={cycles * after / before:.0f} for a memory that is as fast as before"
            yield Diagnostic(Severity.NOTE, words, hint=hint)


def _exceeds(machine: Machine, low: str, high: str) -> bool:
    less, more = _number(machine, low), _number(machine, high)
    return bool(less and more) and less > more  # type: ignore[operator]


def _number(machine: Machine, key: str) -> float | None:
    found = machine.get(key)
    is_number = schema().keys[key].type in ("int", "float")
    return None if found is None or not is_number else float(machine.number(key))
