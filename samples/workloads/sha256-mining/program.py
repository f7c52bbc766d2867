"""Mining: for each job nonces are tried in batches, until one is found or a new job comes."""

import hashlib
import math

import numpy as np

from warpmill.checks import equal, holds

BLOCK = 128
NONE = 0xFFFFFFFF
FIRST_BLOCK = bytes.fromhex(  # Bitcoin's, without its nonce: version, previous, root, time, bits
    "01000000" + 64 * "0" + "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a"
    "29ab5f49ffff001d"
)
FIRST_NONCE = 2083236893
FIRST_DIGEST = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
OUTPUTS = ("lowest", "found", "checksum")


def make(jobs, seed, **others):
    """Draw headers without their nonces; the first is that of Bitcoin's first block."""
    if min(jobs, *others.values()) < 1 or others["bits"] > 32:
        raise ValueError("jobs, batches, threads, each and bits are 1 or more; bits up to 32")
    if others["threads"] % BLOCK:
        raise ValueError(f"threads are a multiple of {BLOCK}, a CTA's")
    rng = np.random.default_rng(seed)
    headers = [FIRST_BLOCK, *(rng.bytes(76) for _ in range(jobs - 1))]
    nonces = rng.integers(0, 1 << 30, jobs)
    most = others["threads"] * others["each"]
    nonces[0] = FIRST_NONCE - most // BLOCK  # found in the first batches
    return {"headers": headers, "nonces": nonces.astype(np.uint32), **others}


def run(device, modules, inputs):
    """Mine all jobs. After a new job batches begin small, so that what is found is told soon."""
    module = modules["sha256"]
    for name, values in (("round_constants", ROUND_CONSTANTS), ("start", START)):
        module.symbol(name, np.uint32, (len(values),)).set(values)
    target = np.full(8, NONE, np.uint32)
    target[0] = (1 << 32 - inputs["bits"]) - 1
    module.symbol("target", np.uint32, (8,)).set(target)
    arrays = [device.zeros(1, np.uint32, name=name) for name in OUTPUTS]
    batches = []
    for job, (header, first) in enumerate(zip(inputs["headers"], inputs["nonces"], strict=True)):
        module.symbol("midway", np.uint32, (8,)).set(compress(START, words_of(header[:64])))
        module.symbol("tail", np.uint32, (3,)).set(words_of(header[64:]))
        nonce = first
        for batch in range(inputs["batches"]):
            threads = max(BLOCK, inputs["threads"] >> max(0, 3 - batch))
            for array, empty in zip(arrays, (NONE, 0, 0), strict=True):
                array.set(np.array([empty], np.uint32))
            args = [*arrays, nonce, inputs["each"]]
            device.launch(module["mine"], threads // BLOCK, BLOCK, args)
            device.synchronize()
            told = [int(array.get()[0]) for array in arrays]
            batches.append([job, int(nonce), threads, *told])
            nonce = nonce + np.uint32(threads * inputs["each"])
            if told[1]:
                break
    return {"batches": np.array(batches, np.int64)}


def check(inputs, results):
    """Digest everything with hashlib: what is found, which is the lowest, and the checksum."""
    each, bits = inputs["each"], inputs["bits"]
    expected, found = [], 0
    for job, first, threads, *_ in results["batches"].tolist():
        header = inputs["headers"][job]
        lowest, count, checksum = NONE, 0, 0
        for cta in range(first, first + threads * each, BLOCK * each):
            for own in range(cta, cta + BLOCK):  # a thread's nonces, up to what it finds
                for nonce in range(own, cta + BLOCK * each, BLOCK):
                    digest = digest_of(header, nonce)
                    checksum ^= int.from_bytes(digest[28:], "big")
                    if not int.from_bytes(digest[28:], "little") >> 32 - bits:
                        lowest, count = min(lowest, nonce), count + 1
                        break
        expected.append([lowest, count, checksum])
        found += count > 0
    for column, name in enumerate(OUTPUTS):
        got = results["batches"][:, 3 + column]
        yield equal(name, got, [row[column] for row in expected], "hashlib.sha256, twice")
    first = digest_of(FIRST_BLOCK, FIRST_NONCE)[::-1].hex()
    yield holds("the first block has its digest", [first == FIRST_DIGEST], "Bitcoin's first block")
    yield holds("something is found", [found > 0], "hashlib.sha256, twice")


def digest_of(header, nonce):
    """Digest a header with its nonce twice."""
    whole = header + nonce.to_bytes(4, "little")
    return hashlib.sha256(hashlib.sha256(whole).digest()).digest()


def words_of(data):
    """Take bytes as words, the highest byte first."""
    return np.frombuffer(data, ">u4").astype(np.uint32)


def primes(count):
    """Give the first primes."""
    found = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def root_bits(number, power):
    """Give the first 32 bits after the point of a square root (2) or cube root (3)."""
    scaled = number << 32 * power
    root = math.isqrt(scaled) if power == 2 else round(scaled ** (1 / 3))
    while root**power > scaled:
        root -= 1
    while (root + 1) ** power <= scaled:
        root += 1
    return root % 2**32


START = np.array([root_bits(prime, 2) for prime in primes(8)], np.uint32)
ROUND_CONSTANTS = np.array([root_bits(prime, 3) for prime in primes(64)], np.uint32)


def compress(state, words):
    """Digest a chunk on the host, as miners do once a job. Python's numbers, cut to 32 bits."""
    cut = 0xFFFFFFFF
    turn = [lambda word, by=by: (word >> by | word << 32 - by) & cut for by in range(32)]
    message = [int(word) for word in words]
    for i in range(16, 64):
        far, near = message[i - 15], message[i - 2]
        mixed = turn[7](far) ^ turn[18](far) ^ far >> 3
        mixed += turn[17](near) ^ turn[19](near) ^ near >> 10
        message.append((message[i - 16] + message[i - 7] + mixed) & cut)
    parts = [int(word) for word in state]
    for word, constant in zip(message, ROUND_CONSTANTS, strict=True):
        a, b, c, d, e, f, g, h = parts
        first = h + (turn[6](e) ^ turn[11](e) ^ turn[25](e)) + (e & f ^ ~e & g)
        first += int(constant) + word
        second = (turn[2](a) ^ turn[13](a) ^ turn[22](a)) + (a & b ^ a & c ^ b & c)
        parts = [(first + second) & cut, a, b, c, (d + first) & cut, e, f, g]
    return np.array([(int(a) + b) & cut for a, b in zip(state, parts, strict=True)], np.uint32)
