"""Kernels run with sanitizers watching them, to the end or as far as they come."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from warpmill.executor.faults import ExecutionFault
from warpmill.executor.sanitizers.findings import BY_DEFAULT, Finding, Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer
from warpmill.session.options import RunOptions
from warpmill.session.runs import Run


@dataclass(frozen=True)
class CheckedRun:
    """Findings of a run by the tools that watched it, in the order in which they came.

    ``run`` is None where a fault ended it: what came after was not checked. ``lost`` counts
    findings beyond those that are kept of each launch, ``not_checked`` says what was executed and
    not checked.
    """

    tools: tuple[Tool, ...]
    launches: int
    findings: tuple[Finding, ...]
    run: Run | None
    lost: int = 0
    not_checked: tuple[str, ...] = ()


def checked(
    tools: Collection[str], options: RunOptions, run: Callable[[RunOptions], Run]
) -> CheckedRun:
    """Let ``run`` run with sanitizers watching; no tools: those of ``BY_DEFAULT``."""
    wanted = frozenset(map(Tool, tools)) or BY_DEFAULT
    sanitizer = Sanitizer(wanted)
    done: Run | None = None
    try:
        done = run(replace(options, sanitizer=sanitizer))
    except ExecutionFault:
        if not sanitizer.findings:
            raise  # of no launch that was watched
    return CheckedRun(
        tools=tuple(tool for tool in Tool if tool in wanted),
        launches=sanitizer.launches,
        findings=tuple(sanitizer.findings),
        run=done,
        lost=sanitizer.lost,
        not_checked=tuple(sanitizer.not_checked),
    )
