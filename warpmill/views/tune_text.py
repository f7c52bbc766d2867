"""The page of ``tune``: for each machine what is best and by how much, and what is set apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.reports.base import Mark
from warpmill.reports.configurations import FigureFacts
from warpmill.reports.tune import ChoiceFacts, MachineFacts, TuneReport
from warpmill.views.page import SIGNS, UNKNOWN, Page, figure
from warpmill.views.sweep_parts import (
    assumption_items,
    axis_lines,
    bound_words,
    configuration,
    varied,
    written,
)
from warpmill.views.tune_words import (
    advice,
    check_words,
    common_words,
    default_words,
    lead,
    name_of,
    result_words,
    unchecked_words,
    verdict,
)
from warpmill.views.words import plural

_NAMED = 8
"""Choices that are named where many share a reason."""


def tune_page(report: TuneReport, page: Page) -> None:
    """Show which choices are best."""
    page.title(f"tune: {report.target}")
    page.facts(_facts(report))
    for one in report.machines:
        _machine(report, one, page)
    _common(report, page)
    _rests_on(report, page)


def _facts(report: TuneReport) -> Iterator[tuple[str, str]]:
    yield plural(len(report.kernels), "kernel").partition(" ")[2], ", ".join(report.kernels)
    for one in report.variants[1:]:
        of = "" if one.kernel is None else f": {one.kernel}"
        yield "variant", f"{one.name} ({one.file}{of})"
    yield from axis_lines(report.axes)
    for condition in report.conditions:
        yield "where", condition
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    yield "default", default_words(report) or "the launch as it is"


def _machine(report: TuneReport, one: MachineFacts, page: Page) -> None:
    page.heading(verdict(report, one))
    words = unchecked_words(report, one)
    if words is not None:
        page.line(words)
    if one.choices:
        _table(report, one, page)
    if one.different:
        _different(report, one, page)
    if one.not_measured:
        _not_measured(one, page)


def _shown(report: TuneReport, one: MachineFacts, *, every: bool) -> list[ChoiceFacts]:
    """Give the best choices, and the default below them where it is not one of these."""
    shown = one.choices if every else one.choices[: report.shown]
    if any(choice.is_default for choice in shown) or one.default_reason is not None:
        return shown
    return [*shown, one.default]


def _table(report: TuneReport, one: MachineFacts, page: Page) -> None:
    axes = varied(report.axes)
    names = (["variant"] if len(report.variants) > 1 else []) + axes
    refined = report.refined > 0
    named = {figure.name: figure for figure in report.figures}
    others = () if refined and not page.style.verbose else ("occupancy", "ctas_per_sm")
    own = [name for name in others if name in named]
    rows = _shown(report, one, every=page.style.verbose)
    bounded = any(row.bound is not None for row in rows)
    header = [
        "#", *names, *(["simulated µs"] if refined else []), "time µs", "vs default",
        *({"occupancy": "occup.", "ctas_per_sm": "CTAs/SM"}[name] for name in own),
        *(["bound by"] if bounded else []), "result",
    ]  # fmt: skip

    def cells(row: ChoiceFacts) -> list[str]:
        simulated = figure(row.simulated_us, Mark.MODELLED)
        return [
            UNKNOWN if row.rank is None else str(row.rank),
            *(_value(row, name) for name in names),
            *([simulated] if refined else []),
            _figure(row, named["time_us"]),
            lead(row.speedup, apart=refined and row.simulated_us is None),
            *(_figure(row, named[name]) for name in own),
            *([bound_words(row.bound)] if bounded else []),
            result_words(row),
        ]

    left = [*range(1, 1 + len(names)), *([len(header) - 2] if bounded else []), len(header) - 1]
    page.table(header, map(cells, rows), left=left, wrap=left)
    more = len(one.choices) - sum(row.rank is not None for row in rows)
    if more:
        page.line(f"and {more:,} more (--top, --verbose)")
    if any(row.simulated_us is not None for row in rows):
        page.line("simulated µs: without launching, which time µs has in it")
    if refined and any(row.simulated_us is None for row in rows):
        page.line("in parentheses: by estimates, as all that was not simulated")
    for text in dict.fromkeys(row.not_simulated for row in rows if row.not_simulated):
        page.line(f"not simulated: {text}")


def _figure(row: ChoiceFacts, of: FigureFacts) -> str:
    return written(row.figures.get(of.name), of.unit, of.mark)


def _value(row: ChoiceFacts, name: str) -> str:
    if name == "variant":
        return row.variant
    return str(row.configuration.get(name, UNKNOWN))


def _different(report: TuneReport, one: MachineFacts, page: Page) -> None:
    """List what computes something else, those that fail alike together."""
    page.line("")
    verb = "computes" if len(one.different) == 1 else "compute"
    page.line(
        f"{plural(len(one.different), 'choice')} {verb} something else, and count for nothing:"
    )
    kinds: dict[str, list[ChoiceFacts]] = {}
    for choice in one.different:
        kinds.setdefault(choice.kind or "", []).append(choice)
    page.items([_alike(report, *each, every=page.style.verbose) for each in kinds.items()])


def _alike(report: TuneReport, kind: str, choices: Sequence[ChoiceFacts], *, every: bool) -> str:
    names = _some([name_of(report, choice) for choice in choices], every=every)
    first = "" if len(choices) == 1 else "the first: "
    return f"{names}: {kind}; {first}{choices[0].reason}"


def _some(names: Sequence[str], *, every: bool) -> str:
    """List choices; what all begin with is written once: ``block=32, 64, 96``."""
    shown = names if every else names[:_NAMED]
    more = f" and {len(names) - len(shown):,} more" if len(shown) < len(names) else ""
    begin = f"{names[0].partition('=')[0]}="
    if all(name.startswith(begin) and " " not in name for name in names):
        shown = [shown[0], *(name.removeprefix(begin) for name in shown[1:])]
    return ", ".join(shown) + more


def _not_measured(one: MachineFacts, page: Page) -> None:
    number = sum(len(each.choices) for each in one.not_measured)
    page.line("")
    page.line(f"{plural(number, 'choice')} could not be measured:")
    lines = []
    for each in one.not_measured:
        first = configuration(each.choices[0])
        such = first if len(each.choices) == 1 else f"{len(each.choices):,} such as {first}"
        lines.append(f"{such}: {each.reason}")
    page.items(lines, None if page.style.verbose else _NAMED, " reasons (--verbose)")


def _common(report: TuneReport, page: Page) -> None:
    """Say which one choice does best on all machines, where it is more than the default."""
    found = report.common_choice
    if found is None:
        return
    of = ", of those simulated on all" if report.refined else ""
    name, words = common_words(report, found.choice)
    page.heading(f"one choice for all {found.parts:,} machines{of}: {words}")
    if found.worst_ratio == 1.0:
        page.line(f"{name} is the best on each of them")
        return
    sign = SIGNS[report.marks["common_choice.worst_ratio"]]
    page.line(
        f"{name} takes {found.geometric_mean_ratio:.3f}{sign} times as long as the best on each in "
        f"the geometric mean, {found.worst_ratio:.3f}{sign} at worst "
        f"({configuration(found.worst_of)})"
    )


def _rests_on(report: TuneReport, page: Page) -> None:
    rows = [row for one in report.machines for row in (*one.choices, *one.different)]
    kinds = dict.fromkeys(row.trace for row in rows if row.trace is not None)
    texts = [(f"traces are {kind}", sum(row.trace == kind for row in rows)) for kind in kinds]
    texts += [(one.text, one.rows) for one in report.assumptions]
    page.heading("what this rests on")
    page.items([*check_words(report), *advice(report)])
    if texts:
        assumption_items(page, texts, len(rows))
