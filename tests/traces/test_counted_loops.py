"""Trip counts of loops of plain numbers, which may wrap, against counting in machine arithmetic."""

import operator
import random

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, UnknownTrips, loop_bounds
from warpmill.analyzer.analyses.ranges.bounds_crossing import first_of_numbers
from warpmill.analyzer.analyses.values.symbolic import evaluate, leaves
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.types import TYPES

KERNEL = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{{
 .reg .pred %p; .reg .b{bits} %i; .reg .b32 %n; .reg .b64 %a;
 ld.param.u64 %a, [out]; mov.u32 %n, 0; mov.b{bits} %i, {start};
{loop}
 st.global.u32 [%a], %n;
 ret;
}}
"""
BOTTOM = """LOOP:
 add.u32 %n, %n, 1; {move}; setp.{word}.{type} %p, %i, {limit}; @%p bra LOOP;"""
TOP = """LOOP:
 setp.{word}.{type} %p, %i, {limit}; @!%p bra DONE;
 add.u32 %n, %n, 1; {move}; bra LOOP;
DONE:"""
WORDS = {w: getattr(operator, w) for w in ("lt", "le", "gt", "ge", "eq", "ne")}
STEPS = [("add", 1), ("add", -1), ("add", 5), ("add", -3), ("sub", 1), ("sub", 4), ("mul.lo", 3)]
MOST = 1 << 17
MOVES = {"add": operator.add, "sub": operator.sub, "mul.lo": operator.mul}


def counted(type_, start, moving, test, *, bottom, most=MOST):
    """Count in numbers of the type; None where it takes more than so many iterations."""
    (move, step), (word, limit) = moving, test
    value, limit = type_.read(start), type_.read(limit)
    for count in range(most):
        if not (bottom and count == 0) and not WORDS[word](value, limit):
            return count
        value = type_.read(MOVES[move](value, step))
    return None


def spelled(rng, type_, value):
    """Write a constant as signed, as unsigned or in hexadecimal digits: the bits are the same."""
    unsigned = value % (1 << type_.bits)
    return rng.choice([str(type_.read_near_zero(value)), str(unsigned), hex(unsigned)])


def number_near_an_edge(rng, type_):
    edge = rng.choice([0, 0, 0, 1 << type_.bits - 1])
    return edge + rng.randint(-40, 300)


def bound_of(text):
    module = parse(Source("loops.ptx", text)).module
    return loop_bounds(analyse_structure(module.kernels[0]))[0].trips


@pytest.mark.slow
@pytest.mark.parametrize("name", ["u16", "s16", "u32", "s32", "u64", "s64"])
def test_known_counts_are_those_of_machine_arithmetic(name):
    rng, type_, known = random.Random(name), TYPES[name], 0
    for _ in range(120):
        start, limit = (number_near_an_edge(rng, type_) for _ in range(2))
        (move, step), word, bottom = rng.choice(STEPS), rng.choice(list(WORDS)), rng.random() < 0.5
        moved = f"{move}.{name} %i, %i, {spelled(rng, type_, step)}"
        loop = (BOTTOM if bottom else TOP).format(
            word=word, type=name, move=moved, limit=spelled(rng, type_, limit)
        )
        text = KERNEL.format(bits=type_.bits, start=spelled(rng, type_, start), loop=loop)
        trips = bound_of(text)
        expected = counted(type_, start, (move, step), (word, limit), bottom=bottom)
        assert isinstance(trips, KnownTrips | UnknownTrips), text
        if isinstance(trips, KnownTrips) and (expected is not None or trips.count < MOST):
            assert trips.count == expected, text
            known += expected > 1
    assert known >= 8  # of more than one iteration: the test looks at something


SELECTED = """ setp.{word}.{type} %p, %i, {limit}; selp.b{bits} %s, {step}, 0, %p;
 add.{type} %i, %i, %s;"""


DOWN = [("gt", -1), ("ge", -1), ("gt", -3), ("ge", -3), ("ne", -1)]


def counted_down(type_, start, step, test, times):
    """Count passes of a loop that moves only while it goes on, so many times in each."""
    (word, limit), value = test, type_.read(start)
    for count in range(1, MOST):
        for _ in range(times):
            goes_on = WORDS[word](value, type_.read(limit))
            value = type_.read(value + step) if goes_on else value
        if not goes_on:
            return count
    return None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["u32", "s32", "s64"])
def test_counters_that_move_only_while_they_go_on(name):
    """As numba counts ranges down: ``selp`` gives the step, once or in an unrolled loop."""
    rng, type_, known = random.Random(name), TYPES[name], 0
    for _ in range(60):
        start, limit = (number_near_an_edge(rng, type_) for _ in range(2))
        word, step = rng.choice([*DOWN, *DOWN, ("lt", 5), ("le", 1), ("lt", -3), ("ne", 1)])
        times = rng.choice([1, 1, 2, 4])
        body = SELECTED.format(
            word=word, type=name, bits=type_.bits, step=step, limit=spelled(rng, type_, limit)
        )
        loop = f" .reg .b{type_.bits} %s;\nLOOP: add.u32 %n, %n, 1;{body * times} @%p bra LOOP;"
        text = KERNEL.format(bits=type_.bits, start=spelled(rng, type_, start), loop=loop)
        trips = bound_of(text)
        expected = counted_down(type_, start, step, (word, limit), times)
        if isinstance(trips, KnownTrips) and (expected is not None or trips.count < MOST):
            assert trips.count == expected, text
            known += expected > 1
    assert known >= 4


@pytest.mark.parametrize("name", ["u8", "s8"])
def test_the_first_iteration_of_every_number_of_eight_bits(name):
    """Against going through all of them; what wraps may be unknown, what does not may not."""
    type_, rng = TYPES[name], random.Random(name)
    for word, is_so in WORDS.items():
        for _ in range(400):
            start, step, limit = (rng.randrange(256) for _ in range(3))
            found = first_of_numbers(word, start, step, limit, type_)
            values = [type_.read(start + step * i) for i in range(256)]
            holds = [i for i, v in enumerate(values) if is_so(v, type_.read(limit))]
            if found is not None:
                assert holds[:1] == [found], (word, start, step, limit)
                continue
            plain = [type_.read(start) + type_.read_near_zero(step) * i for i in range(256)]
            assert not holds or plain[holds[0]] != values[holds[0]], (word, start, step, limit)


GIVEN = KERNEL.replace("out)", "out, .param .u32 n)").replace(
    " ld.param.u64",
    """ .reg .b32 %w; .reg .b{bits} %m, %s; ld.param.u32 %w, [n]; cvt.u{bits}.u32 %m, %w;
 add.s{bits} %s, %m, {ahead};\n ld.param.u64""",
)
PAIRS = [("%s", "{least}"), ("{least}", "%s"), ("%s", "%m")]
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


@pytest.mark.parametrize("name", ["u16", "s16", "u32", "s32"])
def test_formulas_are_the_counts_of_machine_arithmetic(name):
    """Of a launch's small number: wherever a loop ends soon, also below zero or beyond the top."""
    rng, type_, known = random.Random(name), TYPES[name], 0
    for _ in range(90):
        step, word = rng.choice([1, -1, -1, 2, -2, -3, 5]), rng.choice(list(WORDS))
        ahead, least, bottom = rng.randint(0, 4), rng.randint(0, 6), rng.random() < 0.5
        (start, limit), loop = rng.choice(PAIRS), BOTTOM if bottom else TOP
        test = word
        if rng.random() < 0.5:
            loop, test = loop.replace("%i, {limit}", "{limit}, %i"), MIRRORED[word]
        move = f"add.{name} %i, %i, {step}"
        loop = loop.format(word=test, type=name, move=move, limit=limit.format(least=least))
        start = start.format(least=least)
        text = GIVEN.format(bits=type_.bits, start=start, loop=loop, ahead=ahead)
        trips = bound_of(text)
        for n in (0, 1, 2, 3, 5, 9, 20):
            values = {"%s": n + ahead, "%m": n, str(least): least}
            span = values[start], values[limit.format(least=least)]
            expected = counted(
                type_, span[0], ("add", step), (word, span[1]), bottom=bottom, most=99
            )
            if expected is not None and not isinstance(trips, UnknownTrips):
                told = trips.count if isinstance(trips, KnownTrips) else None
                if told is None:
                    told = evaluate(trips.formula, dict.fromkeys(leaves(trips.formula), n))
                assert told == expected, (n, text)
                known += 1
    assert known > 25


