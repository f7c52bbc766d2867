"""Options that ``tune`` has alone. Nothing heavy is imported: the help shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.session.options import pair

MOST_INSTRUCTIONS = 2_000_000_000
"""Thread instructions that one run may take, where nobody says another number."""


def _compare_sizes(texts: Sequence[str]) -> dict[str, str]:
    return dict(pair("--compare-size", text, "n=4096") for text in texts)


@dataclass(frozen=True)
class TuneOptions:
    """Variants to try beside a space, and how the best are looked at.

    ``variants`` are files (``FILE`` or ``FILE:KERNEL``), by name or one by one: other code for the
    launch, or launch files. The ``top`` of each machine are executed, with ``compare_sizes`` where
    they are given; ``refine`` of them are simulated.
    """

    variants: Annotated[
        Mapping[str, str | Path] | Sequence[str | Path],
        Opt(
            "Another way to do the same: a kernel file with other code for the launch, or a "
            "launch file of its own.",
            names=("--variant",),
            metavar="[NAME=]FILE[:KERNEL]",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    keep_block: Annotated[bool, Opt("Leave the block as it is: variants alone.")] = False
    keep_grid: Annotated[
        bool,
        Opt("Leave the grid as it is where the block changes: a CTA has the same work."),
    ] = False
    refine: Annotated[
        int,
        Opt(
            "Simulate the N best and the default on the whole GPU, and rank them by that.",
            metavar="N",
            least=0,
        ),
    ] = 0
    compare: Annotated[
        bool,
        Opt(
            "Execute the best, and compare what they leave in memory.",
            names=("--compare/--no-compare",),
        ),
    ] = True
    compare_sizes: Annotated[
        Mapping[str, int | str],
        Opt(
            "A size of the launch file for what is executed; small ones are quick.",
            names=("--compare-size",),
            metavar="NAME=VALUE",
            text=list[str],
            read=_compare_sizes,
        ),
    ] = field(default_factory=dict)
    max_compare_instructions: Annotated[
        int, Opt("Most thread instructions of one execution.", metavar="N", least=1)
    ] = MOST_INSTRUCTIONS
    top: Annotated[
        int, Opt("How many of the best are executed and shown.", metavar="N", least=1)
    ] = 10

    def __post_init__(self) -> None:
        if self.top < 1 or self.refine < 0:
            raise UsageError("`top` is at least 1, `refine` at least 0")
        most = self.max_compare_instructions != MOST_INSTRUCTIONS
        given = {"--compare-size": bool(self.compare_sizes), "--max-compare-instructions": most}
        if not self.compare and any(given.values()):
            option = next(name for name, is_given in given.items() if is_given)
            raise UsageError(f"{option} is for what --no-compare leaves out")

    @property
    def variant_texts(self) -> list[str]:
        """The variants as the command line takes them."""
        if isinstance(self.variants, Mapping):
            return [f"{name}={file}" for name, file in self.variants.items()]
        one = isinstance(self.variants, str)
        return [str(file) for file in ((self.variants,) if one else self.variants)]
