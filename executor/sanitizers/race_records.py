"""Records of racecheck: what it keeps of a launch, of a CTA and of each place of memory.

A stamp is a word that tells of an access: when it was (the number of synchronising events of the
launch before it), the CTA, the thread and the instruction. 0 is no access. An asynchronous copy is
by an agent of the thread that began it, whose number stands above the thread's. A thread has three
(``AGENTS``): what one of them has done says nothing of the others.

What threads of a CTA know of each other: up to ``floor`` all know all, up to a time by warp the
lanes of a warp know each other, and a thread has a row with the time up to which it knows each
thread, then each agent, the first ones of all threads before the second ones. Threads that know
the same have one row together.

A cell stands for four bytes of memory, or for one where accesses of less than four bytes came to
its page. It has three stamps, which lie in three planes: the last weak write, and two other
accesses since that are weak reads or strong. Two are enough to know whether a thread is apart from
any of them: those of other CTAs are preferred to those of other warps, these to other lanes.
"""

# mypy: allow-untyped-calls, allow-untyped-decorators
# numba has no types

from __future__ import annotations

import mmap
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from warpmill.analyzer.base.pointers import first_at, record, words_in

GRANULE_BYTES = 4
PAGE_SHIFT = 8
PAGE_BYTES = 1 << PAGE_SHIFT
"""Bytes of memory whose cells are all of one kind: of granules, or of single bytes."""

PLANES = 3
STAMP_BITS = 63

WRITES, STRONG, NARROW = 1, 2, 4
ACCESS_FLAGS = 3
"""Bits of an access number below that of the instruction.

It writes, it is strong, its scope holds the threads of one CTA alone.
"""

MEMORY = record(
    "first",  # device address of its first byte
    "end",
    "host",  # host address of its first byte
    "granules",  # address of the first plane of cells of granules
    "granule_plane",  # bytes of a plane
    "bytes",  # address of the first plane of cells of bytes
    "byte_plane",
    "pages",  # address of a byte a page: 1 where the cells are of bytes
    "split",  # 1 where the cells of a page are of bytes
    "unwritten",  # 1 where no instruction of the launch means to write: loads need not be kept
)
"""An allocation, or the shared memory of a CTA, with its cells."""

RACES = record(
    "memories",  # address of the rows of all allocations, by ascending address
    "memory_count",
    "caches",  # by instruction: address of the memory that it was in last
    "thread_shift",
    "cta_shift",
    "time_shift",
    "now",  # synchronising events so far, from 1
    "last",  # the greatest time that there is room for
    "within",  # 1 where accesses of one CTA are compared
    "syncs",  # 1 where the kernel has fences, or accesses that acquire or release
    "nodes",  # address of ``NODE`` records, of which the first is none
    "node_count",
    "places",  # address of ``PLACE`` records, a table by address
    "asked",  # how often was looked for an access among nodes
    "seen",  # address of a word by node: when it was looked at last
    "stack",  # address of words for nodes that are to be looked at
    "found",  # address of pairs: from which node what was found last
    "has_copies",  # 1 where the kernel has asynchronous copies
    "parted",  # 1 after a barrier of a warp to which a part of its lanes came alone
    "between",  # 1 where accesses of different CTAs are compared
    "surprised",  # 1 after a write to memory that none was to write to
    "lockstep",  # 1 where lanes of a warp go together, and in the order of the instructions
)
"""What racecheck keeps of a launch."""

