"""Layout of the arrays of the timing simulator.

All that changes in a simulation is one array of 64-bit words: the *state*. All that does not is
another one: the *parameters*, among them the places where the parts of the state begin. A part
is a row of records; the place of a record is the begin of its part plus its number times the words
of a record, and a field of a record is the word at that place plus one of the numbers below.

Times are in cycles of the machine's cycle domain. Where less than a cycle counts (pipes, ports,
DRAM) they are in ticks, of which a cycle has TICKS.
"""

from __future__ import annotations

from warpmill.simulator.resources import SIMULATED_STATES

TICKS = 256
"""Parts of a cycle."""

NEVER = 1 << 56
"""A time that does not come: what waits for something else to happen."""

NONE = -1

# --- parameters ----------------------------------------------------------------------------------

(
    SMS, SCHEDULERS, PARTS, WARPS, CTAS, REGISTERS, PENDING_ACCESSES, LSU_QUEUE, COLLECTORS, PIPES,
    LINKS, WARP_SIZE,
    POLICY, ACTIVE_WARPS, ISSUE_TICKS, ISSUE_WIDTH, REFILL, BRANCH_CYCLES, BARRIER_CYCLES,
    RESULT_CYCLES, LSU_CYCLES, START_CYCLES, FETCH_MISS, FETCH_AHEAD,
    SHARED_PORTS, CONST_PORTS, CONST_APART, TEX_PORTS, LSU_TICKS,
    L1_LATENCY, L1_MSHRS, L1_MERGE, L1_QUEUE, L1_WRITE, L1_ALLOCATES, MISS_CYCLES, PAST_L1_CYCLES,
    CONST_LATENCY, TEX_LATENCY, LOADS_PER_WARP,
    SECTOR_BYTES, NET_LATENCY, NET_STAGES, NET_RADIX, NET_TICKS_HEAD, NET_TICKS_DATA, NET_BUFFER,
    NET_SPEEDUP, NET_TURNS, SLICES, SUBSLICES, SLICE_TICKS, ATOMIC_TICKS, L2_DELAY, L2_MSHRS,
    L2_MERGE, HAS_L2, L2_WRITE_BACK,
    SECTORS_OF_CHUNK, SECTORS_OF_LINE, HASHES,
    CHANNELS, BANKS, BANK_GROUPS, DRAM_QUEUE, DRAM_DELAY, DRAM_FIRST_READY, PAGE_SECTORS,
    T_CCD, T_CCDL, T_RRD, T_RCD, T_RAS, T_RP, T_RC, T_CL, T_WL, T_CDLR, T_WR, T_RTPL, T_BURST,
    CTA_TICKS,
    AT_CODE, AT_BLOCK, AT_LIST, AT_READY, AT_ORDER, SLOTS,
    AT_SM, AT_WARP, AT_REGISTER, AT_SCHEDULER, AT_PIPE, AT_COLLECTOR, AT_CTA, AT_BARRIER,
    AT_PENDING, AT_AHEAD, AT_LSU, AT_REQUEST, AT_SLICE, AT_CHANNEL, AT_BANK, AT_LINK, AT_LAUNCH,
    AT_SM_PORT, AT_SLICE_PORT, AT_SM_INTAKE,
    AT_SLICE_INTAKE,
    AT_SM_COUNT, AT_SLICE_COUNT, AT_CHANNEL_COUNT, AT_ROW_COUNT, AT_HISTOGRAM, AT_BIN,
    AT_CTA_LOG, AT_SPAN, AT_HASH,
    REQUESTS, LOOKAHEAD, BINS, SPANS, ROWS, CTA_LOG, LAUNCHES, L1_KEEPS,
    OF_L1, OF_CONST, OF_TEX, OF_FETCH, OF_L2,
    WAITERS, WRITE_BACKS, SECTORS_OF_REQUEST,
    L1_SECTOR_TICKS, CTA_TURN_CYCLES, WRITE_TICKS, L2_PARTS, SHARED_ATOMIC_TICKS,
    ATOMIC_FIRST_TICKS, MIXED_LOSS, PIPES_HOLD, SHARED_PASS_TICKS, SECTORS_AT_ONCE,
    NET_TICKS_JOINED, PAIRED_TICKS, L1_CACHE,
) = range(147)  # fmt: skip

ISSUE_TO_NETWORK = 2
"""Cycles from the look-up that misses in L1 to the network's port. MISS_CYCLES are those from when
it begins, PAST_L1_CYCLES the same of loads that do not look into L1."""

