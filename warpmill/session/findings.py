"""Findings to try first: rules that look at one launch, as those of Nsight Compute do.

A rule reads the ``Evidence`` of a launch, whichever engine it is from, and gives findings: what is
wrong at which line, the figure with its ideal, and what mending it would save. Savings follow from
what the mend takes off each resource and each wait:

    saving = min(Σ share of the time by a cause x the part of it that goes,
                 execution x (1 - the busiest resource that is left))

so that nothing is promised that another resource would keep from coming.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric
from warpmill.analyzer.base.naming import demangle
from warpmill.report.facts import SourcePlace
from warpmill.report.page import figure as number
from warpmill.session import finding_rules, memory_rules
from warpmill.session.evidence import Evidence
from warpmill.session.finding_rules import Mend, times
from warpmill.simulator.resources import LAUNCH

if TYPE_CHECKING:
    from warpmill.simulator.estimate.result import WhatIf

LEAST_SAVING = 0.01
"""Savings below this part of the time are no findings: estimates do not resolve them."""

STANDS_OUT = 0.05
"""Savings below this part of the time are nothing to try first."""

LEAST_EXCESS = 0.05
"""The part of sectors or wavefronts in excess that a profile, which has no times, tells of."""


@dataclass(frozen=True)
class Finding:
    """One thing that costs time, with what mending it would save.

    ``rule`` is Nsight Compute's name where it has one. ``place`` is the line with most of it;
    None: it is of the whole launch. ``figure`` and ``ideal`` are in words, ``text`` says all in one
    sentence. ``speedup_fraction`` is the part of the launch's time that mending it saves at most;
    None: unknown. ``basis`` says how that was computed.
    """

    rule: Annotated[str, Metric("Rule")]
    place: SourcePlace | None
    figure: Annotated[str, Metric("Figure")]
    ideal: Annotated[str, Metric("Ideal")]
    text: Annotated[str, Metric("Finding")]
    speedup_fraction: Annotated[float | None, Metric("Est. speedup", "%", Mark.MODELLED)]
    basis: str
    mark: Mark
    severity: Annotated[float, INTERNAL] = field(default=0.0, compare=False)
    """Rank of findings without a saving: the part of its kind that is in excess."""


RULES = (*memory_rules.RULES, *finding_rules.RULES)

_BASIS = "{parts}; what is left takes {floor:.0%} of the execution at the least"

_LEAST_PART = 0.005
"""Parts of the time below this are not listed in a basis."""


def findings(evidence: Evidence) -> tuple[Finding, ...]:
    """Findings of all rules in a launch, the greatest saving first."""
    made = [_finding(evidence, mend) for rule in RULES for mend in rule(evidence)]
    kept = [one for one in made if _tells(one)]
    return tuple(sorted(kept, key=lambda f: (-(f.speedup_fraction or 0.0), -f.severity)))


def _tells(one: Finding) -> bool:
    if one.speedup_fraction is None:
        return one.severity >= LEAST_EXCESS
    return one.speedup_fraction >= LEAST_SAVING


def _finding(e: Evidence, mend: Mend) -> Finding:
    saved, basis = _saving(e, mend.removed)
    text = f"{mend.what}."
    if saved is not None:
        text = f"{mend.what}: {mend.remedy} would save up to {saved:.0%} of the time."
    return Finding(
        rule=mend.rule,
        place=None if mend.at is None else e.place(mend.at),
        figure=mend.figure,
        ideal=mend.ideal,
        text=text,
        speedup_fraction=saved,
        basis=basis,
        mark=e.mark,
        severity=mend.severity,
    )


def _saving(e: Evidence, removed: Mapping[str, float] | None) -> tuple[float | None, str]:
    """The part of a launch's time that is saved, and how that was worked out."""
    if e.shares is None or e.busy is None:
        return None, "no engine has timed it"
    if removed is None:
        return None, "what mending it brings is not known"
    gone = {cause: min(1.0, part) for cause, part in removed.items() if part > 0}
    direct = fsum(e.shares.get(cause, 0.0) * part for cause, part in gone.items())
    left = [busy * (1.0 - gone.get(name, 0.0)) for name, busy in e.busy.items()]
    floor = max(left, default=0.0)
    execution = 1.0 - e.shares.get(LAUNCH, 0.0)
    most = execution * (1.0 - min(1.0, floor)) + e.shares.get(LAUNCH, 0.0) * gone.get(LAUNCH, 0.0)
    parts = " + ".join(
        f"{part:.0%} of {cause} ({e.shares[cause]:.0%} of the time)"
        for cause, part in gone.items()
        if e.shares.get(cause, 0.0) * part >= _LEAST_PART
    )
    return max(0.0, min(direct, most)), _BASIS.format(parts=parts or "nothing", floor=floor)


