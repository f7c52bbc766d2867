"""When kernels and copies run, by hand: streams, events, gaps, the host, and what they share."""

from __future__ import annotations

import pytest

from warpmill.simulator.estimate.timeline import Work, timeline


def kernel(us: float, *after: int, ctas: float = 1.0, **more: float) -> Work:
    """A kernel that takes a part of the CTA slots."""
    return Work(us, after=after, takes={"CTA slots": ctas}, **more)


def copy(us: float, *after: int, way: str = "copy to device") -> Work:
    return Work(us, is_copy=True, after=after, takes={way: 1.0})


def test_kernels_of_a_stream_come_one_after_another_with_gaps() -> None:
    """Gap-bound: three tiny kernels of 0.5 µs, of which 1 µs is led in, 2 µs apart."""
    tiny = [
        Work(0.5, lead_us=1.0, gap_us=2.0, after=(place - 1,) if place else ())
        for place in range(3)
    ]
    found = timeline(tiny)
    assert found.spans == ((0.0, 1.5), (3.5, 5.0), (7.0, 8.5))
    assert (found.kernels_us, found.copies_us, found.gaps_us) == (1.5, 0.0, 7.0)


def test_the_host_sets_the_pace_where_it_is_slower() -> None:
    """It asks every 5 µs for kernels that would follow every 3.5 µs; the last ends 1.5 µs later."""
    tiny = [
        Work(0.5, lead_us=1.0, gap_us=2.0, host_us=5.0, after=(place - 1,) if place else ())
        for place in range(4)
    ]
    found = timeline(tiny)
    assert [begin for begin, _ in found.spans] == [5.0, 10.0, 15.0, 20.0]
    assert found.time_us == 21.5


def test_the_host_is_ahead_while_a_kernel_runs() -> None:
    found = timeline([kernel(100.0, host_us=5.0), kernel(10.0, 0, host_us=5.0, gap_us=1.0)])
    assert found.spans == ((5.0, 105.0), (106.0, 116.0))


def test_kernels_of_two_streams_overlap_as_far_as_slots_are_left() -> None:
    """The second needs half of the slots, of which a quarter is left: for 10 µs it does half."""
    found = timeline([kernel(10.0, ctas=0.75), kernel(10.0, ctas=0.5)])
    assert found.spans == ((0.0, 10.0), (0.0, 15.0))
    assert found.kernels_us == 15.0


@pytest.mark.parametrize(("ctas", "end"), [(0.5, 10.0), (1.0, 20.0)])
def test_small_kernels_run_beside_each_other_and_full_ones_in_turn(ctas: float, end: float) -> None:
    assert timeline([kernel(10.0, ctas=ctas), kernel(10.0, ctas=ctas)]).time_us == end


def test_what_both_take_of_dram_slows_the_later_one() -> None:
    """0.8 of the rate, then 0.4 with 0.2 left: in 10 µs half of it."""
    first, second = (Work(10.0, takes={"CTA slots": 0.1, "DRAM": dram}) for dram in (0.8, 0.4))
    assert timeline([first, second]).spans == ((0.0, 10.0), (0.0, 15.0))


def test_an_event_and_a_copy() -> None:
    """Stream 0 copies 4 µs and computes 6; stream 1 computes 3, waits for the copy, computes 5.

    Their kernels need half of the slots each; a copy to the host runs beside the last of them.
    """
    found = timeline(
        [
            copy(4.0),
            kernel(6.0, 0, ctas=0.5),
            kernel(3.0, ctas=0.5),
            kernel(5.0, 0, 2, ctas=0.5),
            copy(2.0, 3, way="copy to host"),
        ]
    )
    assert found.spans == ((0.0, 4.0), (4.0, 10.0), (0.0, 3.0), (4.0, 9.0), (9.0, 11.0))
    assert (found.kernels_us, found.copies_us, found.gaps_us) == (9.0, 2.0, 0.0)


def test_copies_one_way_come_in_turn_and_both_ways_together() -> None:
    found = timeline([copy(4.0), copy(4.0), copy(4.0, way="copy to host")])
    assert found.spans == ((0.0, 4.0), (0.0, 8.0), (0.0, 4.0))
    assert found.copies_us == 8.0


def test_the_host_waits_for_a_copy_before_it_launches_again() -> None:
    """It asks at once, but the second kernel after the copy, which it has waited for."""
    back = Work(3.0, is_copy=True, after=(0,))
    found = timeline([kernel(5.0), back, kernel(5.0, 1, host_us=2.0)])
    ahead = found.spans[2].begin_us
    waiting = Work(5.0, after=(1,), host_after=(1,), host_us=2.0)
    found = timeline([kernel(5.0), back, waiting])
    assert (ahead, found.spans[2].begin_us, found.gaps_us) == (8.0, 10.0, 2.0)


def test_work_waits_for_what_comes_before_it_alone() -> None:
    with pytest.raises(ValueError, match="work 0 waits"):
        timeline([kernel(1.0, 1), kernel(1.0)])
    assert timeline([]).time_us == 0.0
