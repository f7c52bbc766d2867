"""What single instructions do to values of the walk, against one lane at a time in Python."""

import random
from functools import cache

import numpy as np
import pytest

from tests.reference.interpreter import Warp
from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import Instruction, Kernel, Reg, Register
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES
from warpmill.analyzer.traces.static.constraints import Constraint, Sign, iterations_allowed
from warpmill.analyzer.traces.static.transfer import evaluate
from warpmill.analyzer.traces.static.values import KnownNumbers, Unknown

SIZES = (16, 32, 64)
SHIFTS = [f"{n}.{t}" for n, ts in (("shl", "b"), ("shr", "sub")) for t in ts]
TYPED = [
    f"{n}.{t}"
    for n in ("add", "sub", "mul.lo", "div", "rem", "min", "max")
    for t in "su"
] + ["neg.s", "abs.s", "mad.lo.s", "mul.hi.s", "mul.hi.u", "mul.wide.s", "mul.wide.u"]  # fmt: skip
UNTYPED = ["and.b", "or.b", "xor.b", "not.b", "mov.b", "selp.b"]
COMPARES = [f"setp.{w}.{t}" for w in ("lt", "le", "gt", "ge", "eq", "ne") for t in "su"]
COMPARES += [f"setp.{w}.u" for w in ("lo", "ls", "hi", "hs")]
OPCODES = [
    f"{name}{bits}"
    for name in SHIFTS + TYPED + UNTYPED + COMPARES
    for bits in SIZES
    if not ("wide" in name and bits == 64)
]
OPCODES += [
    f"cvt.{a}.{b}"
    for a in ("s32", "u32", "u64", "s16", "u8")
    for b in ("s32", "u32", "s16", "s64", "u8")
]
OPCODES += ["bfe.u32", "mad.wide.s32", "mad.wide.u32"]
EDGES = {
    b: [0, 1, 2, 3, 7, -1, -2, 2 ** (b - 1) - 1, -(2 ** (b - 1)), 100] for b in (8, 16, 32, 64)
}


@cache
def operand_bits(opcode):
    """Width of each source in bits."""
    operation = decode(opcode)
    bits = operation.types[-1 if operation.name == "cvt" else 0].bits
    name, count = operation.name, 2
    if name in ("neg", "abs", "not", "mov", "cvt"):
        count = 1
    widths = [bits] * count
    if name in ("shl", "shr"):
        widths[1] = 32
    if name == "mad":
        widths.append(2 * bits if "wide" in operation.modifiers else bits)
    if name == "selp":
        widths.append(1)
    return [32, 32, 32] if name == "bfe" else widths


@cache
def result_bits(opcode):
    operation = decode(opcode)
    if operation.name == "setp":
        return 1
    return operation.types[0].bits * (2 if "wide" in operation.modifiers else 1)


@cache
def instruction(opcode, count):
    return Instruction(decode(opcode), tuple(Reg(i) for i in range(count + 1)), Span(1, 1, 2))


def registers(widths, bits):
    return tuple(
        Register(f"%{i}", TYPES["pred" if b == 1 else f"b{b}"])
        for i, b in enumerate((bits, *widths))
    )


@cache
def one_lane(opcode):
    widths = operand_bits(opcode)
    kernel = Kernel("k", (), registers(widths, result_bits(opcode)), (), Span(1, 1, 2))
    return Warp(kernel, [], {})


def obvious(opcode, values):
    """The unsigned bits of the result for signed source values of one lane."""
    widths, warp = operand_bits(opcode), one_lane(opcode)
    warp.registers = [
        {i + 1: v % (1 << b) for i, (v, b) in enumerate(zip(values, widths, strict=True))}
    ]
    return warp.result(instruction(opcode, len(widths)), 0) % (1 << result_bits(opcode))


def some_value(random, opcode, place, bits):
    name = decode(opcode).name
    if bits == 1:
        return random.random() < 0.5
    if name in ("shl", "shr") and place == 1:
        return random.choice([0, 1, 5, 15, 16, 31, 32, 63, 64, 200])
    if name == "bfe" and place:
        return random.randint(1, 16)
    if name in ("div", "rem") and place == 1:
        return random.choice([1, 2, 3, 8, -1, -3, 2 ** (bits - 1) - 1])
    return random.choice(
        [
            *EDGES[bits],
            random.randint(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1),
            random.randint(-50, 50),
        ]
    )


def no_record(difference, true, false):
    return difference.base < 0 if true is Sign.NEGATIVE else difference.base == 0


