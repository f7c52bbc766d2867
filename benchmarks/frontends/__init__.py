"""How fast and how right the front-ends are, on kernels that the benchmark makes itself.

Inputs are Triton's and numba's kernels, the CUDA and OpenCL sources in ``frontend_inputs`` by nvcc
and clang, and the samples. A compiler that is absent leaves its group out. They are made once, into
a cache, and again where sources or compilers change. Speeds are CPU time, the median of the rounds,
over one chip of each kernel file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, column
from warpmill.benchmarks.checks import SECTIONS, Checked, Right
from warpmill.report.base import Part
from warpmill.report.sections import Comparison, Items, Table

LARGE_MODULE = 2000
"""Instructions from which a module of LLVM is large."""


class ReadTime(Part):
    """CPU seconds from a PTX file over 100 kB, or a module of bitcode, to verified IR.

    ``work`` is megabytes of PTX, or LLVM's instructions. ``lark_s``: the same PTX parsed whole by
    lark with the same grammar (``whole_file`` says what it does not do); ``scan_s``: listing its
    kernels; 0 for bitcode.
    """

    file: str
    producer: str
    flavour: str
    work: float
    read_s: float
    lark_s: float = 0.0
    scan_s: float = 0.0


class ReadGroup(Part):
    """Files of one producer or flavour."""

    group: Annotated[str, Metric("read")]
    files: Annotated[int, Metric("files")]
    work: float
    per_s: float
    ratio: Annotated[float, Metric("times lark")]
    scan: Annotated[float | None, Metric("scanned, MB/s")]


def _ratio(rows: Iterable[ReadTime], work: str, seconds: str) -> float | None:
    """A field summed over rows, by another one; None without rows, or where that takes no time."""
    pairs = [(getattr(row, work), getattr(row, seconds)) for row in rows]
    taken = sum(time for _, time in pairs)
    return sum(done for done, _ in pairs) / taken if taken else None


def _groups(rows: Iterable[ReadTime], *keys: str) -> tuple[ReadGroup, ...]:
    """Rows by what a field says, sorted by that; then by what another one says."""
    return tuple(
        ReadGroup(
            group=name,
            files=len(some),
            work=sum(row.work for row in some),
            per_s=_ratio(some, "work", "read_s"),
            ratio=_ratio(some, "lark_s", "read_s"),
            scan=_ratio(some, "work", "scan_s"),
        )
        for key in keys
        for name in sorted({getattr(row, key) for row in rows})
        for some in [[row for row in rows if getattr(row, key) == name]]
    )


class FrontendsResult(Checked):
    """Checks and speeds.

    ``statements`` are LLVM's; of ``exact`` an independent count says how many instructions they
    become, of the others at least how many; ``unknown`` instructions were not understood.
    ``refused_originals``: texts that no ptxas takes as they are.
    """

    parsed: Annotated[Right, Metric("inputs that give a verified module")]
    counts_equal: Annotated[Right, Metric("functions with as many instructions as counted")]
    ir_read_back: Annotated[Right, Metric("modules that the IR's reader gives back")]
    isa_names_known: Annotated[Right, Metric("the manual's instructions in the opcode table")]
    ptxas_checked: Annotated[Right | None, Metric("PTX printed from IR that ptxas takes")] = None
    statements: int = 0
    exact: int = 0
    unknown: int = 0
    ptx: tuple[ReadTime, ...] = ()
    bitcode: tuple[ReadTime, ...] = ()
    refused_originals: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @derived("PTX read, MB/s")
    def ptx_mb_per_s(self) -> float | None:
        """From text to verified IR."""
        return _ratio(self.ptx, "work", "read_s")

    @derived("times as fast as plain lark")
    def ratio_to_whole_file_lark(self) -> float | None:
        """In turn in the same rounds; lark makes no verified IR."""
        return _ratio(self.ptx, "lark_s", "read_s")

    @derived("kernels of PTX listed, MB/s")
    def scan_mb_per_s(self) -> float | None:
        """Of the same files."""
        return _ratio(self.ptx, "work", "scan_s")

    @derived("LLVM's instructions read from bitcode, a second")
    def llvm_instr_per_s(self) -> float | None:
        """Over all modules."""
        return _ratio(self.bitcode, "work", "read_s")

    @derived("the same of large modules")
    def llvm_large_instr_per_s(self) -> float | None:
        """Over those of more than 2,000."""
        large = (row for row in self.bitcode if row.work > LARGE_MODULE)
        return _ratio(large, "work", "read_s")

    @derived("LLVM: counted exactly", "%")
    def llvm_exact_share(self) -> float | None:
        """Of LLVM's statements."""
        return self.exact / self.statements if self.statements else None

    @derived("LLVM: not understood", "%")
    def llvm_unknown_share(self) -> float | None:
        """Of LLVM's statements."""
        return self.unknown / self.statements if self.statements else None

    @derived("PTX by flavour and producer")
    def ptx_groups(self) -> tuple[ReadGroup, ...]:
        """Files with line numbers, for debuggers, and so on; then by compiler."""
        return _groups(self.ptx, "flavour", "producer")

    @derived("bitcode by producer")
    def llvm_by_producer(self) -> tuple[ReadGroup, ...]:
        """By compiler."""
        return _groups(self.bitcode, "producer")


BENCHMARK: Benchmark[FrontendsResult] = Benchmark(
    name="frontends",
    about="How fast kernels are read, beside plain lark, and whether what compilers make is right.",
    takes="20 minutes",
    result=":FrontendsResult",
    measure="measuring:measure",
    sections=(
        *SECTIONS,
        Comparison("LLVM", ("llvm_exact_share", "llvm_unknown_share", "llvm_large_instr_per_s")),
        Table("PTX", "ptx_groups",
              (column("group", "PTX over 100 kB"), "files", column("work", "MB", "{:.1f}"),
               column("per_s", "MB/s", "{:.2f}"), column("ratio", form="{:.2f}"),
               column("scan", form="{:.0f}"))),
        Table("Bitcode", "llvm_by_producer",
              (column("group", "bitcode"), "files",
               column("per_s", "instructions a second", "{:,.0f}"))),
        Items("Originals that no ptxas takes", "refused_originals"),
        Items("Missing, and what needs it is left out", "missing"),
    ),
    goals=(Goal("not_right", 0.0), Goal("ptx_mb_per_s", 4.0, at_least=True),
           Goal("ratio_to_whole_file_lark", 6.0, at_least=True),
           Goal("scan_mb_per_s", 25.0, at_least=True),
           Goal("llvm_instr_per_s", 60000.0, at_least=True)),
    data=("benchmarks/frontend_inputs/cuda/*", "benchmarks/frontend_inputs/opencl/*"),
)  # fmt: skip
