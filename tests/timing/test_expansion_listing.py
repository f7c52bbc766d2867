"""Machine listings: what is read of them, the path that ordinary operands take, and the body."""

from __future__ import annotations

import tomllib

import pytest

from tests.reference.expansion_counts import ROOT, tool

LISTING = tool("machine_listing")
MEASURE = tool("measure_expansion")

DIVISION = """
.text.divide:
	//## File ".nv_debug_ptx_txt", line 9
        /*0000*/                   MUFU.RCP R2, R1 ;
	//## File ".nv_debug_ptx_txt", line 10
        /*0010*/                   FCHK P0, R0, R1 ;
        /*0020*/                   FFMA R3, R0, R2, RZ ;
        /*0030*/              @!P0 BRA `(.L_x_1) ;
        /*0040*/                   MOV R4, 0x70 ;
        /*0050*/                   CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div) ;
.L_x_1:
	//## File ".nv_debug_ptx_txt", line 12
        /*0060*/         {         STG.E [R6.64], R3 ;
        /*0070*/                   EXIT }
.L_x_2:
        /*0080*/                   BRA `(.L_x_2) ;
        /*0090*/                   NOP ;
$__internal_0_$__cuda_sm3x_div:
        /*00a0*/                   MOV R3, RZ ;
        /*00b0*/                   RET.REL.NODEC R4 `(divide) ;
	.section	.text.other
"""


def names(code: object) -> list[str]:
    return [instruction.name for instruction in code]  # type: ignore[attr-defined]


def test_instructions_come_with_line_guard_and_target() -> None:
    code = LISTING.read_listing(DIVISION)["divide"].instructions
    assert [i.line for i in code[:4]] == [9, 10, 10, 10]
    assert (code[3].guard, code[3].opcode, code[3].target) == ("!P0", "BRA", ".L_x_1")
    assert (code[6].text, code[7].text) == ("STG.E [R6.64], R3", "EXIT")
    assert len(code) == 12


def test_the_usual_path_goes_around_calls() -> None:
    path = LISTING.usual_path(LISTING.read_listing(DIVISION)["divide"])
    assert names(path) == ["MUFU", "FCHK", "FFMA", "BRA", "STG", "EXIT"]


def test_the_usual_path_follows_a_call_that_no_way_avoids() -> None:
    always = DIVISION.replace("@!P0 BRA `(.L_x_1)", "     NOP")
    path = LISTING.usual_path(LISTING.read_listing(always)["divide"])
    assert names(path)[4:] == ["MOV", "CALL", "MOV", "RET", "STG", "EXIT"]


def test_a_body_has_neither_slow_paths_nor_padding() -> None:
    body = LISTING.usual_body(LISTING.read_listing(DIVISION)["divide"])
    assert names(body) == ["MUFU", "FCHK", "FFMA", "BRA", "STG", "EXIT"]


def test_a_function_without_an_exit_is_an_error() -> None:
    endless = ".text.f:\n.L_1:\n        /*0000*/                   BRA `(.L_1) ;\n"
    with pytest.raises(ValueError, match="no way to an exit"):
        LISTING.usual_path(LISTING.read_listing(endless)["f"])


@pytest.mark.parametrize(
    ("opcode", "unit"),
    [
        ("IMAD.WIDE.U32", "multiply"),
        ("IMAD.MOV.U32", "move"),
        ("F2F.F32.F64", "convert64"),
        ("F2I.FTZ.TRUNC.NTZ", "convert"),
        ("LDG.E.64.CONSTANT", "memory"),
    ],
)
def test_a_machine_instruction_is_of_the_unit_of_its_longest_name(opcode: str, unit: str) -> None:
    instruction = LISTING.MachineInstruction(None, 0, f"{opcode} R0, R1", "")
    assert MEASURE.unit_of(instruction) == unit


def test_an_instruction_of_no_unit_is_an_error() -> None:
    with pytest.raises(KeyError):
        MEASURE.unit_of(LISTING.MachineInstruction(None, 0, "FROB R0", ""))


def test_every_form_has_a_line_unless_it_only_shows_operands() -> None:
    table = tomllib.loads(MEASURE.TABLE.read_text(encoding="utf-8"))["expansions"]
    assert {form.key for form in MEASURE.forms() if not form.is_whole} <= table.keys()


def test_writing_the_table_keeps_chips_that_were_not_measured() -> None:
    table = '[units]\n[expansions]\n"a" = { sm_35 = "add 1" }\n"b" = { sm_35 = "add 2" }\n'
    rules = '\n[[folds]]\nof = "a"\n'
    measured = {"a": {70: "move 1", 75: "move 1"}, "c": {80: "sfu 1"}}
    told = tomllib.loads(MEASURE.renewed(table + rules, measured))
    assert told["expansions"]["a"] == {"sm_35": "add 1", "sm_70": "move 1", "sm_80": "add 1"}
    assert told["expansions"]["b"] == {"sm_35": "add 2"}
    assert told["expansions"]["c"] == {"sm_80": "sfu 1"}
    assert told["folds"] == [{"of": "a"}]


def test_a_measured_kernel_has_the_operation_on_lines_of_its_own() -> None:
    form = MEASURE.Form("add.b32", "add.s32 d:b32, a:b32, b:b32", 35, False, 3)
    text, first = MEASURE.kernel_text("k", form, with_operation=True)
    lines = text.split("\n")
    assert lines[first : first + 3] == [f"add.s32 %d_{i}, %a_{i}, %b_{i};" for i in range(3)]
    without, _ = MEASURE.kernel_text("k", form, with_operation=False)
    assert "add.s32" not in without and len(without.split("\n")) == len(lines) + 3


def test_tools_are_beside_the_project() -> None:
    assert MEASURE.TABLE.is_relative_to(ROOT)
