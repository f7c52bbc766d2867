"""Records of the timing simulator: what stands where in its memory.

All that changes in a simulation, and the machine's numbers, is one array of 64-bit words. It
begins with the GPU's record, which has what there is once and the places of the tables behind it.
A table has records of one kind, or words; a place is the number of a word (see ``pointers``).
Records name each other by place, ``NONE`` where there is none.

Jitted code takes records by place (``warp_at``) or by number (``nth_warp``), Python whole tables
(``State.table``). Times are in cycles, or in ticks where their names say so.
"""

from __future__ import annotations

from warpmill.analyzer.base.pointers import (
    INT8,
    INT16,
    INT32,
    at_place,
    first_at,
    lines,
    nth_from,
    nth_of,
    record,
)
from warpmill.simulator.gpu.constants import (
    ASYNC_GROUPS,
    BARRIERS,
    HISTOGRAM,
    MOST_ALIASES,
    SHARED_PIPES,
)
from warpmill.simulator.gpu.spec import CACHES, MACHINE_NUMBERS
from warpmill.simulator.resources import SIMULATED_STATES

# The GPU.

CACHE = record(
    "is_there",
    "sets",
    "sectors",  # of a line
    "buckets",  # of the hash table that finds a line of a cache by its number
    "bucket_bits",
    "hashed",  # whether lines are spread over sets
    "rows_at",  # the places of what caches of this kind consist of, one cache behind the other
    "sets_at",
    "buckets_at",
    "waiters_at",
    "eighths_at",  # words, which eighths of each sector are written
    "used_at",  # whether each cache has had a line since it was flushed
)
"""A kind of cache: its caches stand side by side, one an SM or one a slice."""

GPU = record(
    *MACHINE_NUMBERS,
    *((name, CACHE) for name in CACHES),
    # Sizes beside the machine's.
    "registers_per_warp",
    "slots_per_scheduler",
    "launch_count",
    "logged_ctas",
    "most_spans",
    "bin_count",
    "most_requests",
    "most_write_backs",  # sectors that SMs may be writing back at once
    # Places of tables.
    "instruction_table",
    "instruction_counts_table",
    "launch_table",
    "cta_log_table",
    "span_table",
    "bin_table",
    "sm_table",
    "scheduler_table",
    "warp_table",
    "cta_table",
    "sm_port_table",
    "sm_intake_table",
    "slice_port_table",
    "slice_intake_table",
    "link_table",  # words; the tick from which on each link of a butterfly is free
    "slice_table",
    "hash_table",  # words; remainders of polynomial hashing
    "channel_table",
    "bank_table",
    # What changes.
    "window",  # first cycle of the lookahead window
    "bin_cycles",
    "free_request",  # requests that were given back, chained
    "unused_request",  # those from here on were never used, and take no memory yet
    "write_backs",  # sectors that SMs are writing back
    "waiting_ctas",  # CTAs of launches that run, not yet started
    "last_sm",  # that was given a CTA
    "dispatch_at",  # cycle of the next look for CTAs to start
    "dispatch_free_tick",
    "needs_traces_of",  # number of the launch
    "spans",  # that are kept
    "launches_done",
    "stop_at_launches_done",
    "watched_cta",  # number in the log of the CTA at whose end the engine pauses
)
"""What there is once."""

# Code.

INSTRUCTION = lines(
    ("kind", INT8),
    ("pipe", INT8),  # NONE: it needs none
    ("alternate_pipe", INT8),  # that does the same; NONE: there is none
    ("shared_pipe", INT8),  # FP64_PIPE or BARRIER_PIPE of the SM, 0: of its sub-partition alone
    ("reason", INT8),  # to wait for its results
    ("space", INT8),
    ("access", INT8),
    ("memory_access", INT8),  # of an asynchronous copy outside the SM, else as ``access``
    ("recorded", INT8),  # whether traces have its accesses
    ("bypasses_l1", INT8),  # by its opcode, or as the machine has it
    ("aggregated", INT8),  # lanes of an atomic are added up, and the warp makes one
    ("barrier", INT8),
    ("need_count", INT32),
    ("write_count", INT32),
    ("read_cycles", INT32),
    ("issue_slots", INT32),
    ("line", INT32),  # of the instruction cache
    "needs",  # place of the registers that it reads and writes
    "writes",
    "pipe_ticks",
    "latency",
    "wavefronts",  # over the banks, of an access whose addresses no trace tells
    "parameter",  # sector of the kernel's parameters that it loads, NONE: it loads none
    "barrier_warps",  # that it waits for, 0: all of the CTA
    "copy_groups",  # that may be under way after it, -1: nothing may be
)

INSTRUCTION_COUNTS = record(
    "issues",
    "lanes",
    "sectors",
    "l1_hits",
    "latency_cycles",
    "completed",
    "wavefronts",
    ("stalls", len(SIMULATED_STATES)),
    ("latency_bins", HISTOGRAM),
)
"""Counts of an instruction, by its row of the code."""

