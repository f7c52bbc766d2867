"""Textures and surfaces in the timing simulator: what their caches hold, and what they cost."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.reference.gpu_twin import side_by_side
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.executor.host.device import Device
from warpmill.session.applications import Application
from warpmill.session.options import TraceOptions
from warpmill.session.simulation_plans import simulated_traces
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.control import restore, save
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines import load_machine

PTX = """.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 t, .param .u64 out, .param .u32 n)
{{
    .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [t];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %laneid;
    mov.u32 %r3, 0;
    mov.f32 %f5, 0f00000000;
LOOP:
    {body}
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, %r1;
    @%p1 bra LOOP;
    mul.wide.u32 %rd3, %r2, 4;
    add.u64 %rd2, %rd2, %rd3;
    st.global.f32 [%rd2], %f5;
    ret;
}}
"""
ADDED = "add.f32 %f5, %f5, %f1;"
ROWS = f"""and.b32 %r4, %r3, 31;
    tex.2d.v4.f32.s32 {{%f1, %f2, %f3, %f4}}, [%rd1, {{%r2, %r4}}]; {ADDED}"""
COLUMNS = f"""and.b32 %r4, %r3, 3;
    tex.2d.v4.f32.s32 {{%f1, %f2, %f3, %f4}}, [%rd1, {{%r4, %r2}}]; {ADDED}"""
STORES = "shl.b32 %r4, %r2, 2; sust.b.2d.b32.trap [%rd1, {%r4, %r3}], %r3;"
TURNS = 128  # over 32 rows of 128 B, or 4 columns of 32 sectors
SETTINGS = {"l1.sector_bytes": 32, "sm.count": 1, "tex.line_bytes": 128, "tex.ways": 8}


@cache
def job_of(body, turns=TURNS, surface=False, warps=1):
    """A launch of some warps that do something in each turn with 4 KB of texels."""
    device = Device()
    texels = np.zeros((32, 32), np.float32)
    object_ = device.surface(texels) if surface else device.texture(texels)
    out = device.array(np.zeros(32, np.float32))
    kernel = device.load(PTX.format(body=body), "k.ptx")["k"]
    device.launch(kernel, 1, 32 * warps, [object_, out, turns])
    return Application("k", device.recording).job(0)


def work(job, how="executed", stream=0):
    """The launch as one to simulate."""
    parts = (job.analysis.kernel_facts, job.launch)
    return LaunchWork(
        *parts,
        RegisterCount(32, "given", False),
        lambda: trace_source(job, TraceOptions(how)),
        stream,
    )


def simulated(*works, **settings):
    """Simulate launches; gives the result."""
    machine = load_machine("gtx480_gpgpusim", SETTINGS | settings)
    simulation = Simulation(machine, works, Options())
    simulation.run()
    return result_of(simulation)


def of_textures(result):
    found = result.cache("tex")
    return found.accesses, found.misses


def test_what_fits_is_fetched_once():
    small, large = (
        simulated(work(job_of(ROWS)), **{"tex.l1_bytes": size}) for size in (1024, 32768)
    )
    sectors = TURNS * 4
    assert of_textures(large) == (sectors, 128)
    assert of_textures(small) == (sectors, sectors)  # 8 lines, least recently used, walked in a row
    assert small.cycles > 1.4 * large.cycles


def test_ports_serve_sectors():
    one, eight = (
        simulated(work(job_of(COLUMNS, 8, warps=32)), **{"tex.ports": ports, "tex.l1_bytes": 32768})
        for ports in (1, 8)
    )
    assert of_textures(one)[0] == of_textures(eight)[0] == 32 * 8 * 32
    assert of_textures(one)[1] == of_textures(eight)[1] == 32
    least = 32 * 8 * 32  # cycles of one port
    assert least < one.cycles < 2 * least
    assert eight.cycles < one.cycles - least / 2


def test_surfaces_go_the_way_of_global_memory():
    result = simulated(work(job_of(STORES, 32, surface=True)))
    assert of_textures(result) == (0, 0)
    (stores,) = [i for i in result.instructions if i.sectors and i.warp_instructions == 32]
    assert stores.sectors == 32 * 4
    assert result.cache("l2").write_accesses >= 32 * 4


def test_without_data_texels_always_hit():
    job = job_of(ROWS)
    static = simulated(work(job, "static"))
    assert of_textures(static) == (0, 0)
    assert static.cycles < simulated(work(job)).cycles


def test_launches_of_one_kernel_may_differ_but_not_at_a_time():
    job = job_of(ROWS)
    static, executed = work(job, "static"), work(job)
    both = simulated(static, executed, static, **{"tex.l1_bytes": 32768})
    assert of_textures(both) == (TURNS * 4, 128)
    alone = [simulated(w, **{"tex.l1_bytes": 32768}).cycles for w in (static, executed)]
    own = [x.cycles for x in both.launches]
    assert own[1] > 1.2 * own[0]
    assert own[2] <= own[0] <= alone[0]
    with pytest.raises(InputError, match="of which only some are executed"):
        simulated(static, replace(executed, stream=1))


def test_the_twin_counts_the_same():
    works = (work(job_of(ROWS, 40)), work(job_of(COLUMNS, 6)), work(job_of(STORES, 8, True)))
    machine = load_machine("gtx480_gpgpusim", SETTINGS | {"tex.l1_bytes": 2048})
    made = side_by_side.simulation(machine, works, Options(spans=16))
    made.run()
    engine = side_by_side.of_engine(made)
    twin = side_by_side.of_twin(side_by_side.twin_of(made), engine["bin cycles"])
    assert not side_by_side.differences(engine, twin)


def test_a_checkpoint_goes_on_as_if_nothing_had_been(tmp_path):
    works = (work(job_of(ROWS)), work(job_of(ROWS), "static"))
    machine = load_machine("gtx480_gpgpusim", SETTINGS)
    whole, first, second = (Simulation(machine, works, Options()) for _ in range(3))
    whole.run()
    first.run(until=whole.reached // 3)
    save(first, tmp_path / "state")
    restore(second, tmp_path / "state")
    second.run()
    assert result_of(second).cycles == result_of(whole).cycles
    assert of_textures(result_of(second)) == of_textures(result_of(whole)) != (0, 0)


def test_kernels_with_texels_are_executed_where_the_choice_is_free():
    job = job_of(ROWS)
    kinds = [
        simulated_traces(job, TraceOptions(how), together=False).kind for how in ("auto", "static")
    ]
    assert kinds == ["executed", "static"]
    assert trace_source(job, TraceOptions()).kind == "executed"  # estimates as well
