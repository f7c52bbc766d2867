"""The configurations of a sweep: what words and files make of axes, ranges and conditions."""

import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.sweeps.space import Axis, SweepSpace, holds, numbers_of, parse_axis, space_of


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("block=64,128", (64, 128)),
        ("block=32..256*2", (32, 64, 128, 256)),
        ("n=3..30*3", (3, 9, 27)),
        ("n=1..4", (1, 2, 3, 4)),
        ("n=0..25+10", (0, 10, 20)),
        ("n=5..5", (5,)),
        ("n=64,32..128*2", (64, 32, 128)),
        ("block=16x16,8x8x2", ("16x16", "8x8x2")),
        ("machine=a100, v100", ("a100", "v100")),
        ("clock.sm_mhz=1000.5,1e3", (1000.5, "1e3")),
        ("n=-4..-2", (-4, -3, -2)),
    ],
)
def test_values_of_an_axis(text, values):
    assert parse_axis(text) == Axis(text.partition("=")[0], values)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("block", "write NAME=VALUES"),
        ("=4", "write NAME=VALUES"),
        ("n=", "a value is missing"),
        ("n=1,,2", "a value is missing"),
        ("n=8..4", "has no end"),
        ("n=0..4*2", "has no end"),
        ("n=1..4*1", "has no end"),
        ("n=1..4+0", "has no end"),
    ],
)
def test_what_is_no_axis_is_said(text, words):
    with pytest.raises(UsageError, match=words):
        parse_axis(text)


def test_long_ranges_are_refused():
    with pytest.raises(LimitError, match="more than 1,000,000 values"):
        parse_axis("n=1..100000000")


def test_configurations_come_in_order_and_keep_to_conditions():
    space = space_of(["block=64,128,256", "n=100..300+100"], ["2 * block <= n", "n != 300"])
    found = list(space.configurations({}))
    assert found == [{"block": 64, "n": 200}]
    assert space.size == 9


def test_shapes_have_sides_and_machines_keys_underscores():
    found = numbers_of({"block": "16x8", "sm.count": 4, "machine": "v100", "n": 3})
    assert found == {"block": 128, "block_x": 16, "block_y": 8, "sm_count": 4, "n": 3}
    space = space_of(["block=16x8,32x4"], ["block_x * width < 600"])
    assert list(space.configurations({"width": 20})) == [{"block": "16x8"}]


@pytest.mark.parametrize(
    ("condition", "is_so"),
    [("a<=3", True), ("a >= 4", False), ("a == 3", True), ("a != 3", False), ("a / 2 < 2", True),
     ("ceil(a / 2) > 1", True)],
)  # fmt: skip
def test_conditions(condition, is_so):
    assert holds(condition, {"a": 3}) is is_so


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("a", "is no comparison"),
        ("a < b", "b"),
        ("a < 1 < 2", "is no comparison"),
        ("a <", "is no"),
    ],
)
def test_what_is_no_condition_is_said(condition, words):
    with pytest.raises(UsageError, match=words):
        holds(condition, {"a": 3})


def test_a_file_and_options_together(tmp_path):
    path = tmp_path / "space.toml"
    path.write_text(
        'where = ["n >= block"]\n[over]\nblock = [64, "128..256*2"]\nn = "100..200+100"\n'
    )
    space = space_of(["machine=v100,a100"], ["n < 150"], path)
    assert [axis.values for axis in space.axes] == [(64, 128, 256), (100, 200), ("v100", "a100")]
    assert space.conditions == ("n >= block", "n < 150")
    with pytest.raises(UsageError, match="block is varied twice"):
        space_of(["block=1"], [], path)
    path.write_text("[over]\nblock = true\n")
    with pytest.raises(InputError, match=r"space.toml:2:"):
        space_of([], [], path)


def test_nothing_varied_and_too_much():
    with pytest.raises(UsageError, match="nothing is varied"):
        space_of([], [])
    large = SweepSpace((Axis("a", tuple(range(2000))), Axis("b", tuple(range(2000)))))
    with pytest.raises(LimitError, match="4,000,000 configurations, more than 1,000,000"):
        next(large.configurations({}))
