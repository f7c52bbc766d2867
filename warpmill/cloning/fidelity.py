"""How like its original a clone is: both are profiled, and simulated on machines.

The clone is what its files say: they are read back. Executed traces give it its data, and the
record beside it the registers of the original.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.base.diagnostics import InputError, LimitError, WarpmillError
from warpmill.analyzer.base.metric import INTERNAL, Mark
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.dfsg.distance import compare_dfsgs
from warpmill.analyzer.profile.dfsg.graph import Dfsg
from warpmill.analyzer.profile.dfsg.make import make_dfsg
from warpmill.cloning.clone import Cloned, ProfiledTarget
from warpmill.cloning.figures import (
    Counts,
    FidelityFigure,
    added,
    launch_counts,
    machine_figures,
    profile_counts,
    profile_figures,
    size_figures,
    stall_counts,
    stall_figures,
)
from warpmill.cloning.files import LAUNCH_FILE
from warpmill.session.jobs import Job
from warpmill.session.options import SimulationSetup
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import Done, simulated
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.machines.model import Machine

Progress = Callable[[Done], None]


@dataclass(frozen=True)
class Compared:
    """The figures of all launches, and those of each group of launches that share a clone."""

    figures: tuple[FidelityFigure, ...]
    groups: tuple[tuple[FidelityFigure, ...], ...]

    def figure(self, name: str) -> FidelityFigure:
        """A figure of the whole by its name; KeyError where it is not there."""
        return {figure.name: figure for figure in self.figures}[name]

    def limited(self, limits: Mapping[str, float]) -> Compared:
        """It with limits of the figures of all launches."""
        return replace(self, figures=tuple(one.limited(limits) for one in self.figures))


@dataclass(frozen=True)
class FidelityOnMachine:
    """The figures that a simulation adds, and both simulations."""

    mark: ClassVar[Mark] = Mark.MODELLED

    machine: str
    compared: Compared
    original: Annotated[SimResult, INTERNAL] = field(repr=False)
    clone: Annotated[SimResult, INTERNAL] = field(repr=False)


@dataclass(frozen=True)
class Fidelity:
    """Similarity of an original and its clone: in their profiles, and on machines."""

    mark: ClassVar[Mark] = Mark.EXACT

    profiled: Compared
    machines: tuple[FidelityOnMachine, ...]

    @property
    def figures(self) -> tuple[tuple[str | None, FidelityFigure], ...]:
        """All figures of the whole target, with the machine that they are of."""
        own = [(None, figure) for figure in self.profiled.figures]
        return (
            *own,
            *((m.machine, figure) for m in self.machines for figure in m.compared.figures),
        )

    def limited(self, limits: Mapping[str, float]) -> Fidelity:
        """It with limits of the figures of the whole target, by their names."""
        on = (replace(one, compared=one.compared.limited(limits)) for one in self.machines)
        return Fidelity(self.profiled.limited(limits), tuple(on))


@dataclass(frozen=True)
class ReadBack:
    """A clone as its files say it: its launches, and which of the application's each of them is."""

    cloned: Cloned
    jobs: tuple[Job, ...]

    @cached_property
    def launch_of(self) -> tuple[int, ...]:
        """Launch of the application that each job repeats."""
        launches = self.cloned.application.launches
        return tuple(k for k, one in enumerate(launches) for _ in range(one.repeats))

    @cached_property
    def group_of(self) -> tuple[int, ...]:
        """Group of each launch of the application."""
        names = {model.name: k for k, model in enumerate(self.cloned.models)}
        return tuple(names[one.kernel] for one in self.cloned.application.launches)


def read_back(cloned: Cloned, folder: Path) -> ReadBack:
    """Read the files of a clone. AssertionError where they are wrong: a bug in warpmill."""
    try:
        found = ReadBack(cloned, prepare_all(folder / LAUNCH_FILE))
    except InputError as error:
        words = error.diagnostics[0].message
        raise AssertionError(f"the clone cannot be read back: {words}") from error
    assert len(found.jobs) == len(found.launch_of), "a launch of the clone is lost in its file"
    return found


# -- simulations -----------------------------------------------------------------------------------


