"""What settings of a machine bring with them: values that follow, and what no longer fits."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity
from warpmill.simulator.machines.derived import RULES, evaluate
from warpmill.simulator.machines.describe import announced_rates
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import schema

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
    """Tell of a setting that what it is made of says otherwise of; an assumed rule says nothing."""
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
