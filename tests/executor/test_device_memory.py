"""Device memory: addresses, contents, words for where an address lies."""

import ctypes
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.native.specials import GRID_WORKSPACE

SIZES = [1, 255, 256, 257, 4096, 0, 100_000]


def filled(sizes=SIZES):
    memory = DeviceMemory()
    return memory, [memory.allocate(size) for size in sizes]


def test_the_first_address_is_that_of_global_memory():
    assert filled()[1][0] == GLOBAL_BASE


def test_addresses_are_aligned_and_apart():
    _, addresses = filled()
    assert all(address % 256 == 0 for address in addresses)
    for address, size, after in zip(addresses, SIZES, addresses[1:], strict=False):
        assert after - (address + size) >= 256


def test_the_same_calls_give_the_same_addresses():
    def program(memory):
        a = memory.allocate(100)
        b = memory.allocate(5000)
        memory.free(a)
        return a, b, memory.allocate(60), memory.allocate(1)

    first = program(DeviceMemory())
    assert first == program(DeviceMemory())
    assert len(set(first)) == 4  # what was freed is not handed out again


def test_memory_begins_as_zeros_and_keeps_what_is_written():
    memory, (address,) = filled([1000])
    assert not memory.view(address, 1000).any()
    memory.view(address + 10, 3)[:] = [7, 8, 9]
    assert memory.view(address, 14).tolist() == [0] * 10 + [7, 8, 9, 0]


def test_host_memory_is_aligned():
    memory, addresses = filled()
    rows = memory.table()
    assert rows.dtype == np.int64
    assert rows[:, 0].tolist() == addresses
    assert rows[:, 1].tolist() == [a + s for a, s in zip(addresses, SIZES, strict=True)]
    hosts = [host for address, end, host in rows.tolist() if end > address]
    assert [host % 64 for host in hosts] == [0] * 6


def test_the_table_leads_to_the_bytes():
    memory, addresses = filled()
    memory.view(addresses[4], 4096)[:] = np.arange(4096) % 251
    host = int(memory.table()[4, 2])
    raw = ctypes.string_at(host + 1000, 4)
    assert list(raw) == [1000 % 251, 1001 % 251, 1002 % 251, 1003 % 251]


def test_the_table_follows_allocations():
    memory, addresses = filled()
    assert len(memory.table()) == len(SIZES)
    memory.free(addresses[3])
    assert addresses[3] not in memory.table()[:, 0]
    new = memory.allocate(8)
    assert memory.table()[-1, 0] == new
    assert sorted(memory.table()[:, 0]) == memory.table()[:, 0].tolist()


def test_an_empty_memory_has_an_empty_table():
    assert DeviceMemory().table().shape == (0, 3)


def test_find_knows_first_and_last_bytes_and_nothing_between():
    memory, (a, b) = filled([100, 100])
    assert memory.find(a).address == a
    assert memory.find(a + 99).address == a
    assert memory.find(a + 100) is None
    assert memory.find(b - 1) is None
    assert memory.find(b).address == b
    assert memory.find(a - 1) is None


def test_a_view_stays_inside_one_buffer():
    memory, (a, _) = filled([100, 100])
    assert memory.view(a + 100, 0).size == 0
    with pytest.raises(IndexError, match="not all of one buffer"):
        memory.view(a, 101)
    with pytest.raises(IndexError, match="44 B past the end"):
        memory.view(a + 144, 1)


def test_where_an_address_lies_in_words():
    memory = DeviceMemory()
    assert memory.nearest(5) == "there are no buffers"
    a = memory.allocate(4096, "a")
    b = memory.allocate(10)
    assert memory.nearest(a + 4096 + 32) == "32 B past the end of `a` of 4096 B"
    assert memory.nearest(a - 4) == "4 B before the start of `a` of 4096 B"
    assert memory.nearest(a + 2) == "2 B into `a` of 4096 B"
    assert memory.nearest(b - 8) == f"8 B before the start of the buffer of 10 B at {b:#x}"
    assert memory.nearest(b + (1 << 40)).startswith(f"{(1 << 40) - 10:,} B past the end of")


def test_what_was_freed_is_told():
    memory, (a, b) = filled([100, 100])
    memory.free(a)
    assert memory.find(a) is None
    assert "which was freed" in memory.nearest(a + 8)
    with pytest.raises(IndexError, match="which was freed"):
        memory.view(a, 1)
    with pytest.raises(KeyError):
        memory.free(a)
    with pytest.raises(KeyError):
        memory.free(b + 1)


def test_the_limit_is_of_all_live_memory_together():
    memory = DeviceMemory(max_bytes=1000)
    a = memory.allocate(600, "a")
    with pytest.raises(LimitError) as error:
        memory.allocate(500, "b")
    assert "--max-memory" in str(error.value)
    assert "`b`" in str(error.value)
    assert error.value.exit_code == 3
    memory.free(a)
    assert memory.used_bytes == 0
    memory.allocate(1000)


def test_large_memory_is_not_touched():
    memory = DeviceMemory(max_bytes=1 << 45)
    before = resident_bytes()
    address = memory.allocate(1 << 32)
    memory.view(address + (1 << 31), 1)[:] = 1
    assert resident_bytes() - before < 1 << 26


def resident_bytes():
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("there is no /proc here")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_more_than_there_is_is_a_limit_too():
    with pytest.raises(LimitError, match="has no"):
        DeviceMemory(max_bytes=1 << 62).allocate(1 << 60)


@pytest.mark.parametrize("seed", range(5))
def test_against_a_dictionary(seed):
    """The obvious twin: a dictionary from address to bytes."""
    rng = np.random.default_rng(seed)
    memory, twin = DeviceMemory(), {}
    for _ in range(200):
        if twin and rng.random() < 0.3:
            address = int(rng.choice(list(twin)))
            memory.free(address)
            del twin[address]
        else:
            size = int(rng.integers(0, 2000))
            twin[memory.allocate(size)] = size
        probe = int(rng.integers(GLOBAL_BASE - 100, GLOBAL_BASE + 300_000))
        inside = [a for a, size in twin.items() if a <= probe < a + size]
        found = memory.find(probe)
        assert (found and found.address) == (inside[0] if inside else None)
    assert memory.table()[:, 0].tolist() == sorted(twin)
    assert memory.used_bytes == sum(twin.values())


def test_neighbours_that_are_spread_lie_far_apart():
    memory = DeviceMemory(is_spread=True)
    starts = [memory.allocate(1000) for _ in range(20)]
    apart = [b - a - 1000 for a, b in pairwise(starts)]
    assert min(apart) >= 1 << 28
    low = sum(start + 1000 <= 1 << 32 for start in starts)
    assert low >= 12
    assert min(apart[low:]) >= 1 << 34


def test_room_for_spreading_ends_below_the_workspace_of_the_grid():
    memory = DeviceMemory(1 << 60, is_spread=True)
    starts = [memory.allocate(0) for _ in range(5000)]
    assert starts[-1] < GRID_WORKSPACE
    assert starts[-1] - starts[-2] == 256
