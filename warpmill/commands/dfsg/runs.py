"""Divergence flow graphs of targets: what ``warpmill run`` takes, or files of graphs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from pydantic import TypeAdapter, ValidationError

from warpmill.analyzer.analyses.cfg.dominators import dominator_tree
from warpmill.analyzer.analyses.cfg.graph import Cfg, build_cfg, cfg_from_successors
from warpmill.analyzer.analyses.cfg.loops import LoopForest, find_loops
from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.input_files import read_input
from warpmill.analyzer.base.naming import demangle, find_by_name
from warpmill.analyzer.base.source import DebugLocation
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.profile.counts import LoopProfile, Profile
from warpmill.analyzer.profile.dfsg.flow import flow_errors
from warpmill.analyzer.profile.dfsg.graph import Dfsg, Edge, Node
from warpmill.analyzer.profile.dfsg.make import loop_statistics, make_dfsg
from warpmill.commands.dfsg.result import (
    BlockFlow,
    DfsgReport,
    LaunchDfsg,
    LaunchFlow,
    LoopFlow,
    launch_flow,
)
from warpmill.executor.collectors import Collector
from warpmill.executor.host.cpu_device import CpuBackend
from warpmill.executor.observation import Observation
from warpmill.report.base import SCHEMA_VERSION
from warpmill.session.options import LaunchKeywords, LaunchOptions, RunOptions, launch_with
from warpmill.session.run import run
from warpmill.session.runs import Run, cpu_options


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
    **keywords: Unpack[LaunchKeywords],
) -> tuple[LaunchDfsg, ...]:
    """Run a target and give the graph of each of its launches, in their order.

    A target is what ``warpmill.run`` takes, or a JSON file that ``warpmill dfsg`` wrote, which is
    read. ``dfsgs("samples/reduce/launch.toml")[0].dfsg.nodes`` are the blocks of the first launch.
    Errors as ``run``.
    """
    launch = launch_with(launch, keywords)
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
    backend = CpuBackend(cpu_options(options))
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


# Divergence flow graphs out of the JSON files that ``warpmill dfsg`` writes.

MAX_FILE_BYTES = 64 << 20
"""Largest file that is read."""


def load_dfsgs(path: str | Path) -> tuple[LaunchDfsg, ...]:
    """Read the graphs of a file that ``warpmill dfsg TARGET --format json`` has written.

    What follows from the counts is worked out again and has to be what the file says. InputError.
    """
    try:
        report = _report(Path(path))
        return tuple(graph_of(each) for each in report.graphs)
    except InputError as error:
        words = error.diagnostics[0].message
        raise InputError(Diagnostic(Severity.ERROR, words, str(path))) from None


def _report(path: Path) -> DfsgReport:
    text = _text(path)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON: {_first_line(error)}") from None
    _check_kind(data)
    try:
        return TypeAdapter(DfsgReport).validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"`{where}`: {first['msg']}") from None


def _text(path: Path) -> str:
    try:
        return read_input(path, MAX_FILE_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"the file cannot be read: {reason}") from None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:200]


def _check_kind(data: Any) -> None:
    """See that it is a report of the right kind and version. InputError."""
    kind = data.get("report") if isinstance(data, dict) else None
    if kind != "dfsg":
        other = f"a report of `{kind}`" if isinstance(kind, str) else "no report of warpmill"
        raise InputError(f"this is {other}, and `warpmill dfsg TARGET --format json` writes graphs")
    version = data.get("schema_version")
    if version != SCHEMA_VERSION:
        raise InputError(
            f"its schema_version is {version}, and this warpmill reads {SCHEMA_VERSION}"
        )


def graph_of(flow: LaunchFlow) -> LaunchDfsg:
    """Give the graph that a report shows. InputError where the report contradicts itself."""
    _check_ids(flow)
    dfsg = _dfsg(flow)
    errors = flow_errors(dfsg)
    if errors:
        raise InputError(f"the counts of {flow.name} contradict each other: {errors[0]}")
    launch = LaunchDfsg(flow.index, flow.name, dfsg)
    different = next(_differing(flow, launch_flow(launch)), None)
    if different is not None:
        raise InputError(f"`{different}` of {flow.name} does not follow from its blocks and edges")
    return launch


def _differing(flow: LaunchFlow, made: LaunchFlow) -> Iterator[str]:
    """Name what a report says otherwise than the one made of its counts."""
    for key, value in vars(flow).items():
        if value != getattr(made, key):
            yield key


def _check_ids(flow: LaunchFlow) -> None:
    """See that every block that is named is there, and each edge once. InputError."""
    count = len(flow.blocks)
    if not count or [block.id for block in flow.blocks] != list(range(count)):
        raise InputError(f"the blocks of {flow.name} are not numbered from 0 on")
    if len(flow.grid) != 3 or len(flow.block) != 3:
        raise InputError(f"`grid` and `block` of {flow.name} are not three numbers each")
    pairs = [(edge.source, edge.target) for edge in flow.edges]
    if not all(0 <= s < count and (t is None or 0 <= t < count) for s, t in pairs):
        raise InputError(f"an edge of {flow.name} leads from or to a block that is not there")
    if len(set(pairs)) < len(pairs) or pairs != sorted(pairs, key=lambda pair: pair[0]):
        raise InputError(f"the edges of {flow.name} do not stand once each by their source")


def _dfsg(flow: LaunchFlow) -> Dfsg:
    forest = _loops(_cfg(flow))
    return Dfsg(
        flow.kernel,
        (flow.grid[0], flow.grid[1], flow.grid[2]),
        (flow.block[0], flow.block[1], flow.block[2]),
        flow.warp_size,
        tuple(_node(block, forest) for block in flow.blocks),
        tuple(Edge(e.source, e.target, e.oecount, e.warps, e.tcount) for e in flow.edges),
        loop_statistics(forest, [_counts(loop) for loop in flow.loops]),
        forest.irreducible,
    )


def _cfg(flow: LaunchFlow) -> Cfg:
    exit_id = len(flow.blocks)
    after: list[list[int]] = [[] for _ in flow.blocks]
    for edge in flow.edges:
        after[edge.source].append(exit_id if edge.target is None else edge.target)
    return cfg_from_successors([tuple(targets) for targets in after])


def _loops(cfg: Cfg) -> LoopForest:
    return find_loops(cfg, dominator_tree(cfg))


def _node(block: BlockFlow, forest: LoopForest) -> Node:
    where = block.place
    return Node(
        block=block.id,
        label=block.label,
        instructions=block.instructions,
        ecount=block.ecount,
        warps=block.warps,
        threads=block.threads,
        barriers=block.barriers,
        scount=block.scount,
        scount_warps=block.scount_warps,
        loop=forest.innermost_ids[block.id],
        place=None if where is None else DebugLocation(where.file, where.line, where.column or 0),
    )


def _counts(loop: LoopFlow) -> LoopProfile:
    return LoopProfile(
        loop.target_point,
        loop.entries,
        loop.threads,
        loop.iterations,
        loop.iterations_min,
        loop.iterations_max,
        loop.by_warp,
    )
