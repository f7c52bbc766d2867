"""Local arrays that an assembler keeps in registers: as ptxas 11.8 to 13.0 do since 5.0."""

import pytest

from tests.timing.estimated_kernels import job
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.session.estimates import Estimator
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.assembler.schedule import KeptAccess, kept_accesses
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.code import compile_code
from warpmill.simulator.machines import load_machine

DECLARED = ".local .align 16 .b8 own[{size}];"
INDEX = "mov.u32 %r1, %tid.x; mul.wide.u32 %rd9, %r1, {step}; mov.u64 %rd8, own;"
PLACE = INDEX + " add.s64 %rd9, %rd8, %rd9;"
LOAD = {4: "ld.local.f32 %f1, [%rd9];", 8: "ld.local.v2.f32 {{%f1, %f2}}, [%rd9];",
        16: "ld.local.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd9];"}  # fmt: skip
LOOP = "mov.u32 %r5, 0; L: {} add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, %r6; @%p1 bra L;"

KERNEL = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<99>;
{}
ret;
}}
"""


def kept(body):
    module = parse(Source("k.ptx", KERNEL.format(body))).module
    structure = analyse_structure(module.kernels[0])
    return kept_accesses(structure, memory_accesses(module, structure))


def loaded(size, width, *, loop=False):
    place = PLACE.format(step=width)
    load = LOAD[width].format()
    body = f"{place} {LOOP.format(load)}" if loop else f"{place} {load}"
    return list(kept(DECLARED.format(size=size) + body).values())


@pytest.mark.parametrize(
    ("width", "places", "loop"),
    [(4, 8, False), (8, 16, False), (16, 16, False), (4, 4, True), (8, 4, True), (16, 8, True)],
)
def test_few_places_are_compared_and_moved(width, places, loop):
    assert loaded(width * places, width, loop=loop) == [KeptAccess(places, places * width // 4)]
    assert loaded(width * 2 * places, width, loop=loop) == []


def test_a_place_that_is_known_is_a_register():
    body = DECLARED.format(size=256) + "mov.u64 %rd8, own; st.local.f32 [%rd8+16], %f1;"
    assert list(kept(body).values()) == [KeptAccess(0, 0)]


def test_an_index_is_compared_once():
    body = DECLARED.format(size=16) + PLACE.format(step=4)
    found = kept(body + LOAD[4].format() + "st.local.f32 [%rd9], %f1;")
    assert list(found.values()) == [KeptAccess(4, 4), KeptAccess(0, 4)]


@pytest.mark.parametrize(
    ("more", "stays"),
    [
        pytest.param("cvta.local.u64 %rd7, %rd8; st.local.u64 [%rd8+8], %rd7;", True, id="stored"),
        pytest.param("ld.param.u64 %rd6, [p]; ld.local.f32 %f1, [%rd6];", True, id="any place"),
        pytest.param("ld.local.u8 %r7, [%rd9];", False, id="another width"),
        pytest.param("cvta.local.u64 %rd7, %rd8; ld.f32 %f1, [%rd7];", False, id="seen through"),
    ],
)
def test_an_array_whose_address_goes_elsewhere_stays_in_memory(more, stays):
    body = DECLARED.format(size=16) + PLACE.format(step=4) + LOAD[4].format()
    assert (kept(body + more) == {}) is stays


@pytest.mark.parametrize(("machine", "moves"), [("v100", False), ("tesla_k40", True)])
def test_what_is_kept_moves_no_memory(tmp_path, machine, moves):
    """Kepler's assemblers leave such arrays where they are."""
    body = f"""{DECLARED.format(size=16)} ld.param.u64 %rd1, [p]; {PLACE.format(step=4)}
    st.local.f32 [%rd9], %f1; ld.local.f32 %f2, [%rd9];
    st.global.f32 [%rd1], %f2;"""
    body = body.replace("mul.wide.u32", "and.b32 %r1, %r1, 3; mul.wide.u32")
    found = Estimator(job(tmp_path, body, 480, 128, "p")).on(load_machine(machine))
    local = [t.requested_bytes for t in found.traffic if t.region == "local memory"]
    assert bool(local) is moves


def test_the_simulator_issues_what_they_become(tmp_path):
    """Eight comparisons and moves of a load; a chip of 3.5 makes an access instead."""
    place = PLACE.format(step=4)
    body = DECLARED.format(size=32) + place + LOAD[4].format()
    path = tmp_path / "k.ptx"
    path.write_text(KERNEL.format(body))
    known = prepare(
        path, None, LaunchOptions(grid="1", block="32", args=("buffer=f32:8",))
    ).analysis
    for machine, kind, issues in (("a100", c.KIND_ALU, 16), ("tesla_k40", c.KIND_MEMORY, 1)):
        on = load_machine(machine)
        text = known.kernel_facts.program(on, RegisterCount(32, "given", False))
        code = compile_code([text], on)
        (row,) = (n for n, p in enumerate(code.places) if _is_load(text.kernel, *p[1:]))
        own = code.rows[row]
        assert (own["kind"], own["issue_slots"]) == (kind, issues)


def _is_load(kernel, block, index):
    return kernel.blocks[block].instructions[index].operation.opcode == "ld.local.f32"
