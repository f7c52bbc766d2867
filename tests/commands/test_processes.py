"""Calls in processes of their own: order, errors, and calls that are dropped."""

import time

import pytest

from warpmill.studies.processes import in_processes


def _slower_when_earlier(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def test_results_come_in_the_order_of_their_items():
    with in_processes(_slower_when_earlier, [0.5, 0.0, 0.1], 2) as found:
        assert list(found) == [0.5, 0.0, 0.1]


def test_results_come_as_they_are_ready():
    with in_processes(_slower_when_earlier, [2.0, 0.0], 2, ordered=False) as found:
        assert list(found) == [0.0, 2.0]


def test_calls_under_way_are_dropped_without_a_word(recwarn):
    begin = time.monotonic()
    with in_processes(_slower_when_earlier, [0.0, 60.0], 2) as found:
        assert next(found) == 0.0
    assert time.monotonic() - begin < 30
    assert not recwarn.list


def _refused(number: int) -> int:
    raise ValueError(f"no {number}")


def test_errors_of_a_call_are_raised():
    with pytest.raises(ValueError, match=r"no [12]"), in_processes(_refused, [1, 2], 2) as found:
        list(found)