PARTS_NONE, PARTS_KEPT, PARTS_FILLED = range(3)
"""State of sectors written in part, in L2_PARTS: only that they are; which parts of
them; and that DRAM takes whole sectors alone, so that the rest is read when one is written back."""

HASH_XOR, HASH_POLYNOMIAL = 1, 2
"""How addresses find their slices, in HASHES; 0: one after the other."""

CACHE_FIELDS = 14
"""Parameters of a cache, which stand from L1_CACHE on for each of the caches below."""

(
    C_SETS, C_SECTORS, C_BUCKETS, C_BUCKET_BITS, C_SETS_AT, C_BUCKETS_AT, C_FIFO, C_WRITE_BACK,
    C_ALLOCATES, C_ROWS_AT, C_EXTRA_AT, C_EXTRA_FIELDS, C_HASHED, C_THERE,
) = range(CACHE_FIELDS)  # fmt: skip

CONST_CACHE = L1_CACHE + CACHE_FIELDS
TEX_CACHE = CONST_CACHE + CACHE_FIELDS
FETCH_CACHE = TEX_CACHE + CACHE_FIELDS
L2_CACHE = FETCH_CACHE + CACHE_FIELDS
PARAMETERS = L2_CACHE + CACHE_FIELDS
"""The parameters OF_L1 and so on hold where the numbers of each kind of cache stand: functions are
handed these, and not the constants, for each of which numba would compile them anew."""

X_PENDING, X_WRITTEN, X_WAITERS = 0, 1, 2
"""Words beside a row of a cache: sectors on their way, sectors written in part, and for each sector
the first request (L1: pending) that waits for it, followed by how many do; then, for each sector,
its eighths that are written."""

POLICY_LRR, POLICY_GTO, POLICY_TWO_LEVEL = 0, 1, 2
WRITE_THROUGH, WRITE_BACK, WRITE_LOCAL_BACK = 0, 1, 2

# --- the code of a kernel: one record an instruction ---------------------------------------------

(
    R_KIND, R_PIPE, R_TICKS, R_LATENCY, R_ISSUES, R_NEEDS, R_NEED_COUNT, R_WRITES, R_WRITE_COUNT,
    R_RECORDED, R_SPACE, R_ACCESS, R_READ_CYCLES, R_REASON, R_BARRIER, R_BARRIER_WARPS, R_LINE,
    R_GROUPS, R_AS_ONE, R_ALSO, R_PASSES, R_OF_SM, R_PAST_L1, R_ASKS,
) = range(24)  # fmt: skip
CODE_FIELDS = 24

K_ALU, K_MEMORY, K_BARRIER, K_ARRIVE, K_FREE, K_BRANCH, K_COMMIT, K_WAIT, K_FENCE = range(9)
"""Effect of an instruction beside computing. K_WAIT waits until at most R_GROUPS groups of
asynchronous copies are under way, K_FENCE until no access of the warp is. R_AS_ONE: the lanes of an
atomic are added up, and the warp makes one. R_ALSO is a pipe that does the same as R_PIPE; R_OF_SM
is the word of the SM for one that the sub-partitions have together (double precision, barriers),
whose next instruction each may hold; 0: each has its own. A warp comes to a barrier when that takes
it. R_PASSES
are those over the banks of an access whose addresses no trace tells. R_PAST_L1: an access to global
memory does not look into L1, by its opcode or as the machine has it. R_ASKS is what an access does
in memory: R_ACCESS, or of an asynchronous copy what it does outside the SM. A row of K_FREE is not
issued; one that is R_RECORDED is a load of constants that is an operand of others."""
S_GLOBAL, S_LOCAL, S_SHARED, S_CONST, S_TEXTURE, S_ALWAYS = range(6)
"""Kinds of memory; S_ALWAYS is one that is always there after the constant cache's latency."""
A_LOAD, A_STORE, A_ATOMIC, A_ASYNC = range(4)

REASONS = SIMULATED_STATES
"""Reasons why a warp does not issue, by Nsight Compute's names."""

(
    W_SELECTED, W_WAIT, W_SHORT, W_LONG, W_CONST, W_BARRIER, W_MEMBAR, W_MATH, W_LG, W_MIO, W_TEX,
    W_DISPATCH, W_BRANCH, W_FETCH, W_NOT_SELECTED, W_DRAIN,
) = range(16)  # fmt: skip

REASON_BITS = 4
"""A register's word is the time from which it can be read, and the reason to wait until then."""

# --- state ---------------------------------------------------------------------------------------

BX_FIRST, BX_LAST = 0, 1
"""Where records begin that have a mailbox: the first and the last of what is there, or about to
come. It comes at its Q_TIME."""

