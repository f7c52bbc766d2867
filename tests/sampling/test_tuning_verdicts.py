"""Whether two runs left the same in memory: hand-made buffers beside rules in plain Python."""

import math
import statistics

import numpy as np
import pytest

from warpmill.session.runs import Buffer
from warpmill.tuning.verdicts import DIFFER, TOLERANCES, compared


def buffer(values, element="f32", name="out"):
    array = np.asarray(values)
    digest = array.tobytes().hex() + str(array.shape)
    return Buffer(name, "launch", "arg", element, array, digest, True)


def f32(values, **more):
    return buffer(np.asarray(values, np.float32), **more)


def verdict(left, right, element="f32", dtype=np.float32):
    return compared(
        (buffer(np.asarray(left, dtype), element),), (buffer(np.asarray(right, dtype), element),)
    )


def test_equal_bytes_are_the_same():
    found = verdict([1, 2, math.nan], [1, 2, math.nan])
    assert (found.same, found.apart, found.reason) == (True, 0.0, None)


@pytest.mark.parametrize(
    ("element", "dtype"), [("i32", np.int32), ("u64", np.uint64), ("bool", bool)]
)
def test_integers_are_equal_or_not(element, dtype):
    assert verdict([1, 0, 1], [1, 0, 1], element, dtype).same
    found = verdict([1, 0, 1], [1, 1, 0], element, dtype)
    assert found.same is False
    assert found.kind == DIFFER
    assert "2 of 3 elements of out differ, the first at 1: " in found.reason


def test_large_integers_are_told_apart_and_written_in_full():
    left = 2**63 + 1
    found = verdict([left], [left - 1], "u64", np.uint64)
    assert found.reason.endswith(f"{left - 1}, not {left}")


@pytest.mark.parametrize(
    ("element", "dtype"), [("f64", np.float64), ("f32", np.float32), ("f16", np.float16)]
)
def test_numbers_may_be_a_little_apart(element, dtype):
    most = TOLERANCES[element]
    near, far = 100 * (1 + most / 2), 100 * (1 + 2 * most)
    assert verdict([100, 100], [near, 100], element, dtype).same
    assert 0 < verdict([100, 100], [near, 100], element, dtype).apart <= most
    found = verdict([100, 100], [100, far], element, dtype)
    assert found.same is False
    assert "1 of 2 elements of out differ, the first at 1" in found.reason


def bf16(values):
    return (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def test_bf16_are_numbers_not_bits():
    near = compared((buffer(bf16([1.0, 2.0]), "bf16"),), (buffer(bf16([1.0, 2.0625]), "bf16"),))
    assert near.same
    assert near.apart == pytest.approx(0.03125)
    far = compared((buffer(bf16([1.0, 2.0]), "bf16"),), (buffer(bf16([1.0, 4.0]), "bf16"),))
    assert far.same is False
    assert far.reason.endswith("4, not 2")


def test_odd_numbers_must_be_odd_in_both():
    nan, inf = math.nan, math.inf
    assert verdict([nan, inf, -inf, 1], [nan, inf, -inf, 1.00001]).same
    for left, right in ((nan, 1), (1, nan), (inf, 1), (1, inf), (inf, -inf), (nan, inf)):
        found = verdict([1, left], [1, right])
        assert found.same is False, (left, right)
        assert found.apart == inf


def test_the_sign_of_zero_is_no_difference():
    found = verdict([0.0, 1.0], [-0.0, 1.0])
    assert (found.same, found.apart) == (True, 0.0)


def test_where_all_is_zero_anything_else_differs():
    assert verdict([0, 0], [0, 1e-30]).same is False


def test_small_numbers_among_others_may_be_apart_as_those_are():
    """Of a sum that cancels out, what is left is as uncertain as what was summed up."""
    assert verdict([1, 1, 1, 0], [1, 1, 1, 1e-5]).same
    assert verdict([1, 1, 1, 0], [1, 1, 1, 1e-3]).same is False


def test_one_large_number_hides_no_differences():
    assert verdict([1, 1, 1, 1e9], [1, 1, 2, 1e9]).same is False


@pytest.mark.parametrize("seed", range(5))
def test_it_is_what_plain_python_says(seed):
    chance = np.random.default_rng(seed)
    left = chance.normal(size=50) * 10.0 ** chance.integers(-3, 4, 50)
    left[chance.integers(0, 50, 5)] = 0
    right = left * (1 + chance.normal(size=50) * 10.0 ** -chance.integers(3, 7))
    found = verdict(left, right, "f32", np.float64)
    middle = statistics.median(abs(x) for x in left if x)
    shares = [abs(a - b) / max(abs(a), middle) for a, b in zip(left, right, strict=True)]
    assert found.apart == pytest.approx(max(shares))
    wrong = [n for n, share in enumerate(shares) if share > 1e-4]
    assert found.same == (not wrong)
    if wrong:
        assert f"{len(wrong)} of 50 elements" in found.reason
        assert f"the first at {wrong[0]}:" in found.reason


def test_the_largest_of_all_buffers_is_told():
    pairs = [([1, 1], [1, 1 + 2**-20]), ([4, 4], [4, 4 + 2**-16]), ([1], [1])]
    found = compared(tuple(f32(a) for a, _ in pairs), tuple(f32(b) for _, b in pairs))
    assert found.same
    assert found.apart == pytest.approx(2**-18, rel=1e-3)


def test_buffers_have_their_places_not_their_names():
    assert compared((f32([1], name="a"),), (f32([1], name="b"),)).same


def test_what_cannot_be_compared_is_unknown():
    one, two = f32([1, 2]), f32([[1], [2]], name="sums")
    found = compared((one,), (two,))
    assert found.same is None
    assert found.reason == "sums is f32 of 2 x 1, of the default f32 of 2"
    assert compared((one,), (buffer(np.asarray([1, 2], np.float64), "f64"),)).same is None
    found = compared((one,), (one, one))
    assert (found.same, found.reason) == (None, "it has 2 buffers, the default 1")


def test_an_empty_buffer():
    assert compared((f32([]),), (f32([]),)).same
