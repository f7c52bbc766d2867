"""Times of a launch on machines that have twice or half as much of one thing.

An estimate says what bounds a launch; this says what changing it would bring, as the bound moves.
Each answer is an estimate of its own, from the same traces.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from warpmill.analyzer.base.diagnostics import UsageError, WarpmillError
from warpmill.analyzer.base.metric import Named
from warpmill.session.estimates import Estimator
from warpmill.simulator.assembler.costs import cost_table, near_empty_keys, near_empty_us
from warpmill.simulator.estimate.result import ChangedValue, Estimate, WhatIf
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import RULES, Scalar, schema
from warpmill.simulator.occupancy import Occupancy, l1_bytes_beside, occupancy
from warpmill.simulator.resources import PIPES, TERMS


def what_if(
    estimator: Estimator, machine: Machine, base: Estimate | None = None
) -> tuple[WhatIf, ...]:
    """Estimate a job on machines that differ from one in a single thing, twice and half of it.

    ``base`` is the estimate on the machine as it is, where it was made already. Left out is what
    the machine has nothing of, and resources that the launch never keeps busy. Errors as
    ``Estimator.on`` for the machine as it is; UsageError for a machine that is in no file.
    """
    found = estimator.on(machine) if base is None else base
    busy = {u.resource for u in found.utilization if u.fraction > 0}
    asked = [change for change in changes() if not change.busy or change.busy in busy]
    changed(machine, {})
    answers = [(c, _answer(estimator, machine, found, c, f)) for c in asked for f in factors()]
    made = [(change, answer) for change, answer in answers if answer is not None]
    noise = max([LEAST_NOISE, *(_wrong_way(change, answer) for change, answer in made)])
    return tuple(replace(answer, noise=noise) for _, answer in made)


LEAST_NOISE = 0.01
"""The part of the time that no difference between estimates is told below."""


def _wrong_way(change: MachineChange, answer: WhatIf) -> float:
    """How much slower a change makes a launch that helps, or faster one that harms; else 0.

    A faster pipe or a shorter latency holds nothing longer: what is lost is that warps issue in
    another order.
    """
    if not change.helps or answer.ratio is None:
        return 0.0
    better = (answer.factor > 1.0) == (change.helps == "more")
    return answer.ratio - 1.0 if better else 1.0 - answer.ratio


def _answer(
    estimator: Estimator, machine: Machine, base: Estimate, change: MachineChange, factor: float
) -> WhatIf | None:
    """Estimate one change; None where it changes nothing of the machine."""
    values = change.make(machine, factor, base.occupancy.shared_carveout_bytes)
    settings = tuple(_settings(machine, values))
    if not settings:
        return None
    try:
        other = changed(machine, {s.key: s.after for s in settings})
        settings += tuple(_settings(machine, {key: _value(other, key) for key in floors()}))
        same = change.fit and estimator.options.mode == "waves" and _fits_alike(base, other)
        made = base if same else estimator.on(other)
    except WarpmillError as error:
        words = "; ".join(d.message for d in error.diagnostics)
        return WhatIf(change.name, factor, settings, None, None, None, words)
    time = made.time_us
    return WhatIf(change.name, factor, settings, made.execution_us, time, time / base.time_us)


def _settings(machine: Machine, values: Mapping[str, Scalar | None]) -> Iterator[ChangedValue]:
    """The values that are other ones than the machine's."""
    for key, after in values.items():
        before = _value(machine, key)
        if after is not None and after != before:
            yield ChangedValue(key, schema().keys[key].unit, before, after)


def _value(machine: Machine, key: str) -> Scalar | None:
    found = machine.get(key)
    return None if found is None else found.value


