"""What ``analyze`` says of calls, and of the instructions that the paper's trace keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from warpmill.api import Job
from warpmill.reports.base import Id, Part
from warpmill.reports.facts import Place, instruction_place


class CallFacts(Part):
    """One place that stands for a call (hybrid paper, §III-A-1).

    ``kind``: work-item function, synchronisation, intrinsic function, or function (one that stayed
    a call). ``name`` is a special register, an opcode or a function; ``function`` what OpenCL calls
    it. ``scope`` says whose threads a synchronisation is about.
    """

    kind: str
    name: str
    function: str | None
    scope: str | None
    block: str
    instruction: Id
    place: Place


class PrunedFacts(Part):
    """How many instructions the paper's pruning keeps, and why it leaves the others out."""

    kept: int
    left_out: dict[str, int]
    kept_by_block: dict[str, int]


def call_facts(job: Job, labels: Sequence[str]) -> list[CallFacts]:
    """List what stands for calls, in program order."""
    return [
        CallFacts(
            kind=call.kind.value,
            name=call.name,
            function=call.function,
            scope=None if call.scope is None else call.scope.value,
            block=labels[call.block],
            instruction=call.instruction,
            place=instruction_place(
                job.loaded, job.kernel.blocks[call.block].instructions[call.instruction]
            ),
        )
        for call in job.calls
    ]


def pruned_facts(job: Job, labels: Sequence[str]) -> PrunedFacts:
    """Count what the paper keeps."""
    view = job.pruned
    reasons: Counter[str] = Counter()
    for reason, number in view.reasons:
        reasons[reason.value] += number
    return PrunedFacts(
        kept=view.kept_count,
        left_out=dict(reasons),
        kept_by_block={labels[b.block]: len(b.kept) for b in view.blocks},
    )
