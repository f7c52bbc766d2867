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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric
from warpmill.benchmarks.benchmark import ROOT, column, say
from warpmill.benchmarks.keeping import computer
from warpmill.benchmarks.speed.history import append, beside, read, speed_change
from warpmill.benchmarks.speed.measuring import is_time
from warpmill.benchmarks.startup import ENVIRONMENT
from warpmill.report.base import Part
from warpmill.report.page import Page, Style
from warpmill.report.read import Reader
from warpmill.report.sections import Table
from warpmill.report.text import page_text

PARTS = Path(__file__).parent
HISTORY = ROOT / "benchmarks" / "history" / "speed.jsonl"
BUDGETS_S = {"quick": 100, "full": 1200}
"""Seconds on the clock after which measures of a set are left out: it has a place in .ci/run."""
UNHURRIED_S = 7200
DIGITS = 5
Figures = Mapping[str, Any]
"""Of a measure: value, reference_s and ratio, or an error in words."""


class SpeedRow(Part):
    """A measure as it is shown; ``change`` is that of speed."""

    measure: Annotated[str, Metric("")]
    tree: Annotated[str | None, Metric("")] = None
    value: Annotated[float | None, Metric("value")]
    unit: Annotated[str, Metric("")]
    ratio: Annotated[float | None, Metric("x reference")]
    change: Annotated[float | None, Metric("speed")] = None
    best: Annotated[float | None, Metric("best")] = None
    words: Annotated[str, Metric("")]


class _Rows(Part):
    rows: tuple[SpeedRow, ...]


def shown(rows: Iterable[SpeedRow], change: str) -> str:
    """Rows for a terminal; ``change`` says what speed is compared with."""
    number, percent = "{:,.4g}", "{:+.1%}"
    columns = ("measure", "tree", column("value", form=number), "unit",
               column("ratio", form=number), column("change", change, percent),
               column("best", form=percent), "words")  # fmt: skip
    page = Page(Style(verbose=True, width=140))
    table = Table("", "rows", columns, left=(0, 1, 3, 7), once=(0,))
    table.add(page, Reader(_Rows(rows=tuple(rows))))
    return page_text(page).rstrip("\n")


def row(name: str, one: Figures, unit: str, words: str = "", **others: Any) -> SpeedRow:
    """A measure's row; what it was compared with is in ``others``."""
    return SpeedRow(measure=name, value=one.get("value"), unit=unit, ratio=one.get("ratio"),
                    words=one.get("error", words), **others)  # fmt: skip


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


def measure_all(
    chosen: Figures, trees: Sequence[Path], budget_s: float
) -> dict[str, list[Figures]]:
    """Measure in each of the trees in turn: by name, a figure for each tree."""
    end, found = time.monotonic() + budget_s, {}
    for name, measure in chosen.items():
        begin = time.monotonic()
        found[name] = [measured(measure, tree, max(1.0, end - time.monotonic())) for tree in trees]
        say(f"{name}: {time.monotonic() - begin:.0f} s")
    return found


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


def compare(chosen: Figures, commits: Sequence[str]) -> list[SpeedRow]:
    """Measure commits and this tree. A change is that of speed, from the tree above."""
    with ExitStack() as stack:
        folders = [stack.enter_context(tree_of(commit)) for commit in commits]
        found = measure_all(chosen, (*folders, ROOT), UNHURRIED_S)
    rows = []
    for name, figures in found.items():
        before: float | None = None
        for tree, one in zip((*commits, "this tree"), figures, strict=True):
            change = None
            if before is not None and "ratio" in one:
                change = speed_change(before, one["ratio"], is_time=is_time(chosen[name]))
            rows.append(row(name, one, chosen[name]["unit"], tree=tree, change=change))
            before = one.get("ratio", before)
    return rows


def judge(
    chosen: Figures, found: Figures, accepted: Sequence[str], *, is_recorded: bool
) -> tuple[list[SpeedRow], int]:
    """What was measured beside its history, to which it may be added; the exit code."""
    where = computer() | {name: version(name) for name in ("llvmlite", "numba", "numpy")}
    history, rows, code = read(HISTORY), [], 0
    for name, one in found.items():
        its = None
        if "error" not in one:
            its = beside(name, one["ratio"], history, where, is_time=is_time(chosen[name]))
        compared = {} if its is None else {"change": its.change, "best": its.change_from_best}
        words = "" if its is None else its.words
        rows.append(row(name, one, chosen[name]["unit"], words, **compared))
        if its is None or (its.verdict == "failed" and name not in accepted):
            code = 1
    right = {name: one for name, one in found.items() if "error" not in one}
    if is_recorded and right:
        run = {
            "date": datetime.now(UTC).date().isoformat(),
            "commit": git("describe", "--always", "--dirty", "--exclude=*"),
            "computer": where,
            "measures": right,
            "accepted": sorted(accepted),
        }
        append(HISTORY, run)
    return rows, code


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
        print(shown(compare(chosen, given.compare), "speed"))
        return 0
    budget_s = UNHURRIED_S if given.only else BUDGETS_S["quick" if given.quick else "full"]
    found = {name: one for name, (one,) in measure_all(chosen, (ROOT,), budget_s).items()}
    rows, code = judge(chosen, found, given.accept, is_recorded=given.record)
    print(shown(rows, "last 5"))
    return code
