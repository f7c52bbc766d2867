"""The page of ``sample``: what it says of the whole, and what was chosen and why; and its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from warpmill.analyzer.base.metric import Mark
from warpmill.analyzer.base.naming import demangle
from warpmill.report.page import SIGNS, UNKNOWN, Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Comparison, Items, Repeated, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import plural
from warpmill.sampling.results import ApplicationSample, SampleReport

_MOST_RUNS, _MOST_KERNELS = 4, 2

_ALIKE = 5e-4
"""Half of an interval, relatively, below which nothing was known that tells units apart."""

_WHY = {
    "tbpoint": "launches of a kernel that are alike in size, divergence and spread of CTAs stand "
    "for each other; the one nearest to their centre is simulated",
    "gtpin": "intervals whose counts are alike are a cluster; the one nearest to its centre is "
    "simulated",
    "simpoint": "launches whose blocks execute alike are a cluster; the one nearest to its centre "
    "is simulated",
    "stratified": "launches of a kernel with about as many instructions are a stratum; some at "
    "equal distances are simulated",
    "systematic": "every so many launches one is simulated",
    "random": "launches are drawn at random",
}


def _answer(page: Page, report: SampleReport) -> None:
    page.title(f"sample: {report.target}")
    for one in report.machines:
        words = _sentence(one)
        if one.machine in report.exceeding:
            words += f", more than the {percent(report.limit)} allowed"
        page.line(f"{words}.")


def _sentence(one: ApplicationSample) -> str:
    cycles, time = (figure(each.value) for each in one.figures[:2])
    words = f"About {cycles} cycles ({time} µs) on {one.machine}"
    if one.half_width:
        words += f", ±{_fine(one.half_width)} with 95% confidence"
    words += f", from {percent(one.sample_share)} of its instructions"
    if one.error is not None:
        held = {True: " (in the interval)", False: " (outside of the interval)", None: ""}
        off = round(one.error * 100, 2) + 0.0  # no minus before a zero
        words += f"; the true error is {off:+.2f}%{held[one.holds]}"
    return words


def _fine(share: float, mark: Mark | None = None) -> str:
    """A share that may be far below a percent."""
    return f"{share * 100:.3g}%{SIGNS[mark] if mark else ''}"


def _interval(one: Any) -> str:
    return UNKNOWN if one.low is None else f"{figure(one.low)} to {figure(one.high)}"


def _half_width(one: Reader) -> str | None:
    width = one.subject.half_width
    return None if width is None else f"±{_fine(width, one.mark('half_width'))}"


def _caveat(one: Reader) -> str:
    sample = one.subject
    if sample.half_width is None:
        return "none, as units stand for others that have too little in common with them"
    if sample.half_width < _ALIKE and len(sample.numbers) < len(sample.application.launches):
        return f"{_half_width(one)}, units of a stratum look alike: initial caches are not in it"
    return _half_width(one) or UNKNOWN


def _warming(runs: Sequence[Any]) -> str | None:
    executed = figure(sum(run.warp_instructions for run in runs))
    return f"{executed} in {plural(len(runs), 'launch')}" if runs else None


def _met(one: Reader) -> str | None:
    if one.subject.met is None:
        return None
    by = "the interval" if one.subject.expected_error is None else "estimated times"
    return f"{'met' if one.subject.met else 'not met'}, by {by}"


def _few(most: int, shown: Callable[[Sequence[Any]], list[str]]) -> Callable[[Any], str]:
    """Words of a list: the first few, and how many more there are."""

    def words(values: Sequence[Any]) -> str:
        every = shown(values)
        more = f" and {len(every) - most:,} more" if len(every) > most else ""
        return ", ".join(every[:most]) + more

    return words


def _ranges(numbers: Sequence[int]) -> list[str]:
    """Numbers, those that follow one another as ``3-7``."""
    found = []
    for _, group in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        own = [number for _, number in group]
        found.append(f"{own[0]}" if len(own) == 1 else f"{own[0]}-{own[-1]}")
    return found


def _method(report: SampleReport) -> str:
    options = [f"{k.replace('_', ' ')} {v}" for k, v in report.selection.options.items()]
    skips = "; CTAs are skipped inside of launches" if report.inside else ""
    return f"{report.selection.method}: {', '.join(options) or 'no options'}{skips}"


def _application(report: SampleReport) -> str:
    launches, kernels = (
        plural(len(report.launches), "launch"),
        plural(len(report.kernels), "kernel"),
    )
    executed = figure(report.selection.warp_instructions)
    return f"{launches} of {kernels}, {executed} warp instructions"


def _chosen(report: SampleReport) -> str:
    share = percent(report.selection.sample_share)
    return f"{plural(len(report.selection.launches), 'launch')}, {share} of the instructions"


def _expected(report: SampleReport) -> str | None:
    share = report.machines[0].expected_error
    words = "by estimated times of all launches"
    return None if share is None else f"{_fine(share, Mark.MODELLED)}, {words}"


PAGE = (
    Special(_answer),
    Charts("warpmill.commands.sample.charts:charts"),
    Repeated(
        "machines",
        (
            Table(
                lambda one: f"projected to all launches: {one.machine} at {one.clock_mhz:,.4g} MHz",
                "figures",
                ("name", "value", Shown("", "95% interval", words=_interval), "simulated"),
            ),
        ),
    ),
    Comparison(
        "sampling",
        (
            "simulated_warp_instructions",
            "issued.warp_instructions",
            "sample_share",
            "speedup",
            Shown("warming", "Of these to warm caches", words=_warming),
            Shown("", "95% interval", told=_caveat),
            Shown("", "Target error", told=_met),
        ),
        of="machines",
    ),
    Repeated(
        "machines",
        (
            Table(
                lambda one: f"selections tried on {one.machine}",
                "passes",
                ("units", "sample_share", Shown("", "95% interval", told=_half_width)),
                left=(),
            ),
            Table(
                lambda one: f"CTAs skipped on {one.machine}, at the IPC of the units before",
                "runs.skippable_ctas",
                (
                    Shown("", "Launch", told=lambda one: str(one.holder.launch)),
                    Shown("", "Kernel", told=lambda one: demangle(one.holder.kernel)),
                    "region",
                    Shown("", "CTAs", words=lambda one: f"{one.first_cta:,} to {one.last_cta:,}"),
                    "warp_instructions",
                    "ipc",
                    Shown(
                        "unit_ipcs",
                        "of units",
                        words=lambda each: f"{min(each):.4g} to {max(each):.4g}",
                    ),
                ),
                top=12,
                left=(1,),
                wrap=(1,),
            ),
        ),
    ),
    Table(
        lambda report: (
            f"strata: {len(report.selection.strata):,} of "
            f"{plural(len(report.selection.units), 'unit')}"
        ),
        "stratum_launches",
        (
            "stratum.weight",
            "warp_instructions",
            Shown("stratum.members", "Units", words=lambda each: f"{len(each):,}"),
            Shown("launches", words=_few(_MOST_RUNS, _ranges)),
            Shown("kernels", words=_few(_MOST_KERNELS, lambda names: list(map(demangle, names)))),
        ),
        top=12,
        left=(3, 4),
        wrap=(3, 4),
        order=lambda one: one.stratum.weight,
    ),
    Comparison(
        "selection",
        (
            Shown("", "Method", words=_method),
            "saved",
            Shown("", "Application", words=_application),
            Shown("", "Chosen", words=_chosen),
            Shown("selection.method", "Why", words=_WHY.__getitem__),
            "target_error",
            Shown("", "Expected error", words=_expected),
            "limit",
        ),
    ),
    Items("", "not_simulated"),
)

_MACHINE = {"machine": ".machines.machine"}


def _of_machine(kind: str, name: str, **only: Callable[[Any], bool]) -> RowsOf:
    """A figure of a machine, and nothing else of it."""
    blank = dict.fromkeys(("warp_instructions", "cycles"), "")
    mark = "error" if kind == "comparison" else name
    return RowsOf("machines", {"value": name}, {"kind": kind, "name": name, **blank}, mark, **only)


SAMPLE = CsvTable(
    (
        "kind", "machine", "name", "unit", "value", "low", "high", "simulated", "kernel", "launch",
        "members", "chosen", "weight", "warp_instructions", "cycles", "region", "first_cta",
        "last_cta", "mark",
    ),
    (
        RowsOf(
            "stratum_launches",
            {
                "name": "number",
                "kernel": "kernels",
                "launch": "launches",
                "members": lambda one: one.stratum.members,
                "chosen": lambda one: one.stratum.chosen,
                "weight": lambda one: one.stratum.weight,
            },
            {"kind": "stratum"},
        ),
        RowsOf("machines.figures", _MACHINE, {"kind": "figure"}, "value"),
        _of_machine("figure", "sample_share"),
        _of_machine("figure", "speedup"),
        _of_machine("comparison", "error", chosen=lambda one: one.whole is not None),
        _of_machine("comparison", "holds", chosen=lambda one: one.whole is not None),
        RowsOf(
            "machines.runs",
            {**_MACHINE, "value": "whole_cycles"},
            {"kind": "launch", "name": "whole_cycles", "unit": "cycles"},
            "whole_cycles",
        ),
        RowsOf(
            "machines.runs.skippable_ctas",
            {
                **_MACHINE,
                "kernel": ".machines.runs.kernel",
                "launch": ".machines.runs.launch",
                "value": "ipc",
                "low": lambda one: min(one.unit_ipcs),
                "high": lambda one: max(one.unit_ipcs),
                "cycles": "cycle",
            },
            {"kind": "skippable_ctas", "name": "ipc"},
            "ipc",
        ),
    ),
)  # fmt: skip