def simulate_original(
    studied: ProfiledTarget,
    machine: Machine,
    how: SimulationSetup,
    progress: Progress | None = None,
) -> SimResult:
    """Simulate the launches of a target one after another. Errors as ``simulate``."""
    made = plan(
        studied.jobs,
        machine,
        options=how.options,
        registers=how.registers,
        trace_options=how.traces,
        streams="serial",
    )
    return simulated(made, progress).result


def simulate_clone(
    clone: ReadBack, machine: Machine, how: SimulationSetup, progress: Progress | None = None
) -> SimResult:
    """Simulate a clone, with the registers of its original. Errors as ``simulate``."""
    made = plan(
        clone.jobs,
        machine,
        options=how.options,
        trace_options=replace(how.traces, source="executed", assume={}),
        streams="serial",
    )
    return simulated(made, progress).result


# -- comparisons -----------------------------------------------------------------------------------


def compare_profiles(clone: ReadBack) -> Compared:
    """Profile a clone, and compare it with what was studied. LimitError as ``profile``.

    AssertionError where it cannot be executed: a bug in warpmill.
    """
    studied = clone.cloned.studied
    try:
        made = [one.profile for one in profile(clone.jobs).launches]
    except LimitError:
        raise
    except WarpmillError as error:
        words = error.diagnostics[0].message
        raise AssertionError(f"the clone cannot be executed: {words}") from error
    originals = [profile_counts(each) for each in studied.profiles]
    clones = [profile_counts(each) for each in made]
    times = times_of(clone, originals, clones, "thread_instructions")
    flows = [_flow_figures(clone, group, made) for group in range(len(studied.groups))]

    def figures(group: int | None) -> tuple[FidelityFigure, ...]:
        own = _of(clone, group)
        a = added((originals[k], 1.0) for k in own.originals)
        b = added((clones[k], times[k]) for k in own.clones)
        sizes = added((clones[k], 1.0) for k in own.clones)
        flow = flows[group] if group is not None else _mean_flow(studied, originals, flows)
        return (*size_figures(a, sizes, None), *profile_figures(a, b), *flow)

    return _compared(studied, figures)


def compare_simulations(
    clone: ReadBack, original: SimResult, result: SimResult, clock_mhz: float | None = None
) -> Compared:
    """Compare two simulations on one machine."""
    studied = clone.cloned.studied
    originals, clones = launch_counts(original), launch_counts(result)
    times = times_of(clone, originals, clones, "simulated_thread_instructions")
    clock = original.clock_mhz if clock_mhz is None else clock_mhz

    def figures(group: int | None) -> tuple[FidelityFigure, ...]:
        own = _of(clone, group)
        a = added((originals[k], 1.0) for k in own.originals)
        b = added((clones[k], times[k]) for k in own.clones)
        sizes = added((clones[k], 1.0) for k in own.clones)
        stalls = _stalls(clone, original, result, originals, clones) if group is None else ()
        return (*size_figures({}, {}, (a, sizes), clock), *machine_figures(a, b), *stalls)

    return _compared(studied, figures)


def compare_on(
    clone: ReadBack, machine: Machine, original: SimResult, result: SimResult
) -> FidelityOnMachine:
    """Compare two simulations, and keep them."""
    return FidelityOnMachine(
        machine.name, compare_simulations(clone, original, result), original, result
    )


def ipc_error(clone: ReadBack, original: SimResult, result: SimResult) -> float:
    """The signed difference of the IPC alone, as a share of the original's."""
    difference = compare_simulations(clone, original, result).figure("ipc").difference
    assert difference is not None
    return difference


def _compared(
    studied: ProfiledTarget, figures: Callable[[int | None], tuple[FidelityFigure, ...]]
) -> Compared:
    groups = range(len(studied.groups))
    return Compared(figures(None), tuple(figures(group) for group in groups))


@dataclass(frozen=True)
class _Own:
    originals: Sequence[int]
    clones: Sequence[int]


def _of(clone: ReadBack, group: int | None) -> _Own:
    """The launches of a group, or all: of the original, and of the clone."""
    studied = clone.cloned.studied
    every = [k for own in studied.groups for k in own]
    originals = sorted(every) if group is None else studied.groups[group]
    clones = [
        k
        for k, launch in enumerate(clone.launch_of)
        if group is None or clone.group_of[launch] == group
    ]
    return _Own(originals, clones)


