"""What commands make of damaged files: an answer or a clean error, and nothing else.

    python -m benchmarks.fuzz_frontends                    a table; exit code 1 if anything failed
    python -m benchmarks.fuzz_frontends --json             one JSON object on the last line
    python -m benchmarks.fuzz_frontends --quick            500 mutations a front-end, not 20,000
    python -m benchmarks.fuzz_frontends --frontend llvm    one front-end (again for more of them)
    python -m benchmarks.fuzz_frontends --keep FOLDER      failing cases, and smaller ones

Files of PTX, LLVM IR, bitcode and binaries are damaged byte by byte and word by word, and read.
Well-formed PTX and LLVM IR with other statements, and launch files, recordings and saved traces
with other values and right checksums go through the commands that take them: one that reads, and
two of the others in turn. Limits are of steps, so that a case ends alike on every machine.

Mutation N of a seed is the same file on every machine. A failing case is kept under its kind and
number; `.small` beside it is a part of it that fails in the same place.
"""

import argparse
import json
import os
import platform
import re
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.fuzzing.check import MUTATED_BY_FORM, SUFFIXES, check
from benchmarks.fuzzing.found import (
    ACCEPTED,
    BAD_OUTPUT,
    BAD_SPAN,
    INVALID_IR,
    NOT_READ_BACK,
    REJECTED,
    TRACEBACK,
    UNLOCATED,
)
from benchmarks.fuzzing.seeds import seeds
from benchmarks.fuzzing.shrink import FEW_TRIES, MOST_TRIES, shrunk
from benchmarks.fuzzing.workers import CRASH, HANG, SLOW_S, Pool, Task

MUTATIONS, QUICK_MUTATIONS = 20_000, 500
MEMORY_MIB = 512
"""Memory that one case may add to a worker's peak."""

_ALL_TURNS = 12
"""Numbers under which a file meets every command."""

SLOW, MEMORY = "slow", "memory"
FIGURES = {
    ACCEPTED: "accepted",
    REJECTED: "rejected",
    TRACEBACK: "tracebacks",
    CRASH: "crashes",
    SLOW: "over_5_s",
    MEMORY: "over_memory",
    BAD_SPAN: "bad_spans",
    INVALID_IR: "invalid_ir",
    NOT_READ_BACK: "not_read_back",
    UNLOCATED: "unlocated",
    BAD_OUTPUT: "bad_output",
}


class Tally:
    """What became of a front-end's cases, and the failing ones in groups."""

    def __init__(self, frontend):
        self.frontend = frontend
        self.counts = Counter()
        self.groups = {}
        self.seconds = {}
        self.grown_kib = {}
        self.peak_kib = self.child_peak_kib = self.children_died = 0

    def add(self, result):
        """Count a result; a failing one joins its group."""
        self.seconds[result.task.number] = result.seconds
        self.grown_kib[result.task.number] = result.grown_kib
        self.peak_kib = max(self.peak_kib, result.peak_kib)
        self.child_peak_kib = max(self.child_peak_kib, result.child_peak_kib)
        self.children_died += result.child_died
        if result.kind in (ACCEPTED, REJECTED):
            self.counts[result.kind] += 1
        for kind in _failures(result):
            self.counts[kind] += 1
            group = self.groups.setdefault((kind, result.place), [])
            if not group:
                line = f"\r{self.frontend} {result.task.number}: {kind}, {result.place}"
                print(line, file=sys.stderr, flush=True)
            group.append(result)

    def drop(self, kind, result):
        """Take back a failure that did not come again."""
        self.counts[kind] -= 1
        group = self.groups[kind, result.place]
        group.remove(result)
        if not group:
            del self.groups[kind, result.place]

    def figures(self, taken_s):
        """Sum up."""
        return {
            "mutations": len(self.seconds),
            **{figure: self.counts[kind] for kind, figure in FIGURES.items()},
            "children_died": self.children_died,
            "slowest_s": round(max(self.seconds.values()), 3),
            "slowest_case": max(self.seconds, key=self.seconds.__getitem__),
            "most_grown_mb": round(max(self.grown_kib.values()) / 1024),
            "most_grown_case": max(self.grown_kib, key=self.grown_kib.__getitem__),
            "peak_rss_mb": round(self.peak_kib / 1024),
            "child_peak_rss_mb": round(self.child_peak_kib / 1024),
            "seconds": round(taken_s, 1),
            "mutations_per_s": round(len(self.seconds) / taken_s, 1),
        }


def _failures(result):
    """The kinds of failure that a result shows."""
    if result.kind not in (ACCEPTED, REJECTED, HANG):
        yield result.kind
    if result.seconds > SLOW_S and result.kind != CRASH:
        yield SLOW
    if result.grown_kib > MEMORY_MIB << 10:
        yield MEMORY