CTA = record(
    "cta",  # number of the CTA that runs
    "floor",  # time up to which all threads know what all threads did
    "copy_floor",  # time up to which all threads know all copies
    "threads",  # that there are numbers for: whole warps
    # addresses of a word for each thread
    "rows",  # number of its row; 0: none
    "waited",  # times up to which it has waited for its copies, those of its first agents first
    "begun",  # times of its last copies
    "copies_known",  # times up to which all threads know its copies
    "nodes",  # the node that knows what it has acquired
    "unread",  # of writes of other CTAs that it has read, and had no fence since
    "unread_own",  # of writes of its CTA
    "fenced",  # time of its last fence
    "fenced_cta",  # of its last fence for its CTA at least
    "fenced_proxy",  # of its last fence between what it writes and what bulk copies read
    "groups",  # of copies: how many, then the times of the last ones (``GROUPS``)
    "bulk_groups",
    # rows
    "pool",  # address of their words
    "uses",  # address of a word for each: who has it
    "row_nodes",  # address of a word for each: the node that goes with it
    "free",  # address of the numbers of those that nobody has
    "free_count",
    # what barriers hold
    "warp_floors",  # address of the time by warp up to which its lanes know each other
    "barrier_rows",  # address of the rows of what arrived at barriers without waiting, by number
    "objects",  # address of ``OBJECT`` records
    "object_count",
    ("shared", MEMORY),
)
"""What racecheck keeps of a CTA that runs."""

OBJECT = record(
    "place",  # host address of the mbarrier
    "arrived",  # row of what arrived in this phase
    "passed",  # row of what arrived in phases that are over
)
"""What racecheck keeps of a barrier object."""

NODE = record(
    "first",  # nodes that it knows; 0: none
    "second",
    "time",  # when it was made
    "cta",  # -1: it only joins the two
    "thread",
    "base",  # time up to which it knows all threads of the CTA
    "top",  # and its own thread
)
"""What was known at a release."""

PLACE = record(
    "address",
    "node",  # that threads of a CTA can acquire
    "cta",  # the CTA: that released there last
    "to_all",  # the node that threads of all others can acquire
)
"""Where a strong write left nodes."""

ACQUIRES, RELEASES, CHANGES = 1, 2, 4
"""How a strong access orders others; it changes what it reads (an atomic)."""

MOST_NODES = 1 << 20
PLACE_BITS = 16
FOUND_BITS = 12

GROUPS = 15
"""Groups of copies that a thread may have under way: of older ones it is not known when."""

AGENTS, AGENT_BITS = 3, 2
"""Agents of a thread: of copies that it waits for by ``cp.async`` groups or barrier objects, of the
reads and of the writes of bulk copies in groups, as ``wait_group.read`` tells these apart.
"""
BULK_READS = 2

_BY_THREAD = ("rows", "nodes", "unread", "unread_own", "fenced", "fenced_cta",
              "fenced_proxy")  # fmt: skip
_BY_AGENT = ("waited", "begun", "copies_known")

MOST_OBJECTS = 256
_NAMED = 17

WARP_ACCESS = record(
    "where",  # address of the lanes' addresses, a word each
    "bits",  # the lanes that are on
    "number",  # of the access: its instruction and flags
    "width",  # bytes of a lane's access
    "values",  # address of what is stored, element by element, by lane; 0: nothing is told
    "element",  # bytes of an element
    "space",  # number of the space
    "agent",  # number of the agent where it is a part of an asynchronous copy; 0: the thread
    "order",  # of a strong one: ``ACQUIRES``, ``RELEASES``, ``CHANGES``
    "first",  # the address at which the memory begins that is looked at
    "stamp",  # of lane 0 in that memory
    "is_shared",
    "floor",  # the first stamp that is not before what all threads know of each other
    "copy_floor",  # the first that is not before the copies that all know
    "agents",  # the bits of agents in a stamp
    "ctas",  # bits of the CTA
    "who",  # bits of the CTA and the thread
    "every",  # bits of all lanes
    "thread_shift",
)
"""A warp's access: native code fills in what comes before ``first``."""

access_at: Any = first_at(WARP_ACCESS)
memory_at: Any = first_at(MEMORY)
races_at: Any = first_at(RACES)
cta_at: Any = first_at(CTA)
object_at: Any = first_at(OBJECT)
node_at: Any = first_at(NODE)
place_at: Any = first_at(PLACE)
NODE_BYTES = 8 * words_in(NODE)
PLACE_BYTES = 8 * words_in(PLACE)
OBJECT_BYTES = 8 * words_in(OBJECT)

