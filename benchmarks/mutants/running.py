"""Runs tests on a copy of the tree that is broken in one place."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

from warpmill.benchmarks.benchmark import ROOT, Request, say
from warpmill.benchmarks.mutants import Mutant, MutantsResult
from warpmill.benchmarks.mutants.places import ROOMS, BrokenPlace, drawn, room_of

NUMBER, QUICK_NUMBER, SEED = 200, 11, 55
MOST_TESTS = 60
"""Tests that execute a line which run for a mutant there, spread over all of them."""
LIMIT_S = 600
"""A mutant that keeps tests busy for longer is seen: they do not end."""

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".hypothesis", "*.egg-info")


def measure(request: Request) -> MutantsResult:
    """Break places one by one."""
    chosen = request.chosen(ROOMS)
    number = QUICK_NUMBER if request.quick else NUMBER * len(chosen) // len(ROOMS)
    places = drawn(ROOT, number, SEED, chosen)
    say(f"{len(places)} places; the tests run once, to see what executes them")
    with tempfile.TemporaryDirectory() as folder:
        trees: Queue[Path] = Queue()
        for k in range(request.workers):
            trees.put(Path(shutil.copytree(ROOT, Path(folder) / f"{k}", symlinks=True,
                                           ignore=_LEFT_OUT)))  # fmt: skip
        first = trees.get()
        executing = tests_of_lines(first)
        trees.put(first)

        def judged(place: BrokenPlace) -> Mutant:
            tree = trees.get()
            try:
                return judge(place, tree, executing.get((place.file, place.line), ()))
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(request.workers) as pool:
            found = []
            for one in pool.map(judged, places):
                found.append(one)
                say(f"{len(found)} of {len(places)}: {one.place} {one.by or 'NOT SEEN'}")
    return MutantsResult(seed=SEED, mutants=tuple(found))


def tests_of_lines(tree: Path) -> dict[tuple[str, int], tuple[str, ...]]:
    """The tests that execute each line of the product, by file and line, the quickest first.

    What numba compiles and what other processes run is not seen. SystemExit where tests fail.
    """
    data = tree / ".coverage"
    options = ["--cov=.", "--cov-context=test", "--cov-report=", "-n", f"{os.cpu_count() or 1}"]
    done = _pytest(tree, [*options, "tests"], None)
    if done.returncode:
        raise SystemExit(f"the tests fail as they are:\n{done.stdout[-3000:]}")
    from coverage import CoverageData  # noqa: PLC0415 - for this alone

    read = CoverageData(str(data))
    read.read()
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for file in read.measured_files():
        name = Path(file).resolve().relative_to(tree.resolve()).as_posix()
        for line, contexts in read.contexts_by_lineno(file).items():
            tests = sorted({one.partition("|")[0] for one in contexts if one})
            if tests:
                found[name, line] = tuple(tests)
    return found


def judge(place: BrokenPlace, tree: Path, tests: Sequence[str]) -> Mutant:
    """Break a place of a tree, and run tests until one fails."""
    room = room_of(place.file)
    assert room is not None
    step = max(1, -(-len(tests) // MOST_TESTS))
    chosen = list(tests[::step]) or [f"tests/{room}"]
    begin = time.perf_counter()
    with broken(place, tree) as before:
        try:
            done = _pytest(tree, ["-x", *chosen], LIMIT_S)
            failed = _FAILED.search(done.stdout)
            by = failed[1] if failed else "" if done.returncode in {0, 5} else "a crash"
        except subprocess.TimeoutExpired:
            by = "it does not end"
    return Mutant(
        room=room,
        place=place.place,
        before=before,
        after=place.after,
        by=by,
        tests=len(tests),
        seconds=round(time.perf_counter() - begin, 1),
    )


@contextmanager
def broken(place: BrokenPlace, tree: Path) -> Iterator[str]:
    """A tree broken in a place, for as long as the block runs; gives what stood there."""
    path = tree / place.file
    text = path.read_text("utf-8")
    path.write_text(place.broken(text), "utf-8")
    try:
        yield place.before(text)
    finally:
        path.write_text(text, "utf-8")


def _pytest(
    tree: Path, words: Sequence[str], limit_s: float | None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, timeout=limit_s,
        check=False,
    )  # fmt: skip
