"""What launches leave in L2 for those behind them, by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.timing.estimated_kernels import job, streamed
from warpmill.session import application_l2
from warpmill.session.application_l2 import FoundInL2, L2History, TouchedSectors
from warpmill.session.estimates import Estimator
from warpmill.simulator.machines import load_machine


def touched(buffer: str, first: int, last: int, size: int = 100, whole: int = 0) -> TouchedSectors:
    """Sectors of 32 B of a buffer that has ``size``; the launch touches ``whole`` of them."""
    sectors = np.arange(first, last)
    return TouchedSectors(buffer, 32 * size, sectors, sectors, 32.0 * (whole or len(sectors)))


def history(sectors: int, *launches: tuple[TouchedSectors, ...]) -> L2History:
    made = L2History(32.0 * sectors, 32)
    for one in launches:
        made.add(one)
    return made


def test_a_launch_finds_the_sectors_that_others_touched() -> None:
    found = history(200, (touched("a", 0, 50),))
    assert found.share(touched("a", 0, 50)) == 1.0
    assert found.share(touched("a", 25, 75)) == 0.5
    assert found.share(touched("b", 0, 50)) == 0.0


def test_what_was_used_longest_ago_is_gone_first() -> None:
    """Of a, b and c of 50 sectors each, 100 have room; a is used again before c comes."""
    a, b, c = (touched(name, 0, 50) for name in "abc")
    assert [history(100, (a,), (b,), (c,)).share(one) for one in (a, b, c)] == [0, 1, 1]
    assert [history(100, (a,), (b,), (a,), (c,)).share(one) for one in (a, b, c)] == [1, 0, 1]


def test_of_a_launch_that_needs_more_than_l2_nothing_is_found() -> None:
    assert history(99, (touched("a", 0, 100),)).share(touched("a", 0, 100)) == 0.0
    assert history(100, (touched("a", 0, 100),)).share(touched("a", 0, 100)) == 1.0


def test_a_launch_of_which_a_part_was_looked_at_touches_more() -> None:
    """Ten sectors stand for half of the buffer, spread evenly, or for nearly all of it."""
    half = history(200, (touched("a", 0, 10, whole=50),))
    assert half.share(touched("a", 0, 100)) == pytest.approx(0.5, abs=0.01)
    assert history(200, (touched("a", 0, 10, whole=97),)).share(touched("a", 0, 100)) == 1.0


def test_large_buffers_are_kept_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application_l2, "MOST_PIECES", 16)
    found = history(1 << 20, (touched("a", 0, 500, 1000),))
    assert found.share(touched("a", 0, 1000, 1000)) == pytest.approx(0.5, abs=0.1)


WORDS = 1 << 16


def test_a_launch_reads_from_dram_what_l2_has_not(tmp_path: Path) -> None:
    """A copy of 256 KiB, half of whose source was touched before."""
    estimator = Estimator(job(tmp_path, streamed(), WORDS // 256, 256, "p q", WORDS))
    machine, sectors = load_machine("v100"), WORDS * 4 // 32
    found = FoundInL2(history(1 << 20, (touched("p", 0, sectors // 2, sectors),)), lambda n, *_: n)
    cold, carried = estimator.on(machine), estimator.finding(found).on(machine)
    assert (cold.dram_bytes, carried.dram_bytes) == (WORDS * 4, WORDS * 2)
    assert carried.execution_us < cold.execution_us
    assert {one.buffer: len(one.sectors) for one in found.touched} == {"p": sectors, "q": sectors}
    assert estimator.on(machine).dram_bytes == cold.dram_bytes
