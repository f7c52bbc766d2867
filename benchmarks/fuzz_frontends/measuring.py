"""Measuring of benchmarks/fuzz_frontends: kinds of files in turn, failing cases in groups."""

from __future__ import annotations

import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
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
    REJECTED,
    check,
)
from warpmill.benchmarks.fuzz_frontends.seeds import MUTATED_BY_FORM, SUFFIXES, seeds
from warpmill.benchmarks.fuzz_frontends.workers import CRASH, HANG, SLOW_S, Pool, Result, Task

KEPT = CACHE / "fuzz"
MEMORY_MIB = 512
"""Memory that one case may add to a process's peak."""
MOST_TRIES, FEW_TRIES = 400, 40
"""Smaller files that are tried; few where each takes all commands."""
_ALL_TURNS = 12
"""Numbers under which a file meets every command."""
_TOLD_EVERY = 500
SLOW, MEMORY = "slow", "memory"
Groups = dict[tuple[str, str], list[Result]]
"""Results by what failed and where, the largest groups first."""


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
    rows, failed = [], []
    with Pool(processes) as pool:
        for kind in kinds:
            _compile_engines(kind)
            begin, results = time.perf_counter(), []
            for result in pool.run(Task(kind, seed, number) for number in range(mutations)):
                results.append(result)
                if len(results) % _TOLD_EVERY == 0 or failures(result):
                    words = ", ".join((*failures(result), result.found.place))
                    say(f"{kind}: {len(results)} of {mutations} {words}")
            seconds = time.perf_counter() - begin
            results = [confirmed(result, pool) for result in results]
            groups = grouped(results)
            rows.append(row(kind, results, seconds))
            failed += [failure_group(kind, *group) for group in groups.items()]
            keep(kind, groups, folder, pool)
    return FuzzResult(seed=seed, kinds=tuple(rows), failures=tuple(failed))


def failures(result: Result) -> list[str]:
    """The kinds of failure that a result shows."""
    kind = result.found.kind
    found = [] if kind in (ACCEPTED, REJECTED, HANG) else [kind]
    if result.seconds > SLOW_S and kind != CRASH:
        found.append(SLOW)
    if result.grown_kib > MEMORY_MIB << 10:
        found.append(MEMORY)
    return found


def confirmed(result: Result, pool: Pool) -> Result:
    """A result; of one that is slow another one of its task, with the machine to itself."""
    return next(pool.run([result.task])) if SLOW in failures(result) else result


def grouped(results: Sequence[Result]) -> Groups:
    """The results that failed."""
    groups: Groups = defaultdict(list)
    for result in results:
        for kind in failures(result):
            groups[kind, result.found.place].append(result)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def row(kind: str, results: Sequence[Result], seconds: float) -> FuzzedKind:
    """The figures of a kind of file."""
    slowest = max(results, key=lambda result: result.seconds)
    largest = max(results, key=lambda result: result.grown_kib)
    answers = Counter(result.found.kind for result in results)
    return FuzzedKind(
        kind=kind,
        inputs=len(seeds(kind)),
        mutations=len(results),
        accepted=answers[ACCEPTED],
        rejected=answers[REJECTED],
        children_died=sum(result.found.child_died for result in results),
        slowest_s=slowest.seconds,
        slowest_case=slowest.task.number,
        most_grown_mb=largest.grown_kib / 1024,
        most_grown_case=largest.task.number,
        mutations_per_s=len(results) / seconds,
    )


def failure_group(files: str, what: tuple[str, str], group: Sequence[Result]) -> FailureGroup:
    """A group of failures as it is shown."""
    numbers = tuple(sorted(result.task.number for result in group)[:5])
    return FailureGroup(files=files, kind=what[0], place=what[1], cases=len(group), numbers=numbers)


def _compile_engines(kind: str) -> None:
    """Try an input as it is, so that workers find compiled what takes longer than a case may."""
    if kind in MUTATED_BY_FORM:
        with TemporaryDirectory() as folder:
            path = Path(folder, f"case{SUFFIXES[kind]}")
            path.write_bytes(seeds(kind)[0].data)
            for number in range(_ALL_TURNS):
                check(path, kind, number)


def keep(files: str, groups: Groups, folder: Path, pool: Pool) -> None:
    """Write the first case of each group, a smaller one that fails alike, and what was said."""
    for number, ((kind, place), group) in enumerate(sorted(groups.items())):
        first = min(group, key=lambda result: result.task.number)
        say(f"{kind}: {place}: shrinking")
        label = re.sub(r"\W+", "-", f"{files} {kind} {place}")[:100]
        stem = folder / f"{label}.{number}.{first.task.number}"
        suffix = SUFFIXES[files]
        folder.mkdir(parents=True, exist_ok=True)
        Path(f"{stem}{suffix}").write_bytes(first.task.content())
        if kind not in (SLOW, MEMORY):  # each try of these would take as long
            tries = FEW_TRIES if files in MUTATED_BY_FORM else MOST_TRIES
            Path(f"{stem}.small{suffix}").write_bytes(shrunk(first, pool, tries))
        words = f"{len(group)} cases, {kind}, {place}\n{first.found.words}\n"
        Path(f"{stem}.txt").write_text(words, encoding="utf-8", errors="replace")


def shrunk(result: Result, pool: Pool, most_tries: int = MOST_TRIES) -> bytes:
    """Take pieces off a failing case, halves first, while it fails at the same place."""
    data, pieces = result.task.content(), 2
    size = -(-len(data) // pieces)
    place = 0
    for _ in range(most_tries):
        cut = data[:place] + data[place + size :]
        (found,) = pool.run([result.task._replace(data=cut)]) if cut else (None,)
        if found and found.found[:2] == result.found[:2]:
            data = cut
        else:
            place += size
        if place >= len(data):
            if size == 1:
                break
            size, place = -(-size // 2), 0
    return data
