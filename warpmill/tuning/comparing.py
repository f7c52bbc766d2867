"""Whether a choice computes what the default does: both are executed, and their buffers compared.

A block that a kernel was not written for is fast and wrong; so is a variant with a mistake. Where
the launch takes more than a run may, its sizes are made smaller; where nobody says what its buffers
hold, they hold random numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from warpmill.analyzer.base.diagnostics import LimitError, UsageError, WarpmillError
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Launch,
    RefArgument,
    StructArgument,
    Zeros,
)
from warpmill.analyzer.launch.options import FILLS
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.native.layout import FaultKind
from warpmill.session.data import data_are_given
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions
from warpmill.session.runs import Buffer, run_jobs
from warpmill.sweeps.launches import Launches, SweepTarget, VariantCode, shape_word
from warpmill.sweeps.space import Configuration
from warpmill.sweeps.space import SweepSpace as Varied
from warpmill.tuning.options import MOST_INSTRUCTIONS
from warpmill.tuning.verdicts import TOLERANCES, Verdict, compared

FAULTS = {
    FaultKind.OUT_OF_BOUNDS: "it accesses memory out of bounds",
    FaultKind.NULL: "it accesses memory out of bounds",
    FaultKind.MISALIGNED: "it accesses memory where it is not aligned",
    FaultKind.DIVERGENT_BARRIER: "its threads do not meet at a barrier",
    FaultKind.BARRIER_DEADLOCK: "its threads do not meet at a barrier",
    FaultKind.SPIN: "it waits for ever",
}
_FAULT = "it cannot be executed to its end"
_NO_RUN = "it cannot be executed here"
_LIMIT = "it takes more than a run may"

_SMALLER = 8
"""Runs at sizes that nobody chose take so many times less than a run may: there are many."""

_LEAST_SIZE = 64
"""Sizes below this are tiles and the like: they stay."""

_PERIOD = 1024
"""Modulus of a size that stays as it is: kernels that are wrong there show it."""


@dataclass(frozen=True)
class ComparisonsMade:
    """How choices were executed, ``runs`` of them with the default.

    ``best`` choices of each machine are executed. ``sizes`` are those of the runs where they are
    others than the launch's; ``sizes_are_chosen`` where nobody said them, and the launch as it is
    takes more than ``max_instructions``. ``data_are_random`` where nobody said what buffers hold.
    ``tolerances`` say how far numbers may be apart, by the type of a buffer.
    """

    runs: int
    best: int
    sizes: Mapping[str, str]
    sizes_are_chosen: bool
    data_are_random: bool
    max_instructions: int
    tolerances: Mapping[str, float]


class Comparer:
    """Executes choices beside the default and compares all that they leave in memory.

    ``sizes`` are those of smaller runs: given, or ``are_chosen`` where the launch as it is takes
    more than ``max_instructions``. ``is_random``: buffers hold random numbers, as nobody says what
    they hold. CTAs run in ``workers`` threads.
    """

    def __init__(
        self,
        base: SweepTarget,
        sizes: Mapping[str, int | str] | None = None,
        max_instructions: int = MOST_INSTRUCTIONS,
        workers: int = 1,
    ) -> None:
        self.sizes, self.max_instructions = dict(sizes or {}), max_instructions
        self._base = base
        self._options = RunOptions(max_instructions=max_instructions, workers=workers)
        self._launches: dict[tuple[str, str | None, VariantCode | None], Launches] = {}
        self._expected: tuple[Buffer, ...] | Verdict | None = None
        self._runs = 0
        self._varied: frozenset[str] = frozenset()
        self.are_chosen = self.is_random = False

    @property
    def runs(self) -> int:
        """How many runs were begun, that of the default among them."""
        return self._runs

    def made(self, best: int) -> ComparisonsMade:
        """Executions so far, of the ``best`` choices of each machine."""
        return ComparisonsMade(
            self.runs,
            best,
            {name: str(value) for name, value in self.sizes.items()},
            self.are_chosen,
            self.is_random,
            self.max_instructions,
            TOLERANCES,
        )

    def prepare(self, target: SweepTarget, space: Varied) -> None:
        """Read a target with the sizes of runs. InputError; UsageError for sizes that are none."""
        varied = [axis.name for axis in space.axes if axis.name in self.sizes]
        if varied:
            raise UsageError(
                f"--compare-size {varied[0]}: it is varied, so that each run has its own"
            )
        if self.sizes and not target.is_launch_file:
            raise UsageError(
                f"--compare-size changes the sizes of a launch file, and {target.path} is none"
            )
        self._varied |= {axis.name for axis in space.axes}
        self._of(target)

    def compare(
        self, target: SweepTarget, configuration: Configuration, *, keep_grid: bool = False
    ) -> Verdict:
        """Whether a choice leaves the same behind. ``keep_grid``: its grid is that of runs."""
        expected = self._default()
        if isinstance(expected, Verdict):
            return expected
        launches = self._of(target)
        if keep_grid:
            grid = shape_word(launches.base[0].required_launch().grid)
            configuration = {**configuration, "grid": grid}
        try:
            jobs = launches.jobs(configuration)
        except WarpmillError as error:
            return Verdict(None, "it cannot be launched at the size of runs", _words(error))
        try:
            found = self._left_by(jobs)
        except WarpmillError as error:
            return _failed(error)
        return compared(expected, found)

    def _of(self, target: SweepTarget) -> Launches:
        """The launches of a target, with the sizes of runs."""
        key = target.path, target.kernel, target.code
        if key not in self._launches:
            sizes = {**target.options.sizes, **self.sizes}
            smaller = replace(target, options=replace(target.options, sizes=sizes))
            self._launches[key] = Launches(smaller)
        return self._launches[key]

    def _default(self) -> tuple[Buffer, ...] | Verdict:
        if self._expected is None:
            self._expected = self._made_default()
        return self._expected

    def _made_default(self) -> tuple[Buffer, ...] | Verdict:
        jobs = self._of(self._base).base
        if any(job.recorded is not None for job in jobs):
            words = "launches of an application are not executed apart from it"
            return Verdict(None, words, words)
        self.is_random = not all(map(data_are_given, jobs))
        try:
            found = self._left_by(jobs)
        except LimitError as error:
            smaller = self._left_by_smaller()
            if smaller is None:
                return Verdict(None, "the default cannot be executed", _failed(error).reason)
            found = smaller
        except WarpmillError as error:
            words = _words(error)
            if self.is_random:
                words = f"with random numbers in its buffers (--arg says what they hold): {words}"
            return Verdict(None, "the default cannot be executed", words)
        if not any(buffer.changed for buffer in found):
            words = "the default changes no buffer: there is nothing to compare"
            return Verdict(None, words, words)
        return found

    def _left_by_smaller(self) -> tuple[Buffer, ...] | None:
        """Execute the default at smaller sizes; None where it has none, or does not run so."""
        if self.sizes or not self._base.is_launch_file:
            return None
        given = self._of(self._base).sizes
        every, options = dict(given), self._options
        self._options = replace(options, max_instructions=self.max_instructions // _SMALLER)
        while smaller := _smaller(every, self._varied):
            every |= smaller
            self.sizes = {name: size for name, size in every.items() if size != given[name]}
            self._launches.clear()
            try:
                found = self._left_by(self._of(self._base).base)
            except LimitError:
                continue
            except WarpmillError:
                break
            self.are_chosen = True
            return found
        self.sizes, self._options = {}, options
        self._launches.clear()
        return None

    def _left_by(self, jobs: tuple[Job, ...]) -> tuple[Buffer, ...]:
        self._runs += 1
        first = needed_before(jobs[0]) if len(jobs) == 1 else ()
        every = (*first, *jobs)
        if self.is_random:
            every = tuple(job.with_launch(with_random(job.required_launch())) for job in every)
        return run_jobs(every, self._options).buffers


def _smaller(sizes: Mapping[str, int], kept: Collection[str]) -> dict[str, int]:
    """The largest of the sizes a quarter of what it is; nothing where all are small."""
    free = {n: size for n, size in sizes.items() if n not in kept and size >= _LEAST_SIZE}
    if not free:
        return {}
    name = max(free, key=lambda n: free[n])
    quarter = free[name] // 4
    period = min(_PERIOD, 1 << (quarter.bit_length() - 1))
    return {name: quarter // period * period + free[name] % period}


def with_random(launch: Launch) -> Launch:
    """A launch whose buffers of zeros hold random numbers, each of them others."""

    def filled(argument: Argument, seed: int) -> Argument:
        if not isinstance(argument, BufferArgument) or not isinstance(argument.init, Zeros):
            return argument
        init = FILLS["uniform"](argument.type, argument.element_count)
        return replace(argument, init=init, seed=seed)

    arguments = tuple(filled(each, seed) for seed, each in enumerate(launch.arguments))
    return replace(launch, arguments=arguments)


def needed_before(job: Job) -> tuple[Job, ...]:
    """Earlier launches that have made what a launch finds in memory.

    They share buffers by their names, or those of launches that do; variables of a module may be
    shared by all of its kernels.
    """
    if any(variable.space is Space.GLOBAL for variable in job.loaded.module.variables):
        return job.before
    names, needed = _names(job), []
    for earlier in reversed(job.before):
        if names & _names(earlier):
            names |= _names(earlier)
            needed.append(earlier)
    return tuple(reversed(needed))


def _names(job: Job) -> set[str]:
    """Name the buffers that a launch makes or takes from others."""
    buffers: list[BufferArgument] = []
    left = list(job.required_launch().arguments)
    while left:
        match left.pop():
            case BufferArgument() as buffer:
                buffers.append(buffer)
            case RefArgument(buffer):
                buffers.append(buffer)
            case StructArgument(fields):
                left += fields
    return {buffer.name for buffer in buffers if buffer.name is not None}


def _failed(error: WarpmillError) -> Verdict:
    """Verdict of a run that did not finish: a fault is wrong, a limit decides nothing."""
    if isinstance(error, ExecutionFault):
        return Verdict(False, FAULTS.get(error.fault.kind, _FAULT), _words(error))
    if isinstance(error, LimitError):
        hint = "--compare-size makes runs smaller"
        if any("--max-instructions" in (d.hint or "") for d in error.diagnostics):
            hint += ", --max-compare-instructions moves the limit"
        return Verdict(None, _LIMIT, f"{_words(error)} ({hint})")
    return Verdict(None, _NO_RUN, _words(error))


def _words(error: WarpmillError) -> str:
    return "; ".join(d.message for d in error.diagnostics)
