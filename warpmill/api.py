"""The Python API: from a file to an analysis, a trace and an estimate.

The command line calls these functions and nothing else; views turn their results into text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.analyses.alignment import Alignment, alignments
from analyzer.analyses.assumptions import Assumptions, Interval
from analyzer.analyses.bounds import LoopBound, loop_bounds
from analyzer.analyses.calls import Call, calls
from analyzer.analyses.coalescing import FullWarpCost, full_warp_costs
from analyzer.analyses.divergence import Divergence, Warps, divergence
from analyzer.analyses.memory import MemoryAccess, memory_accesses
from analyzer.analyses.mix import InstructionMix, instruction_mix
from analyzer.analyses.pressure import register_pressure
from analyzer.analyses.pruning import Pruned, pruned
from analyzer.analyses.reuse import Reuse, reuses
from analyzer.analyses.structure import Structure, analyse_structure
from analyzer.diagnostics import Diagnostic, LimitError, Severity, UsageError, WarpmillError
from analyzer.frontends.load import Format, Loaded, load_kernel
from analyzer.ir.kernel import Kernel
from analyzer.launch import Launch, check_launch, launch_from_options, load_launches
from analyzer.memory_rules import MemoryRules
from analyzer.naming import demangle, find_by_name
from analyzer.trace.outcomes import BranchOutcome
from analyzer.trace.source import StaticSource, TraceSource
from analyzer.trace.static.batch import Triple
from analyzer.trace.static.state import WalkLimits
from analyzer.trace.summary import TraceSummary, sampled_ctas, summarise
from simulator.estimate.engine import Subject
from simulator.estimate.engine import estimate as run_estimate
from simulator.estimate.result import Estimate
from simulator.machines import load_machine
from simulator.machines.model import Machine
from warpmill.registers import RegisterSources, find_registers

if TYPE_CHECKING:
    from analyzer.analyses.launch_costs import LaunchCost

SAMPLED_CTAS = 64
"""CTAs whose traces are summed for a summary, where the grid has more."""

MOST_CTAS = 1 << 24
"""CTAs whose traces are summed or saved one by one."""


@dataclass(frozen=True)
class LaunchOptions:
    """A launch in pieces, as the command line gives it where there is no launch file."""

    grid: str | Sequence[int] | None = None
    block: str | Sequence[int] | None = None
    shared: int | None = None
    args: Sequence[str] = ()
    sizes: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def given(self) -> tuple[str, ...]:
        """The options that belong to kernel files and are given."""
        each = (
            ("--grid", self.grid),
            ("--block", self.block),
            ("--shared", self.shared),
            ("--arg", self.args or None),
        )
        return tuple(name for name, value in each if value is not None)


@dataclass(frozen=True)
class Analysis:
    """All static facts of one kernel."""

    structure: Structure
    bounds: tuple[LoopBound, ...]
    accesses: tuple[MemoryAccess, ...]
    mix: InstructionMix
    live_registers: int


@dataclass(frozen=True)
class AccessFacts:
    """Alignment, cost and reuse of one access; ``in_launch`` where there is a launch."""

    alignment: Alignment
    full_warp: FullWarpCost
    reuse: Reuse
    in_launch: LaunchCost | None


@dataclass(frozen=True)
class Job:
    """A kernel that was read, with the launch where one was given. Its analysis is made once."""

    loaded: Loaded
    kernel: Kernel
    launch: Launch | None

    @cached_property
    def analysis(self) -> Analysis:
        """The kernel's static facts."""
        structure = analyse_structure(self.kernel)
        return Analysis(
            structure,
            loop_bounds(structure),
            memory_accesses(self.loaded.module, structure),
            instruction_mix(self.kernel),
            register_pressure(self.kernel, structure.cfg, self.loaded.module.target),
        )

    @cached_property
    def access_facts(self) -> tuple[AccessFacts, ...]:
        """What each access costs and shares, in the order of the analysis' accesses."""
        module, analysis = self.loaded.module, self.analysis
        structure, accesses = analysis.structure, analysis.accesses
        costs: Sequence[LaunchCost | None] = [None] * len(accesses)
        if self.launch is not None:
            from analyzer.analyses.launch_costs import (  # noqa: PLC0415 - numpy is slow to load
                launch_costs,
            )

            costs = launch_costs(module, structure, self.launch, analysis.bounds, accesses)
        parts = (
            alignments(module, structure, accesses),
            full_warp_costs(module, accesses),
            reuses(structure, accesses),
            costs,
        )
        return tuple(AccessFacts(*each) for each in zip(*parts, strict=True))

    @cached_property
    def divergence(self) -> Divergence:
        """What differs between the lanes of a warp: of the launch's warps where there is one."""
        warps = None
        if self.launch is not None:
            warps = Warps(self.launch.block, self.loaded.module.warp_size)
        return divergence(self.analysis.structure, warps)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """What stands for calls in the kernel."""
        return calls(self.kernel)

    @cached_property
    def pruned(self) -> Pruned:
        """The instructions that the paper's pruning keeps, and why not the others."""
        return pruned(self.analysis.structure)

    @property
    def kept(self) -> tuple[frozenset[int], ...]:
        """The instructions that the paper's pruning keeps, by block."""
        return tuple(frozenset(block.kept) for block in self.pruned.blocks)

    def required_launch(self) -> Launch:
        """Give the launch. UsageError where none was given."""
        if self.launch is None:
            raise UsageError(
                "a launch is needed: give a launch file, or --grid and --block with an --arg for "
                "each parameter"
            )
        return self.launch


