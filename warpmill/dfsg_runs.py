"""Divergence flow graphs of targets: what ``warpmill run`` takes, or files of graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from warpmill.analyzer.analyses.cfg.dominators import dominator_tree
from warpmill.analyzer.analyses.cfg.graph import Cfg, build_cfg
from warpmill.analyzer.analyses.cfg.loops import LoopForest, find_loops
from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import demangle, find_by_name
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.dfsg.graph import Dfsg
from warpmill.analyzer.profile.dfsg.make import make_dfsg
from warpmill.dfsg_files import load_dfsgs
from warpmill.executor.collectors import Collector
from warpmill.executor.host.cpu_device import CpuBackend
from warpmill.executor.observation import Observation
from warpmill.jobs import LaunchOptions
from warpmill.reports.dfsg import LaunchDfsg
from warpmill.runs import Run, RunOptions, run


class DfsgCollector(Collector):
    """Makes the graph of each launch of a run. Only what a graph needs is counted."""

    counts = frozenset({"edges", "paths"})

    def __init__(self) -> None:
        self.graphs: list[Dfsg] = []
        self._known: dict[int, tuple[Kernel, Cfg, LoopForest]] = {}

    def on_profile(self, profile: Profile) -> None:
        """Make the graph of a launch; control flow is worked out once a kernel."""
        kernel = profile.kernel
        if id(kernel) not in self._known:  # the kernel is kept, so that its id stays its own
            cfg = build_cfg(kernel)
            self._known[id(kernel)] = (kernel, cfg, find_loops(cfg, dominator_tree(cfg)))
        _, cfg, loops = self._known[id(kernel)]
        self.graphs.append(make_dfsg(cfg, loops, profile))


@dataclass(frozen=True)
class Collected:
    """The graphs of a target's launches in their order, and the run that made them, if one did."""

    graphs: tuple[LaunchDfsg, ...]
    run: Run | None = None


def dfsgs(
    target: str | Path,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    strict: bool = False,
) -> tuple[LaunchDfsg, ...]:
    """Run a target and give the graph of each of its launches, in their order.

    A target is what ``warpmill.run`` takes, or a JSON file that ``warpmill dfsg`` wrote, which is
    read. ``dfsgs("samples/reduce/launch.toml")[0].dfsg.nodes`` are the blocks of the first launch.
    Errors as ``run``.
    """
    return collect_dfsgs(target, kernel, launch, options, strict=strict).graphs


def collect_dfsgs(
    target: str | Path,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    strict: bool = False,
) -> Collected:
    """Do what ``dfsgs`` does, and give the run too."""
    if is_file_of_graphs(target):
        _check_plain(target, launch)
        return Collected(_of_kernel(target, load_dfsgs(target), kernel))
    options = options or RunOptions()
    collector = DfsgCollector()
    backend = CpuBackend(options.cpu_options())
    backend.instrument = Observation([collector])
    done = run(target, kernel, launch, replace(options, device=backend), strict=strict)
    pairs = zip(done.launches, collector.graphs, strict=True)
    graphs = tuple(LaunchDfsg(k, each.name, dfsg) for k, (each, dfsg) in enumerate(pairs))
    return Collected(graphs, done)


def is_file_of_graphs(target: str | Path) -> bool:
    """Whether a target is read and not run."""
    return Path(target).suffix.lower() == ".json"


def _check_plain(target: str | Path, launch: LaunchOptions | None) -> None:
    """See that nothing is asked of a file of graphs that belongs to a run. UsageError."""
    launch = launch or LaunchOptions()
    given = (*launch.given, *(["--size"] if launch.sizes else []))
    if given:
        raise UsageError(f"{target} holds graphs, which nothing is run for: {given[0]} is for runs")


def _of_kernel(
    target: str | Path, graphs: tuple[LaunchDfsg, ...], kernel: str | None
) -> tuple[LaunchDfsg, ...]:
    """Give the launches of one kernel where it is named. UsageError where there is none."""
    if kernel is None:
        return graphs
    names = [each.dfsg.kernel for each in graphs]
    named = find_by_name(kernel, names)
    if named is None:
        there = ", ".join(demangle(name) for name in dict.fromkeys(names)) or "none"
        raise UsageError(f"{target} has no graph of a kernel {kernel}; kernels: {there}")
    return tuple(each for each in graphs if each.dfsg.kernel == named)


def choose_launch(
    target: str | Path, graphs: Sequence[LaunchDfsg], launch: int | None
) -> tuple[LaunchDfsg, ...]:
    """Give the graph of one launch by its number, or all. UsageError where there is none."""
    chosen = tuple(each for each in graphs if launch is None or each.index == launch)
    if not chosen:
        there = ", ".join(str(each.index) for each in graphs[:_FEW]) or "none"
        more = ", ..." if len(graphs) > _FEW else ""
        which = "no launch" if launch is None else f"no launch {launch}"
        raise UsageError(f"{target} has {which}; launches: {there}{more}")
    return chosen


_FEW = 16


def pair_launches(
    names: tuple[str, str], a: Sequence[LaunchDfsg], b: Sequence[LaunchDfsg]
) -> tuple[tuple[LaunchDfsg, LaunchDfsg], ...]:
    """Pair the launches of two targets in their order. UsageError where they are not as many."""
    if len(a) != len(b):
        words = " and ".join(
            f"{n} has {_counted(len(g))}" for n, g in zip(names, (a, b), strict=True)
        )
        hint = "--launch N chooses one of A, --launch-b N one of B"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    return tuple(zip(a, b, strict=True))


def _counted(launches: int) -> str:
    return "1 launch" if launches == 1 else f"{launches} launches"