# The answer in one to three sentences.


def answer_sentences(
    evidence: Evidence, found: Sequence[Finding], what_ifs: Sequence[WhatIf] = ()
) -> tuple[str, ...]:
    """How long and what bounds it; what spills; how near to the roof; what to try first."""
    spilled = " ".join(one.sentence for one in evidence.spilled)
    each = (_how_long(evidence), spilled, _how_near(evidence), _try_first(found, what_ifs))
    return tuple(sentence for sentence in each if sentence)


def _how_long(e: Evidence) -> str:
    if e.time_us is None:
        kernel, active = demangle(e.jobs[0].kernel.name), e.active_threads
        on = "" if active is None else f" with {times(active)} of {e.warp_size} threads active"
        return f"{kernel} executes {number(round(e.warp_instructions))} warp instructions{on}."
    part = (e.shares or {}).get(LAUNCH, 0.0)
    launch = f", {number(e.launch_us)} µs of it launching" if part >= _LAUNCH_TOLD else ""
    return f"{number(e.time_us)} µs on {e.machine}{launch}, bound by {e.bound}."


_LAUNCH_TOLD = 0.1


def _how_near(e: Evidence) -> str:
    """The nearer of two roofs: that of arithmetic at this intensity, or DRAM's rate."""
    roof = e.roofline
    if roof is not None and roof.kind is not None and roof.roof_gflops:
        part = roof.achieved_gflops / roof.roof_gflops
        at = (
            ""
            if roof.flops_per_dram_byte is None
            else f" at {number(roof.flops_per_dram_byte)} FLOP/B"
        )
        return (
            f"It reaches {part:.0%} of the roofline: {number(roof.achieved_gflops)} of "
            f"{number(roof.roof_gflops)} GFLOP/s{at}."
        )
    if e.dram_gbs is not None and e.dram_gbs[1]:
        rate, most = e.dram_gbs
        return f"DRAM moves {number(rate)} of {number(most)} GB/s, {rate / most:.0%}."
    return ""


_FACTORS = {2.0: "twice", 0.5: "half"}


def _try_first(found: Sequence[Finding], what_ifs: Sequence[WhatIf]) -> str:
    text = _first(found)
    better = [w for w in what_ifs if w.ratio is not None and w.ratio < 1 and not w.within_noise]
    if not better:
        return text
    most = min(better, key=lambda w: w.ratio or 1.0)
    factor = _FACTORS.get(most.factor, f"{number(most.factor)} times")
    part = f"{most.ratio:.2f} of the time"
    return f"{text.removesuffix('.')}; a machine with {factor} the {most.name} would take {part}."


def _first(found: Sequence[Finding]) -> str:
    best = next(iter(found), None)
    if best is None:
        return "No single change stands out: no rule finds one that would save much."
    if best.speedup_fraction is None:
        return f"Look first at this: {best.text}"
    if best.speedup_fraction < STANDS_OUT:
        return f"No single change stands out; the first would be this: {best.text}"
    return f"Try first: {best.text}"
