"""How fast and how right the front-ends are, on kernels that the benchmark makes itself.

    python -m benchmarks.frontends             a table
    python -m benchmarks.frontends --json      all figures as one JSON object on the last line
    python -m benchmarks.frontends --quick     one chip a kernel, one round
    python -m benchmarks.frontends --keep DIR  inputs and answers of ptxas below DIR

Inputs are Triton's and numba's kernels, the CUDA and OpenCL sources in `frontend_inputs` by nvcc
and clang, and the samples. A compiler that is absent leaves its group out; `missing` names it. They
are made once, into a cache beside this file (or DIR), and again where sources or compilers change.
`pip install -e .[bench]` brings Triton, numba-cuda and the newest ptxas.

Speeds are CPU time, the median of the rounds, over one chip of each kernel file:

- `ptx_mb_per_s`: PTX files over 100 kB, from text to verified IR of all kernels: reading holds each
  form of an instruction against the verifier's rules, and `parsed` tells whether that was enough;
- `ratio_to_whole_file_lark`: that speed over the one of parsing the same texts whole by lark with
  the same grammar, in turn in the same rounds (`frontend_inputs/whole_file.py` says what it does
  not do; it makes no verified IR);
- `scan_mb_per_s`: listing the kernels of the same files;
- `llvm_instr_per_s`: LLVM's instructions a second from bitcode to IR, over all modules;
  `llvm_large_instr_per_s` over those of more than 2000.

What is right is counted as [n, of m]:

- `parsed`: inputs that give a verified module;
- `counts_equal`: functions whose instructions are as many as an independent count has (for PTX in
  all; for LLVM line by line, see `frontend_inputs/llvm_statements.py`), `llvm_exact_share` being
  the share of LLVM's statements for which the count is exact rather than at least one;
- `ir_read_back`: modules that the IR's printer and reader give back equal;
- `ptxas_checked`: PTX modules that every ptxas takes again, printed from the IR, that takes the
  original; those whose original none takes are in `refused_originals`;
- `isa_names_known`: instructions in `tests/contract/isa_names.txt` that the opcode table has.

The exit code is 1 where anything is not right; `failures` says what and why.
"""

import argparse
import json
import platform
import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.frontend_inputs import speeds
from benchmarks.frontend_inputs.assembler import Assemblers
from benchmarks.frontend_inputs.build import make
from benchmarks.frontend_inputs.checks import check
from benchmarks.frontend_inputs.tools import tools
from warpmill.analyzer.ir.operation import Knowledge, decode

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / "benchmarks" / ".cache"
ROUNDS = 3
WORKERS = 2
LARGE_MODULE = 2000  # instructions
MOST_TOLD = 10  # failures of a kind in the table
GOALS = {"ptx_mb_per_s": 4.0, "ratio_to_whole_file_lark": 6.0, "scan_mb_per_s": 25.0,
         "llvm_instr_per_s": 60000.0}  # fmt: skip
RIGHT = ("parsed", "counts_equal", "ir_read_back", "ptxas_checked", "isa_names_known")


def checked(inputs):
    """Check every input, two at a time."""
    records = []
    with ProcessPoolExecutor(WORKERS) as pool:
        for number, record in enumerate(pool.map(check, inputs, chunksize=4), start=1):
            records.append(record)
            if number % 50 == 0 or number == len(inputs):
                print(f"checked {number} of {len(inputs)}", file=sys.stderr)
    return records


def assembled(inputs, records, assemblers, failures):
    """Have ptxas judge the originals and what was printed of them.

    Gives [n, of m], and the originals that no ptxas takes with its words.
    """
    pairs = [
        (given, record.reprinted)
        for given, record in zip(inputs, records, strict=True)
        if given.is_ptx and record.reprinted is not None
    ]
    print(f"ptxas on {2 * len(pairs)} texts", file=sys.stderr)
    originals = assemblers.judge(given.path.read_text() for given, _ in pairs)
    printed = assemblers.judge(text for _, text in pairs)
    n_right, refused = 0, []
    for (given, _), before, after in zip(pairs, originals, printed, strict=True):
        taken = [name for name, verdict in before.items() if verdict.accepted]
        if not taken:
            refused.append([given.name, next(iter(before.values())).words])
            continue
        wrong = [f"{name}: {after[name].words}" for name in taken if not after[name].accepted]
        n_right += not wrong
        failures["ptxas_checked"] += [[given.name, words] for words in wrong]
    return [n_right, len(pairs) - len(refused)], refused


