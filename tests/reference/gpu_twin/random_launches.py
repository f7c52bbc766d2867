"""Launches of made-up events: warps that go through the blocks of one kernel in any order."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, GLOBAL_BASE
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables, texel_points
from warpmill.analyzer.traces.static.plan import static_tables
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.simulate import LaunchWork

KERNEL = Path(__file__).with_name("everything.ptx")
LANES = 32
ALL = (1 << LANES) - 1

BLOCKS = (
    "START", "ARITHMETIC", "INDEPENDENT", "LOADS", "FAR", "NEAR", "STORES", "ATOMICS", "SHARED",
    "LOCAL", "CONSTANTS", "GENERIC", "NAMES", "MANY", "TEXELS", "TWICE", "MATRICES", "FOLDED",
    "NOTHING", "FENCE", "COPY", "WAIT", "WAIT_ALL", "BARRIER", "PAIR", "TELL", "HEAR",
    "JUST_BARRIER", "END",
)  # fmt: skip
NUMBER = {name: number for number, name in enumerate(BLOCKS)}
TOGETHER = ("BARRIER", "PAIR", "TELL", "HEAR", "JUST_BARRIER")
"""Blocks that warps can only go through with each other."""
FREE = tuple(name for name in BLOCKS if name not in (*TOGETHER, "START", "END"))


@dataclass(frozen=True)
class Shape:
    """What made-up launches are like.

    ``segments`` are the parts of a warp's way that barriers of the CTA divide, each of up to
    ``events`` blocks, taken from ``blocks``. Addresses lie in the first ``region`` bytes.
    """

    ctas: int = 6
    warps: int = 4
    segments: int = 2
    events: int = 6
    region: int = 1 << 14
    blocks: tuple[str, ...] = FREE
    pairs: bool = True


@cache
def job(ctas: int, warps: int) -> Job:
    """The kernel with a launch of so many CTAs of so many warps."""
    arguments = "buffer=f32:1024", "4"
    options = LaunchOptions(grid=str(ctas), block=str(warps * LANES), args=arguments)
    return prepare(KERNEL, None, options)


def work(seed: Any, shape: Shape, *, stream: int = 0, registers: int = 16) -> LaunchWork:
    """Make a launch whose events follow from the seed."""
    own = job(shape.ctas, shape.warps)
    facts, launch = own.analysis.kernel_facts, own.required_launch()
    source: Any = MadeUp(own, str(seed), shape)
    count = RegisterCount(registers, "given", False)
    return LaunchWork(facts, launch, count, lambda: source, stream)


@dataclass
class MadeUp:
    """Traces that nobody executed; those of a CTA follow from the seed and its number."""

    own: Job
    seed: str
    shape: Shape
    kind: str = "made up"
    reason: str = ""
    layout: Any = None
    assumptions: tuple[Any, ...] = ()
    ctas: None = None
    data: str = ""
    tables: EventTables = field(init=False)

    def __post_init__(self) -> None:
        kernel = self.kernel
        assert len(kernel.blocks) == len(BLOCKS)
        known = memory_accesses(self.own.loaded.module, self.own.analysis.structure)
        made = static_tables(kernel, (self.shape.ctas, 1, 1), LANES, self.shape.warps, known)
        points = _matrix_points(kernel)
        for point in (*made.points, *texel_points(kernel)):
            instruction = kernel.blocks[point.block].instructions[point.instruction]
            if instruction.operation.op_class is OpClass.ASYNC_COPY:  # executed, it has two parts
                points.append(replace(point, kind="load", space=Space.GLOBAL))
            points.append(point)
        points.sort(key=lambda point: (point.block, point.instruction))
        self.tables = replace(made, points=tuple(points))

    @property
    def kernel(self) -> Any:
        return self.own.analysis.structure.kernel

    def batches(self, ctas: Iterable[Any]) -> Iterator[EventBatch]:
        """The events of CTAs, one to three of them at a time."""
        numbers = [x for x, _, _ in ctas]
        chance = random.Random(self.seed)
        while numbers:
            count = chance.randint(1, 3)
            yield self._batch(numbers[:count])
            numbers = numbers[count:]

    def _batch(self, numbers: list[int]) -> EventBatch:
        made = _Columns(self.tables, self.shape)
        for number in numbers:
            chance = random.Random(f"{self.seed} {number}")
            for way in _ways(chance, self.shape):
                made.add_warp(way, chance)
        return made.batch(numbers)


def _matrix_points(kernel: Kernel) -> list[AccessPoint]:
    """The accesses of matrix moves as executing them tells them, piece by piece."""
    return [
        AccessPoint(block.id, place, kind, own.space or Space.GENERIC, 4)
        for block in kernel.blocks
        for place, own in enumerate(i.operation for i in block.instructions)
        if own.op_class is OpClass.MATRIX_MOVE
        for kind in ["store" if "writes" in own.effects else "load"] * 4
    ]


def _ways(chance: random.Random, shape: Shape) -> list[list[str]]:
    """Make up the blocks that each warp of a CTA goes through, so that none waits for ever."""
    ways = [["START"] if chance.random() < 0.9 else [] for _ in range(shape.warps)]
    leaves = [chance.random() < 0.2 for _ in ways]
    for segment in range(shape.segments):
        for way in ways:
            way.extend(chance.choices(shape.blocks, k=chance.randint(0, shape.events)))
        if shape.pairs and shape.warps >= 4:
            for way, name in zip(ways, ("PAIR", "PAIR", "TELL", "HEAR"), strict=False):
                way.append(name)
        last = segment == shape.segments - 1
        name = "JUST_BARRIER" if chance.random() < 0.5 else "BARRIER"
        for way, goes in zip(ways, leaves, strict=True):
            if not (last and goes):  # it ends while others wait for it, or came before it
                way.append(name)
    for way in ways:
        way.extend(chance.choices(shape.blocks, k=chance.randint(0, shape.events)))
        way.extend(["END"] * (chance.random() < 0.9))
    return ways


class _Columns:
    """A batch as it is made up, event by event and access by access."""

    def __init__(self, tables: EventTables, shape: Shape) -> None:
        self._tables, self._shape = tables, shape
        self._points: dict[int, list[int]] = {}
        for number, point in enumerate(tables.points):
            self._points.setdefault(point.block, []).append(number)
        self.warps: list[int] = [0]
        self.block: list[int] = []
        self.mask: list[int] = []
        self.firsts: list[int] = [0]
        self.point: list[int] = []
        self.on: list[int] = []
        self.base: list[int] = []
        self.patterns: list[list[int]] = []

    def add_warp(self, way: list[str], chance: random.Random) -> None:
        """Add the events of a warp."""
        for name in way:
            mask = ALL if chance.random() < 0.7 else chance.randint(1, ALL)
            self.block.append(NUMBER[name])
            self.mask.append(mask)
            for point in self._points.get(NUMBER[name], []):
                if chance.random() < 0.93:
                    self._access(point, mask, chance)
            self.firsts.append(len(self.point))
        self.warps.append(len(self.block))

    def _access(self, number: int, mask: int, chance: random.Random) -> None:
        point = self._tables.points[number]
        on = mask if chance.random() < 0.8 else mask & chance.randint(1, ALL)
        if not on:
            return
        width = point.width_bytes or 4
        stride = chance.choice([0, 1, 1, 1, 1, 2, 8, 33]) * width
        region = self._shape.region
        if point.space is Space.CONST and chance.random() < 0.5:  # as most are: all lanes at one
            stride, region = 0, 256
        pattern = [stride * lane for lane in range(LANES)]
        if chance.random() < 0.15:
            pattern = [width * chance.randrange(256) for _ in range(LANES)]
        first = next(lane for lane in range(LANES) if on >> lane & 1)
        self.point.append(number)
        self.on.append(on)
        self.base.append(self._base(point, width, region, chance))
        lanes = [at - pattern[first] if on >> k & 1 else 0 for k, at in enumerate(pattern)]
        self.patterns.append(lanes)

    @staticmethod
    def _base(point: AccessPoint, width: int, region: int, chance: random.Random) -> int:
        """An address in the space of an access; a generic one may mean several."""
        space = point.space
        if space is Space.GENERIC:
            space = chance.choice([Space.GLOBAL, Space.GLOBAL, Space.SHARED, Space.CONST])
            if point.kind != "load" and space is Space.CONST:
                space = Space.GLOBAL
        start, size = {
            Space.SHARED: (1 << 16, 2048),
            Space.LOCAL: (1 << 10, 256),
            Space.CONST: (CONSTANT_BASE + (1 << 16), min(region, 4096)),
        }.get(space, (GLOBAL_BASE + (1 << 16), region))
        return start + chance.randrange(size // width) * width

    def batch(self, numbers: list[int]) -> EventBatch:
        """What was made up."""
        events = len(self.block)
        return EventBatch(
            tables=self._tables,
            ctas=np.array(numbers, np.int64),
            warps=np.array(self.warps, np.int64),
            block=np.array(self.block, np.int32),
            mask=np.array(self.mask, np.uint64),
            event_guards=np.zeros(events + 1, np.int64),
            guard_number=np.zeros(0, np.int32),
            guard_mask=np.zeros(0, np.uint64),
            event_accesses=np.array(self.firsts, np.int64),
            access_point=np.array(self.point, np.int32),
            access_mask=np.array(self.on, np.uint64),
            access_base=np.array(self.base, np.int64),
            access_pattern=np.arange(len(self.point), dtype=np.int32),
            patterns=np.array(self.patterns, np.int64).reshape(-1, LANES),
        )