def fuzz(frontend, mutations, seed, pool):
    """Check the mutations of a front-end's inputs; give the Tally and the seconds."""
    tally, start = Tally(frontend), time.perf_counter()
    tasks = (Task(frontend, seed, number) for number in range(mutations))
    for result in pool.run(tasks):
        tally.add(result)
        done = len(tally.seconds)
        if done % 100 == 0 or done == mutations:
            failed = sum(map(len, tally.groups.values()))
            line = f"\r{frontend}: {done} of {mutations}, {failed} failed"
            print(line, end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    taken = time.perf_counter() - start
    _confirm_slow(tally, pool)
    return tally, taken


def _confirm_slow(tally, pool):
    """A case counts as slow if it is so once more, with the machine to itself."""
    slow = [r for (kind, _), group in tally.groups.items() if kind == SLOW for r in group]
    for result in slow:
        (again,) = pool.run([result.task])
        if again.seconds <= SLOW_S:
            tally.drop(SLOW, result)
            tally.seconds[result.task.number] = again.seconds


def keep(tally, folder, pool):
    """Write the first case of each group, a smaller one that fails alike, and what was said."""
    for number, ((kind, place), group) in enumerate(sorted(tally.groups.items())):
        first = min(group, key=lambda r: r.task.number)
        print(f"\r{kind}: {place}: shrinking   ", end="", file=sys.stderr, flush=True)
        label = re.sub(r"\W+", "-", f"{tally.frontend} {kind} {place}")[:100]
        stem = folder / f"{label}.{number}.{first.task.number}"
        suffix = SUFFIXES[tally.frontend]
        folder.mkdir(parents=True, exist_ok=True)
        Path(f"{stem}{suffix}").write_bytes(first.task.content())
        if kind not in (SLOW, MEMORY):  # each try of these would take as long
            few = tally.frontend in MUTATED_BY_FORM  # all commands for each try
            small = shrunk(first, pool, FEW_TRIES if few else MOST_TRIES)
            Path(f"{stem}.small{suffix}").write_bytes(small)
        words = f"{len(group)} cases, {kind}, {place}\n{first.words}\n"
        Path(f"{stem}.txt").write_text(words, encoding="utf-8", errors="replace")
    print(file=sys.stderr)


def measure(frontends, mutations, seed, processes, folder):
    """Fuzz front-end after front-end; give the whole result."""
    result = {
        "benchmark": "fuzz_frontends",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "seed": seed,
        "processes": processes,
    }
    failures = {}
    with Pool(processes) as pool:
        for frontend in frontends:
            _compile_engines(frontend)
            tally, taken = fuzz(frontend, mutations, seed, pool)
            result[frontend] = tally.figures(taken) | {"inputs": len(seeds(frontend))}
            failures[frontend] = _summary(tally)
            if folder is not None:
                keep(tally, folder, pool)
    return result | {"failures": failures, "failed": any(failures.values())}


def _compile_engines(frontend):
    """Try an input as it is, so that workers find compiled what takes longer than a case may."""
    if frontend in MUTATED_BY_FORM:
        with TemporaryDirectory() as folder:
            path = Path(folder, f"case{SUFFIXES[frontend]}")
            path.write_bytes(seeds(frontend)[0].data)
            for number in range(_ALL_TURNS):
                check(path, frontend, number)


def _summary(tally):
    """The groups of failures, the largest first."""
    groups = sorted(tally.groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        {"kind": kind, "place": place, "cases": len(group), "numbers": _numbers(group)}
        for (kind, place), group in groups
    ]


def _numbers(group):
    return sorted(result.task.number for result in group)[:5]


def table(result, frontends):
    """Lay the figures out for people."""
    rows = list(result[frontends[0]])
    yield f"{'seed ' + str(result['seed']):<22}" + "".join(f"{f:>16}" for f in frontends)
    for row in rows:
        yield f"{row:<22}" + "".join(f"{result[f][row]:>16}" for f in frontends)
    for frontend in frontends:
        for group in result["failures"][frontend]:
            some = ", ".join(map(str, group["numbers"]))
            yield f"{frontend}: {group['kind']}, {group['place']}: {group['cases']} cases ({some})"


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_MUTATIONS} mutations")
    parser.add_argument("--mutations", type=int, help=f"a front-end ({MUTATIONS} unless told)")
    parser.add_argument("--seed", type=int, default=0, help="which mutations (0 unless told)")
    parser.add_argument("--frontend", action="append", choices=tuple(SUFFIXES), help="only this")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--keep", type=Path, help="folder for failing cases")
    arguments = parser.parse_args()
    mutations = arguments.mutations or (QUICK_MUTATIONS if arguments.quick else MUTATIONS)
    frontends = tuple(dict.fromkeys(arguments.frontend or SUFFIXES))
    result = measure(frontends, mutations, arguments.seed, arguments.processes, arguments.keep)
    print(json.dumps(result) if arguments.json else "\n".join(table(result, frontends)))
    return 1 if result["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