def isa_names(failures):
    """Look every name of the manual's instructions up in the opcode table."""
    lines = (ROOT / "tests" / "contract" / "isa_names.txt").read_text().splitlines()
    names = [line.split("#")[0].strip() for line in lines]
    names = [name for name in names if name]
    unknown = [name for name in names if decode(name).knowledge is not Knowledge.TABLE]
    failures["isa_names_known"] += [[name, "is not in the opcode table"] for name in unknown]
    return [len(names) - len(unknown), len(names)]


def rightness(inputs, assemblers):
    """Check everything: the counts, what goes with them, and the records of the inputs."""
    failures = defaultdict(list)
    records = checked(inputs)
    for record in records:
        for what, words in record.failures:
            failures[what].append([record.name, words])
    told = [r for r in records if r.read_back is not None]
    statements = sum(r.statements for r in records)
    result = {
        "parsed": [sum(r.parsed for r in records), len(records)],
        "counts_equal": [sum(r.equal for r in records), sum(r.functions for r in records)],
        "ir_read_back": [sum(r.read_back for r in told), len(told)],
        "isa_names_known": isa_names(failures),
        "llvm_exact_share": share(sum(r.exact for r in records), statements),
        "llvm_unknown_share": share(sum(r.unknown for r in records), statements),
        "ptxas": [tool.version for tool in assemblers.tools],
    }
    if assemblers.tools:
        counted, refused = assembled(inputs, records, assemblers, failures)
        result["ptxas_checked"], result["refused_originals"] = counted, refused
    return result, failures, records


def share(part, whole):
    """A part of a whole; None of nothing."""
    return round(part / whole, 4) if whole else None


def ptx_speeds(times):
    """Sum up a group of PTX files: megabytes, and their speeds."""
    megabytes = sum(t.size_bytes for t in times) / 1e6
    parts = ("read", "lark", "scan")
    spent = {what: sum(t.median(what) for t in times) for what in parts}
    return {
        "files": len(times),
        "megabytes": round(megabytes, 2),
        "ptx_mb_per_s": round(megabytes / spent["read"], 3),
        "ratio_to_whole_file_lark": round(spent["lark"] / spent["read"], 3),
        "lark_mb_per_s": round(megabytes / spent["lark"], 3),
        "scan_mb_per_s": round(megabytes / spent["scan"], 1),
    }


def llvm_speeds(times, records):
    """Sum up a group of bitcode files."""
    statements = {r.name: r.statements for r in records}
    spent = sum(t.median("read") for t in times)
    n_statements = sum(statements[t.given.name] for t in times)
    return {
        "files": len(times),
        "instructions": n_statements,
        "llvm_instr_per_s": round(n_statements / spent),
    }


def grouped(times, key, figures):
    """Sum up by a property of the inputs."""
    groups = defaultdict(list)
    for one in times:
        groups[key(one.given)].append(one)
    return {name: figures(groups[name]) for name in sorted(groups)}


def speed_figures(inputs, records, rounds):
    """Time both front-ends on the inputs that they read; those they do not are failures already."""
    result = {}
    could_not = {r.name for r in records if r.read_back is None}
    inputs = [i for i in inputs if i.name not in could_not]
    ptx_times = speeds.ptx_times(speeds.distinct(speeds.large(inputs)), rounds)
    if ptx_times:
        result |= ptx_speeds(ptx_times)
        result["ptx_files"], result["ptx_megabytes"] = result.pop("files"), result.pop("megabytes")
        result["by_flavour"] = grouped(ptx_times, lambda i: i.flavour, ptx_speeds)
        result["by_producer"] = grouped(ptx_times, lambda i: i.producer, ptx_speeds)
    bitcode = [i for i in inputs if i.path.suffix == ".bc"]
    llvm_times = speeds.bitcode_times(bitcode, rounds)
    if llvm_times:
        result |= llvm_speeds(llvm_times, records)
        result["llvm_files"] = result.pop("files")
        result["llvm_instructions"] = result.pop("instructions")
        statements = {r.name: r.statements for r in records}
        large = [t for t in llvm_times if statements[t.given.name] > LARGE_MODULE]
        if large:
            result["llvm_large_instr_per_s"] = llvm_speeds(large, records)["llvm_instr_per_s"]
        by = grouped(llvm_times, lambda i: i.producer, lambda ts: llvm_speeds(ts, records))
        result["llvm_by_producer"] = by
    return result


