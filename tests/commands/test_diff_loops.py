"""Pairing loops: whatever the loops are, it is one to one and the same from both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpmill.comparing.blocks import AccessTarget
from warpmill.comparing.paired_loops import LoopFeatures, match_loops

PLACES = [AccessTarget("global", "load", name) for name in ("arg0", "arg1", "tile")]


@st.composite
def forests(draw):
    """The loops of a kernel, each after the one that it lies in."""
    loops = []
    for number in range(draw(st.integers(0, 5))):
        parent = draw(st.one_of(st.none(), st.integers(0, number - 1))) if number else None
        files = draw(st.sampled_from([(), ("a.cu",), ("b.cu",)]))
        lines = draw(st.frozensets(st.integers(1, 4), max_size=3))
        loops.append(
            LoopFeatures(
                loop=number,
                parent=parent,
                depth=1 if parent is None else loops[parent].depth + 1,
                lines=frozenset((file, line) for file in files for line in lines),
                trips=draw(st.sampled_from(["", "8", "arg1"])),
                places=draw(st.frozensets(st.sampled_from(PLACES), max_size=2)),
                bytes=(),
                instructions=draw(st.integers(1, 3)),
                own_instructions=1,
                live_registers=0,
                is_innermost=True,
            )
        )
    return loops


@pytest.mark.slow
@given(forests(), forests())
def test_pairs_are_one_to_one_and_do_not_depend_on_which_is_a(a, b):
    found, other = match_loops(a, b), match_loops(b, a)
    assert [m.a for m in found if m.a is not None] == list(range(len(a)))
    assert sorted(m.b for m in found if m.b is not None) == list(range(len(b)))
    assert {(m.a, m.b, m.by, m.like) for m in found} == {(m.b, m.a, m.by, m.like) for m in other}


@given(forests())
def test_a_loop_is_itself(a):
    assert [(m.a, m.b) for m in match_loops(a, a)] == [(x.loop, x.loop) for x in a]


@given(forests(), forests())
def test_loops_that_share_a_line_are_paired_by_it(a, b):
    for m in match_loops(a, b):
        if m.a is not None and m.b is not None:
            assert bool(a[m.a].lines & b[m.b].lines) == (m.by == "source line")
