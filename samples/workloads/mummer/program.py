"""Matching of reads with a genome: the host builds the tree, the device walks it."""

import numpy as np

from warpmill.checks import equal, holds
from warpmill.samples.common.suffix_trees import suffix_tree

WIDTH = 1024  # nodes in a row of the textures, as the kernels have it
BASES = np.frombuffer(b"ACGT$", np.uint8)
COMPLEMENT = np.arange(256, dtype=np.uint8)
COMPLEMENT[list(b"ACGT")] = list(b"TGCA")


def make(*, reference, queries, shortest, longest, least, batch, block, seed):
    """Make a genome with repeats, and reads of both of its strands with errors; some are foreign.

    Reads crowd in parts of the genome. A few symbols could not be told (N).
    """
    if not 1 <= least <= shortest <= longest <= reference:
        raise ValueError("least, shortest, longest and reference ascend from 1")
    if queries < 1 or batch < 1:
        raise ValueError("queries and batch are 1 or more")
    rng = np.random.default_rng(seed)
    genome = genome_with_repeats(rng, reference)
    lengths = rng.integers(shortest, longest + 1, queries)
    place = ((reference - lengths + 1) * rng.beta(0.6, 0.9, queries)).astype(int)
    reads = [BASES[genome[at : at + n]] for at, n in zip(place, lengths, strict=True)]
    foreign = rng.random(queries) < 0.1
    reverse = rng.random(queries) < 0.5
    for i, read in enumerate(reads):
        if foreign[i]:
            read[:] = BASES[rng.integers(0, 4, len(read))]
        elif reverse[i]:
            reads[i] = COMPLEMENT[read[::-1]]
    symbols = np.concatenate(reads)
    wrong = rng.random(len(symbols)) < 0.015
    symbols[wrong] = BASES[rng.integers(0, 4, np.count_nonzero(wrong))]
    symbols[rng.random(len(symbols)) < 0.001] = ord("N")
    return {
        "genome": BASES[genome],
        "symbols": symbols,
        "offsets": np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        "least": least,
        "batch": batch,
        "block": block,
    }


def genome_with_repeats(rng, size):
    """Draw bases, more of A and T; a quarter of them are copies of others, nearly the same."""
    genome = rng.choice(4, size, p=[0.31, 0.19, 0.19, 0.31])
    for _ in range(max(1, size // 1200)):
        length = int(min(size // 2, 30 + rng.geometric(1 / 270)))
        source, target = rng.integers(0, size - length + 1, 2)
        genome[target : target + length] = genome[source : source + length]
    changed = rng.random(size) < 0.005
    genome[changed] = rng.integers(0, 4, np.count_nonzero(changed))
    return genome


def run(device, modules, inputs):
    """Match batch after batch, as it is read and as the other strand; position and length each."""
    text = np.searchsorted(BASES[:4], inputs["genome"])
    tree = suffix_tree([*text, 4], symbols=5)
    nodes = np.stack([tree.start, tree.end, tree.link, np.zeros_like(tree.link)], axis=1)
    reference = np.append(inputs["genome"], ord("$")).astype(np.uint8)
    of_tree = [
        device.texture(texels(nodes), channels=4),
        device.texture(texels(tree.children[:, :4]), channels=4),
        device.texture(reference, linear_memory=True),
    ]
    module, offsets, block = modules["mummer"], inputs["offsets"], inputs["block"]
    found = {"mummer_match": [], "mummer_match_reverse": []}
    for first in range(0, len(offsets) - 1, inputs["batch"]):
        part = offsets[first : first + inputs["batch"] + 1]
        count, symbols = len(part) - 1, inputs["symbols"][part[0] : part[-1]]
        queries = device.texture(symbols, linear_memory=True)
        starts = device.array(part - part[0], name="offsets")
        matches = device.empty((len(symbols), 2), np.int32, name="matches")
        for kernel, results in found.items():
            matches.fill(-1)  # the last starts of a query are not tried
            args = [*of_tree, queries, starts, count, inputs["least"], matches]
            device.launch(module[kernel], -(-count // block), block, args)
            results.append(matches.get())
        starts.free()
        matches.free()
    return {kernel: np.concatenate(parts) for kernel, parts in found.items()}


def texels(rows):
    """Lay rows of four numbers out as a texture, so many in a row of it as the kernels expect."""
    padded = np.pad(rows, ((0, -len(rows) % WIDTH), (0, 0)))
    return padded.astype(np.uint32).reshape(-1, WIDTH, 4)


def check(inputs, results):
    """Compare lengths with those found without a tree, and look at the reference's symbols."""
    offsets, least, genome = inputs["offsets"], inputs["least"], inputs["genome"]
    lengths = np.diff(offsets)
    start = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    left = np.repeat(lengths, lengths) - start
    other_end = np.repeat(offsets[1:] - 1, lengths) - start
    strands = {
        "mummer_match": inputs["symbols"],
        "mummer_match_reverse": COMPLEMENT[inputs["symbols"][other_end]],
    }
    tried = left >= least
    for kernel, symbols in strands.items():
        position, length = results[kernel].T
        longest = longest_matches(genome, symbols, left)
        by = "NumPy, classes of equal words"
        yield equal(f"{kernel}: lengths", length, np.where(tried, longest, -1), by)
        long = tried & (longest >= least)
        yield equal(f"{kernel}: long ones", position >= 0, long, by)
        if long.any():
            yield from same_symbols(kernel, genome, symbols, position, np.where(long, longest, 0))


def same_symbols(kernel, genome, symbols, position, length):
    """Compare the symbols of matches with those of the genome where they are said to lie."""
    matches = np.flatnonzero(length)
    at = np.clip(position[matches], 0, len(genome))  # a position may be wrong
    size = np.minimum(length[matches], len(genome) - at)
    step = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    here = genome[np.repeat(at, size) + step]
    read = symbols[np.repeat(matches, size) + step]
    yield equal(f"{kernel}: symbols", here, read, "the genome")
    within = (at == position[matches]) & (size == length[matches])
    yield holds(f"{kernel}: places", within, "the genome's size")


def longest_matches(genome, symbols, left):
    """Find how many symbols from each place on, at most ``left``, occur in the genome.

    Places with the same word of n symbols are a class; each round words grow by a symbol, and
    places drop out whose word the genome does not have.
    """
    of_genome, of_symbols = np.zeros(len(genome), int), np.zeros(len(symbols), int)
    longest = np.zeros(len(symbols), int)
    alive = np.arange(len(symbols))
    for size in range(1, len(genome) + 1):
        alive = alive[left[alive] >= size]
        grown = 256 * of_genome[: len(genome) - size + 1] + genome[size - 1 :]
        words, of_genome = np.unique(grown, return_inverse=True)
        wanted = 256 * of_symbols[alive] + symbols[alive + size - 1]
        place = np.minimum(np.searchsorted(words, wanted), len(words) - 1)
        is_there = words[place] == wanted
        alive = alive[is_there]
        if not len(alive):
            break
        of_symbols[alive] = place[is_there]
        longest[alive] = size
    return longest
