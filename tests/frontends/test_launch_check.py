from dataclasses import FrozenInstanceError, replace

import pytest

from warpmill.analyzer.base.diagnostics import InputError, Span
from warpmill.analyzer.ir.kernel import Kernel, LaunchBounds, Module, Parameter, Variable
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.analyzer.launch import (
    BufferArgument,
    Launch,
    NullArgument,
    Permutation,
    ScalarArgument,
    check_launch,
    load_launches,
)


def parameter(name, type_name, size=None, **more):
    type_ = TYPES[type_name]
    return Parameter(name, type_, size or type_.size_bytes, 8, **more)


KERNEL = Kernel(
    name="_Z1kPfijf",
    parameters=(
        parameter("p0", "u64"),
        parameter("p1", "s32"),
        parameter("p2", "u32"),
        parameter("p3", "f32"),
        parameter("p4", "b8", 24),
        parameter("p5", "u64"),
        parameter("p6", "b16"),
        parameter("p7", "u8"),
    ),
    registers=(),
    blocks=(),
    span=Span(1, 1, 2),
    variables=(Variable("tile", Space.SHARED, TYPES["f32"], 1024, 4),),
)
MODULE = Module(
    name="m.ptx",
    target="sm_80",
    version="8.0",
    address_bits=64,
    warp_size=32,
    kernels=(KERNEL,),
    variables=(
        Variable("_ZN2ns6filterE", Space.CONST, TYPES["f32"], 900, 4),
        Variable("open", Space.GLOBAL, TYPES["f32"], None, 4),
        Variable("common", Space.SHARED, TYPES["b8"], 1000, 4),
    ),
)
GOOD = """\
[[launch]]
module = "m.ptx"
grid = [64, 2]
block = [32, 8]
shared = 0
symbols = { filter = { buffer = "f32", shape = [225] } }
args = [
  { buffer = "f32", shape = [64] },
  { i32 = 5 },
  { i32 = -1 },
  { f32 = 0.5 },
  { struct = [ { f64 = 1 }, { i32 = 2 }, { null = true } ] },
  { texture = "f32", shape = [8, 8] },
  { f16 = 1 },
  { bool = true },
]
"""


@pytest.fixture
def check(tmp_path):
    (tmp_path / "m.ptx").touch()

    def check(text, kernel=KERNEL, module=MODULE):
        (tmp_path / "launch.toml").write_text(text)
        (launch,) = load_launches(tmp_path / "launch.toml")
        check_launch(launch, module, kernel)

    return check


def problems(check, text, **more):
    with pytest.raises(InputError) as caught:
        check(text, **more)
    return [(d.span.line, d.span.column, d.message) for d in caught.value.diagnostics]


def test_a_launch_that_fits(check):
    check(GOOD)
    check(GOOD.replace("{ f16 = 1 }", "{ u16 = 1 }").replace("i32 = -1", "u32 = 1"))
    check(GOOD.replace('{ texture = "f32", shape = [8, 8] }', "{ null = true }"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[64, 2]", "[64, 65536]", (3, 13, "grid y must be 1 to 65535 CTAs, not 65536")),
        ("[64, 2]", "[0x80000000]", (3, 9, "grid x must be 1 to 2147483647 CTAs, not 2147483648")),
        ("[32, 8]", "[1, 1, 65]", (4, 16, "block z must be 1 to 64 threads, not 65")),
        ("[32, 8]", "[2048]", (4, 10, "block x must be 1 to 1024 threads, not 2048")),
        ("[32, 8]", "[32, 33]", (4, 9, "a CTA has at most 1024 threads, not 1056 (32 × 33 × 1)")),
        (
            "shared = 0",
            "shared = 230425",
            (5, 10, "2024 static and 230425 dynamic bytes of shared"),
        ),
        ("{ filter", "{ fliter", (6, 13, "the module has not exactly one global or constant")),
        ("{ filter", "{ common", (6, 13, "the module has not exactly one global or constant")),
        ("[225]", "[226]", (6, 22, "variable `filter` has 900 bytes, the 904 given do not fit")),
        (
            "{ i32 = 5 }",
            "{ i64 = 5 }",
            (9, 3, "argument 2 of `_Z1kPfijf` (`p1`): the parameter is s32 of 4 bytes, the argume"),
        ),
        (
            "{ i32 = 5 }",
            "{ f32 = 5 }",
            (9, 3, "argument 2 of `_Z1kPfijf` (`p1`): the parameter is s32 of 4 bytes, the argume"),
        ),
        (
            "{ i32 = 5 }",
            "{ null = true }",
            (9, 3, "argument 2 of `_Z1kPfijf` (`p1`): the parameter is s32 of 4 bytes, the argume"),
        ),
        ("{ f32 = 0.5 }", "{ i32 = 1 }", (11, 3, "argument 4 of `_Z1kPfijf` (`p3`): the parame")),
        (
            "{ i32 = 2 }, ",
            "",
            (12, 3, "argument 5 of `_Z1kPfijf` (`p4`): the parameter is a struct of 24 bytes, the"),
        ),
        (
            "{ struct = [ { f64 = 1 }, { i32 = 2 }, { null = true } ] }",
            '{ buffer = "i8", shape = [24] }',
            (12, 3, "argument 5 of `_Z1kPfijf` (`p4`): the parameter is a struct of 24 bytes, the"),
        ),
        ("{ bool = true },", "", (7, 8, "`_Z1kPfijf` takes 8 arguments, not 7")),
        ("{ bool = true },", "{ i8 = 1 }, { i8 = 2 }", (15, 15, "`_Z1kPfijf` takes 8 arguments")),
    ],
)
def test_what_does_not_fit_is_told_at_its_place(check, old, new, expected):
    assert old in GOOD
    ((line, column, message),) = problems(check, GOOD.replace(old, new))
    assert (line, column) == expected[:2]
    assert message.startswith(expected[2])


