"""The search for the largest reduction whose IPC, simulated, stays near the original's.

First the clone that is made where no factor is given, whose loops have their own. Then one factor
for all loops: powers of two from the largest down, as the smallest clones are the quickest to
simulate; and from there a factor for each loop: those that execute most first, each is doubled for
as long as the IPC stays inside. The first clone is kept where it is inside and smaller than what is
found so. A clone that is like one before is not simulated again. Nothing depends on time, so that
the same search finds the same clone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric
from warpmill.cloning.clone import Cloned, ProfiledTarget, clone_studied
from warpmill.cloning.fidelity import ipc_error, read_back, simulate_clone
from warpmill.cloning.files import beside, folder_of
from warpmill.cloning.options import CloneOptions
from warpmill.codegen.synthesis.loops import clone_loops
from warpmill.codegen.synthesis.make import largest_reduction, reductions
from warpmill.session.options import SimulationSetup
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.machines.model import Machine

MOST_SIMULATIONS = 64
"""Clones that a search simulates at most."""

Reductions = Mapping[str, Mapping[int, int]]
SearchProgress = Callable[[int, str], None]
"""Callback with the number of the clone that is simulated next, and its words."""


@dataclass(frozen=True, order=True)
class LoopFactor:
    """The factor of a loop, by the kernel's name and the block that the loop begins with.

    There are several of a loop where each group of launches of its kernel has its own.
    """

    kernel: str
    block: Id
    factor: Annotated[int, Metric("Factor", "x")]


@dataclass(frozen=True)
class Trial:
    """A clone that was simulated. ``factor`` is of all loops; null: each has its own.

    ``factors`` are those of single loops. ``ipc_difference`` is a share of the original's, with its
    sign; ``thread_instructions`` are those that the clone executes.
    """

    factor: Annotated[int | None, Metric("Factor", "x")]
    factors: tuple[LoopFactor, ...]
    ipc_difference: Annotated[float, Metric("Difference of IPC", "%", Mark.MODELLED)]
    thread_instructions: Annotated[int, Metric("Thread instructions", "thread inst")]

    @property
    def reductions(self) -> Reductions:
        """The factors as ``CloneOptions`` has them; of several of a loop the smallest."""
        found: dict[tuple[str, int], int] = {}
        for one in self.factors:
            key = one.kernel, one.block
            found[key] = min(one.factor, found.get(key, one.factor))
        return _by_kernel(found)


@dataclass(frozen=True)
class Search:
    """Trials, in order. ``met``: the chosen clone's error is no more than ``max_error``.

    ``cpu_seconds`` are those of making and simulating clones, and those of the original apart.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    machine: str
    max_error: Annotated[float, Metric("Difference of IPC at most", "%")]
    trials: tuple[Trial, ...]
    chosen: Trial
    met: bool
    complete: bool
    """Whether the search ended by itself, and not by the limit of simulations."""
    cpu_seconds: Annotated[float, INTERNAL] = field(compare=False)


@dataclass(frozen=True)
class ChosenClone:
    """The clone that was chosen, and how it was found."""

    cloned: Cloned
    search: Search


def search(
    studied: ProfiledTarget,
    options: CloneOptions,
    machine: Machine,
    original: SimResult,
    *,
    max_error: float,
    how: SimulationSetup | None = None,
    search_progress: SearchProgress | None = None,
) -> ChosenClone:
    """Find a clone that is small and keeps the IPC; else the one whose error is least.

    It is no larger than the one that is made without factors, where that keeps the IPC.

    ``original`` is its simulation on ``machine``. Errors as ``simulate``.
    """
    begin = time.process_time()
    trying = _Trying(studied, options, machine, original, how or SimulationSetup(), search_progress)
    first = None if trying.default_has_one_factor else trying.default()
    best = _one_factor(trying, max_error)
    if best is not None:
        best = _factors_of_loops(trying, best, max_error)
    if first is not None and abs(first.ipc_difference) <= max_error:
        best = min(best or first, first, key=lambda t: t.thread_instructions)
    met = best is not None
    nearest = min(trying.trials, key=lambda t: (abs(t.ipc_difference), t.thread_instructions))
    chosen = best or nearest
    done = Search(
        machine.name,
        max_error,
        trying.trials,
        chosen,
        met,
        not trying.is_full,
        time.process_time() - begin,
    )
    return ChosenClone(trying.made(chosen), done)


def _one_factor(trying: _Trying, max_error: float) -> Trial | None:
    """Try one factor for all loops, the largest first."""
    factor = trying.largest
    while factor and not trying.is_full:
        trial = trying.trial(factor, f"all loops by {factor}")
        if abs(trial.ipc_difference) <= max_error:
            return trial
        factor //= 2
    return None


def _factors_of_loops(trying: _Trying, best: Trial, max_error: float) -> Trial:
    """Raise the factors of single loops from those of ``best`` on."""
    assert best.factor is not None
    loops = list(trying.loops)
    factors = {loop: best.factor for loop, _ in loops}
    if len(loops) < 2:
        return best
    for loop, iterations in loops:
        while factors[loop] * 2 <= iterations and not trying.is_full:
            raised = {**factors, loop: factors[loop] * 2}
            kernel, header = loop
            words = f"loop B{header} of {kernel} by {raised[loop]}"
            trial = trying.trial(_by_kernel(raised), words)
            inside = abs(trial.ipc_difference) <= max_error
            if not inside or trial.thread_instructions >= best.thread_instructions:
                break
            factors, best = raised, trial
    return best


