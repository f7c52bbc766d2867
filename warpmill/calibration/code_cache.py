"""The instruction cache of an SM: what an instruction takes by how long the code of a loop is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from warpmill.calibration.chain_costs import shape, turn_costs
from warpmill.calibration.figures import multiples
from warpmill.calibration.findings import Curve, Missing, Part, found
from warpmill.calibration.knees import knee, rough
from warpmill.calibration.machine_code import instructions
from warpmill.calibration.probes import Reading, Runner
from warpmill.codegen.microbench.operations import measured_operations
from warpmill.codegen.microbench.sweeps import back_to_front

_OPERATION, _COPIES = "fp32_fma", 4
"""One instruction on every chip, so that the length of a loop is told finely."""
_FIRST_BYTES, _LAST_BYTES = 1 << 14, 1 << 18
_RISE = 1.1


@dataclass(frozen=True)
class CodeRuler:
    """Loops of so many machine instructions that wait for nothing, gone round by one warp.

    Their blocks are gone through from the last to the first: prefetchers look ahead.
    """

    runner: Runner
    stride_bytes: int

    @property
    def granule(self) -> int:
        """Instructions of a block: loops are so many times as long."""
        return 1 + _COPIES * instructions(measured_operations()[_OPERATION], self.runner.target)

    def hops(self, counts: Sequence[int]) -> list[Reading]:
        """Measure loops of so many instructions: cycles an instruction."""
        chip, one = self.runner.target.chip, shape(self.runner.target, 1, 1)
        whole = [multiples(n, self.granule) for n in counts]
        loops = [(back_to_front(n // self.granule, _COPIES, chip), one) for n in whole]
        costs = turn_costs(self.runner, loops)
        return [
            Reading(tuple(c / n for c in cost.cycles), tuple(s / n for s in cost.seconds))
            for cost, n in zip(costs, whole, strict=True)
        ]


def code_cache(runner: Runner, first: int = _FIRST_BYTES, last: int = _LAST_BYTES) -> Part:
    """Find the instruction cache of an SM, by loops of ``first`` to ``last`` bytes of code."""
    ruler = CodeRuler(runner, runner.target.instruction_bytes)
    footprints = [first << k for k in range((last // first).bit_length())]
    costs = [one.typical for one in ruler.hops([f // ruler.stride_bytes for f in footprints])]
    points = tuple(zip(map(float, footprints), costs, strict=True))
    curves = (Curve("footprint", "instructions", "footprint B", "cycles an instruction", points),)
    rise = next((k for k, (a, b) in enumerate(pairwise(costs)) if b > _RISE * a), None)
    about = None if rise is None else rough(ruler, footprints[rise], footprints[-1])
    end = None if about is None else knee(ruler, about)
    if end is None:
        words = f"code up to {last >> 10} KiB takes no longer an instruction"
        missing = tuple(Missing(key, words) for key in ("icache.l1_bytes", "icache.ways"))
        return Part((), missing, curves)
    findings = [
        found("icache.l1_bytes", end.size_bytes, "length of code from which it takes longer")
    ]
    if end.ways is not None:
        ways = replace(end.ways, value=max(1.0, float(round(end.ways.value))))  # whole ones
        findings.append(found("icache.ways", ways, "how steeply that grows"))
    return Part(tuple(findings), (), curves)
