"""What kernels of a few lines become in machine code, by what compilers are known to do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import divergent_branches
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.simulator.assembler.expand import Expansion, expand
from warpmill.simulator.assembler.program import KernelFacts
from warpmill.simulator.assembler.values import NEWEST_ISA, PtxIsa, ptx_isa

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
HEAD = """.version 8.0
.target sm_80
.address_size 64
.const .align 4 .f32 table[4];
.visible .entry k(.param .u64 p, .param .u32 n)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<99>;
.shared .align 4 .b8 tile[4096];
"""
LOADED = """mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p]; ld.param.u32 %r9, [n];
mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
"""
"""A thread's place in the buffer, at %rd3: S2R, a register for the 4, and IMAD.WIDE."""


def kernel(body: str) -> Kernel:
    return parse(Source("k.ptx", f"{HEAD}{body}\nret;\n}}\n")).module.kernels[0]


def structure(body: str) -> Structure:
    return analyse_structure(kernel(body))


def expanded(body: str, capability: int = 86) -> Expansion:
    return expand(structure(body), capability)


def by_opcode(body: str, capability: int = 86) -> list[tuple[str, int | None]]:
    """Machine instructions of each instruction of the body, in order; None: not known."""
    made = structure(body)
    found = expand(made, capability).mixes
    return [
        (i.operation.opcode, None if mix is None else mix.total)
        for block, mixes in zip(made.kernel.blocks, found, strict=True)
        for i, mix in zip(block.instructions, mixes, strict=True)
    ]


def of(opcode: str, body: str, capability: int = 86) -> list[int | None]:
    """Machine instructions of the instructions with an opcode."""
    return [n for name, n in by_opcode(body, capability) if name == opcode]


def test_a_constant_offset_is_part_of_an_access() -> None:
    access = "add.s64 %rd4, %rd3, 16; ld.global.u32 %r2, [%rd4]; st.global.u32 [%rd4+4], %r2;"
    assert of("add.s64", LOADED + access)[1:] == [0]
    used = "add.s64 %rd4, %rd3, 16; st.global.u64 [%rd3], %rd4;"
    assert of("add.s64", LOADED + used)[1:] == [2]  # stored: a value of two words


def test_an_offset_of_an_offset_is_part_of_an_access_too() -> None:
    body = "add.s64 %rd4, %rd3, 16; add.s64 %rd5, %rd4, 8; ld.global.u32 %r2, [%rd5];"
    assert of("add.s64", LOADED + body)[1:] == [0, 0]


def test_a_widening_multiplication_and_an_addition_become_one() -> None:
    found = dict(by_opcode(LOADED + "ld.global.u32 %r2, [%rd3];"))
    assert found["mul.wide.s32"] == 0
    assert found["add.s64"] == 1 + 1  # IMAD.WIDE, and MOV as it takes one constant: the parameter
    assert found["ld.param.u64"] == 0


def test_a_product_and_a_sum_become_one_unless_the_product_is_used_again() -> None:
    once = "mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1; st.global.f32 [%rd3], %f4;"
    twice = f"{once} st.global.f32 [%rd3+4], %f3;"
    assert (of("mul.f32", LOADED + once), of("add.f32", LOADED + once)) == ([0], [1])
    assert (of("mul.f32", LOADED + twice), of("add.f32", LOADED + twice)) == ([1], [1])


def test_a_power_of_two_is_in_the_shift_before_volta_and_in_a_register_after() -> None:
    sums = of("add.s64", LOADED + "ld.global.u32 %r2, [%rd3];", 52)
    assert sums == [1 + 1 + 1]  # SHR for the high half, ISCADD with carry, IADD.X


def test_rounded_operations_stay_apart() -> None:
    body = "mul.rn.f32 %f3, %f1, %f2; add.rn.f32 %f4, %f3, %f1; st.global.f32 [%rd3], %f4;"
    assert of("mul.rn.f32", LOADED + body) == [1]


def test_one_constant_is_an_operand_and_a_second_one_is_moved() -> None:
    one = "fma.rn.f32 %f2, %f1, 0f40000000, %f3;"
    two = "fma.rn.f32 %f2, %f1, 0f40000000, 0f3F800000;"
    assert of("fma.rn.f32", one) == [1]
    assert of("fma.rn.f32", two) == [2]
    assert of("fma.rn.f32", f"{two} fma.rn.f32 %f5, %f4, 0f40000000, 0f3F800000;") == [2, 1]


