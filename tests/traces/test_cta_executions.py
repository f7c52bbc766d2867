"""Counting what CTAs execute where they depend on each other: from the first on it can be told."""

from __future__ import annotations

import numpy as np

from warpmill.session.options import TraceOptions
from warpmill.session.prepare import jobs_of
from warpmill.session.traces import trace_source


def test_the_first_ctas_of_a_launch_are_counted_whatever_they_share():
    (job,) = jobs_of("bfs:tiny", launches=0)
    source = trace_source(job, TraceOptions("executed"))
    x, y, z = job.launch.grid
    assert (y, z) == (1, 1)
    ctas = [(k, 0, 0) for k in range(x)]
    assert source.executions(ctas[1:]) is None  # the first one may store what they load
    found = source.executions(ctas)
    batches = list(source.batches(ctas))
    wanted = sum(np.bincount(b.block, minlength=len(job.kernel.blocks)) for b in batches)
    counted = [sum(one.get(k, 0) for one in found) for k in range(len(job.kernel.blocks))]
    assert counted == wanted.tolist()
    assert len(found) == x