def test_counts_down_from_a_size_by_either_spelling():
    loop = BOTTOM.format(word="ne", type="u32", move="add.u32 %i, %i, STEP", limit="0")
    text = KERNEL.format(bits=32, start="%ntid.x", loop=loop)
    counts = [
        str(bound_of(text.replace("STEP", step))) for step in ("-1", "0xffffffff", "4294967295")
    ]
    assert counts == ["max(1, ntid.x)"] * 3


def test_a_step_that_the_launch_gives_has_no_count_of_the_wrong_sign():
    loop = " .reg .b32 %s; ld.param.u32 %s, [s];" + TOP.format(
        word="lt", type="s32", limit="100", move="add.s32 %i, %i, %s"
    )
    text = KERNEL.format(bits=32, start="0", loop=loop).replace("out)", "out, .param .u32 s)")
    formula = bound_of(text).formula
    (step,) = (a for a in formula.atoms if a.name == "s")
    assert [evaluate(formula, {step: s}) for s in (1, 7, 0, -3)] == [100, 15, None, None]


def test_a_constant_is_read_as_its_type_does():
    assert (TYPES["u32"].read(-1), TYPES["s32"].read(0xFFFFFFFF)) == (0xFFFFFFFF, -1)
    assert (TYPES["s16"].read(1 << 15), TYPES["u16"].read(1 << 16)) == (-(1 << 15), 0)
    assert (TYPES["u64"].read_near_zero((1 << 64) - 4), TYPES["u8"].read_near_zero(127)) == (
        -4,
        127,
    )