MEMORY_BYTES = 8 * words_in(MEMORY)

_int = ir.IntType(64)


def _array_at(type_: Any, bits: int) -> Any:
    """Jitted function: the numbers that lie one after another from an address on."""

    def at(_: Any, address: Any) -> Any:
        def code(__: Any, builder: Any, ___: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], ir.IntType(bits).as_pointer())

        return types.CPointer(type_)(address), code

    return intrinsic(at)


words_at: Any = _array_at(types.int64, 64)
bytes_at: Any = _array_at(types.uint8, 8)


_HUGE = 1 << 20
"""Bytes of memory from which its cells take large pages."""


class Shadow:
    """The cells of a piece of memory, which take memory of their own where they are touched."""

    def __init__(self, size: int) -> None:
        pages = -(-size // PAGE_BYTES) + 1
        whole = pages * PAGE_BYTES
        self._planes = [8 * whole // GRANULE_BYTES, 8 * whole]
        self._room = mmap.mmap(
            -1,
            PLANES * sum(self._planes) + pages + 8,
            flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE,
        )
        if size >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
            self._room.madvise(mmap.MADV_HUGEPAGE)  # most of the time would go to page faults
        self._view = np.frombuffer(self._room, np.uint8)

    def describe(self, row: Any, first: int, end: int, host: int) -> None:
        """Fill in the row of the memory that the cells are of."""
        start = self._view.ctypes.data
        granule_plane, byte_plane = self._planes
        row["first"], row["end"], row["host"] = first, end, host
        row["granules"], row["granule_plane"] = start, granule_plane
        row["bytes"], row["byte_plane"] = start + PLANES * granule_plane, byte_plane
        row["pages"] = start + PLANES * (granule_plane + byte_plane)


_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)


@dataclass
class CtaRaces:
    """What racecheck keeps of the CTAs that a run takes one after another."""

    record: npt.NDArray[Any]
    shadow: Shadow
    arrays: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, shared_bytes: int, host: int, warps: int, lanes: int) -> CtaRaces:
        """Make it for so many bytes of shared memory at a host address, and so many warps."""
        made = cls(np.zeros(1, CTA), Shadow(shared_bytes))
        made.record["cta"] = -1
        made.shadow.describe(made.record["shared"][0], 0, shared_bytes, host)
        threads = warps * lanes
        made.record["threads"] = threads
        rows = threads + _NAMED + 2 * MOST_OBJECTS + 2
        sizes = dict.fromkeys(_BY_THREAD, threads)
        sizes |= dict.fromkeys(("groups", "bulk_groups"), threads * (1 + GROUPS))
        sizes |= dict.fromkeys(_BY_AGENT, AGENTS * threads)
        sizes |= {"pool": rows * (1 + AGENTS) * threads, "uses": rows, "row_nodes": rows}
        sizes |= {"warp_floors": warps}
        sizes |= {"barrier_rows": _NAMED, "objects": MOST_OBJECTS * words_in(OBJECT)}
        made.arrays = {name: np.zeros(size, np.int64) for name, size in sizes.items()}
        made.arrays["free"] = np.arange(rows - 1, 0, -1, dtype=np.int64)
        for name, array in made.arrays.items():
            made.record[name] = array.ctypes.data
        made.record["free_count"] = rows - 1
        return made

    @property
    def words(self) -> npt.NDArray[np.int64]:
        """The record as words, which native code is given."""
        return self.record.view(np.int64)


def node_tables() -> dict[str, npt.NDArray[np.int64]]:
    """Make room for nodes and the places where they are left."""
    sizes = {
        "nodes": MOST_NODES * words_in(NODE),
        "places": words_in(PLACE) << PLACE_BITS,
        "seen": MOST_NODES,
        "stack": 2 * MOST_NODES,
        "found": 2 << FOUND_BITS,
    }
    return {name: np.zeros(size, np.int64) for name, size in sizes.items()}
