"""Jobs: targets by suffix or name, kernels with launches, and what static analysis says of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import Divergence, WarpShape, divergence
from warpmill.analyzer.analyses.mix import (
    ClassifiedCall,
    InstructionMix,
    Pruned,
    calls,
    instruction_mix,
    pruned,
)
from warpmill.analyzer.analyses.ranges.analysis import block_of
from warpmill.analyzer.analyses.ranges.bounds import LoopBound, loop_bounds
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.shared_slots import is_for_block
from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.launch import Launch
from warpmill.session.options import LaunchOptions
from warpmill.simulator.assembler.registers import RegisterDemand, register_demand

if TYPE_CHECKING:
    from warpmill.analyzer.traces.accelsim.source import AccelSimSource
    from warpmill.analyzer.traces.static.plan import WalkPlan
    from warpmill.session.replay_device import LaunchStep, RecordedLaunchPlace
    from warpmill.simulator.assembler.program import KernelFacts


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
    def register_demand(self) -> RegisterDemand:
        """The 32-bit registers that a thread needs."""
        kernel, structure = self.structure.kernel, self.structure
        return register_demand(kernel, structure.cfg, self.module.target, structure.view)

    @property
    def live_registers(self) -> int:
        """The most 32-bit registers that hold values at a time."""
        return self.register_demand.registers

    @cached_property
    def plan(self) -> WalkPlan:
        """Plan that static walks of its launches share."""
        from warpmill.analyzer.traces.static.plan import make_plan  # noqa: PLC0415 - only where it is walked

        return make_plan(self.structure, self.bounds)

    @cached_property
    def kernel_facts(self) -> KernelFacts:
        """Facts of the kernel that estimates and simulations of its launches share."""
        from warpmill.simulator.assembler.program import (  # noqa: PLC0415 - only where it is timed
            KernelFacts,
        )

        return KernelFacts(self.module, self.structure, self.accesses)


@dataclass(frozen=True)
class Job:
    """A kernel that was read, with the launch where one was given. Its analysis is made once.

    ``before`` are the launches that run before it, whose buffers it may use; ``recorded`` is its
    place in the recording that it comes from, which has its data; ``traced`` are the traces
    of another tool that it comes from, without data. ``analyses`` has what is known of kernels by
    their ids: jobs that share it share their analyses.
    """

    loaded: LoadedModule
    kernel: Kernel
    launch: Launch | None
    before: tuple[Job, ...] = field(default=(), compare=False, repr=False)
    recorded: RecordedLaunchPlace | None = field(default=None, compare=False, repr=False)
    traced: AccelSimSource | None = field(default=None, compare=False, repr=False)
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
    def divergence(self) -> Divergence:
        """Divergence between the lanes of a warp: of the launch's warps where there is one."""
        block = block_of(self.kernel.bounds) if self.launch is None else self.launch.block
        warps = None if block is None else WarpShape(block, self.loaded.module.warp_size)
        return divergence(self.analysis.structure, warps)

    @cached_property
    def printed(self) -> str:
        """The kernel's text, with all that is inlined."""
        from warpmill.analyzer.ir.printer import print_function  # noqa: PLC0415 - seldom needed

        return print_function(self.kernel)

    @cached_property
    def calls(self) -> tuple[ClassifiedCall, ...]:
        """Classified calls in the kernel."""
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
        """The same kernel with another launch, and other ones before it where they are given.

        What is known of the kernel goes along, its analysis by ``analyses``.
        """
        if self.traced is not None and _threads(launch) != _threads(self.traced.traced.launch):
            self.refuse_traced("to launch it in another way")
        earlier = self.before if before is None else before
        other = replace(self, launch=launch, before=earlier, recorded=None)
        for name in ("calls", "pruned", "kept", "printed"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    @cached_property
    def step(self) -> LaunchStep:
        """The launch with its kernel, as a device makes it. UsageError where none was given."""
        from warpmill.session.replay_device import LaunchStep  # noqa: PLC0415 - LLVM is slow to load

        self.refuse_traced("to execute")
        return LaunchStep(self.loaded, self.kernel, self.required_launch())

    def refuse_traced(self, what: str) -> None:
        """Refuse what takes code or data where the job is of a trace. UsageError."""
        if self.traced is not None:
            raise UsageError(
                f"{self.loaded.path} is a trace: it has what warps executed, and neither code nor "
                f"data {what}; inspect, trace, simulate and estimate take it"
            )

    def required_launch(self) -> Launch:
        """The launch. UsageError where none was given."""
        if self.launch is None:
            from warpmill.session.launch_options import lacking  # noqa: PLC0415 - only for errors

            raise UsageError(*lacking(self.loaded.module, self.kernel, LaunchOptions()))
        return self.launch


def _threads(launch: Launch) -> tuple[object, ...]:
    return launch.grid, launch.block, launch.dynamic_shared_bytes


# What a target is: a file by its suffix, or a workload by its name.

PROGRAM_SUFFIXES = (".py", ".wmrec")

TRACED_SUFFIXES = (".traceg", ".traceg.xz", ".g")


def is_workload(target: str | Path) -> bool:
    """Whether a target names a workload: NAME, NAME:PRESET, NAME:PRESET:BUILD. Files come first."""
    if not isinstance(target, str) or Path(target).is_file():
        return False
    from warpmill.session.workloads import workload_names  # noqa: PLC0415 - not for files

    return target.split(":")[0] in workload_names()


_SAMPLES = Path(__file__).parents[1] / "samples"


def sample_path(word: str) -> str:
    """The file that a word such as ``samples/matmul/launch.toml`` means, from any folder.

    What is there from the current folder on is meant first; a word that means no sample stays as
    it is.
    """
    first, _, rest = word.partition("/")
    if first != "samples" or not rest or Path(word).exists():
        return word
    return _inside(rest) or word


def sample_word(path: str) -> str:
    """The word that means a file of the samples from the current folder; another path as it is."""
    folder, own = _SAMPLES.resolve(), Path(path).resolve()
    if not own.is_relative_to(folder):
        return path
    word = f"samples/{own.relative_to(folder).as_posix()}"
    return word if Path(path).is_absolute() and Path(sample_path(word)).resolve() == own else path


def sample_called(name: str) -> str | None:
    """The launch file of a sample by its name, ``matmul``; None where there is no such sample."""
    return _inside(f"{name}/launch.toml") if name.isidentifier() else None


def sample_names() -> tuple[str, ...]:
    """The samples that have a launch file."""
    return tuple(sorted(path.parent.name for path in _SAMPLES.glob("*/launch.toml")))


def _inside(place: str) -> str | None:
    own, folder = (_SAMPLES / place).resolve(), _SAMPLES.resolve()
    return str(own) if own.is_relative_to(folder) and own.is_file() else None


_Target = TypeVar("_Target", bound=str | Path)


def found_target(target: _Target) -> _Target:
    """The target that is meant: a sample by its name, or its path, from any folder.

    UsageError, with a hint, for what names neither a file nor a workload nor a sample.
    """
    if not isinstance(target, str):
        return target
    if not target.strip():
        raise UsageError("the target is empty: name a file, or a workload such as bfs:tiny")
    name = target.split(":")[0]
    if target == "-" or Path(name).suffix or "/" in target or "\\" in target:
        return cast(_Target, sample_path(target))
    if Path(target).exists() or is_workload(target):
        return target
    sample = sample_called(target)
    if sample is not None:
        return cast(_Target, sample)
    from warpmill.analyzer.base.naming import suggestion  # noqa: PLC0415 - only for errors
    from warpmill.session.workloads import workload_names  # noqa: PLC0415

    there = sorted({*workload_names(), *sample_names()})
    hint = suggestion(name, there) or "warpmill samples lists the workloads"
    words = f"there is no file and no workload `{name}`"
    raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def says_launches(target: str | Path) -> bool:
    """Whether a target has launches: a launch file, an application or a trace."""
    return Path(target).suffix.lower() == ".toml" or is_application(target) or is_traced(target)


def is_traced(target: str | Path) -> bool:
    """Whether a target is a trace of Accel-Sim: it says its launches, and has no code."""
    return str(target).lower().endswith(TRACED_SUFFIXES)


def is_application(target: str | Path) -> bool:
    """Whether a target is a program, a recording or a workload: it says itself what it launches."""
    path = Path(target)
    if path.suffix.lower() == ".py":
        from warpmill.analyzer.frontends.compilers.embedded import (  # noqa: PLC0415 - for these alone
            holds_sources,
        )
        from warpmill.analyzer.frontends.compilers.python_kernels import (  # noqa: PLC0415 - likewise
            python_kernels,
        )

        return not holds_sources(path) and not python_kernels(path)
    return path.suffix.lower() in PROGRAM_SUFFIXES or is_workload(target)