def test_what_is_moved_on_one_side_of_a_branch_is_moved_on_the_other_too() -> None:
    side = "fma.rn.f32 %f{0}, %f1, 0f40000000, 0f3F800000; bar.sync 0;"
    body = f"""setp.eq.u32 %p1, %r1, 0; @%p1 bra L;
{side.format(2)} bra E;
L: {side.format(3)}
E: fma.rn.f32 %f4, %f1, 0f40000000, 0f3F800000;"""
    assert of("fma.rn.f32", body) == [2, 2, 2]


def test_a_store_takes_registers_alone_and_zero_is_one() -> None:
    for value, moves in (("7", 1), ("0", 0), ("%r9", 1)):
        assert of("st.global.u32", f"{LOADED} st.global.u32 [%rd3], {value};") == [1 + moves]


def test_a_pointer_from_the_parameters_takes_two_registers_once() -> None:
    body = "ld.param.u64 %rd1, [p]; ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1+4];"
    assert of("ld.global.u32", body) == [3, 1]
    assert of("ld.global.u32", body, 75) == [2, 1]  # ULDC.64: the access takes a uniform register


def test_constant_memory_at_a_fixed_place_is_an_operand() -> None:
    body = "ld.const.f32 %f1, [table+4]; add.f32 %f3, %f2, %f1;"
    assert dict(by_opcode(body)) == {"ld.const.f32": 0, "add.f32": 1, "ret": 1}
    indexed = "mov.u64 %rd1, table; add.s64 %rd2, %rd1, %rd9; ld.const.f32 %f1, [%rd2];"
    assert of("ld.const.f32", indexed) == [1]


def test_what_a_call_gave_is_no_operand_in_constant_memory() -> None:
    body = "{ .param .b32 r; call (r), f; ld.param.b32 %r1, [r]; } add.u32 %r2, %r1, 1;"
    declared = HEAD.replace(".visible", ".extern .func (.param .b32 r) f;\n.visible")
    (made,) = parse(Source("k.ptx", f"{declared}{body}\nret;\n}}\n")).module.kernels
    ((_, _, add, _),) = expand(analyse_structure(made), 86).mixes
    assert add is not None and add.total == 1  # no move brings the sum's other constant


def test_logic_of_three_values_is_one_instruction_and_of_four_is_two() -> None:
    chosen = "not.b32 %r4, %r1; and.b32 %r5, %r1, %r2; and.b32 %r6, %r4, %r3; or.b32 %r7, %r5, %r6;"
    assert [n for _, n in by_opcode(chosen)] == [0, 0, 0, 1, 1]
    parity = "xor.b32 %r5, %r1, %r2; xor.b32 %r6, %r5, %r3; xor.b32 %r7, %r6, %r4;"
    assert of("xor.b32", parity) == [0, 1, 1]
    assert of("xor.b32", parity, 35) == [1, 1, 1]  # Kepler has none for three


def test_a_rotation_and_a_sum_become_one() -> None:
    body = "shf.l.wrap.b32 %r2, %r1, %r1, 7; add.s32 %r4, %r2, %r3;"
    assert [n for _, n in by_opcode(body)] == [0, 1, 1]
    assert [n for _, n in by_opcode(body.replace(".l.", ".r."))] == [1, 1, 1]


def test_shared_memory_takes_a_shifted_address_from_turing_to_ada() -> None:
    body = "shl.b32 %r2, %r1, 2; ld.shared.u32 %r3, [%r2+16];"
    assert {c: of("shl.b32", body, c) for c in (70, 75, 86, 89, 90)} == {
        70: [1], 75: [0], 86: [0], 89: [0], 90: [1],
    }  # fmt: skip
    assert of("shl.b32", body.replace(", 2;", ", 5;")) == [1]


def test_addresses_of_shared_memory_are_computed_in_32_bits() -> None:
    place = """mov.u64 %rd1, tile; mul.wide.u32 %rd2, %r1, 132; add.s64 %rd3, %rd2, %rd9;
mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd3, %rd4; ld.{0}.u32 %r3, [%rd5+8];"""
    shared, far = place.format("shared"), place.format("global")
    assert of("add.s64", shared, 52) == [2, 1]  # twice XMAD; ISCADD
    assert of("add.s64", shared, 86) == [1, 1]
    assert of("add.s64", far, 52) == [10, 3]


