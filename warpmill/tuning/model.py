"""Request for tuning, the choices that there are, and the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from warpmill.analyzer.base.diagnostics import (
    LimitError,
    UsageError,
    WarpmillError,
    is_limit,
    none_answered,
)
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.launch import check_launch
from warpmill.analyzer.launch.model import dim3
from warpmill.session.jobs import Job, is_application
from warpmill.simulator.machines.schema import schema
from warpmill.studies.options import MOST_POINTS
from warpmill.studies.running import ProgressListener
from warpmill.sweeps.figures import TIME
from warpmill.sweeps.launches import Launches, shape_word
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, Configuration, SweepSpace, Value
from warpmill.sweeps.summary import CommonChoice
from warpmill.sweeps.sweep import MeasuredConfiguration
from warpmill.tuning.comparing import Comparer
from warpmill.tuning.variants import Variant
from warpmill.tuning.verdicts import Verdict

VARIANT = "variant"
"""The name of a variant among what a choice consists of."""

NOTICEABLE = 0.02
"""A lead of less than this share is none: models do not tell so little."""

Result = Literal["same", "different", "unknown", "not executed"]
Outcome = Literal["faster", "as good", "no default", "not compared", "nothing"]
"""Outcome of the best choice that was compared: faster than the default, no faster, best where the
default cannot be measured. ``not compared``: whatever is faster than the default was not; or there
is no choice."""


@dataclass(frozen=True)
class Choice:
    """A variant in a configuration on a machine, with its figures, or the launch as it is written.

    ``verdict`` says what differs from the default, or why nobody knows; null: it was not executed.
    ``simulated`` is what the whole-GPU model says, where it was asked; it may have a problem
    instead of figures. ``speedup``: by how many times it is faster than the default, by simulated
    times where it has one; null where nobody knows.
    """

    row: MeasuredConfiguration
    is_default: bool
    verdict: Verdict | None = None
    simulated: Annotated[MeasuredConfiguration | None, INTERNAL] = None
    speedup: Annotated[float | None, Metric("Speedup", mark=Mark.MODELLED)] = None

    @derived("Result")
    def result(self) -> Result:
        """Whether it leaves in memory what the default does."""
        if self.verdict is None:
            return "not executed"
        if self.verdict.same is None:
            return "unknown"
        return "same" if self.verdict.same else "different"

    @derived("Simulated execution", "µs", Mark.MODELLED)
    def simulated_us(self) -> float | None:
        """Its time on the whole GPU, without launching; null where it was not simulated."""
        return self.microseconds if self.is_simulated else None

    @derived("Not simulated")
    def not_simulated(self) -> str | None:
        """Reason why it has no simulated time where one was asked for."""
        return None if self.simulated is None else self.simulated.problem

    @property
    def variant(self) -> str:
        """The variant's name."""
        return str(self.row.configuration[VARIANT])

    @property
    def is_compared(self) -> bool:
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
class MachineTuning:
    """Choices on one machine, the fastest first; those with another result are in ``different``.

    Those that were simulated stand before the others. ``default`` is the launch as it is written;
    where it is a choice, too, it stands among them. ``failures`` have no time.
    """

    machine: str
    default: Choice
    choices: tuple[Choice, ...]
    different: tuple[Choice, ...]
    failures: tuple[MeasuredConfiguration, ...]

    @property
    def ranked(self) -> MachineTuning:
        """The same, with ranks and speedups in the choices."""
        times = [choice.row.figures[TIME] for choice in self.choices]
        fastest = min(times, default=0.0)
        ranks = {key_of_row(one.row): rank for rank, one in enumerate(self.choices, start=1)}

        def told(choice: Choice) -> Choice:
            time = choice.row.figures.get(TIME)
            behind = time / fastest if time is not None and fastest > 0 else None
            row = replace(choice.row, rank=ranks.get(key_of_row(choice.row)), times_fastest=behind)
            return replace(choice, row=row, speedup=self.speedup(choice))

        return replace(
            self,
            default=told(self.default),
            choices=tuple(map(told, self.choices)),
            different=tuple(map(told, self.different)),
        )

    def speedup(self, choice: Choice) -> float | None:
        """Speedup of a choice over the default; None: nobody knows.

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
        return next((choice for choice in self.choices if choice.is_compared), None)

    @property
    def uncompared(self) -> Choice | None:
        """The first choice, where it is faster than the best by more than models can tell.

        Nobody knows whether it computes the same.
        """
        first, best = next(iter(self.choices), None), self.best
        if first is None or first.is_compared:
            return None
        own, other = first.microseconds, None if best is None else best.microseconds
        if own and other and other / own < 1 + NOTICEABLE:
            return None
        return first

    @derived("Rank of best", mark=Mark.MODELLED)
    def best_rank(self) -> int | None:
        """The rank of the best that computes what the default does; null: none is known to."""
        return None if self.best is None else self.choices.index(self.best) + 1

    @derived("Rank of unknown result", mark=Mark.MODELLED)
    def uncompared_rank(self) -> int | None:
        """The rank of a faster one of which nobody knows; null: there is none."""
        return None if self.uncompared is None else 1

    @derived("Result")
    def outcome(self) -> Outcome:
        """Outcome of the best choice that was compared beside the default.

        ``faster`` by 2 % or more, ``as good``, ``no default`` where the default has no time there,
        ``not compared`` where none that is faster is known to compute the same, or ``nothing``
        where no choice remains.
        """
        if not self.choices:
            return "nothing"
        speedup = None if self.best is None else self.speedup(self.best)
        if self.best is not None and speedup is None:
            return "no default"
        if speedup is not None and speedup >= 1 + NOTICEABLE:
            return "faster"
        return "as good" if self.uncompared is None else "not compared"


@dataclass(frozen=True)
class Tuned:
    """Result of tuning.

    ``common`` is the one choice that loses least over all machines; where the best were simulated,
    of those that were on each. ``axes`` are what choices consist of, variants first and machines
    last; ``default`` what the launch itself has of them, ``sizes`` those that are sizes. ``known``
    of the configurations were measured before, ``runs`` were executed.
    """

    wanted: TuneRequest
    kernels: Annotated[tuple[Job, ...], INTERNAL]
    axes: Annotated[tuple[Axis, ...], INTERNAL]
    default: Mapping[str, Value]
    sizes: Annotated[tuple[str, ...], INTERNAL]
    machines: tuple[MachineTuning, ...]
    common: CommonChoice | None
    runs: Annotated[int, Metric("Configurations executed")]
    known: Annotated[int, INTERNAL]
    seconds: Annotated[float, INTERNAL]

    @derived("Speedup", mark=Mark.MODELLED)
    def common_speedup(self) -> float | None:
        """Speedup of the common choice over the default, geometric mean.

        Null: there is none, or it has no time.
        """
        if self.common is None:
            return None
        chosen = self.common.choice
        speedups = [
            one.speedup(choice)
            for one in self.machines
            for choice in one.choices
            if all(choice.row.configuration[name] == value for name, value in chosen.items())
        ]
        known = [speedup for speedup in speedups if speedup]
        return math.prod(known) ** (1 / len(known)) if len(known) == len(speedups) else None

    @property
    def choices(self) -> int:
        """How many choices there are, on all machines together."""
        parts = ((one.choices, one.different, one.failures) for one in self.machines)
        return sum(len(part) for three in parts for part in three)


@dataclass(frozen=True)
class TuneRequest:
    """Request for tuning: what is tried, and how it is looked at.

    The first of ``variants`` is the default. Where ``space`` has no axes, blocks that are worth a
    try are tried, or with ``keep_block`` variants alone. The ``top`` choices of each machine are
    executed unless ``comparer`` is None, and ``refine`` of them simulated with the options that
    ``how`` has for it.
    """

    variants: tuple[Variant, ...]
    space: Annotated[SweepSpace, INTERNAL]
    how: Annotated[EvaluationConfig, INTERNAL]
    keep_block: bool = False
    keep_grid: bool = False
    top: int = 10
    comparer: Annotated[Comparer | None, INTERNAL] = None
    refine: int = 0


@dataclass(frozen=True)
class Running:
    """Store of choices (None: none), number of processes, and listeners.

    ``begun`` hears of each sweep before it begins, ``told`` how far it is. ``executed`` hears how
    many choices were executed, ``simulated`` how many of how many were; both from 0 on.
    """

    store: str | Path | None = None
    workers: int = 1
    most: int = MOST_POINTS
    retry: bool = False
    told: ProgressListener | None = None
    begun: Callable[[str], None] | None = None
    executed: Callable[[int], None] | None = None
    simulated: Callable[[int, int], None] | None = None


# Choices: a space of configurations for each variant.

NOT_COMPUTED = ("machine", "regs")
"""Parts of a configuration that do not decide what a launch computes."""


def launches_of(variants: Sequence[Variant]) -> dict[str, Launches]:
    """All variants, read, by name. InputError and UsageError, which say of which variant."""
    found = {}
    for place, variant in enumerate(variants):
        try:
            found[variant.name] = launches = Launches(variant.target)
            for job in launches.base:
                _check_arguments(job)
        except WarpmillError as error:
            if not place:
                raise
            words = f"variant {variant.name}: "
            said = [replace(d, message=words + d.message) for d in error.diagnostics]
            if isinstance(error, UsageError):
                raise UsageError(*said) from None
            raise none_answered([is_limit(error)], *said) from None
    return found


def _check_arguments(job: Job) -> None:
    """Refuse a kernel that takes other arguments, whatever its block is to be. InputError."""
    bounds, launch = job.kernel.bounds, job.required_launch()
    block = dim3(bounds.required_threads or 1)
    check_launch(replace(launch, block=block), job.loaded.module, job.kernel)


def spaces_of(
    wanted: TuneRequest, launches: Mapping[str, Launches], most: int
) -> dict[str, SweepSpace]:
    """Space of each variant. UsageError for what nobody chooses, LimitError."""
    _check(wanted)
    spaces = {name: _space(wanted, own) for name, own in launches.items()}
    number = sum(space.size for space in spaces.values()) * len(wanted.how.machines)
    if number > most:
        words = f"there are {number:,} choices, more than {most:,}"
        raise LimitError(f"{words}; raise the limit with --max-points")
    return spaces


def _check(wanted: TuneRequest) -> None:
    if wanted.keep_block and (wanted.space.axes or wanted.space.conditions):
        raise UsageError("--keep-block is for variants alone: nothing else is varied then")
    if wanted.keep_block and len(wanted.variants) == 1:
        raise UsageError("nothing is tried: --keep-block is for variants, given by --variant FILE")
    for axis in wanted.space.axes:
        if axis.name == "machine" or axis.name in schema().keys:
            raise UsageError(
                f"--over {axis.name}: nobody chooses that for a launch; name machines with "
                "--machine, change their values with --set, or see `warpmill sweep`"
            )
        if axis.name == VARIANT:
            raise UsageError("--over variant: variants are files, each with its own --variant")
        if axis.name == "grid" and wanted.keep_grid:
            raise UsageError("--over grid varies what --keep-grid keeps: give one of them")


def _space(wanted: TuneRequest, launches: Launches) -> SweepSpace:
    given, base = wanted.space, launches.base
    if not given.axes and not wanted.keep_block:
        given = replace(given, axes=(Axis("block", _blocks(launches)),))
    if wanted.keep_grid and len(base) == 1:
        grid = shape_word(base[0].required_launch().grid)
        given = replace(given, axes=(*given.axes, Axis("grid", (grid,))))
    return given


def _blocks(launches: Launches) -> tuple[Value, ...]:
    """Blocks that are worth a try. UsageError for what has no block of its own."""
    path, base = launches.target.path, launches.base
    if is_application(path):
        raise UsageError(
            f"{path} is an application, and the data of its launches belong to the blocks that it "
            "gives them; vary its sizes with --over, or write a launch file"
        )
    if len(base) > 1:
        raise UsageError(
            f"{path} has {len(base)} launches; say with --launch N or --kernel which one, or with "
            "--over which size of theirs is varied"
        )
    return blocks_of(base[0])


def axes_of(wanted: TuneRequest, spaces: Mapping[str, SweepSpace]) -> tuple[Axis, ...]:
    """The axes of all variants together, with variants as the first and machines as the last.

    The grid that is kept is none of them.
    """
    found: dict[str, dict[Value, None]] = {}
    for space in spaces.values():
        for axis in space.axes:
            if axis.name != "grid" or not wanted.keep_grid:
                found.setdefault(axis.name, {}).update(dict.fromkeys(axis.values))
    names = tuple(variant.name for variant in wanted.variants)
    in_order = tuple if wanted.space.axes else _in_order
    varied = (Axis(name, in_order(values)) for name, values in found.items())
    return (Axis(VARIANT, names), *varied, Axis("machine", wanted.how.machines))


def _in_order(values: Mapping[Value, None]) -> tuple[Value, ...]:
    """Values with numbers sorted, as the blocks of several variants; shapes stay."""
    numbers = sorted(value for value in values if isinstance(value, int))
    return tuple(numbers) if len(numbers) == len(values) else tuple(values)


def of_default(launches: Launches, name: str) -> dict[str, Value]:
    """The values that the launch as it is written has of all that may be varied."""
    launch = launches.base[0].required_launch()
    return {
        VARIANT: name,
        "block": shape_word(launch.block),
        "grid": shape_word(launch.grid),
        "shared": launch.dynamic_shared_bytes,
        **launches.sizes,
    }


def is_default(
    configuration: Configuration, own: Mapping[str, Value], *, apart_from: Sequence[str] = ()
) -> bool:
    """Whether a configuration is what the launch has, ``own``, but for some names."""
    said = {k: v for k, v in configuration.items() if k not in ("machine", *apart_from)}
    return all(key in own and _plain(value) == _plain(own[key]) for key, value in said.items())


def _plain(value: Value) -> str:
    """A value as all of one meaning are: of a shape sides of 1 at its end are left out."""
    text = str(value)
    while text.endswith("x1"):
        text = text[:-2]
    return text


def key_of_row(row: MeasuredConfiguration) -> tuple[tuple[str, Value], ...]:
    """Key of a row: all of its configuration."""
    return tuple(sorted(row.configuration.items()))


def key_of(configuration: Configuration) -> tuple[tuple[str, Value], ...]:
    """Key of what a choice computes."""
    said = {k: v for k, v in configuration.items() if k not in NOT_COMPUTED}
    return tuple(sorted(said.items()))


# Blocks that are worth a try, where nobody names any.

MOST_THREADS = 1024
"""Threads of a CTA that no GPU exceeds."""

_WARPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Warps of a block in one direction: occupancy changes at each of them on some machine."""

