"""The memory accesses of two builds of a kernel, side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from warpmill.commands.diff.figures import DiffFigure, figure
from warpmill.comparing.blocks import Accessed, AccessShape, AccessTarget, same_bytes
from warpmill.report.base import Mark, Marks, Part, marks
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.session.jobs import Job


class ShapeCount(Part):
    """Accesses alike: how many, bytes of a thread, how lanes spread over memory."""

    count: int
    width_bytes: int | None
    pattern: str
    lane_stride_bytes: int | None


class BufferDiff(Part):
    """The accesses of one kind to one buffer in both builds. ``buffer`` null: it is unknown.

    ``same_bytes``: whether a thread touches the same bytes, however they are cut into accesses and
    iterations; null where data or control flow decide an address, or formulas cannot be compared.
    """

    space: str
    op_class: str
    buffer: str | None
    a: list[ShapeCount]
    b: list[ShapeCount]
    figures: list[DiffFigure]
    same_bytes: bool | None
    equal: bool
    marks: Marks


class AddressDiff(Part):
    """Accesses of one address: how many each build has, and where.

    ``address`` is in common terms: parameters by place, counters ``i1``, ``i2`` of the loops that
    both have in their order, values that registers carry by numbers.
    """

    space: str
    op_class: str
    buffer: str | None
    width_bytes: int | None
    address: str
    a: int
    b: int
    places_a: list[SourcePlace]
    places_b: list[SourcePlace]
    equal: bool
    marks: Marks


Both = tuple[Sequence[Accessed], Sequence[Accessed]]


def buffer_rows(both: Both) -> list[BufferDiff]:
    """Compare accesses place by place."""
    left, right = (_by_place(each) for each in both)
    return [_buffer(p, left.get(p, []), right.get(p, [])) for p in sorted({*left, *right})]


def _by_place(accesses: Iterable[Accessed]) -> dict[AccessTarget, list[Accessed]]:
    found: dict[AccessTarget, list[Accessed]] = defaultdict(list)
    for access in accesses:
        found[access.place].append(access)
    return dict(found)


def _buffer(place: AccessTarget, a: Sequence[Accessed], b: Sequence[Accessed]) -> BufferDiff:
    shapes = [Counter(x.shape for x in each) for each in (a, b)]
    return BufferDiff(
        space=place.space,
        op_class=place.kind,
        buffer=place.buffer or None,
        a=_shape_counts(shapes[0]),
        b=_shape_counts(shapes[1]),
        figures=[
            figure("accesses", len(a), len(b), "instructions"),
            figure("accessed_bytes", _bytes(a), _bytes(b), "bytes a thread"),
        ],
        same_bytes=same_bytes(a, b),
        equal=shapes[0] == shapes[1] and _addresses(a) == _addresses(b),
        marks=marks(BufferDiff, Mark.EXACT),
    )


def _shape_counts(shapes: Counter[AccessShape]) -> list[ShapeCount]:
    return [
        ShapeCount(
            count=count,
            width_bytes=shape.width_bytes,
            pattern=shape.pattern,
            lane_stride_bytes=shape.lane_stride_bytes,
        )
        for shape, count in sorted(shapes.items(), key=lambda item: (-item[1], str(item[0])))
    ]


def _bytes(accesses: Sequence[Accessed]) -> int | None:
    widths = [a.shape.width_bytes for a in accesses]
    return None if None in widths else sum(w for w in widths if w is not None)


def _addresses(accesses: Iterable[Accessed]) -> Counter[tuple[str, int | None]]:
    return Counter((str(a.address), a.shape.width_bytes) for a in accesses)


def address_rows(jobs: tuple[Job, Job], both: Both) -> list[AddressDiff]:
    """Compare accesses address by address."""
    left, right = (_by_address(each) for each in both)
    order = sorted({*left, *right}, key=lambda key: (key[0], key[1], key[2] or 0))
    return [_address(jobs, key, left.get(key, []), right.get(key, [])) for key in order]


AddressKey = tuple[AccessTarget, str, int | None]


def _by_address(accesses: Iterable[Accessed]) -> dict[AddressKey, list[Accessed]]:
    found: dict[AddressKey, list[Accessed]] = defaultdict(list)
    for access in accesses:
        found[access.place, str(access.address), access.shape.width_bytes].append(access)
    return dict(found)


def _address(
    jobs: tuple[Job, Job], key: AddressKey, a: Sequence[Accessed], b: Sequence[Accessed]
) -> AddressDiff:
    place, address, width = key
    return AddressDiff(
        space=place.space,
        op_class=place.kind,
        buffer=place.buffer or None,
        width_bytes=width,
        address=address,
        a=len(a),
        b=len(b),
        places_a=[_place(jobs[0], access) for access in a],
        places_b=[_place(jobs[1], access) for access in b],
        equal=len(a) == len(b),
        marks=marks(AddressDiff, Mark.EXACT),
    )


def _place(job: Job, access: Accessed) -> SourcePlace:
    block = job.kernel.blocks[access.source.block]
    return instruction_place(job.loaded, block.instructions[access.source.instruction])
