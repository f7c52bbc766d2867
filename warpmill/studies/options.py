"""Options of studies: what is varied, and where what was measured is kept.

Nothing heavy is imported here: the help of a command shows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt

if TYPE_CHECKING:
    from warpmill.studies.running import ProgressListener

MOST_POINTS = 1_000_000
"""Configurations that are tried, if nobody says another number."""


@dataclass(frozen=True)
class SpaceOptions:
    """Varied axes and their conditions: here, in a file, or in both.

    ``over`` has values by name, or texts as the command line takes them.
    """

    over: Annotated[
        Mapping[str, Any] | Sequence[str],
        Opt(
            "Vary a size of the launch file, block, grid, shared, regs, machine, or a value of "
            "machines (sm.count): block=64,128 or 'n=1024..65536*2' or rows=1000..9000+500.",
            metavar="NAME=VALUES",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    where: Annotated[
        Sequence[str],
        Opt(
            "Only configurations that meet this, such as 'n >= 4 * block' or 'block_x <= 32'.",
            metavar="CONDITION",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    file: Annotated[
        str | Path | None,
        Opt(
            "A file with [over] and where.",
            names=("--space",),
            metavar="FILE.toml",
            text=Path,
            read=Path,
        ),
    ] = None


@dataclass(frozen=True)
class StudyOptions:
    """Store of measured configurations, and how many are measured at a time.

    Without ``store`` that is the file of the command line. ``told`` hears how far it is.
    """

    store: Annotated[
        str | Path | None,
        Opt(
            "Where configurations are kept once they are measured: an SQLite file, or a database "
            "(postgresql+psycopg://…); without it warpmill/studies.db in the user's cache folder "
            "(~/.cache, or XDG_CACHE_HOME).",
            metavar="FILE|URL",
            text=str,
            read=str,
        ),
    ] = None
    no_store: Annotated[bool, Opt("Keep nothing, and know nothing.")] = False
    workers: Annotated[int, Opt("Processes that measure configurations.", metavar="N", least=1)] = 1
    retry: Annotated[bool, Opt("Try configurations again that could not be measured before.")] = (
        False
    )
    max_points: Annotated[int, Opt("Most configurations.", metavar="N", least=1)] = MOST_POINTS
    told: ProgressListener | None = None

    @property
    def place(self) -> str | Path | None:
        """Store of configurations; None: none. UsageError for what cannot be a store."""
        from warpmill.analyzer.base.whole_files import check_file  # noqa: PLC0415 - if asked for
        from warpmill.studies.places import default_store  # noqa: PLC0415 - as above

        if self.no_store:
            if self.store is not None:
                words = "--store names where to keep configurations, --no-store keeps none"
                raise UsageError(words)
            return None
        if self.store is None:
            return default_store()
        if not str(self.store).strip():
            raise UsageError("--store names no file")
        if "://" not in str(self.store):
            check_file(Path(self.store))
        return self.store

    @property
    def shown(self) -> str | None:
        """Store of configurations, for people: without a password."""
        from warpmill.studies.tables import shown, url_of  # noqa: PLC0415 - SQLAlchemy is slow

        place = self.place
        return None if place is None else shown(url_of(place))


NOT_KEPT = StudyOptions(no_store=True)
"""Default in Python."""
