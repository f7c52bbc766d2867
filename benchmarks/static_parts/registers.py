"""How near the estimated register pressure is to ptxas's counts.

    python -m benchmarks.static_parts.registers             a table
    python -m benchmarks.static_parts.registers --json      all rows as one JSON object
    python -m benchmarks.static_parts.registers --quick     one chip a kernel
    python -m benchmarks.static_parts.registers --keep DIR  inputs and counts of ptxas below DIR

Pairs of a kernel and a target are those that the samples' records have, and the PTX inputs of the
front-end benchmark, each put through ``ptxas -v`` for its target (texts for chips that ptxas no
longer knows for the oldest that it does). Where ptxas is absent the samples remain. Texts that
differ in line numbers only count once.

Apart from the pairs stand two kinds of rows: `unoptimised` are texts made for debuggers, which
ptxas does not optimise and the estimate does; `llvm` are the samples' LLVM IR against the count
for the PTX that clang makes of it (nvcc makes of the same source where there is none).

The estimate's two fitted numbers come from the kernels of the half `fitted`; `held_out` are the
others. The halves are
by a hash of the kernel's name, so that one kernel's targets are on one side.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.frontend_inputs.build import Input, make
from benchmarks.frontend_inputs.speeds import distinct
from benchmarks.frontend_inputs.tools import ptxas_versions
from benchmarks.static_parts.ptxas_registers import count_registers
from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.frontends.load import load_all
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.simulator.assembler.registers import register_pressure

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "benchmarks" / ".cache"
GOAL = 0.15
FEWEST_PAIRS = 60
WORKERS = 2
TOLD_ROWS = 25
RECORD = "artefacts.json"


@dataclass(frozen=True)
class Row:
    """One kernel for one target. ``milliseconds`` are CPU time of the estimate alone."""

    producer: str
    file: str
    kernel: str
    target: str
    flavour: str
    ptxas_version: str
    instructions: int
    estimated: int
    ptxas: int
    milliseconds: float

    @property
    def error(self) -> float:
        """The relative error with its sign."""
        return (self.estimated - self.ptxas) / self.ptxas

    @property
    def is_held_out(self) -> bool:
        """Whether the kernel was kept from the fit."""
        return bool(hashlib.sha256(self.kernel.encode()).digest()[0] & 1)


def recorded_counts(file: Path) -> Iterator[tuple[str, str, int, str]]:
    """(kernel, target, registers, version) that a sample's record has for a module.

    Nothing where there is no such module, or it has changed since.
    """
    record = file.with_name(RECORD)
    if not file.exists():
        return
    entry = json.loads(record.read_text()).get(file.name, {}) if record.exists() else {}
    if entry.get("sha256") != hashlib.sha256(file.read_bytes()).hexdigest():
        return
    said = entry.get("ptxas", {})
    version = said.get("compiler", "").rpartition("V")[2]
    for kernel, targets in said.get("kernels", {}).items():
        yield from ((kernel, t, facts["registers"], version) for t, facts in targets.items())


def _estimates(file: Path) -> Iterator[tuple[Kernel, Callable[[str], tuple[int, float]]]]:
    """A file's kernels, each with a function from a target to the estimate and its time."""
    for loaded in load_all(file):
        for kernel in loaded.module.kernels:
            inlined = inline_calls(loaded.module, kernel).kernel
            yield inlined, partial(_estimate, inlined)


def _estimate(kernel: Kernel, target: str) -> tuple[int, float]:
    cfg = build_cfg(kernel)
    start = time.process_time()
    estimated = register_pressure(kernel, cfg, target)
    return estimated, round((time.process_time() - start) * 1000, 2)


def _known_counts(given: Input, cache: Path) -> tuple[list[tuple[str, str, int, str]], str]:
    """What ptxas says of an input's kernels, and why where it says nothing."""
    if given.producer == "samples":
        return list(recorded_counts(_counted_module(given.path))), ""
    said = count_registers(given.path.read_text(), cache)
    if said is None:
        return [], ""
    counts = [(name, said.chip, count, said.version) for name, count in said.registers.items()]
    return counts, said.words


def _counted_module(file: Path) -> Path:
    """The PTX that a sample's counts are of: itself, or what clang or nvcc made of the IR."""
    if file.suffix == ".ptx":
        return file
    stem = file.name.removesuffix(file.suffix)
    clang = file.with_name(f"{stem}.sm_80.clang.ptx")
    return clang if clang.exists() else file.with_name(f"{stem}.sm_80.ptx")


def rows_of(given: Input, cache: Path) -> tuple[list[Row], str]:
    """Estimate all kernels of an input for the targets that ptxas has counts for.

    With why it has none where it refuses the text, or the front-end does.
    """
    counts, problem = _known_counts(given, cache)
    if not counts:
        return [], problem
    rows = []
    try:
        for kernel, estimate in _estimates(given.path):
            for _, target, count, version in (c for c in counts if c[0] == kernel.name):
                flavour = given.flavour if given.is_ptx else "llvm"
                head = given.producer, given.name, kernel.name, target, flavour, version
                estimated, spent = estimate(target)
                rows.append(Row(*head, kernel.instruction_count, estimated, count, spent))
    except WarpmillError as error:
        return [], str(error)
    return rows, ""


def collect(inputs: list[Input], cache: Path) -> tuple[list[Row], list[tuple[str, str]]]:
    """Make the rows of all inputs, two files at a time, and list those without."""
    rows: list[Row] = []
    refused = []
    with ProcessPoolExecutor(WORKERS) as pool:
        made = pool.map(partial(rows_of, cache=cache), inputs, chunksize=2)
        for number, (given, (found, problem)) in enumerate(zip(inputs, made, strict=True), start=1):
            rows += found
            if problem:
                refused.append((given.name, problem))
            if number % 50 == 0 or number == len(inputs):
                print(f"registers of {number} of {len(inputs)} files", file=sys.stderr)
    return rows, refused


