"""The page of ``tune``: for each machine what is best and by how much, and what is set apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warpmill.commands.sweep.configurations import FigureFacts, Scalar
from warpmill.commands.sweep.page_parts import (
    assumption_items,
    axis_lines,
    bound_words,
    configuration,
    varied,
    written,
)
from warpmill.commands.tune.result import ChoiceFacts, MachineFacts, TuneReport
from warpmill.report.base import Mark
from warpmill.report.page import SIGNS, UNKNOWN, Page, figure, signed_percent
from warpmill.report.words import plural
from warpmill.tuning.model import VARIANT

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
    page.heading(f"best for all {found.parts:,} machines{of}: {words}")
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
    page.heading("assumptions and provenance")
    page.items([*check_words(report), *advice(report)])
    if texts:
        assumption_items(page, texts, len(rows))


# How ``tune`` says what is best, what was executed, and what one could do.

_MODELLED = SIGNS[Mark.MODELLED]


def name_of(report: TuneReport, choice: ChoiceFacts) -> str:
    """Write a choice as it is typed: ``block=128``, ``unroll4``, ``unroll4 block=128``."""
    names = varied(report.axes)
    own = {name: value for name, value in choice.configuration.items() if name in names}
    several = len(report.variants) > 1
    return _named({VARIANT: choice.variant, **own} if several else own) or choice.variant


def _named(own: Mapping[str, Scalar]) -> str:
    rest = configuration({name: value for name, value in own.items() if name != VARIANT})
    return " ".join(word for word in (str(own.get(VARIANT, "")), rest) if word)


def default_words(report: TuneReport) -> str:
    """Say what the default has of what is varied; empty where that is nothing."""
    own = report.machines[0].default.configuration
    return configuration({name: own[name] for name in varied(report.axes) if name in own})


def verdict(report: TuneReport, one: MachineFacts) -> str:
    """Say in one sentence what is best on a machine, and by how much."""
    if one.outcome == "nothing":
        return f"{one.machine}: {_nothing(one)}"
    if one.outcome == "unchecked":
        return f"{one.machine}: no choice is recommended: {_unchecked(report)}"
    best = best_of(one)
    assert best is not None
    name, words = name_of(report, best), default_words(report)
    default = f"the default ({words})" if words else "the default"
    if one.outcome == "no default":
        if one.default_reason is None:
            return f"{one.machine}: {name} is the fastest; {default} could not be simulated"
        return f"{one.machine}: {name} is the fastest; {default} does not run: {one.default_reason}"
    if one.outcome == "as good":
        share = f"{report.noticeable_fraction:.0%}"
        more = "" if one.choices[0].is_default else f": nothing is more than {share} faster"
        return f"{one.machine}: {default} is as good as any{more}"
    times = f"{_time(best)} µs instead of {_time(one.default, like=best)} µs"
    return (
        f"{one.machine}: {name} is {_faster(best.speedup)} {default}: {times}, {_by(report, best)}"
    )


def best_of(one: MachineFacts) -> ChoiceFacts | None:
    """The best of the choices that are known to compute what the default does."""
    return None if one.best_rank is None else one.choices[one.best_rank - 1]


def _unchecked(report: TuneReport) -> str:
    if report.check is None:
        return "nothing was checked (--no-check)"
    return "none that is faster is known to compute what the default does"


def unchecked_words(report: TuneReport, one: MachineFacts) -> str | None:
    """Say what would be faster, were it known to compute the same; None: nothing."""
    if one.unchecked_rank is None:
        return None
    first = one.choices[one.unchecked_rank - 1]
    name, words = name_of(report, first), default_words(report)
    default = f"the default ({words})" if words else "the default"
    than = "" if first.speedup is None else f" {_faster(first.speedup)} {default}"
    time = f"{_time(first)} µs, {_by(report, first)}"
    reason = first.reason or (
        "it was not executed" if report.check else "nothing was executed; leave out --no-check"
    )
    return f"{name} would be{than} ({time}); whether it computes the same is unknown: {reason}"


def _nothing(one: MachineFacts) -> str:
    if one.different:
        return "no choice that runs computes what the default does"
    return "no choice can be measured"


def _faster(speedup: float | None) -> str:
    assert speedup is not None
    if speedup >= 2:
        return f"{speedup:.2f}{_MODELLED} times as fast as"
    return f"{speedup - 1:.0%}{_MODELLED} faster than"


def _time(choice: ChoiceFacts, like: ChoiceFacts | None = None) -> str:
    """Write the time that counts: simulated where the choice it is compared with has one."""
    if (like or choice).simulated_us is not None:
        return figure(choice.simulated_us, Mark.MODELLED)
    return figure(choice.figures.get("time_us"), Mark.MODELLED)


def _by(report: TuneReport, choice: ChoiceFacts) -> str:
    simulated = choice.simulated_us is not None
    return "simulated, without launching" if simulated else f"{report.engine}d"


def lead(speedup: float | None, *, apart: bool = False) -> str:
    """Write by how much a choice is faster or slower than the default: ``+12.0%~``, ``3.10 x~``.

    ``apart``: by times of another kind than those above, in parentheses.
    """
    if speedup is None:
        return UNKNOWN
    text = f"{speedup:.2f} x" if speedup >= 2 else signed_percent(speedup - 1)
    return f"({text}{_MODELLED})" if apart else f"{text}{_MODELLED}"


def result_words(choice: ChoiceFacts) -> str:
    """Say whether a choice computes the same, as a cell of a table."""
    if choice.is_default:
        return "default"
    if choice.result == "same" and choice.difference_fraction:
        return f"same ±{_power(choice.difference_fraction)}"
    return choice.result


def _power(share: float) -> str:
    return f"{share:.0e}".replace("e-0", "e-")


def common_words(report: TuneReport, choice: Mapping[str, Scalar]) -> tuple[str, str]:
    """Name the one choice for all machines, and say what it gains over the default."""
    name, speedup = _named(choice), report.common_speedup
    if speedup is None:
        return name, name
    if speedup < 1 + report.noticeable_fraction:
        return name, "the default is as good as any"
    return name, f"{name}, {_faster(speedup)} the default in the geometric mean"


def check_words(report: TuneReport) -> Iterator[str]:
    """Say what was executed, how results were compared, and what that leaves open."""
    check = report.check
    if check is None:
        yield (
            "nothing was executed (--no-check): a block that the kernel was not written for is "
            "fast and wrong"
        )
        return
    if check.runs:
        sizes = ", ".join(f"{name}={value}" for name, value in check.sizes.items())
        runs = plural(check.runs, "run") + (f" at {sizes}" if sizes else "")
        if check.sizes_are_chosen:
            runs += (
                f" (chosen: the launch as it is takes more than {check.max_instructions:,} thread "
                "instructions; --check-size names others)"
            )
        if check.data_are_random:
            runs += ", of random numbers (--arg and launch files say what buffers hold)"
        yield (
            f"results: {runs}; all buffers are compared with those that the default leaves, f32 "
            f"within {_power(check.tolerances['f32'])}"
        )
    rows = [row for one in report.machines for row in one.choices]
    reasons = {row.reason: row.kind for row in rows if row.result == "unknown"}
    for reason in list(reasons)[:3]:
        yield f"unknown: {reason}"
    left = sum(row.result == "not executed" for row in rows)
    if left:
        yield (
            f"{plural(left, 'choice')} behind the best {check.best:,} of a machine "
            f"{'was' if left == 1 else 'were'} not executed (--top N)"
        )


def advice(report: TuneReport) -> Iterator[str]:
    """Say what could be looked at more closely."""
    if any(axis.name == "regs" for axis in report.axes):
        yield "registers: what a compiler would spill for want of them is not counted"
    if report.engine == "estimate" and not report.refined:
        yield "times are estimates; --refine N simulates the best on a whole GPU"
