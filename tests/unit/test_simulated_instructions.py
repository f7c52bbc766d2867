"""Which instructions of a kernel the simulator issues: as PTX has them, or as machine code does."""

import numpy as np
import pytest

from analyzer.trace.texels import texel_points
from simulator.gpu import fields as f
from simulator.gpu.simulate import Simulation
from simulator.gpu.spec import specify
from simulator.gpu.text import text_of
from simulator.machines import load_machine
from tests.reference.gpu_twin.random_launches import NUMBER, Shape, job, work
from warpmill.jobs import LaunchOptions, prepare

PTX_MACHINES = ("qv100_accelsim", "gtx480_gpgpusim", "tbpoint_fermi")
ASSEMBLED = ("tesla_k40", "p100", "v100", "a100", "h100_sxm", "mi100")


def text(machine, registers=None):
    """Give the kernel that has a block for each thing, as a machine runs it."""
    known = job(2, 2).analysis
    on = load_machine(machine)
    return text_of(known.module, known.structure, known.accesses, on, registers)


def kinds(of, block):
    """Give a block's instructions by name, each with its kind."""
    own = of.kernel.blocks[NUMBER[block]]
    return [(i.operation.opcode, of.kind((own.id, n))) for n, i in enumerate(own.instructions)]


def free(of, block):
    return [opcode for opcode, kind in kinds(of, block) if kind == f.K_FREE]


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
    assert issued[NUMBER["NOTHING"]] == 0


def test_what_loads_of_others_bring_is_not_issued():
    assert free(text("a100"), "TWICE") == ["ld.global.nc.f32", "ld.shared.f32", "ld.global.nc.f32"]
    assert free(text("tesla_k40"), "TWICE") == []  # compute capability 3.5


def test_fences_that_machine_code_does_not_have_hold_nothing_up():
    """Those of a CTA's threads are no instruction on chips of compute capability 5 and 6."""
    assert "membar.cta" in free(text("p100"), "FOLDED")
    assert ("membar.cta", f.K_FENCE) in kinds(text("v100"), "FOLDED")
    assert ("membar.gl", f.K_FENCE) in kinds(text("p100"), "FENCE")


@pytest.mark.parametrize("machine", [*PTX_MACHINES, *ASSEMBLED])
def test_what_keeps_warps_and_copies_in_step_stays(machine):
    """The wait for groups of copies is no instruction by itself on chips from 8.0 on."""
    of = text(machine)
    assert kinds(of, "COPY")[2] == ("cp.async.commit_group", f.K_COMMIT)
    assert kinds(of, "WAIT")[0] == ("cp.async.wait_group", f.K_WAIT)
    assert kinds(of, "WAIT_ALL")[0] == ("cp.async.wait_all", f.K_WAIT)
    assert kinds(of, "BARRIER")[1] == ("bar.sync", f.K_BARRIER)
    assert kinds(of, "TELL")[0] == ("bar.arrive", f.K_ARRIVE)


@pytest.mark.parametrize("machine", [*PTX_MACHINES, *ASSEMBLED])
def test_accesses_that_traces_tell_are_made(machine):
    """Also those that machine code has as operands: constants at addresses that are known."""
    of = text(machine)
    points = (*of.points, *texel_points(of.kernel))
    places = {(p.block, p.instruction) for p in points}
    assert len(places) > 40
    assert {of.kind(place) for place in places - of.merged_away} == {f.K_MEMORY}
    assert of.merged_away <= places
    assert ("ld.const.f32", f.K_MEMORY) in kinds(of, "CONSTANTS")


@pytest.mark.parametrize("machine", ["qv100_accelsim", "tesla_k40", "p100", "v100", "a100"])
def test_what_is_issued_of_blocks_is_what_is_laid_out(machine):
    """Whatever the registers, which the order depends on."""
    on = load_machine(machine)
    for registers in (16, 64):
        code = Simulation(on, [work(0, Shape(ctas=2, warps=2), registers=registers)]).compiled
        issued = code.rows.reshape(-1, f.CODE_FIELDS)[:, f.R_KIND] != f.K_FREE
        counted = np.bincount([b for _, b, _ in code.places], weights=issued)
        assert counted.tolist() == text(machine).issued_by_block().tolist()


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
    parts = known.module, known.structure, known.accesses, load_machine("a100")
    few, many, none = (text_of(*parts, registers) for registers in (8, 64, None))
    assert few.orders != many.orders
    assert none.orders == (tuple(range(len(known.structure.kernel.blocks[0].instructions))),)
    counts = [each.issued_by_block().tolist() for each in (few, many, none)]
    assert counts == [[34], [34], [34]]


@pytest.mark.parametrize(
    ("machine", "apart"),
    [("tesla_k40", 0), ("gtx980", 0), ("p100", 0), ("v100", 1), ("t4", 1), ("a100", 1),
     ("h100_sxm", 1), ("mi100", 0), ("qv100_accelsim", 0), ("gtx480_gpgpusim", 0)],
)  # fmt: skip
def test_constants_leave_the_unit_alone_from_volta_on(machine, apart):
    """Not in simulators' configurations of such chips, whose one unit has them all."""
    assert specify(load_machine(machine), 0).numbers[f.CONST_APART] == apart
