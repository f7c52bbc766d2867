"""Which instructions a scheduler issues together where it has two issue slots a cycle.

Kepler, Maxwell and Pascal schedulers pick one warp a cycle, and issue its next instruction and the
one behind it where they do not depend on each other (CUDA C++ programming guide, compute
capability 3.x: two independent instructions for one of its warps). So the second slot is of use
for what can be paired alone, and not for two warps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpmill.simulator.estimate.pipeline import Code


def paired(code: Code, issues: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which operations are issued in pairs: each single, behind one that it does not need.

    ``issues`` are the machine instructions of each operation. What issues none, and only passes on
    what others wrote, stands between without being in the way. Pairs do not reach over the ends of
    blocks; nothing is issued with a barrier, as its warp stops there.
    """
    found = np.zeros(len(issues), np.bool_)
    source, target = code.source.tolist(), code.target.tolist()
    sources, targets = code.sources.tolist(), code.targets.tolist()
    single, barrier = (issues == 1.0).tolist(), code.barrier.tolist()
    issued = (issues > 0.0).tolist()
    for begin, end in zip(code.first[:-1].tolist(), code.first[1:].tolist(), strict=True):
        first = -1  # what may have a second one
        made: set[int] = set()
        for op in range(begin, end):
            reads = sources[source[op] : source[op + 1]]
            writes = targets[target[op] : target[op + 1]]
            depends = not made.isdisjoint(reads) or not made.isdisjoint(writes)
            if not issued[op]:
                if depends:
                    made.update(writes)
                continue
            if first >= 0 and single[op] and not barrier[op] and not depends:
                found[[first, op]] = True
                first = -1
                continue
            first = op if single[op] and not barrier[op] else -1
            made = set(writes)
    return found
