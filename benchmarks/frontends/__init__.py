"""How fast and how right the front-ends are, on kernels that the benchmark makes itself.

Inputs are Triton's and numba's kernels, the CUDA and OpenCL sources in ``frontend_inputs`` by nvcc
and clang, and the samples. A compiler that is absent leaves its group out. They are made once, into
a cache, and again where sources or compilers change. Speeds are CPU time, the median of the rounds,
over one chip of each kernel file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, column
from warpmill.benchmarks.checks import SECTIONS, Checked, Right
from warpmill.report.base import Part
from warpmill.report.sections import Comparison, Items, Table

LARGE_MODULE = 2000
"""Instructions from which a module of LLVM is large."""


class PtxTime(Part):
    """Seconds of a PTX file over 100 kB.

    ``read_s``: from text to verified IR of all kernels; ``lark_s``: the same text parsed whole by
    lark with the same grammar (``whole_file`` says what it does not do); ``scan_s``: listing its
    kernels.
    """

    file: str
    producer: str
    flavour: str
    size_bytes: int
    read_s: float
    lark_s: float
    scan_s: float


class BitcodeTime(Part):
    """Seconds from a module of bitcode to IR; ``statements`` are LLVM's instructions."""

    file: str
    producer: str
    statements: int
    read_s: float


class PtxGroup(Part):
    """PTX files of one producer or flavour."""

    group: Annotated[str, Metric("PTX over 100 kB")]
    files: Annotated[int, Metric("files")]
    megabytes: Annotated[float, Metric("MB")]
    mb_per_s: Annotated[float, Metric("MB/s")]
    ratio: Annotated[float, Metric("times lark")]
    scan: Annotated[float, Metric("scanned, MB/s")]


class BitcodeGroup(Part):
    """Modules of bitcode of one producer."""

    group: Annotated[str, Metric("bitcode")]
    files: Annotated[int, Metric("files")]
    per_s: Annotated[float, Metric("instructions a second")]


def _ratio(rows: Iterable[Part], work: str, seconds: str) -> float | None:
    """A field summed over rows, by another one; None without rows."""
    pairs = [(getattr(row, work), getattr(row, seconds)) for row in rows]
    return sum(done for done, _ in pairs) / sum(taken for _, taken in pairs) if pairs else None


def _megabytes(rows: Iterable[PtxTime], seconds: str) -> float | None:
    """Megabytes in a second of a field."""
    per_second = _ratio(rows, "size_bytes", seconds)
    return None if per_second is None else per_second / 1e6


def _groups(rows: Sequence[Any], key: str) -> list[tuple[str, list[Any]]]:
    """Rows by what a field says, sorted by that."""
    ordered = sorted(rows, key=attrgetter(key))
    return [(name, list(group)) for name, group in groupby(ordered, attrgetter(key))]


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
    ptx: tuple[PtxTime, ...] = ()
    bitcode: tuple[BitcodeTime, ...] = ()
    refused_originals: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @derived("PTX read, MB/s")
    def ptx_mb_per_s(self) -> float | None:
        """From text to verified IR."""
        return _megabytes(self.ptx, "read_s")

    @derived("times as fast as plain lark")
    def ratio_to_whole_file_lark(self) -> float | None:
        """In turn in the same rounds; lark makes no verified IR."""
        return _ratio(self.ptx, "lark_s", "read_s")

    @derived("kernels of PTX listed, MB/s")
    def scan_mb_per_s(self) -> float | None:
        """Of the same files."""
        return _megabytes(self.ptx, "scan_s")

    @derived("LLVM's instructions read from bitcode, a second")
    def llvm_instr_per_s(self) -> float | None:
        """Over all modules."""
        return _ratio(self.bitcode, "statements", "read_s")

    @derived("the same of large modules")
    def llvm_large_instr_per_s(self) -> float | None:
        """Over those of more than 2,000."""
        large = (row for row in self.bitcode if row.statements > LARGE_MODULE)
        return _ratio(large, "statements", "read_s")

    @derived("LLVM: counted exactly", "%")
    def llvm_exact_share(self) -> float | None:
        """Of LLVM's statements."""
        return self.exact / self.statements if self.statements else None

    @derived("LLVM: not understood", "%")
    def llvm_unknown_share(self) -> float | None:
        """Of LLVM's statements."""
        return self.unknown / self.statements if self.statements else None

    @derived("PTX by flavour and producer")
    def ptx_groups(self) -> tuple[PtxGroup, ...]:
        """Files with line numbers, for debuggers, and so on; then by compiler."""
        return tuple(
            PtxGroup(
                group=name,
                files=len(rows),
                megabytes=sum(row.size_bytes for row in rows) / 1e6,
                mb_per_s=_megabytes(rows, "read_s"),
                ratio=_ratio(rows, "lark_s", "read_s"),
                scan=_megabytes(rows, "scan_s"),
            )
            for key in ("flavour", "producer")
            for name, rows in _groups(self.ptx, key)
        )

    @derived("bitcode by producer")
    def llvm_by_producer(self) -> tuple[BitcodeGroup, ...]:
        """By compiler."""
        return tuple(
            BitcodeGroup(group=name, files=len(rows), per_s=_ratio(rows, "statements", "read_s"))
            for name, rows in _groups(self.bitcode, "producer")
        )


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
              ("group", "files", column("megabytes", form="{:.1f}"),
               column("mb_per_s", form="{:.2f}"), column("ratio", form="{:.2f}"),
               column("scan", form="{:.0f}"))),
        Table("Bitcode", "llvm_by_producer", ("group", "files", column("per_s", form="{:,.0f}"))),
        Items("Originals that no ptxas takes", "refused_originals"),
        Items("Missing, and what needs it is left out", "missing"),
    ),
    goals=(Goal("not_right", 0.0), Goal("ptx_mb_per_s", 4.0, at_least=True),
           Goal("ratio_to_whole_file_lark", 6.0, at_least=True),
           Goal("scan_mb_per_s", 25.0, at_least=True),
           Goal("llvm_instr_per_s", 60000.0, at_least=True)),
    data=("benchmarks/frontend_inputs/cuda/*", "benchmarks/frontend_inputs/opencl/*"),
)  # fmt: skip
