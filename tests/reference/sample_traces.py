"""The samples' static traces, and how often these execute the bodies of loops.

Traces are made once for all artefacts whose IR is the same, as of a module as text and as bitcode:
a trace is made of the IR and the launch alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import warpmill
from tests.reference.loop_nests import Body, SampleLoops
from tests.reference.sample_jobs import job_of, sample_loops, source_of
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.model import WarpTrace, lanes_of, weighted_visits
from warpmill.session.jobs import Job
from warpmill.session.traces import Traced

SAMPLED_CTAS = 3
"""CTAs inside the grid whose traces are summed up; the first is CTA 0."""

Place = tuple[int, int]
"""An instruction: its block, and its index there."""

_SPAN = re.compile(r" \[\d+:\d+-\d+\]")


def ir_of(job: Job) -> str:
    """All that traces are made of but the launch: the IR's text without places in files."""
    return _SPAN.sub("", print_module(replace(job.loaded.module, name="", kernels=(job.kernel,))))


_made: dict[tuple[str, Launch], Traced] = {}
"""What was traced, by the IR's text and the launch without its file and module."""


def traced_of(job: Job) -> Traced:
    """Make the traces of some CTAs, the first among them; once for equal IR and launch."""
    key = (ir_of(job), replace(job.required_launch(), module=Path(), file=None))
    if key not in _made:
        _made[key] = warpmill.trace(job, most_ctas=SAMPLED_CTAS)
    return _made[key]


def first_cta(job: Job) -> tuple[WarpTrace, ...]:
    """The traces of the first CTA's warps. AssertionError where something was assumed."""
    traced = traced_of(job)
    assert traced.assumptions == ()
    return traced.source.warps((0, 0, 0))


def executions(
    traces: Sequence[WarpTrace], warp_size: int, chosen: Sequence[Collection[Place]]
) -> list[Counter[int]]:
    """Count how often each thread of a CTA executes instructions, by the thread's index.

    ``chosen`` are groups of instructions, counted apart. All that is known of traces stands here.
    """
    counts: list[Counter[int]] = [Counter() for _ in chosen]
    for trace in traces:
        first = trace.warp * warp_size
        for visit, happens in weighted_visits(trace.nodes):
            guards = dict(visit.guards)
            for group, count in zip(chosen, counts, strict=True):
                for block, index in group:
                    if block == visit.block:
                        for lane in lanes_of(guards.get(index, visit.mask)):
                            count[first + lane] += happens
    return counts


# ---------------------------------------------------------------- bodies of loops


def times(body: Body, launch: Launch) -> int:
    """How many totals there are in a CTA."""
    return {"thread": launch.threads_per_cta, "cta": 1}[body.per]


def bodies_of(sample: SampleLoops, kernel: str) -> tuple[tuple[int, ...], ...]:
    """The loops with bodies; those whose bodies share a line are one: counted together."""
    found: dict[object, list[int]] = {}
    for number, loop in sample.of(kernel).items():
        if loop.body is not None:
            key = (tuple(loop.body.line.items()), loop.body.names)
            found.setdefault(key, []).append(number)
    return tuple(tuple(numbers) for numbers in found.values())


def shown_by(job: Job, artefact: Path, body: Body) -> tuple[Place, ...]:
    """The instructions that show a body; those without lines are told by name alone."""
    file, suffix = source_of(artefact)
    return tuple(
        (block.id, index)
        for block in job.kernel.blocks
        for index, instruction in enumerate(block.instructions)
        if _is_named(instruction, body) and _is_on(instruction, body, file, suffix)
    )


def _is_named(instruction: Instruction, body: Body) -> bool:
    operation = instruction.operation
    return bool({operation.name, f"{operation.name}.{operation.type}"} & set(body.names))


def _is_on(instruction: Instruction, body: Body, file: str, suffix: str) -> bool:
    place = instruction.debug
    if place is None:
        return body.alone
    return (PurePath(place.file).name, place.line) == (file, body.line[suffix])


@dataclass(frozen=True)
class TracedBody:
    """Bodies that share a line, by their loops' numbers, and how often CTA 0 executes them.

    ``expected`` is by hand, ``found`` by traces. ``is_shown``: instructions were found that show
    them. ``is_even``: threads are alike in it, where the total is a thread's.
    """

    loops: tuple[int, ...]
    expected: int
    found: int
    is_shown: bool
    is_even: bool

    @property
    def is_exact(self) -> bool:
        """Whether traces have what was derived."""
        return self.is_shown and self.is_even and self.found == self.expected


def traced_bodies(artefact: Path, number: int) -> tuple[TracedBody, ...]:
    """Count the bodies of a kernel's loops in the traces of a launch, which are made once for all.

    AssertionError where the traces rest on something assumed.
    """
    job, sample = job_of(artefact, number), sample_loops(artefact.parent)
    groups = bodies_of(sample, job.kernel.name)
    bodies = [[b for i in loops if (b := sample.loops[i].body) is not None] for loops in groups]
    shown = [shown_by(job, artefact, together[0]) for together in bodies]
    counts = executions(first_cta(job), job.loaded.module.warp_size, shown)
    return tuple(
        TracedBody(
            loops,
            sum(b.total * times(b, job.required_launch()) for b in together),
            count.total(),
            bool(places),
            any(b.per != "thread" for b in together)
            or set(count.values()) == {sum(b.total for b in together)},
        )
        for loops, together, places, count in zip(groups, bodies, shown, counts, strict=True)
    )
