"""Jobs: kernels that were read, with their launches, and what static analysis says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, memory_accesses
from warpmill.analyzer.analyses.access.alignment import Alignment, alignments
from warpmill.analyzer.analyses.access.coalescing import FullWarpCost, full_warp_costs
from warpmill.analyzer.analyses.access.reuse import Reuse, reuses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.calls import Call, calls
from warpmill.analyzer.analyses.divergence.analysis import Divergence, Warps, divergence
from warpmill.analyzer.analyses.liveness.analysis import register_pressure
from warpmill.analyzer.analyses.mix import InstructionMix, instruction_mix
from warpmill.analyzer.analyses.ranges.analysis import block_of
from warpmill.analyzer.analyses.ranges.bounds import LoopBound, loop_bounds
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.pruning import Pruned, pruned
from warpmill.analyzer.analyses.values.shared_slots import is_for_block
from warpmill.analyzer.base.diagnostics import Diagnostic, Faults, InputError, Severity, UsageError
from warpmill.analyzer.frontends.load import (
    Loaded,
    find_launched,
    kernel_names,
    kernels_in,
    load_kernel,
)
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.printer import print_function
from warpmill.analyzer.launch import (
    Launch,
    check_launch,
    launch_from_options,
    load_launches,
    with_sizes,
)
from warpmill.analyzer.launch.advice import advised_block, advised_grid
from warpmill.analyzer.launch.check import MAX_THREADS, launch_problems, unfit_arguments
from warpmill.analyzer.launch.model import Dim3
from warpmill.analyzer.launch.options import arguments_fix, dimensions, is_typed
from warpmill.session.targets import check_target, is_application

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.access.launch_costs import LaunchCost
    from warpmill.analyzer.traces.static.plan import Plan
    from warpmill.session.applications import ApplicationLaunch
    from warpmill.simulator.estimate.kernel_facts import KernelFacts


@dataclass(frozen=True)
class LaunchOptions:
    """A launch in pieces, as the command line gives it where there is no launch file.

    ``launches`` chooses among those of an application: one by its number from 0, all, or of each
    kernel the one that executes most.
    """

    grid: str | Sequence[int] | None = None
    block: str | Sequence[int] | None = None
    shared: int | None = None
    args: Sequence[str] = ()
    sizes: Mapping[str, int | str] = field(default_factory=dict)
    launches: int | Literal["all", "largest"] = "largest"
    symbols: Sequence[str] = ()

    @property
    def given(self) -> tuple[str, ...]:
        """The options that belong to kernel files and are given."""
        each = (
            ("--grid", self.grid),
            ("--block", self.block),
            ("--shared", self.shared),
            ("--arg", self.args or None),
            ("--symbol", self.symbols or None),
        )
        return tuple(name for name, value in each if value is not None)


@dataclass(frozen=True)
class Analysis:
    """All static facts of one kernel, each worked out when it is first asked for."""

    module: Module
    structure: Structure

    @cached_property
    def bounds(self) -> tuple[LoopBound, ...]:
        """How often each loop is gone round."""
        return loop_bounds(self.structure)

    @cached_property
    def accesses(self) -> tuple[MemoryAccess, ...]:
        """The pattern of each memory access."""
        return memory_accesses(self.module, self.structure)

    @cached_property
    def mix(self) -> InstructionMix:
        """The instructions by class."""
        return instruction_mix(self.structure.kernel)

    @cached_property
    def live_registers(self) -> int:
        """The most 32-bit registers that hold values at a time."""
        kernel, structure = self.structure.kernel, self.structure
        return register_pressure(kernel, structure.cfg, self.module.target, structure.view)

    @cached_property
    def plan(self) -> Plan:
        """What static walks of its launches share."""
        from warpmill.analyzer.traces.static.plan import make_plan  # noqa: PLC0415 - only where it is walked

        return make_plan(self.structure, self.bounds)

    @cached_property
    def kernel_facts(self) -> KernelFacts:
        """What estimates of its launches share."""
        from warpmill.simulator.estimate.kernel_facts import (  # noqa: PLC0415 - only where estimates are
            KernelFacts,
        )

        return KernelFacts(self.module, self.structure, None, self.accesses)


@dataclass(frozen=True)
class AccessFacts:
    """Alignment, cost and reuse of one access; ``in_launch`` where there is a launch."""

    alignment: Alignment
    full_warp: FullWarpCost
    reuse: Reuse
    in_launch: LaunchCost | None


@dataclass(frozen=True)
class Job:
    """A kernel that was read, with the launch where one was given. Its analysis is made once.

    ``before`` are the launches that run before it, whose buffers it may use; ``recorded`` is the
    application that made it, which has its data. ``analyses`` has what is known of kernels by their
    ids: jobs that share it share their analyses.
    """

    loaded: Loaded
    kernel: Kernel
    launch: Launch | None
    before: tuple[Job, ...] = field(default=(), compare=False, repr=False)
    recorded: ApplicationLaunch | None = field(default=None, compare=False, repr=False)
    analyses: dict[int, Analysis] = field(default_factory=dict, compare=False, repr=False)

    @property
    def analysis(self) -> Analysis:
        """The kernel's static facts: of all launches, or of those like this one where it is odd."""
        known = self._analysed(id(self.kernel), None)
        if self.launch is None or not known.structure.stores_by_one:
            return known
        if is_for_block(self.kernel, self.launch.block):
            return known
        return self._analysed(~id(self.kernel), self.launch.block)

    def _analysed(self, key: int, block: tuple[int, int, int] | None) -> Analysis:
        if key not in self.analyses:
            module = self.loaded.module
            self.analyses[key] = Analysis(module, analyse_structure(self.kernel, module, block))
        return self.analyses[key]

    @cached_property
    def access_facts(self) -> tuple[AccessFacts, ...]:
        """What each access costs and shares, in the order of the analysis' accesses."""
        module, analysis = self.loaded.module, self.analysis
        structure, accesses = analysis.structure, analysis.accesses
        costs: Sequence[LaunchCost | None] = [None] * len(accesses)
        if self.launch is not None:
            from warpmill.analyzer.analyses.access.launch_costs import (  # noqa: PLC0415 - numpy is slow to load
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
        block = block_of(self.kernel.bounds) if self.launch is None else self.launch.block
        warps = None if block is None else Warps(block, self.loaded.module.warp_size)
        return divergence(self.analysis.structure, warps)

    @cached_property
    def printed(self) -> str:
        """The kernel's text, with all that is inlined."""
        return print_function(self.kernel)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """What stands for calls in the kernel."""
        return calls(self.kernel)

    @cached_property
    def pruned(self) -> Pruned:
        """The instructions that the paper's pruning keeps, and why not the others."""
        return pruned(self.analysis.structure)

    @cached_property
    def kept(self) -> tuple[frozenset[int], ...]:
        """The instructions that the paper's pruning keeps, by block."""
        return tuple(frozenset(block.kept) for block in self.pruned.blocks)

    def with_launch(self, launch: Launch, before: tuple[Job, ...] | None = None) -> Job:
        """Give the same kernel with another launch, and other ones before it where they are given.

        What is known of the kernel goes along, its analysis by ``analyses``.
        """
        earlier = self.before if before is None else before
        other = replace(self, launch=launch, before=earlier, recorded=None)
        for name in ("calls", "pruned", "kept", "printed"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    def required_launch(self) -> Launch:
        """Give the launch. UsageError where none was given."""
        if self.launch is None:
            raise UsageError(*lacking(self.loaded.module, self.kernel, LaunchOptions()))
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
    named. A program, a recording or a workload is run, and gives jobs of its launches as
    ``options.launches`` says. InputError and UsageError, located where they can be.
    """
    options = options or LaunchOptions()
    check_target(path)
    if is_application(path):
        from warpmill.session.applications import (  # noqa: PLC0415 - the executor is slow to load
            application_jobs,
        )

        return application_jobs(path, kernel, options)
    if options.launches != "largest":
        raise UsageError(f"--launch is for programs, recordings and workloads; {path} is none")
    if Path(path).suffix.lower() != ".toml":
        return (_from_kernel_file(path, kernel, options, strict=strict),)
    if options.given:
        raise UsageError(
            Diagnostic(
                Severity.ERROR,
                f"{path} is a launch file, which says the launch: {options.given[0]} is for "
                "kernel files",
                hint="--size NAME=VALUE changes the sizes of a launch file; tune and sweep vary "
                "others: --over block=64,128",
            )
        )
    launches = load_launches(path, options.sizes)
    jobs: tuple[Job, ...] = ()
    for launch in launches:
        jobs = (*jobs, replace(_from_launch(launch, strict=strict), before=jobs))
    if kernel is None:
        return jobs
    named = find_launched(kernel, [j.kernel.name for j in jobs], str(path))
    return tuple(j for j in jobs if j.kernel.name == named)


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


def jobs_of(given: Job | str | Path | Sequence[Job]) -> tuple[Job, ...]:
    """Give jobs as they are, or those that ``prepare_all`` makes of a target. UsageError."""
    if isinstance(given, str | Path):
        return prepare_all(given)
    jobs = (given,) if isinstance(given, Job) else tuple(given)
    wrong = next((each for each in jobs if not isinstance(each, Job)), None)
    if wrong is not None:
        raise UsageError(f"a job is what warpmill.prepare() gives of a file, not {wrong!r:.60}")
    return jobs


def job_of(given: Job | str | Path) -> Job:
    """Give a job as it is, or the one that ``prepare`` makes of a target. UsageError."""
    if isinstance(given, str | Path):
        return prepare(given)
    (job,) = jobs_of((given,))
    return job


def with_code(
    job: Job, path: str | Path, kernel: str | None = None, *, strict: bool = False
) -> Job:
    """Give the same launch of a kernel from another file: a variant of the job's.

    Without a name it is the only kernel there, or the one of the job's name. Whether the launch
    fits is not checked: it may get another block. InputError where the file cannot be read,
    UsageError where the kernel is not known.
    """
    if kernel is None and job.kernel.name in kernel_names(path):
        kernel = job.kernel.name
    loaded, found = load_kernel(path, kernel, strict=strict)
    launch = replace(job.required_launch(), module=Path(path), kernel=found.name)
    return Job(loaded, found, launch, job.before)


def _from_launch(launch: Launch, *, strict: bool) -> Job:
    loaded, kernel = load_kernel(launch.module, launch.kernel, strict=strict)
    return _checked(loaded, kernel, launch)


def _from_kernel_file(
    path: str | Path, kernel: str | None, options: LaunchOptions, *, strict: bool
) -> Job:
    if options.sizes:
        raise UsageError(f"{path} is a kernel file: --size changes the sizes of a launch file")
    try:
        loaded, found = load_kernel(path, kernel, strict=strict)
    except UsageError as error:
        raise _with_launch_problems(error, path, options) from None
    if not options.given:
        return Job(loaded, found, None)
    launch = launch_of_options(loaded.module, found, path, options)
    return _checked(loaded, found, launch)


def _with_launch_problems(
    error: UsageError, path: str | Path, options: LaunchOptions
) -> UsageError:
    """Add to an error about a kernel's name what is wrong with the launch of the likeliest one."""
    fix = error.diagnostics[0].fix
    if fix is None or not options.given:
        return error
    try:
        loaded, kernel = load_kernel(path, fix[1][0])
        launch_of_options(loaded.module, kernel, path, options)
    except (InputError, UsageError) as more:
        return UsageError(*error.diagnostics, *more.diagnostics)
    return error


def _checked(loaded: Loaded, kernel: Kernel, launch: Launch) -> Job:
    """Give the job of a launch that fits its kernel. Arrays of open size get the launch's."""
    check_launch(launch, loaded.module, kernel)
    module = with_sizes(loaded.module, launch)
    return Job(
        loaded if module is loaded.module else replace(loaded, module=module), kernel, launch
    )


def kernels_beside(loaded: Loaded) -> tuple[str, ...]:
    """List all kernels of the file that a kernel was read from."""
    return kernels_in(loaded.format, loaded.source)


def analyze(path: str | Path, kernel: str | None = None) -> Analysis:
    """Give a kernel's static facts: control flow, loop bounds, accesses, mix, live registers.

    UsageError where the file has several kernels and none is named; InputError, with file, line
    and column, for what cannot be read.
    """
    return prepare(path, kernel).analysis


# The launch of a kernel file, made of options; all that is wrong with them, and what would do.


def launch_of_options(
    module: Module, kernel: Kernel, path: str | Path, options: LaunchOptions
) -> Launch:
    """Give the launch that options say. UsageError and InputError with all that is wrong.

    The block of a kernel that was compiled for one block alone may be left out.
    """
    faults, needed = Faults(), lacking(module, kernel, options)
    if needed:
        faults.of(lambda: _refuse(UsageError(*needed)))
    launch = faults.of(
        lambda: launch_from_options(
            kernel,
            Path(path),
            options.grid or advised_grid(kernel),
            options.block or advised_block(kernel),
            options.shared or 0,
            options.args,
            options.symbols,
            module,
        )
    )
    shaped = launch or _shape_alone(kernel, path, options)
    faults.of(lambda: _refuse_misfits(shaped, module, kernel, options.args))
    faults.check()
    assert launch is not None
    return launch


def _shape_alone(kernel: Kernel, path: str | Path, options: LaunchOptions) -> Launch:
    """Give grid and block alone, as far as they can be read, where the rest is wrong."""

    def shape(what: str, given: str | Sequence[int] | None, advised: str) -> Dim3:
        try:
            return dimensions(what, given or advised, advised)
        except UsageError:
            return dimensions(what, advised, advised)

    grid = shape("grid", options.grid, advised_grid(kernel))
    block = shape("block", options.block, advised_block(kernel))
    return Launch.of(path, kernel.name, grid=grid, block=block)


def _refuse(error: UsageError) -> None:
    raise error


def lacking(module: Module, kernel: Kernel, options: LaunchOptions) -> list[Diagnostic]:
    """Say which parts of a launch are missing, each with one that would do.

    The block of a kernel that was compiled for one alone is known.
    """
    missing = {}
    if options.grid is None:
        missing["--grid"] = advised_grid(kernel)
    if options.block is None and kernel.bounds.required_threads is None:
        missing["--block"] = advised_block(kernel)
    if options.given:
        because = f"a launch from options needs {{}}, as {options.given[0]} is given"
        return [
            Diagnostic(Severity.ERROR, because.format(option), fix=(option, (value,)))
            for option, value in missing.items()
        ]
    words = "a launch is needed: give a launch file, or --grid and --block with an --arg for "
    fixes = [(option, (value,)) for option, value in missing.items()]
    arguments = arguments_fix(module, kernel, {})
    if arguments is None:  # a struct, or another parameter that options have no word for
        return [Diagnostic(Severity.ERROR, f"{words}each parameter")]
    problem = Diagnostic(Severity.ERROR, f"{words}each parameter")
    return [replace(problem, fix=fix) for fix in (*fixes, arguments)]


def _refuse_misfits(launch: Launch, module: Module, kernel: Kernel, texts: Sequence[str]) -> None:
    """Refuse a launch that does not fit its kernel, with what would. InputError."""
    problems = launch_problems(launch, module, kernel)
    if not launch.arguments:  # where they are wrong, that was said
        problems = [(key, problem) for key, problem in problems if key in {"shape", "block"}]
    if not problems:
        return
    wrong = unfit_arguments(launch, module, kernel)
    in_order = all(map(is_typed, texts))
    right = {n: text for n, text in enumerate(texts) if n not in wrong} if in_order else {}
    fixes = {
        "shape": ("--grid", (advised_grid(kernel),))
        if launch.threads_per_cta <= MAX_THREADS
        else None,
        "block": ("--block", (advised_block(kernel),)),
        "args": arguments_fix(module, kernel, right) if in_order else None,
    }
    if fixes["shape"] is None:
        fixes["shape"] = fixes["block"]
    raise InputError(*(replace(d, fix=fixes.get(key)) for key, d in problems))
