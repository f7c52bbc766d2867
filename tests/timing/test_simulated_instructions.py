"""Which instructions of a kernel the simulator issues: as PTX has them, or as machine code does."""

from dataclasses import replace

import numpy as np
import pytest

from tests.reference.gpu_twin.random_launches import NUMBER, Shape, job, work
from warpmill.analyzer.traces.event_batch import texel_points
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.assembler.program import touches_memory
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.assembler.values import FREE
from warpmill.simulator.estimate.kernel import KernelCode
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.code import compile_code, kind_of
from warpmill.simulator.gpu.simulate import Simulation
from warpmill.simulator.gpu.spec import specify
from warpmill.simulator.machines import load_machine

PTX_MACHINES = ("qv100_accelsim", "gtx480_gpgpusim", "tbpoint_fermi")
MEASURED = ("tesla_k40", "p100", "v100", "a100", "h100_sxm")
"""Machines of which it is known what an assembler makes of PTX for them."""
ASSEMBLED = (*MEASURED, "mi100")
IN_STEP = {c.KIND_BARRIER, c.KIND_ARRIVE, c.KIND_COMMIT, c.KIND_WAIT}


def text(machine, registers=None):
    """The kernel that has a block for each thing, as a machine runs it."""
    return job(2, 2).analysis.kernel_facts.program(load_machine(machine), count(registers))


def count(registers):
    """So many registers of a thread, or none."""
    return None if registers is None else RegisterCount(registers, "given", False)


def kinds(of, block):
    """A block's instructions by name, each with its kind."""
    own = of.kernel.blocks[NUMBER[block]]
    return [(i.operation.opcode, kind_of(of, (own.id, n))) for n, i in enumerate(own.instructions)]


def rows_of(of, machine):
    """Lay a kernel out: its rows, and the place of each."""
    code = compile_code([of], load_machine(machine))
    rows = code.rows
    return code, rows, [(block, index) for _, block, index in code.places]


def free(of, block):
    return [opcode for opcode, kind in kinds(of, block) if kind == c.KIND_FREE]


@pytest.mark.parametrize("machine", PTX_MACHINES)
def test_all_of_ptx_is_issued_where_machines_run_it(machine):
    found = text(machine)
    assert found.issued_by_block().tolist() == [len(b.instructions) for b in found.kernel.blocks]


def test_what_is_folded_into_its_users_is_not_issued():
    """A constant of an address, and a negation of what is and-ed; a jump to what follows."""
    of = text("a100")
    assert free(of, "FOLDED") == ["add.s64", "not.b32", "add.s64"]
    assert free(of, "NOTHING") == ["mov.b32", "bra"]
    issued = of.issued_by_block()
    assert issued[NUMBER["FOLDED"]] == len(kinds(of, "FOLDED")) - 3
    assert len(kinds(of, "NOTHING")) == 2


def test_what_loads_of_others_bring_is_not_issued():
    assert free(text("a100"), "TWICE") == ["ld.global.nc.f32", "ld.shared.f32", "ld.global.nc.f32"]
    assert free(text("tesla_k40"), "TWICE") == []  # compute capability 3.5


def test_fences_that_machine_code_does_not_have_hold_nothing_up():
    """Those of a CTA's threads are no instruction on chips of compute capability 5 and 6."""
    assert "membar.cta" in free(text("p100"), "FOLDED")
    assert ("membar.cta", c.KIND_FENCE) in kinds(text("v100"), "FOLDED")
    assert ("membar.gl", c.KIND_FENCE) in kinds(text("p100"), "FENCE")


