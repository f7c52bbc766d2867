"""Rows that workloads are measured by, kept in a study of the store.

A row is measured anew where the files of its workload changed, its machine, or the sources that
rows of its kind depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.keeping import measured
from warpmill.session.workloads import workloads
from warpmill.simulator.machines import load_machine
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

Row = dict[str, Any]
"""What was measured; where it could not be, the reason is its ``problem``."""


@dataclass(frozen=True)
class RowKind:
    """What measures rows, by target and options, and which sources they depend on.

    Those are left out whose paths begin as ``without`` says.
    """

    measure: Callable[..., Row]
    sources: tuple[str, ...]
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class RowStudy:
    """Kinds of rows by name. ``version`` is one more where a benchmark measures something else."""

    name: str
    version: int
    kinds: Mapping[str, RowKind]

    def point(self, kind: str, target: str, **options: Any) -> StudyPoint:
        """Point of a target, which is a workload or a preset of one; options are JSON."""
        one = self.kinds[kind]
        inputs = {"kind": kind, "target": target, "options": options, "version": self.version}
        if "machine" in options:
            settings = options.get("settings", {})
            inputs["machine_digest"] = load_machine(options["machine"], settings).digest
        inputs["files"] = _files(target.partition(":")[0])
        inputs["sources"] = sources_digest(*one.sources, without=one.without)
        return StudyPoint(inputs, target)

    def evaluate(self, inputs: Mapping[str, Any]) -> PointOutcome:
        """Measure a point."""
        measure = self.kinds[inputs["kind"]].measure
        return PointOutcome(facts={"result": measure(inputs["target"], **inputs["options"])})


class Rows:
    """The rows of a study, each measured once."""

    def __init__(self, study: RowStudy, request: Request) -> None:
        self._study, self._request = study, request
        self._found: dict[str, tuple[StudyPoint, Row]] = {}

    def measure(self, wanted: Iterable[StudyPoint]) -> None:
        """Measure points, or find them among those that were."""
        new = [p for key, p in {p.key: p for p in wanted}.items() if key not in self._found]
        if not new:
            return
        store = self._request.store or default_store()
        rows = measured(self._study.name, store, new, self._study.evaluate,
                        workers=self._request.workers, say=say)  # fmt: skip
        for point, row in zip(new, rows, strict=True):
            found = row.facts["result"] if row.problem is None else {"problem": row.problem}
            self._found[point.key] = point, found

    def at(self, point: StudyPoint) -> Row:
        """The row of a point."""
        return self._found[point.key][1]

    def __call__(self, kind: str, target: str, **options: Any) -> Row | None:
        """A row; None where it could not be measured."""
        row = self.at(self._study.point(kind, target, **options))
        return None if "problem" in row else row

    @property
    def problems(self) -> list[tuple[StudyPoint, str]]:
        """The points that could not be measured, and why."""
        return [(p, row["problem"]) for p, row in self._found.values() if "problem" in row]


@cache
def _files(workload: str) -> str:
    """Hash what a workload is run from: sizes, modules, program, and what programs share."""
    folder = workloads()[workload].folder
    own = [p for p in folder.iterdir() if p.suffix in {".toml", ".ptx", ".py"}]
    digest = sha256()
    for path in sorted([*own, *(folder.parents[1] / "common").glob("*.py")]):
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()
