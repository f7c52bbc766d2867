"""Waves of CTAs through L1s, an L2 and DRAM as one would describe them, sector by sector.

Every warp of every CTA is executed, and nothing is sampled, cut short or scaled. The waves of a
launch come one after another; the CTAs of one go to SMs in turn, and its warps make one access each
in turn, those of the first CTA first. There is no time in it: an access is over before the next.
"""

from collections import Counter, defaultdict

from tests.reference.gpu_twin.network import Places
from warpmill.analyzer.ir.operation import goes_past_l1
from warpmill.executor.collectors import Collector
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.spec import specify
from warpmill.simulator.memory.cache import l1_spec


class PlainCache:
    """Lines by set, the one that was used longest ago first; a line is its sectors by place.

    A sector is the bytes that are known of it; ``dirty`` are those that memory has yet to get.
    """

    def __init__(self, spec, hashed):
        self.parts = spec.line_bytes // spec.granule_bytes
        self.whole = frozenset(range(spec.granule_bytes))
        self.ways, self.sets, self.hashed = spec.lines // spec.sets, spec.sets, hashed
        self.lines, self.dirty = defaultdict(dict), set()

    def find(self, sector):
        """The bytes that are known of a sector, whose line is now the newest; none elsewhere."""
        number, part = divmod(sector, self.parts)
        held = self.lines[self.set_of(number)]
        if number not in held:
            return frozenset()
        held[number] = held.pop(number)
        return held[number].get(part, frozenset())

    def put(self, sector, known):
        """Know bytes of a sector; gives the dirty sectors that made room, with what was known."""
        number, part = divmod(sector, self.parts)
        held, gone = self.lines[self.set_of(number)], {}
        if number not in held:
            if len(held) == self.ways:
                oldest = next(iter(held))
                line = held.pop(oldest)
                gone = {oldest * self.parts + k: known for k, known in line.items()}
            held[number] = {}
        held[number] = held.pop(number)
        held[number][part] = known
        back = {old: known for old, known in gone.items() if old in self.dirty}
        self.dirty -= gone.keys()
        return back

    def set_of(self, number):
        """A line's set: hashed, its number's upper digits are folded into the lowest."""
        sets = self.sets
        if not self.hashed or sets & (sets - 1):
            return number % sets
        digits = [number // sets**k % sets for k in range(4)]
        return digits[0] ^ digits[1] ^ digits[2] ^ digits[3]


class WaveTwin(Collector):
    """Counts sectors by where they go: ``l1``, ``l1 miss``, ``l2 load``, ``l2 store``,
    ``l2 atomic``, ``l2 miss``, ``dram read``, ``dram write``.

    An SM holds ``ctas_per_sm`` at once, beside shared memory of ``carveout_bytes``. Only global
    memory is known. Dirty sectors that L2 still has at the end are not written.
    """

    def __init__(self, machine, ctas_per_sm, carveout_bytes):
        self.spec = specify(machine, carveout_bytes)
        assert not self.spec.has_l2 or self.spec.l2_partial_writes != c.PARTS_NONE
        self.caches_global = machine.flag("l1.caches_global")
        self.has_l1 = l1_spec(machine, carveout_bytes) is not None
        self.places, self.wave_ctas = Places(self.spec), self.spec.sm_count * ctas_per_sm
        self.warps = defaultdict(list)

    def on_launch(self, launch):
        self.kernel = launch.kernel

    def on_accesses(self, accesses):
        size = self.spec.sector_bytes
        for one in accesses:
            if one.space in ("shared", "param", "const"):
                continue
            assert one.space == "global", one.space
            bytes_of = defaultdict(set)
            for address in one.addresses:
                for at in (address, address + one.width_bytes - 1):
                    bytes_of[at // size]
                if one.kind == "store":
                    for at in range(address, address + one.width_bytes):
                        bytes_of[at // size].add(at % size)
            operation = self.kernel.blocks[one.block].instructions[one.instruction].operation
            past = one.kind == "atomic" or goes_past_l1(operation, self.caches_global)
            self.warps[one.cta, one.warp].append((one.kind, past, dict(bytes_of)))

    def traffic(self):
        """Send the launch through cold caches and count."""
        self.found = Counter()
        kinds = self.spec.caches
        self.l1s = [PlainCache(*kinds["l1"][1:]) for _ in range(self.spec.sm_count)]
        self.slices = [PlainCache(*kinds["l2"][1:]) for _ in range(self.spec.slice_count)]
        waves = defaultdict(list)
        for cta, warp in sorted(self.warps):
            waves[cta // self.wave_ctas].append((cta, warp))
        for _, members in sorted(waves.items()):
            for turn in range(max(len(self.warps[member]) for member in members)):
                for cta, warp in members:
                    if turn < len(self.warps[cta, warp]):
                        self.access(cta % self.spec.sm_count, *self.warps[cta, warp][turn])
        return self.found

    def access(self, sm, kind, past, bytes_of):
        """Do what an access does to its sectors."""
        l1 = self.l1s[sm]
        for sector, written in bytes_of.items():
            if past or not self.has_l1:
                self.ask_l2(kind, sector, written)
            elif kind == "load":
                self.found["l1"] += 1
                if l1.find(sector) != l1.whole:
                    self.found["l1 miss"] += 1
                    l1.put(sector, l1.whole)
                    self.ask_l2(kind, sector, written)
            else:
                if self.spec.l1_write_allocates or l1.find(sector):
                    l1.put(sector, l1.find(sector) | written)
                self.ask_l2(kind, sector, written)

    def ask_l2(self, kind, sector, written):
        """Ask L2, whose slice of a sector has it under a number of its own."""
        self.found[f"l2 {kind}"] += 1
        l2, number = self.slices[self.places.slice_of(sector)], self.places.local(sector)
        known = l2.find(number)
        if kind != "store" and known != l2.whole:
            self.found["l2 miss"] += 1
            self.found["dram read"] += 1
        after = l2.whole if kind != "store" else known | written
        if not known and after != l2.whole and self.spec.l2_partial_writes == c.PARTS_FETCHED:
            self.found["dram read"] += 1
            after = l2.whole
        for old in l2.put(number, after).values():
            self.found["dram write"] += 1
            filled = self.spec.l2_partial_writes == c.PARTS_FILLED
            self.found["dram read"] += filled and old != l2.whole
        if kind != "load":
            l2.dirty.add(number)
