"""Mersenne twisters, one a thread: uniform numbers, and normal ones made of them."""

import numpy as np
from scipy import stats

from warpmill.checks import close, equal, holds

BITS = 607  # of a generator's state; 2^607 - 1 is a prime
MASKS = 0x9D2C5680, 0xEFC60000  # of tempering, as MT19937 has them
MT19937 = 0x9908B0DF  # its matrix
STANDARD = 1300  # numbers of each generator of that kind: its 624 words are made anew twice
TRIED = 4  # generators whose period is looked at
LEAST = 1e-4  # probability that a sample is so far from its distribution
# Last rows of matrices whose characteristic polynomials are primitive: found by trying numbers
# whose lower half counts up, and looking at the period as `check` does.
MATRICES = """
    bec30000 b3c40001 ebea0002 a9a00003 f2210004 aa0b0005 9cd60006 b0140007
    ee400008 e3dd0009 c7d2000a ee98000b ac62000c a6a4000d 9959000e dc21000f
    b4340010 aa290011 dfa30012 fcc50013 abb20014 a4fa0015 c6f20016 bdcc0017
    97130018 93ba0019 87c1001a f22e001b 981f001c e3f7001d d9bb001e b106001f
    e06b0020 a5150021 a4560022 cae40023 eb860024 bcc90025 de2c0026 92740027
    bb000028 9d4b0029 93a3002a ac45002b f795002c e0cf002d f1d2002e cf81002f
    c8eb0030 fc8e0031 a1fa0032 d83d0033 a3900034 8b150035 b62b0036 d14c0037
    ac6c0038 c15a0039 96fd003a e415003b b71f003c d5bb003d e4f8003e e0b6003f
    83ea0040 899d0041 ceb90042 b1920043 c6e00044 c5a20045 d2fe0046 97de0047
    e1540048 b36f0049 bafa004a fdf9004b b885004c e676004d 8385004e c566004f
    e1a00050 f5de0051 b7750052 d0a10053 9f550054 91d20055 8f660056 f8bd0057
    d2b20058 a2240059 ad6a005a c37f005b ea39005c c28c005d eed8005e b8a8005f
    8ff20060 a7630061 9cd20062 dcf80063 8b6c0064 922f0065 ef080066 d3290067
    eac10068 ad0a0069 d77e006a d8fb006b cd27006c baed006d cb30006e 8897006f
    dc010070 d8150071 ed2a0072 d9350073 93560074 da3c0075 c0b60076 97810077
    acb70078 933e0079 d24b007a ebcf007b df91007c aeb5007d a3cf007e c80e007f
"""


def make(*, generators, count, standard, blocks, block, seed):
    """Draw a seed for each generator; those from the 129th on have matrices that others have."""
    if min(generators, standard, blocks) < 1:
        raise ValueError("generators, standard and blocks are at least 1")
    if count < 2 or count % 2:
        raise ValueError("count is at least 2, and even")
    rng = np.random.default_rng(seed)
    matrices = np.array([int(word, 16) for word in MATRICES.split()], np.uint32)
    own = parameters(np.resize(matrices, generators), rng)
    return {
        "generators": own,
        "standard": parameters(np.full(standard, MT19937, np.uint32), rng),
        "count": count,
        "grid": blocks,
        "block": block,
    }


def parameters(matrices, rng):
    """List what each generator is: matrix, masks, seed."""
    seeds = rng.integers(1, 2**32, len(matrices), np.uint32)
    masks = [np.full(len(matrices), mask, np.uint32) for mask in MASKS]
    return np.column_stack([matrices, *masks, seeds])


def run(device, modules, inputs):
    """Draw numbers of all generators, then make normal ones; draw some of MT19937 as well."""
    uniform = draw(device, modules["twister"], inputs, "generators", inputs["count"])
    results = {"uniform": uniform.get()}
    arguments = [uniform, len(inputs["generators"]), inputs["count"]]
    kernel = modules["twister"]["twister_box_muller"]
    device.launch(kernel, inputs["grid"], inputs["block"], arguments)
    results["normal"] = uniform.get()
    results["standard"] = draw(device, modules["mt19937"], inputs, "standard", STANDARD).get()
    return results


