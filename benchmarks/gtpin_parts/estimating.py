"""The estimated time of each launch of an application, as `sample --target-error` takes it.

Traces are executed: of each launch those of one round of CTAs, the other CTAs run natively.
Launches that are equal in kernel, grid, block, arguments and executed warp instructions are
estimated once.
"""

from __future__ import annotations

import time

from simulator.machines import load_machine
from warpmill.estimates import estimate
from warpmill.sampled_launches import sampled_launches
from warpmill.sampling.simulating import EXECUTED


def estimated(target, machine):
    """Estimate all launches: cycles of each, how many were estimated, and the CPU seconds."""
    app, on = sampled_launches(target), load_machine(machine)
    begin = time.process_time()
    analyses, known, cycles = {}, {}, []
    for one, job in zip(app.launches, app.jobs, strict=True):
        key = equal_key(one, job)
        if key not in known:
            if id(job.kernel) in analyses:  # the same static facts, which each job would find anew
                vars(job)["analysis"] = analyses[id(job.kernel)]
            analyses[id(job.kernel)] = job.analysis
            known[key] = estimate(job, on, trace_options=EXECUTED).cycles
        cycles.append(known[key])
    return {
        "launch_cycles": cycles,
        "estimated": len(known),
        "cpu_s": time.process_time() - begin,
    }


def equal_key(counts, job):
    """Tell which launches are equal, as far as their arguments and their work say."""
    return (
        id(job.kernel),
        counts.grid,
        counts.block,
        job.launch.dynamic_shared_bytes,
        counts.arguments,
        counts.warp_instructions,
    )