IN_FIRST, IN_LAST, IN_TIME, IN_TARGET, IN_SENT = range(5)
IN_FIELDS = 5
"""A sender's port: its queue, when the first may go, to where, and how many went in this cycle."""

OUT_FREE, OUT_TURN, OUT_STAMP, OUT_RANK, OUT_BEST = range(5)
OUT_FIELDS = 5
"""A target's intake: the tick from which on it is free, the sender whose turn it is, and who asks
in the cycle OUT_STAMP."""

(
    SM_LSU_FIRST, SM_LSU_COUNT, SM_LSU_FREE, SM_LSU_PLACE, SM_LSU_NEXT, SM_OUT_FREE, SM_IN_FREE,
    SM_FREE_PENDING, SM_MSHRS, SM_CTAS, SM_SHARE, SM_WARPS, SM_LAST_CTA, SM_END, SM_TIME,
    SM_YIELD, SM_UNDER_WAY, SM_ISSUED, SM_WAITERS, SM_SEGMENT, SM_PIPE,
    SM_BARRIERS, SM_AT_ONCE,
) = range(2, 25)  # fmt: skip
SM_FIELDS = 25

(
    WP_STATE, WP_READY, WP_REASON, WP_EVENT, WP_LAST_EVENT, WP_ROW, WP_END_ROW, WP_ACCESS, WP_LOADS,
    WP_STORES, WP_CTA, WP_LAST, WP_ISSUED, WP_HELD_UNTIL, WP_HELD_REASON, WP_ACTIVE,
    WP_ASYNC,
    WP_GROUPS, WP_ALIASES, WP_ALIAS, WP_LANES, WP_BEGIN, WP_NUMBER, WP_BARRIER, WP_RING,
    WP_SM, WP_SCHEDULER, WP_REGISTERS, WP_SLOT,
) = (*range(20), 36, 37, 38, 39, 40, 48, 49, 50, 51)  # fmt: skip
WARP_FIELDS = 52
MOST_ALIASES = 8
ASYNC_GROUPS = 8
"""Groups of asynchronous copies that are told apart; WP_RING has for each the copies under way."""

"""WP_READY, WP_SM, WP_SCHEDULER and WP_REGISTERS are places, WP_SLOT a number, that stay what they
are: of the time from which on the warp is ready, of its SM, its scheduler, its registers."""

WS_NONE, WS_RUNS, WS_ENDING = 0, 1, 2

SC_NEXT, SC_LAST, SC_FREE = 0, 1, 2
SCHEDULER_FIELDS = 3

CT_LAUNCH, CT_NUMBER, CT_LIVE, CT_WARPS, CT_BEGIN, CT_ISSUED, CT_BEGIN_ALL = range(7)
CTA_FIELDS = 7
BARRIERS = 16
"""Named barriers of a CTA; for each the warps that have come."""

(
    PA_WARP, PA_ROW, PA_LEFT, PA_BEGIN, PA_READY, PA_ACCESS, PA_AT, PA_NEXT, PA_DONE, PA_GROUP,
) = range(10)  # fmt: skip
PENDING_FIELDS = 10
"""A pending memory access of an SM: an entry of its pending-request table."""

(
    Q_TIME, Q_NEXT, Q_SECTOR, Q_KIND, Q_SM, Q_REF, Q_CACHE, Q_WORDS, Q_PARTS, Q_TARGET,
    Q_JOINED, Q_AT_ONCE,
) = range(12)  # fmt: skip
REQUEST_FIELDS = 12
"""Q_AT_ONCE: L2 reads or writes the sector at once with that of its SM's request before."""
QK_LOAD, QK_STORE, QK_ATOMIC, QK_WRITE_BACK = range(4)

SL_FREE, SL_MSHRS, SL_STUCK, SL_TIME = range(2, 6)
SLICE_FIELDS = 8

CH_FIRST, CH_LAST, CH_COUNT, CH_NEXT, CH_BUS, CH_COLUMN, CH_GROUP, CH_ACTIVATE, CH_WROTE = range(9)
CH_BACK, CH_BACK_LAST, CH_TIME = 9, 10, 11
CHANNEL_FIELDS = 12

BK_ROW, BK_ACTIVATED, BK_COLUMN, BK_PRECHARGE = range(4)
BANK_FIELDS = 4
"""The open row; when it was activated; from when on it takes column commands, and a precharge."""

