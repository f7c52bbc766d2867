"""Scan of large arrays: the parts, then their sums in the same way, then these are added."""

import numpy as np

from warpmill.checks import equal

LOG_BANKS = 4  # as in scan.cu
LARGEST = 9  # of the values: sums stay whole numbers that floats hold
MOST = (1 << 24) // LARGEST


def make(elements, arrays, block, seed):
    """Draw whole numbers from 0 to 9, as floats; each array is half as long as the one before."""
    if block < 2 or block & (block - 1):
        raise ValueError("block is a power of two, 2 or more")
    if not 1 <= elements <= MOST or not 1 <= arrays <= elements.bit_length():
        words = f"elements are 1 to {MOST}, for sums that are exact; the last of the arrays has 1"
        raise ValueError(f"{words} or more elements")
    rng = np.random.default_rng(seed)
    lengths = [elements >> array for array in range(arrays)]
    values = [rng.integers(0, LARGEST + 1, n).astype(np.float32) for n in lengths]
    return {"values": values, "block": block}


def run(device, modules, inputs):
    """Scan one array after the other, in the same memory."""
    longest = len(inputs["values"][0])
    scan = Scan(device, modules["scan"], longest, inputs["block"])
    values = device.empty(longest, np.float32, name="values")
    scanned = device.empty(longest, np.float32, name="scanned")
    results = []
    for given in inputs["values"]:
        values[: len(given)].set(given)
        scan.into(scanned, values, len(given))
        device.synchronize()
        results.append(scanned[: len(given)].get())
    return {"scanned": np.concatenate(results)}


def check(inputs, results):
    """Compare with NumPy's sums of whole numbers, which are exact in both."""
    expected = [np.cumsum(np.append(0, given[:-1]), dtype=np.int64) for given in inputs["values"]]
    against = "numpy.cumsum of integers"
    yield equal("scanned", results["scanned"], np.concatenate(expected), against)


class Scan:
    """The launches of a scan, and the sums of parts of every level but the last."""

    def __init__(self, device, module, elements, block):
        self.device, self.module, self.block = device, module, block
        self.size = 2 * block  # elements of a part
        self.sums = []
        while (parts := -(-elements // self.size)) > 1:
            self.sums.append(device.empty(parts, np.float32, name=f"sums {len(self.sums)}"))
            elements = parts

    def into(self, scanned, values, count, level=0):
        """Scan the first `count` values; the sums of parts are scanned where they are."""
        whole, rest = divmod(count, self.size)
        if whole + (rest > 0) == 1:
            self._one_part(scanned, values, count)
            return
        sums = self.sums[level]
        args = [scanned, values, sums]
        self._launch("scan_parts", whole, self.block, args)
        if rest:
            args += [rest, whole, whole * self.size]
            self._launch("scan_rest", 1, threads_for(rest), args)
        self.into(sums, sums, whole + (rest > 0), level + 1)
        self._add(scanned, sums, self.size, whole, 0)
        if rest:
            self._add(scanned, sums, rest, 1, whole)

    def _one_part(self, scanned, values, count):
        threads = threads_for(count)
        if count == 2 * threads:
            self._launch("scan_whole", 1, threads, [scanned, values])
        else:
            self._launch("scan_few", 1, threads, [scanned, values, count])

    def _launch(self, kernel, grid, threads, args):
        padded = 2 * threads + (2 * threads >> LOG_BANKS)
        self.device.launch(self.module[kernel], grid, threads, args, shared=4 * padded)

    def _add(self, scanned, sums, count, grid, part):
        """Add sums from that of `part` on to the parts from there, each of `count` elements."""
        args = [scanned, sums, count, part, part * self.size]
        threads = self.block if count == self.size else threads_for(count)
        self.device.launch(self.module["add_sums"], grid, threads, args)


def threads_for(count):
    """Give the threads that have up to `count` elements, two each: the next power of two."""
    return 1 << max(0, (count - 1).bit_length() - 1)
