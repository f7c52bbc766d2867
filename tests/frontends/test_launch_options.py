import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Span, UsageError
from warpmill.analyzer.ir.kernel import Kernel, Parameter
from warpmill.analyzer.ir.types import TYPES
from warpmill.analyzer.launch import (
    Arange,
    BufferArgument,
    NullArgument,
    ScalarArgument,
    TextureArgument,
    Uniform,
    Zeros,
)
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.options import launch_from_options


def kernel(*types):
    parameters = tuple(
        Parameter(f"k_param_{n}", TYPES[t], TYPES[t].size_bytes, 8) for n, t in enumerate(types)
    )
    return Kernel("k", parameters, (), (), Span(1, 1, 2))


def arguments(types, *args):
    return launch_from_options(kernel(*types), "m.ptx", "1", "32", 0, args).arguments


def test_the_options_of_a_launch():
    launch = launch_from_options(kernel("u32"), "m.ptx", "64,0x40", (16, 16), 128, ["7"])
    assert (launch.grid, launch.block) == ((64, 64, 1), (16, 16, 1))
    assert (launch.dynamic_shared_bytes, launch.kernel) == (128, "k")
    assert launch_from_options(kernel(), "m.ptx", 3, 32).grid == (3, 1, 1)
    launch = launch_from_options(kernel(), "m.ptx", "4x2x3", "256x1")
    assert (launch.grid, launch.block) == ((4, 2, 3), (256, 1, 1))
    assert launch_from_options(kernel(), "m.ptx", "0x10", "32").grid == (16, 1, 1)


@pytest.mark.parametrize(
    ("type_name", "text", "argument"),
    [
        ("u32", "7", ScalarArgument("u32", 7)),
        ("u32", "-7", ScalarArgument("i32", -7)),
        ("s64", "0x10", ScalarArgument("i64", 16)),
        ("b16", "3", ScalarArgument("i16", 3)),
        ("f32", "3", ScalarArgument("f32", 3.0)),
        ("f64", "1e-3", ScalarArgument("f64", 0.001)),
        ("b16", "bf16=2.5", ScalarArgument("bf16", 2.5)),
        ("u8", "bool=true", ScalarArgument("bool", 1)),
        ("u64", "null", NullArgument()),
        ("u64", "buffer=f32:1024", BufferArgument("f32", (1024,), Zeros())),
        ("u64", "buffer=f32:4x8:uniform", BufferArgument("f32", (4, 8), Uniform(0, 1))),
        ("u64", "buffer=i32:9:uniform", BufferArgument("i32", (9,), Uniform(0, 9))),
        ("u64", "buffer=u8:1024:uniform", BufferArgument("u8", (1024,), Uniform(0, 256))),
        ("u64", "buffer=i8:1024:uniform", BufferArgument("i8", (1024,), Uniform(0, 128))),
        ("u64", "buffer=bool:9:uniform", BufferArgument("bool", (9,), Uniform(0, 2))),
        (
            "u64",
            "buffer=u16:70000:uniform:7",
            BufferArgument("u16", (70000,), Uniform(0, 65536), 7),
        ),
        ("u64", "buffer=u8:256:arange", BufferArgument("u8", (256,), Arange())),
        ("u64", "buffer=f32:1", BufferArgument("f32", (1,))),
        ("u64", "texture=f32:4x8", TextureArgument("f32", (4, 8))),
    ],
)
def test_arguments(type_name, text, argument):
    assert arguments([type_name], text) == (argument,)


def test_random_buffers_differ_unless_they_have_one_seed():
    random = "buffer=f32:64:uniform"
    a, b, c = arguments(["u64"] * 3, random, "buffer=f32:64", random)
    assert [x.seed for x in (a, b, c)] == [0, 0, 2]
    assert not np.array_equal(materialise(a), materialise(c))
    a, _, c = arguments(["u64", "u32", "u64"], f"{random}:5", "1", f"{random}:5")
    assert np.array_equal(materialise(a), materialise(c))
    with pytest.raises(UsageError, match="the seed `-1` is no whole number from 0"):
        arguments(["u64"], f"{random}:-1")


def test_arguments_by_name_leave_their_place_to_no_other():
    types = ["u32", "f32", "u32"]
    by_name = (ScalarArgument("u32", 1), ScalarArgument("f32", 2.0), ScalarArgument("u32", 3))
    assert arguments(types, "param_1=2", "1", "3") == by_name
    assert arguments(types, "k_param_2=3", "1", "2") == by_name


@pytest.mark.parametrize(
    ("types", "args", "words"),
    [
        (["u32"], [], r"takes 1 arguments, not 0\n.*--arg i32=5.*: `param_0` \(u32 of 4 bytes\)"),
        (["u32", "f32"], ["n=5"], r"its parameters are `param_0` \(u32 .*, `param_1` \(f32 of"),
        (["u32"], ["1", "2"], "argument `2`: `k` takes 1 arguments"),
        (["u32"], ["param_0=1", "param_0=2"], "the parameter has an argument already"),
        (["u32"], ["i23=1"], "`i23` is neither a type nor a parameter\n.*did you mean `i32`"),
        (["u32"], ["x"], "argument `x`: `x` is not an integer"),
        (["u32"], ["1.5"], "argument `1.5`: `1.5` is not an integer"),
        (["f32"], ["y"], "argument `y`: `y` is not a number"),
        (["u32"], ["0x100000000"], "the value does not fit u32"),
        (["f32"], ["1e39"], "the value does not fit f32"),
        (["f64"], ["1e400"], "the value does not fit f64"),
        (["u32"], ["9" * 5000], "is not an integer"),
        (["b128"], ["1"], "parameter `k_param_0` is not a number"),
        (["u64"], ["buffer=f23:8"], "unknown element type `f23`\n.*`f32`"),
        (["u64"], ["buffer=f32"], "a size is missing\n  = help: write buffer=f32:1024"),
        (["u64"], ["buffer=u8:8x"], "a size is missing\n  = help: .*buffer=u8:32x32"),
        (["u64"], ["buffer=u8:8y"], "`8y` is not an integer\n  = help: write buffer=u8:1024"),
        (["u64"], ["buffer=f32:0"], "a buffer has 1 to"),
        (["u64"], ["buffer=f32:0x1000000x0x1000000"], "is not an integer|a buffer has 1 to"),
        (["u64"], ["buffer=f32:8:twos"], "unknown initialiser `twos`"),
        (["u64"], ["buffer=u8:257:arange"], "256 does not fit u8"),
    ],
)
def test_arguments_that_make_no_sense(types, args, words):
    with pytest.raises(UsageError, match=words):
        arguments(types, *args)


@pytest.mark.parametrize("grid", ["", "a", "1,2,3,4", "0", "4,-1", "1.5", ()])
def test_sizes_that_make_no_sense(grid):
    with pytest.raises(UsageError, match="grid"):
        launch_from_options(kernel(), "m.ptx", grid, "1")


def test_shared_memory_is_not_negative():
    with pytest.raises(UsageError, match="shared"):
        launch_from_options(kernel(), "m.ptx", "1", "1", -1)
