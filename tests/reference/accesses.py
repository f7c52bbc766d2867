"""What accesses cost, lane by lane and byte by byte, in plain Python: slow and obvious."""

from itertools import product

from tests.reference.formulas import compute
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.ir.types import Space


def warps_of(launch, ctas, warp_size=32):
    """For each warp the ids of its threads, by name, x fastest."""
    x, y, z = launch.block
    threads = [(i % x, i // x % y, i // (x * y)) for i in range(x * y * z)]
    for cta in ctas:
        for start in range(0, len(threads), warp_size):
            ids = []
            for lane, tid in enumerate(threads[start : start + warp_size]):
                named = {f"tid.{a}": v for a, v in zip("xyz", tid, strict=True)}
                named |= {f"ctaid.{a}": v for a, v in zip("xyz", cta, strict=True)}
                named |= {f"ntid.{a}": v for a, v in zip("xyz", launch.block, strict=True)}
                named |= {f"nctaid.{a}": v for a, v in zip("xyz", launch.grid, strict=True)}
                ids.append(named | {"laneid": lane})
            yield ids


def value(formula, ids, layout, counters):
    """Compute a formula in one lane."""
    known = {
        AtomKind.SPECIAL: lambda atom: ids[atom.name],
        AtomKind.ARGUMENT: lambda atom: layout.arguments[atom.name].base,
        AtomKind.ADDRESS: lambda atom: layout.addresses[atom.name],
        AtomKind.COUNTER: lambda atom: counters[atom.key],
    }
    return compute(formula, lambda atom, _: known[atom.kind](atom))


def iterations(loops, trips, ids, layout, counters):
    """The combinations of counters; a warp goes on for as long as one of its lanes does."""
    if not loops:
        yield counters
        return
    count = max(value(trips[loops[0]], lane, layout, counters) for lane in ids)
    for i in range(count):
        inner = counters | {loops[0]: i}
        yield from iterations(loops[1:], trips, ids, layout, inner)


def cost(access, addresses):
    """Count (sectors, lines, bank passes) of one access of a warp; None where it is not counted."""
    width = access.width_bytes
    touched = [range(a, a + width) for a in addresses]
    if access.space is Space.SHARED:
        return None, None, passes(touched, width)
    if access.space is Space.LOCAL:
        touched = [
            [(byte // 4) * 256 + lane * 4 + byte % 4 for byte in bytes_]
            for lane, bytes_ in enumerate(touched)
        ]
    sectors = {(lane // 32, b // 32) for lane, bytes_ in enumerate(touched) for b in bytes_}
    lines = {b // 128 for bytes_ in touched for b in bytes_}
    return len(sectors), len(lines), None


def passes(touched, width):
    """Words of 4 B in 32 banks; lanes go together as far as their words fill the banks once."""
    together = max(1, 32 // max(1, width // 4))
    total = 0
    for first in range(0, len(touched), together):
        words = {b // 4 for bytes_ in touched[first : first + together] for b in bytes_}
        total += max(sum(w % 32 == bank for w in words) for bank in range(32))
    return total


def costs(access, trips, launch, layout, ctas):
    """Count every access of every warp over all iterations; the first iterations apart."""
    first, every = [], []
    start = dict.fromkeys((loop for loop, _ in access.loop_strides_bytes), 0)
    for ids in warps_of(launch, ctas):
        first.append(cost(access, [value(access.address, i, layout, start) for i in ids]))
        for counters in iterations(list(start), trips, ids, layout, start):
            at = [value(access.address, i, layout, counters) for i in ids]
            every.append(cost(access, at))
    return first, every


def all_ctas(launch):
    """The ids of all CTAs of a launch."""
    x, y, z = launch.grid
    return [(a, b, c) for c, b, a in product(range(z), range(y), range(x))]


def spread(counts):
    """(least, most, mean) of some counts; None where there are none."""
    known = [c for c in counts if c is not None]
    return (min(known), max(known), sum(known) / len(known)) if known else None
