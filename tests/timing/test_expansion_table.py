"""The table of what operations become in machine code: well formed, and known where it matters."""

from __future__ import annotations

from itertools import pairwise

import pytest

from warpmill.analyzer.ir.operation import decode, operation_table
from warpmill.simulator.assembler.costs import interval_cycles
from warpmill.simulator.assembler.folds import fold_rules
from warpmill.simulator.assembler.values import (
    FREE,
    OLDEST,
    Mix,
    expansion_data,
    expansion_table,
    key_of,
    mix_of_key,
)
from warpmill.simulator.machines import load_machine, machine_names

NEWEST = 120
OF_A_KERNEL = {"entry", "entry.global", "reconvergence", "pointer"}
"""Keys of what no operation of the text becomes."""


def test_every_line_goes_by_ascending_chips_whose_mixes_differ() -> None:
    for key, line in expansion_table().lines.items():
        chips = [chip for chip, _ in line]
        assert chips == sorted(set(chips)) and OLDEST <= chips[0] <= chips[-1] <= NEWEST, key
        assert all(before != after for (_, before), (_, after) in pairwise(line)), key


def test_every_mix_is_of_units_that_there_are() -> None:
    units = expansion_table().units
    for key, line in expansion_table().lines.items():
        for _, mix in line:
            assert {unit for unit, _ in mix.counts} <= units.keys(), key
            assert all(n > 0 for _, n in mix.counts), key


def test_every_key_begins_with_operations_that_there_are() -> None:
    names = operation_table()
    for key in expansion_table().lines.keys() - OF_A_KERNEL:
        for part in filter(None, key.split("+")):
            words = part.split(".")
            assert any(".".join(words[:n]) in names for n in range(len(words), 0, -1)), key


def test_a_machine_opcode_belongs_to_one_unit() -> None:
    opcodes = [name for unit in expansion_table().units.values() for name in unit.opcodes]
    assert len(opcodes) == len(set(opcodes))


@pytest.mark.parametrize("machine", machine_names())
def test_every_machine_knows_the_times_of_every_unit(machine: str) -> None:
    loaded = load_machine(machine)
    for unit in expansion_table().units.values():
        if unit.name == "tensor" and not loaded.number("lanes.tensor_cores"):
            continue
        assert interval_cycles(loaded, unit.interval) > 0, unit.name
        assert loaded.number(unit.latency) >= 0, unit.name


def test_what_folding_makes_has_a_line() -> None:
    for line in expansion_data()["folds"]:
        becomes = line.get("becomes")
        assert becomes is None or becomes in expansion_table().lines, becomes
        assert line.get("since", OLDEST) <= line.get("until", NEWEST)


def test_rules_of_later_chips_do_not_hold_on_earlier_ones() -> None:
    assert len(fold_rules(35)) < len(fold_rules(50)) < len(fold_rules(70)) == len(fold_rules(120))


