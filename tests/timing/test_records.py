"""Records in jitted code, beside the same memory as NumPy sees it, and the engine's layouts."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from warpmill.analyzer.base.jit import jit, jit_part
from warpmill.analyzer.base.pointers import (
    INT8,
    INT16,
    INT32,
    LINE_BYTES,
    at_place,
    first_at,
    lines,
    nth_from,
    nth_of,
    place_of,
    record,
    words_in,
    words_of,
)
from warpmill.simulator.gpu import records as r
from warpmill.simulator.gpu.constants import REASON_BITS, STALL
from warpmill.simulator.gpu.spec import CACHES, MACHINE_NUMBERS
from warpmill.simulator.resources import SIMULATED_STATES

COUNTS = record("hits", "misses")
UNIT = record("number", ("counts", COUNTS), ("bins", 3), "last")
BASE = record("first", "unit_table", "end")
PACKED = lines("word", ("small", INT8), ("lanes", INT16), ("row", INT32), ("flags", INT8))

base_at = first_at(BASE)
nth_unit, unit_at, unit_from = nth_of("unit_table", UNIT), at_place(UNIT), nth_from(UNIT)
packed_at = at_place(PACKED)
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
def exchange(words, given):
    packed = packed_at(base_at(words.ctypes.data), 8)
    found = packed.small + packed.lanes + packed.row + packed.flags
    packed.small, packed.lanes, packed.row, packed.flags = given, given + 1, given + 2, given + 3
    packed.word = found
    return found


def test_narrow_numbers_have_a_sign_and_leave_their_neighbours_alone():
    words = np.full(8 + words_in(PACKED), -1, np.int64)
    packed = words[8:].view(PACKED)[0]
    packed["small"], packed["lanes"], packed["row"], packed["flags"] = -3, -300, 1 << 30, 7
    assert exchange(words, -100) == (1 << 30) - 296
    assert packed["word"] == (1 << 30) - 296
    assert [packed[name] for name in ("small", "lanes", "row", "flags")] == [-100, -99, -98, -97]
    assert (words[:8] == -1).all()
    used = np.frombuffer(words[8:].tobytes(), np.uint8)
    assert (used[PACKED.fields["flags"][1] + 1 :] == 255).all()


def test_records_that_are_far_apart_take_whole_lines():
    assert PACKED.itemsize == LINE_BYTES
    for one in (r.INSTRUCTION, r.WARP, r.PENDING, r.LINE, r.REQUEST, r.DRAM_REQUEST):
        assert one.itemsize % LINE_BYTES == 0
    assert r.WARP.fields["alias_count"][1] < 2 * LINE_BYTES


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
    for name in ("time", "next"):
        assert r.DRAM_REQUEST.fields[name][1] == r.REQUEST.fields[name][1]


def test_warp_states_have_their_numbers_and_room_from_the_vocabulary():
    assert STALL._fields == SIMULATED_STATES
    assert tuple(STALL) == tuple(range(len(SIMULATED_STATES)))
    assert r.INSTRUCTION_COUNTS["stalls"].shape == (len(SIMULATED_STATES),)
    assert max(STALL) < 1 << REASON_BITS
