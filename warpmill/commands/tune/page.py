"""The page of ``tune``: for each machine what is best and by how much, and what is set apart.

And its choices as CSV: a row for each on each machine, a column for what is varied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from warpmill.commands.sweep.page_parts import (
    axis_columns,
    axis_lines,
    bound_column,
    column_names,
    common_line,
    configuration,
    figure_columns,
    names_of_axes,
    provenance,
    reason_items,
    room_beside,
    row_of,
    varied,
)
from warpmill.commands.tune.result import TuneReport
from warpmill.report.fields import flat
from warpmill.report.page import Page, figure, signed_percent
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import plural
from warpmill.sweeps.figures import TIME
from warpmill.sweeps.space import Value
from warpmill.sweeps.summary import grouped
from warpmill.tuning.model import VARIANT, Choice, MachineTuning

_NAMED = 8
"""Choices that are named where many share a reason."""


_CHARTS = Charts("warpmill.commands.tune.charts:charts")


def _head(page: Page, report: TuneReport) -> None:
    page.title(f"tune: {report.target}")


def _facts(report: TuneReport) -> Iterator[tuple[str, str]]:
    yield plural(len(report.kernels), "kernel").partition(" ")[2], ", ".join(report.kernels)
    for one in report.tuned.wanted.variants[1:]:
        of = "" if one.kernel is None else f": {one.kernel}"
        yield "variant", f"{one.name} ({one.file}{of})"
    yield from axis_lines(report.axes)
    for condition in report.conditions:
        yield "where", condition
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    yield "default", default_words(report) or "the launch as it is"


def _machines(page: Page, report: TuneReport) -> None:
    for one in report.tuned.machines:
        page.title(verdict(report, one))
        words = uncompared_words(report, one)
        if words is not None:
            page.line(words)
        _CHARTS.add(page, Reader((report, one)))
        if one.choices:
            _table(report, one, page)
        if one.different:
            _different(report, one, page)
        if one.failures:
            _not_measured(one, page)


@dataclass(frozen=True)
class _Choices:
    """Choices that a table shows."""

    choices: list[Choice]


def _shown(report: TuneReport, one: MachineTuning, *, every: bool) -> list[Choice]:
    """The best choices, and the default below them where it is not one of these."""
    shown = list(one.choices if every else one.choices[: report.tuned.wanted.top])
    if any(choice.is_default for choice in shown) or one.default.row.problem is not None:
        return shown
    return [*shown, one.default]


def _table(report: TuneReport, one: MachineTuning, page: Page) -> None:
    verbose = page.style.verbose
    rows = _shown(report, one, every=verbose)
    closer = any(row.simulated_us is not None for row in rows)
    others = (
        () if report.tuned.wanted.refine and not verbose else ("occupancy_fraction", "ctas_per_sm")
    )
    figures = ["time_us", *(name for name in others if name in report.figures)]
    room = room_beside(page.style.width, len(figures) + 1 + closer)
    axes = axis_columns(report.axes, varied(report.axes), room, "row.")
    columns = (
        Shown("row.rank", "#"),
        *([Shown("variant")] if len(report.tuned.wanted.variants) > 1 else []),
        *axes,
        Shown("simulated_us"),
        *figure_columns(report.figures, figures, "row."),
        Shown("speedup", told=partial(_lead, refined=report.tuned.wanted.refine > 0)),
        bound_column("row."),
        Shown("", "Result", words=result_words),
    )
    words = [n for n, c in enumerate(columns) if c in axes or c.path in {"variant", "row.bound"}]
    left = (*words, len(columns) - 1)
    table = Table("Configurations, fastest first", "choices", columns, len(rows), left, wrap=(1,))
    table.add(page, Reader(_Choices(rows)))
    more = len(one.choices) - sum(row.row.rank is not None for row in rows)
    if more:
        page.line(f"and {more:,} more (--top, --verbose)")
    if closer:
        page.line("simulated execution: without launching, which the duration has in it")
    if report.tuned.wanted.refine and not all(row.is_simulated for row in rows):
        page.line("in parentheses: by estimates, as all that was not simulated")
    for text in dict.fromkeys(row.not_simulated for row in rows if row.not_simulated):
        page.line(f"not simulated: {text}")


def _lead(row: Reader, *, refined: bool) -> str | None:
    return lead(row.subject.speedup, apart=refined and not row.subject.is_simulated)


def _different(report: TuneReport, one: MachineTuning, page: Page) -> None:
    """List what computes something else, those that fail alike together."""
    page.line("")
    verb = "computes" if len(one.different) == 1 else "compute"
    page.line(
        f"{plural(len(one.different), 'choice')} {verb} something else, and count for nothing:"
    )
    kinds: dict[str, list[Choice]] = {}
    for choice in one.different:
        kinds.setdefault((choice.verdict and choice.verdict.kind) or "", []).append(choice)
    page.items([_alike(report, *each, every=page.style.verbose) for each in kinds.items()])


def _alike(report: TuneReport, kind: str, choices: Sequence[Choice], *, every: bool) -> str:
    names = _some([name_of(report, choice) for choice in choices], every=every)
    first = "" if len(choices) == 1 else "the first: "
    return f"{names}: {kind}; {first}{_reason(choices[0])}"


def _some(names: Sequence[str], *, every: bool) -> str:
    """List choices; what all begin with is written once: ``block=32, 64, 96``."""
    shown = names if every else names[:_NAMED]
    more = f" and {len(names) - len(shown):,} more" if len(shown) < len(names) else ""
    begin = f"{names[0].partition('=')[0]}="
    if all(name.startswith(begin) and " " not in name for name in names):
        shown = [shown[0], *(name.removeprefix(begin) for name in shown[1:])]
    return ", ".join(shown) + more


def _not_measured(one: MachineTuning, page: Page) -> None:
    page.line("")
    page.line(f"{plural(len(one.failures), 'choice')} could not be measured:")
    found = grouped(one.failures, lambda row: [row.problem or ""])
    names = [name for name in one.failures[0].configuration if name != "machine"]
    reasons = {text: [one.failures[n] for n in rows] for text, rows in found.items()}
    reason_items(page, reasons, names)


def _common(page: Page, report: TuneReport) -> None:
    """Which one choice does best on all machines, where it is more than the default."""
    found = report.tuned.common
    if found is None:
        return
    of = ", of those simulated on all" if report.tuned.wanted.refine else ""
    name, words = common_words(report, found.choice)
    page.title(f"best for all {found.parts:,} machines{of}: {words}")
    common_line(page, found, name)


def _rests_on(page: Page, report: TuneReport) -> None:
    rows = (c.row for one in report.tuned.machines for c in (*one.choices, *one.different))
    provenance(page, rows, report.assumptions, [*comparison_words(report), *advice(report)])
    page.heading("Launch and configurations")
    page.facts(_facts(report))


# How ``tune`` says what is best, what was executed, and what one could do.


def name_of(report: TuneReport, choice: Choice) -> str:
    """A choice as it is typed: ``block=128``, ``unroll4``, ``unroll4 block=128``."""
    names = varied(report.axes)
    own = {name: value for name, value in choice.row.configuration.items() if name in names}
    several = len(report.tuned.wanted.variants) > 1
    return _named({VARIANT: choice.variant, **own} if several else own) or choice.variant


def _named(own: Mapping[str, Value]) -> str:
    rest = configuration({name: value for name, value in own.items() if name != VARIANT})
    return " ".join(word for word in (str(own.get(VARIANT, "")), rest) if word)


def default_words(report: TuneReport) -> str:
    """Values of the default on the varied axes; empty where nothing is varied."""
    own = report.tuned.machines[0].default.row.configuration
    return configuration({name: own[name] for name in varied(report.axes) if name in own})


def verdict(report: TuneReport, one: MachineTuning) -> str:
    """Sentence about the best choice on a machine, and by how much it is."""
    if one.outcome == "nothing":
        return f"{one.machine}: {_nothing(one)}"
    if one.outcome == "not compared":
        return f"{one.machine}: no choice is recommended: {_uncompared(report)}"
    best = one.best
    assert best is not None
    name, words = name_of(report, best), default_words(report)
    default = f"the default ({words})" if words else "the default"
    if one.outcome == "no default":
        problem = one.default.row.problem
        why = "could not be simulated" if problem is None else f"does not run: {problem}"
        return f"{one.machine}: {name} is the fastest; {default} {why}"
    if one.outcome == "as good":
        share = f"{report.noticeable_fraction:.0%}"
        more = "" if one.choices[0].is_default else f": nothing is more than {share} faster"
        return f"{one.machine}: {default} is as good as any{more}"
    times = f"{_time(best)} µs instead of {_time(one.default, like=best)} µs"
    return (
        f"{one.machine}: {name} is {_faster(best.speedup)} {default}: {times}, {_by(report, best)}"
    )


def _reason(choice: Choice) -> str | None:
    return None if choice.verdict is None else choice.verdict.reason


def _uncompared(report: TuneReport) -> str:
    if report.comparison is None:
        return "nothing was compared (--no-compare)"
    return "none that is faster is known to compute what the default does"


def uncompared_words(report: TuneReport, one: MachineTuning) -> str | None:
    """Choice that would be faster, were it known to compute the same; None: there is none."""
    first = one.uncompared
    if first is None:
        return None
    name, words = name_of(report, first), default_words(report)
    default = f"the default ({words})" if words else "the default"
    than = "" if first.speedup is None else f" {_faster(first.speedup)} {default}"
    time = f"{_time(first)} µs, {_by(report, first)}"
    reason = _reason(first) or (
        "it was not executed"
        if report.comparison
        else "nothing was executed; leave out --no-compare"
    )
    return f"{name} would be{than} ({time}); whether it computes the same is unknown: {reason}"


def _nothing(one: MachineTuning) -> str:
    if one.different:
        return "no choice that runs computes what the default does"
    return "no choice can be measured"


def _faster(speedup: float | None) -> str:
    assert speedup is not None
    if speedup >= 2:
        return f"{speedup:.2f} times as fast as"
    return f"{speedup - 1:.0%} faster than"


def _time(choice: Choice, like: Choice | None = None) -> str:
    """The time that counts: simulated where the choice it is compared with has one."""
    if (like or choice).simulated_us is not None:
        return figure(choice.simulated_us)
    return figure(choice.row.figures.get(TIME))


def _by(report: TuneReport, choice: Choice) -> str:
    simulated = choice.simulated_us is not None
    return "simulated, without launching" if simulated else f"{report.engine}d"


def lead(speedup: float | None, *, apart: bool = False) -> str | None:
    """By how much a choice is faster or slower than the default: ``+12.0%``, ``3.10 x``.

    ``apart``: by times of another kind than those above, in parentheses.
    """
    if speedup is None:
        return None
    text = f"{speedup:.2f} x" if speedup >= 2 else signed_percent(speedup - 1)
    return f"({text})" if apart else f"{text}"


def result_words(choice: Choice) -> str:
    """Whether a choice computes the same, as a cell of a table."""
    if choice.is_default:
        return "default"
    apart = None if choice.verdict is None else choice.verdict.difference_fraction
    if choice.result == "same" and apart:
        return f"same ±{_power(apart)}"
    return choice.result


def _power(share: float) -> str:
    return f"{share:.0e}".replace("e-0", "e-")


def common_words(report: TuneReport, choice: Mapping[str, Value]) -> tuple[str, str]:
    """The one choice for all machines, and what it gains over the default."""
    name, speedup = _named(choice), report.tuned.common_speedup
    if speedup is None:
        return name, name
    if speedup < 1 + report.noticeable_fraction:
        return name, "the default is as good as any"
    return name, f"{name}, {_faster(speedup)} the default in the geometric mean"


def comparison_words(report: TuneReport) -> Iterator[str]:
    """Sentence about what was executed, how results were compared, and what that leaves open."""
    made = report.comparison
    if made is None:
        yield (
            "nothing was executed (--no-compare): a block that the kernel was not written for is "
            "fast and wrong"
        )
        return
    if made.runs:
        sizes = ", ".join(f"{name}={value}" for name, value in made.sizes.items())
        runs = plural(made.runs, "run") + (f" at {sizes}" if sizes else "")
        if made.sizes_are_chosen:
            runs += (
                f" (chosen: the launch as it is takes more than {made.max_instructions:,} thread "
                "instructions; --compare-size names others)"
            )
        if made.data_are_random:
            runs += ", of random numbers (--arg and launch files say what buffers hold)"
        yield (
            f"results: {runs}; all buffers are compared with those that the default leaves, f32 "
            f"within {_power(made.tolerances['f32'])}"
        )
    rows = [row for one in report.tuned.machines for row in one.choices]
    reasons = dict.fromkeys(_reason(row) for row in rows if row.result == "unknown")
    for reason in list(reasons)[:3]:
        yield f"unknown: {reason}"
    left = sum(row.result == "not executed" for row in rows)
    if left:
        yield (
            f"{plural(left, 'choice')} behind the best {made.best:,} of a machine "
            f"{'was' if left == 1 else 'were'} not executed (--top N)"
        )


def advice(report: TuneReport) -> Iterator[str]:
    """Further commands to run."""
    if any(axis.name == "regs" for axis in report.axes):
        yield "registers: what a compiler would spill for want of them is not counted"
    if report.engine == "estimate" and not report.tuned.wanted.refine:
        yield "times are estimates; --refine N simulates the best on a whole GPU"


PAGE = (Special(_head), Special(_machines), Special(_common), Special(_rests_on))

COLUMNS = (
    "machine", "rank", "variant", "<axis>", "is_default", "<figure>", "speedup", "simulated_us",
    "bound", "trace", "launch_grid", "launch_block", "result", "difference_fraction", "reason",
    "mark",
)  # fmt: skip
"""``<axis>`` and ``<figure>`` stand for as many columns as there are axes and figures."""


def _names(report: TuneReport) -> dict[str, list[str]]:
    return column_names(report, COLUMNS)


def _rows(report: TuneReport) -> Iterator[CsvRow]:
    """Machine by machine, the best first, then what is none."""
    axes, mark = names_of_axes(report, COLUMNS), report.figures[TIME].mark
    for one in report.tuned.machines:
        for choice in _listed(one):
            yield {
                **row_of(choice.row, axes),
                **flat(choice, but=("row", "verdict")),
                **({} if choice.verdict is None else flat(choice.verdict)),
                "variant": choice.variant,
                "machine": one.machine,
                "mark": mark,
            }
        for row in one.failures:
            yield {
                **row_of(row, axes),
                "variant": row.configuration[VARIANT],
                "machine": one.machine,
                "result": "not measured",
                "mark": "exact",
            }


def _listed(one: MachineTuning) -> Iterator[Choice]:
    """The choices that were measured, and first the default where it is none of them."""
    if one.default.row.rank is None and one.default.row.problem is None:
        yield one.default
    yield from one.choices
    yield from one.different


TUNE = CsvTable(COLUMNS, _rows, _names)
