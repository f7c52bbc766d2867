"""Runs tests on a copy of the tree that is broken in one place."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from warpmill.benchmarks.benchmark import ROOT, Request, say
from warpmill.benchmarks.keeping import measured, results
from warpmill.benchmarks.mutants import Mutant, MutantsResult
from warpmill.benchmarks.mutants.places import PRODUCT, ROOMS, BrokenPlace, drawn, room_of
from warpmill.studies.model import Evaluate, PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

STUDY = "mutants"
NUMBER, QUICK_NUMBER, SEED = 200, 11, 70
FIRST_TESTS, MOST_TESTS = 60, 1500
"""Tests that execute a line which run for a mutant there: at first, and where none of them fails.

Those of the room that protects the file stand first; a part is spread over all of them.
"""
LIMIT_S = 300
"""A mutant that keeps one test busy for longer is seen: it does not end."""
SOURCES = (*PRODUCT, "tests")

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".hypothesis", "*.egg-info")


def measure(request: Request) -> MutantsResult:
    """Break places one by one; what was interrupted goes on where it was."""
    chosen = request.chosen(ROOMS)
    number = QUICK_NUMBER if request.quick else NUMBER * len(chosen) // len(ROOMS)
    places, sources = drawn(ROOT, number, SEED, chosen), sources_digest(*SOURCES)
    say(f"{len(places)} places; the tests run once, to see what executes them")
    every = StudyPoint({"places": [asdict(one) for one in places], "sources": sources})
    (unbroken,) = _found([every], executed, request)
    failing = unbroken["failing"]
    points = [
        StudyPoint(
            {"place": asdict(one), "sources": sources}, beside={"tests": tests, "failing": failing}
        )
        for one, tests in zip(places, unbroken["tests"], strict=True)
    ]
    rows = _found(points, evaluate, request)
    return MutantsResult(
        seed=SEED, failing=tuple(failing), mutants=tuple(Mutant(**row) for row in rows)
    )


def _found(points: Sequence[StudyPoint], evaluated: Evaluate, request: Request) -> list[Any]:
    store = request.store or default_store()
    return results(measured(STUDY, store, points, evaluated, workers=request.workers, say=say))


def executed(inputs: Mapping[str, Any]) -> PointOutcome:
    """The tests that execute each of the places, in the order to run them in; and what fails."""
    lines, failing = tests_of_lines(_tree())
    places = [BrokenPlace(**one) for one in inputs["places"]]
    found = [in_order(lines.get((one.file, one.line), ()), room_of(one.file)) for one in places]
    return PointOutcome(facts={"result": {"tests": found, "failing": failing}})


def in_order(tests: Sequence[str], room: str | None) -> list[str]:
    """Tests in the order in which they judge: two thirds of the first of a room, then its rest."""
    own = [one for one in tests if one.startswith(f"tests/{room}/")]
    others = [one for one in tests if not one.startswith(f"tests/{room}/")]
    of_others = _spread(others, max(FIRST_TESTS // 3, FIRST_TESTS - len(own)))
    first = [*_spread(own, FIRST_TESTS - len(of_others)), *of_others]
    return [*first, *(one for one in (*own, *others) if one not in set(first))][:MOST_TESTS]


def _spread(tests: Sequence[str], number: int) -> Sequence[str]:
    """At most so many of the tests, as far apart as can be."""
    return tests[:: max(1, -(-len(tests) // number))] if number else ()


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Whether a test notices that a place is broken."""
    found = judge(BrokenPlace(**inputs["place"]), _tree(), inputs["tests"], inputs["failing"])
    return PointOutcome(facts={"result": asdict(found)})


@cache
def _tree() -> Path:
    """A copy of the project for this process, which can be broken: tests ask git for its files."""
    folder = tempfile.mkdtemp(prefix="mutants-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    tree = Path(shutil.copytree(ROOT, Path(folder) / "tree", symlinks=True, ignore=_LEFT_OUT))
    for command in ("init", "add --all"):
        subprocess.run(["git", *command.split()], cwd=tree, check=True, capture_output=True)
    return tree


def tests_of_lines(tree: Path) -> tuple[dict[tuple[str, int], tuple[str, ...]], list[str]]:
    """The tests that execute each line of the product, by file and line; and those that fail.

    What numba compiles and what other processes run is not seen. SystemExit where tests do not run.
    """
    data = tree / ".coverage"
    options = ["--cov=.", "--cov-context=test", "--cov-report=", "-n", f"{os.cpu_count() or 1}"]
    done = _pytest(tree, [*options, "tests"])
    failing = _FAILED.findall(done.stdout)
    if done.returncode and not failing:
        raise SystemExit(f"the tests do not run:\n{done.stdout[-3000:]}")
    from coverage import CoverageData  # noqa: PLC0415 - for this alone

    # A name that pytest does not find would end a run with an error, as if it had noticed.
    named = {*_pytest(tree, ["--collect-only", "tests"]).stdout.splitlines()} - set(failing)
    read = CoverageData(str(data))
    read.read()
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for file in read.measured_files():
        name = Path(file).resolve().relative_to(tree.resolve()).as_posix()
        for line, contexts in read.contexts_by_lineno(file).items():
            tests = sorted({one.rpartition("|")[0] for one in contexts} & named)
            if tests:
                found[name, line] = tuple(tests)
    return found, failing


def judge(
    place: BrokenPlace, tree: Path, tests: Sequence[str], failing: Sequence[str] = ()
) -> Mutant:
    """Break a place of a tree, and run tests until one fails; not those that always do."""
    room = room_of(place.file)
    assert room is not None
    begin = time.perf_counter()
    with broken(place, tree) as before:
        if tests:
            by = _noticed(tree, ["--every", *tests[:FIRST_TESTS]], failing)
            if not by and tests[FIRST_TESTS:]:
                by = _noticed(tree, ["--every", *tests[FIRST_TESTS:]], failing)
        else:
            by = _noticed(tree, [f"tests/{room}"], failing)
    return Mutant(
        room=room,
        place=place.place,
        before=before,
        after=place.after,
        by=by,
        tests=len(tests),
        seconds=round(time.perf_counter() - begin, 1),
    )


def _noticed(tree: Path, chosen: Sequence[str], failing: Sequence[str]) -> str:
    """The first of the chosen tests that fails, or how their run ends; "" where none notices.

    Tests that are named take ``--every``: conftest would leave out many cases of one test again.
    """
    # A native loop that holds the interpreter's lock is ended too: by a thread of C, not of Python.
    limit = ["-o", f"faulthandler_timeout={LIMIT_S}", "-o", "faulthandler_exit_on_timeout=true"]
    done = _pytest(tree, ["-x", *limit, *(f"--deselect={t}" for t in failing), *chosen])
    failed = _FAILED.search(done.stdout)
    if failed:
        return failed[1].partition("[")[0]
    if done.returncode in {0, 5}:
        return ""
    return "it does not end" if "Timeout (" in done.stdout + done.stderr else "a crash"


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


def _pytest(tree: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
