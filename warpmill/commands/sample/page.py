"""The page of ``sample``: what was chosen and why, and what it says of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from warpmill.analyzer.base.naming import demangle
from warpmill.commands.sample.result import MachineSample, Projected, SampledStratum, SampleReport
from warpmill.report.base import Mark
from warpmill.report.page import SIGNS, UNKNOWN, Page, figure, percent
from warpmill.report.words import plural

_MOST_STRATA, _MOST_RUNS, _MOST_PASSED, _MOST_KERNELS = 12, 4, 12, 2

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
_NAMES = {"cycles": "cycles", "time": "time", "ipc": "IPC by warps", "thread_ipc": "IPC by threads"}


def sample_page(report: SampleReport, page: Page) -> None:
    """Show a sample."""
    page.title(f"sample: {report.target}")
    page.facts(_facts(report))
    _strata(report, page)
    for one in report.machines:
        _machine(one, report, page)
    for missing in report.not_simulated:
        page.line(f"not simulated on {missing.machine}: {missing.reason}")


def _facts(report: SampleReport) -> Iterator[tuple[str, str]]:
    options = ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in report.options.items()
    )
    inside = "; CTAs are passed over inside of launches" if report.inside else ""
    yield "method", f"{report.method}{f': {options}' if options else ''}{inside}"
    if report.saved is not None:
        yield "selection", f"that of {report.saved}"
    executed = figure(report.warp_instructions)
    launches, kernels = plural(report.launches, "launch"), plural(len(report.kernels), "kernel")
    yield "application", f"{launches} of {kernels}, {executed} warp instructions"
    share = percent(report.chosen_share)
    yield "chosen", f"{plural(report.chosen_launches, 'launch')}, {share} of the instructions"
    yield "why", _WHY[report.method]
    if report.target_error is not None:
        yield "target error", percent(report.target_error)
    if report.expected_error is not None:
        expected = _fine(report.expected_error, Mark.MODELLED)
        yield "expected error", f"{expected}, by estimated times of all launches"


def _fine(share: float, mark: Mark) -> str:
    """Write a share that may be far below a percent."""
    return f"{share * 100:.3g}%{SIGNS[mark]}"


def _strata(report: SampleReport, page: Page) -> None:
    count = len(report.strata)
    title = {1: "1 stratum"}.get(count, f"{count:,} strata")
    order = ", the heaviest first" if count > 1 else ""
    page.heading(f"{title} of {plural(len(report.units), 'unit')}{order}")
    ranked = sorted(enumerate(report.strata), key=lambda pair: (-pair[1].weight, pair[0]))
    shown = ranked if page.style.verbose else ranked[:_MOST_STRATA]
    rows = [
        [
            str(number),
            percent(each.weight),
            figure(each.warp_instructions),
            figure(len(each.members)),
            _ranges(each.launches, None if page.style.verbose else _MOST_RUNS),
            _kernels(each, page.style.verbose),
        ]
        for number, each in shown
    ]
    header = ["", "weight", "instructions", "units", "simulated launches", "kernels"]
    page.table(header, rows, left=(4, 5), wrap=(4, 5))
    if len(shown) < count:
        page.line(f"and {count - len(shown):,} more (--verbose)")


def _kernels(one: SampledStratum, every: bool) -> str:
    names = [demangle(name) for name in one.kernels]
    shown = names if every else names[:_MOST_KERNELS]
    more = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    return ", ".join(shown) + more


def _ranges(numbers: Sequence[int], most: int | None = None) -> str:
    """Write numbers, those that follow one another as ``3-7``."""
    ranges = []
    for _, group in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        own = [number for _, number in group]
        ranges.append(f"{own[0]}" if len(own) == 1 else f"{own[0]}-{own[-1]}")
    shown = ranges if most is None else ranges[:most]
    more = f" and {len(ranges) - len(shown):,} more" if len(shown) < len(ranges) else ""
    return ", ".join(shown) + more


def _machine(one: MachineSample, report: SampleReport, page: Page) -> None:
    page.heading(f"{one.machine} at {one.clock_mhz:,.4g} MHz")
    mark = one.marks["figures.value"]
    checked = one.check is not None
    rows = [_figure_row(each, mark, checked) for each in one.figures]
    header = ["", "projected", "95% interval", *(["all simulated"] if checked else [])]
    page.table(header, rows)
    page.items(list(_remarks(one, report)))
    if one.tried:
        _tried(one, page)
    if one.passed_over:
        _passed_over(one, page)


def _figure_row(one: Projected, mark: Mark, checked: bool) -> list[str]:
    unit = one.unit if one.name == "time" else ""
    value = figure(one.value, mark, unit)
    between = UNKNOWN
    if one.low is not None and one.high is not None:
        between = f"{figure(one.low)} to {figure(one.high, mark)}"
    row = [_NAMES[one.name], value, between]
    return [*row, figure(one.simulated, Mark.MODELLED, unit)] if checked else row


def _remarks(one: MachineSample, report: SampleReport) -> Iterator[str]:
    simulated, every = figure(one.simulated_warp_instructions), figure(one.warp_instructions)
    share = percent(one.sample_share)
    words = f"simulated: {simulated} of {every} warp instructions issued, {share}; speed-up"
    yield f"{words} {one.speedup:,.1f}x"
    if one.warming_launches:
        many = plural(one.warming_launches, "launch")
        yield f"of these {figure(one.warming_warp_instructions)} in {many} that only warm caches"
    scaled = one.marks["figures.value"] is Mark.SAMPLED
    if one.half_width is None:
        yield "interval: none, as units stand for others that have too little in common with them"
    elif scaled:
        sign = SIGNS[one.marks["half_width"]]
        words = f"interval: ±{one.half_width * 100:.3g}%{sign} of the cycles"
        if one.half_width < _ALIKE and report.chosen_launches < report.launches:
            words += ", as units of a stratum look alike: what caches hold at first is not in it"
        yield words
    if one.met is not None and report.target_error is not None:
        words = "met" if one.met else "not met"
        by = "the interval" if report.expected_error is None else "estimated times"
        yield f"target error of {percent(report.target_error)}: {words}, by {by}"
    if one.check is not None:
        yield _check_words(one, report)


def _check_words(one: MachineSample, report: SampleReport) -> str:
    assert one.check is not None
    held = {True: "; the interval holds it", False: "; outside of the interval", None: ""}
    error = round(one.check.error * 100, 2) + 0.0  # no minus before a zero
    words = f"true error: {error:+.2f}%{SIGNS[Mark.MODELLED]}"
    words += held[one.check.holds]
    if one.check.exceeds:
        words += f"; more than the {percent(report.limit)} allowed"
    return words


def _tried(one: MachineSample, page: Page) -> None:
    page.heading(f"selections on {one.machine}")
    rows = [
        [figure(each.units), percent(each.sample_share), _half_width(each.half_width)]
        for each in one.tried
    ]
    page.table(["units", "simulated", "interval"], rows, left=())


def _half_width(width: float | None) -> str:
    return UNKNOWN if width is None else f"±{width * 100:.3g}%{SIGNS[Mark.SAMPLED]}"


def _range(values: Sequence[float]) -> str:
    return f"{figure(min(values), Mark.MODELLED)} to {figure(max(values), Mark.MODELLED)}"


def _passed_over(one: MachineSample, page: Page) -> None:
    page.heading(f"CTAs skipped on {one.machine}, at the IPC of the units before")
    shown = one.passed_over if page.style.verbose else one.passed_over[:_MOST_PASSED]
    rows = [
        [
            str(each.launch),
            demangle(each.kernel),
            str(each.region),
            f"{each.first_cta:,} to {each.last_cta:,}",
            figure(each.warp_instructions),
            f"{figure(each.ipc, Mark.MODELLED)} ({_range(each.unit_ipcs)})",
        ]
        for each in shown
    ]
    header = ["launch", "kernel", "region", "CTAs", "instructions", "IPC (of single units)"]
    page.table(header, rows, left=(1,), wrap=(1,))
    if len(shown) < len(one.passed_over):
        page.line(f"and {len(one.passed_over) - len(shown):,} more (--verbose)")
