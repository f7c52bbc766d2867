"""Records in jitted code, beside the same memory as NumPy sees it, and the engine's layouts."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from warpmill.analyzer.base.jit import jit, jit_part
from warpmill.simulator.gpu import records as r
from warpmill.simulator.gpu.constants import REASON_BITS, STALL
from warpmill.simulator.gpu.pointers import (
    at_place,
    first_at,
    nth_behind,
    nth_from,
    nth_of,
    place_of,
    record,
    words_in,
    words_of,
)
from warpmill.simulator.gpu.spec import CACHES, MACHINE_NUMBERS
from warpmill.simulator.resources import SIMULATED_STATES

COUNTS = record("hits", "misses")
UNIT = record("number", ("counts", COUNTS), ("bins", 3), "last")
BASE = record("first", "unit_table", "end")
LINK = record("next")

base_at = first_at(BASE)
nth_unit, unit_at, unit_from = nth_of("unit_table", UNIT), at_place(UNIT), nth_from(UNIT)
link_of = nth_behind(UNIT, LINK)
PLACE = 5
"""Place of the units, behind two words that are nobody's."""


@pytest.fixture
def memory():
    words = np.arange(100, 100 + PLACE + 3 * words_in(UNIT) + 2, dtype=np.int64)
    words[1] = PLACE
    return words


def units(words):
    return words[PLACE : PLACE + 3 * words_in(UNIT)].view(UNIT)


@jit_part
def counted(counts, more):
    counts.hits += more
    return counts.hits


@jit
def change(words, number, k):
    base = base_at(words.ctypes.data)
    unit = nth_unit(base, number)
    unit.last, base.end = base.first, unit.number
    unit.bins[k] += 7
    return counted(unit.counts, 1000)


def test_fields_are_the_words_that_numpy_sees_under_their_names(memory):
    expected = memory.copy()
    own = units(expected)[1]
    own["last"], expected[2] = expected[0], own["number"]
    own["bins"][2] += 7
    own["counts"]["hits"] += 1000
    assert change(memory, 1, 2) == own["counts"]["hits"]
    assert memory.tolist() == expected.tolist()


@jit
def places(words, number):
    base = base_at(words.ctypes.data)
    unit = nth_unit(base, number)
    place = place_of(base, unit)
    same = unit_at(base, place).number == unit_from(base, base.unit_table, number).number
    return place, place_of(base, unit.counts), same, words_of(base)[place], unit.number


def test_places_count_words_from_the_first_record_on(memory):
    place, of_counts, same, word, number = places(memory, 2)
    assert (place, of_counts) == (PLACE + 2 * words_in(UNIT), PLACE + 2 * words_in(UNIT) + 1)
    assert same and word == number == units(memory)[2]["number"]


@jit
def behind(words, number):
    return link_of(unit_at(base_at(words.ctypes.data), 5), number).next


def test_records_behind_another_begin_where_it_ends(memory):
    assert [behind(memory, k) for k in range(2)] == memory[PLACE + words_in(UNIT) :][:2].tolist()


def test_a_field_that_a_record_does_not_have_does_not_compile(memory):
    @jit
    def wrong(words):
        return base_at(words.ctypes.data).unit_tabel

    with pytest.raises(TypingError, match="unit_tabel"):
        wrong(memory)


def test_a_record_is_one_type_however_often_it_is_asked_for(memory):
    another = at_place(record("number", ("counts", COUNTS), ("bins", 3), "last"))

    @jit_part
    def last(unit):
        return unit.last

    @jit
    def both(words):
        base = base_at(words.ctypes.data)
        return last(unit_at(base, 5)) + last(another(base, 5))

    assert both(memory) == 2 * units(memory)[0]["last"]
    assert len(last.overloads) == 1


def test_the_gpu_has_every_number_of_machines_and_every_kind_of_cache():
    assert (r.GPU.names or ())[: len(MACHINE_NUMBERS)] == MACHINE_NUMBERS
    assert all(r.GPU[name] == r.CACHE for name in CACHES)


def test_a_request_in_a_channel_lies_in_one_that_was_taken():
    assert r.DRAM_REQUEST.itemsize <= r.REQUEST.itemsize
    for name in ("time", "next", "kind"):
        assert r.DRAM_REQUEST.fields[name][1] == r.REQUEST.fields[name][1]


def test_warp_states_have_their_numbers_and_room_from_the_vocabulary():
    assert STALL._fields == SIMULATED_STATES
    assert tuple(STALL) == tuple(range(len(SIMULATED_STATES)))
    assert r.INSTRUCTION_COUNTS["stalls"].shape == (len(SIMULATED_STATES),)
    assert max(STALL) < 1 << REASON_BITS