def _fits_alike(base: Estimate, other: Machine) -> bool:
    """Whether SMs hold the CTAs that they hold on the machine as it is.

    The paper's pipeline looks at the slots for warps too (§IV-A-2).
    """
    fit: Occupancy = base.occupancy
    threads = fit.warps_per_cta * other.integer("machine.warp_size")
    found = occupancy(other, threads, base.registers.registers_per_thread, base.shared_bytes)
    return (found.ctas_per_sm, found.shared_carveout_bytes) == (
        fit.ctas_per_sm,
        fit.shared_carveout_bytes,
    )


# Changes of a machine, one thing at a time: the settings that make it so, by ``--set``'s keys.
#
# What is changed stands in ``machine_changes.toml``; pipes and arithmetic latencies are those of
# the table of costs. Values that follow from changed ones follow, as they do for ``--set``.

Settings = dict[str, Scalar]
Make = Callable[[Machine, float, int], Settings]

_BARRIER = "latency.barrier"
_LANES, _INTERVAL = "lanes.", "interval."


@dataclass(frozen=True)
class MachineChange:
    """One thing of a machine that is multiplied by a factor (line of ``machine_changes.toml``).

    ``busy`` names a resource that the change is of; without it, it matters to any kernel. ``fit``:
    it acts through the CTAs that an SM holds alone. ``helps`` tells whether more or less of it is
    faster by itself; empty where it acts through other things too. ``make`` gives the settings for
    a machine, a factor and the bytes of shared memory that its SM is set to; none where there is
    nothing to change.
    """

    name: Named
    make: Make
    busy: str = ""
    fit: bool = False
    helps: Literal["more", "less", ""] = ""


@cache
def factors() -> tuple[float, ...]:
    """The factors that each thing is changed by."""
    return tuple(_table()["factors"])


@cache
def changes() -> tuple[MachineChange, ...]:
    """List all changes."""
    lines = [
        MachineChange(
            TERMS.get(row["key"]) or Named(row["key"], row["label"]),
            _by_line(row),
            TERMS[row["busy"]] if "busy" in row else "",
            row.get("fit", False),
            row.get("helps", ""),
        )
        for row in _table()["change"]
    ]
    pipes = [
        MachineChange(PIPES[pipe], _pipe(pipe), PIPES[pipe], helps="more")
        for pipe in cost_table().pipes
    ]
    others = (
        MachineChange(TERMS["arithmetic_latency"], _latencies, helps="less"),
        MachineChange(Named("l1_size", "L1 size"), _l1_size, TERMS["l1_bandwidth"]),
        MachineChange(Named("shared_size", "shared-memory size"), _shared_memory, fit=True),
    )
    return (*lines, *pipes, *others)


def changed(machine: Machine, settings: Mapping[str, Scalar]) -> Machine:
    """A machine with some values set, and its own settings kept.

    What launching adds stays as it is: near-empty kernels hold a CTA, which changes. UsageError
    and InputError as ``load_machine``; UsageError for a machine that is in no file.
    """
    own = {key: value.value for key, value in machine.values if value.status == "set"}
    if load_machine(machine.chain[0], own).values != machine.values:
        raise UsageError(f"{machine.name} is in no machine file, so that it cannot be changed")
    made = load_machine(machine.chain[0], own | dict(settings))
    floors = _near_empty(machine, made)
    return load_machine(machine.chain[0], own | dict(settings) | floors) if floors else made


def floors() -> tuple[str, ...]:
    """List the keys of what near-empty kernels take, which follows from changes of the machine."""
    return tuple(near_empty_keys())


def _near_empty(machine: Machine, made: Machine) -> Settings:
    """Times of near-empty kernels scaled by as much as the CTA in them grows.

    What is left without it is what a change leaves as it is.
    """
    found: Settings = {}
    for key, memory in near_empty_keys().items():
        more = near_empty_us(made, memory) - near_empty_us(machine, memory)
        if more:
            found[key] = max(0.0, float(machine.number(key)) + more)
    return found


@cache
def _table() -> dict[str, Any]:
    text = files("warpmill").joinpath("machine_changes.toml").read_text("utf-8")
    return tomllib.loads(text)


