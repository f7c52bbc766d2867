"""Kernels run with sanitizers watching them, to the end or as far as they come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.base.diagnostics import LimitError, words_of
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.sanitizers.findings import BY_DEFAULT, Finding, Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions
from warpmill.session.runs import Run
from warpmill.session.static_overruns import static_findings


@dataclass(frozen=True)
class CheckedRun:
    """Findings of a run by the tools that watched it, in the order in which they came.

    ``run`` is None where a fault ended it: what came after was not checked. ``limit`` says why
    nothing was executed: static analysis alone has found the findings then. ``lost`` counts
    findings beyond those that are kept of each launch, ``not_checked`` says what was executed and
    not checked.
    """

    tools: tuple[Tool, ...]
    launches: int
    findings: tuple[Finding, ...]
    run: Run | None
    lost: int = 0
    not_checked: tuple[str, ...] = ()
    limit: str | None = None

    @property
    def ended_by_fault(self) -> bool:
        """Whether a fault ended the run."""
        return self.run is None and self.limit is None


def checked(
    tools: Collection[str],
    options: RunOptions,
    run: Callable[[RunOptions], Run],
    jobs: Callable[[], Sequence[Job]] | None = None,
) -> CheckedRun:
    """Let ``run`` run with sanitizers watching; no tools: those of ``BY_DEFAULT``.

    Where a limit lets nothing be executed, static analysis of the launches, where there are
    ``jobs``, says what it can; LimitError where that is nothing.
    """
    wanted = frozenset(map(Tool, tools)) or BY_DEFAULT
    sanitizer = Sanitizer(wanted)
    done: Run | None = None
    limit: str | None = None
    try:
        done = run(replace(options, sanitizer=sanitizer))
    except ExecutionFault:
        if not sanitizer.findings:
            raise  # of no launch that was watched
    except LimitError as error:
        limit = words_of(error)
        if not sanitizer.launches and jobs is not None:
            launches = enumerate(jobs())
            found = [one for n, job in launches for one in static_findings(job, n)]
            sanitizer.findings += [one for one in found if one.tool in wanted]
        if not sanitizer.findings:
            raise
    return CheckedRun(
        tools=tuple(tool for tool in Tool if tool in wanted),
        launches=sanitizer.launches,
        findings=tuple(sanitizer.findings),
        run=done,
        lost=sanitizer.lost,
        not_checked=tuple(sanitizer.not_checked),
        limit=limit,
    )