def pairs_of(rows: Iterable[Row]) -> list[Row]:
    """Take each kernel and target once from each source; plain texts before those with lines."""
    order = {"plain": 0, "lines": 1}
    chosen: dict[tuple[str, ...], Row] = {}
    for row in sorted(rows, key=lambda row: (order.get(row.flavour, 2), row.file)):
        source = row.file if row.producer in ("samples", "triton") else row.file.split(".")[1]
        chosen.setdefault((row.producer, source, row.kernel, row.target), row)
    return list(chosen.values())


def errors_of(rows: Iterable[Row]) -> dict[str, Any]:
    """Sum up the errors of some rows; None where there is no row."""
    errors = [abs(row.error) for row in rows]
    if not errors:
        return {"pairs": 0, "median_error": None, "mean_error": None}
    return {
        "pairs": len(errors),
        "median_error": round(statistics.median(errors), 4),
        "mean_error": round(statistics.mean(errors), 4),
        "within_15_percent": round(sum(e <= GOAL for e in errors) / len(errors), 4),
    }


def _groups(rows: list[Row], key: Callable[[Row], str]) -> dict[str, dict[str, Any]]:
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {name: errors_of(groups[name]) for name in sorted(groups)}


def _shown(row: Row) -> dict[str, Any]:
    return asdict(row) | {"error": round(row.error, 4)}


def figures(rows: list[Row]) -> dict[str, Any]:
    """Sum up all rows: the figures of the pairs, of their parts, and of what stands apart."""
    pairs = pairs_of(row for row in rows if row.flavour in ("plain", "lines"))
    whole = errors_of(pairs)
    median = whole["median_error"]
    return {
        "registers_median_error": median,
        "registers_mean_error": whole["mean_error"],
        "registers_pairs": whole["pairs"],
        "goal": GOAL,
        "reached": median is not None and median <= GOAL and whole["pairs"] >= FEWEST_PAIRS,
        "fitted": errors_of(row for row in pairs if not row.is_held_out),
        "held_out": errors_of(row for row in pairs if row.is_held_out),
        "by_producer": _groups(pairs, lambda row: row.producer),
        "by_target": _groups(pairs, lambda row: row.target),
        "unoptimised": errors_of(pairs_of(row for row in rows if row.flavour == "debug")),
        "llvm": errors_of(row for row in rows if row.flavour == "llvm"),
        "milliseconds_median": statistics.median(row.milliseconds for row in pairs)
        if pairs
        else None,
        "worst": [_shown(r) for r in sorted(pairs, key=lambda r: -abs(r.error))[:TOLD_ROWS]],
        "llvm_rows": [_shown(row) for row in rows if row.flavour == "llvm"],
        "rows": [_shown(row) for row in pairs],
    }


def measure(cache: Path = CACHE, quick: bool = False) -> dict[str, Any]:
    """Make the inputs and the rows; all figures."""
    start = time.perf_counter()
    corpus = make(cache)
    inputs = [i for i in corpus.inputs if i.is_ptx]
    inputs = distinct(inputs) if quick else inputs
    inputs += [i for i in corpus.inputs if i.producer == "samples" and i.path.suffix == ".bc"]
    rows, refused = collect(inputs, cache)
    versions = [tool.version for tool in ptxas_versions()]
    return {
        "benchmark": "registers",
        **figures(rows),
        "ptxas": versions,
        "missing": [*corpus.missing, *([] if versions else ["ptxas"])],
        "refused": refused,
        "seconds": round(time.perf_counter() - start, 1),
    }


def table(result: dict[str, Any]) -> Iterator[str]:
    """Lay the figures out for people."""
    yield f"{'relative error against ptxas':<34}{'pairs':>7}{'median':>9}{'mean':>8}{'<= 15 %':>9}"
    whole = {"all": errors_of(Row(**_fields(row)) for row in result["rows"])}
    halves = {"  fitted half": result["fitted"], "  held-out half": result["held_out"]}
    apart = {"unoptimised, apart": result["unoptimised"], "LLVM IR, apart": result["llvm"]}
    for name, group in {
        **whole, **halves, **result["by_producer"], **result["by_target"], **apart
    }.items():  # fmt: skip
        if group["pairs"]:
            yield (
                f"{name:<34}{group['pairs']:>7}{group['median_error']:>9.1%}"
                f"{group['mean_error']:>8.1%}{group['within_15_percent']:>9.0%}"
            )
    yield f"goal: median of at most {GOAL:.0%}{'' if result['reached'] else '  MISSED'}"
    yield ""
    yield f"{'the worst':<58}{'target':>8}{'here':>6}{'ptxas':>6}{'error':>8}"
    for row in result["worst"]:
        name = f"{row['file'][:30]} {row['kernel'][-26:]}"
        count = f"{row['estimated']:>6}{row['ptxas']:>6}{row['error']:>+8.0%}"
        yield f"{name:<58}{row['target']:>8}{count}"
    yield from (f"no count: {name}: {words[:100]}" for name, words in result["refused"])
    yield from (f"missing: {name}; what needs it is left out" for name in result["missing"])


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "error"}


def main() -> int:
    """Run the command line; the exit code is 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="one chip a kernel")
    parser.add_argument("--keep", type=Path, default=CACHE, help="where inputs are kept")
    arguments = parser.parse_args()
    result = measure(arguments.keep.resolve(), arguments.quick)
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))
    return 0 if result["reached"] else 1


if __name__ == "__main__":
    sys.exit(main())