# Launches.

LAUNCH = record(
    "state",
    "ctas",
    "warps",  # of a CTA
    "share",  # of an SM that a CTA takes
    "code",  # place of its first block
    "log",  # number of its first CTA in the log
    "after",  # the launch before it in its stream
    "ready",  # cycle from which on it may begin
    "next_cta",
    "loaded_ctas",  # that have traces
    "first_cta",  # place of the first and last event of each warp
    "done_ctas",
    "begin",
    "end",
)

CTA_LOG = record(
    "launch",  # 0: it has not begun
    "sm",
    "begin",
    "end",
    "issued",
)

SPAN = record(
    "sm",
    "slot",
    "cta",  # number in the log
    "begin",
    "end",
)
"""A warp's life."""

# Traces: in arrays of their own, a batch in each. Their records name each other by the distance
# from the one that names to the one that is named. One more event and shape of each batch follow
# the last ones, for what they name.

EVENT = record(
    "block_and_lanes",  # block << 8 | lanes
    "accesses",  # distance of the first
)

ACCESS = record(
    "sector",  # the first
    "shape_row_space",  # distance of the shape << 32 | row << 8 | space
)

# A shape of accesses is a word, ``first << 24 | most << 16 | passes``: the distance of its first
# sector, the most lanes on one word of shared memory, and its passes. A sector is a word,
# ``offset << 16 | words << 8 | parts``, with a bit for each eighth of it that is touched whole.

# Streaming multiprocessors.

MAILBOX = record("first", "last")
"""Requests that are there or about to come, by their times."""

SM_COUNTS = record(
    "warp_instructions",
    "thread_instructions",
    "issue_cycles",
    "warp_cycles",
    "l1_accesses",
    "l1_hits",
    "l1_pending",
    "l1_misses",
    "read_sectors",
    "write_sectors",
    "atomic_sectors",
    "shared_wavefronts",
    "shared_accesses",
    "const_accesses",
    "const_misses",
    "tex_accesses",
    "tex_misses",
    "fetch_accesses",
    "fetch_misses",
    "ctas",
    "lsu_stalls",
    "bank_conflicts",
    "write_accesses",  # to L1
    "write_hits",
    "packets_out",
    "packets_in",
)

SM = record(
    ("replies", MAILBOX),
    "number",
    "time",  # when it is looked at next
    "yield_time",  # a CTA has ended: it goes on when others have been looked for
    "end",  # of its last warp
    "ctas",
    "warps",
    "share",  # that its CTAs take
    "last_cta",  # when it was given one
    "lsu_queue",  # place of the queue of the load-store unit, from which on it is a ring
    "lsu_first",
    "lsu_count",
    "lsu_free_tick",
    "lsu_sector",  # of the first access, that is requested next
    "lsu_time",  # when the unit is looked at next
    "free_pending",
    "mshrs",  # sectors under way to its caches
    "waiters",  # accesses that wait for them
    "packets_under_way",
    "port_free_tick",
    "last_segment",  # of a sector that was sent, which the next may join
    "last_l2_access",
    ("shared_pipes", SHARED_PIPES),  # tick from which on each is free
    ("counts", SM_COUNTS),
)

SCHEDULER = record(
    "time",  # when it is looked at next
    "last",  # warp that it issued from
    "free_tick",
    "number",  # in its SM
    "ready",  # places of its part of the tables
    "order",
    "pipes",
    "collectors",
    "prefetched",
)

WARP = lines(
    "ready",  # place of the time from which on it is ready
    "event",  # places in its trace: the event at which it stands, the end
    "last_event",
    "access",  # the next
    "registers",
    "scheduler",
    "sm",
    "cta",
    "last_issue",
    "issued",
    "held_until",  # by a unit, since it is ready
    "begin",
    ("row", INT32),  # of its instruction, and the end of its block
    ("end_row", INT32),
    ("loads", INT32),  # under way, with atomics and copies
    ("stores", INT32),
    ("lanes", INT16),
    ("slot", INT16),  # in the SM
    ("state", INT8),
    ("reason", INT8),  # not to be ready
    ("held_reason", INT8),
    ("active", INT8),  # of two-level scheduling
    ("barrier", INT8),
    ("alias_count", INT8),
    "copies",  # asynchronous, under way
    "copy_groups",  # that are closed
    ("copies_of_group", ASYNC_GROUPS),
    ("alias_names", MOST_ALIASES),  # registers that have the value
    ("alias_sources", MOST_ALIASES),  # of these, which is on its way
)
"""What issuing needs stands first: two lines of a cache."""

CTA = record(
    "launch",  # NONE: the record is free
    "sm",
    "number",
    "live_warps",
    "issued",
    ("arrived", BARRIERS),
    ("awaited", BARRIERS),  # 0: all warps
)

PENDING = lines(
    "warp",
    "access",  # in the trace, NONE: it has none
    "begin",
    "queued",  # when it is in the queue of the load-store unit
    "ready",
    "next",
    ("row", INT32),
    ("left", INT32),  # sectors that are to come
    ("all_requested", INT8),
    ("copy_group", INT8),
)
"""A pending memory access: an entry of an SM's pending-request table."""

