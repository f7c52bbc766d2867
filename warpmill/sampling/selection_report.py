"""A selection of launches as ``sample --save`` writes it: no answer of its own, but a file."""

from __future__ import annotations

from typing import Literal

from warpmill.report.base import Id, Marks, Part, Report


class RecordedLaunch(Part):
    """A launch of the application that was sampled, by its number there from 0."""

    number: Id
    kernel: str
    grid: list[int]
    block: list[int]
    warp_instructions: int


class SelectedUnit(Part):
    """Launches that are measured together or not at all: ``first`` to before ``end``.

    Both are places in ``launches``.
    """

    first: Id
    end: Id
    warp_instructions: int


class SelectedStratum(Part):
    """Units that stand for each other; ``members`` and those ``chosen`` are places in ``units``.

    ``weight`` is the share of all warp instructions that the members execute.
    """

    members: list[Id]
    chosen: list[Id]
    weight: float


class SelectionReport(Report):
    """What was chosen of an application, for any machine.

    ``options`` are those of the method. ``inside``: CTAs are passed over inside of launches.
    ``digest`` is a SHA-256 of the launches' code, arguments, sizes and counts, by which another run
    is known to be of the same application.
    """

    report: Literal["selection"] = "selection"
    target: str
    method: str
    options: dict[str, str]
    inside: bool
    digest: str
    launches: list[RecordedLaunch]
    units: list[SelectedUnit]
    strata: list[SelectedStratum]
    marks: Marks
