"""L1s, L2 and DRAM as one would describe them, told of one access after another."""

from collections import Counter

from tests.reference.cache import NaiveCache
from warpmill.analyzer.ir.operation import goes_past_l1
from warpmill.analyzer.launch.numbering import GLOBAL_BASE, LOCAL_WINDOW, WINDOW_BYTES
from warpmill.executor.collectors import Collector


class NaiveLevels(Collector):
    """Counts by (block, instruction, kind), and by what was counted: ``l1 hit``, ``dram read``.

    ``local`` gives where the local memory of a warp begins, from SM and warp.
    """

    def __init__(self, l1, l2, sms, *, lanes_per_group=32, caches_global=True, local=None):
        self.l1s = [NaiveCache(l1) if l1 else None for _ in range(sms)]
        self.l2 = NaiveCache(l2) if l2 else None
        self.sector_bytes = (l1 or l2).granule_bytes
        self.group, self.caches_global, self.local = lanes_per_group, caches_global, local
        self.counts = Counter()

    def on_launch(self, launch):
        self.kernel, self.lanes = launch.kernel, launch.warp_size

    def on_accesses(self, accesses):
        for access in accesses:
            self.access(access)

    def access(self, access):
        operation = self.kernel.blocks[access.block].instructions[access.instruction].operation
        self.key = (access.block, access.instruction, access.kind)
        past = access.kind == "atomic" or goes_past_l1(operation, self.caches_global)
        sm = access.cta % len(self.l1s)
        l1 = None if past else self.l1s[sm]
        touched = list(dict.fromkeys(self.sectors(access, sm)))
        self.count("warps", bool(touched))
        for _, sector in touched:
            if l1 is None:
                self.ask_l2(sector, access.kind)
            else:
                self.ask_l1(l1, sector, access.kind)

    def sectors(self, access, sm):
        """(group of lanes, sector) of every byte outside the SM."""
        lanes = [lane for lane in range(self.lanes) if access.mask >> lane & 1]
        for lane, address in zip(lanes, access.addresses, strict=True):
            if access.space not in ("global", "local", "generic"):
                continue
            inside = address - (LOCAL_WINDOW if access.space == "generic" else 0)
            is_local = access.space == "local" or 0 <= inside < WINDOW_BYTES
            if access.space != "global" and not is_local and address < GLOBAL_BASE:
                continue
            for byte in range(access.width_bytes):
                place = address + byte
                if access.space != "global" and is_local:
                    word, rest = divmod(inside + byte, 4)
                    place = self.local(sm, access.warp) + word * 4 * self.lanes + 4 * lane + rest
                yield lane // self.group, place // self.sector_bytes

    def count(self, what, times=1):
        self.counts[self.key, what] += int(times)

    def counted(self, level, cache, sector, is_write):
        """Access a cache and count; give what was found and the sectors that it writes back."""
        found, victim, dirty = cache.access(sector, is_write)
        self.count(f"{level} {found}")
        self.count(f"{level} eviction", victim is not None)
        self.count(f"{level} write-back", len(dirty))
        return found, [victim * cache.sectors + part for part in sorted(dirty)]

    def ask_l1(self, cache, sector, kind):
        found, back = self.counted("l1", cache, sector, kind == "store")
        for one in back:
            self.ask_l2(one, "store")
        if not self.ends_at(cache, found, kind):
            self.ask_l2(sector, kind)

    def ask_l2(self, sector, kind):
        self.count(f"l2 {kind}")
        reads, writes = kind != "store", kind != "load"
        if self.l2 is not None:
            found, back = self.counted("l2", self.l2, sector, writes)
            self.count("dram write", len(back))
            reads = reads and found != "hit"
            writes = writes and not self.ends_at(self.l2, found, "store")
        self.count("dram read", reads)
        self.count("dram write", writes)

    @staticmethod
    def ends_at(cache, found, kind):
        """Whether a level serves an access by itself."""
        if kind == "load" or cache.spec.write == "through":
            return kind == "load" and found == "hit"
        return found == "hit" or cache.spec.write_allocate


def as_counts(result):
    """Put a collector's result by instruction into the form of the twin's counts."""
    found = Counter()
    for launch in result.launches:
        for one in launch.instructions:
            key, c = (one.block, one.instruction, one.kind), one.counts
            for level, n in (("l1", c.l1), ("l2", c.l2)):
                found[key, f"{level} hit"] += n.hits
                found[key, f"{level} sector miss"] += n.sector_misses
                found[key, f"{level} miss"] += n.misses
                found[key, f"{level} eviction"] += n.evictions
                found[key, f"{level} write-back"] += n.write_backs
            found[key, "warps"] += c.warp_accesses
            found[key, "l2 load"] += c.l2_reads
            found[key, "l2 store"] += c.l2_writes
            found[key, "l2 atomic"] += c.l2_atomics
            found[key, "dram read"] += c.dram_reads
            found[key, "dram write"] += c.dram_writes
    return +found
