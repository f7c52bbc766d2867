"""calls.cu: functions that stay functions, what is printed, and jumps."""

# ruff: noqa: ARG001, ARG005 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import EXACT, Near, Program

RAY = np.dtype(
    {
        "names": ["origin", "direction", "far", "tag"],
        "formats": ["3f4", "3f4", "f8", "i1"],
        "offsets": [0, 12, 24, 32],
        "itemsize": 40,
    }
)


def _march_inputs(rng):
    ray = np.zeros((), RAY)
    ray["origin"], ray["direction"], ray["far"] = (-3, 0.1, 0.2), (1, 0.02, 0.01), 100.0
    ray["tag"] = 3
    return [ray[()], np.zeros(32, np.float32), np.int32(50)]


def marched(ray, out, steps):
    """Steps until the ray is in the unit sphere, in f32; no step ends near its surface."""
    one, expected = np.float32(0.1), np.zeros(32)
    for t in range(32):
        origin, direction = ray["origin"].copy(), ray["direction"].copy()
        direction[0] += np.float32(t) * np.float32(0.01)
        far, i = ray["far"], 0
        while i < steps and not (origin * origin).sum() < 1:
            origin += direction * one
            far, i = far - one, i + 1
        expected[t] = i + np.float32(far) + ray["tag"] + i
    return {1: expected}


def chosen(which, data, n):
    """Twice, squared or inverted."""
    each = np.select([which % 3 == 0, which % 3 == 1], [data + data, data * data], 1 / data)
    return {1: each}


def areas(out, n):
    """Circles at odd places, boxes at even ones, grown n times."""
    t = np.arange(32)
    factor = np.float64(np.float32(1.1)) ** (2 * n)
    return {0: np.where(t & 1, 3.14159 * t * t, 2.0 * t) * factor}


def told(given, n):
    """What is printed, a line for each negative number; threads' order is not defined."""
    lines = [
        f'thread {i}: {v}, {v * 0.5:f} and "text; with {{ marks }} // in it"\n'
        for i, v in enumerate(given[:n])
        if v < 0
    ]
    wanted = "".join(sorted(lines))
    return {"printed": lambda got: _in_order(got) == wanted or repr(got)}


def _in_order(printed):
    return "".join(sorted(printed.splitlines(keepends=True)))


def signed(value):
    """Take the lower 32 bits as a number with a sign."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def divided(a, b):
    """Divide as C does, towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _reversed_bits(value):
    return int(f"{value & 0xFFFFFFFF:032b}"[::-1], 2)


STEPS = {
    0: lambda x, y: y + x, 1: lambda x, y: y - x * 3, 2: lambda x, y: y ^ x,
    3: lambda x, y: y * x + 1, 4: lambda x, y: (y & 0xFFFFFFFF).bit_count() + x,
    5: lambda x, y: divided(y, x | 1), 6: lambda x, y: y - divided(y, x | 1) * (x | 1),
    8: lambda x, y: ~y, 9: lambda x, y: _reversed_bits(max(x, y)),
    10: lambda x, y: _reversed_bits(y),
}  # fmt: skip


def jumped(given, out, n):
    """Four cases of the switch a number; 11 ends."""
    expected = out.copy()
    for i in range(n):
        x, y = int(given[i]), int(out[i])
        for at in range(0, 16, 4):
            case = x >> at & 15
            if case == 11:
                break
            y = signed(STEPS.get(case, lambda x, y: y + 1)(x, y))
        expected[i] = y
    return {1: expected}


def _jump_inputs(rng):
    given = rng.integers(-(1 << 31), 1 << 31, 200).astype(np.int32)
    digits = given[:, None] >> np.arange(0, 16, 4) & 15
    given = given[(digits != 7).all(1)]  # case 7 reads what another thread may have written
    return [given, rng.integers(-999, 999, given.size).astype(np.int32), np.int32(given.size - 3)]


DIVIDED = Near(2e-7, 0, "one operation of f32 that may divide approximately")
GROWN = Near(1e-5, 0, "nine products of f32 one after another")

PROGRAMS = (
    Program("calls", "march", 1, 32, _march_inputs, marched, EXACT),
    Program(
        "calls", "by_pointer", 2, 64,
        lambda rng: [rng.integers(0, 9, 120).astype(np.int32),
                     rng.uniform(0.5, 2, 120).astype(np.float32), np.int32(120)],
        chosen, DIVIDED,
    ),
    Program(
        "calls", "shapes", 1, 32, lambda _rng: [np.zeros(32, np.float32), np.int32(5)], areas, GROWN
    ),
    Program(
        "calls", "talk", 2, 32,
        lambda rng: [rng.integers(-50, 50, 64).astype(np.int32), np.int32(64)], told,
    ),
    Program("calls", "jumps", 4, 64, _jump_inputs, jumped),
)  # fmt: skip
