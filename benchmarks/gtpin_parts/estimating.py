"""The estimated time of each launch of an application, as `sample --target-error` takes it.

Traces are executed: of each launch those of one round of CTAs, the other CTAs run natively.
"""

from __future__ import annotations

import time

from warpmill.sampling.runs import EXECUTED, estimated_times
from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.machines import load_machine


def estimated(target, machine):
    """Estimate all launches: cycles of each, how many were estimated, and the CPU seconds."""
    app, on = sampled_launches(target), load_machine(machine)
    begin = time.process_time()
    found = estimated_times(app, on, EXECUTED)
    return {
        "launch_cycles": list(found.cycles),
        "estimated": found.estimated,
        "cpu_s": time.process_time() - begin,
    }
