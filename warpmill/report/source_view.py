"""A kernel's text beside the source that it was compiled from, with what each line costs.

A line of the source has what all instructions have that were compiled from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Annotated, ClassVar

from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.report.base import Id, Part
from warpmill.report.source_text import source_beside, source_lines

_AROUND = 3
"""Lines of a source that are shown around those that instructions come from."""


class ListedLine(Part):
    """A line of a listing, and what the instructions did that stand in it or come from it.

    ``source`` is the line of source that it belongs to, as ``file:line``, "" where nothing says.
    Figures are null where it has no instructions.
    """

    number: Id
    text: str
    source: str
    time_fraction: Annotated[float | None, Metric("Share of the time", "%")] = None
    warp_instructions: Annotated[float | None, Metric("Executed instructions", "inst")] = None
    stall_fraction: Annotated[float | None, Metric("Share of stalls", "%")] = None


class Listing(Part):
    """Lines of one file, from the first that a kernel has to its last."""

    name: str
    lines: list[ListedLine]


class SourceListing(Part):
    """The text of a kernel, and the files of source that its lines come from, where at hand."""

    kind: ClassVar[str] = "source"

    title: str
    sources: list[Listing]
    kernel: Listing


@dataclass
class LineCosts:
    """Costs of instructions, added up by line."""

    time: float | None = None
    executions: float | None = None
    stalls: float | None = None

    def add(self, other: LineCosts) -> None:
        """Add the costs of another instruction."""
        for name, value in vars(other).items():
            if value is not None:
                setattr(self, name, (getattr(self, name) or 0.0) + value)


@dataclass
class _Lines:
    """Costs by line of one file, and the line of source that each comes from."""

    costs: dict[int, LineCosts] = field(default_factory=lambda: defaultdict(LineCosts))
    source: dict[int, str] = field(default_factory=dict)


def source_listing(
    loaded: LoadedModule, costs: Iterable[tuple[Instruction, LineCosts]], title: str
) -> SourceListing | None:
    """A kernel's listing; None where its text has no lines.

    ``costs`` are those of its instructions, one entry each.
    """
    own, others = _Lines(), dict[str, _Lines]()
    for instruction, cost in costs:
        line = instruction.span.line
        own.costs[line].add(cost)
        debug = None if instruction.debug is None else instruction.debug.own
        if debug is not None and debug.line:
            own.source[line] = f"{PurePath(debug.file).name}:{debug.line}"
            others.setdefault(debug.file, _Lines()).costs[debug.line].add(cost)
    if not own.costs:
        return None
    sources = []
    for file, found in others.items():
        texts = dict(enumerate(source_lines(source_beside(loaded.path, file)), start=1))
        name = PurePath(file).name
        if texts:
            found.source = {n: f"{name}:{n}" for n in found.costs}
            sources.append(_listing(name, texts, found))
    texts = dict(enumerate(loaded.source.text.splitlines(), start=1))
    kernel = _listing(PurePath(loaded.path).name, texts, own)
    return SourceListing(title=title, sources=sources, kernel=kernel)


def _listing(name: str, texts: Mapping[int, str], found: _Lines) -> Listing:
    first, last = min(found.costs) - _AROUND, max(found.costs) + _AROUND
    lines = []
    for number in range(max(1, first), last + 1):
        if number not in texts:
            continue
        cost = found.costs.get(number, LineCosts())
        lines.append(
            ListedLine(
                number=number,
                text=texts[number].rstrip("\n").expandtabs(),
                source=found.source.get(number, ""),
                time_fraction=cost.time,
                warp_instructions=cost.executions,
                stall_fraction=cost.stalls,
            )
        )
    return Listing(name=name, lines=lines)
