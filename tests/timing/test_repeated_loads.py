"""Loads of the same bytes that an assembler makes once: as ptxas 11.8 does for sm_86."""

import pytest

from tests.timing.estimated_kernels import job
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.session.estimates import Estimator
from warpmill.session.options import RegisterSources
from warpmill.simulator.assembler.merged_loads import RepeatedLoad, repeated_loads
from warpmill.simulator.machines import load_machine

KERNEL = """.version 7.0
.target sm_86
.address_size 64
.visible .entry k(.param .u64 data)
{{
    .reg .b32 %r<20>; .reg .f32 %f<40>; .reg .b64 %rd<20>; .reg .pred %p<4>;
    ld.param.u64 %rd1, [data]; cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;
    mul.lo.s32 %r3, %r2, 100; add.s32 %r3, %r3, %r1; mul.wide.s32 %rd2, %r3, 4;
    add.s64 %rd3, %rd1, %rd2;
    add.s32 %r4, %r2, 2; mad.lo.s32 %r5, %r4, 100, %r1; mul.wide.s32 %rd4, %r5, 4;
    add.s64 %rd5, %rd1, %rd4;
    setp.eq.s32 %p1, %r1, 0;
    {}
    ret;
}}
"""
NC, PLAIN, VOLATILE = "ld.global.nc.f32", "ld.global.f32", "ld.volatile.global.f32"
TWICE = f"{NC} %f1, [%rd3+800]; {NC} %f2, [%rd5]; {NC} %f3, [%rd5+4]; {NC} %f4, [%rd3+804];"
"""Row y + 2 from row y and by itself: two words, each twice."""


def repeated(body):
    module = parse(Source("k.ptx", KERNEL.format(body))).module
    structure = analyse_structure(module.kernels[0])
    return repeated_loads(structure, memory_accesses(module, structure))


@pytest.mark.parametrize("kind", [NC, PLAIN])
def test_the_first_stands_for_the_others(kind):
    first = repeated(f"{kind} %f1, [%rd3];")
    assert first == ()
    found = repeated(TWICE.replace(NC, kind))
    begin = found[0].first[1]
    assert found == (
        RepeatedLoad((0, begin), ((0, begin + 1),)),
        RepeatedLoad((0, begin + 2), ((0, begin + 3),)),
    )


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{PLAIN} %f1, [%rd3]; st.global.f32 [%rd5], %f1; {PLAIN} %f2, [%rd3];",
                     id="with a store between"),
        pytest.param(f"{PLAIN} %f1, [%rd3]; st.shared.f32 [0], %f1; {PLAIN} %f2, [%rd3];",
                     id="with a store to shared memory between"),
        pytest.param(f"{PLAIN} %f1, [%rd3]; bar.sync 0; {PLAIN} %f2, [%rd3];",
                     id="with a barrier between"),
        pytest.param(f"{PLAIN} %f1, [%rd3]; red.global.add.f32 [%rd5], %f1; {PLAIN} %f2, [%rd3];",
                     id="with an atomic between"),
        pytest.param(TWICE.replace(NC, VOLATILE), id="that are volatile"),
        pytest.param(f"@%p1 {NC} %f1, [%rd3]; {NC} %f2, [%rd3];", id="under a guard"),
        pytest.param(f"{NC} %f1, [%rd3]; ld.global.nc.u8 %r9, [%rd3];", id="of other widths"),
        pytest.param(f"{NC} %f1, [%rd3]; {NC} %f2, [%rd3+4];", id="of other words"),
        pytest.param(f"{NC} %f1, [%rd3]; bar.sync 0; @%p1 bra E; {NC} %f2, [%rd3]; E:",
                     id="in other blocks"),
    ],
)  # fmt: skip
def test_loads_that_stay(body):
    assert repeated(body) == ()


def test_a_store_leaves_memory_that_nobody_writes_as_it_is():
    found = repeated(f"{NC} %f1, [%rd3]; st.global.f32 [%rd5], %f1; bar.sync 0; {NC} %f2, [%rd3];")
    assert [len(load.others) for load in found] == [1]


def test_loads_are_one_on_each_side_of_a_store():
    twice = f"{PLAIN} %f1, [%rd3]; {PLAIN} %f2, [%rd3];"
    found = repeated(f"{twice} st.global.f32 [%rd5], %f1; {twice}")
    assert [load.others[0][1] - load.first[1] for load in found] == [1, 1]


def test_what_is_loaded_once_holds_the_units_once(tmp_path):
    """Sixteen loads a thread of one word, or of sixteen: of the first kind one is left."""
    place = """ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2; mov.f32 %f40, 0f00000000;"""
    machine = load_machine("rtx_a4000")

    def estimated(kind, step):
        loads = "".join(f"{kind} %f{n}, [%rd1+{n * step}];" for n in range(16))
        sums = "".join(f"add.f32 %f40, %f40, %f{n};" for n in range(16))
        subject = job(
            tmp_path, f"{place} {loads} {sums} st.global.f32 [%rd1], %f40;", 4800, 256, "p"
        )
        return Estimator(subject, registers=RegisterSources(32)).on(machine)

    same, plain = estimated(NC, 0), estimated(VOLATILE, 0)
    assert plain.warp_instructions - same.warp_instructions == pytest.approx(15 * 4800 * 8)
    busy = [{u.resource: u.fraction for u in one.utilization} for one in (same, plain)]
    held = [
        u["load-store unit"] * e.wave_cycles / e.wave_ctas
        for u, e in zip(busy, (same, plain), strict=True)
    ]
    assert held[1] / held[0] == pytest.approx(17 / 2, rel=0.05), "a load and a store"


def test_what_is_loaded_once_is_there_for_all_that_use_it(tmp_path):
    """Sixteen loads take no longer than one that is used as often, where registers are few."""
    place = """ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2; mov.f32 %f40, 0f00000000;"""

    def cycles(number):
        rounds = "".join(
            f"{NC} %f{n % number}, [%rd1]; fma.rn.f32 %f40, %f40, %f40, %f{n % number};"
            if n < number
            else f"fma.rn.f32 %f40, %f40, %f40, %f{n % number};"
            for n in range(16)
        )
        subject = job(tmp_path, f"{place} {rounds} st.global.f32 [%rd1], %f40;", 480, 64, "p")
        return Estimator(subject, registers=RegisterSources(12)).on(load_machine("v100")).cycles

    assert cycles(16) == pytest.approx(cycles(1), rel=0.02)
