"""How fast everything is, beside a reference in the same run, and what fell since it was recorded.

    python -m benchmarks.speed                    all measures: ten minutes; `make bench`
    python -m benchmarks.speed --quick            those of two minutes; `make bench-quick`
    python -m benchmarks.speed --only sweep       one, or some
    python -m benchmarks.speed --record           adds the run to benchmarks/history/speed.jsonl
    python -m benchmarks.speed --compare COMMIT   this tree beside another commit, or several
    python -m benchmarks.speed --json             one JSON object on the last line

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
from warpmill.benchmarks.benchmark import column, say
from warpmill.benchmarks.keeping import computer
from warpmill.benchmarks.speed.history import Beside, append, beside, read, speed_change
from warpmill.benchmarks.speed.measuring import is_time
from warpmill.benchmarks.startup import ENVIRONMENT
from warpmill.report.base import Part
from warpmill.report.page import Page, Style
from warpmill.report.read import Reader
from warpmill.report.sections import Table
from warpmill.report.text import page_text

ROOT = Path(__file__).resolve().parents[2]
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
    tree: Annotated[str | None, Metric("")]
    value: Annotated[float | None, Metric("value")]
    unit: Annotated[str, Metric("")]
    ratio: Annotated[float | None, Metric("x reference")]
    change: Annotated[float | None, Metric("speed")]
    best: Annotated[float | None, Metric("best")]
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


def row(name: str, one: Figures, measure: Figures, **others: Any) -> SpeedRow:
    """A measure's row; what it was compared with is in ``others``."""
    given = {"tree": None, "change": None, "best": None, "words": one.get("error", ""), **others}
    return SpeedRow(measure=name, value=one.get("value"), ratio=one.get("ratio"),
                    unit=measure["unit"], **given)  # fmt: skip


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


def run_of(found: Figures) -> dict[str, Any]:
    """A run, as the history has it."""
    versions = {name: version(name) for name in ("llvmlite", "numba", "numpy")}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": git("describe", "--always", "--dirty", "--exclude=*"),
        "computer": computer() | versions,
        "measures": found,
    }


def _words(its: Beside) -> str:
    where = "" if its.same_computer else ", other computers"
    since = f", best at {its.best_commit}" if its.verdict in {"fell", "failed"} else ""
    return its.verdict.replace("held", "") + since + where


def compare(chosen: Figures, commits: Sequence[str]) -> tuple[dict[str, Any], str, int]:
    """Measure commits and this tree; the result, its table, the exit code.

    A change is that of speed, from the tree above.
    """
    trees = [*commits, "this tree"]
    with ExitStack() as stack:
        folders = [stack.enter_context(tree_of(commit)) for commit in commits]
        found = measure_all(chosen, (*folders, ROOT), UNHURRIED_S)
    rows = []
    for name, figures in found.items():
        before: float | None = None
        for tree, one in zip(trees, figures, strict=True):
            change = None
            if before is not None and "ratio" in one:
                change = speed_change(before, one["ratio"], is_time=is_time(chosen[name]))
            rows.append(row(name, one, chosen[name], tree=tree, change=change))
            before = one.get("ratio", before)
    result = {"benchmark": "speed", "trees": trees, "measures": found}
    return result, shown(rows, "speed"), 0


def measure_and_judge(
    chosen: Figures, arguments: argparse.Namespace
) -> tuple[dict[str, Any], str, int]:
    """Measure this tree beside its history; the result, its table, the exit code."""
    budget_s = UNHURRIED_S if arguments.only else BUDGETS_S["quick" if arguments.quick else "full"]
    every = measure_all(chosen, (ROOT,), budget_s)
    run = run_of({name: one for name, (one,) in every.items()})
    right = {name: one for name, one in run["measures"].items() if "error" not in one}
    history = read(HISTORY)
    known = {
        n: beside(n, one["ratio"], history, run["computer"], is_time=is_time(chosen[n]))
        for n, one in right.items()
    }
    by = {verdict: [n for n, its in known.items() if its.verdict == verdict]
          for verdict in ("fell", "failed")}  # fmt: skip
    errors = [name for name in run["measures"] if name not in right]
    if arguments.record and right:
        append(HISTORY, run | {"measures": right, "accepted": sorted(arguments.accept)})
    judged = {name: vars(its) | {"verdict": its.verdict} for name, its in known.items()}
    result = {"benchmark": "speed", "quick": arguments.quick, **run, "beside_history": judged,
              **by, "errors": errors}  # fmt: skip
    rows = []
    for name, one in run["measures"].items():
        its = known.get(name)
        beside_it = {} if its is None else {
            "change": its.change, "best": its.change_from_best, "words": _words(its)
        }  # fmt: skip
        rows.append(row(name, one, chosen[name], **beside_it))
    is_accepted = set(by["failed"]) <= set(arguments.accept)
    return result, shown(rows, "last 5"), int(bool(errors) or not is_accepted)


def main() -> int:
    """Run the command line; the exit code."""
    table = measures()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--quick", action="store_true", help="the two-minute set")
    parser.add_argument("--only", action="append", default=[], choices=table, metavar="NAME")
    parser.add_argument("--record", action="store_true", help="add the run to the history")
    parser.add_argument("--accept", action="append", default=[], choices=table, metavar="NAME",
                        help="with --record: the history of a measure starts anew")  # fmt: skip
    parser.add_argument("--compare", nargs="+", default=[], metavar="COMMIT",
                        help="measure these commits beside this tree")  # fmt: skip
    arguments = parser.parse_args()
    if arguments.accept and not arguments.record:
        parser.error("--accept is for --record")
    if arguments.record and arguments.compare:
        parser.error("--record is of this tree alone: leave out --compare")
    names = arguments.only or [
        n for n, m in table.items() if m["set"] == "quick" or not arguments.quick
    ]
    chosen = {name: table[name] for name in table if name in names}
    if arguments.compare:
        result, text, code = compare(chosen, arguments.compare)
    else:
        result, text, code = measure_and_judge(chosen, arguments)
    print(json.dumps(result, sort_keys=True) if arguments.json else text)
    return code
