"""The options that commands and the Python API share, each declared once.

Nothing heavy is imported here: the help of a command shows them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.opt import Arg, Choices, Help, Opt, Without
from warpmill.analyzer.frontends.compilers.options import CompileOptions, CompilerName
from warpmill.simulator.gpu.options import L2AtFirst, Options

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange, Assumptions
    from warpmill.analyzer.memory.rules import MemoryRules
    from warpmill.executor.collectors import Collector
    from warpmill.executor.host.backend import DeviceBackend
    from warpmill.executor.host.cpu_device import Progress
    from warpmill.executor.sanitizers.sanitizer import Sanitizer


def pair(option: str, text: str, example: str) -> tuple[str, str]:
    """Split NAME=VALUE; the name may hold no equals sign. UsageError for anything else."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        words = f"{option} {text}: this is not of the form NAME=VALUE"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"such as {option} {example}"))
    return name, value


def percent_of(option: str, text: str) -> float:
    """Read ``5%``, as a share: 0.05. UsageError for what is none, and below 0."""
    match = _PERCENT.fullmatch(text.strip())
    if match is None:
        words = f"{option} {text}: a percentage is needed, 0% or more"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"such as {option} 5%"))
    return float(match["number"]) / 100


def limits_by_figure(
    option: str, texts: Sequence[str], names: Sequence[str], every: str
) -> dict[str, float]:
    """Read ``5%`` and ``FIGURE=5%`` of texts, apart by commas, as shares by figure. UsageError.

    One without a figure is that of ``every``; others are of ``names``.
    """
    found: dict[str, float] = {}
    for text in (part for given in texts for part in given.split(",") if part.strip()):
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if equals and name not in names:
            words = f"{option} {text}: no figure that is compared is called {name or 'so'}"
            known = ", ".join(each for each in names if "." not in each)
            hint = suggestion(name, names) or f"such as {known}"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
        found[name if equals else every] = percent_of(option, value)
    return found


_PERCENT = re.compile(r"(?P<number>\d{1,6}(?:\.\d{1,6})?)\s*%")


def _sizes(texts: Sequence[str]) -> dict[str, str]:
    return dict(pair("--size", text, "n=4096") for text in texts)


Sizes = Annotated[
    Mapping[str, int | str],
    Opt(
        "Replace a size of the launch file, or pass it to the program's main by name.",
        names=("--size",),
        metavar="NAME=VALUE",
        text=list[str],
        read=_sizes,
    ),
]

Launches = int | Literal["all", "largest"]


def _launches(text: str) -> Launches:
    if text == "all":
        return "all"
    if text.isascii() and text.isdigit() and len(text) < 12:
        return int(text)
    raise UsageError(f"--launch {text}: the number of a launch, from 0, or `all` is needed")


