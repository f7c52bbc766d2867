"""A cache as one would describe it: sets that are lists of lines, newest first."""


class NaiveCache:
    def __init__(self, spec):
        self.spec = spec
        self.sectors = spec.line_bytes // spec.granule_bytes
        lines = spec.size_bytes // spec.line_bytes
        self.ways = spec.ways or lines
        self.sets = [[] for _ in range(lines // self.ways)]

    def access(self, sector, is_write):
        """What was found, the number of the line that had to go, and its dirty sectors."""
        number, part = divmod(sector, self.sectors)
        held = self.sets[number % len(self.sets)]
        line = next((line for line in held if line["number"] == number), None)
        hit = line is not None and part in line["there"]
        found = "hit" if hit else "miss" if line is None else "sector miss"
        if is_write and not hit and not self.spec.write_allocate:
            return found, None, set()
        victim = None
        if line is None:
            if len(held) == self.ways:
                victim = held.pop()
            line = {"number": number, "there": set(), "dirty": set()}
            held.insert(0, line)
        elif self.spec.replacement == "lru":
            held.remove(line)
            held.insert(0, line)
        line["there"].add(part)
        if is_write and self.spec.write == "back":
            line["dirty"].add(part)
        return (found, victim["number"], victim["dirty"]) if victim else (found, None, set())

    def dirty(self):
        """All dirty sectors."""
        lines = [line for held in self.sets for line in held]
        return {line["number"] * self.sectors + part for line in lines for part in line["dirty"]}
