"""How fast everything is, beside a reference in the same run, and what fell since it was recorded.

    python -m benchmarks.speed                    all measures: ten minutes; `make bench`
    python -m benchmarks.speed --quick            those of two minutes; `make bench-quick`
    python -m benchmarks.speed --only sweep       one, or some
    python -m benchmarks.speed --record           adds the run to benchmarks/history/speed.jsonl
    python -m benchmarks.speed --compare COMMIT   this tree beside another commit, or several
    python -m benchmarks.speed --json             one JSON object on the last line

`speed_parts/measures.toml` lists the measures; each is measured by the functions of its own
benchmark in a process of its own, in turn with its reference: a fixed loop of Python, one that
numba compiles, or a process that loads modules. What is compared is the ratio to the reference, so
that a computer that is slower for a while makes nothing slower. `speed_parts/history.py` says what
it is held against.

The exit code is 1 where a measure lost 30 % of its speed or has no figure; `--accept NAME` with
`--record` takes a loss as the new start of a measure's history, when it is worth what it costs.

`--compare` checks commits out into temporary worktrees and measures them with the references and
the table of this tree; a measure whose functions a commit does not have is told as such. It finds
where speed was lost: sweeps are four times slower at the second of these commits (12.8 and 52.6
configurations a second, geometric means over samples),

    python -m benchmarks.speed --only sweep --compare 309dfb5b 03aa2658~1
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import tomllib
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.keeping import computer
from benchmarks.speed_parts.history import Beside, append, beside, read, speed_change
from benchmarks.speed_parts.measuring import is_time
from benchmarks.startup import ENVIRONMENT

ROOT = Path(__file__).resolve().parents[1]
PARTS = ROOT / "benchmarks" / "speed_parts"
HISTORY = ROOT / "benchmarks" / "history" / "speed.jsonl"
BUDGETS_S = {"quick": 100, "full": 1200}
"""Seconds on the clock after which measures of a set are left out: it has a place in .ci/run."""
UNHURRIED_S = 7200
DIGITS = 5


def measures():
    """The table of measures, by name."""
    return tomllib.loads((PARTS / "measures.toml").read_text("utf-8"))


def measured(measure, tree, limit_s):
    """Measure in a process of its own: value, reference_s and ratio, or an error in words."""
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


def measure_all(chosen, trees, budget_s):
    """Measure in each of the trees in turn: by name, a figure for each tree."""
    end, found = time.monotonic() + budget_s, {}
    for name, measure in chosen.items():
        begin = time.monotonic()
        found[name] = [measured(measure, tree, max(1.0, end - time.monotonic())) for tree in trees]
        print(f"{name}: {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return found


@contextmanager
def tree_of(commit):
    """A temporary worktree of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--detach", str(tree), commit)
        try:
            yield tree
        finally:
            git("worktree", "remove", "--force", str(tree))


def git(*words):
    """What git prints; ends the program where it fails."""
    done = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
    return done.stdout.strip()


def run_of(found):
    """A run, as the history has it."""
    versions = {name: version(name) for name in ("llvmlite", "numba", "numpy")}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": git("describe", "--always", "--dirty", "--exclude=*"),
        "computer": computer() | versions,
        "measures": found,
    }


def beside_history(run, table, history):
    """The measures of a run beside the history: by name, `Beside`."""
    return {
        name: beside(name, one["ratio"], history, run["computer"], is_time=is_time(table[name]))
        for name, one in run["measures"].items()
        if "error" not in one
    }


def lines_beside_history(run, table, known):
    """Lay a run out for people."""
    yield f"{'':<18}{'value':>12} {'':<23}{'x reference':>12}{'last 5':>9}{'best':>9}"
    for name, one in run["measures"].items():
        if "error" in one:
            yield f"{name:<18}{'-':>12} {one['error']}"
            continue
        its = known[name]
        changes = _percent(its.change) + _percent(its.change_from_best)
        yield f"{name:<18}{_figures(one, table[name])}{changes}  {_words(its)}".rstrip()


def _figures(one, measure):
    return f"{one['value']:>12,.4g} {measure['unit']:<23}{one['ratio']:>12,.4g}"


def _percent(change):
    return f"{'-':>9}" if change is None else f"{change:>+9.1%}"


def _words(its: Beside):
    where = "" if its.same_computer else ", other computers"
    since = f", best at {its.best_commit}" if its.verdict in {"fell", "failed"} else ""
    return its.verdict.replace("held", "") + since + where


def lines_beside_commits(result, table):
    """Lay trees out for people; a change is that of speed, from the tree above."""
    yield f"{'':<18}{'':<12}{'value':>12} {'':<23}{'x reference':>12}{'speed':>9}"
    for name, figures in result["measures"].items():
        before = None
        for tree, one in zip(result["trees"], figures, strict=True):
            start = f"{name:<18}{tree:<12}"
            if "error" in one:
                yield f"{start}{'-':>12} {one['error']}"
                continue
            change = before and speed_change(
                before["ratio"], one["ratio"], is_time=is_time(table[name])
            )
            yield f"{start}{_figures(one, table[name])}{_percent(change)}"
            before = one


def compare(chosen, table, commits):
    """Measure commits and this tree; the result, its lines, the exit code."""
    with ExitStack() as stack:
        trees = [stack.enter_context(tree_of(commit)) for commit in commits]
        found = measure_all(chosen, (*trees, ROOT), UNHURRIED_S)
    result = {"benchmark": "speed", "trees": [*commits, "this tree"], "measures": found}
    return result, lines_beside_commits(result, table), 0


def measure_and_judge(chosen, table, arguments):
    """Measure this tree beside its history; the result, its lines, the exit code."""
    budget_s = UNHURRIED_S if arguments.only else BUDGETS_S["quick" if arguments.quick else "full"]
    found = measure_all(chosen, (ROOT,), budget_s)
    run = run_of({name: one for name, (one,) in found.items()})
    known = beside_history(run, table, read(HISTORY))
    by = {verdict: [n for n, its in known.items() if its.verdict == verdict]
          for verdict in ("fell", "failed")}  # fmt: skip
    errors = [name for name, one in run["measures"].items() if "error" in one]
    right = {name: one for name, one in run["measures"].items() if name in known}
    if arguments.record and right:
        append(HISTORY, run | {"measures": right, "accepted": sorted(arguments.accept)})
    judged = {name: vars(its) | {"verdict": its.verdict} for name, its in known.items()}
    result = {"benchmark": "speed", "quick": arguments.quick, **run, "beside_history": judged,
              **by, "errors": errors}  # fmt: skip
    accepted = set(by["failed"]) <= set(arguments.accept)
    return result, lines_beside_history(run, table, known), int(bool(errors) or not accepted)


def main():
    """Run the command line; the exit code."""
    table = measures()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
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
        result, lines, code = compare(chosen, table, arguments.compare)
    else:
        result, lines, code = measure_and_judge(chosen, table, arguments)
    print(json.dumps(result, sort_keys=True) if arguments.json else "\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
