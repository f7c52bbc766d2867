"""Graphs in Graphviz' language, and the pictures that Graphviz draws of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity, UsageError
from warpmill.report.base import Report
from warpmill.report.manifest import kinds, shown
from warpmill.report.safe import escaped

SECONDS = 60
"""The longest that Graphviz may take."""

_NAMED = 8
"""Graphs that a message names."""


def quoted(text: str) -> str:
    """Write a text as a string of Graphviz; newlines break lines."""
    return json.dumps(escaped(text), ensure_ascii=False)


def shade(share: float) -> str:
    """White for no share and a dark orange for all."""
    least = (255 - round(share * part) for part in (25, 130, 215))
    return "#" + "".join(f"{part:02x}" for part in least)


@dataclass(frozen=True)
class Graphs:
    """The graphs of a result in Graphviz' language; ``choice`` is the option that leaves one."""

    names: Sequence[str]
    texts: Sequence[str]
    choice: str


def dot_text(report: Report) -> str:
    """A result's graphs in Graphviz' language. UsageError for one without any."""
    return "".join(_graphs(report, "dot").texts)


def svg_text(report: Report) -> str:
    """The control flow of one kernel or launch as SVG.

    UsageError where Graphviz is not found, or there are several graphs; LimitError where it takes
    too long.
    """
    found = _graphs(report, "svg")
    if len(found.texts) != 1:
        names = ", ".join(found.names[:_NAMED]) + ", …" * (len(found.names) > _NAMED)
        words = f"--format svg draws one graph, and there are {len(found.texts)}: {names}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"{found.choice} chooses one"))
    (text,) = found.texts
    program = shutil.which("dot")
    if program is None:
        raise UsageError(
            Diagnostic(
                Severity.ERROR,
                "--format svg needs Graphviz, and there is no `dot` on PATH",
                hint="install Graphviz, or take --format dot, which is what it draws from",
            )
        )
    try:
        done = subprocess.run(
            [program, "-Tsvg"],
            input=text,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LimitError(
            f"Graphviz took more than {SECONDS} s for this graph; take --format dot"
        ) from None
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise UsageError(f"Graphviz cannot draw this: {lines[-1]}")
    return done.stdout


def _graphs(report: Report, format_: str) -> Graphs:
    draw = shown(report.report, "graph")
    if draw is None:
        with_graphs = " and ".join(name for name, (_, kind) in kinds().items() if kind.graph)
        raise UsageError(f"--format {format_} is for {with_graphs}: it draws the control flow")
    found: Graphs = draw(report)
    return found
