"""Points of an exploration: what each one's figures follow from, written as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import UsageError
from simulator.machines.schema import Scalar
from simulator.regression.parameters import Point as DesignPoint
from simulator.regression.parameters import words_of
from warpmill.exploring.concurrency import Footprint
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.workloads import Ready
from warpmill.studies.content import canonical, sources_digest
from warpmill.studies.model import Point
from warpmill.sweeps.points import machine_digest, trace_words
from warpmill.traces import TraceOptions

if TYPE_CHECKING:
    from simulator.gpu.simulate import Options  # the engine is slow to load

VERSION = 1
"""Rises when figures are told otherwise."""

SOURCES = ("analyzer", "grammars", "simulator", "warpmill")
"""Folders whose files make a simulation what it is."""

NOT_SOURCES = (
    "analyzer/behaviour/", "analyzer/dfsg", "simulator/sampling/", "simulator/regression/",
    "simulator/machines/", "warpmill/cli/", "warpmill/views/", "warpmill/reports/",
    "warpmill/sampling/", "warpmill/sweeps/", "warpmill/tuning/", "warpmill/studies/",
    "warpmill/exploring/", "warpmill/explore_api",
)  # fmt: skip
"""Files below them, by how their paths begin, that no figure depends on.

A machine has a hash of its own, and ``VERSION`` says how figures are told here.
"""


@dataclass(frozen=True)
class How:
    """How points are simulated, beside their machines. None: as ``simulate`` does by itself."""

    trace: TraceOptions = field(default_factory=TraceOptions)
    options: Options | None = None

    @property
    def words(self) -> str:
        """Say it, the same words for the same ways. InputError for traces that cannot be read."""
        return f"{VERSION} {trace_words(self.trace)} {self.options!r}"


def sources() -> str:
    """Hash the code that simulates: another engine makes other points."""
    return sources_digest(*SOURCES, without=NOT_SOURCES)


@dataclass(frozen=True)
class Maker:
    """Makes the points of a workload in a space."""

    space: ExploredSpace
    ready: Ready
    how: How
    footprints: tuple[Footprint, ...]
    words: str

    @classmethod
    def of(cls, space: ExploredSpace, ready: Ready, how: How) -> Maker:
        """Get ready to make points. Errors of ``How.words``."""
        return cls(space, ready, how, ready.footprints(space.fixed), how.words)

    def point(self, design: DesignPoint) -> Point:
        """Make a point. UsageError for one whose values make no machine together."""
        try:
            settings = self.space.settings(design, self.footprints)
            digest = machine_digest(self.space.machine(design, self.footprints))
        except UsageError as error:
            words = "; ".join(d.message for d in error.diagnostics)
            raise UsageError(
                f"the point {words_of(design)} of {self.space.name} is no machine: {words}; a "
                "condition in `where` can leave it out"
            ) from None
        workload = self.ready.workload
        inputs: dict[str, Any] = {
            "workload": workload.target,
            "sizes": dict(workload.sizes),
            "launches": self.ready.digest,
            "point": dict(design),
            "base": self.space.base,
            "settings": {key: _plain(value) for key, value in sorted(settings.items())},
            "machine": digest,
            "how": self.words,
            "sources": sources(),
        }
        return Point(inputs, self.ready.digest)

    def points(self, designs: Sequence[DesignPoint]) -> list[Point]:
        """Make points. UsageError as ``point``."""
        return [self.point(design) for design in designs]

    def is_of_this(self, inputs: dict[str, Any]) -> bool:
        """Whether a point that was kept is one of the space, for this workload as it is now."""
        same = (
            inputs.get("workload") == self.ready.workload.target
            and inputs.get("sizes") == dict(self.ready.workload.sizes)
            and inputs.get("launches") == self.ready.digest
            and inputs.get("how") == self.words
            and inputs.get("sources") == sources()
        )
        if not same or inputs["point"] not in self.space.design:
            return False
        design = {name: inputs["point"][name] for name in self.space.design.names}
        if len(design) != len(inputs["point"]):
            return False
        return canonical(self.point(design).inputs) == canonical(inputs)


def _plain(value: Scalar) -> Any:
    return list(value) if isinstance(value, tuple) else value
