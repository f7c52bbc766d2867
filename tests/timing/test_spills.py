"""Spills: what a thread reads is in its registers, these are never too many, traces have them."""

from __future__ import annotations

import random
import shutil
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.timing.estimated_kernels import job
from warpmill.analyzer.analyses.liveness import liveness, members
from warpmill.analyzer.ir.types import Place, Space
from warpmill.analyzer.traces.unfolding import Unfolder
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import RegisterSources
from warpmill.session.simulation_plans import plan
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.program import MachineProgram
from warpmill.simulator.assembler.registers import RESERVED, RegisterCount, Spilled
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import Simulation
from warpmill.simulator.machines import load_machine

VALUES = 24


def many_alive(loops: int = 0) -> str:
    """Loads that all are alive at once, and sums of them in an order of their own."""
    lines = ["ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;"]
    lines.append("add.s64 %rd1, %rd1, %rd2;")
    lines += [f"ld.global.f32 %f{k}, [%rd1+{128 * k}];" for k in range(VALUES)]
    lines.append("mov.f32 %f40, 0f00000000; mov.u32 %r9, 0;")
    if loops:
        lines.append("again:")
    order = random.Random(1).sample(range(VALUES), VALUES)
    lines += [f"fma.rn.f32 %f40, %f{k}, %f{k}, %f40;" for k in order * 2]
    if loops:
        lines.append(f"add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, {loops}; @%p1 bra again;")
    lines.append("st.global.f32 [%rd1], %f40;")
    return "\n".join(lines)


def program_of(made: Job, registers: int) -> MachineProgram:
    count = RegisterCount(registers, "given", False, Spilled("given"))
    return made.analysis.kernel_facts.program(load_machine("a100"), count)


class Line(NamedTuple):
    reads: tuple[int, ...]
    writes: tuple[int, ...]


def code_lines(made: Job, program: MachineProgram) -> list[list[Line]]:
    """What each instruction of the program reads and writes, block by block, in its order."""
    structure = made.analysis.structure
    known = {id(x.instruction): x for block in structure.view.lines for x in block}

    def line(place: Place) -> Line:
        instruction = program.instruction(place)
        if program.spills is not None and place in program.spills.owners:
            return Line(instruction.reads, instruction.writes)
        own = known.get(id(instruction))
        return Line(own.reads, own.writes) if own else Line((), ())

    return [[line(place) for place in order] for order in program.orders]


def most_held(made: Job, program: MachineProgram) -> int:
    """The most registers that hold values at once: a value that is loaded again need not be there.

    By liveness of the code with its spills, of which the spiller knows nothing.
    """
    lines, structure = code_lines(made, program), made.analysis.structure
    weights = structure.view.weights
    live = liveness(lines, structure.view.copies, structure.cfg)
    most = 0
    for block, own in enumerate(lines):
        held = set(members(live.at_end[block]))
        for line in reversed(own):
            behind = held | set(line.writes)
            held = (held - set(line.writes)) | set(line.reads)
            most = max(most, *(sum(weights[r] for r in one) for one in (behind, held)))
    return most


@pytest.mark.parametrize("loops", [0, 5])
@pytest.mark.parametrize("registers", [12, 16, 20, 28])
def test_values_are_there_where_they_are_read_within_the_registers(
    tmp_path: Path, registers: int, loops: int
) -> None:
    made = job(tmp_path, many_alive(loops), 1, 32, "p")
    program = program_of(made, registers)
    assert program.spills is not None and program.spills.store_bytes
    assert most_held(made, program) <= registers - RESERVED
    few = program_of(made, 12).spills
    assert few is not None
    assert few.load_bytes >= program.spills.load_bytes


