"""Figures of configurations: what they are to people, which way is better, how they are named.

A figure is called as in an ``Estimate`` or a ``SimResult``, and has its label and unit from there.
One by which something is ranked is written ``NAME``, or ``NAME:max`` and ``NAME:min`` where another
way is meant than the one that is better as a rule. What is varied and is a number (``block``,
``block_x``, ``regs``, ``n``) is a figure too, of which less is better.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.base.naming import suggestion
from warpmill.report.fields import metric_at
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.gpu.result import SimResult
from warpmill.sweeps.space import Axis, numbers_of

TIME = "time_us"

FIGURES: Mapping[str, tuple[str, ...]] = {
    "estimate": (
        "time_us", "execution_us", "cycles", "occupancy_fraction", "achieved_occupancy_fraction",
        "ctas_per_sm", "waves", "registers_per_thread", "shared_bytes", "l1_hit_fraction",
        "l2_hit_fraction", "l2_bytes", "dram_bytes",
    ),
    "simulate": (
        "time_us", "cycles", "achieved_occupancy_fraction", "warp_ipc", "issue_slot_fraction",
        "l1_hit_fraction", "l2_hit_fraction", "dram_bytes",
    ),
}  # fmt: skip
"""Figures of a configuration by engine, over all its launches; what is unknown is left out.

Occupancy, CTAs, waves, registers and shared memory of several launches in a row are those of the
first, and so is the estimated hit rate of L1."""


def engine_with(figures: Iterable[str]) -> str:
    """The engine that says these figures, all of them."""
    return next(engine for engine, own in FIGURES.items() if set(own) == set(figures))


_INSIDE = {
    "occupancy_fraction": "occupancy.occupancy_fraction",
    "ctas_per_sm": "occupancy.ctas_per_sm",
    "registers_per_thread": "registers.registers_per_thread",
}
"""Paths in an ``Estimate`` of figures that are no fields of its own."""

METRICS: Mapping[str, Metric] = {
    "issue_slot_fraction": metric_at(SimResult, "issue_slot_fraction"),
    **{
        name: metric_at(Estimate, _INSIDE.get(name, name))
        for names in FIGURES.values()
        for name in names
        if name != "issue_slot_fraction"
    },
}
"""Label and unit of each figure."""

LARGER_IS_BETTER = frozenset({
    "occupancy_fraction", "achieved_occupancy_fraction", "ctas_per_sm", "warp_ipc",
    "issue_slot_fraction", "l1_hit_fraction", "l2_hit_fraction",
})  # fmt: skip

RENAMED: Mapping[str, tuple[str, ...]] = {
    "occupancy": ("occupancy_fraction", "achieved_occupancy_fraction"),
    "achieved_occupancy": ("achieved_occupancy_fraction",),
    "rounds": ("waves",),
    "registers": ("registers_per_thread",),
    "l2_requested_bytes": ("l2_bytes",),
    "ipc": ("warp_ipc",),
    "issue_slots_used": ("issue_slot_fraction",),
    "l1_hit_rate": ("l1_hit_fraction",),
    "l2_hit_rate": ("l2_hit_fraction",),
}
"""Names of figures up to version 1 of the schemas, with their names now."""


@dataclass(frozen=True)
class Ranking:
    """A figure by which configurations are ranked; ``larger_is_better``, else less is."""

    figure: str = TIME
    larger_is_better: bool = False


def parse_ranking(option: str, text: str) -> Ranking:
    """Read ``NAME``, ``NAME:max`` or ``NAME:min``. UsageError for anything else."""
    name, colon, way = text.strip().partition(":")
    if not name or (colon and way not in {"min", "max"}):
        raise UsageError(
            f"{option} {text}: write the name of a figure, NAME:max where more of it is better or "
            "NAME:min where less is"
        )
    return Ranking(name, way == "max" if colon else name in LARGER_IS_BETTER)


def names_of(own: Sequence[str], axes: Sequence[Axis]) -> list[str]:
    """Names that configurations can be ranked by: ``own`` figures, and numeric axes."""
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
        raise UsageError(
            f"{option} {asked.figure}: there is no such figure{_instead(asked.figure, names)} "
            f"(there are {', '.join(names)})"
        )


def new_name(name: str, names: Collection[str]) -> str | None:
    """The name now of a figure that had another one, among ``names``; None: there is none."""
    return next((new for new in RENAMED.get(name, ()) if new in names), None)


def _instead(name: str, names: Sequence[str]) -> str:
    new = new_name(name, names)
    if new is not None:
        return f"; it is called `{new}` now"
    near = suggestion(name, names)
    return f"; {near}" if near else ""
