"""Figures of configurations: their units, which way is better, and how people name them.

A figure by which something is ranked is written ``NAME``, or ``NAME:max`` and ``NAME:min`` where
another way is meant than the one that is better as a rule. What is varied and is a number
(``block``, ``block_x``, ``regs``, ``n``) is a figure too, of which less is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.sweeps.space import Axis, numbers_of

TIME = "time_us"


@dataclass(frozen=True)
class FigureKind:
    """What a figure is; ``unit`` is empty for a plain number, ``fraction`` for one from 0 to 1."""

    unit: str
    what: str
    larger_is_better: bool = False


KINDS = {
    "time_us": FigureKind("us", "time of all launches; estimated: with what launching adds"),
    "execution_us": FigureKind("us", "time of all launches without what launching adds"),
    "cycles": FigureKind("cycles", "cycles of all launches, executing"),
    "occupancy": FigureKind(
        "fraction", "resident warps over slots of an SM; simulated: the mean", True
    ),
    "achieved_occupancy": FigureKind(
        "fraction", "resident warps over slots of an SM, in the mean over time", True
    ),
    "ctas_per_sm": FigureKind("", "CTAs that an SM holds at once", True),
    "rounds": FigureKind("", "rounds of CTAs that take as long as the execution"),
    "registers": FigureKind("", "registers of a thread"),
    "shared_bytes": FigureKind("bytes", "shared memory of a CTA, static and dynamic"),
    "l2_requested_bytes": FigureKind("bytes", "what SMs ask of L2, all launches"),
    "ipc": FigureKind("", "warp instructions a cycle, of the whole GPU", True),
    "issue_slots_used": FigureKind(
        "fraction", "issue slots in which an instruction was issued", True
    ),
    "l1_hit_rate": FigureKind("fraction", "accesses that L1 has", True),
    "l2_hit_rate": FigureKind("fraction", "accesses that L2 has", True),
    "dram_bytes": FigureKind("bytes", "read from DRAM and written to it"),
}
"""All figures of both engines; occupancy, CTAs, rounds, registers and shared memory of several
launches in a row are those of the first, and so is the estimated hit rate of L1."""


@dataclass(frozen=True)
class Ranking:
    """A figure by which configurations are ranked, and whether more of it is better."""

    figure: str = TIME
    largest: bool = False


def parse_ranking(option: str, text: str) -> Ranking:
    """Read ``NAME``, ``NAME:max`` or ``NAME:min``. UsageError for anything else."""
    name, colon, way = text.strip().partition(":")
    if not name or (colon and way not in {"min", "max"}):
        raise UsageError(
            f"{option} {text}: write the name of a figure, NAME:max where more of it is better or "
            "NAME:min where less is"
        )
    if colon:
        return Ranking(name, way == "max")
    return Ranking(name, name in KINDS and KINDS[name].larger_is_better)


def names_of(own: Sequence[str], axes: Sequence[Axis]) -> list[str]:
    """List what configurations can be ranked by: ``own`` figures, and what is varied in numbers."""
    names = dict.fromkeys(own)
    for axis in axes:
        plain = axis.name.replace(".", "_")
        for value in axis.values:
            found = [axis.name] if isinstance(value, float) else numbers_of({axis.name: value})
            names |= {axis.name if name == plain else name: None for name in found}
    return list(names)


def check_ranking(option: str, asked: Ranking, names: Sequence[str]) -> None:
    """Refuse a figure that no configuration will have. UsageError."""
    if asked.figure not in names:
        near = suggestion(asked.figure, names)
        raise UsageError(
            f"{option} {asked.figure}: there is no such figure{f'; {near}' if near else ''} "
            f"(there are {', '.join(names)})"
        )
