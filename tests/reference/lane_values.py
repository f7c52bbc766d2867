"""One instruction on many lanes of odd numbers, against a function of Python's integers."""

import random
import re

import numpy as np

from tests.reference.one_operation import compile_operation

_EDGES = [0, 1, 2, 3, 7, 8, -1, -2, -3, -8, 31, 32, 33, 63, 64, 127, 128, 255, 256]
_REGISTERS = """.reg .b32 %a, %b, %c, %d, %e, %f; .reg .b64 %A, %B, %C, %D; .reg .b16 %w, %x, %y;
.reg .pred %p, %q, %r; .reg .f32 %fd, %fa, %fb; .reg .f64 %Fd, %Fa, %Fb; .reg .b128 %Q;"""


def values(rng, bits, count=32):
    """Mostly numbers where something turns over, some small, some of any bits."""
    top = 1 << bits - 1
    edges = [*_EDGES, top, top - 1, top + 1, top >> 1, (1 << bits // 2) - 1, 1 << bits // 2]
    picks = [rng.choice([*edges, rng.getrandbits(bits), rng.getrandbits(6)]) for _ in range(count)]
    return [p % (1 << bits) for p in picks]


def signed(value, bits=32):
    """The two's complement number that low bits stand for."""
    value %= 1 << bits
    return value - (1 << bits) if value >> bits - 1 else value


def array(numbers, bits):
    """Numbers as lanes of a register."""
    if bits == 1:
        return np.array(numbers, bool)
    return np.array([int(n) % (1 << bits) for n in numbers], f"u{bits // 8}")


def check(statement, oracle, lanes=32, rounds=8):
    """Run a statement on many values.

    The first register of the text is the result; ``oracle`` takes the others in their order as
    unsigned numbers, predicates as truths, and gives any integer.
    """
    operation = compile_operation(statement, _REGISTERS, lanes)
    bits = {r.name: r.type.bits for r in operation.kernel.registers}
    to, *sources = dict.fromkeys(re.findall(r"%\w+", statement))
    rng = random.Random(statement)
    for _ in range(rounds):
        given = {n: values(rng, max(8, bits[n]), lanes) for n in sources}
        given = {n: [v % (1 << bits[n]) for v in v] for n, v in given.items()}
        out = operation.run({n: array(v, bits[n]) for n, v in given.items()})[to]
        rows = zip(*given.values(), strict=True)
        wanted = [oracle(*row) % (1 << bits[to]) for row in rows]
        assert [int(v) for v in out] == wanted, (statement, given)