def _by_line(row: Mapping[str, Any]) -> Make:
    """Make the settings of a line of the table."""

    def make(machine: Machine, factor: float, _shared: int) -> Settings:
        found = dict(_scaled(machine, row.get("times", ()), factor))
        found |= _scaled(machine, row.get("over", ()), 1 / factor)
        for key in row.get("along", ()):
            more = (factor - 1) * machine.number(row["times"][0])
            found[key] = _typed(key, machine.number(key) + more)
        for key, under in row.get("above", {}).items():
            low, high = machine.number(under), machine.number(key)
            found[key] = _typed(key, low + factor * (high - low))
        return found

    return make


def _scaled(machine: Machine, keys: Iterable[str], factor: float) -> Iterator[tuple[str, Scalar]]:
    """The values of keys, multiplied; those that the machine lacks, or that are 0, not."""
    for key in keys:
        if machine.get(key) is None or not machine.number(key):
            continue
        yield key, _typed(key, machine.number(key) * factor)


def _typed(key: str, value: float) -> Scalar:
    """Round a value where its key is of whole numbers."""
    return math.floor(value + 0.5) if schema().key(key).type == "int" else float(value)


def _pipe(pipe: str) -> Make:
    """Make the settings that give a pipe more lanes; what lanes do not say, by its intervals."""
    own = [line for line in cost_table().lines.values() if line["pipe"] == pipe]
    named = {str(line[k]) for line in own for k in ("interval", "f32_interval") if k in line}

    def make(machine: Machine, factor: float, _shared: int) -> Settings:
        intervals = sorted(key for key in named if key.startswith(_INTERVAL))
        behind = {name for key in intervals if key in RULES for name in RULES[key].inputs}
        lanes = sorted(name for name in named | behind if name.startswith(_LANES))
        found = dict(_scaled(machine, lanes, factor))
        return found | dict(_scaled(machine, intervals, 1 / factor))

    return make


def _latencies(machine: Machine, factor: float, _shared: int) -> Settings:
    named = {str(line["latency"]) for line in cost_table().lines.values()} - {_BARRIER}
    return dict(_scaled(machine, sorted(named), factor))


def _l1_size(machine: Machine, factor: float, shared: int) -> Settings:
    """Multiply the L1 that is left beside what shared memory takes of their array."""
    if not l1_bytes_beside(machine, shared):
        return {}
    sets = machine.integer("l1.sets")
    found = dict(_scaled(machine, ("l1.size_bytes",), factor))
    found["l1.sets"] = int(sets * factor) if sets * factor == int(sets * factor) else sets
    if _is_one_array(machine):
        left = machine.integer("l1.unified_bytes") - shared
        found["l1.unified_bytes"] = _typed("l1.unified_bytes", shared + factor * left)
    return found


def _shared_memory(machine: Machine, factor: float, shared: int) -> Settings:
    """Multiply the most shared memory of an SM; the L1 that is left stays as large as it is.

    Where L1 has a part of the array, shared memory can be set to further sizes.
    """
    after = math.floor(machine.integer("shared.per_sm_bytes") * factor)
    if not _is_one_array(machine):
        return {"shared.per_sm_bytes": after, "shared.carveout_kib": (after // 1024,)}
    sizes = machine.integers("shared.carveout_kib")
    several = {*sizes, *(math.floor(kib * factor) for kib in sizes)}
    l1 = l1_bytes_beside(machine, shared)
    return {
        "shared.per_sm_bytes": after,
        "shared.carveout_kib": tuple(sorted(kib for kib in several if kib * 1024 <= after)),
        "l1.size_bytes": l1,
        "l1.sets": machine.integer("l1.sets"),
        "l1.unified_bytes": l1 + after,
    }


def _is_one_array(machine: Machine) -> bool:
    """Whether L1 and shared memory have one array (as ``l1_bytes_beside`` does)."""
    several = len(machine.integers("shared.carveout_kib")) > 1
    return several and machine.get("l1.unified_bytes") is not None
