"""Pictures of control flow: Graphviz draws what a command writes in its language."""

from __future__ import annotations

import shutil
import subprocess

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity, UsageError
from warpmill.commands.analyze.dot import dot_text
from warpmill.commands.analyze.result import AnalyzeReport
from warpmill.commands.dfsg.result import DfsgReport
from warpmill.report.base import Report

SECONDS = 60
"""The longest that Graphviz may take."""


def svg_text(report: Report) -> str:
    """Draw the control flow of one kernel or launch as SVG.

    UsageError where Graphviz is not found, or there are several kernels; LimitError where it takes
    too long.
    """
    if isinstance(report, AnalyzeReport) and len(report.analyses) > 1:
        names = ", ".join(a.kernel.demangled for a in report.analyses)
        raise UsageError(f"--format svg draws one kernel, and there are {names}; name one")
    if isinstance(report, DfsgReport) and len(report.graphs) != 1:
        words = f"--format svg draws one launch, and there are {len(report.graphs)}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint="--launch N chooses one"))
    text = dot_text(report)
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