def measure(cache, quick):
    """Make the inputs, check and time them; the whole result."""
    start = time.perf_counter()
    corpus = make(cache)
    inputs = speeds.distinct(corpus.inputs) if quick else list(corpus.inputs)
    assemblers = Assemblers(cache)
    right, failures, records = rightness(inputs, assemblers)
    failures["made"] += [list(pair) for pair in corpus.refused]
    rounds = 1 if quick else ROUNDS
    fast = speed_figures(inputs, records, rounds)
    return {
        "benchmark": "frontends",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "tools": {name: tool.version for name, tool in tools().items()},
        "missing": [*corpus.missing, *([] if assemblers.tools else ["ptxas"])],
        "rounds": rounds,
        "inputs": len(inputs),
        **fast,
        **right,
        "goals": GOALS,
        "reached": {name: fast[name] >= goal for name, goal in GOALS.items() if name in fast},
        "failures": {name: found for name, found in failures.items() if found},
        "seconds": round(time.perf_counter() - start, 1),
    }


def table(result):
    """Lay the figures out for people."""
    rounds = f"median of {result['rounds']} rounds, CPU time"
    yield f"{rounds:<42}{'':>10}{'goal':>9}"
    for name, goal in GOALS.items():
        if name in result:
            missed = "" if result["reached"][name] else "  missed"
            yield f"{name:<42}{result[name]:10,.1f}{goal:9,.0f}{missed}"
    yield ""
    heads = f"{'files':>6}{'MB':>7}{'MB/s':>7}{'x lark':>8}{'scan':>8}"
    yield f"{'PTX over 100 kB, one chip each':<30}{heads}"
    for kind in ("by_flavour", "by_producer"):
        for name, group in result.get(kind, {}).items():
            yield (
                f"{kind.replace('_', ' ') + ': ' + name:<30}{group['files']:>6}"
                f"{group['megabytes']:>7.1f}{group['ptx_mb_per_s']:>7.2f}"
                f"{group['ratio_to_whole_file_lark']:>8.2f}{group['scan_mb_per_s']:>8.0f}"
            )
    for name, group in result.get("llvm_by_producer", {}).items():
        speed = f"{group['llvm_instr_per_s']:>14,} instructions a second"
        yield f"{'bitcode: ' + name:<30}{group['files']:>6}{speed}"
    yield ""
    for name in RIGHT:
        if name in result:
            n, of = result[name]
            yield f"{name:<30}{n:>7} of {of}{'' if n == of else '  WRONG'}"
    yield f"{'LLVM: counted exactly':<30}{result['llvm_exact_share'] or 0:>7.1%}"
    yield f"{'LLVM: not understood':<30}{result['llvm_unknown_share'] or 0:>7.1%}"
    for name, words in result.get("refused_originals", []):
        yield f"no ptxas takes the original {name}: {words[:100]}"
    for what, found in result["failures"].items():
        yield from (f"{what}: {name}: {words[:160]}" for name, words in found[:MOST_TOLD])
        if len(found) > MOST_TOLD:
            yield f"{what}: {len(found) - MOST_TOLD} more; --json gives all"
    for name in result["missing"]:
        yield f"missing: {name}; what needs it is left out"


def main():
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="one chip a kernel, one round")
    parser.add_argument("--keep", type=Path, default=CACHE, help="where inputs are kept")
    arguments = parser.parse_args()
    result = measure(arguments.keep.resolve(), arguments.quick)
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))
    return 1 if result["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
