"""Accesses of a launch that leave their buffers, by static analysis: nothing is executed.

It is for launches that this computer cannot hold. Only what a launch does for certain is told.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.overruns import reach_words
from warpmill.executor.sanitizers.exact_integers import original_places, with_exact_accesses
from warpmill.executor.sanitizers.findings import Finding, FindingKind, FoundAccess, Tool
from warpmill.executor.sanitizers.overflow import HINT
from warpmill.session.jobs import Job

MOST_CTAS = 1 << 20
"""CTAs of a grid that are looked at; a larger one is not, and nothing is said of it."""


def static_findings(job: Job, number: int) -> list[Finding]:
    """Overruns of a launch; where exact integers do not make them, a 32-bit index has wrapped.

    InputError and LimitError as walks raise them.
    """
    launch = job.required_launch()
    if math.prod(launch.grid) > MOST_CTAS:
        return []
    reaches = _reaches(job, job.kernel)
    if not reaches:
        return []
    exact = with_exact_accesses(job.kernel)
    meant: Mapping[Place, Any] = reaches
    if exact is not job.kernel:
        places = original_places(job.kernel, exact)
        meant = {places[place]: reach for place, reach in _reaches(job, exact).items()}
    return [
        _finding(job, number, place, reach_words(*reach), wraps=meant.get(place) != reach)
        for place, reach in sorted(reaches.items())
    ]


def _reaches(job: Job, kernel: Kernel) -> Mapping[Place, Any]:
    launch, module = job.required_launch(), job.loaded.module
    structure = (
        job.analysis.structure if kernel is job.kernel else analyse_structure(kernel, module)
    )
    source = StaticSource(module, structure, launch)
    ctas = [unravel_index(k, launch.grid) for k in range(math.prod(launch.grid))]
    source.grouped(ctas)
    return source.reaches


def _finding(job: Job, number: int, place: Place, words: str, *, wraps: bool) -> Finding:
    instruction = job.kernel.blocks[place[0]].instructions[place[1]]
    opcode, source = instruction.operation.opcode, job.loaded.source
    access = FoundAccess(
        what="access",
        instruction=place,
        opcode=opcode,
        file=source.name,
        span=instruction.span,
        excerpt=source.line(instruction.span.line),
        debug=instruction.debug,
        cta=None,
        thread=None,
        warp=None,
        bytes=instruction.operation.width_bytes,
    )
    why = "32-bit overflow: " if wraps else ""
    return Finding(
        tool=Tool.OVERFLOW if wraps else Tool.MEMCHECK,
        kind=FindingKind.WRAPPED_ADDRESS if wraps else FindingKind.OUT_OF_BOUNDS,
        severity=Severity.ERROR,
        kernel=job.kernel.name,
        launch=number,
        message=f"{why}`{opcode}` goes up to {words}",
        access=access,
        space=instruction.operation.space,
        nearest=words,
        hint=HINT if wraps else None,
    )
