"""What was issued over time, as the engine counts it in bins."""

from __future__ import annotations

import numpy as np

from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.pool import Numbers
from warpmill.simulator.gpu.state import State


def issued_by(state: State) -> tuple[Numbers, Numbers]:
    """Give cycles, and the warp instructions of all SMs by then, from bin to bin."""
    width = int(state.words[f.G_BIN_CYCLES])
    counts = state.part(f.AT_BIN, state.number(f.BINS), f.BIN_FIELDS)
    total = np.cumsum([0, *counts[:, f.B_INSTRUCTIONS].tolist()])
    used = int(np.searchsorted(total, total[-1])) + 1
    return np.arange(used) * width, total[:used]
