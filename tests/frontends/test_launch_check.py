from dataclasses import FrozenInstanceError, replace

import pytest
from launch_inputs import GOOD, KERNEL, MODULE, parameter

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.kernel import LaunchBounds
from warpmill.analyzer.launch import (
    BufferArgument,
    Launch,
    NullArgument,
    Permutation,
    ScalarArgument,
    check_launch,
    load_launches,
)


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
