"""Counters of launches, read by Nsight Compute (``ncu``) while a process of its own runs them.

That process is this module as well: it runs a plan, a pickled list of subjects with the numbers of
their launches, and writes down what was profiled, so that a run that is stopped keeps what it has.
"""

from __future__ import annotations

import csv
import json
import pickle
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from warpmill.benchmarks.silicon.gpu import output
from warpmill.benchmarks.silicon.subjects import Subject
from warpmill.benchmarks.silicon.timed import TimedBackend
from warpmill.session.options import RunOptions

NCU = [
    "ncu", "--csv", "--page", "raw", "--profile-from-start", "off", "--clock-control", "none",
    "--target-processes", "application-only", "--metrics",
]  # fmt: skip
TIMEOUT_S = 600.0

Plan = Sequence[tuple[Subject, Sequence[int]]]


@cache
def metrics() -> dict[str, str]:
    """The metrics that are read, by their columns."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    columns: dict[str, str] = table["columns"]
    pattern, reasons = table["stalls"]["pattern"], table["stalls"]["reasons"]
    return columns | {f"stall_{reason}": pattern.format(reason) for reason in reasons}


def able(listed: str) -> dict[str, str]:
    """Those that a GPU has, by what ``ncu --query-metrics`` lists."""
    names = {line.split()[0] for line in listed.splitlines() if line.split()}
    return {column: name for column, name in metrics().items() if name.partition(".")[0] in names}


def counted(plan: Plan, folder: Path) -> list[dict[str, str]]:
    """The counters of a plan's launches, each with what it is of where ncu saw these kernels.

    RuntimeError where ncu is not there or fails, ValueError where it prints no table.
    """
    if shutil.which("ncu") is None:
        raise RuntimeError("there is no ncu on the PATH: install NVIDIA Nsight Compute")
    columns = able(output(["ncu", "--query-metrics"], TIMEOUT_S))
    planned, noted = folder.absolute() / "plan.pickle", folder.absolute() / "counted.json"
    planned.write_bytes(pickle.dumps(plan))
    child = [sys.executable, "-m", "warpmill.benchmarks.silicon.counters", str(planned), str(noted)]
    rows = read(output([*NCU, ",".join(columns.values()), *child], TIMEOUT_S), columns)
    which = json.loads(noted.read_text("utf-8"))
    if [row["kernel"] for row in rows] != [one["kernel"] for one in which]:
        print("ncu saw other kernels than were run: counters.csv names no workloads",
              file=sys.stderr)  # fmt: skip
        return rows
    return [of | row for of, row in zip(which, rows, strict=True)]


def read(text: str, columns: Mapping[str, str]) -> list[dict[str, str]]:
    """Read the rows that ``ncu`` prints, in the order in which launches were made.

    Other lines stand around them, and the units in a row of their own. ValueError where there is no
    table.
    """
    lines = text.splitlines()
    head = next((n for n, line in enumerate(lines) if line.startswith('"ID"')), None)
    if head is None:
        raise ValueError(f"ncu printed no table: {' '.join(lines[-3:])}")
    rows = csv.DictReader(line for line in lines[head:] if line.startswith('"'))
    return [
        {"kernel": row["Kernel Name"].partition("(")[0]}
        | {column: _number(row.get(name, "")) for column, name in columns.items()}
        for row in rows
        if row["ID"]
    ]


def _number(text: str) -> str:
    """A number without separators of thousands; nothing for what is none."""
    plain = text.replace(",", "")
    try:
        float(plain)
    except ValueError:
        return ""
    return plain


def profile(plan: str, noted: str) -> None:
    """Run a plan in a process that ``ncu`` watches."""
    backend, done = TimedBackend(), []
    for subject, numbers in pickle.loads(Path(plan).read_bytes()):
        backend.profiled = frozenset(numbers)
        subject.run(RunOptions(device=backend), checked=False)
        launches = backend.taken()
        done += [
            subject.names | {"launch": n, "kernel": launches[n].kernel} for n in sorted(numbers)
        ]
        Path(noted).write_text(json.dumps(done), "utf-8")


if __name__ == "__main__":
    profile(*sys.argv[1:])
