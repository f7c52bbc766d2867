"""Files of ``explore`` beside its report: pictures, all predictions, a model."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.analyzer.base.whole_files import check_files
from warpmill.cli.output import write, write_lines
from warpmill.report.safe import plain_text

if TYPE_CHECKING:
    from warpmill.commands.explore.result import ExploreReport
    from warpmill.exploring.answers import Modelled

_TOGETHER = 4096
"""Rows that are written together."""


@dataclass(frozen=True)
class ModelFiles:
    """Files that are written beside the report. None: not."""

    plot: Annotated[
        Path | None,
        Opt("Draw what terms explain (.png, .svg, .pdf).", metavar="FILE", writes="later"),
    ] = None
    plot_curves: Annotated[Path | None, Opt("Draw the curves.", metavar="FILE", writes="later")] = (
        None
    )
    predict_all: Annotated[
        Path | None,
        Opt(
            "Write what models say of every point that meets --where.",
            metavar="FILE.csv",
            writes="later",
        ),
    ] = None
    save_model: Annotated[
        Path | None,
        Opt("Write the model of the one workload.", metavar="FILE", writes="later"),
    ] = None

    def check(self, output: Path | None, store: str | Path | None, *, curves: bool) -> None:
        """Refuse, before anything is simulated, what could not be written. UsageError.

        ``curves`` says whether any are asked for.
        """
        from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

        if self.plot_curves is not None and not curves:
            raise UsageError("--plot-curves draws the curves of --curve, and none is given")
        for path in (self.plot, self.plot_curves):
            if path is not None:
                check_plot(path)
        read: dict[Path, str] = {}
        if store is not None and "://" not in str(store):
            read[Path(store).resolve()] = "--store"
        check_files(self._options(output), read)

    def _options(self, output: Path | None) -> dict[str, Path]:
        given = {
            "--output": output,
            "--plot": self.plot,
            "--plot-curves": self.plot_curves,
            "--predict-all": self.predict_all,
            "--save-model": self.save_model,
        }
        return {option: path for option, path in given.items() if path is not None}

    def check_workloads(self, number: int) -> None:
        """Refuse to keep several models in one file. UsageError."""
        if self.save_model is not None and number > 1:
            raise UsageError(
                f"--save-model keeps one model, and there are {number} workloads: name one of them"
            )

    def write(self, made: ExploreReport) -> None:
        """Write what was asked for. UsageError where there is no model to tell anything."""
        from warpmill.commands.explore.plot import write_curves, write_terms  # noqa: PLC0415 - slow

        models = [one for one in made.workloads if one.model is not None]
        if self._options(None) and not models:
            options = " and ".join(self._options(None))
            raise UsageError(f"nothing is written for {options}: there is no model")
        if self.plot is not None:
            write_terms(made, self.plot)
        if self.plot_curves is not None:
            write_curves(made, self.plot_curves)
        if self.predict_all is not None:
            write_lines(_predictions(made, models), self.predict_all)
        if self.save_model is not None:
            from warpmill.simulator.regression.model import model_text  # noqa: PLC0415 - slow

            (one,) = models
            assert one.model is not None
            write(model_text(one.model), self.save_model)


def _predictions(made: ExploreReport, models: list[Modelled]) -> Iterator[str]:
    """Predictions of every point as CSV: values, then four columns a workload."""
    from warpmill.exploring.answers import all_predictions, searched_space  # noqa: PLC0415 - slow

    space = searched_space(made.exploration.space, made.asked)
    response = made.asked.fitting.response
    header = list(space.names)
    for one in models:
        named = f"{response} of {one.workload.title}"
        header += [named, f"{named} low", f"{named} high", f"{named} notes"]
    own = len(space.names)
    each = zip(*(all_predictions(one, space) for one in models), strict=True)
    rows = ([*of_all[0][:own], *chain(*(row[own:] for row in of_all))] for of_all in each)
    yield _csv([header])
    while some := list(islice(rows, _TOGETHER)):
        yield _csv(some)


def _csv(rows: list[list[object]] | list[list[str]]) -> str:
    out = io.StringIO()
    texts = ([plain_text(c) if isinstance(c, str) else c for c in row] for row in rows)
    csv.writer(out, lineterminator="\n").writerows(texts)
    return out.getvalue()
