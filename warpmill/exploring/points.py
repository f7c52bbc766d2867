"""Points of an exploration: what each one's figures follow from, written as JSON.

Where files lie is no part of it, nor how high limits are: the same launches on the same machine are
the same point, whoever explores them from wherever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import NO_ANSWER, InputError, WarpmillError, words_of
from warpmill.analyzer.base.whole_files import open_input
from warpmill.exploring.concurrency import Footprint
from warpmill.exploring.machine_checks import problem_of_machine
from warpmill.exploring.options import PointOptions
from warpmill.exploring.space import ExploredSpace
from warpmill.exploring.workloads import Ready
from warpmill.session.options import TraceOptions
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines.schema import Scalar
from warpmill.simulator.regression.parameters import Point as DesignPoint
from warpmill.studies.content import key_of
from warpmill.studies.model import StudyPoint
from warpmill.studies.sources import sources_digest

VERSION = 1
"""Version of the figures' meaning."""

SOURCES = ("analyzer", "executor", "grammars", "simulator", "warpmill")
"""Folders whose files make a simulation what it is."""

NOT_SOURCES = (
    "analyzer/profile/behaviour/", "analyzer/profile/dfsg", "simulator/machines/",
    "simulator/regression/", "simulator/sampling/", "warpmill/exploring/",
    "warpmill/sampling/", "warpmill/studies/", "warpmill/sweeps/", "warpmill/tuning/",
)  # fmt: skip
"""Files below them, by how their paths begin, that no figure depends on.

A machine has a hash of its own, and ``VERSION`` says how figures are told here.
"""


@dataclass(frozen=True)
class ExplorationConfig(PointOptions):
    """How points are timed, and what of it they are kept under."""

    @property
    def words(self) -> str:
        """Words that figures follow from, the same for the same ways. No limit is in them.

        InputError for traces that cannot be read, UsageError for trips that are a range.
        """
        trips = dict(sorted(self.trace.trips().items()))
        traced = replace(self.trace, assume=trips, max_instructions=TraceOptions().max_instructions)
        saved = self.saved
        if saved is not None:
            traced = replace(traced, source=_hash_of(saved))
        if self.engine == "estimate":
            return f"{VERSION} {self.engine} {traced!r}"
        return f"{VERSION} {traced!r} {self._unlimited!r}"

    @property
    def saved(self) -> Path | None:
        """The file that traces are read from, where they are."""
        source = self.trace.source
        return None if source in {"auto", "static", "executed"} else Path(source)

    @property
    def limits(self) -> str:
        """How high limits are: a point that has reached one is another with others."""
        limits = _limits(self.options)
        own = None if limits == _limits(Options()) else limits
        return f"{self.trace.max_instructions} {own}"

    @property
    def here(self) -> ExplorationConfig:
        """The same for a process in another folder."""
        if self.saved is None:
            return self
        return replace(self, trace=replace(self.trace, source=str(self.saved.resolve())))

    @property
    def _unlimited(self) -> Options | None:
        """The options without limits; None where they are then as without a word."""
        plain = Options()
        found = replace(
            self.options,
            max_cycles=plain.max_cycles,
            max_memory_bytes=plain.max_memory_bytes,
            max_trace_events=plain.max_trace_events,
        )
        return None if found == plain else found


def _limits(options: Options) -> tuple[int | None, int, int]:
    return options.max_cycles, options.max_memory_bytes, options.max_trace_events


def _hash_of(path: Path) -> str:
    try:
        with open_input(path) as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def sources() -> str:
    """Hash the code that simulates: another engine makes other points."""
    return sources_digest(*SOURCES, without=NOT_SOURCES)


@dataclass(frozen=True)
class Maker:
    """Points of a workload in a space."""

    space: ExploredSpace
    ready: Ready
    how: ExplorationConfig
    footprints: tuple[Footprint, ...]
    words: str
    _known: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, space: ExploredSpace, ready: Ready, how: ExplorationConfig) -> Maker:
        """Get ready to make points. Errors of ``ExplorationConfig.words``."""
        return cls(space, ready, how, ready.footprints(space.fixed), how.words)

    @property
    def run(self) -> str:
        """Hash what tells points of this workload, as it is realised and simulated, from others."""
        realised = {each.name: each.realisation.words for each in self.space.parameters}
        base = self.space.fixed.digest
        return key_of({**self._common, "machine": base, "realised": realised})

    @property
    def _common(self) -> dict[str, Any]:
        return {"launches": self.ready.digest, "how": self.words, "sources": sources()}

    def point(self, design: DesignPoint) -> StudyPoint:
        """Make a point; one whose values make no machine together has a problem instead of one."""
        workload, base = self.ready.workload, self.space.base
        from_file = base.endswith(".toml")
        inputs = {**self._common, "point": dict(design), **self._realised(design)}
        inputs["base"] = Path(base).name if from_file else base
        beside = {
            "target": workload.place,
            "sizes": dict(workload.sizes),
            "kernel": workload.kernel,
            "launch": workload.launch,
            "base_at": str(Path(base).resolve()) if from_file else base,
        }
        return StudyPoint(inputs, inputs.get("launched", self.ready.digest), beside)

    def _realised(self, design: DesignPoint) -> dict[str, Any]:
        """The launches of a point and its machine, or the problem why there is none of these."""
        software = self.space.software(design)
        if not software:
            return self._machine(design, self.footprints)
        key = repr(software)
        if key not in self._known:
            self._known[key] = self._launched(software)
        found = self._known[key]
        if isinstance(found, str):
            return {"software": software, "problem": f"it cannot be launched: {found}"}
        digest, footprints = found
        return {"software": software, "launched": digest, **self._machine(design, footprints)}

    def _launched(self, software: dict[str, Any]) -> str | tuple[str, tuple[Footprint, ...]]:
        """The digest of a variant and its footprints; why there is none."""
        try:
            variant = self.ready.variant(software)
            return variant.digest, variant.footprints(self.space.fixed)
        except NO_ANSWER as error:
            return words_of(error)

    def _machine(self, design: DesignPoint, footprints: tuple[Footprint, ...]) -> dict[str, Any]:
        try:
            settings = self.space.settings(design, footprints)
            machine = self.space.machine_with(settings)
            problem = problem_of_machine(machine)
        except WarpmillError as error:
            problem = "; ".join(d.message for d in error.diagnostics)
        if problem is not None:
            words = f"it is no machine: {problem}; a condition in `where` can leave it out"
            return {"problem": words}
        plain = {key: _plain(value) for key, value in sorted(settings.items())}
        return {"settings": plain, "machine": machine.digest}

    def points(self, designs: Sequence[DesignPoint]) -> list[StudyPoint]:
        """Make points."""
        return [self.point(design) for design in designs]


def _plain(value: Scalar) -> Any:
    return list(value) if isinstance(value, tuple) else value
