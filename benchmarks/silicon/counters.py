"""Counters of launches, read by Nsight Compute (``ncu``) while a process of its own runs them."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
CHILD = "warpmill.benchmarks.silicon.profiled"


@cache
def metrics() -> dict[str, str]:
    """The metrics that are read, by their columns."""
    table = tomllib.loads((HERE / "counters.toml").read_text("utf-8"))
    columns: dict[str, str] = table["columns"]
    pattern, reasons = table["stalls"]["pattern"], table["stalls"]["reasons"]
    return columns | {f"stall_{reason}": pattern.format(reason) for reason in reasons}


def able(listed: str) -> dict[str, str]:
    """Give those that a GPU has, by what ``ncu --query-metrics`` lists."""
    names = {line.split()[0] for line in listed.splitlines() if line.split()}
    return {column: name for column, name in metrics().items() if name.partition(".")[0] in names}


def command(chosen: Iterable[str], plan: Path, noted: Path) -> list[str]:
    """The command that has a plan's launches profiled, and notes which they were."""
    return [
        "ncu", "--csv", "--page", "raw", "--profile-from-start", "off", "--clock-control", "none",
        "--target-processes", "application-only", "--metrics", ",".join(chosen),
        sys.executable, "-m", CHILD, str(plan), str(noted),
    ]  # fmt: skip


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


def counted(plan: Path, noted: Path, timeout_s: float) -> tuple[str, dict[str, str]]:
    """Run ``ncu``: what it printed, and the metrics by column that it was asked for.

    RuntimeError where it is not there or fails.
    """
    if shutil.which("ncu") is None:
        raise RuntimeError("there is no ncu on the PATH: install NVIDIA Nsight Compute")
    listed = _output(["ncu", "--query-metrics"], timeout_s)
    columns = able(listed)
    return _output(command(columns.values(), plan, noted), timeout_s), columns


def _output(words: Sequence[str], timeout_s: float) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{words[0]} did not end within {timeout_s:.0f} s") from None
    if done.returncode != 0:
        told = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {' '.join(told)}")
    return done.stdout
