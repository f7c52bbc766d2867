"""Operations cost what the machine instructions do that they become on a chip."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.timing.test_estimate import job, timed
from warpmill.session.estimates import estimate
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.assembler.costs import cost_table
from warpmill.simulator.assembler.program import KernelFacts
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.estimate.kernel import Compiled, KernelCode
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import capability_of

REGISTERS = RegisterCount(32, "given", False)


def facts(folder: Path, body: str, params: str = "p") -> KernelFacts:
    return job(folder, body, 1, 32, params).analysis.kernel_facts


def compiled(of: KernelFacts, machine: str) -> tuple[KernelCode, Compiled]:
    on = load_machine(machine)
    code = KernelCode(of.program(on, REGISTERS))
    return code, code.on(on)


def costs_of(of: KernelFacts, name: str, machine: str) -> list[dict[str, float]]:
    """Issues, cycles by pipe and latency of each instruction of a name, in order of the text."""
    code, found = compiled(of, machine)
    pipes = cost_table().pipes
    costs = []
    for block in of.kernel.blocks:
        for index, instruction in enumerate(block.instructions):
            if instruction.operation.name != name:
                continue
            i = code.number[block.id, index]
            cost = {"issues": float(found.issues[i]), "latency": float(found.code.latency[i])}
            for pipe, cycles in (
                (found.code.pipe[i], found.code.pipe_cycles[i]),
                (found.code.second[i], found.code.second_cycles[i]),
            ):
                if pipe >= 0:
                    cost[pipes[pipe]] = float(cycles)
            costs.append(cost)
    return costs


SUM = "ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, %r1; st.global.u32 [%rd1], %r2;"
LOAD = "ld.param.u64 %rd1, [p];"


def test_simple_integers_take_turns_on_two_pipes_since_volta(tmp_path: Path) -> None:
    """A pipe takes two cycles for a warp's addition, of which each has every second one."""
    of = facts(tmp_path, LOAD + SUM)
    assert costs_of(of, "add", "v100") == [{"issues": 1, "latency": 4, "alu": 1, "fma": 1}]
    assert costs_of(of, "add", "gtx980") == [{"issues": 1, "latency": 6, "alu": 1}]


def test_a_division_is_a_sequence_with_its_own_latency(tmp_path: Path) -> None:
    """sm_70: 21 instructions around a reciprocal; their latency is the machine's for all of it."""
    of = facts(tmp_path, LOAD + SUM.replace("add.s32 %r2, %r1, %r1", "div.s32 %r2, %r1, %r3"))
    (cost,) = costs_of(of, "div", "v100")
    assert cost["issues"] > 15
    assert cost["latency"] == float(load_machine("v100").number("latency.int_div"))


def test_a_division_by_a_number_is_a_chain_of_simple_instructions(tmp_path: Path) -> None:
    of = facts(tmp_path, LOAD + SUM.replace("add.s32 %r2, %r1, %r1", "div.s32 %r2, %r1, 7"))
    (cost,) = costs_of(of, "div", "v100")
    machine = load_machine("v100")
    assert 4 <= cost["issues"] <= 12
    assert 4 * cost["issues"] <= cost["latency"] <= 5 * cost["issues"]  # add and multiply: 4, 5
    assert cost["latency"] < float(machine.number("latency.int_div"))


def test_constants_at_a_fixed_place_are_operands(tmp_path: Path) -> None:
    """Neither issued nor waited for: the constant cache has them when the sum is issued.

    sm_70: two instructions before the first; one each for the thread's number, the sum and the end,
    and three for the store, whose pointer takes two moves.
    """
    file = tmp_path / "k.ptx"
    file.write_text(""".version 8.0
.target sm_80
.address_size 64
.const .align 4 .b8 table[64];
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x;
ld.const.u32 %r1, [table+4]; add.s32 %r2, %r3, %r1; st.global.u32 [%rd1], %r2;
ret;
}
""")
    made = prepare(file, None, LaunchOptions((1,), (32,), 0, ["buffer=f32:64"]))
    result = estimate(made, "v100")
    assert result.warp_instructions == 2 + 1 + 1 + 1 + 3
    waits = {w.reason: w.fraction for w in result.stalls}
    assert waits["Stall IMC Miss"] == 0


@pytest.mark.parametrize("lanes", [0, 5, 32])
def test_instructions_under_a_predicate_are_issued_whichever_way_lanes_go(
    tmp_path: Path, lanes: int
) -> None:
    def instructions(first: int) -> float:
        body = f"""mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, {first};
add.s32 %r4, %r1, 1; @%p1 bra skip; add.s32 %r4, %r1, %r1; skip: st.shared.u32 [tile], %r4;"""
        return timed(job(tmp_path, body, 1, 32), "v100").warp_instructions

    assert instructions(lanes) == instructions(7)


def test_a_machine_without_a_compute_capability_takes_the_table_of_costs(tmp_path: Path) -> None:
    machine = load_machine("mi100")
    assert capability_of(machine) is None
    of = facts(tmp_path, LOAD + SUM)
    (_, measured), (_, table) = compiled(of, "v100"), compiled(of, "mi100")
    assert measured.issues.sum() != table.issues.sum()


def test_merged_loads_are_issued_once_and_all_come_then(tmp_path: Path) -> None:
    row = "\n".join(f"ld.shared.f32 %f{k}, [%r2+{4 * k}];" for k in range(4))
    body = (
        f"mov.u32 %r1, %tid.x; mov.u32 %r3, tile; shl.b32 %r4, %r1, 4; add.s32 %r2, %r3, %r4;{row}"
    )
    one = facts(tmp_path, body, "")
    program = one.program(load_machine("v100"))
    assert [len(load.others) for load in program.merged] == [3]
    issues = [c["issues"] for c in costs_of(one, "ld", "v100")]
    assert sum(issues) == 1
    assert sum(c["issues"] for c in costs_of(one, "ld", "tesla_k40")) == 4  # not before 5.2


def test_several_machines_share_what_does_not_depend_on_them(tmp_path: Path) -> None:
    of, on = facts(tmp_path, LOAD + SUM), load_machine("v100")
    code = KernelCode(of.program(on, REGISTERS))
    assert of.program(load_machine("titan_v"), REGISTERS) is code.program
    first, again = (code.on(on) for _ in range(2))
    (_, other) = compiled(of, "gtx980")
    assert np.array_equal(first.issues, again.issues)
    assert not np.array_equal(first.code.latency, other.code.latency)
