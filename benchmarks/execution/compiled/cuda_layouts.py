"""layouts.cu: memory of all kinds, vectors, structs and initialised variables."""

# ruff: noqa: ARG001 - oracles are called with a kernel's arguments
from __future__ import annotations

import numpy as np

from warpmill.benchmarks.execution.compiled.model import Near, OnDevice, Program


def in_vectors(a, b, c, d, e, f, n):
    """Parts of vectors of several types put into others."""
    i = np.arange(n)
    x, y, z, w = a[i], a[i + n], a[2 * i], a[3 * i]
    q = c[i]
    first = np.stack((x[:, 0] + y[:, 1], z[:, 2] * w[:, 3]), 1).astype(np.float64)
    wide = q.astype(np.int64)
    return {
        1: np.concatenate((first, q[:, :2].astype(np.float64))),
        3: q.astype(np.uint8),
        4: np.stack((wide[:, 0] * 3, -wide[:, 1]), 1).astype(np.int16),
        5: np.stack((wide[:, 0] * wide[:, 1], wide[:, 2] & 0xFFFFFFFF), 1),
    }


def _vector_inputs(rng):
    n = 70
    return [
        rng.standard_normal((3 * n, 4)).astype(np.float32), np.zeros((2 * n, 2)),
        rng.integers(-(1 << 30), 1 << 30, (n, 4)).astype(np.int32), np.zeros((n, 4), np.uint8),
        np.zeros((n, 2), np.int16), np.zeros((n, 2), np.int64), np.int32(n),
    ]  # fmt: skip


PACKET = np.dtype(
    {
        "names": ["id", "kind", "bytes", "payload"],
        "formats": ["i4", "i2", "6i1", "3f4"],
        "offsets": [0, 4, 6, 12],
        "itemsize": 32,
    }
)
BIG = np.dtype([("values", "50i4"), ("scale", "f8")])
NODE = np.dtype([("next", "u8"), ("value", "i8")])
LIST = (11, -4, 30)
LOOKUP = np.array([1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 0, 0, 0, 0])
SERIES = np.array([1.0, -2.5, 3e8, 0.0, 1e-30], np.float32)


def _linked_list(device):
    nodes = device.array(np.zeros(len(LIST), NODE).view(np.uint64))
    made = np.zeros(len(LIST), NODE)
    made["value"] = LIST
    made["next"][:-1] = nodes.address + NODE.itemsize * np.arange(1, len(LIST))
    nodes.set(made.view(np.uint64))
    return nodes


def _structure_inputs(rng):
    packets, big = np.zeros(32, PACKET), np.zeros((), BIG)
    for name in ("id", "kind", "bytes"):
        packets[name] = rng.integers(-100, 100, packets[name].shape)
    packets["payload"] = rng.standard_normal((32, 3))
    big["values"], big["scale"] = rng.integers(-9, 9, 50), 0.75
    flag = np.ones(1, np.int32)
    return [packets.view(np.uint8), big[()], OnDevice(_linked_list), np.zeros(32, np.float32), flag]


def in_structures(raw, big, nodes, out, flag):
    """Packets changed by what lies in structs, unions and the module's variables."""
    t = np.arange(32)
    packets = raw.copy().view(PACKET)
    bits = packets["payload"][:, 1].copy().view(np.uint32) ^ np.uint32(0x800000)
    second = np.array([ord(c) for c in "nwh"])[t % 3]
    packets["id"] += sum(LIST) + big["values"].sum() + LOOKUP[t & 15] + 7 + 2 + second + 5
    kept = np.array([97, 98, 99, 100, 101, 0])[t % 6] + np.array([1, 0, 1])[t % 3]
    packets["bytes"][:, 3] = (kept + np.array([1, 2, 65535, 4, 0, 0])[t % 6]).astype(np.int8)
    first = (bits.view(np.float32) + SERIES[t % 5]).astype(np.float64)
    total = first + np.array([2.0, 0.25])[t & 1] * big["scale"] + packets["kind"][31 - t]
    total += np.array([-1, 1 << 62, 0x7FFFFFFFFFFFFFFF]).astype(np.float64)[t % 3]
    return {0: packets.view(np.uint8), 3: total.astype(np.float32)}


def transposed(given, out, w, h):
    """Rows made columns."""
    return {1: given.T}


ROUNDED = Near(2e-7, 0, "two operations that may be contracted, rounded to f32")

PROGRAMS = (
    Program("layouts", "vectors", 2, 40, _vector_inputs, in_vectors),
    Program("layouts", "structures", 1, 32, _structure_inputs, in_structures, ROUNDED),
    Program(
        "layouts", "transpose_dynamic", (2, 3), (32, 32),
        lambda rng: [rng.standard_normal((70, 50)).astype(np.float32),
                     np.zeros((50, 70), np.float32), np.int32(50), np.int32(70)],
        transposed, shared=32 * 33 * 4,
    ),
)  # fmt: skip
