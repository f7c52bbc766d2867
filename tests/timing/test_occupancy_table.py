"""Occupancy against NVIDIA's own calculation, on 24,000 launches of twelve compute capabilities.

tests/reference/occupancy/README.md says how the table was made.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.reference.occupancy import header, table
from tests.reference.occupancy.capabilities import KIB, WARP_SIZE, Capability, capabilities
from tests.reference.occupancy.configurations import configurations, registers_of
from tests.reference.occupancy.table import INVALID_INPUT, Answer, Configuration, Row
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.occupancy import _allocated_shared, occupancy

_CAPABILITIES = capabilities()


@cache
def _rows() -> dict[str, list[Row]]:
    """The table by compute capability."""
    found = defaultdict(list)
    for asked, told in table.read():
        found[asked.capability].append((asked, told))
    return found


def _ours(machine: Machine, asked: Configuration) -> Answer:
    """What the table says of a configuration as occupancy.py has it."""
    shared = asked.static_bytes + asked.dynamic_bytes
    try:
        fit = occupancy(machine, asked.threads, asked.registers, shared)
    except UsageError:
        return INVALID_INPUT
    limits = dict(fit.limits)
    return Answer(
        fit.ctas_per_sm,
        "+".join(fit.limiting),
        limits["warps"],
        limits["registers"],
        limits["shared_memory"],
        limits["blocks"],
        _allocated_shared(machine, shared),
    )


_OPT_IN = "shared.per_block_optin_bytes"
Change = dict[str, int]


def _machines(name: str, change: Change) -> tuple[Machine, Machine]:
    """A machine for kernels that do not opt in to more shared memory, and for those that do.

    occupancy.py lets every kernel opt in: what does not is on a machine that has no more to give.
    """
    machine = load_machine(name, change)
    usual = machine.integer("shared.per_block_bytes")
    return load_machine(name, change | {_OPT_IN: usual}), machine


def _different(
    name: str, rows: Iterable[Row], change: Change | None = None
) -> Iterator[tuple[Configuration, Answer, Answer]]:
    """Configurations of which NVIDIA says something else, with its answer and ours."""
    machines = _machines(name, change or {})
    ours = ((asked, told, _ours(machines[asked.opts_in], asked)) for asked, told in rows)
    return (each for each in ours if each[1] != each[2])


_HARDWARE = tuple(
    name
    for name in machine_names()
    if load_machine(name).text("machine.kind") == "hardware"
    and load_machine(name).text("machine.compute_capability") in _CAPABILITIES
)


def _rows_of(name: str) -> list[Row]:
    return _rows()[load_machine(name).text("machine.compute_capability")]


@pytest.mark.slow
@pytest.mark.parametrize("name", _HARDWARE)
def test_every_configuration_has_nvidias_answer(name: str) -> None:
    different = list(_different(name, _rows_of(name)))
    assert not different, f"{len(different)} of {len(_rows_of(name))}: {different[:3]}"


@pytest.mark.slow
def test_the_table_has_2000_distinct_configurations_of_each_capability() -> None:
    rows = _rows()
    assert tuple(rows) == tuple(_CAPABILITIES)
    assert len(rows) == 12
    assert {len({asked for asked, _ in each}) for each in rows.values()} == {2000}
    assert {known.machine for known in _CAPABILITIES.values()} <= set(_HARDWARE)


@pytest.mark.parametrize("known", _CAPABILITIES.values(), ids=_CAPABILITIES)
def test_the_table_has_every_warp_count_every_register_count_and_every_limit(
    known: Capability,
) -> None:
    rows = _rows()[known.name]
    asked = [each for each, _ in rows]
    assert {-(-each.threads // WARP_SIZE) for each in asked} >= set(range(33))
    assert {each.registers for each in asked} >= set(registers_of(known))
    assert {each.opts_in for each in asked} == {0, 1}
    assert any(each.static_bytes and each.dynamic_bytes for each in asked)
    alone = Counter(told.limiting for _, told in rows if told.blocks)
    assert min(alone[name] for name in table.LIMITING) > 10, alone
    refused = Counter(told.limiting for _, told in rows if told.blocks == 0)
    assert {"warps", "registers", "shared_memory"} <= set(refused), refused
    assert INVALID_INPUT in [told for _, told in rows]


_SHIFTED = {
    "sm.max_blocks": -1,
    "sm.max_threads": -WARP_SIZE,
    "sm.max_threads_per_block": -1,
    "reg.per_sm": -1,
    "reg.per_block": -1,
    "reg.alloc_unit": 256,
    "reg.warp_alloc_granularity": -1,
    "shared.per_sm_bytes": -1,
    "shared.per_block_bytes": -1,
    "shared.reserved_per_block_bytes": 1,
    "shared.alloc_unit_bytes": 1,
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("known", _CAPABILITIES.values(), ids=_CAPABILITIES)
def test_the_table_sees_the_smallest_change_of_every_value(known: Capability) -> None:
    stated, rows = load_machine(known.machine), _rows()[known.name]
    changes = [{key: stated.integer(key) + step} for key, step in _SHIFTED.items()]
    assert [each for each in changes if not any(_different(known.machine, rows, each))] == []


@pytest.mark.parametrize("name", ["v100", "t4", "a100", "l4", "h100_sxm", "b200"])
def test_the_table_sees_a_smaller_opt_in(name: str) -> None:
    less = load_machine(name).integer(_OPT_IN) - 1
    assert any(_different(name, _rows_of(name), {_OPT_IN: less}))


def test_the_table_sees_that_gp100_is_checked_as_if_it_had_four_partitions() -> None:
    different = _different("p100", _rows_of("p100"), {"reg.legality_partitions": 1})
    assert {told.blocks for _, told, _ in different} == {0}


@pytest.mark.parametrize("name", _HARDWARE)
def test_a_machine_file_says_what_nvidias_documents_say_of_its_capability(name: str) -> None:
    machine = load_machine(name)
    known = _CAPABILITIES[machine.text("machine.compute_capability")]
    documented = {
        "machine.warp_size": WARP_SIZE,
        "sm.max_threads_per_block": known.threads_per_block,
        "sm.max_threads": known.threads_per_sm,
        "sm.max_warps": known.threads_per_sm // WARP_SIZE,
        "sm.max_blocks": known.blocks_per_sm,
        "reg.per_sm": known.registers_per_sm,
        "reg.per_block": known.registers_per_block,
        "reg.max_per_thread": known.registers_per_thread,
        "shared.per_sm_bytes": known.shared_kib_per_sm * KIB,
        "shared.per_block_bytes": known.shared_kib_per_block * KIB,
        "shared.per_block_optin_bytes": known.shared_kib_optin * KIB,
        "shared.reserved_per_block_bytes": known.reserved_bytes,
        "shared.carveout_kib": known.shared_sizes_kib,
    }
    assert {key: machine[key].value for key in documented} == documented


@pytest.mark.parametrize(("name", "registers"), [("quadro_k600", 64), ("v100", 256)])
def test_registers_that_no_thread_can_have_are_refused(name: str, registers: int) -> None:
    """The header admits them, and they are not in the table: README.md beside it says why."""
    assert occupancy(load_machine(name), 32, registers, 0).limiting == ("registers",)
    asked = (each for each, _ in _rows_of(name))
    assert registers not in {each.registers for each in asked}


def test_the_configurations_of_the_table_are_those_that_are_chosen() -> None:
    known = _CAPABILITIES["8.6"]
    kept = tuple(asked for asked, _ in _rows()["8.6"])
    assert configurations(known, len(kept)) == kept


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = _rows()["7.5"][::97]
    path = tmp_path / "some.csv.gz"
    table.write(rows, path)
    assert list(table.read(path)) == rows


def test_the_header_is_found_where_cuda_home_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "include").mkdir()
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert header.find_folder() != tmp_path / "include"
    (tmp_path / "include" / header.HEADER).touch()
    assert header.find_folder() == tmp_path / "include"


@pytest.mark.skipif(header.find_folder() is None, reason="cuda_occupancy.h is not installed")
@pytest.mark.skipif(header.find_compiler() is None, reason="there is no C compiler")
def test_the_header_says_of_every_eleventh_configuration_what_the_table_keeps(
    tmp_path: Path,
) -> None:
    folder, compiler = header.find_folder(), header.find_compiler()
    assert folder is not None
    assert compiler is not None
    program = tmp_path / "ask_header"
    header.build(folder, compiler, program)
    rows = [row for rows in _rows().values() for row in rows][::11]
    answers = header.ask(program, [asked for asked, _ in rows])
    known = [(kept, now) for kept, now in zip(rows, answers, strict=True) if now is not None]
    assert len(known) > 1000  # a header of an old toolkit does not know the latest devices
    assert [(kept, now) for kept, now in known if kept[1] != now] == []