@pytest.mark.parametrize("machine", [*PTX_MACHINES, *ASSEMBLED])
def test_what_keeps_warps_and_copies_in_step_stays(machine):
    """The wait for groups of copies is no instruction by itself on chips from 8.0 on."""
    of = text(machine)
    assert kinds(of, "COPY")[2] == ("cp.async.commit_group", c.KIND_COMMIT)
    assert kinds(of, "WAIT")[0] == ("cp.async.wait_group", c.KIND_WAIT)
    assert kinds(of, "WAIT_ALL")[0] == ("cp.async.wait_all", c.KIND_WAIT)
    assert kinds(of, "BARRIER")[1] == ("bar.sync", c.KIND_BARRIER)
    assert kinds(of, "TELL")[0] == ("bar.arrive", c.KIND_ARRIVE)


@pytest.mark.parametrize("machine", [*PTX_MACHINES, *ASSEMBLED])
def test_accesses_that_traces_tell_are_made(machine):
    """By instructions of their own, or as operands of others."""
    of = text(machine)
    points = (*of.points, *texel_points(of.kernel))
    places = {(p.block, p.instruction) for p in points}
    assert len(places) > 40
    operands = {place for place in places if of.is_operand(place)}
    assert of.merged_away | of.kept.keys() <= places
    made = places - of.merged_away - of.kept.keys()
    assert {kind_of(of, place) for place in made - operands} == {c.KIND_MEMORY}
    assert {kind_of(of, place) for place in of.kept} <= {c.KIND_ALU}
    _, rows, laid_out = rows_of(of.with_texels(), machine)
    by_place = dict(zip(laid_out, rows, strict=True))
    assert {place for place, row in by_place.items() if row["recorded"]} == made
    for place, mix in of.kept.items():
        assert by_place[place]["issue_slots"] == max(1, mix.total)
    assert bool(of.kept) == (machine in ("p100", "v100", "a100", "h100_sxm"))


@pytest.mark.parametrize("machine", [*PTX_MACHINES, *ASSEMBLED])
def test_constants_whose_places_are_known_are_operands(machine):
    of = text(machine)
    loads = [kind for opcode, kind in kinds(of, "CONSTANTS") if opcode.startswith("ld")]
    known = c.KIND_FREE if machine in MEASURED else c.KIND_MEMORY
    assert loads == [known, known, c.KIND_MEMORY]


@pytest.mark.parametrize("machine", ASSEMBLED)
def test_both_engines_leave_out_the_same(machine):
    """What makes no access, and keeps nothing in step, has no issue slot in either of them."""
    of, on = text(machine), load_machine(machine)
    code = KernelCode(of)
    issues = code.on(on).issues
    compared = {}
    for block in of.kernel.blocks:
        for n, instruction in enumerate(block.instructions):
            kind = kind_of(of, (block.id, n))
            if touches_memory(instruction) or kind in IN_STEP or n + block.id == 0:
                continue
            compared[block.id, n] = kind != c.KIND_FREE, issues[code.number[block.id, n]] > 0
    assert len(compared) > 80
    assert [place for place, (mine, theirs) in compared.items() if mine != theirs] == []


def test_what_is_measured_counts_before_what_is_free_by_its_class():
    """Special registers, moves that stay, prefetches: instructions where they were measured."""
    measured, not_measured = text("a100"), text("mi100")
    for block, opcode in (("START", "mov.u32"), ("LOADS", "prefetch.global.L1")):
        assert (opcode, c.KIND_ALU) in kinds(measured, block)
        assert (opcode, c.KIND_FREE) in kinds(not_measured, block)
    code, rows, places = rows_of(measured, "a100")
    special = rows[places.index((0, 3))]  # S2R
    assert code.pipes[special["pipe"]] == "lsu"
    prefetch = rows[places.index((NUMBER["LOADS"], 4))]  # CCTL
    assert code.pipes[prefetch["pipe"]] == "lsu"


@pytest.mark.parametrize("machine", PTX_MACHINES)
def test_a_prefetch_is_an_instruction_where_machines_run_ptx(machine):
    code, rows, places = rows_of(text(machine), machine)
    prefetch = rows[places.index((NUMBER["LOADS"], 4))]
    assert code.pipes[prefetch["pipe"]] == "alu"