def test_three_sums_are_one_instruction_with_one_number_among_them() -> None:
    assert of("add.s32", "add.s32 %r2, %r1, 5; add.s32 %r4, %r2, %r3;") == [0, 1]
    assert of("add.s32", "add.s32 %r2, %r1, 5; add.s32 %r4, %r2, 7;") == [1, 1]


@pytest.mark.parametrize("capability", [52, 70, 86])
def test_a_kernel_is_as_large_from_llvm_as_from_ptx(capability: int) -> None:
    totals = []
    for name in ("vecadd.ll", "vecadd.sm_80.ptx"):
        (one,) = load(SAMPLES / "vecadd" / name).module.kernels
        found = expand(analyse_structure(one), capability)
        assert not any(found.unknown)
        totals.append(sum(found.block(block.id).total for block in one.blocks))
    assert totals[0] == pytest.approx(totals[1], abs=1)


@pytest.mark.parametrize(
    ("version", "unit"), [("7.8", "convert"), ("8.8", "convert"), ("9.0", "pack")]
)
def test_a_byte_becomes_a_float_as_the_ptxas_of_its_time_does_it(version: str, unit: str) -> None:
    text = HEAD.replace(HEAD.split()[1], version, 1)
    body = "ld.global.u8 %r1, [%rd1]; cvt.u16.u32 %rs1, %r1; cvt.rn.f32.u16 %f1, %rs1;"
    module = parse(Source("k.ptx", f"{text}.reg .b16 %rs<9>; {body}\nret;\n}}\n")).module
    facts = KernelFacts(module, analyse_structure(module.kernels[0]))
    assert facts.expansion(86).block(0).mix.of(unit) == 1
    assert facts.expansion(75).block(0).mix.of("convert") == 1


@pytest.mark.parametrize(
    ("version", "isa"),
    [("7.8", (7, 8)), ("9.0", (9, 0)), ("22.1.8", NEWEST_ISA), ("", NEWEST_ISA)],
)
def test_only_ptx_has_an_isa(version: str, isa: PtxIsa) -> None:
    assert ptx_isa(version) == isa


def test_a_kernel_of_llvm_is_assembled_by_the_newest_ptxas(tmp_path: Path) -> None:
    text = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i8 %n) {
  %f = uitofp i8 %n to float
  store float %f, ptr %p
  ret void
}
"""
    (tmp_path / "k.ll").write_text(text)
    module = load(tmp_path / "k.ll").module
    facts = KernelFacts(module, analyse_structure(module.kernels[0]))
    assert facts.expansion(86).block(0).mix.of("pack") == 1


def test_a_comparison_takes_one_connection_with_another_predicate() -> None:
    body = "setp.lt.s32 %p1, %r1, %r2; and.pred %p2, %p1, %p3; or.pred %p4, %p1, %p3;"
    assert of("and.pred", body) == [0]
    assert of("or.pred", body) == [1]  # of another result of the same comparison
    assert of("and.pred", body, 52) == [0]


def test_a_loop_variable_is_computed_in_place() -> None:
    loop = """mov.u32 %r1, 0;