def _by_kernel(factors: Mapping[tuple[str, int], int]) -> Reductions:
    found: dict[str, dict[int, int]] = {}
    for (kernel, header), factor in factors.items():
        found.setdefault(kernel, {})[header] = factor
    return found


class _Trying:
    """Trials of clones, each made and simulated once."""

    def __init__(
        self,
        studied: ProfiledTarget,
        options: CloneOptions,
        machine: Machine,
        original: SimResult,
        how: SimulationSetup,
        search_progress: SearchProgress | None,
    ) -> None:
        self._studied, self._options = studied, replace(options, reductions=None, max_error=None)
        self._machine, self._original = machine, original
        self._how, self._search_progress = how, search_progress
        self._known: dict[tuple[tuple[str, str], ...], tuple[float, int]] = {}
        self._asked: dict[Trial, int | Reductions | None] = {}
        self._default = clone_studied(studied, replace(self._options, reduction="max"))
        self._factors = tuple(sorted(set(_default_factors(self._default, options))))
        least = self._options.min_instructions
        factors = (largest_reduction(subject, least) for subject in studied.subjects)
        self.largest = max(factors, default=1)
        self.loops = tuple(_loops(self._default))

    @property
    def trials(self) -> tuple[Trial, ...]:
        """Trials, in order."""
        return tuple(self._asked)

    @property
    def is_full(self) -> bool:
        """Whether as many clones have been simulated as may be."""
        return len(self._known) >= MOST_SIMULATIONS

    @property
    def default_has_one_factor(self) -> bool:
        """Whether the clone that is made without factors is that of one factor for all loops."""
        factors = {one.factor for one in self._factors} or {1}
        launches = max(len(own) for own in self._default.stands_for)
        return len(factors) == 1 and launches // 2 < min(factors) <= self.largest

    def made(self, trial: Trial) -> Cloned:
        """Make the clone of a trial again."""
        return self._clone(self._asked[trial])

    def _clone(self, reduction: int | Reductions | None) -> Cloned:
        if reduction is None:
            return self._default
        by = {"reduction": reduction} if isinstance(reduction, int) else {"reductions": reduction}
        return clone_studied(self._studied, replace(self._options, **by))

    def default(self) -> Trial:
        """Try the clone that is made without factors."""
        return self._tried(None, self._factors, "each loop as far as that goes")

    def trial(self, reduction: int | Reductions, words: str) -> Trial:
        """Make a clone and simulate it, unless it is like one before."""
        if isinstance(reduction, int):
            return self._tried(reduction, (), words)
        own = sorted(
            LoopFactor(kernel, h, f) for kernel, by in reduction.items() for h, f in by.items()
        )
        return self._tried(reduction, tuple(own), words)

    def _tried(
        self,
        reduction: int | Reductions | None,
        factors: tuple[LoopFactor, ...],
        words: str,
    ) -> Trial:
        cloned = self._clone(reduction)
        key = cloned.files.files
        if key not in self._known:
            if self._search_progress is not None:
                self._search_progress(len(self._known) + 1, words)
            self._known[key] = self._simulated(cloned)
        factor = reduction if isinstance(reduction, int) else None
        made = Trial(factor, factors, *self._known[key])
        self._asked.setdefault(made, reduction)
        return made

    def _simulated(self, cloned: Cloned) -> tuple[float, int]:
        with beside(None) as folder:
            folder_of(cloned, self._how.registers.registers).write(folder)
            clone = read_back(cloned, folder)
            result = simulate_clone(clone, self._machine, self._how)
        return ipc_error(clone, self._original, result), result.thread_instructions


def _default_factors(cloned: Cloned, options: CloneOptions) -> Iterator[LoopFactor]:
    """The factor of each loop of a clone that was made without factors."""
    for subject, model in zip(cloned.studied.subjects, cloned.models, strict=True):
        every = reversed(reductions(subject, options.min_instructions))
        own = next(f for f in every if clone_loops(subject, f) == model.loops)
        for header, factor in own.items():
            yield LoopFactor(subject.structure.kernel.name, header, factor)


def _loops(cloned: Cloned) -> Iterator[tuple[tuple[str, int], float]]:
    """Loops with their iterations, those first that execute most instructions."""
    work: dict[tuple[str, int], float] = {}
    iterations: dict[tuple[str, int], float] = {}
    for subject, model in zip(cloned.studied.subjects, cloned.models, strict=True):
        kernel, counts = subject.structure.kernel, subject.profile.blocks
        inside = {loop.header: loop.blocks for loop in subject.structure.loops.loops}
        for loop in model.loops:
            key = kernel.name, loop.header
            iterations[key] = max(iterations.get(key, 0.0), loop.original)
            work[key] = work.get(key, 0.0) + sum(
                counts[b].warps * len(kernel.blocks[b].instructions) for b in inside[loop.header]
            )
    for key in sorted(work, key=lambda each: (-work[each], each)):
        yield key, iterations[key]
