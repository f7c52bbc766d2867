"""What is printed is read back equal, whatever it holds; damaged text ends in InputError."""

import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.base.diagnostics import DebugLocation, InputError, Span
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    Declaration,
    EdgeCopies,
    Element,
    FloatImm,
    Function,
    Guard,
    Imm,
    Instruction,
    Kernel,
    LaunchBounds,
    Module,
    Negated,
    NotPredicate,
    Pair,
    Parameter,
    Reg,
    Register,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.printer import print_function, print_module
from warpmill.analyzer.ir.reader import read_module
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.analyzer.ir.verifier import verify

AWKWARD = [
    "", "%", "%r1", "%r2", "r1", "_", "loc", "x y", '"', "\\", "a\nb", "\t", "%#1", "#1", "^a",
    "é", "\ud800", "\x00", "// no", "f32:0x1", "align", "-1", ".reg", "a-b", "$L__BB0_2", "&f",
    "tid.x", "attributes", "target", "%v.x", "1", "x\r", "x\u2028y", "fallthrough",
]  # fmt: skip
names = st.sampled_from(AWKWARD) | st.text(max_size=6)
integers = st.integers(-(2**70), 2**70) | st.integers(-3, 3) | st.just(-(2**200))
small = st.integers(-2, 6)
types = st.sampled_from(list(TYPES.values()))
spans = st.builds(Span, small, small, small)
registers = st.builds(Reg, small)
symbols = st.builds(Symbol, names, integers)
leaves = st.one_of(
    registers,
    st.builds(Imm, integers),
    types.flatmap(lambda t: st.builds(FloatImm, st.integers(0, 2**t.bits - 1), st.just(t))),
    st.builds(Special, names),
    symbols,
    st.builds(Address, registers | symbols | st.builds(Imm, integers), integers),
    st.just(Sink()),
    st.builds(NotPredicate, registers),
    st.builds(Element, registers, names),
    st.builds(Negated, registers | st.builds(Element, registers, names)),
)
operands = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Pair, inner, inner),
        *(
            st.builds(kind, st.lists(inner, max_size=3).map(tuple))
            for kind in (TupleAddress, Vector, Arguments)
        ),
    ),
    max_leaves=6,
)
opcodes = st.sampled_from(["ld.shared::cta.v2.f32", "bra", "ret", "add.s32", "loc"]) | names


def tuples(strategy, size=3):
    return st.lists(strategy, max_size=size).map(tuple)


places = st.builds(DebugLocation, names, small, small)
instructions = st.builds(
    Instruction,
    operation=opcodes.map(decode),
    operands=tuples(operands),
    span=spans,
    guard=st.none() | st.builds(Guard, registers, st.booleans()),
    targets=tuples(small),
    debug=st.none() | places | st.builds(DebugLocation, names, small, small, places),
)
blocks = st.builds(
    Block,
    id=small,
    label=names,
    instructions=tuples(instructions),
    fallthrough=st.none() | small,
    incoming=tuples(
        st.builds(EdgeCopies, small, tuples(st.tuples(registers, operands), 2)), 2
    ),
    attributes=tuples(names, 2),
)  # fmt: skip
variables = st.builds(
    Variable,
    name=names,
    space=st.sampled_from(Space),
    type=types,
    size_bytes=st.none() | integers,
    align=integers,
    shape=tuples(st.none() | integers),
    initialiser=st.none()
    | tuples(st.integers(0, 255) | integers | st.floats(allow_nan=False) | symbols, 70),
    attributes=tuples(names),
    span=st.none() | spans,
)
parameters = st.builds(
    Parameter,
    name=names,
    type=types,
    size_bytes=integers,
    align=integers,
    register=st.none() | registers,
    is_pointer=st.none() | st.booleans(),
    pointee_space=st.none() | st.sampled_from(Space),
    pointee_align=st.none() | integers,
    shape=tuples(st.none() | integers),
)
common = {
    "name": names,
    "parameters": tuples(parameters),
    "registers": tuples(st.builds(Register, names, types, st.just(1) | small), 20),
    "blocks": tuples(blocks),
    "span": spans,
    "variables": tuples(variables, 2),
    "returns": tuples(parameters, 1),
    "attributes": tuples(names),
}
maybe = st.none() | integers
bounds = st.builds(
    LaunchBounds, st.none() | tuples(integers), st.none() | tuples(integers), maybe, maybe
)
modules = st.builds(
    Module,
    name=names,
    target=names,
    version=names,
    address_bits=integers,
    warp_size=integers,
    kernels=tuples(st.builds(Kernel, **common, bounds=bounds), 2),
    functions=tuples(st.builds(Function, **common), 1),
    variables=tuples(variables, 2),
    declarations=tuples(st.builds(Declaration, names, tuples(names)), 2),
    debug_files=tuples(names),
    attributes=tuples(names, 2),
)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(modules)
def test_what_is_printed_is_read_back_equal(module):
    text = print_module(module)
    again = read_module(text)
    assert again == module
    assert print_module(again) == text
    text.encode("ascii")


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(modules)
def test_the_verifier_never_fails_and_is_pure(module):
    found = verify(module)
    assert found == verify(module)
    assert all(d.message.startswith("invalid IR, rule ") for d in found)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(modules, st.integers(0, 10**6), st.text(max_size=3), st.integers(0, 5))
def test_damaged_text_is_read_or_refused_with_a_place(module, where, put, cut):
    text = print_module(module)
    where %= len(text)
    damaged = text[:where] + put + text[where + cut :]
    try:
        read_module(damaged, "damaged.ir")
    except InputError as error:
        (diagnostic,) = error.diagnostics
        lines = damaged.split("\n")
        assert diagnostic.file == "damaged.ir"
        assert diagnostic.span is not None
        assert 1 <= diagnostic.span.line <= len(lines)
        assert 1 <= diagnostic.span.column <= len(lines[diagnostic.span.line - 1]) + 1
        assert diagnostic.span.end_column > diagnostic.span.column


@pytest.mark.parametrize("bits", [0x7FF8000000000001, 0xFFF0000000000001, 1 << 63, 1])
def test_doubles_of_an_initialiser_keep_their_bits(bits):
    (value,) = struct.unpack("<d", struct.pack("<Q", bits))
    variable = Variable("v", Space.GLOBAL, TYPES["f64"], 8, 8, (), (value,))
    module = Module("m", "t", "1", 64, 32, (), variables=(variable,))
    ((again,),) = (v.initialiser for v in read_module(print_module(module)).variables)
    assert struct.pack("<d", again) == struct.pack("<Q", bits)
    assert math.isnan(again) == math.isnan(value)


@settings(max_examples=20, deadline=None)
@given(st.builds(Kernel, **common, bounds=bounds))
def test_a_function_prints_as_it_does_in_its_module(kernel):
    module = Module("m", "t", "1", 64, 32, (kernel,))
    assert print_module(module).endswith("\n" + print_function(kernel))