@pytest.mark.parametrize("loops", [0, 5])
def test_each_value_is_stored_where_it_is_made_in_a_place_of_its_own(
    tmp_path: Path, loops: int
) -> None:
    program = program_of(job(tmp_path, many_alive(loops), 1, 32, "p"), 12)
    spills = program.spills
    assert spills is not None
    places: dict[int, set[int]] = {}
    for (block, index), offset in zip(spills.owners, spills.offsets, strict=True):
        instruction = program.instruction((block, index))
        places.setdefault((*instruction.reads, *instruction.writes)[0], set()).add(offset)
    assert {len(own) for own in places.values()} == {1}
    assert len(set().union(*places.values())) == len(places)
    for order in program.orders:
        for place, after in pairwise(order):
            made = set(program.instruction(place).writes) & places.keys()
            if made and place not in spills.owners:
                assert spills.owners[after] == place
                assert made == set(program.instruction(after).reads)
    assert {point.space for point in spills.points} == {Space.LOCAL}


def test_registers_that_suffice_spill_nothing(tmp_path: Path) -> None:
    program = program_of(job(tmp_path, many_alive(), 1, 32, "p"), 64)
    assert program.spills is not None
    assert program.spills.points == ()
    count = RegisterCount(64, "given", False, Spilled("given"))
    assert program.told(count).spilled is None


def test_spills_of_machines_that_issue_ptx_are_said_not_to_be_timed(tmp_path: Path) -> None:
    facts = job(tmp_path, many_alive(), 1, 32, "p").analysis.kernel_facts
    count = RegisterCount(12, "given", False, Spilled("given"))
    told = facts.program(load_machine("gtx480_gpgpusim"), count).told(count).spilled
    assert told is not None
    assert "not timed" in told.sentence


def test_traces_have_spills_behind_the_other_accesses_of_each_event(tmp_path: Path) -> None:
    made = job(tmp_path, many_alive(3), 2, 64, "p")
    program = program_of(made, 12)
    spills = program.spills
    assert spills is not None
    unfolder = Unfolder(trace_source(made), grid=(2, 1, 1), warp_size=32, max_events=1 << 20,
                        accesses=made.analysis.accesses)  # fmt: skip
    (batch,) = unfolder.batches(((0, 0, 0), (1, 0, 0)))
    traced = spills.traced(batch)
    for event, block in enumerate(batch.block.tolist()):
        own, more = (slice(*b.event_accesses[event : event + 2]) for b in (batch, traced))
        points = traced.access_point[more]
        count = len(batch.access_point[own])
        assert points[:count].tolist() == batch.access_point[own].tolist()
        names = [traced.tables.points[p] for p in points[count:]]
        assert names == [p for p in spills.points if p.block == block]
        assert (traced.access_mask[more][count:] == batch.mask[event]).all()
    assert np.diff(traced.event_accesses).sum() == len(traced.access_point)


@pytest.mark.parametrize("engine", ["estimate", "simulate"])
def test_spills_take_time_and_are_told(tmp_path: Path, engine: str) -> None:
    made = job(tmp_path, many_alive(50), 400, 256, "p")

    def timed(registers: int) -> tuple[float, RegisterCount]:
        on, sources = load_machine("a100"), RegisterSources(registers)
        if engine == "estimate":
            found = Estimator(made, registers=sources).on(on)
            return found.execution_us, found.registers
        one = plan(made, on, registers=sources)
        running = Simulation(on, one.works)
        running.run()
        result = result_of(running)
        return result.time_us, result.launches[0].registers

    (few, told), (many, none) = timed(16), timed(48)
    assert few > 1.2 * many
    assert none.spilled is None
    assert told.spilled is not None
    assert told.spilled.is_modelled
    assert "--regs 16" in told.spilled.sentence
    assert told.spilled.load_bytes and told.spilled.store_bytes


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="there is no ptxas here")
def test_bytes_are_those_of_ptxas_where_it_tells_them(tmp_path: Path) -> None:
    made = job(tmp_path, many_alive(), 1, 32, "p")
    for told in (40, 120, 300):
        count = RegisterCount(24, "ptxas", False, Spilled("ptxas", told // 2, told // 2))
        program = made.analysis.kernel_facts.program(load_machine("a100"), count)
        assert program.spills is not None
        moved = program.spills.store_bytes + program.spills.load_bytes
        assert moved == pytest.approx(told, rel=0.35)