def times_of(
    clone: ReadBack, originals: Sequence[Counts], clones: Sequence[Counts], by: str
) -> list[float]:
    """How many times each launch of the clone counts, by the instructions it stands for."""
    own = [0.0] * len(clone.group_of)
    for k, launch in enumerate(clone.launch_of):
        own[launch] += clones[k][by]
    stood = [sum(originals[k][by] for k in each) for each in clone.cloned.stands_for]
    return [stood[launch] / own[launch] if own[launch] else 0.0 for launch in clone.launch_of]


def _stalls(
    clone: ReadBack,
    original: SimResult,
    result: SimResult,
    originals: Sequence[Counts],
    clones: Sequence[Counts],
) -> tuple[FidelityFigure, ...]:
    """Compare stalls, which are known by kernel."""
    by = "simulated_thread_instructions"
    own = stall_counts(result)
    weighted: list[tuple[Counts, float]] = []
    for group, model in enumerate(clone.cloned.models):
        launches = _of(clone, group)
        stood = sum(originals[k][by] for k in launches.originals)
        ran = sum(clones[k][by] for k in launches.clones)
        weighted.append((own.get(model.name, {}), stood / ran if ran else 0.0))
    a = added((counts, 1.0) for counts in stall_counts(original).values())
    return tuple(stall_figures(a, added(weighted)))


# -- flow ------------------------------------------------------------------------------------------


def _flow_figures(
    clone: ReadBack, group: int, made: Sequence[Profile]
) -> tuple[FidelityFigure, ...]:
    """Compare blocks and edges of a group's first launch with those of the clone's."""
    studied = clone.cloned.studied
    place = _of(clone, group).clones[0]
    first = studied.groups[group][0]
    a = _dfsg(studied.jobs[first].analysis.structure, studied.profiles[first])
    b = _dfsg(clone.jobs[place].analysis.structure, made[place])
    found = compare_dfsgs(a, b)
    pairs = {node.a.block: node.b.block for node in found.nodes if node.a and node.b}
    blocks = _apart(
        {pairs.get(n.block, -1 - n.block): n.warps for n in a.nodes},
        {n.block: n.warps for n in b.nodes},
    )
    weighted = _apart(
        {pairs.get(n.block, -1 - n.block): n.warps * n.instructions for n in a.nodes},
        {n.block: n.warps * n.instructions for n in b.nodes},
    )
    edges = _apart(
        {k: edge.a.warps for k, edge in enumerate(found.edges) if edge.a},
        {k: edge.b.warps for k, edge in enumerate(found.edges) if edge.b},
    )
    return _flow(blocks, weighted, edges, found.distance)


def _flow(blocks: float, weighted: float, edges: float, dfsg: float) -> tuple[FidelityFigure, ...]:
    return (
        FidelityFigure(
            "block_instructions", "instructions by block", "", "distance", None, None, weighted
        ),
        FidelityFigure("blocks", "block executions", "", "distance", None, None, blocks),
        FidelityFigure("edges", "edge executions", "", "distance", None, None, edges),
        FidelityFigure("dfsg", "DFSG", "", "distance", None, None, dfsg),
    )


def _mean_flow(
    studied: ProfiledTarget, counts: Sequence[Counts], flows: Sequence[tuple[FidelityFigure, ...]]
) -> tuple[FidelityFigure, ...]:
    """The mean of the groups' distances, by the instructions of their launches."""
    weights = [sum(counts[k]["thread_instructions"] for k in own) for own in studied.groups]
    whole = sum(weights) or 1.0
    return tuple(
        replace(
            each[0],
            distance=sum(w * (f.distance or 0.0) for w, f in zip(weights, each, strict=True))
            / whole,
        )
        for each in zip(*flows, strict=True)
    )


def _dfsg(structure: Structure, made: Profile) -> Dfsg:
    return make_dfsg(structure.cfg, structure.loops, made)


def _apart(a: Mapping[int, float], b: Mapping[int, float]) -> float:
    """Half the sum of the differences between the shares of two distributions."""
    all_a, all_b = sum(a.values()) or 1.0, sum(b.values()) or 1.0
    return sum(abs(a.get(k, 0) / all_a - b.get(k, 0) / all_b) for k in {**a, **b}) / 2
