"""Measuring of benchmarks/fuzz_frontends: kinds of files in turn, failing cases in groups."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.frontend_inputs.build import CACHE
from warpmill.benchmarks.fuzz_frontends import (
    MUTATIONS,
    QUICK_MUTATIONS,
    FailureGroup,
    FuzzedKind,
    FuzzResult,
)
from warpmill.benchmarks.fuzz_frontends.check import (
    ACCEPTED,
    BAD_OUTPUT,
    BAD_SPAN,
    INVALID_IR,
    MUTATED_BY_FORM,
    NOT_READ_BACK,
    REJECTED,
    SUFFIXES,
    TRACEBACK,
    UNLOCATED,
    check,
)
from warpmill.benchmarks.fuzz_frontends.seeds import seeds
from warpmill.benchmarks.fuzz_frontends.workers import CRASH, HANG, SLOW_S, Pool, Result, Task

KEPT = CACHE / "fuzz"
MEMORY_MIB = 512
"""Memory that one case may add to a worker's peak."""
MOST_TRIES, FEW_TRIES = 400, 40
"""Smaller files that are tried; few where each takes all commands."""
_AT_ONCE = 2
_ALL_TURNS = 12
"""Numbers under which a file meets every command."""
SLOW, MEMORY = "slow", "memory"
FIGURES = {
    ACCEPTED: "accepted", REJECTED: "rejected", TRACEBACK: "tracebacks", CRASH: "crashes",
    SLOW: "over_5_s", MEMORY: "over_memory", BAD_SPAN: "bad_spans", INVALID_IR: "invalid_ir",
    NOT_READ_BACK: "not_read_back", UNLOCATED: "unlocated", BAD_OUTPUT: "bad_output",
}  # fmt: skip


def measure(request: Request) -> FuzzResult:
    """Fuzz kind after kind; failing cases are kept."""
    seeds_asked = [name for name in request.names if name.startswith("seed=")]
    seed = int(seeds_asked[-1].partition("=")[2]) if seeds_asked else 0
    names = Request(tuple(n for n in request.names if n not in seeds_asked)).chosen(SUFFIXES)
    mutations = QUICK_MUTATIONS if request.quick else MUTATIONS
    return fuzzed(names, mutations, seed, max(request.workers, min(2, os.cpu_count() or 1)))


def fuzzed(
    kinds: list[str], mutations: int, seed: int, processes: int, folder: Path = KEPT
) -> FuzzResult:
    """So many mutations of each kind of file, in so many processes."""
    rows, groups = [], []
    with Pool(processes) as pool:
        for kind in kinds:
            _compile_engines(kind)
            tally, seconds = _fuzz(kind, mutations, seed, pool)
            rows.append(tally.row(seconds))
            groups += tally.failures()
            keep(tally, folder, pool)
    return FuzzResult(seed=seed, kinds=tuple(rows), failures=tuple(groups))


class Tally:
    """What became of a kind's cases, and the failing ones in groups."""

    def __init__(self, frontend: str) -> None:
        self.frontend = frontend
        self.counts: Counter[str] = Counter()
        self.groups: dict[tuple[str, str], list[Result]] = {}
        self.seconds: dict[int, float] = {}
        self.grown_kib: dict[int, int] = {}
        self.peak_kib = self.child_peak_kib = self.children_died = 0

    def add(self, result: Result) -> None:
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
                say(f"\r{self.frontend} {result.task.number}: {kind}, {result.place}")
            group.append(result)

    def drop(self, kind: str, result: Result) -> None:
        """Take back a failure that did not come again."""
        self.counts[kind] -= 1
        group = self.groups[kind, result.place]
        group.remove(result)
        if not group:
            del self.groups[kind, result.place]

    def row(self, seconds: float) -> FuzzedKind:
        """The figures."""
        slowest = max(self.seconds, key=self.seconds.__getitem__)
        largest = max(self.grown_kib, key=self.grown_kib.__getitem__)
        return FuzzedKind(
            kind=self.frontend,
            inputs=len(seeds(self.frontend)),
            mutations=len(self.seconds),
            **{figure: self.counts[kind] for kind, figure in FIGURES.items()},
            children_died=self.children_died,
            slowest_s=self.seconds[slowest],
            slowest_case=slowest,
            most_grown_mb=self.grown_kib[largest] / 1024,
            most_grown_case=largest,
            peak_rss_mb=self.peak_kib / 1024,
            child_peak_rss_mb=self.child_peak_kib / 1024,
            mutations_per_s=len(self.seconds) / seconds,
        )

    def failures(self) -> list[FailureGroup]:
        """The groups, the largest first."""
        ordered = sorted(self.groups.items(), key=lambda item: (-len(item[1]), item[0]))
        return [
            FailureGroup(
                files=self.frontend,
                kind=kind,
                place=place,
                cases=len(group),
                numbers=tuple(sorted(result.task.number for result in group)[:5]),
            )
            for (kind, place), group in ordered
        ]


