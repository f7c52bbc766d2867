"""Launches: how fast CTAs begin, and on a GPU what a launch takes beside its kernel."""

from __future__ import annotations

from warpmill.calibration.figures import Figure, combined, slope_of_readings
from warpmill.calibration.findings import Finding, Part, found
from warpmill.calibration.probes import Probe, Runner, Zeros
from warpmill.codegen.microbench.empty import empty
from warpmill.codegen.microbench.frame import WARP, Microbench

_QUEUES = (
    ("launch.event_us", 1, False, "events around one kernel that does nothing"),
    ("launch.back_to_back_us", 256, False, "launches in a row of a kernel that does nothing"),
    ("launch.serial_us", 256, True, "likewise, queued behind a long kernel"),
)
_CTAS = (2, 4, 6)
"""CTAs that are launched, in times of what all SMs hold about."""

_LONGER = 32
"""Links of a chain that lets CTAs live for longer: free where launching is slower."""
_AS_FAST = 1.1


def launching(runner: Runner) -> Part:
    """Measure the rate at which CTAs of a kernel that does nothing begin.

    Where they begin no faster than others end, CTAs that live for longer begin more slowly.
    """
    chip = runner.target.chip
    bench = empty(chip)
    each, longer = (_cycles_a_cta(runner, one) for one in (bench, empty(chip, _LONGER)))
    hidden = longer.value > _AS_FAST * each.value
    findings: list[Finding] = [
        found(
            "launch.blocks_per_clk",
            each.over(1.0),
            "CTAs of a kernel that does nothing",
            "least" if hidden else None,
            "the SMs end no more of them" if hidden else "",
        )
    ]
    one = Probe(bench, 1, 1, WARP, (), Zeros(8))
    for key, count, behind, how in _QUEUES:
        times = runner.queued_us(one, count, behind=behind)
        if times is not None:
            findings.append(found(key, combined([Figure(t, 0.0) for t in times]), how))
    return Part(tuple(findings))


def _cycles_a_cta(runner: Runner, bench: Microbench) -> Figure:
    counts = [n * runner.target.sms * 32 for n in _CTAS]
    readings = runner.read([Probe(bench, 1, n, WARP, (), Zeros(8)) for n in counts])
    return slope_of_readings(counts, readings)
