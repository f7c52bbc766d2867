"""Divergence flow graphs of targets: what ``warpmill run`` takes, or files of graphs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Literal, Unpack

from warpmill.analyzer.analyses.cfg.graph import (
    Cfg,
    LoopForest,
    build_cfg,
    dominator_tree,
    find_loops,
)
from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    Severity,
    UsageError,
)
from warpmill.analyzer.base.naming import demangle, find_by_name
from warpmill.analyzer.base.whole_files import read_input
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.dfsg.distance import DfsgComparison, cfg_of, compare_dfsgs
from warpmill.analyzer.profile.dfsg.flow import flow_errors
from warpmill.analyzer.profile.dfsg.graph import Dfsg
from warpmill.analyzer.profile.dfsg.make import dfsg_of_counts, make_dfsg
from warpmill.executor.collectors import Collector
from warpmill.executor.host.cpu_device import CpuBackend
from warpmill.executor.observation import Observation
from warpmill.report.base import SCHEMA_VERSION, Report
from warpmill.report.fields import result_of
from warpmill.session.options import LaunchKeywords, LaunchOptions, RunOptions, launch_with
from warpmill.session.run import run
from warpmill.session.runs import Run, cpu_options


class DfsgReport(Report):
    """The divergence flow statistics graphs of a launch file, a kernel or a host program."""

    report: Literal["dfsg"] = "dfsg"
    target: str
    graphs: tuple[Dfsg, ...]


class DfsgDiffReport(Report):
    """The graphs of two targets, launch by launch. ``rows``: whether equal rows are left out."""

    report: Literal["dfsg-diff"] = "dfsg-diff"
    a: str
    b: str
    rows: Literal["differing", "all"]
    equal: bool
    launches: tuple[DfsgComparison, ...]


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


def dfsgs(
    target: str | Path,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    strict: bool = False,
    **keywords: Unpack[LaunchKeywords],
) -> tuple[Dfsg, ...]:
    """The graph of each launch of a target, which is run, in their order.

    A target is what ``warpmill.run`` takes, or a JSON file that ``warpmill dfsg`` wrote, which is
    read. ``dfsgs("samples/reduce/launch.toml")[0].nodes`` are the blocks of the first launch.
    Errors as ``run``.
    """
    launch = launch_with(launch, keywords)
    return collect_dfsgs(target, kernel, launch, options, strict=strict)[0].graphs


def collect_dfsgs(
    target: str | Path,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    strict: bool = False,
) -> tuple[DfsgReport, Run | None]:
    """Result of ``dfsgs`` as a report, and the run where one made it."""
    if is_file_of_graphs(target):
        _check_plain(target, launch)
        read = _of_kernel(target, load_dfsgs(target), kernel)
        return DfsgReport(target=str(target), graphs=read), None
    options = options or RunOptions()
    collector = DfsgCollector()
    backend = CpuBackend(cpu_options(options))
    backend.instrument = Observation([collector])
    done = run(target, kernel, launch, replace(options, device=backend), strict=strict)
    pairs = zip(done.launches, collector.graphs, strict=True)
    graphs = (
        replace(dfsg, launch=replace(dfsg.launch, index=number, name=each.name))
        for number, (each, dfsg) in enumerate(pairs)
    )
    return DfsgReport(target=str(target), graphs=tuple(graphs)), done


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
    target: str | Path, graphs: tuple[Dfsg, ...], kernel: str | None
) -> tuple[Dfsg, ...]:
    """The launches of one kernel where it is named. UsageError where there is none."""
    if kernel is None:
        return graphs
    names = [each.launch.kernel for each in graphs]
    named = find_by_name(kernel, names)
    if named is None:
        there = ", ".join(demangle(name) for name in dict.fromkeys(names)) or "none"
        raise UsageError(f"{target} has no graph of a kernel {kernel}; kernels: {there}")
    return tuple(each for each in graphs if each.launch.kernel == named)


def choose_launch(
    target: str | Path, graphs: Sequence[Dfsg], launch: int | None
) -> tuple[Dfsg, ...]:
    """The graph of one launch by its number, or all. UsageError where there is none."""
    chosen = tuple(each for each in graphs if launch is None or each.launch.index == launch)
    if not chosen:
        there = ", ".join(str(each.launch.index) for each in graphs[:_FEW]) or "none"
        more = ", ..." if len(graphs) > _FEW else ""
        which = "no launch" if launch is None else f"no launch {launch}"
        raise UsageError(f"{target} has {which}; launches: {there}{more}")
    return chosen


_FEW = 16


def pair_launches(
    names: tuple[str, str], a: Sequence[Dfsg], b: Sequence[Dfsg]
) -> tuple[tuple[Dfsg, Dfsg], ...]:
    """The launches of two targets, paired in their order. UsageError where they are not as many."""
    if len(a) != len(b):
        words = " and ".join(
            f"{n} has {_counted(len(g))}" for n, g in zip(names, (a, b), strict=True)
        )
        hint = "--launch N chooses one of A, --launch-b N one of B"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    return tuple(zip(a, b, strict=True))


def _counted(launches: int) -> str:
    return "1 launch" if launches == 1 else f"{launches} launches"


def compared(
    names: tuple[str, str], pairs: Iterable[tuple[Dfsg, Dfsg]], *, all_rows: bool = False
) -> DfsgDiffReport:
    """How far the graphs of two targets are apart, launch by launch."""
    launches = [compare_dfsgs(a, b) for a, b in pairs]
    return DfsgDiffReport(
        a=names[0],
        b=names[1],
        rows="all" if all_rows else "differing",
        equal=all(launch.equal for launch in launches),
        launches=tuple(one if all_rows else one.differing() for one in launches),
    )


# Divergence flow graphs out of the JSON files that ``warpmill dfsg`` writes.

MAX_FILE_BYTES = 64 << 20
"""Largest file that is read."""


def load_dfsgs(path: str | Path) -> tuple[Dfsg, ...]:
    """The graphs of a file that ``warpmill dfsg TARGET --format json`` has written.

    What follows from the counts is worked out again and has to be what the file says. InputError.
    """
    try:
        data = _json(_text(Path(path)))
        _check_kind(data)
        _check_counts(data)
        return tuple(map(_checked, result_of(DfsgReport, data, _check_ids).graphs))
    except InputError as error:
        words = error.diagnostics[0].message
        raise InputError(Diagnostic(Severity.ERROR, words, str(path))) from None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON: {_first_line(error)}") from None


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
            f"its schema_version is {version}, and this warpmill reads {SCHEMA_VERSION}: "
            "`warpmill dfsg TARGET --format json` writes it anew"
        )


def _checked(dfsg: Dfsg) -> Dfsg:
    """A graph whose counts can be, and agree with what follows from them. InputError."""
    cfg = cfg_of(dfsg)
    forest = find_loops(cfg, dominator_tree(cfg))
    counts = [loop.counts for loop in dfsg.loops]
    made = dfsg_of_counts(dfsg.launch, dfsg.nodes, dfsg.edges, forest, counts)
    errors = flow_errors(made)
    if errors:
        raise InputError(f"the counts of {dfsg.launch.name} contradict each other: {errors[0]}")
    for one in fields(Dfsg):
        if getattr(made, one.name) != getattr(dfsg, one.name):
            words = f"`{one.name}` of {dfsg.launch.name} does not follow from its blocks and edges"
            raise InputError(words)
    return dfsg


def _check_ids(report: DfsgReport) -> None:
    for dfsg in report.graphs:
        _check_ids_of(dfsg)


def _check_ids_of(dfsg: Dfsg) -> None:
    """See that every block and loop that is named is there, and each edge once. InputError."""
    count, name = len(dfsg.nodes), dfsg.launch.name
    if not count or [node.block for node in dfsg.nodes] != list(range(count)):
        raise InputError(f"the blocks of {name} are not numbered from 0 on")
    pairs = [(edge.source, edge.target) for edge in dfsg.edges]
    if not all(0 <= s < count and (t is None or 0 <= t < count) for s, t in pairs):
        raise InputError(f"an edge of {name} leads from or to a block that is not there")
    if len(set(pairs)) < len(pairs) or pairs != sorted(pairs, key=lambda pair: pair[0]):
        raise InputError(f"the edges of {name} do not stand once each by their source")


def _check_counts(data: Any, place: str = "") -> None:
    """See that all whole numbers are counts that 64 bits hold. InputError."""
    if isinstance(data, int) and not 0 <= data < 1 << 63:
        raise InputError(f"`{place}`: {data} is no count")
    pairs = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data if isinstance(data, list) else ())
    )
    for key, value in pairs:
        _check_counts(value, f"{place}.{key}" if place else str(key))
