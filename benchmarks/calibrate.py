"""What calibration gives back of the whole-GPU model, where the answer is known.

    python -m benchmarks.calibrate                  v100: a row for each key, worst first
    python -m benchmarks.calibrate --json           all rows as one JSON object on the last line
    python -m benchmarks.calibrate --machines a100,gtx980 --workers 2
    python -m benchmarks.calibrate --only latency   some groups of micro-benchmarks
    python -m benchmarks.calibrate --docs           v100's report into docs/guide/calibrate.md

Micro-benchmarks run on the model, their times are fitted, and each latency, interval, size, line,
way and bandwidth that was found is put beside the file's.

- `calibrate.within`: the share of keys within 5 % or, of cycles, within one, of all machines' keys
  that the model reads and no other limit hides;
- `hidden`, `not_compared`, `not_measured`: the keys without a verdict; rows have the reason.

The exit code is 1 where a key is further apart.
"""

import argparse
import contextlib
import io
import json
import os
import platform
import re
import sys
from pathlib import Path

from warpmill.calibration.api import Calibrated, calibrate_model
from warpmill.cli.main import main as command

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "guide" / "calibrate.md"
SHOWN = ["calibrate", "--on-model", "v100"]
"""The command whose output the page shows."""

_BLOCK = re.compile(r"(?<=```text\n\$ warpmill calibrate --on-model v100\n)(?:(?!```).*\n)*(?=```)")
_VERDICTS = ("differs", "agrees", "hidden", "not compared", "not measured")
"""In the order of their rows."""


def row(one):
    """A key as a row: what the file says, what was found, and the error as a share of it."""
    return {
        "key": one.key,
        "unit": one.unit,
        "file": one.file_value,
        "found": None if one.found is None else one.found.value,
        "spread": None if one.found is None else one.found.spread,
        "error": one.difference_fraction,
        "verdict": one.verdict,
        "why": one.why,
    }


def figures(found: Calibrated):
    """Sum a machine's calibration up; rows come worst first."""
    rows = [row(one) for one in found.rows]
    rows.sort(key=lambda r: (_VERDICTS.index(r["verdict"]), -abs(r["error"] or 0.0)))
    count = {verdict: sum(r["verdict"] == verdict for r in rows) for verdict in _VERDICTS}
    return {
        "within": share(count["agrees"], count["differs"]),
        **{verdict.replace(" ", "_"): number for verdict, number in count.items()},
        "launches": found.calibration.launches,
        "seconds": round(found.calibration.seconds, 1),
        "rows": rows,
    }


def share(agreeing, differing):
    """The share that agrees; None of nothing."""
    return round(agreeing / (agreeing + differing), 4) if agreeing + differing else None


def measure(machines, groups, workers):
    """Calibrate machines, one after another; the whole result."""
    by_machine = {}
    for name in machines:
        tell = f"\r{name}: {{0}}, group {{1}} of {{2}}\033[K"
        found = calibrate_model(
            name,
            groups=groups,
            workers=workers,
            progress=lambda group, number, of, tell=tell: say(tell.format(group, number + 1, of)),
        )
        by_machine[name] = figures(found)
    say("\r\033[K")
    each = by_machine.values()
    return {
        "benchmark": "calibrate",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "calibrate.within": share(sum(m["agrees"] for m in each), sum(m["differs"] for m in each)),
        "machines": by_machine,
    }


def say(words):
    """Tell on a terminal how far it is."""
    if sys.stderr.isatty():
        print(words, end="", file=sys.stderr, flush=True)


def table(result):
    """Lay the figures out for people."""
    for name, one in result["machines"].items():
        yield f"{name}: {one['launches']:,} launches, {one['seconds']:,.0f} s"
        yield f"{'':<26}{'unit':<18}{'file':>12}{'found':>12}{'error':>9}"
        for each in one["rows"]:
            yield _line(each)
        within = "-" if one["within"] is None else f"{one['within']:.1%}"
        yield f"within 5 % or a cycle: {within} of {one['agrees'] + one['differs']}"
        yield ""


def _line(one):
    file, found = (_number(one[name]) for name in ("file", "found"))
    error = "-" if one["error"] is None else f"{one['error']:+.1%}"
    words = "" if one["verdict"] == "agrees" else f"  {one['verdict']}"
    why = f": {one['why']}" if words and one["why"] else ""
    return f"{one['key']:<26}{one['unit']:<18}{file:>12}{found:>12}{error:>9}{words}{why}"


def _number(value):
    return "-" if value is None else f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def write_page():
    """Let the page show what the command prints of v100."""
    os.environ["COLUMNS"] = "80"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        command(SHOWN)
    text, times = _BLOCK.subn(lambda _: printed.getvalue(), PAGE.read_text("utf-8"))
    if times != 1:
        raise SystemExit(f"{PAGE.name} has no place for {' '.join(SHOWN)}")
    PAGE.write_text(text, "utf-8")


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--machines", default="v100", help="machines, with commas (v100)")
    parser.add_argument("--only", action="append", help="groups, with commas (all)")
    parser.add_argument("--workers", type=int, default=1, help="processes that simulate")
    parser.add_argument("--docs", action="store_true", help=f"write v100's report into {PAGE.name}")
    arguments = parser.parse_args()
    if arguments.docs:
        write_page()
        return
    result = measure(arguments.machines.split(","), arguments.only, arguments.workers)
    print("\n".join(table(result)))
    if arguments.json:
        print(json.dumps(result))
    if any(one["differs"] for one in result["machines"].values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
