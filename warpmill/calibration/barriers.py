"""How many threads an SM counts a cycle that come to a barrier of their CTA.

A barrier opens when the last warp has come, so that each warp of a CTA makes it longer by as long
as an SM takes to count one.
"""

from __future__ import annotations

from warpmill.calibration.chain_costs import Chain, Shape, chain_costs
from warpmill.calibration.figures import Figure, slope
from warpmill.calibration.findings import Missing, Part, found
from warpmill.calibration.machine_code import instructions
from warpmill.calibration.probes import Runner
from warpmill.codegen.microbench.frame import WARP
from warpmill.codegen.microbench.operations import measured_operations

KEY = "lanes.barrier"
_WARPS = (4, 8, 16, 32)
_AS_SLOW = 0.85
_HOW = "barriers of one CTA, by its warps"


def barriers(runner: Runner, issue: Figure) -> Part:
    """Measure what each warp of a CTA adds to a barrier.

    ``issue`` is what an SM takes to issue an instruction: where those of a warp's barrier take as
    long, it counts at least as fast as was found.
    """
    target, operation = runner.target, measured_operations()["barrier"]
    most = min(target.max_block // WARP, target.max_warps)
    numbers = [n for n in _WARPS if n <= most]
    if len(numbers) < 2:
        return Part((), (Missing(KEY, f"a CTA has {most} warps at most"),))
    chains = [Chain(operation, Shape(n, 1, 1, n * WARP)) for n in numbers]
    costs = [cost.value for cost in chain_costs(runner, chains)]
    each = slope(numbers, costs)
    if each.value <= 0.0:
        return Part((), (Missing(KEY, "barriers of more warps take no longer"),))
    hidden = issue.value * instructions(operation, target) >= _AS_SLOW * each.value
    finding = found(
        KEY,
        each.over(WARP),
        _HOW,
        "least" if hidden else None,
        "a barrier's instructions are issued no faster" if hidden else "",
    )
    return Part((finding,))
