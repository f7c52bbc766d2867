"""How fast everything is, beside a reference in the same run, and what fell since it was recorded.

    python -m benchmarks.speed                    all measures: ten minutes; `make bench`
    python -m benchmarks.speed --quick            those of two minutes; `make bench-quick`
    python -m benchmarks.speed --only sweep       one, or some
    python -m benchmarks.speed --record           adds the run to benchmarks/history/speed.jsonl
    python -m benchmarks.speed --compare COMMIT   this tree beside another commit, or several

`measures.toml` lists the measures; each is measured by the functions of its own benchmark in a
process of its own, in turn with its reference: a fixed loop of Python, one that numba compiles, or
a process that loads modules. What is compared is the ratio to the reference, so that a computer
that is slower for a while makes nothing slower. `history.py` says what it is held against.

The exit code is 1 where a measure lost 30 % of its speed or has no figure; `--accept NAME` with
`--record` takes a loss as the new start of a measure's history, when it is worth what it costs.

`--compare` checks commits out into temporary worktrees and measures them with the references and
the table of this tree; a measure whose functions a commit does not have is told as such. It finds
where speed was lost: sweeps are four times slower at the second of these commits (12.8 and 52.6
configurations a second, geometric means over samples),

    python -m benchmarks.speed --only sweep --compare 309dfb5b 03aa2658~1
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from warpmill.benchmarks.benchmark import ROOT
from warpmill.benchmarks.keeping import computer
from warpmill.benchmarks.speed.history import Beside, append, beside, read, speed_change
from warpmill.benchmarks.speed.measuring import is_time
from warpmill.benchmarks.startup import ENVIRONMENT

PARTS = Path(__file__).parent
HISTORY = ROOT / "benchmarks" / "history" / "speed.jsonl"
BUDGETS_S = {"quick": 100, "full": 1200}
"""Seconds on the clock after which measures of a set are left out: it has a place in .ci/run."""
UNHURRIED_S = 7200
DIGITS = 5
Figures = Mapping[str, Any]
"""Of a measure: value, reference_s and ratio, or an error in words."""


def measures() -> dict[str, Any]:
    """The table of measures, by name."""
    return tomllib.loads((PARTS / "measures.toml").read_text("utf-8"))


def measured(measure: Figures, tree: Path, limit_s: float) -> Figures:
    """Measure in a process of its own."""
    command = [sys.executable, "-P", str(PARTS / "measuring.py"), json.dumps(measure)]
    with tempfile.TemporaryDirectory() as folder:
        environment = ENVIRONMENT | {"PYTHONPATH": str(tree), "TMPDIR": folder}
        try:
            done = subprocess.run(
                command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, check=False, timeout=limit_s,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return {"error": f"not done in the {limit_s:.0f} s that were left"}
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        return {"error": said[-1] if said else f"exit code {done.returncode}"}
    found = json.loads(done.stdout.splitlines()[-1])
    return {key: float(f"{value:.{DIGITS}g}") for key, value in found.items()}


def line(name: str, one: Figures, unit: str, words: str) -> str:
    """A measure for a terminal: its value, the same in runs of the reference, and ``words``."""
    if "error" in one:
        return f"{name:18} {one['error']}"
    value, ratio = f"{one['value']:,.4g} {unit}", f"{one['ratio']:,.4g} x reference"
    return f"{name:18} {value:34} {ratio:22} {words}".rstrip()


@contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    """A temporary worktree of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--detach", str(tree), commit)
        try:
            yield tree
        finally:
            git("worktree", "remove", "--force", str(tree))


def git(*words: str) -> str:
    """What git prints; ends the program where it fails."""
    done = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
    return done.stdout.strip()


def compare(chosen: Figures, commits: list[str]) -> None:
    """Measure commits and this tree. A change is that of speed, from the tree above."""
    with ExitStack() as stack:
        trees = {commit: stack.enter_context(tree_of(commit)) for commit in commits}
        for name, measure in chosen.items():
            before: float | None = None
            for tree, folder in {**trees, "this tree": ROOT}.items():
                one, words = measured(measure, folder, UNHURRIED_S), tree
                if before is not None and "ratio" in one:
                    change = speed_change(before, one["ratio"], is_time=is_time(measure))
                    words = f"{tree} {change:+.1%}"
                print(line(name, one, measure["unit"], words), flush=True)
                before = one.get("ratio", before)


def judge(chosen: Figures, budget_s: float, accepted: list[str], *, is_recorded: bool) -> int:
    """Measure beside the history, to which it may be added; the exit code."""
    where = computer() | {name: version(name) for name in ("llvmlite", "numba", "numpy")}
    end, history, code = time.monotonic() + budget_s, read(HISTORY), 0
    right: dict[str, Figures] = {}
    for name, measure in chosen.items():
        one, its = measured(measure, ROOT, max(1.0, end - time.monotonic())), Beside()
        if "error" not in one:
            right[name] = one
            its = beside(name, one["ratio"], history, where, is_time=is_time(measure))
        print(line(name, one, measure["unit"], its.words), flush=True)
        if name not in right or (its.verdict == "failed" and name not in accepted):
            code = 1
    if is_recorded and right:
        run = {
            "date": datetime.now(UTC).date().isoformat(),
            "commit": git("describe", "--always", "--dirty", "--exclude=*"),
            "computer": where,
            "measures": right,
            "accepted": sorted(accepted),
        }
        append(HISTORY, run)
    return code


def main() -> int:
    """Run the command line; the exit code."""
    table = measures()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--quick", action="store_true", help="the two-minute set")
    parser.add_argument("--only", action="append", default=[], choices=table, metavar="NAME")
    parser.add_argument("--record", action="store_true", help="add the run to the history")
    parser.add_argument("--accept", action="append", default=[], choices=table, metavar="NAME",
                        help="with --record: the history of a measure starts anew")  # fmt: skip
    parser.add_argument("--compare", nargs="+", default=[], metavar="COMMIT",
                        help="measure these commits beside this tree")  # fmt: skip
    given = parser.parse_args()
    if given.accept and not given.record:
        parser.error("--accept is for --record")
    if given.record and given.compare:
        parser.error("--record is of this tree alone: leave out --compare")
    names = given.only or [n for n, m in table.items() if m["set"] == "quick" or not given.quick]
    chosen = {name: table[name] for name in table if name in names}
    if given.compare:
        compare(chosen, given.compare)
        return 0
    budget_s = UNHURRIED_S if given.only else BUDGETS_S["quick" if given.quick else "full"]
    return judge(chosen, budget_s, given.accept, is_recorded=given.record)
