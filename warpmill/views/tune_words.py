"""How ``tune`` says what is best, what was executed, and what one could do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warpmill.reports.base import Mark
from warpmill.reports.configurations import Scalar
from warpmill.reports.tune import ChoiceFacts, MachineFacts, TuneReport
from warpmill.tuning.model import VARIANT
from warpmill.views.page import SIGNS, UNKNOWN, figure, signed_percent
from warpmill.views.sweep_parts import configuration, varied
from warpmill.views.words import plural

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
