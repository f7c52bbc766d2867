"""Machine instructions of the samples' kernels as ptxas makes them, for the expansion's tests.

    python -m tests.reference.expansion_counts --ptxas PTXAS ... --nvdisasm NVDISASM ...

writes expansion_counts.csv beside this file; it was made with ptxas 12.9. Left out are kernels
whose loops ptxas unrolls: a load or a store stands in several copies there. NOPs, which fill up to
where branches go, are not counted.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import NamedTuple

from warpmill.analyzer.analyses.divergence.analysis import divergent_branches
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.types import Space
from warpmill.session.workloads import kept_text, workloads
from warpmill.simulator.assembler.expand import expand

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_suffix(".csv")
CHIPS = (52, 61, 70, 75, 86)
PTX_VERSION = "8.7"  # of releases that still know the oldest of these chips


class Count(NamedTuple):
    """A kernel of a file, a compute capability, and how many instructions ptxas made of it."""

    file: str
    kernel: str
    capability: int
    ptxas: int


def counts() -> tuple[Count, ...]:
    """Read what was counted."""
    with FILE.open(encoding="utf-8", newline="") as rows:
        return tuple(
            Count(r["file"], r["kernel"], int(r["capability"]), int(r["ptxas"]))
            for r in csv.DictReader(rows)
        )


def expanded_count(structure: Structure, capability: int) -> int:
    """Count the machine instructions that we expect of a kernel."""
    found = expand(structure, capability, divergent_branches(structure))
    return found.entry.total + sum(
        mix.total for block in found.mixes for mix in block if mix is not None
    )


def tool(name: str) -> ModuleType:
    """Import a program of the folder tools."""
    folder = str(ROOT / "tools")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module(name)


def for_chip(ptx: str, chip: int) -> str:
    """Have PTX assembled for a chip, without what compilers say of the source's lines."""
    plain = re.split(r"^[ \t]*\.section\s+\.debug", ptx, maxsplit=1, flags=re.MULTILINE)[0]
    plain = re.sub(r"^[ \t]*\.(loc|file)\b.*$", "", plain, flags=re.MULTILINE)
    plain = re.sub(r"^[ \t]*\.target\b.*$", f".target sm_{chip}", plain, flags=re.MULTILINE)
    newer = re.compile(r"^[ \t]*\.version\s+(?:8\.8|9\.\d)", re.MULTILINE)
    return newer.sub(f".version {PTX_VERSION}", plain)


def listing(ptx: str, chip: int, ptxas: Sequence[str], nvdisasm: Sequence[str]) -> str | None:
    """Assemble and list; None where no tool of those does it."""
    with TemporaryDirectory(prefix="expansion-") as folder:
        source, cubin = Path(folder, "a.ptx"), Path(folder, "a.cubin")
        source.write_text(for_chip(ptx, chip), encoding="utf-8")
        for one in ptxas:
            command = (one, f"-arch=sm_{chip}", "-lineinfo", str(source), "-o", str(cubin))
            if subprocess.run(command, capture_output=True, check=False).returncode:
                continue
            for lister in nvdisasm:
                told = subprocess.run(
                    (lister, "-c", "-gp", str(cubin)), capture_output=True, text=True, check=False
                )
                if told.returncode == 0:
                    return told.stdout
    return None


def module_of(file: Path) -> Module:
    """Read a module of a sample, or of a workload, whose file may not be kept."""
    return load(Source(str(file), kept_text(file) or "")).module


def counted(
    file: Path, chip: int, ptxas: Sequence[str], nvdisasm: Sequence[str]
) -> Iterator[Count]:
    """Count the kernels of a file that ptxas does not unroll."""
    machine = tool("machine_listing")
    told = listing(kept_text(file) or "", chip, ptxas, nvdisasm)
    functions = {} if told is None else machine.read_listing(told)
    for kernel in module_of(file).kernels:
        if kernel.name in functions:
            body = machine.usual_body(functions[kernel.name])
            if not _is_unrolled(kernel, Counter(i.line for i in body if _is_access(i.name))):
                name = file.relative_to(ROOT).as_posix()
                yield Count(name, kernel.name, chip, sum(i.name != "NOP" for i in body))


def _is_access(name: str) -> bool:
    return name in {"LD", "LDG", "LDS", "LDL", "ST", "STG", "STS", "STL"}


def _is_unrolled(kernel: Kernel, accesses: Counter[int | None]) -> bool:
    return any(
        instruction.operation.name in ("ld", "st")
        and instruction.operation.space in (Space.GLOBAL, Space.SHARED, Space.LOCAL, Space.GENERIC)
        and accesses[instruction.span.line] > 1
        for block in kernel.blocks
        for instruction in block.instructions
    )


def main() -> None:
    """Count all and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ptxas", nargs="+", required=True)
    parser.add_argument("--nvdisasm", nargs="+", required=True)
    options = parser.parse_args()
    files = [
        workload.module_file(module.name, "sm_75")
        for workload in workloads().values()
        for module in workload.form.module
        if "sm_75" in workload.builds
    ]
    files += sorted((ROOT / "samples").glob("*/*.sm_80.ptx"))
    rows: list[Count] = []
    for file in files:
        for chip in CHIPS:
            rows += counted(file, chip, options.ptxas, options.nvdisasm)
    with FILE.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(Count._fields)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
