"""What docs/validation.md comes to: a row for each kind of error, and nothing over all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.pages import number, table
from benchmarks.validation_parts.goals import ENGINES, goals
from benchmarks.validation_parts.sampled import gtpin_errors, tbpoint_errors
from benchmarks.validation_parts.silicon import place_of as kernel_of
from benchmarks.validation_parts.silicon import with_unit, worst_first
from benchmarks.validation_parts.simulator import place_of as launch_of

Result = Mapping[str, Any]
Results = Mapping[str, Result | None]
Row = tuple[str, ...]
HEADER = ("error", "of", "mean", "worst", "goals missed")
NOT_MEASURED = ("not measured yet", "", "")


def glance(results: Results) -> str:
    """Put the sums of the sections below one another."""
    rows = [_of_engine(results, engine) for engine in ENGINES]
    return table(HEADER, [*rows, _of_gpgpusim(results), _of_tbpoint(results), _of_gtpin(results)])


def _of_engine(results: Results, engine: str) -> Row:
    head, result = ("against silicon", f"`{engine}`"), results["accuracy"]
    if result is None or engine not in result:
        return (*head, *NOT_MEASURED)
    worst = worst_kernel(result, engine)
    mean = with_unit(result[engine]["overall"]["mape"], "%")
    so_far = " so far" * bool(result["by_engine"][engine]["unfinished"])
    return (*head, mean + so_far, _kernel(worst), _missed(results, engine))


def worst_kernel(result: Result, engine: str) -> Mapping[str, Any] | None:
    """The kernel with the largest mean error; None where there is no error."""
    own = [one for one in result[engine]["groups"] if not one["apart"] and one["mape"] is not None]
    return worst_first(own)[0] if own else None


def _kernel(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return "-"
    dataset, gpu, kernel = kernel_of(one)
    return f"{number(one['mape'])} %: {kernel} of {dataset}, {gpu}"


def _of_gpgpusim(results: Results) -> Row:
    head, result = ("against another simulator", "`simulate`"), results["simulate"]
    if result is None:
        return (*head, *NOT_MEASURED)
    found = result["gpgpusim"]
    worst = f"{100 * found['worst']['error']:+.1f} %: {launch_of(found['worst'])}"
    return (*head, f"{100 * found['mape']:.1f} %", worst, "none is set")


def _of_tbpoint(results: Results) -> Row:
    head, result = ("sampled against full", "TBPoint"), results["tbpoint"]
    if result is None:
        return (*head, *NOT_MEASURED)
    row, error, place = tbpoint_errors(result)[0]
    worst = f"{error:+.2f} %: {row['workload']}" + f", {place}" * bool(place)
    return (*head, f"{number(result['error_mean'])} %", worst, _missed(results, "tbpoint"))


def _of_gtpin(results: Results) -> Row:
    head, result = ("sampled against full", "GT-Pin, the least errors"), results["gtpin"]
    if result is None:
        return (*head, *NOT_MEASURED)
    row, error, place = gtpin_errors(result)[0]
    worst = f"{error:.2f} %: {row['application']}" + f", {place}" * bool(place)
    return (*head, f"{number(result['least_error']['error'])} %", worst, _missed(results, "gtpin"))


def _missed(results: Results, of: str) -> str:
    own = [goal for goal in goals(results) if goal.of == of]
    return f"{sum(goal.met is False for goal in own)} of {len(own)}"