def prepare_all(
    path: str | Path,
    kernel: str | None = None,
    options: LaunchOptions | None = None,
    *,
    strict: bool = False,
) -> tuple[Job, ...]:
    """Read a launch file with its kernels, or a kernel file with or without a launch.

    A launch file gives a job for each of its launches, or for those of ``kernel`` where it is
    named. InputError and UsageError, located where they can be.
    """
    options = options or LaunchOptions()
    if Path(path).suffix.lower() != ".toml":
        return (_from_kernel_file(path, kernel, options, strict=strict),)
    if options.given:
        raise UsageError(
            Diagnostic(
                Severity.ERROR,
                f"{path} is a launch file, which says the launch: {options.given[0]} is for "
                "kernel files",
                hint="--size NAME=VALUE changes the sizes of a launch file",
            )
        )
    launches = load_launches(path, options.sizes)
    jobs = tuple(_from_launch(launch, strict=strict) for launch in launches)
    if kernel is None:
        return jobs
    named = find_by_name(kernel, [j.kernel.name for j in jobs])
    chosen = tuple(j for j in jobs if named is not None and j.kernel.name == named)
    if not chosen:
        names = ", ".join(dict.fromkeys(demangle(j.kernel.name) for j in jobs))
        raise UsageError(f"{path} launches no kernel {kernel}; it launches {names}")
    return chosen


def prepare(
    path: str | Path,
    kernel: str | None = None,
    options: LaunchOptions | None = None,
    *,
    strict: bool = False,
) -> Job:
    """Read one launch or one kernel as ``prepare_all`` does. UsageError where there are several."""
    jobs = prepare_all(path, kernel, options, strict=strict)
    if len(jobs) > 1:
        names = ", ".join(j.launch.name if j.launch else j.kernel.name for j in jobs)
        raise UsageError(f"{path} has {len(jobs)} launches: {names}; name a kernel")
    return jobs[0]


def _from_launch(launch: Launch, *, strict: bool) -> Job:
    loaded, kernel = load_kernel(launch.module, launch.kernel, strict=strict)
    check_launch(launch, loaded.module, kernel)
    return Job(loaded, kernel, launch)


def _from_kernel_file(
    path: str | Path, kernel: str | None, options: LaunchOptions, *, strict: bool
) -> Job:
    if options.sizes:
        raise UsageError(f"{path} is a kernel file: --size changes the sizes of a launch file")
    loaded, found = load_kernel(path, kernel, strict=strict)
    if not options.given:
        return Job(loaded, found, None)
    if options.grid is None or options.block is None:
        missing = "--grid" if options.grid is None else "--block"
        raise UsageError(f"a launch from options needs {missing}, as {options.given[0]} is given")
    launch = launch_from_options(
        found, Path(path), options.grid, options.block, options.shared or 0, options.args
    )
    check_launch(launch, loaded.module, found)
    return Job(loaded, found, launch)


def kernels_beside(loaded: Loaded) -> tuple[str, ...]:
    """List all kernels of the file that a kernel was read from."""
    if loaded.format is Format.PTX:
        from analyzer.frontends import ptx  # noqa: PLC0415 - only the front-end that is needed

        return tuple(h.name for h in ptx.scan(loaded.source) if h.is_entry)
    from analyzer.frontends import llvm  # noqa: PLC0415 - only the front-end that is needed

    return tuple(h.name for h in llvm.scan(loaded.source))