@dataclass(frozen=True)
class LaunchOptions:
    """What a target does not say itself: a launch in pieces, and how a source is compiled.

    ``launches`` chooses among those of an application: one by its number from 0, all, or of each
    kernel the one that executes most.
    """

    grid: Annotated[
        str | Sequence[int] | None,
        Opt("CTAs, where a kernel file is given.", metavar="X[,Y[,Z]]", text=str, read=str),
    ] = None
    block: Annotated[
        str | Sequence[int] | None,
        Opt("Threads of a CTA, likewise.", metavar="X[,Y[,Z]]", text=str, read=str),
    ] = None
    shared: Annotated[
        int | None, Opt("Dynamic shared memory of a CTA, likewise.", metavar="BYTES")
    ] = None
    args: Annotated[
        Sequence[str],
        Opt(
            "The next argument, likewise: 5, i32=5, f32=0.5, buffer=f32:1024, null, NAME=5; of "
            "numba array=f32:64x2.",
            names=("--arg",),
            metavar="VALUE",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    sizes: Sizes = field(default_factory=dict)
    launches: Annotated[
        Launches,
        Opt(
            "Which launch of a program, a recording or a workload, from 0; without it, of each "
            "kernel the one that executes most.",
            names=("--launch",),
            metavar="N|all",
            text=str,
            read=_launches,
            shows_default=False,
        ),
    ] = "largest"
    symbols: Annotated[
        Sequence[str],
        Opt(
            "Contents of a module variable, likewise: table=f32:64:uniform, table=arange, n=3; of "
            "a texture reference: image=texture=f32:64x64.",
            names=("--symbol",),
            metavar="NAME=CONTENTS",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    compile: CompileOptions = field(default_factory=CompileOptions)

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


class LaunchKeywords(TypedDict, total=False):
    """The fields of ``LaunchOptions`` as keywords: ``sizes={"n": 512}``, ``grid=64``."""

    grid: str | int | Sequence[int] | None
    block: str | int | Sequence[int] | None
    shared: int | None
    args: Sequence[str]
    sizes: Mapping[str, int | str]
    launches: Launches
    symbols: Sequence[str]
    include: Sequence[str]
    define: Sequence[str] | Mapping[str, object]
    std: str | None
    arch: str | None
    compiler: CompilerName | None


class KernelKeywords(LaunchKeywords, total=False):
    """A launch, and which kernel of a file."""

    kernel: str | None


def launch_with(options: LaunchOptions | None, given: LaunchKeywords) -> LaunchOptions:
    """A launch from options, with what keywords say in their place. TypeError for others."""
    named: dict[str, Any] = dict(given)
    for shape in ("grid", "block"):
        if isinstance(named.get(shape), int):
            named[shape] = (named[shape],)
    options = options or LaunchOptions()
    how = {f.name: named.pop(f.name) for f in fields(CompileOptions) if f.name in named}
    return replace(options, compile=replace(options.compile, **how), **named)


TRACE_SOURCES = ("auto", "static", "executed")
"""Sources of traces other than a file."""

MAX_TRACE_VISITS = 100_000
"""Block visits that a static trace walks."""

MAX_TRACED_INSTRUCTIONS = 50_000_000_000
"""Thread instructions that executing a launch for its traces may take: some tens of seconds."""


def _trace_source(text: str) -> str:
    if text not in TRACE_SOURCES and not Path(text).exists():
        words = f"--trace {text}: this is none of {', '.join(TRACE_SOURCES)}, nor is there a file"
        raise UsageError(f"{words} of traces with this name")
    return text


def _assumed(texts: Sequence[str]) -> dict[str, AssumedRange]:
    from warpmill.analyzer.analyses.ranges.assumptions import parse_assumptions  # noqa: PLC0415 - the analyses

    return dict(parse_assumptions(texts).items())


ASSUMED_NUMBERS = Help(
    "assume", "Trip count of a loop that data decide: a number; analyze names the loops."
)
"""Help of ``TraceOptions`` for a command whose traces take no ranges."""


@dataclass(frozen=True)
class TraceOptions:
    """How traces are made and counted. ``source`` is auto, static, executed, or a file of traces.

    ``assume`` has the trip counts of loops that data end, by label: numbers, or ranges, which are
    traced end by end. ``pruned`` counts only the instructions that the paper keeps (§III-A-1).
    ``max_instructions`` are those of threads that executing may take, all CTAs together.
    """

    source: Annotated[
        str,
        Opt(
            "Where the warp traces come from.",
            names=("--trace",),
            metavar="auto|static|executed|FILE",
            text=str,
            read=_trace_source,
        ),
    ] = "auto"
    assume: Annotated[
        Mapping[str, int | AssumedRange],
        Opt(
            "Trip count of a loop that data decide, or a range; analyze names the loops.",
            metavar="NAME=N|LOW..HIGH",
            text=list[str],
            read=_assumed,
        ),
    ] = field(default_factory=dict)
    max_visits: Annotated[
        int,
        Opt(
            "Most block visits that a static trace walks.",
            names=("--max-trace-visits",),
            metavar="N",
            least=1,
        ),
    ] = MAX_TRACE_VISITS
    max_instructions: Annotated[
        int,
        Opt("Most thread instructions that executing for a trace takes.", metavar="N", least=1),
    ] = MAX_TRACED_INSTRUCTIONS
    pruned: Annotated[
        bool,
        Opt("Count only arithmetic, memory accesses and barriers, as the hybrid paper does."),
    ] = False

    @property
    def assumptions(self) -> Assumptions:
        """Assumptions, each as an interval."""
        from warpmill.analyzer.analyses.ranges.assumptions import (  # noqa: PLC0415 - the analyses
            AssumedRange,
            Assumptions,
        )

        pairs = (
            (n, i if isinstance(i, AssumedRange) else AssumedRange(i, i))
            for n, i in self.assume.items()
        )
        return Assumptions(tuple(pairs))

    def ends(self) -> tuple[TraceOptions, ...]:
        """The options with all the low ends and with all the high ends; once if alike."""
        return tuple(replace(self, assume=dict(end)) for end in self.assumptions.ends())

    def trips(self) -> dict[str, int]:
        """Assumed numbers. UsageError where one is a range."""
        for name, interval in self.assumptions.items():
            if not interval.is_point:
                raise UsageError(
                    f"--assume {name}={interval}: one trace takes one number, not a range: "
                    "say one (analyze, trace, estimate and explain take ranges)"
                )
        return {name: interval.low for name, interval in self.assumptions.items()}


Registers = Annotated[
    int | None,
    Opt(
        "Registers of a thread: 1 to what the machine has, which is 255 on most.",
        names=("--regs",),
        metavar="N",
        least=1,
    ),
]
Ptxas = Annotated[
    bool | None,
    Opt(
        "Ask ptxas for the registers, or do not. Left out: where it is on PATH, of PTX.",
        names=("--ptxas/--no-ptxas",),
    ),
]


@dataclass(frozen=True)
class RegisterSources:
    """Sources of registers per thread: one at most. UsageError for several."""

    registers: Registers = None
    cubin: Annotated[Path | None, Opt("Take the registers from this cubin.", metavar="FILE")] = None
    ptxas: Ptxas = None

    def __post_init__(self) -> None:
        given = {
            "--regs": self.registers is not None,
            "--cubin": self.cubin is not None,
            "--ptxas": self.ptxas is True,
        }
        names = [name for name, is_given in given.items() if is_given]
        if len(names) > 1:
            raise UsageError(f"{' and '.join(names)} each say what the registers are: leave one")

    @classmethod
    def of(cls, given: RegistersFrom | None) -> RegisterSources:
        """The sources that a value means: a number, "ptxas", "model", or a cubin's path."""
        if given is None:
            return cls()
        if isinstance(given, RegisterSources):
            return given
        if isinstance(given, int):
            return cls(registers=given)
        if given in {"ptxas", "model"}:
            return cls(ptxas=given == "ptxas")
        return cls(cubin=Path(given))


RegistersFrom = RegisterSources | int | str | Path
"""Registers a thread in Python: a number, "ptxas", "model", the path of a cubin, or sources."""


@dataclass(frozen=True)
class SimulationSetup:
    """Settings of simulations beside the launches and a machine."""

    options: Annotated[
        Options, Without("keep_l1", "flush_l2", "l2", "rounds", "unit_instructions")
    ] = field(default_factory=Options)
    registers: Annotated[RegisterSources, Without("cubin", "ptxas")] = field(
        default_factory=RegisterSources
    )
    traces: Annotated[TraceOptions, Without("source", "assume", "max_visits", "pruned")] = field(
        default_factory=TraceOptions
    )


@dataclass(frozen=True, slots=True)
class EstimateOptions:
    """Settings of an estimate.

    ``mode``: whole waves of CTAs, or the hybrid paper's pipeline with Equation 8. ``l2``: what L2
    has at the beginning. ``timed``: how the time is taken (a kernel's duration as profilers report
    it, events around one launch, one of many launches in a stream, one node of a graph), which
    decides what launching adds to the execution.
    ``flush_l2`` empties L2 between the launches of a target, which else find what others left.
    """

    mode: Annotated[
        Literal["waves", "eq8"],
        Opt("waves: CTAs wave by wave; eq8: the hybrid paper's pipeline."),
    ] = "waves"
    l2: L2AtFirst = "cold"
    timed: Annotated[
        Literal["kernel", "event", "back-to-back", "graph"],
        Opt(
            "How the time is taken: as profilers report a kernel, by events around one launch, of "
            "many launches in a stream, or of the nodes of a graph."
        ),
    ] = "kernel"
    flush_l2: Annotated[bool, Opt("Empty L2 between launches.")] = False

    @property
    def carries_l2(self) -> bool:
        """Whether a launch finds in L2 what those before it left."""
        return self.l2 == "cold" and not self.flush_l2


EngineName = Annotated[Literal["estimate", "simulate"], Opt("What says how long launches take.")]


def check_engine(engine: str, simulation: Options) -> None:
    """Refuse an engine that there is not, and options of simulations for another. UsageError."""
    if engine not in {"estimate", "simulate"}:
        raise UsageError(f"there is no engine {engine}: there are estimate and simulate")
    plain = replace(simulation, l2="cold")
    if engine == "simulate" or plain == Options():
        return
    given = (f.name for f in fields(Options) if getattr(plain, f.name) != f.default)
    option = next(given).removesuffix("_bytes").replace("_", "-")
    raise UsageError(f"--{option} is for --engine simulate")


@dataclass(frozen=True)
class EvaluationOptions:
    """Engine for the time of launches, and its settings, where many are asked for.

    ``simulation`` is for ``simulate``; what L2 has at first, its ``l2``, holds for both engines.
    """

    engine: EngineName = "estimate"
    registers: Registers = None
    trace: Annotated[TraceOptions, Without("pruned"), ASSUMED_NUMBERS] = field(
        default_factory=TraceOptions
    )
    simulation: Annotated[Options, Without("keep_l1", "flush_l2", "unit_instructions")] = field(
        default_factory=Options
    )

    def __post_init__(self) -> None:
        check_engine(self.engine, Options())

    def check(self) -> None:
        """Refuse options of simulations where nothing is simulated. UsageError."""
        check_engine(self.engine, self.simulation)


_TARGET = """A launch file (.toml), a kernel file (.ptx, .ll, .bc), a source (.cu, .hip, .cl), or \
what launches kernels: a program (.py), a recording (.wmrec), a workload (bfs:tiny); \
or a trace of Accel-Sim (.traceg, kernelslist.g)."""


KernelName = Annotated[
    str | None,
    Opt(
        "Which kernel, mangled or not; of a source's templates an instance: 'gemm<128, 8>'.",
        names=("--kernel", "-k"),
        metavar="NAME",
        completes="kernel",
    ),
]
Strict = Annotated[bool, Opt("Make an unknown opcode an error.")]


@dataclass(frozen=True)
class TargetOptions:
    """Target of a command: a file or a workload, and which kernel of it."""

    target: Annotated[str, Arg(_TARGET, metavar="TARGET", completes="target")]
    kernel: KernelName = None
    strict: Strict = False


@dataclass(frozen=True)
class SeveralTargets:
    """Targets of a command, and which kernel of each."""

    targets: Annotated[
        tuple[str, ...],
        Arg(
            _TARGET,
            metavar="TARGET",
            text=list[str],
            read=tuple,
            completes="target",
        ),
    ]
    kernel: KernelName = None
    strict: Strict = False


@dataclass(frozen=True)
class ComparedTargets:
    """Two targets that are compared, and which kernel of each: of B without a name, as of A."""

    a: Annotated[str, Arg(_TARGET, metavar="A", completes="target")]
    b: Annotated[str, Arg("Another one, of any kind.", metavar="B", completes="target")]
    kernel: KernelName = None
    kernel_b: Annotated[
        str | None,
        Opt("Which kernel of B; without it as in A.", metavar="NAME", completes="kernel"),
    ] = None
    strict: Strict = False


@dataclass(frozen=True)
class ComparisonOptions:
    """Settings of a comparison, and whether its exit code reports differences."""

    all_rows: Annotated[bool, Opt("Show equal rows too.", names=("--all",))] = False
    exit_code: Annotated[bool, Opt("End with 1 where they differ.")] = False


def _device(name: str) -> str:
    from warpmill.executor.host.device import DEVICES  # noqa: PLC0415 - slow to load

    if name not in DEVICES:
        raise UsageError(f"--device {name}: devices are {', '.join(DEVICES)}")
    return name


@dataclass(frozen=True)
class RunOptions:
    """Device and limits of a run. None: no limit.

    ``device`` is ``cpu``, the executor, ``cuda``, or a backend. Instructions are thread
    instructions and seconds those of execution, of all launches together; memory is in bytes, None
    half of what is free, 16 GiB at most. ``resident_ctas`` CTAs run at the same time, taking turns.
    ``collectors`` are told of every launch, on the executor only; ``memory_rules`` are those that
    they have memory counted by. ``sanitizer`` watches every launch, on the executor only.
    ``order`` above 0 is a seed of the order in which its warps and CTAs run.
    """

    device: Annotated[
        str | DeviceBackend,
        Opt(
            "The executor here, or an NVIDIA GPU.",
            metavar="cpu|cuda",
            text=str,
            read=_device,
        ),
    ] = "cpu"
    max_instructions: Annotated[
        int | None, Opt("Most thread instructions of all launches.", metavar="N", least=1)
    ] = None
    max_seconds: Annotated[
        float | None,
        Opt("Most seconds of execution, of all launches.", metavar="N", least=0.001),
    ] = None
    max_memory_bytes: Annotated[
        int | None,
        Opt(
            "Most bytes of device memory; without it half of those that are free, 16 GiB at most.",
            names=("--max-memory",),
            metavar="BYTES",
            least=1,
        ),
    ] = None
    workers: Annotated[int, Opt("CPU threads that run CTAs.", metavar="N", least=1)] = 1
    resident_ctas: Annotated[
        int,
        Opt(
            "CTAs that run at the same time, taking turns.",
            names=("--resident",),
            metavar="N",
            least=1,
        ),
    ] = 1
    schedule: Annotated[
        Literal["ipdom", "its"],
        Opt(
            "How lanes of a warp go on that have parted: each side to their meeting point, or "
            "independently as on Volta and later, so that lanes may wait for one another."
        ),
    ] = "ipdom"
    order: int = 0
    record: bool = False
    progress: Progress | None = None
    collectors: Sequence[Collector] = ()
    memory_rules: MemoryRules | None = None
    sanitizer: Sanitizer | None = None


LaunchNumber = Annotated[
    int | None,
    Opt("Only this launch, from 0; all are run.", names=("--launch",), metavar="N", least=0),
]
"""Number of the shown launch of a command that runs all launches."""


DEFAULT_MACHINES = ("v100", "a100", "h100_sxm")
"""The machines that an estimate is made for where none is named."""

DEFAULT_MACHINE = "v100"
"""The machine that is simulated where none is named."""


Settings = Annotated[
    Sequence[str],
    Opt(
        "Change a value of every machine, such as sm.count=132.",
        names=("--set",),
        metavar="KEY=VALUE",
        text=list[str],
        read=tuple,
    ),
]
"""Values changed of all machines that a command is about."""


@dataclass(frozen=True)
class MachineOptions:
    """The machines that a question is about, by name or as files, and values changed of all."""

    machines: Annotated[
        Sequence[str],
        Opt(
            "Machines by name, or machine files (.toml); without it {default}.",
            names=("--machine", "-m"),
            metavar="NAME[,NAME]",
            text=list[str],
            read=tuple,
            completes="machine",
        ),
    ] = DEFAULT_MACHINES
    settings: Settings = ()


AS_GRAPH = Choices("format", "text", "md", "html", "json", "csv", "dot", "svg")
"""Formats of ``Output`` for a command whose result is a graph."""


OF_ISSUES = Choices("format", "text", "md", "html", "json", "csv", "sarif", "junit", "github")
"""Formats of ``Output`` for a command that finds what is to be mended."""


_ENDINGS = {**{name: name for name in ("md", "html", "json", "csv", "sarif")}, "xml": "junit"}
"""The formats by the endings of names of files that say them."""

Verbose = Annotated[bool, Opt("Show everything in text.", names=("--verbose", "-v"))]


@dataclass(frozen=True)
class Output:
    """Destination and form of a result."""

    format: Annotated[
        str | None,
        Opt(
            "How to write the report; else as the name of --output ends, or as text.",
            names=("--format", "-f"),
            text=Literal["text", "md", "html", "json", "csv"] | None,
        ),
    ] = None
    output: Annotated[
        Path | None,
        Opt(
            "Write to this file, whole or not at all; of a link, to what it points to.",
            names=("--output", "-o"),
            metavar="FILE",
            writes="now",
        ),
    ] = None
    html: Annotated[
        Path | None,
        Opt(
            "Write the result to this file, too, as a page with charts that opens offline.",
            metavar="FILE",
            writes="now",
        ),
    ] = None
    verbose: Verbose = False
    metrics: Annotated[
        Literal["labels", "ncu"],
        Opt("How figures are named: by labels alone, or with Nsight Compute's metrics as well."),
    ] = "labels"

    @property
    def form(self) -> str:
        """Format of the report: that asked for, or else by the ending of the file's name."""
        ending = "" if self.output is None else self.output.suffix[1:].lower()
        return self.format or _ENDINGS.get(ending, "text")
