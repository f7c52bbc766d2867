"""What errors are aimed at, and which goals were met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Result = Mapping[str, Any]
ENGINES = ("estimate", "simulate")
SILICON = {
    "mape": ("<=", 17.0),
    "kendall_tau_min": (">=", 0.8),
    "best_pick_slowdown_max": ("<=", 1.1),
    "warp_inst_error_median": ("<=", 10.0),
}
"""Of predictions beside real GPUs, for either engine: at most or at least, how much."""


@dataclass(frozen=True)
class Goal:
    """A goal of one section, and what came of it: ``met`` is None where the figure is unknown.

    ``counts`` tells whether the figure is of a whole and fresh result.
    """

    of: str
    figure: str
    what: str
    wanted: str
    here: float | None
    met: bool | None
    counts: bool

    @property
    def reached(self) -> bool:
        """Whether the goal is met by a figure that counts."""
        return bool(self.met) and self.counts


def met(key: str, value: float | None) -> bool | None:
    """Whether a figure beside real GPUs is what is aimed at; None where it is unknown."""
    sign, limit = SILICON[key]
    if value is None:
        return None
    return value <= limit if sign == "<=" else value >= limit


def goals(results: Mapping[str, Result | None]) -> list[Goal]:
    """The goals of all that was kept, section by section."""
    return [*_of_silicon(results["accuracy"]),
            *_as_measured("tbpoint", results["tbpoint"]),
            *_as_measured("gtpin", results["gtpin"])]  # fmt: skip


def _of_silicon(result: Result | None) -> Iterator[Goal]:
    for engine in ENGINES:
        if result is not None and engine in result:
            state, overall = result["by_engine"][engine], result[engine]["overall"]
            counts = state["fresh"] and not state["unfinished"]
            for key, (sign, limit) in SILICON.items():
                here = overall[key]
                wanted = f"{sign} {limit:g}"
                yield Goal(engine, key, key, wanted, here, met(key, here), counts)


def _as_measured(name: str, result: Result | None) -> Iterator[Goal]:
    """The goals that a benchmark has judged itself."""
    for one in result["goals"] if result is not None else ():
        assert result is not None
        sign = "" if isinstance(one["wanted"], str) else "<= "
        wanted = one["wanted"] if not sign else f"{sign}{one['wanted']:g}"
        known = None if one["here"] is None else one["reached"]
        yield Goal(name, one["figure"], one["what"], wanted, one["here"], known, result["fresh"])
