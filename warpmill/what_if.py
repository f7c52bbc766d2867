"""What a launch would take on machines that have twice or half as much of one thing.

An estimate says what bounds a launch; this says what changing it would bring, as the bound moves.
Each answer is an estimate of its own, from the same traces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.estimates import Estimator
from warpmill.machine_changes import Change, changed, changes, factors, floors
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import Scalar
from warpmill.simulator.occupancy import Occupancy, occupancy


@dataclass(frozen=True)
class Setting:
    """A value of a machine before a change and after it, in the unit of the key."""

    key: str
    before: Scalar | None
    after: Scalar


@dataclass(frozen=True)
class WhatIf:
    """What a launch would take with ``factor`` times as much of one thing.

    ``microseconds`` are those of the launch, ``execution_microseconds`` those of them that are not
    launching; ``ratio`` is over those of the launch on the machine as it is. All are None where
    there is no estimate, and ``problem`` says why. ``noise`` is the part of the time by which
    estimates of such changes differ for no cause but the order of warps; one figure for all changes
    of a machine.
    """

    name: str
    factor: float
    settings: tuple[Setting, ...]
    execution_microseconds: float | None
    microseconds: float | None
    ratio: float | None
    problem: str = ""
    noise: float = 0.0

    @property
    def within_noise(self) -> bool:
        """Whether the change makes no difference that the estimate resolves."""
        return self.ratio is not None and abs(self.ratio - 1.0) <= self.noise


def what_if(
    estimator: Estimator, machine: Machine, base: Estimate | None = None
) -> tuple[WhatIf, ...]:
    """Estimate a job on machines that differ from one in a single thing, twice and half of it.

    ``base`` is the estimate on the machine as it is, where it was made already. Left out is what
    the machine has nothing of, and resources that the launch never keeps busy. Errors as
    ``Estimator.on`` for the machine as it is; UsageError for a machine that is in no file.
    """
    found = estimator.on(machine) if base is None else base
    busy = {u.resource for u in found.utilisation if u.fraction > 0}
    asked = [change for change in changes() if not change.busy or change.busy in busy]
    changed(machine, {})
    answers = [(c, _answer(estimator, machine, found, c, f)) for c in asked for f in factors()]
    made = [(change, answer) for change, answer in answers if answer is not None]
    noise = max([LEAST_NOISE, *(_wrong_way(change, answer) for change, answer in made)])
    return tuple(replace(answer, noise=noise) for _, answer in made)


LEAST_NOISE = 0.01
"""The part of the time that no difference between estimates is told below."""


def _wrong_way(change: Change, answer: WhatIf) -> float:
    """How much slower a change makes a launch that helps, or faster one that harms; else 0.

    A faster pipe or a shorter latency holds nothing longer: what is lost is that warps issue in
    another order.
    """
    if not change.helps or answer.ratio is None:
        return 0.0
    better = (answer.factor > 1.0) == (change.helps == "more")
    return answer.ratio - 1.0 if better else 1.0 - answer.ratio


def _answer(
    estimator: Estimator, machine: Machine, base: Estimate, change: Change, factor: float
) -> WhatIf | None:
    """Estimate one change; None where it changes nothing of the machine."""
    values = change.make(machine, factor, base.occupancy.carveout_bytes)
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
    time = made.total_microseconds
    return WhatIf(
        change.name, factor, settings, made.microseconds, time, time / base.total_microseconds
    )


def _settings(machine: Machine, values: Mapping[str, Scalar | None]) -> Iterator[Setting]:
    """Give the values that are other ones than the machine's."""
    for key, after in values.items():
        before = _value(machine, key)
        if after is not None and after != before:
            yield Setting(key, before, after)


def _value(machine: Machine, key: str) -> Scalar | None:
    found = machine.get(key)
    return None if found is None else found.value


def _fits_alike(base: Estimate, other: Machine) -> bool:
    """Tell whether SMs hold the CTAs that they hold on the machine as it is.

    The paper's pipeline looks at the slots for warps too (§IV-A-2).
    """
    fit: Occupancy = base.occupancy
    threads = fit.warps_per_block * other.integer("machine.warp_size")
    found = occupancy(other, threads, base.registers.registers, base.shared_bytes)
    return (found.blocks_per_sm, found.carveout_bytes) == (fit.blocks_per_sm, fit.carveout_bytes)
