"""The memory accesses of two builds of a kernel, side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, ClassVar, TypeVar

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.comparing.blocks import Accessed, AccessShape, AccessTarget, same_bytes
from warpmill.comparing.figures import DiffFigure, compared, sum_or_none
from warpmill.report.base import Mark, Part
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.session.jobs import Job

Key = TypeVar("Key")

Both = tuple[Sequence[Accessed], Sequence[Accessed]]


class ShapeCount(Part):
    """Accesses alike: how many, bytes of a thread, how lanes spread over memory."""

    count: Annotated[int, Metric("Accesses", "inst")]
    shape: AccessShape


class BufferAccesses(Part):
    """The accesses of one kind to one buffer in one build."""

    accessed: Annotated[Sequence[Accessed], INTERNAL]

    @derived("Access patterns")
    def shapes(self) -> list[ShapeCount]:
        """The most frequent first."""
        counts = Counter(a.shape for a in self.accessed)
        ranked = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
        return [ShapeCount(count=count, shape=shape) for shape, count in ranked]

    @derived("Accesses", "inst")
    def accesses(self) -> int:
        """Instructions that access it."""
        return len(self.accessed)

    @derived("Bytes per thread", "B")
    def accessed_bytes(self) -> int | None:
        """The widths of all accesses; null where one is unknown."""
        return sum_or_none(a.shape.width_bytes for a in self.accessed)


class BufferDiff(Part):
    """The accesses of one kind to one buffer in both builds.

    ``same_bytes``: whether a thread touches the same bytes, however they are cut into accesses and
    iterations; null where data or control flow decide an address, or formulas cannot be compared.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    target: AccessTarget
    a: BufferAccesses
    b: BufferAccesses
    same_bytes: bool | None

    @derived("Figures")
    def figures(self) -> list[DiffFigure]:
        """How many accesses each build has, and of how many bytes."""
        return compared(("accesses", "accessed_bytes"), self.a, self.b)

    @derived("Equal")
    def equal(self) -> bool:
        """Whether shapes and addresses are the same."""
        x, y = (Counter((a.shape, str(a.address)) for a in s.accessed) for s in (self.a, self.b))
        return x == y


class AddressDiff(Part):
    """Accesses of one address: how many each build has, and where.

    ``address`` is in common terms: parameters by place, counters ``i1``, ``i2`` of the loops that
    both have in their order, values that registers carry by numbers.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    target: AccessTarget
    width_bytes: Annotated[int | None, Metric("Bytes", "B")]
    address: Annotated[str, Metric("Address")]
    places_a: list[SourcePlace]
    places_b: list[SourcePlace]

    @derived("a")
    def a(self) -> int:
        """Accesses of A."""
        return len(self.places_a)

    @derived("b")
    def b(self) -> int:
        """Accesses of B."""
        return len(self.places_b)

    @derived("Equal")
    def equal(self) -> bool:
        """Whether both have as many."""
        return self.a == self.b


def buffer_rows(both: Both) -> list[BufferDiff]:
    """Accesses of both builds by kind and buffer."""
    left, right = (_by(lambda access: access.place, each) for each in both)
    targets = sorted({*left, *right}, key=lambda target: (target.space, str(target)))
    return [
        BufferDiff(
            target=target,
            a=BufferAccesses(accessed=left.get(target, ())),
            b=BufferAccesses(accessed=right.get(target, ())),
            same_bytes=same_bytes(left.get(target, ()), right.get(target, ())),
        )
        for target in targets
    ]


def address_rows(jobs: tuple[Job, Job], both: Both) -> list[AddressDiff]:
    """Accesses of both builds address by address."""
    left, right = (_by(_address, each) for each in both)

    def places(job: Job, accesses: Iterable[Accessed]) -> list[SourcePlace]:
        return [_place(job, access) for access in accesses]

    return [
        AddressDiff(
            target=key[0],
            address=key[1],
            width_bytes=key[2] or None,
            places_a=places(jobs[0], left.get(key, ())),
            places_b=places(jobs[1], right.get(key, ())),
        )
        for key in sorted({*left, *right}, key=lambda key: (key[0].space, str(key[0]), *key[1:]))
    ]


def _address(access: Accessed) -> tuple[AccessTarget, str, int]:
    return access.place, str(access.address), access.shape.width_bytes or 0


def _by(
    key: Callable[[Accessed], Key], accesses: Iterable[Accessed]
) -> Mapping[Key, list[Accessed]]:
    found: dict[Key, list[Accessed]] = defaultdict(list)
    for access in accesses:
        found[key(access)].append(access)
    return found


def _place(job: Job, access: Accessed) -> SourcePlace:
    block = job.kernel.blocks[access.source.block]
    return instruction_place(job.loaded, block.instructions[access.source.instruction])