L: add.s32 %r2, %r1, 1; {use} mov.u32 %r1, %r2; setp.lt.s32 %p1, %r2, 9; @%p1 bra L;"""
    assert of("mov.u32", loop.format(use="")) == [1, 0]
    old_value_is_used_later = loop.format(use="st.shared.u32 [tile], %r1;")
    assert of("mov.u32", old_value_is_used_later) == [1, 1]


def test_rings_of_moves_end() -> None:
    expanded("L: mov.u32 %r1, %r2; mov.u32 %r2, %r3; mov.u32 %r3, %r1; bra L;")
    expanded("L: add.s32 %r1, %r1, 4; ld.shared.u32 %r2, [%r1]; bra L;")


COUNTER = "ld.param.u64 %rd1, [p]; atom.global.add.u32 %r2, [%rd1], 1;"


def test_lanes_that_add_to_one_place_add_up_first() -> None:
    ballot, rank, leader, result = 1, 4, 4, 2  # VOTE; S2R LOP3 POPC POPC; S2R FLO ISETP ATOM; SHFL
    pointer = 2
    used = f"{COUNTER} st.shared.u32 [tile], %r2;"
    assert of("atom.global.add.u32", used) == [ballot + rank + leader + result + pointer]
    own_place = f"{LOADED} atom.global.add.u32 %r2, [%rd3], 1; st.shared.u32 [tile], %r2;"
    assert of("atom.global.add.u32", own_place) == [1 + 1]  # and the 1 in a register


def test_an_atomic_whose_result_nobody_reads_needs_no_rank() -> None:
    ballot, number, leader, pointer = 1, 1, 4, 2
    assert of("atom.global.add.u32", COUNTER) == [ballot + number + leader + pointer]


def test_lanes_are_counted_once_for_all_that_add_the_same_at_one_place() -> None:
    again = f"{COUNTER} atom.global.add.u32 %r3, [%rd1], 1; atom.global.add.u32 %r4, [%rd1], 2;"
    assert of("atom.global.add.u32", again) == [8, 1, 6]


BRANCH = """setp.lt.s32 %p1, %r1, %r2;
@%p1 bra L;
{side}
L: st.shared.u32 [tile], %r1;"""


def test_a_small_side_of_a_branch_is_predicated() -> None:
    found = expanded(BRANCH.format(side="add.s32 %r1, %r2, %r3;"))
    assert found.branches.predicated == {1}
    assert found.branches.converted == {0}
    assert of("bra", BRANCH.format(side="add.s32 %r1, %r2, %r3;")) == [0]


@pytest.mark.parametrize("side", ["bar.sync 0;", "add.s32 %r1, %r1, %r3;\n" * 9])
def test_a_large_side_and_a_barrier_keep_their_branch_and_lanes_meet(side: str) -> None:
    body = BRANCH.format(side=side)
    assert expanded(body).branches.predicated == set()
    assert of("bra", body, 86) == [1 + 2]  # BRA, BSSY and BSYNC
    assert of("bra", body, 52) == [1 + 1]  # BRA and SSY


def test_lanes_that_do_not_part_need_not_meet() -> None:
    body = "ld.param.u32 %r2, [n]; mov.u32 %r1, 3;" + BRANCH.format(side="bar.sync 0;")
    made = structure(body)
    found = expand(made, 86, divergent_branches(made))
    assert found.branches.jumps == {0: 1}


def test_both_small_sides_are_predicated_and_the_jump_over_one_is_gone() -> None:
    body = """setp.lt.s32 %p1, %r1, %r2;
@%p1 bra L;
add.s32 %r3, %r1, 1;
bra E;
L: add.s32 %r3, %r2, 1;
E: st.shared.u32 [tile], %r3;"""
    found = expanded(body)
    assert found.branches.predicated == {1, 2}
    assert of("bra", body) == [0, 0]


def test_a_kernel_begins_with_its_stack_and_describes_global_memory() -> None:
    nothing = expanded("bar.sync 0;")
    assert nothing.entry.counts == (("move", 1),)
    with_global = f"{LOADED} ld.global.u32 %r2, [%rd3];"
    assert expanded(with_global).entry.counts == (("move", 1), ("uniform", 1))
    assert expanded(with_global, 75).entry.counts == (("move", 1),)


def test_what_is_not_known_is_named_and_not_counted() -> None:
    found = expanded("discard.global.L2 [%rd1], 128; add.s32 %r1, %r1, %r2;")
    assert found.unknown == (("discard.global.L2",),)
    assert found.block(0).unknown == ("discard.global.L2",)
    assert found.block(0).total == 1 + 1


def test_a_large_kernel_is_expanded_in_time_that_grows_with_it() -> None:
    def seconds(instructions: int) -> float:
        lines = [f"add.s32 %r{k % 90}, %r{(k + 1) % 90}, 3;" for k in range(instructions)]
        made = structure("\n".join(lines))
        expand(made, 86)
        times = []
        for _ in range(3):
            start = time.perf_counter()
            expand(made, 86)
            times.append(time.perf_counter() - start)
        return min(times)

    assert seconds(4000) < 10 * seconds(1000)
