"""Names that reports give: blocks by label, memory by the parameter or variable behind it."""

from __future__ import annotations

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.launch.model import ScalarArgument
from warpmill.session.jobs import Job

EXIT = "exit"
"""The name of the end of the thread among successors."""


def labels_of(structure: Structure) -> list[str]:
    """Give the label of each block, and ``exit`` for the end of the thread."""
    return [*(block.label for block in structure.kernel.blocks), EXIT]


def buffer_of(job: Job, access: MemoryAccess) -> str | None:
    """Name the pointer parameter or the variable that an address starts at; None: several, none.

    A pointer stands alone in its monomial, with the factor one.
    """
    names = set()
    for monomial, factor in access.address.terms:
        if len(monomial) != 1 or factor != 1:
            continue
        (atom,) = monomial
        is_pointer = atom.kind is AtomKind.ARGUMENT and _may_point(job, atom.key)
        if is_pointer or atom.kind is AtomKind.ADDRESS:
            names.add(atom.name)
    return names.pop() if len(names) == 1 else None


def _may_point(job: Job, index: int) -> bool:
    if job.launch is not None:
        return not isinstance(job.launch.arguments[index], ScalarArgument)
    parameter = job.kernel.parameters[index]
    return parameter.type.bits == 64 if parameter.is_pointer is None else parameter.is_pointer
