"""Results that take hours, measured part by part: each part is kept as soon as it is done.

::

    parts = KeptParts("accuracy", ["simulator/**/*.toml"], ["estimate/a", "estimate/b"])
    value = parts.of("estimate/a", measure)    # measured, unless it is there

The kept result has ``parts`` by name and those that are ``unfinished``. What is interrupted goes on
where it was: parts that are there are taken while nothing that the result rests on has changed. A
result that is whole is measured anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.kept_results import ROOT, keep, kept, snapshot


class KeptParts:
    """The parts of a kept result; ``wanted`` are all that it has, by name.

    ``about`` is kept beside them: a result of which it says something else is not gone on with.
    """

    def __init__(
        self,
        name: str,
        patterns: Iterable[str],
        wanted: Sequence[str],
        about: Mapping[str, Any] | None = None,
        root: Path = ROOT,
    ) -> None:
        self._name, self._wanted, self._about = name, tuple(wanted), dict(about or {})
        self._before = snapshot(patterns, root)
        self._parts = dict(self._to_go_on_with(kept(name, root)))

    @property
    def unfinished(self) -> list[str]:
        """The parts that are not there yet."""
        return [name for name in self._wanted if name not in self._parts]

    def of(self, name: str, measure: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """A part: the one that is there, else it is measured and kept. Errors of that."""
        if name not in self._parts:
            self._parts[name] = measure()
            ordered = {own: self._parts[own] for own in self._wanted if own in self._parts}
            result = {**self._about, "parts": ordered, "unfinished": self.unfinished}
            keep(self._name, result, self._before)
        return self._parts[name]

    def _to_go_on_with(self, found: Mapping[str, Any] | None) -> Mapping[str, Mapping[str, Any]]:
        """The parts of a result that is not whole, and as good as new."""
        if found is None or not found["fresh"] or not found.get("unfinished"):
            return {}
        if any(found.get(name) != value for name, value in self._about.items()):
            return {}
        return {name: found["parts"][name] for name in self._wanted if name in found["parts"]}
