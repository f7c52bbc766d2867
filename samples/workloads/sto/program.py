"""MD5 of the windows of a file, which say where its chunks end, and of its segments."""

import hashlib

import numpy as np

from warpmill.checks import equal

WORD = 4
CHUNK = 16  # words
ROW = 17  # words of shared memory a thread, as in sto.cu


def make(*, kib, window, segment, boundary_bits, block, seed):
    """Make a file whose second half has parts of the first half, moved by some words."""
    if kib < 1 or not 1 <= block <= 1024 or not 0 <= boundary_bits < 32:
        raise ValueError("kib is at least 1, block from 1 to 1024, boundary_bits from 0 to 31")
    if window % WORD or segment % WORD or not WORD <= window <= kib * 1024:
        raise ValueError("window and segment are multiples of 4 bytes, window from 4 to the file's")
    if not 0 <= segment <= kib * 1024:
        raise ValueError("segment is from 4 bytes to those of the file, or 0 for none")
    rng = np.random.default_rng(seed)
    words = kib * 1024 // WORD
    data = rng.integers(0, 2**32, words, np.uint32)
    half, part = words // 2, words // 16
    for place in range(half, words - part, part + 7):
        start = rng.integers(0, half - part)
        data[place : place + part] = data[start : start + part]
    sizes = {"window": window // WORD, "segment": segment // WORD, "block": block}
    return {"data": data, "boundary_bits": boundary_bits, **sizes}


def run(device, modules, inputs):
    """Hash the windows and find where chunks end; hash the segments and those hashes."""
    module, block, words = modules["sto"], inputs["block"], inputs["data"]
    sines = np.floor(2.0**32 * np.abs(np.sin(np.arange(1, 65)))).astype(np.uint32)
    module.symbol("sines", np.uint32, (64,)).set(sines)
    data = device.array(words, name="data")

    window = inputs["window"]
    set_padding(module, window)
    digests = device.zeros((len(words) - window + 1, 4), np.uint32, name="window_digests")
    arguments = [data, digests, len(words), window]
    shared = WORD * (block + window - 1)
    device.launch(module["sto_sliding"], -(-len(words) // block), block, arguments, shared=shared)
    windows = digests.get()
    ends = np.flatnonzero(windows[:, 0] % 2 ** inputs["boundary_bits"] == 0)
    results = {"windows": windows, "ends": ends}

    length = inputs["segment"]
    if length:
        set_padding(module, length)
        segments = len(words) // length
        digests = device.zeros((segments, 4), np.uint32, name="segment_digests")
        grid, shared = -(-segments // block), WORD * ROW * block
        arguments = [data, digests, segments, length]
        device.launch(module["sto_direct"], grid, block, arguments, shared=shared)
        results["segments"] = digests.get()
        whole = hashlib.md5(results["segments"].tobytes()).digest()
        results["whole"] = np.frombuffer(whole, np.uint8)
    return results


def check(inputs, results):
    """Compare with hashlib, part by part."""
    data, window, length = inputs["data"].tobytes(), inputs["window"], inputs["segment"]
    count = len(inputs["data"])
    expected = digests_of(data, range(count - window + 1), window)
    yield equal("windows", results["windows"], expected, "hashlib.md5")
    # window by window, as there may be no end at all
    mask = 2 ** inputs["boundary_bits"] - 1
    ends = [not int(digest[0]) & mask for digest in expected]
    is_end = np.isin(np.arange(len(ends)), results["ends"])
    yield equal("ends of chunks", is_end, ends, "hashlib.md5")
    if length:
        expected = digests_of(data, range(0, count - length + 1, length), length)
        yield equal("segments", results["segments"], expected, "hashlib.md5")


def set_padding(module, length):
    """End messages of so many words: a bit, zeros up to a multiple of 16 words, the length."""
    padding = np.zeros(18, np.uint32)
    count = 3 + (-length - 3) % CHUNK
    padding[0], padding[count - 2] = 0x80, length * WORD * 8
    module.symbol("padding", np.uint32, (18,)).set(padding)


def digests_of(data, starts, length):
    """Hash parts of the data, all of so many words, each from a word on."""
    parts = (data[WORD * start : WORD * (start + length)] for start in starts)
    digests = b"".join(hashlib.md5(part).digest() for part in parts)
    return np.frombuffer(digests, np.uint32).reshape(-1, 4)