_NARROWEST = 8
"""Threads in x of a block in two directions: fewer leave most of each sector unused."""


def blocks_of(job: Job) -> tuple[Value, ...]:
    """Blocks in ascending order, that of the launch among them where the kernel allows it.

    They have whole warps, in as many directions as the launch uses: multiples of the warp in one,
    sides of powers of two in two; what it has in z stays. A kernel that was compiled for one block
    has that alone.
    """
    launch, bounds = job.required_launch(), job.kernel.bounds
    own = launch.block
    if bounds.required_threads is not None:
        return (shape_word(dim3(bounds.required_threads)),)
    most = MOST_THREADS
    if bounds.max_threads is not None:
        most = min(most, math.prod(bounds.max_threads))
    lanes, depth = job.loaded.module.warp_size, own[2]
    if own[1] == 1 and launch.grid[1] == 1:
        shapes = {(lanes * k, 1, depth) for k in _WARPS}
    else:
        sides = [1 << k for k in range(11)]
        shapes = {(x, y, depth) for x in sides for y in sides if x >= _NARROWEST}
    kept = {s for s in shapes if lanes <= math.prod(s) <= most}
    if math.prod(own) <= most:
        kept.add(own)
    ordered = sorted(kept, key=lambda s: (math.prod(s), s))
    return tuple(map(shape_word, ordered))
