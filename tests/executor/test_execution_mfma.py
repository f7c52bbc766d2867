"""AMD's mfma against NumPy, over layouts written from AMD's examples of each instruction."""

import numpy as np
import pytest

from tests.reference import matrix_twins as twins
from tests.reference.memory_operation import Memory, compile_kernel
from warpmill.analyzer.ir.reader import read_module
from warpmill.executor.native.rules import REFUSALS


def one_instruction(opcode, counts, bits):
    """Make a kernel of one mfma over registers a, b, c and d of some widths."""
    names = {p: [f"%{p}{k}" for k in range(n)] for p, n in counts.items()}
    declared = "\n".join(f"    .reg b{bits[p]} {', '.join(names[p])}" for p in names)
    groups = ", ".join("{" + ", ".join(names[p]) + "}" for p in "dabc")
    text = (
        '.module one.ll target gfx942 version "22" address_bits 64 warp_size 64\n'
        f".kernel k [1:1-2]\n{declared}\n.block 0 ^entry\n    {opcode} {groups} [1:1-2]\n"
        "    ret [1:1-2]\n.end\n"
    )
    return read_module(text).kernels[0]


# By shape: for A, row and first column of a lane; B is alike, turned. For D, row and column of
# register v. Blocks come first.
LAYOUTS = {
    "16x16": (
        lambda lane: (0, lane % 16, lane // 16),
        lambda lane, v: (0, 4 * (lane // 16) + v, lane % 16),
    ),
    "32x32": (
        lambda lane: (0, lane % 32, lane // 32),
        lambda lane, v: (0, 8 * (v // 4) + 4 * (lane // 32) + v % 4, lane % 32),
    ),
    "32x32 twice": (
        lambda lane: (lane // 32, lane % 32, 0),
        lambda lane, v: (
            v // 16,
            8 * (v % 16 // 4) + 4 * (lane // 32) + v % 4,
            lane % 32,
        ),
    ),
    "16x16 four times": (
        lambda lane: (lane // 16, lane % 16, 0),
        lambda lane, v: (v // 4, 4 * (lane // 16) + v % 4, lane % 16),
    ),
    "4x4": (
        lambda lane: (lane // 4, lane % 4, 0),
        lambda lane, v: (lane // 4, v, lane % 4),
    ),
    "16x16 of doubles": (
        lambda lane: (0, lane % 16, lane // 16),
        lambda lane, v: (0, 4 * v + lane // 16, lane % 16),
    ),
    "4x4 of doubles": (
        lambda lane: (lane // 4 % 4, lane % 4, lane // 16),
        lambda lane, _v: (lane // 4 % 4, lane // 16, lane % 4),
    ),
}

# Opcode, layout, blocks, type, depth, elements of A a lane, registers of D.
FORMS = [
    ("mfma.f32.16x16x4f32", "16x16", 1, "f32", 4, 1, 4),
    ("mfma.f32.32x32x2f32", "32x32", 1, "f32", 2, 1, 16),
    ("mfma.f32.32x32x1f32", "32x32 twice", 2, "f32", 1, 1, 32),
    ("mfma.f32.16x16x1f32", "16x16 four times", 4, "f32", 1, 1, 16),
    ("mfma.f32.4x4x1f32", "4x4", 16, "f32", 1, 1, 4),
    ("mfma.f32.16x16x16f16", "16x16", 1, "f16", 16, 4, 4),
    ("mfma.f32.32x32x8f16", "32x32", 1, "f16", 8, 4, 16),
    ("mfma.f32.32x32x4f16", "32x32 twice", 2, "f16", 4, 4, 32),
    ("mfma.f32.16x16x4f16", "16x16 four times", 4, "f16", 4, 4, 16),
    ("mfma.f32.4x4x4f16", "4x4", 16, "f16", 4, 4, 4),
    ("mfma.f32.16x16x16bf16.1k", "16x16", 1, "bf16", 16, 4, 4),
    ("mfma.f32.16x16x8bf16", "16x16", 1, "bf16", 8, 2, 4),
    ("mfma.f32.32x32x4bf16", "32x32", 1, "bf16", 4, 2, 16),
    ("mfma.s32.16x16x16i8", "16x16", 1, "s8", 16, 4, 4),
    ("mfma.s32.32x32x8i8", "32x32", 1, "s8", 8, 4, 16),
    ("mfma.s32.16x16x32.i8", "16x16", 1, "s8", 32, 8, 4),
    ("mfma.f64.16x16x4f64", "16x16 of doubles", 1, "f64", 4, 1, 4),
    ("mfma.f64.4x4x4f64", "4x4 of doubles", 4, "f64", 4, 1, 1),
]
BITS = {"f32": 32, "f16": 16, "bf16": 16, "s8": 8, "f64": 64}


def draw(rng, shape, type_):
    """Draw raw elements, and give the numbers that they are."""
    if type_ == "s8":
        raw = rng.integers(0, 256, shape)
    elif type_ == "f64":
        raw = rng.normal(size=shape).view(np.uint64)
    elif type_ == "f16":
        raw = rng.normal(size=shape).astype(np.float16).view(np.uint16)
    else:
        raw = rng.normal(size=shape).astype(np.float32).view(np.uint32)
        raw = raw >> 16 if type_ == "bf16" else raw
    if type_ == "f32":
        return raw, raw.view(np.float32).astype(float)
    return raw, twins.values_of(raw, type_)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_products(form):
    opcode, layout, blocks, type_, depth, per, registers = form
    rows = int(opcode.split(".")[2].split("x")[0])
    a_at, d_at = LAYOUTS[layout]
    rng = np.random.default_rng(6)
    raw_a, a = draw(rng, (blocks, rows, depth), type_)
    raw_b, b = draw(rng, (blocks, depth, rows), type_)
    total = {"s32": np.int32, "f32": np.float32, "f64": np.float64}[opcode.split(".")[1]]
    c = (rng.normal(size=(blocks, rows, rows)) * 100).astype(total)
    held_a, held_b = np.zeros((2, 64, per), np.uint64)
    held_c = np.zeros((64, registers), total)
    for lane in range(64):
        block, line, start = a_at(lane)
        held_a[lane] = raw_a[block, line, per * start : per * (start + 1)]
        held_b[lane] = raw_b[block, per * start : per * (start + 1), line]
        held_c[lane] = [c[d_at(lane, v)] for v in range(registers)]
    groups = {"a": twins.pack(held_a, BITS[type_]), "b": twins.pack(held_b, BITS[type_])}
    wide = 64 if total is np.float64 else 32
    counts = {"a": len(groups["a"]), "b": len(groups["b"]), "c": registers, "d": registers}
    bits = {"a": 64 if type_ == "f64" else 32, "b": 64 if type_ == "f64" else 32} | dict.fromkeys(
        "cd", wide
    )
    made = compile_kernel(one_instruction(opcode, counts, bits), lanes=64)
    given = {f"%{p}{k}": v for p, g in groups.items() for k, v in enumerate(g)}
    given |= {f"%c{v}": np.ascontiguousarray(held_c[:, v]) for v in range(registers)}
    out, _ = made.run_with(Memory(), given)
    exact = a @ b + c.astype(float)
    error = depth * 2.0 ** (-53 if wide == 64 else -24) * (abs(a) @ abs(b) + abs(c)) * 2
    for lane in range(64):
        for v in range(registers):
            got, place = out[f"%d{v}"].view(total)[lane], d_at(lane, v)
            assert abs(got - exact[place]) <= (0 if type_ == "s8" else error[place]), (lane, v)


def test_eight_bytes_may_come_in_one_register():
    rng = np.random.default_rng(7)
    raw_a, a = draw(rng, (16, 32), "s8")
    raw_b, b = draw(rng, (32, 16), "s8")
    held_a = [[raw_a[k % 16, 8 * (k // 16) + i] for i in range(8)] for k in range(64)]
    held_b = [[raw_b[8 * (k // 16) + i, k % 16] for i in range(8)] for k in range(64)]
    counts, bits = {"a": 1, "b": 1, "c": 4, "d": 4}, {"a": 64, "b": 64, "c": 32, "d": 32}
    made = compile_kernel(one_instruction("mfma.s32.16x16x32.i8", counts, bits), lanes=64)
    given = {
        "%a0": np.array(held_a, np.uint8).reshape(-1).view(np.uint64),
        "%b0": np.array(held_b, np.uint8).reshape(-1).view(np.uint64),
    }
    out, _ = made.run_with(Memory(), given)
    for lane in range(64):
        for v in range(4):
            expected = (a @ b)[4 * (lane // 16) + v, lane % 16]
            assert out[f"%d{v}"].view(np.int32)[lane] == expected


@pytest.mark.parametrize(
    "opcode", ["mfma.smfmac.f32.16x16x32.f16", "mfma.f32.16x16x32.fp8.fp8", "mfma.f32.16x16x8.xf32"]
)
def test_what_has_no_code_is_refused_by_name(opcode):
    counts = {"a": 2, "b": 2, "c": 4, "d": 4}
    kernel = one_instruction(opcode, counts, dict.fromkeys("abcd", 32))
    first = kernel.blocks[0].instructions[0]
    assert REFUSALS[first.operation.name](first) == f"the matrix instruction `{opcode}`"
