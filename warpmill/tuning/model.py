"""What tuning is asked, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from warpmill.session.jobs import Job
from warpmill.simulator.gpu.options import Options
from warpmill.studies.running import Told
from warpmill.sweeps.figures import TIME
from warpmill.sweeps.points import How
from warpmill.sweeps.space import MOST_POINTS, Axis, Space, Value
from warpmill.sweeps.summary import CommonChoice
from warpmill.sweeps.sweep import Measured
from warpmill.tuning.checking import Checker
from warpmill.tuning.variants import Variant
from warpmill.tuning.verdicts import Verdict

VARIANT = "variant"
"""The name of a variant among what a choice consists of."""

NOTICEABLE = 0.02
"""A lead of less than this share is none: models do not tell so little."""

Outcome = Literal["faster", "as good", "no default", "unchecked", "nothing"]
"""What the best checked choice is: faster than the default, no faster, the best where the default
cannot be measured. ``unchecked``: whatever is faster than the default was not checked; or there is
no choice."""


@dataclass(frozen=True)
class Choice:
    """A variant in a configuration on a machine, with its figures.

    ``verdict`` None: it was not executed. ``simulated`` is what the whole-GPU model says, where it
    was asked; it may have a problem instead of figures.
    """

    row: Measured
    is_default: bool
    verdict: Verdict | None = None
    simulated: Measured | None = None

    @property
    def variant(self) -> str:
        """The variant's name."""
        return str(self.row.configuration[VARIANT])

    @property
    def is_checked(self) -> bool:
        """Whether it is known to compute what the default does."""
        return self.is_default or (self.verdict is not None and self.verdict.same is True)

    @property
    def is_simulated(self) -> bool:
        """Whether the whole-GPU model has said a time beside that of the engine."""
        return self.simulated is not None and self.simulated.problem is None

    @property
    def microseconds(self) -> float | None:
        """The time that counts: simulated where it was, else the engine's; None: it has none."""
        if self.simulated is not None and self.simulated.problem is None:
            return self.simulated.figures[TIME]
        return self.row.figures.get(TIME)


@dataclass(frozen=True)
class OnMachine:
    """Choices on one machine, the fastest first; those with another result are in ``different``.

    Those that were simulated stand before the others. ``default`` is the launch as it is written;
    where it is a choice, too, it stands among them.
    """

    machine: str
    default: Choice
    choices: tuple[Choice, ...]
    different: tuple[Choice, ...]
    failures: tuple[Measured, ...]

    def speedup(self, choice: Choice) -> float | None:
        """Give by how many times a choice is faster than the default; None: nobody knows.

        Times of one engine are compared, simulated ones where the choice has one.
        """
        if choice.is_simulated and not self.default.is_simulated:
            return None
        default, own = self.default.row.figures.get(TIME), choice.microseconds
        if choice.is_simulated:
            default = self.default.microseconds
        return default / own if own and default else None

    @property
    def best(self) -> Choice | None:
        """The first choice that computes what the default does. None where none is known to."""
        return next((choice for choice in self.choices if choice.is_checked), None)

    @property
    def unchecked(self) -> Choice | None:
        """The first choice, where it is faster than the best by more than models can tell.

        Nobody knows whether it computes the same.
        """
        first, best = next(iter(self.choices), None), self.best
        if first is None or first.is_checked:
            return None
        own, other = first.microseconds, None if best is None else best.microseconds
        if own and other and other / own < 1 + NOTICEABLE:
            return None
        return first

    @property
    def outcome(self) -> Outcome:
        """Say what the best checked choice is beside the default."""
        if not self.choices:
            return "nothing"
        speedup = None if self.best is None else self.speedup(self.best)
        if self.best is not None and speedup is None:
            return "no default"
        if speedup is not None and speedup >= 1 + NOTICEABLE:
            return "faster"
        return "as good" if self.unchecked is None else "unchecked"


@dataclass(frozen=True)
class Tuned:
    """What tuning came to.

    ``common`` is the one choice that loses least over all machines; where the best were simulated,
    of those that were on each. ``axes`` are what choices consist of, variants first and machines
    last; ``default`` what the launch itself has of them, ``sizes`` those that are sizes. ``known``
    of the configurations were measured before, ``runs`` were executed.
    """

    wanted: Wanted
    kernels: tuple[Job, ...]
    axes: tuple[Axis, ...]
    default: Mapping[str, Value]
    sizes: tuple[str, ...]
    machines: tuple[OnMachine, ...]
    common: CommonChoice | None
    runs: int
    known: int
    seconds: float

    @property
    def choices(self) -> int:
        """How many choices there are, on all machines together."""
        parts = ((one.choices, one.different, one.failures) for one in self.machines)
        return sum(len(part) for three in parts for part in three)


@dataclass(frozen=True)
class Wanted:
    """What is tried, and how it is looked at.

    The first of ``variants`` is the default. Where ``space`` has no axes, blocks that are worth a
    try are tried, or with ``keep_block`` variants alone. The ``top`` choices of each machine are
    executed unless ``checker`` is None, and ``refine`` of them simulated with the options of
    ``simulation``.
    """

    variants: tuple[Variant, ...]
    space: Space
    how: How
    keep_block: bool = False
    keep_grid: bool = False
    top: int = 10
    checker: Checker | None = None
    refine: int = 0
    simulation: Options | None = None


@dataclass(frozen=True)
class Running:
    """Where choices are kept (None: nowhere), by how many processes they are measured, who hears.

    ``begun`` hears of each sweep before it begins, ``told`` how far it is. ``executed`` hears how
    many choices were executed, ``simulated`` how many of how many were; both from 0 on.
    """

    store: str | Path | None = None
    workers: int = 1
    most: int = MOST_POINTS
    retry: bool = False
    told: Told | None = None
    begun: Callable[[str], None] | None = None
    executed: Callable[[int], None] | None = None
    simulated: Callable[[int, int], None] | None = None