(
    LA_STATE, LA_CTAS, LA_NEXT, LA_DONE, LA_WARPS, LA_SHARE, LA_AFTER, LA_BEGIN, LA_END, LA_LOADED,
    LA_FIRST_CTA, LA_CODE, LA_LAST_DISPATCH, LA_LOG, LA_READY,
) = range(15)  # fmt: skip
LAUNCH_FIELDS = 15
LS_HELD, LS_WAITS, LS_RUNS, LS_DONE = range(4)
SHARES = 720720
"""An SM in shares: a CTA takes one n-th of it where n of its kind fit. Divisible by 1 to 16."""

# counts

(
    N_WARP_INSTRUCTIONS, N_THREAD_INSTRUCTIONS, N_ISSUE_CYCLES, N_WARP_CYCLES, N_BUSY_CYCLES,
    N_L1_ACCESSES, N_L1_HITS, N_L1_PENDING, N_L1_MISSES, N_READ_SECTORS, N_WRITE_SECTORS,
    N_ATOMIC_SECTORS, N_SHARED_PASSES, N_SHARED_ACCESSES, N_CONST_ACCESSES, N_CONST_MISSES,
    N_TEX_ACCESSES, N_TEX_MISSES, N_FETCH_ACCESSES, N_FETCH_MISSES, N_CTAS, N_LSU_STALLS,
    N_BANK_CONFLICTS, N_WRITE_ACCESSES, N_WRITE_HITS, N_PACKETS_OUT, N_PACKETS_IN,
) = range(27)  # fmt: skip
SM_COUNTS = 27

(
    N_L2_ACCESSES, N_L2_HITS, N_L2_PENDING, N_L2_MISSES, N_L2_READS, N_L2_WRITES, N_L2_ATOMICS,
    N_L2_WRITE_BACKS, N_L2_STALLS, N_L2_BUSY, N_L2_ALLOCATED,
) = range(11)  # fmt: skip
SLICE_COUNTS = 11

N_DRAM_READS, N_DRAM_WRITES, N_ROW_HITS, N_ROW_MISSES, N_DRAM_BUSY, N_DRAM_WAIT = range(6)
CHANNEL_COUNTS = 6

RC_ISSUES, RC_LANES, RC_SECTORS, RC_HITS, RC_LATENCY, RC_COMPLETED, RC_PASSES, RC_STALLS = range(8)
ROW_COUNTS = RC_STALLS + len(REASONS)
HISTOGRAM = 48
"""Latencies of a memory instruction: two bins for each doubling."""

B_INSTRUCTIONS, B_L1_ACCESSES, B_L2_ACCESSES, B_DRAM_SECTORS = range(4)
BIN_FIELDS = 4
"""Counters over time. Occupancy over time follows from when CTAs begin and end."""

(
    G_TIME, G_WINDOW, G_FREE_REQUEST, G_WAITING, G_LAST_SM, G_DISPATCH_FREE, G_DISPATCH_AT, G_NEED,
    G_BIN_CYCLES, G_REQUESTS, G_SPANS, G_LAUNCHES_DONE, G_STOP, G_ISSUED,
    G_UNUSED_REQUEST, G_WRITE_BACKS, G_WATCH,
) = range(PARAMETERS, PARAMETERS + 17)  # fmt: skip
GLOBALS = 17
"""G_WATCH: the place in the log of CTAs of one at whose end the engine pauses, 0 for none.

What there is once stands behind the parameters. Requests that were given back are chained from
G_FREE_REQUEST on; those from G_UNUSED_REQUEST on were never used, and take no memory yet."""

T_EVENT, T_ACCESS, T_SHAPE, T_SECTOR = 2, 2, 1, 1
WHOLE = 255
"""All eighths of a sector."""
ROW_MASK = (1 << 24) - 1
"""Words of the records of traces, which stand in arrays of their own, a batch in each.

Their places count on from the state's, wherever they lie in memory, and records name each other by
the distance from the one that names to the one that is named. An event is its block and lanes,
``block << 8 | lanes``, and its first access. An access is its first sector, and
``shape << 32 | row << 8 | way``. A shape is ``first << 24 | most << 16 | passes``: its first
sector, the most lanes on one word of shared memory, and its passes. A sector is
``offset << 16 | words << 8 | parts``, with a bit for each eighth of it that is touched whole. One
more event and shape of each batch follow the last ones, for what they name."""


CL_LAUNCH, CL_SM, CL_BEGIN, CL_END, CL_ISSUED = range(5)
LOG_FIELDS = 5

SPAN_FIELDS = 5
"""A warp's life: SM, slot, CTA's place in the log, begin, end."""

RUN_DONE, RUN_NEEDS, RUN_PAUSED, RUN_STUCK = range(4)
"""Why ``run`` comes back: all is done; a launch needs traces; the cycle or the number of events
that was asked for is reached; nothing can happen any more."""