@pytest.mark.parametrize("opcode", OPCODES)
def test_results_are_exact_in_every_lane_or_unknown(opcode):
    rng = random.Random(opcode)
    widths, known = operand_bits(opcode), 0
    for _ in range(15):
        lanes = [[some_value(rng, opcode, i, b) for i, b in enumerate(widths)] for _ in range(4)]
        uniform = [rng.random() < 0.4 for _ in widths]
        for i, same in enumerate(uniform):
            for lane in lanes if same else ():
                lane[i] = lanes[0][i]
        sources = [
            KnownNumbers(lanes[0][i])
            if same
            else KnownNumbers(np.array([[lane[i] for lane in lanes]]))
            for i, same in enumerate(uniform)
        ]
        result = evaluate(instruction(opcode, len(widths)), sources, no_record)
        if isinstance(result, Unknown):
            continue
        known += 1
        assert isinstance(result.base, int) or result.base.dtype in (np.int64, np.bool_)
        assert isinstance(result.base, int) or result.base.ndim == 2
        assert isinstance(result.base, int) or not all(uniform), "one number has become many"
        got = np.broadcast_to(np.asarray(result.base), (1, 4))[0].tolist()
        size = 1 << result_bits(opcode)
        assert [int(g) % size for g in got] == [obvious(opcode, lane) for lane in lanes], lanes
    assert known or opcode in ("mul.hi.u64", "mul.hi.s64")


LANES = 3
COUNTER = 7


class Recorder:
    """Stands for the walk: decides by number and keeps what has to stay as it is."""

    def __init__(self):
        self.allowed = 12

    def __call__(self, difference, true, false):
        holds = no_record(difference, true, false)
        if difference.taint:
            self.allowed = 1
        for lane in range(LANES):
            sign = true if np.broadcast_to(holds, (1, LANES))[0, lane] else false
            strides = tuple((c, of_lane(s, lane)) for c, s in difference.strides)
            constraint = Constraint(sign, of_lane(difference.base, lane), strides)
            allowed = iterations_allowed([constraint], COUNTER)
            self.allowed = min(self.allowed, 12 if allowed is None else allowed.base)
        return holds


def of_lane(number, lane):
    return np.broadcast_to(number, (1, LANES))[:, lane]


def moving_sources(rng, opcode):
    """Bases by lane, what each source adds an iteration, and the sources."""
    widths = operand_bits(opcode)
    bases = [[some_value(rng, opcode, i, b) for i, b in enumerate(widths)] for _ in range(LANES)]
    for lane in bases:  # 64-bit numbers are taken not to overflow while they move
        lane[:] = [v // 4 if b == 64 else v for v, b in zip(lane, widths, strict=True)]
    steps = [rng.choice([0, 1, -1, 2, 4, 8, -3, 48]) if b > 1 else 0 for b in widths]
    if opcode.startswith(("sh", "bfe")):  # shifts and fields by what stays
        steps[1:] = [0] * len(steps[1:])
        for lane in bases:
            lane[1:] = bases[0][1:]
    if opcode.startswith(("and", "or", "div", "rem")) and rng.random() < 0.7:
        constant = rng.choice([1, 3, 7, 4, -4, 8])
        bases = [[lane[0] // 8 * 8, constant] for lane in bases]
        steps[1] = 0
    sources = []
    for i, step in enumerate(steps):
        column = [lane[i] for lane in bases]
        base = column[0] if len(set(column)) == 1 else np.array([column])
        sources.append(KnownNumbers(base, ((COUNTER, step),) if step else ()))
    return bases, steps, sources


@pytest.mark.one_in(12)
@pytest.mark.parametrize("opcode", OPCODES)
def test_results_hold_for_as_many_iterations_as_the_constraints_allow(opcode):
    """Sources move with a counter; what the result says of later iterations must be so."""
    rng, widths, several = random.Random(opcode), operand_bits(opcode), 0
    size = 1 << result_bits(opcode)
    for _ in range(20):
        bases, steps, sources = moving_sources(rng, opcode)
        recorder = Recorder()
        result = evaluate(instruction(opcode, len(widths)), sources, recorder)
        if isinstance(result, Unknown) or result.taint:
            continue
        several += recorder.allowed > 1
        for i in range(recorder.allowed):
            got = [at(result, lane, i) % size for lane in range(LANES)]
            now = [moved(lane, steps, widths, i) for lane in bases]
            assert got == [obvious(opcode, values) for values in now], (i, bases, steps)
    assert several or not opcode.startswith(LINEAR)


def at(result, lane, iteration):
    stride = of_lane(result.stride(COUNTER), lane)[0]
    return int(of_lane(result.base, lane)[0]) + iteration * int(stride)


def moved(values, steps, widths, iteration):
    pairs = zip(values, steps, widths, strict=True)
    return [signed(v + iteration * step, bits) for v, step, bits in pairs]


LINEAR = (
    "and.b32",
    "or.b32",
    "div.u32",
    "add.",
    "sub.",
    "mul.lo.",
    "mad.lo.",
    "neg.",
    "not.",
    "shl.",
    "selp.",
    "mov.",
    "cvt.s64.",
)


def signed(value, bits):
    return (int(value) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)) if bits > 1 else value