def test_shared_memory_may_reach_the_limit_exactly(check):
    check(GOOD.replace("shared = 0", f"shared = {232448 - 1024 - 1000}"))


def test_a_cta_may_have_1024_threads(check):
    check(GOOD.replace("[32, 8]", "[1024]"))
    check(GOOD.replace("[32, 8]", "[4, 4, 64]"))


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (LaunchBounds(max_threads=(16, 15, 1)), "compiled for at most 240 threads a CTA, not 256"),
        (LaunchBounds(required_threads=(32, 4)), "must be launched with blocks of [32, 4]"),
    ],
)
def test_the_bounds_of_the_kernel_hold(check, bounds, words):
    ((line, column, message),) = problems(check, GOOD, kernel=replace(KERNEL, bounds=bounds))
    assert (line, column) == (4, 9)
    assert message.endswith(words)


def test_bounds_that_are_kept_are_no_problem(check):
    bounds = LaunchBounds(max_threads=(256,), required_threads=(32, 8))
    check(GOOD, kernel=replace(KERNEL, bounds=bounds))


def test_pointers_take_addresses_of_the_modules_width_only(check):
    def one(parameter, address_bits=64):
        kernel = replace(KERNEL, parameters=(parameter, *KERNEL.parameters[1:]))
        return {"kernel": kernel, "module": replace(MODULE, address_bits=address_bits)}

    pointer = parameter("p0", "u64", is_pointer=True)
    check(GOOD, **one(pointer))
    number = GOOD.replace('{ buffer = "f32", shape = [64] }', "{ u64 = 0 }")
    check(number)
    ((_, _, message),) = problems(check, number, **one(pointer))
    assert message.endswith("the parameter is a pointer of 8 bytes, the argument the number u64")
    check(GOOD, **one(parameter("p0", "u32", is_pointer=True), 32))
    (first, *_) = problems(check, GOOD, **one(pointer, 32))
    assert first[2].endswith("a pointer of 8 bytes, the argument an address of 4 bytes")


def test_all_problems_are_told_at_once(check):
    text = GOOD.replace("[64, 2]", "[0x80000000, 65536]").replace("i32 = 5", "i64 = 5")
    assert [place[:2] for place in problems(check, text)] == [(3, 9), (3, 21), (9, 3)]


def test_a_launch_made_in_python_is_checked_without_a_file():
    kernel = replace(KERNEL, parameters=KERNEL.parameters[:2])
    arguments = (BufferArgument("f32", (4,)), ScalarArgument("i32", 1))
    launch = Launch.of("m.ptx", "k", grid=4, block=(8, 8), arguments=arguments)
    assert (launch.grid, launch.block, launch.name) == ((4, 1, 1), (8, 8, 1), "k")
    assert launch.span("grid") is None
    assert hash(launch) == hash(replace(launch))
    check_launch(launch, MODULE, kernel)
    bad = replace(launch, grid=(0, 1, 1), dynamic_shared_bytes=-1)
    with pytest.raises(InputError) as caught:
        check_launch(bad, MODULE, kernel)
    assert [d.message for d in caught.value.diagnostics] == [
        "grid x must be 1 to 2147483647 CTAs, not 0",
        "shared memory must not be negative: -1",
    ]
    unfit = replace(launch, arguments=(BufferArgument("f32", (4,), Permutation()), arguments[1]))
    with pytest.raises(InputError, match="a permutation needs an integer type"):
        check_launch(unfit, MODULE, kernel)


def test_one_to_three_sizes_are_needed():
    for sizes in ((), (1, 2, 3, 4)):
        with pytest.raises(ValueError, match="one to three"):
            Launch.of("m.ptx", grid=sizes)


def test_a_launch_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Launch.of("m.ptx").grid = (2, 1, 1)


def test_a_null_argument_has_the_size_of_an_address():
    assert NullArgument().size_bytes == 8
