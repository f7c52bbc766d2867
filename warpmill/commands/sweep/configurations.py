"""Parts of reports about many configurations: what was varied, figures, why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from warpmill.report.base import Id, Mark, Part
from warpmill.sweeps.evaluation import FIGURES
from warpmill.sweeps.space import Axis
from warpmill.sweeps.summary import CommonChoice, kind_of
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept

Scalar = int | float | str
"""A value of an axis: a number, or a word such as ``16x16`` or ``a100``."""

REGISTERS = "the registers of a thread are assumed: --regs says them"
"""What a row rests on whose registers no source states for its machine."""

AxisKind = Literal["size", "launch", "machine", "machine value", "registers"]


class AxisFacts(Part):
    """Something that was varied; ``machine`` is there too where one alone was asked for."""

    name: str
    kind: AxisKind
    values: list[Scalar]


class FigureFacts(Part):
    """A figure of the rows: ``unit`` is empty for plain numbers; a ``fraction`` is from 0 to 1."""

    name: str
    unit: str
    what: str
    mark: Mark


class RankingFacts(Part):
    """A figure by which configurations were ranked; ``larger_is_better`` else less is."""

    figure: str
    larger_is_better: bool


class ConfigurationFacts(Part):
    """A configuration. ``number`` is its place among ``rows``, from 0.

    ``figures`` has those that are known, by the names in the report's ``figures``; it is empty
    where ``reason`` says why nothing was measured. Of several launches in a row, ``launches`` of
    them, ``grid``, ``block`` and ``bound`` are of the first. ``times_fastest``: its time over the
    least of all. ``sampled``: a part of it was simulated and continued.
    """

    number: Id
    configuration: dict[str, Scalar]
    figures: dict[str, float]
    times_fastest: float | None
    rank: int | None
    """1 for the best by ``ranked_by``; null where the figure is unknown, or memory out of bounds is
    accessed."""
    bound: str | None
    trace: str | None
    grid: list[int] | None
    block: list[int] | None
    launches: int | None
    sampled: bool
    reason: str | None


class CommonFacts(Part):
    """The one choice that loses least where one is made for all of ``best_of_each``.

    ``geometric_mean_ratio`` is of how many times worse than the best one it is in each of them;
    ``worst_ratio`` the largest, in ``worst_of``.
    """

    choice: dict[str, Scalar]
    parts: int
    geometric_mean_ratio: float
    worst_ratio: float
    worst_of: dict[str, Scalar]


class ReasonFacts(Part):
    """Why some rows were not measured, or are not ranked."""

    reason: str
    rows: list[Id]


class SweptAssumptionFacts(Part):
    """What the figures of some rows rest on."""

    text: str
    rows: int


def axis_facts(axis: Axis, sizes: Sequence[str]) -> AxisFacts:
    """Tell what was varied; ``sizes`` are the names of the launch's sizes."""
    kind: AxisKind = kind_of(axis.name, sizes)  # type: ignore[assignment] # one of these words
    return AxisFacts(name=axis.name, kind=kind, values=list(axis.values))


def common_facts(found: CommonChoice | None) -> CommonFacts | None:
    """Tell the choice that serves all; None where there is none."""
    if found is None:
        return None
    return CommonFacts(
        choice=dict(found.choice),
        parts=found.parts,
        geometric_mean_ratio=found.ratio,
        worst_ratio=found.worst,
        worst_of=dict(found.worst_of),
    )


def assumed_of(row: MeasuredConfiguration) -> list[str]:
    """List what a row's figures rest on."""
    texts = list(row.facts.get("assumptions", ()))
    return [*texts, REGISTERS] if row.facts.get("registers_assumed") else texts


def figure_marks(found: Swept) -> dict[str, Mark]:
    """Say how far each figure of an engine can be trusted, over all rows together.

    What an SM holds follows from the registers; all else the model says.
    """
    facts = [row.facts for row in found.measured]
    names = FIGURES[found.how.engine]
    if found.how.engine == "simulate":
        return dict.fromkeys(names, Mark.MODELLED)
    assumed = any(one.get("registers_assumed") for one in facts)
    registers = Mark.ASSUMED if assumed else Mark.EXACT
    others = {
        "occupancy": registers,
        "ctas_per_sm": registers,
        "registers": registers,
        "shared_bytes": Mark.EXACT,
    }
    return {name: others.get(name, Mark.MODELLED) for name in names}
