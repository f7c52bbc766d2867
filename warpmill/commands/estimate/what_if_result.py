"""Part of ``estimate``: what a launch would take on machines with more or less of one thing."""

from __future__ import annotations

from warpmill.report.base import Part
from warpmill.session.what_if import Setting, WhatIf
from warpmill.simulator.machines.schema import Scalar, schema


class SettingFacts(Part):
    """A value of a machine before a change and after it; ``before`` is null where it had none."""

    key: str
    unit: str
    before: str | None
    after: str


class WhatIfFacts(Part):
    """The estimate on a machine with ``factor`` times as much of one thing.

    ``time_us`` is that of the launch, of which ``execution_us`` and ``launch_us`` are the parts;
    ``ratio`` is its over that on the machine as it is. All are null where there is no estimate;
    ``problem`` then says why, and is empty otherwise. ``within_noise``: the difference is no more
    than ``what_if_noise_fraction``.
    """

    name: str
    factor: float
    time_us: float | None
    execution_us: float | None
    launch_us: float | None
    ratio: float | None
    within_noise: bool
    problem: str
    settings: list[SettingFacts]


def what_if_facts(found: WhatIf) -> WhatIfFacts:
    """Report one change."""
    whole, alone = found.microseconds, found.execution_microseconds
    return WhatIfFacts(
        name=found.name,
        factor=found.factor,
        time_us=whole,
        execution_us=alone,
        launch_us=None if whole is None or alone is None else whole - alone,
        ratio=found.ratio,
        within_noise=found.within_noise,
        problem=found.problem,
        settings=[_setting(one) for one in found.settings],
    )


def _setting(one: Setting) -> SettingFacts:
    before = None if one.before is None else _words(one.before)
    unit = schema().keys[one.key].unit
    return SettingFacts(key=one.key, unit=unit, before=before, after=_words(one.after))


def _words(value: Scalar) -> str:
    from warpmill.simulator.machines.describe import value_words  # noqa: PLC0415 - the tables are slow

    return value_words(value)