WAITERS = record("first", "count")
"""Requests, or of an SM's caches accesses, that wait for a sector of a row.

Where one access waits alone it is the first; else that is a link of a list.
"""

LINE = lines("tag", "valid", "dirty", "newer", "older", "chain", "pending", "written")
"""A row of a cache, as ``simulator.memory.cache_step`` has it, and behind it what is on its way.

Masks have a bit for each sector: of those that are there, dirty, on their way, written in part.
"""

# The network, L2 and DRAM.

REQUEST = lines(
    "time",
    "next",
    "sector",
    "owner",  # the row of a cache that it fills, else the pending access that waits for it
    "cache",  # that it fills, NONE: it goes past
    ("sm", INT32),  # its number
    ("target", INT32),  # number of the slice or SM
    ("words", INT16),  # most lanes on one word
    ("parts", INT16),  # eighths of the sector
    ("kind", INT8),
    ("joined", INT8),  # APART from the request before it, or JOINED to it, or it RIDES with it
    ("in_same_access", INT8),  # L2 takes the sector with that of the request before it
)

DRAM_REQUEST = lines(
    "time",
    "next",
    "sector",  # in its slice
    "owner",  # the row of L2 that it fills, without L2 the request; NONE: a write-back
    "before",
    "bank",
    "row",  # of the bank
    ("slice", INT32),  # its number
    ("kind", INT8),
)
"""A request in a channel: in the memory of one that was taken from the same table."""

PORT = record(
    "first",
    "last",
    "time",  # when the first may go
    "target",
    "sent",  # in this turn
)
"""A sender's port, with its queue."""

INTAKE = record(
    "free_tick",
    "turn",  # number of the sender whose turn it is
    "stamp",  # turn of the network in which ``best`` asks
    "rank",
    "best",
)
"""A target's end of the network."""

SLICE_COUNTS = record(
    "accesses",
    "hits",
    "pending",
    "misses",
    "reads",
    "writes",
    "atomics",
    "write_backs",
    "stalls",
    "busy_ticks",
    "allocated",  # stores of what L2 did not have
)

SLICE = record(
    ("requests", MAILBOX),
    "number",
    "channel",
    "time",  # when it is looked at next
    "free_tick",
    "mshrs",
    "is_stuck",  # it waits for DRAM
    ("counts", SLICE_COUNTS),
)

CHANNEL_COUNTS = record(
    "reads",
    "writes",
    "row_hits",
    "row_misses",
    "busy_ticks",
    "wait_ticks",
)

CHANNEL = record(
    "number",
    "time",  # when it is looked at next
    "first",  # of its queue
    "last",
    "queued",
    "first_back",  # of what DRAM is reading
    "last_back",
    "next_command",  # cycle
    "bus_tick",  # until when the bus is taken
    "column_tick",  # of the last command
    "column_group",  # its group of banks
    "activate_tick",
    "written_tick",
    ("counts", CHANNEL_COUNTS),
)

BANK = record(
    "group",
    "row",  # that is open
    "activated_tick",
    "column_tick",  # from which on it takes column commands
    "precharge_tick",
)

# What happened when.

BIN = record(
    "instructions",
    "l1_accesses",
    "l2_accesses",
    "dram_sectors",
)
"""Counts of some cycles. Occupancy over time follows from when CTAs begin and end."""

# Ways to records in jitted code.

gpu_at = first_at(GPU)
instruction_at = nth_of("instruction_table", INSTRUCTION)
counts_of = nth_of("instruction_counts_table", INSTRUCTION_COUNTS)
nth_launch, launch_at = nth_of("launch_table", LAUNCH), at_place(LAUNCH)
nth_logged = nth_of("cta_log_table", CTA_LOG)
nth_span = nth_of("span_table", SPAN)
nth_bin = nth_of("bin_table", BIN)
event_at, access_at = at_place(EVENT), at_place(ACCESS)
nth_sm, sm_at = nth_of("sm_table", SM), at_place(SM)
nth_scheduler, scheduler_at = nth_of("scheduler_table", SCHEDULER), at_place(SCHEDULER)
nth_warp, warp_at = nth_of("warp_table", WARP), at_place(WARP)
nth_cta, cta_at = nth_of("cta_table", CTA), at_place(CTA)
pending_at = at_place(PENDING)
cache_at, line_at, waiters_at = at_place(CACHE), at_place(LINE), at_place(WAITERS)
request_at, dram_request_at = at_place(REQUEST), at_place(DRAM_REQUEST)
nth_port, nth_intake = nth_from(PORT), nth_from(INTAKE)
nth_slice = nth_of("slice_table", SLICE)
nth_channel, channel_at = nth_of("channel_table", CHANNEL), at_place(CHANNEL)
nth_bank, bank_at = nth_of("bank_table", BANK), at_place(BANK)
