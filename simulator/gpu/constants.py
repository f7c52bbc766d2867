"""Constants of the timing simulator: units, and what the words of records stand for.

Times are in cycles of the machine's cycle domain. Where less than a cycle counts (pipes, ports,
DRAM) they are in ticks, of which a cycle has TICKS.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from warpmill.simulator.resources import SIMULATED_STATES

TICKS = 256
"""Parts of a cycle."""

NEVER = 1 << 56
"""A time that does not come: what waits for something else to happen."""

NONE = -1
"""No place, and no number."""

# Machines.

ISSUE_TO_NETWORK = 2
"""Cycles from the look-up that misses in L1 to the network's port."""

CODE_SECTOR, PARAMETER_SECTOR = 1 << 41, 1 << 42
"""The first sectors of code and of kernel parameters that come from L2: behind all buffers."""

PARTS_NONE, PARTS_KEPT, PARTS_FILLED, PARTS_FETCHED = range(4)
"""State of sectors written in part, in L2: only that they are; which parts of them; that DRAM
takes whole sectors alone, so that the rest is read when one is written back; and that it is read at
once."""

HASH_LINEAR, HASH_XOR, HASH_POLYNOMIAL = range(3)
"""How addresses find their slices; linear is one after the other."""

POLICY_LRR, POLICY_GTO, POLICY_TWO_LEVEL = range(3)
WRITE_THROUGH, WRITE_BACK, WRITE_LOCAL_BACK = range(3)

# Instructions.

(
    KIND_ALU, KIND_MEMORY, KIND_BARRIER, KIND_ARRIVE, KIND_FREE, KIND_BRANCH, KIND_COMMIT,
    KIND_WAIT, KIND_FENCE,
) = range(9)  # fmt: skip
"""Effect of an instruction beside computing. KIND_COMMIT closes a group of asynchronous copies,
KIND_WAIT waits until at most so many groups of them are under way, KIND_FENCE until no access of
the warp is. One of KIND_FREE is not issued; where it is recorded it is a load of constants that is
an operand of others."""

SHARED_PIPES = 3
FP64_PIPE, BARRIER_PIPE = 1, 2
"""Pipes of the SM whose next instruction each sub-partition may hold."""

SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED, SPACE_CONST, SPACE_TEXTURE, SPACE_ALWAYS = range(6)
"""Kinds of memory; SPACE_ALWAYS is one that is always there after the constant cache's latency."""

ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_ASYNC = range(4)

STALL: Any = namedtuple("STALL", SIMULATED_STATES)(*range(len(SIMULATED_STATES)))
"""Numbers of the warp states that are counted: STALL.wait."""

REASON_BITS = (len(SIMULATED_STATES) - 1).bit_length()
"""A register's word is the time from which it can be read, and the reason to wait until then."""

MOST_ALIASES = 8
"""Names of values on their way that a warp follows."""

ASYNC_GROUPS = 8
"""Groups of asynchronous copies of a warp that are told apart."""

BARRIERS = 16
"""Named barriers of a CTA."""

# States.

WARP_NONE, WARP_RUNS, WARP_ENDING = range(3)
LAUNCH_HELD, LAUNCH_WAITS, LAUNCH_RUNS, LAUNCH_DONE = range(4)
REQUEST_LOAD, REQUEST_STORE, REQUEST_ATOMIC, REQUEST_WRITE_BACK = range(4)

APART, JOINED, RIDES = range(3)
"""How a request travels: alone, by the address of the one before it, or in its packet."""

SHARES = 720720
"""An SM in shares: a CTA takes one n-th of it where n of its kind fit. Divisible by 1 to 16."""

HISTOGRAM = 48
"""Bins of the latencies of a memory instruction: two for each doubling."""

WHOLE = 255
"""All eighths of a sector."""

ROW_MASK = (1 << 24) - 1
"""Bits of the number of an instruction in an access of a trace."""

RUN_DONE, RUN_NEEDS, RUN_PAUSED, RUN_STUCK = range(4)
"""Why ``run`` comes back: all is done; a launch needs traces; the cycle or the number of windows
that was asked for is reached; nothing can happen any more."""