def analyze(path: str | Path, kernel: str | None = None) -> Analysis:
    """Give a kernel's static facts: control flow, loop bounds, accesses, mix, live registers."""
    return prepare(path, kernel).analysis


@dataclass(frozen=True)
class TraceOptions:
    """How traces are made and counted. ``source`` is auto, static, executed, or a file of traces.

    ``assume`` has the trip counts of loops that data end, by label: numbers, or ranges, which are
    traced end by end. ``pruned`` counts only the instructions that the paper keeps (§III-A-1).
    """

    source: str = "auto"
    assume: Mapping[str, int | Interval] = field(default_factory=dict)
    max_visits: int = WalkLimits().visits
    pruned: bool = False

    @property
    def assumptions(self) -> Assumptions:
        """What is assumed, each as an interval."""
        pairs = (
            (n, i if isinstance(i, Interval) else Interval(i, i)) for n, i in self.assume.items()
        )
        return Assumptions(tuple(pairs))

    def ends(self) -> tuple[TraceOptions, ...]:
        """Give the options with all the low ends and with all the high ends; once if alike."""
        return tuple(replace(self, assume=dict(end)) for end in self.assumptions.ends())

    def trips(self) -> dict[str, int]:
        """Give what is assumed as numbers. UsageError where it is a range."""
        for name, interval in self.assumptions.items():
            if not interval.is_point:
                raise UsageError(
                    f"--assume {name}={interval}: one trace takes one number, not a range"
                )
        return {name: interval.low for name, interval in self.assumptions.items()}


def trace_source(job: Job, options: TraceOptions | None = None) -> TraceSource:
    """Choose where a job's traces come from.

    ``auto`` is static where no data decide, else executed where the launch gives the data; as
    nothing executes kernels yet, it is static with what it assumes listed. UsageError for sources
    that do not exist yet, InputError for a file of traces that does not fit.
    """
    options = options or TraceOptions()
    launch = job.required_launch()
    if options.source == "executed":
        raise UsageError(
            "--trace executed: executed traces are not available yet; use --trace static"
        )
    if options.source not in ("auto", "static"):
        from analyzer.trace.files import FileSource  # noqa: PLC0415 - only for saved traces

        if options.assume:
            raise UsageError("--assume is for traces that are made, and these are saved ones")
        return FileSource(Path(options.source), job.loaded.module, job.kernel, launch)
    return StaticSource(
        job.loaded.module,
        job.analysis.structure,
        launch,
        assume=options.trips(),
        limits=WalkLimits(options.max_visits),
        asked_for=options.source == "static",
    )


@dataclass(frozen=True)
class Saved:
    """A file of traces: of how many CTAs, and its size as it was foretold and as it is."""

    path: Path
    ctas: int
    bytes_foretold: int
    bytes_written: int


def save_traces(  # noqa: PLR0913 - each option by its name
    job: Job,
    source: TraceSource,
    path: str | Path,
    ctas: Sequence[Triple],
    *,
    max_bytes: int | None = None,
    before: Callable[[int], None] | None = None,
) -> Saved:
    """Save the traces of some CTAs to a file, whole or not at all.

    ``before`` is told the size that the file will have, about, before anything is written.
    LimitError where that, or what comes to be written, is more than ``max_bytes``.
    """
    from analyzer.trace.files import (  # noqa: PLC0415 - only where traces are saved
        MAX_TRACE_BYTES,
        header_of,
        predicted_bytes,
        write_traces,
    )

    _check_number(ctas)
    limit = MAX_TRACE_BYTES if max_bytes is None else max_bytes
    foretold = predicted_bytes(source, ctas)
    if before is not None:
        before(foretold)
    if foretold > limit:
        raise LimitError(
            f"the traces of {len(ctas)} CTAs would take about {foretold} bytes, more than {limit}; "
            "raise the limit with --max-trace-bytes, or save fewer with --ctas"
        )
    warp_size = job.loaded.module.warp_size
    launch = job.required_launch()
    size = write_traces(
        Path(path), source, ctas, lambda: header_of(source, launch, warp_size), limit
    )
    return Saved(Path(path), len(ctas), foretold, size)