def draw(device, module, inputs, name, count):
    """Draw numbers by the generators of that name; one row each time."""
    generators = device.array(inputs[name], name=name)
    numbers = device.zeros((count, len(inputs[name])), np.float32, name=f"numbers of {name}")
    arguments = [generators, numbers, len(inputs[name]), count]
    device.launch(module["twister_uniform"], inputs["grid"], inputs["block"], arguments)
    return numbers


def check(inputs, results):
    """Compare MT19937 with NumPy's; look at periods, at distributions, and at the formula."""
    seeds = inputs["standard"][:, 3]
    words = [np.random.RandomState(s).randint(0, 2**32, STANDARD, np.uint32) for s in seeds]
    expected = (np.array(words).T.astype(np.float32) + np.float32(1)) / np.float32(2**32)
    yield equal("numbers of MT19937", results["standard"], expected, "numpy.random.RandomState")

    uniform, normal = results["uniform"].astype(np.float64), results["normal"]
    if len(uniform) > 2 * BITS:
        yield from check_periods(uniform)
    fits = stats.kstest(uniform.ravel(), "uniform").pvalue > LEAST
    yield holds("uniform numbers", [fits], "scipy.stats.kstest")

    pairs = np.sqrt(-2 * np.log(uniform[::2])) * np.exp(2j * np.pi * uniform[1::2])
    expected = np.stack([pairs.real, pairs.imag], axis=1).reshape(normal.shape)
    yield close("normal numbers", normal, expected, "complex exponentials", rtol=0, atol=4e-6)
    fits = stats.kstest(normal.ravel(), "norm").pvalue > LEAST
    yield holds("normal distribution", [fits], "scipy.stats.kstest")


def check_periods(uniform):
    """Find the recurrences of some generators' upper bits: they have the longest period."""
    tried = np.linspace(0, min(uniform.shape[1], len(MATRICES.split())) - 1, TRIED).astype(int)
    polynomials = [shortest_recurrence(uniform[:, g] > 0.5) for g in tried]
    lengths = [polynomial.bit_length() - 1 for polynomial in polynomials]
    yield equal("bits of the state", lengths, np.full(TRIED, BITS), "Berlekamp and Massey")
    full = [is_irreducible(polynomial) for polynomial in polynomials]
    yield holds("periods of 2^607 - 1", full, "x^(2^607) = x modulo the polynomial")
    different = len(set(polynomials)) == len(set(tried))
    yield holds("recurrences differ", [different], "Berlekamp and Massey")


def shortest_recurrence(bits):
    """Find the characteristic polynomial of the shortest linear recurrence that gives the bits.

    Bit i of the number is the coefficient of x^i (Berlekamp and Massey, over two elements).
    """
    connection, last, length, since, seen = 1, 1, 0, 1, 0
    for number, bit in enumerate(bits):
        seen = seen << 1 | int(bit)  # the newest bit is the lowest
        if (connection & seen).bit_count() % 2 == 0:
            since += 1
        elif 2 * length <= number:
            connection, last = connection ^ last << since, connection
            length, since = number + 1 - length, 1
        else:
            connection ^= last << since
            since += 1
    return int(format(connection, f"0{length + 1}b")[::-1], 2)


def is_irreducible(polynomial):
    """Tell whether a polynomial of prime degree over two elements has no divisors.

    Without linear ones, it has none if x^(2^degree) = x: its divisors' degrees divide the degree.
    As 2^607 - 1 is a prime, the recurrence then has the longest period.
    """
    degree = polynomial.bit_length() - 1
    if polynomial % 2 == 0 or polynomial.bit_count() % 2 == 0:
        return False
    power = 2
    for _ in range(degree):
        power = int(format(power, "b"), 4)  # squaring puts a 0 between every two coefficients
        while (length := power.bit_length()) > degree:
            power ^= polynomial << (length - degree - 1)
    return power == 2
