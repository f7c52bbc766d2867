"""Kernels and launches that ``small_result`` may be the result of, so that it can be reported."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.timing.simulation_results import NAMES, STREAMS, small_result
from warpmill.session.options import LaunchOptions, RegisterSources
from warpmill.session.prepare import prepare
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import Simulated
from warpmill.simulator.gpu.instruction_result import InstructionResult
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.result import throughputs
from warpmill.simulator.machines import load_machine
from warpmill.simulator.resources import SIMULATED_STATES

PTX = """.version 7.8
.target sm_80
.address_size 64
.func (.param .f32 out) _Z6doublef(.param .f32 in)
{
    .reg .f32 %f<3>;
    ld.param.f32 %f1, [in];
    add.f32 %f2, %f1, %f1;
    st.param.f32 [out], %f2;
    ret;
}
.visible .entry _Z5scalePfif(.param .u64 p, .param .u32 n)
{
    .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .f32 %f<2>;
    setp.eq.s32 %p1, 0, 0;
    @%p1 bra LOAD;
LOAD:
    ld.global.f32 %f1, [1024];
    ret;
}
.visible .entry sum(.param .u64 p)
{
    .reg .f32 %f<5>;
    mov.f32 %f1, 0f3F800000;
    { .param .f32 a; .param .f32 b; st.param.f32 [a], %f1;
      call (b), _Z6doublef, (a); ld.param.f32 %f2, [b]; }
    { .param .f32 a; .param .f32 b; st.param.f32 [a], %f2;
      call (b), _Z6doublef, (a); ld.param.f32 %f3, [b]; }
    ret;
}
"""

ARGUMENTS = {NAMES[0]: ("buffer=f32:1024", "4"), NAMES[1]: ("buffer=f32:1024",)}
GRIDS = (4, 1, 2)


@cache
def _file():
    path = Path(mkdtemp()) / "kernels.ptx"
    path.write_text(PTX)
    return path


@cache
def jobs():
    """The launches that the result is of, as jobs."""
    return tuple(
        prepare(_file(), name, LaunchOptions(grid=str(grid), block="64", args=ARGUMENTS[name]))
        for name, grid in zip(NAMES, GRIDS, strict=True)
    )


@cache
def small_plan(isa="ptx", **options):
    """The plan of the result's launches, on two SMs."""
    machine = load_machine("v100", {"sm.count": 2, "clock.sm_mhz": 800.0, "front_end.isa": isa})
    made = plan(jobs(), machine, registers=RegisterSources(16), options=Options(**options))
    works = zip(made.works, STREAMS, strict=True)
    streams = tuple(replace(work, stream=stream) for work, stream in works)
    return replace(made, works=streams, order="in 2 streams, as recorded")


def simulated(options=None, **changes):
    """The plan with the result; ``changes`` are fields of it to have another value."""
    made, result = small_plan(**(options or {})), small_result(**changes)
    return Simulated(made, replace(result, throughputs=throughputs(result, made.machine)))


def instruction(block, place, kernel=1, **stalls):
    """What an instruction did, from its cycles by reason; that of ``sum`` without a kernel."""
    counts = tuple(stalls.get(reason, 0) for reason in SIMULATED_STATES)
    return InstructionResult(
        kernel, block, place, counts[0], 0, 0, counts, 0, 0, 0, 0, 0, (0,) * 48
    )