@dataclass(frozen=True)
class Traced:
    """The traces of a launch summed up, over all or some of the grid's ``ctas_total`` CTAs.

    ``assumptions`` are what data decide and the static walk assumed.
    """

    summary: TraceSummary
    ctas_total: int
    assumptions: tuple[str, ...]
    source: TraceSource
    reason: str
    pruned: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether every CTA was summed and nothing assumed."""
        return self.summary.ctas == self.ctas_total and not self.assumptions


def trace(
    job: Job,
    options: TraceOptions | None = None,
    *,
    ctas: Sequence[Triple] | None = None,
    most_ctas: int = SAMPLED_CTAS,
    rules: MemoryRules | None = None,
) -> Traced:
    """Make a launch's warp traces and sum them up: those of ``ctas``, else of an even sample.

    Of saved traces the sample is of those that there are.
    """
    source = trace_source(job, options)
    launch = job.required_launch()
    chosen = ctas if ctas is not None else _sampled(source, launch, most_ctas)
    _check_number(chosen)
    batches = (chosen[i : i + SAMPLED_CTAS] for i in range(0, len(chosen), SAMPLED_CTAS))
    warps = chain.from_iterable(source.many(batch) for batch in batches)
    spaces = {(a.block, a.instruction): a.space for a in job.analysis.accesses}
    warp_size = job.loaded.module.warp_size
    keeping = job.kept if options is not None and options.pruned else None
    summary = summarise(job.kernel, warps, warp_size, rules or MemoryRules(), spaces, keeping)
    texts = tuple(a.text if a.hint is None else f"{a.text} ({a.hint})" for a in source.assumptions)
    return Traced(
        summary, launch.cta_count, texts, source, source.reason, pruned=keeping is not None
    )


def _check_number(ctas: Sequence[Triple]) -> None:
    """Refuse so many CTAs that going through them one by one would take hours."""
    if len(ctas) > MOST_CTAS:
        raise LimitError(
            f"{len(ctas):,} CTAs are more than the {MOST_CTAS:,} that are traced one by one; "
            "take an even choice with --ctas N"
        )


def _sampled(source: TraceSource, launch: Launch, most: int) -> Sequence[Triple]:
    there = source.ctas
    if there is None or len(there) == launch.cta_count:
        return sampled_ctas(launch.grid, most)
    count = min(most, len(there))
    return tuple(there[(2 * i + 1) * len(there) // (2 * count)] for i in range(count))


@dataclass(frozen=True)
class Outcomes:
    """Hit or miss of the branches of one CTA, by block; ``assumed``: data decide some of it."""

    cta: Triple
    by_block: Mapping[int, BranchOutcome]
    assumed: bool


@dataclass(frozen=True)
class Dynamic:
    """What static traces add to an analysis, or the reason why they do not.

    ``executions`` are by block, by the warps of the whole launch.
    """

    executions: tuple[int, ...] | None
    is_sampled: bool
    outcomes: Outcomes | None
    assumptions: tuple[str, ...]
    reason: str | None


def dynamic_facts(job: Job, options: TraceOptions | None = None) -> Dynamic:
    """Count block executions and the outcomes of branches in a job's launch, without data."""
    if job.launch is None:
        return Dynamic(None, False, None, (), "no launch was given")
    try:
        traced = trace(job, options)
        source = traced.source
        assert isinstance(source, StaticSource)
        first = (0, 0, 0)
        by_block = {o.block: o for o in source.outcomes(first)}
    except WarpmillError as error:
        return Dynamic(None, False, None, (), "; ".join(d.message for d in error.diagnostics))
    scale = traced.ctas_total / traced.summary.ctas
    return Dynamic(
        tuple(round(n * scale) for n in traced.summary.block_executions),
        traced.summary.ctas < traced.ctas_total,
        Outcomes(first, by_block, bool(traced.assumptions)),
        traced.assumptions,
        None,
    )


def estimate(  # noqa: PLR0913 - each option by its name
    job: Job,
    machine: str | Machine,
    *,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegisterSources | None = None,
    trace_options: TraceOptions | None = None,
    blocking: bool = False,
) -> Estimate:
    """Estimate a job's time on a machine, by name, path or as it is.

    UsageError for an unknown machine or setting, InputError where the launch does not fit on it.
    """
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    source = trace_source(job, trace_options)
    count = find_registers(job.loaded, job.kernel, job.analysis.live_registers, machine, registers)
    keeping = job.kept if trace_options is not None and trace_options.pruned else None
    subject = Subject(
        job.loaded.module, job.analysis.structure, job.required_launch(), source, keeping
    )
    return run_estimate(subject, machine, count, blocking=blocking)
