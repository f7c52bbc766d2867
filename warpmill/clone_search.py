"""The search for the largest reduction whose IPC, simulated, stays near the original's.

First one factor for all loops: powers of two from the largest down, as the smallest clones are the
quickest to simulate. Then, from there, a factor for each loop: those that execute most first, each
is doubled for as long as the IPC stays inside. A clone that is like one before is not simulated
again. Nothing depends on time, so that the same search finds the same clone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from codegen.synthesis.make import largest_reduction
from simulator.gpu.result import SimResult
from simulator.machines.model import Machine
from warpmill.clone_fidelity import How, ipc_error, read_back, simulate_clone
from warpmill.clone_files import beside, folder_of
from warpmill.cloning import Cloned, CloneOptions, Studied, clone_studied

MOST_SIMULATIONS = 64
"""Clones that a search simulates at most."""

Reductions = Mapping[str, Mapping[int, int]]
Told = Callable[[int, str], None]


@dataclass(frozen=True)
class Trial:
    """A clone that was simulated. ``factor`` is of all loops; None: each has its own.

    ``ipc_error`` is a share of the original's, with its sign; ``thread_instructions`` are those
    that the clone executes.
    """

    factor: int | None
    reductions: Reductions
    ipc_error: float
    thread_instructions: int


@dataclass(frozen=True)
class Search:
    """What was tried, in order. ``met``: the chosen clone's error is no more than ``max_error``.

    ``cpu_seconds`` are those of making and simulating clones, and those of the original apart.
    """

    machine: str
    max_error: float
    trials: tuple[Trial, ...]
    chosen: Trial
    met: bool
    complete: bool
    """Whether the search ended by itself, and not by the limit of simulations."""
    cpu_seconds: float = field(compare=False)


@dataclass(frozen=True)
class Found:
    """The clone that was chosen, and how it was found."""

    cloned: Cloned
    search: Search


def search(  # noqa: PLR0913 - each option by its name
    studied: Studied,
    options: CloneOptions,
    machine: Machine,
    original: SimResult,
    *,
    max_error: float,
    how: How | None = None,
    told: Told | None = None,
) -> Found:
    """Find the smallest clone that keeps the IPC; else the one whose error is least.

    ``original`` is its simulation on ``machine``. Errors as ``simulate``.
    """
    begin = time.process_time()
    trying = _Trying(studied, options, machine, original, how or How(), told)
    best = _one_factor(trying, max_error)
    if best is not None:
        best = _factors_of_loops(trying, best, max_error)
    met = best is not None
    chosen = best or min(trying.trials, key=lambda t: (abs(t.ipc_error), t.thread_instructions))
    done = Search(
        machine.name,
        max_error,
        tuple(trying.trials),
        chosen,
        met,
        not trying.is_full,
        time.process_time() - begin,
    )
    return Found(trying.made(chosen), done)


def _one_factor(trying: _Trying, max_error: float) -> Trial | None:
    """Try one factor for all loops, the largest first."""
    factor = trying.largest
    while factor and not trying.is_full:
        trial = trying.trial(factor, f"all loops by {factor}")
        if abs(trial.ipc_error) <= max_error:
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
            inside = abs(trial.ipc_error) <= max_error
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
    """Makes clones and simulates them, each once."""

    def __init__(  # noqa: PLR0913, PLR0917 - what all trials share
        self,
        studied: Studied,
        options: CloneOptions,
        machine: Machine,
        original: SimResult,
        how: How,
        told: Told | None,
    ) -> None:
        self._studied, self._options = studied, replace(options, reductions=None)
        self._machine, self._original = machine, original
        self._how, self._told = how, told
        self._known: dict[tuple[tuple[str, str], ...], tuple[float, int]] = {}
        self.trials: list[Trial] = []
        largest = clone_studied(studied, replace(self._options, reduction=None))
        least = self._options.least_instructions
        factors = (largest_reduction(subject, least) for subject in studied.subjects)
        self.largest = max(factors, default=1)
        self.loops = tuple(_loops(largest))

    @property
    def is_full(self) -> bool:
        """Whether as many clones have been simulated as may be."""
        return len(self._known) >= MOST_SIMULATIONS

    def made(self, trial: Trial) -> Cloned:
        """Make the clone of a trial again."""
        return self._clone(trial.reductions if trial.factor is None else trial.factor)

    def _clone(self, reduction: int | Reductions) -> Cloned:
        by = {"reduction": reduction} if isinstance(reduction, int) else {"reductions": reduction}
        return clone_studied(self._studied, replace(self._options, **by))

    def trial(self, reduction: int | Reductions, words: str) -> Trial:
        """Make a clone and simulate it, unless it is like one before."""
        cloned = self._clone(reduction)
        key = cloned.files.files
        if key not in self._known:
            if self._told is not None:
                self._told(len(self._known) + 1, words)
            self._known[key] = self._simulated(cloned)
        error, instructions = self._known[key]
        factor = reduction if isinstance(reduction, int) else None
        reductions = {} if isinstance(reduction, int) else reduction
        self.trials.append(Trial(factor, reductions, error, instructions))
        return self.trials[-1]

    def _simulated(self, cloned: Cloned) -> tuple[float, int]:
        with beside(None) as folder:
            folder_of(cloned, self._how.registers).write(folder)
            clone = read_back(cloned, folder)
            result = simulate_clone(clone, self._machine, self._how)
        return ipc_error(clone, self._original, result), result.thread_instructions


def _loops(cloned: Cloned) -> Iterator[tuple[tuple[str, int], float]]:
    """Give loops with their iterations, those first that execute most instructions."""
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