# Counted by hand in the machine code of one operation on registers. Maxwell multiplies 16 by 16
# bits (XMAD); divisions by numbers are multiplications; fast functions are one instruction.
@pytest.mark.parametrize(
    ("opcode", "form", "capability", "key", "instructions"),
    [
        ("mul.lo.s32", "", 52, "mul.lo.b32", 3),
        ("mul.lo.s32", "", 70, "mul.lo.b32", 1),
        ("mul.lo.s32", "pow2", 86, "mul.lo.b32.pow2", 1),
        ("mul.lo.s64", "", 86, "mul.lo.b64", 4),
        ("mul.wide.s32", "const", 86, "mul.wide.s32.const", 1),
        ("mad.wide.u32", "", 52, "mad.wide.u32", 9),
        ("add.s64", "", 86, "add.b64", 2),
        ("add.s64", "", 120, "add.b64", 1),
        ("max.s32", "", 86, "min.s32", 1),
        ("setp.ne.s32", "", 86, "setp.s32", 1),
        ("setp.ne.b32", "", 86, "setp.eq.b32", 1),
        ("setp.lt.u64", "", 86, "setp.u64", 2),
        ("div.rn.f32", "", 80, "div.rn.f32", 10),
        ("div.full.f32", "", 86, "div.full.f32", 8),
        ("sqrt.approx.ftz.f32", "", 86, "sqrt.approx.ftz.f32", 1),
        ("sin.approx.f32", "", 86, "sin.approx.f32", 2),
        ("ex2.approx.ftz.f32", "", 86, "ex2.approx.ftz.f32", 1),
        ("cvt.rn.f32.s32", "", 86, "cvt.f32.s32", 1),
        ("cvt.rzi.s32.f32", "", 86, "cvt.s32.f32", 1),
        ("cvt.s64.s32", "", 86, "cvt.s64.s32", 1),
        ("cvt.u32.u64", "", 86, "cvt.u32.u64", 0),
        ("ld.global.nc.v4.f32", "", 86, "ld.global.v4.b32", 1),
        ("st.shared.u8", "", 86, "st.shared.b8", 1),
        ("bar.sync", "", 70, "bar", 1),
        ("cvta.to.global.u64", "", 86, "cvta.to", 0),
    ],
)
def test_common_operations_have_their_lines(
    opcode: str, form: str, capability: int, key: str, instructions: int
) -> None:
    found = key_of(decode(opcode), form, capability)
    assert found == key
    mix = mix_of_key(key, capability)
    assert mix is not None and mix.total == instructions


# What ptxas gives a scoreboard is of the XU; what packs has none, and stands two cycles from LOP3.
@pytest.mark.parametrize(
    ("key", "capability", "pipe"),
    [
        ("cvt.f32.s32", 80, "xu"),
        ("cvt.f32.s32", 86, "alu"),
        ("cvt.f32.u16", 90, "alu"),
        ("cvt.f32.s16", 90, "xu"),
        ("cvt.s32.f32", 90, "xu"),
        ("cvt.f16.f32", 75, "xu"),
        ("cvt.f16.f32", 80, "alu"),
        ("cvt.bf16.f32", 90, "alu"),
        ("cvt.f16x2.f32", 80, "alu"),
        ("cvt.e4m3x2.f32", 90, "alu"),
        ("cvt.pack.b32", 75, "alu"),
    ],
)
def test_conversions_that_pack_are_on_the_alu(key: str, capability: int, pipe: str) -> None:
    mix = mix_of_key(key, capability)
    assert mix is not None
    assert {expansion_table().units[unit].pipe for unit, _ in mix.counts} == {pipe}


def test_a_division_costs_more_on_registers_than_by_a_number() -> None:
    for name in ("div.s32", "div.u32", "rem.s32", "div.s64"):
        for capability in (70, 86, 90):
            whole, by_number = (mix_of_key(k, capability) for k in (name, f"{name}.const"))
            assert whole is not None and by_number is not None
            assert by_number.total < whole.total or name == "div.s64"


def test_an_operation_is_unknown_before_the_chip_that_has_it() -> None:
    assert key_of(decode("cp.async.cg.shared.global"), "", 75) is None
    assert key_of(decode("cp.async.cg.shared.global"), "", 80) is not None
    assert mix_of_key("tanh.approx.f32", 75) is None


def test_chips_between_measured_ones_are_as_the_older_one() -> None:
    assert mix_of_key("mul.lo.b32", 62) == mix_of_key("mul.lo.b32", 61)
    assert mix_of_key("mul.lo.b32", 20) == mix_of_key("mul.lo.b32", OLDEST)


def test_mixes_add_up_by_unit() -> None:
    both = Mix((("add", 2), ("move", 1))) + Mix((("add", 1), ("logic", 3)))
    assert both == Mix((("add", 3), ("logic", 3), ("move", 1)))
    assert both.total == 7 and both.of("add") == 3 and both.of("sfu") == 0
    assert FREE + FREE == FREE and FREE.total == 0
