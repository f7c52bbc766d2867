"""Layout of a run's context for generated code, and the faults that it notes.

Every field takes eight bytes, so that Python reads and writes both as arrays of 64-bit integers.
"""

from __future__ import annotations

from enum import IntEnum

_CONTEXT = (
    # memory, as host addresses and sizes in bytes
    ("params", "ptr"),  # the kernel's parameters
    ("params_bytes", "i64"),
    ("constants", "ptr"),  # the module's constant variables
    ("constants_bytes", "i64"),
    ("shared", "ptr"),  # this CTA's shared memory
    ("shared_bytes", "i64"),
    ("local", "ptr"),  # local memory: by warp, then by lane
    ("local_bytes", "i64"),  # of one thread
    ("allocations", "ptr"),  # rows of first address, end, host address; sorted
    ("allocation_count", "i64"),
    ("symbols", "ptr"),  # device addresses of module variables in global memory, i64 each
    ("sites", "ptr"),  # a row for each access: see SITE_BYTES
    ("textures", "ptr"),  # descriptors; see docs/executor.md
    ("texture_count", "i64"),
    # the launch
    ("ntid.x", "i32"),
    ("ntid.y", "i32"),
    ("ntid.z", "i32"),
    ("nctaid.x", "i32"),
    ("nctaid.y", "i32"),
    ("nctaid.z", "i32"),
    ("thread_ids", "ptr"),  # i32 tid.x, .y, .z of all lanes of warp 0, then of warp 1 …
    ("warps", "ptr"),  # records of this CTA's warps; see WARP
    ("warp_count", "i64"),
    ("first_masks", "ptr"),  # bits of the lanes that each warp has, i64 each
    ("dynamic_shared_bytes", "i64"),
    ("clock", "i64"),  # warp instructions begun so far, what %clock reads
    # the kernel, for the driver; it sets them itself
    ("warp_code", "ptr"),  # the function that runs a warp, of the context and the warp's record
    ("clear_code", "ptr"),  # the function that clears registers read before they are set, likewise
    ("record_bytes", "i64"),  # of a warp
    ("block_count", "i64"),
    ("path_places", "i64"),  # blocks and edges in a warp's row
    ("path_loops", "i64"),
    ("path_loops_start", "i64"),  # byte of the row at which the loops' counters begin
    ("path_bytes", "i64"),  # of the row
    # where the run is
    ("ctaid.x", "i32"),
    ("ctaid.y", "i32"),
    ("ctaid.z", "i32"),
    ("cta", "i64"),  # linear number of the CTA that runs, -1 before it begins
    ("last_cta", "i64"),  # one past the last to run
    ("budget", "i64"),  # back edges left until the warp gives way
    ("slice", "i64"),  # budget that a warp starts with
    ("fuel", "i64"),  # budget left until the run goes back to Python
    ("stores", "i64"),  # warp instructions that changed memory, to recognise waiting in vain
    # counts
    ("block_counts", "ptr"),  # executions of each block: by warps, by threads; i64 each
    ("guard_counts", "ptr"),  # lanes switched on of each guarded instruction, i64
    ("edge_counts", "ptr"),  # crossings of each edge: by warps, by threads; i64 each
    ("lane_counts", "ptr"),  # by block, executions with 0, 1, 2 … lanes; i64 each
    ("points", "ptr"),  # a row for each place that accesses memory; see observing.py
    ("requests", "i64"),  # lines of global and local memory that accesses touched so far
    # the ways of threads; see paths.py
    ("paths", "ptr"),  # rows of this CTA's warps
    ("path", "ptr"),  # the row of the warp that runs
    ("distinct_counts", "ptr"),  # threads that have been at each block and edge, i64
    ("loop_lines_at", "i64"),  # host address of the next line about a loop
    ("loop_lines_end", "i64"),
    ("cta_lines_at", "i64"),  # host address of the next line about a CTA
    ("cta_lines_end", "i64"),
    # what warps do, where that is recorded; see events.py
    ("record_at", "i64"),  # host address of the next entry
    ("record_end", "i64"),
    ("patterns", "ptr"),  # for each point the lanes and distances of its last access
    # what went wrong first
    ("fault", "i64"),  # 0, or the number of a FaultKind
    ("fault_site", "i64"),
    ("fault_lanes", "i64"),
    ("fault_address", "i64"),
    ("fault_warp", "i64"),
    ("warp", "i64"),  # the warp that runs
    ("barriers", "ptr"),  # records of the barriers; see driver.py
    ("group_values", "ptr"),  # what operations of all threads exchange: two tables, i64 a thread
    # which bytes are defined, where initcheck watches: a byte for each of memory; see shadows.py
    ("shared_shadow", "ptr"),
    ("local_shadow", "ptr"),
    ("shadow_allocations", "ptr"),  # as ``allocations``, with the host addresses of shadows
    ("reserved_shared", "i64"),  # where shared memory begins that the system keeps for itself
    ("host", "ptr"),  # what device code calls: (context, number, two arguments, lane) to i64
    ("live_warps", "i64"),  # warps of this CTA that have not ended
    ("lanes", "i64"),  # of a warp
    ("segment_order", "ptr"),  # place of each segment in reverse postorder, i64 each
    ("warp_order", "ptr"),  # numbers of the CTA's warps in the order of their turns, i64 each
    ("sanitizer", "ptr"),  # what sanitizers watch the launch with; see sanitizers/log.py
    ("cta_races", "ptr"),  # what racecheck keeps of this CTA; see sanitizers/race_records.py
    ("cta_sync", "ptr"),  # what synccheck keeps of this CTA; see sanitizers/sync_records.py
    ("confined", "ptr"),  # by site: null, or what it may reach instead of all allocations:
    # how many rows, then rows as those of ``allocations``
)

CONTEXT = {name: 8 * place for place, (name, _) in enumerate(_CONTEXT)}
"""Byte offset of each field of the context."""

CONTEXT_TYPES = dict(_CONTEXT)
"""LLVM type of each field of the context."""

CONTEXT_BYTES = 8 * len(_CONTEXT)

GROUP_BARRIER = 16
"""The barrier after PTX's sixteen: operations of all threads of a CTA wait there."""


# What can go wrong while a kernel runs, by the numbers that generated code notes.


class FaultKind(IntEnum):
    """Kinds of faults."""

    OUT_OF_BOUNDS = 1
    MISALIGNED = 2
    NULL = 3
    DIVERGENT_BARRIER = 5
    BARRIER_DEADLOCK = 6
    SPIN = 7
    TRAP = 8
    TEXTURE = 9
    BARRIER_NUMBER = 10
    ASSERTION = 11
    READ_ONLY = 12
    NO_FUNCTION = 13
    STACK = 14