def _failures(result: Result) -> Iterator[str]:
    """The kinds of failure that a result shows."""
    if result.kind not in (ACCEPTED, REJECTED, HANG):
        yield result.kind
    if result.seconds > SLOW_S and result.kind != CRASH:
        yield SLOW
    if result.grown_kib > MEMORY_MIB << 10:
        yield MEMORY


def _fuzz(kind: str, mutations: int, seed: int, pool: Pool) -> tuple[Tally, float]:
    """Check the mutations of a kind's inputs; the tally and the seconds."""
    tally, start = Tally(kind), time.perf_counter()
    for result in pool.run(Task(kind, seed, number) for number in range(mutations)):
        tally.add(result)
        done = len(tally.seconds)
        if done % 100 == 0 or done == mutations:
            failed = sum(map(len, tally.groups.values()))
            line = f"\r{kind}: {done} of {mutations}, {failed} failed"
            print(line, end="\n" * (done == mutations), file=sys.stderr, flush=True)
    taken = time.perf_counter() - start
    confirm_slow(tally, pool)
    return tally, taken


def confirm_slow(tally: Tally, pool: Pool) -> None:
    """A case counts as slow if it is so once more, with the machine to itself."""
    slow = [r for (kind, _), group in tally.groups.items() if kind == SLOW for r in group]
    for result in slow:
        (again,) = pool.run([result.task])
        if again.seconds <= SLOW_S:
            tally.drop(SLOW, result)
            tally.seconds[result.task.number] = again.seconds


def _compile_engines(kind: str) -> None:
    """Try an input as it is, so that workers find compiled what takes longer than a case may."""
    if kind in MUTATED_BY_FORM:
        with TemporaryDirectory() as folder:
            path = Path(folder, f"case{SUFFIXES[kind]}")
            path.write_bytes(seeds(kind)[0].data)
            for number in range(_ALL_TURNS):
                check(path, kind, number)


def keep(tally: Tally, folder: Path, pool: Pool) -> None:
    """Write the first case of each group, a smaller one that fails alike, and what was said."""
    for number, ((kind, place), group) in enumerate(sorted(tally.groups.items())):
        first = min(group, key=lambda result: result.task.number)
        say(f"{kind}: {place}: shrinking")
        label = re.sub(r"\W+", "-", f"{tally.frontend} {kind} {place}")[:100]
        stem = folder / f"{label}.{number}.{first.task.number}"
        suffix = SUFFIXES[tally.frontend]
        folder.mkdir(parents=True, exist_ok=True)
        Path(f"{stem}{suffix}").write_bytes(first.task.content())
        if kind not in (SLOW, MEMORY):  # each try of these would take as long
            few = tally.frontend in MUTATED_BY_FORM
            small = shrunk(first, pool, FEW_TRIES if few else MOST_TRIES)
            Path(f"{stem}.small{suffix}").write_bytes(small)
        words = f"{len(group)} cases, {kind}, {place}\n{first.words}\n"
        Path(f"{stem}.txt").write_text(words, encoding="utf-8", errors="replace")


def shrunk(result: Result, pool: Pool, most_tries: int = MOST_TRIES) -> bytes:
    """Take pieces off a failing case, halves first, while it fails at the same place."""
    data, pieces, tries = result.task.content(), 2, 0
    while tries < most_tries:
        size = -(-len(data) // pieces)
        smaller, taken = _without_a_piece(data, size, result, pool)
        tries += taken
        if smaller is not None:
            data, pieces = smaller, max(2, pieces - 1)
        elif size == 1:
            break
        else:
            pieces = min(len(data), pieces * 2)
    return data


def _without_a_piece(
    data: bytes, size: int, result: Result, pool: Pool
) -> tuple[bytes | None, int]:
    """The first file of those without one piece that fails alike, and how many were tried."""
    cuts = [data[:place] + data[place + size :] for place in range(0, len(data), size)]
    for first in range(0, len(cuts), _AT_ONCE):
        tasks = [result.task._replace(data=cut) for cut in cuts[first : first + _AT_ONCE]]
        alike = [
            found.task.data
            for found in pool.run(tasks)
            if found.task.data and (found.kind, found.place) == (result.kind, result.place)
        ]
        if alike:
            return min(alike), first + len(tasks)
    return None, len(cuts)
