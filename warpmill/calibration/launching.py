"""Launches: how fast CTAs begin, and on a GPU what a launch takes beside its kernel."""

from __future__ import annotations

from codegen.microbench.empty import empty
from codegen.microbench.frame import WARP
from warpmill.calibration.figures import Figure, combined, slope_of_readings
from warpmill.calibration.findings import Finding, Part, found
from warpmill.calibration.probes import Probe, Runner, Zeros

_QUEUES = (
    ("launch.event_us", 1, False, "events around one kernel that does nothing"),
    ("launch.back_to_back_us", 256, False, "launches in a row of a kernel that does nothing"),
    ("launch.serial_us", 256, True, "likewise, queued behind a long kernel"),
)
_CTAS = (2, 4, 6)
"""CTAs that are launched, in times of what all SMs hold about."""


def launching(runner: Runner) -> Part:
    """Measure the rate at which CTAs of a kernel that does nothing begin."""
    target = runner.target
    bench = empty(target.chip)
    counts = [n * target.sms * 32 for n in _CTAS]
    readings = runner.read([Probe(bench, 1, n, WARP, (), Zeros(8)) for n in counts])
    each = slope_of_readings(counts, readings)
    findings: list[Finding] = [
        found("launch.blocks_per_clk", each.over(1.0), "CTAs of a kernel that does nothing")
    ]
    one = Probe(bench, 1, 1, WARP, (), Zeros(8))
    for key, count, behind, how in _QUEUES:
        times = runner.queued_us(one, count, behind=behind)
        if times is not None:
            findings.append(found(key, combined([Figure(t, 0.0) for t in times]), how))
    return Part(tuple(findings))
