"""What it takes to choose of ten thousand launches: those of one application, over and over."""

from __future__ import annotations

import time
from dataclasses import replace

from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.sampling.gtpin import FEATURES, select
from warpmill.simulator.sampling.tbpoint import inter_launch

TARGET = "tvl1-flow:paper-gtpin"
"""The application of most launches."""
LAUNCHES = 10_000


def many(target, launches=LAUNCHES):
    """The CPU seconds of each feature's clustering, a launch an interval, and of TBPoint's."""
    own = sampled_launches(target, ctas=True).launches
    made = [
        replace(one, number=number)
        for number, one in zip(range(launches), own * -(-launches // len(own)), strict=False)
    ]
    select(made[:50], "kernel", "BB")  # libraries load
    seconds = {name: _timed(lambda f=name: select(made, "kernel", f)) for name in FEATURES}
    return {"launches": len(made), "tbpoint_s": _timed(lambda: inter_launch(made)),
            "gtpin_s": seconds, "slowest_s": max(seconds.values())}  # fmt: skip


def _timed(do):
    begin = time.process_time()
    do()
    return time.process_time() - begin