# ------------------------------------------------------------------------------ bytes of code


@pytest.mark.parametrize("machine", [*PTX_MACHINES, *ASSEMBLED])
def test_what_is_not_issued_takes_no_bytes(machine):
    """Others take as many as the machine instructions that they become."""
    on = load_machine(machine)
    _, rows, _ = rows_of(text(machine), machine)
    each, line = on.integer("icache.instruction_bytes"), on.integer("icache.line_bytes")
    issued = np.where(rows["kind"] == c.KIND_FREE, 0, rows["issue_slots"])
    before = np.concatenate([[0], np.cumsum(issued)[:-1]]) * each
    assert rows["line"].tolist() == (before // line).tolist()
    assert (issued == 0).any() == (machine in ASSEMBLED)


@pytest.mark.parametrize("machine", MEASURED)
def test_what_comes_before_a_kernel_comes_with_the_first_that_is_issued(machine):
    """The first instruction, ld.param, becomes nothing, and is not executed for its own sake."""
    of = text(machine)
    without = replace(of, expansion=replace(of.expansion, entry=FREE))
    (_, rows, _), (_, before, _) = rows_of(of, machine), rows_of(without, machine)
    first = int(np.flatnonzero(rows["kind"] != c.KIND_FREE)[0])
    more = rows["issue_slots"] - before["issue_slots"]
    assert first > 0
    assert np.flatnonzero(more).tolist() == [first]
    assert more[first] == of.expansion.entry.total > 0


@pytest.mark.parametrize("machine", ["qv100_accelsim", "tesla_k40", "p100", "v100", "a100"])
def test_what_is_issued_of_blocks_is_what_is_laid_out(machine):
    """Whatever the registers, which the order depends on."""
    on = load_machine(machine)
    for registers in (16, 64):
        code = Simulation(on, [work(0, Shape(ctas=2, warps=2), registers=registers)]).compiled
        issued = code.rows["kind"] != c.KIND_FREE
        of = text(machine)
        blocks = of.heads.of[[b for _, b, _ in code.places]]
        counted = np.bincount(blocks, weights=issued, minlength=len(of.kernel.blocks))
        assert counted.tolist() == of.issued_by_block().tolist()


def test_registers_change_the_order_alone(tmp_path):
    path = tmp_path / "k.ptx"
    loads = "".join(f"ld.global.f32 %f{n}, [%rd1+{128 * n}];" for n in range(1, 17))
    sums = "".join(f"add.f32 %f0, %f0, %f{n};" for n in range(1, 17))
    path.write_text(
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
        "{ .reg .f32 %f<20>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; mov.f32 %f0, 0f00000000;"
        f"{loads} {sums} st.global.f32 [%rd1], %f0; ret; }}"
    )
    known = prepare(path, None, LaunchOptions()).analysis
    on, facts = load_machine("a100"), known.kernel_facts
    few, many, none = (facts.program(on, count(registers)) for registers in (8, 64, None))
    assert few.orders != many.orders
    whole = len(known.structure.kernel.blocks[0].instructions)
    assert none.orders == (tuple((0, index) for index in range(whole)),)
    issued = [each.issued_by_block().tolist() for each in (few, many, none)]
    assert issued == [[35], [35], [35]]  # all but ld.param


@pytest.mark.parametrize(
    ("machine", "apart"),
    [("tesla_k40", 0), ("gtx980", 0), ("p100", 0), ("v100", 1), ("t4", 1), ("a100", 1),
     ("h100_sxm", 1), ("mi100", 0), ("qv100_accelsim", 0), ("gtx480_gpgpusim", 0)],
)  # fmt: skip
def test_constants_leave_the_unit_alone_from_volta_on(machine, apart):
    """Not in simulators' configurations of such chips, whose one unit has them all."""
    assert specify(load_machine(machine), 0).const_bypasses_lsu == apart
