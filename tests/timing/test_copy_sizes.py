"""Copies move the bytes that an operand says, of lanes that read any; else it is unknown."""

from __future__ import annotations

import pytest

from tests.timing.hardware_kernels import simulated
from warpmill.analyzer.traces.summary import AccessSummary
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.sampled_launches import sampled_launches
from warpmill.session.traces import trace
from warpmill.simulator.machines import load_machine

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
    .shared .align 128 .b8 tile[8192];
    .shared .align 8 .b64 bar;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd1, %rd1;
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ne.u32 %p1, %r2, 0;
    mov.u32 %r3, tile;
    mov.u32 %r4, bar;
"""
BULK = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"


def launched(tmp_path, body: str, block: int = 32) -> Job:
    path = tmp_path / "k.ptx"
    path.write_text(f"{HEAD}{body}\nret;\n}}\n")
    args = ["buffer=u8:65536", "1024"]
    return prepare(path, None, LaunchOptions((2,), (block,), 0, args))


def summed(job: Job, kind: str) -> tuple[AccessSummary, ...]:
    return trace(job, TraceOptions(kind)).summary.accesses


@pytest.mark.parametrize("kind", ["static", "executed"])
@pytest.mark.parametrize("size", ["2048", "%r5"])
def test_a_bulk_copy_moves_as_many_bytes_as_a_constant_says(tmp_path, size, kind):
    """2,048 B are 64 sectors of 32 B and 16 turns of 32 banks of 4 B; one thread of each CTA."""
    body = f"mov.u32 %r5, 2048; @!%p1 {BULK} [%r3], [%rd1], {size}, [%r4];"
    read, written = summed(launched(tmp_path, body), kind)
    assert (read.turn, read.thread_executions, read.bytes_requested) == (0, 2, 2 * 2048)
    assert (read.sectors, read.lines) == (2 * 64, 2 * 16)
    assert (written.turn, written.bytes_requested, written.wavefronts) == (1, 2 * 2048, 2 * 16)


@pytest.mark.parametrize("kind", ["static", "executed"])
def test_where_an_argument_says_it_nobody_knows(tmp_path, kind):
    job = launched(tmp_path, f"@!%p1 {BULK} [%r3], [%rd1], %r1, [%r4];")
    for one in summed(job, kind):
        assert one.thread_executions == 2
        assert {one.bytes_requested, one.sectors, one.lines, one.wavefronts} == {None}
    told = f"line 16: data decide how many bytes {BULK} moves; 1 is counted"
    made = Estimator(job, trace_options=TraceOptions(kind))
    assert told in made.on(load_machine("h100_sxm")).assumptions


def test_both_engines_say_so(tmp_path):
    body = f"mov.u32 %r5, tile; mov.u32 %r6, bar; {BULK} [%r5], [%rd1], %r1, [%r6]; ret; }}"
    head = HEAD.replace(", .param .u32 n", "").replace(
        "ld.param.u32 %r1, [n];", "mov.u32 %r1, %clock;"
    )
    found = simulated(tmp_path, body, head=head, base="h100_sxm")
    assert [a for a in found.assumptions if "moves; 1 is counted" in a]


ZEROS = """
    shl.b32 %r5, %r2, 4;
    add.u32 %r3, %r3, %r5;
    cvt.u64.u32 %rd2, %r5;
    add.u64 %rd1, %rd1, %rd2;
    setp.ge.u32 %p2, %r2, 20;
    selp.u32 %r6, 0, 16, %p2;
"""


@pytest.mark.parametrize("kind", ["static", "executed"])
@pytest.mark.parametrize("limit", ["%r6", "%p2"])
def test_a_copy_reads_nothing_where_it_fills_with_zeros(tmp_path, limit, kind):
    """20 of 48 threads read 16 B each: 10 sectors; the second warp reads nothing, and writes."""
    body = f"{ZEROS} cp.async.cg.shared.global [%r3], [%rd1], 16, {limit};"
    read, written = summed(launched(tmp_path, body, 48), kind)
    assert (read.warp_executions, read.thread_executions, read.sectors) == (2, 40, 20)
    assert (written.turn, written.warp_executions, written.thread_executions) == (1, 4, 96)


def test_where_data_decide_how_much_is_read_all_of_it_is_said_to_be(tmp_path):
    body = f"{ZEROS} ld.global.u32 %r7, [%rd1]; cp.async.cg.shared.global [%r3], [%rd1], 16, %r7;"
    made = trace(launched(tmp_path, body, 48), TraceOptions("static"))
    assert made.summary.accesses[1].thread_executions == 96
    assert made.assumptions == ("line 23: data decide how much it copies; it copies all",)


@pytest.mark.slow
def test_static_traces_of_a_pipelined_matmul_read_what_is_executed():
    job = sampled_launches("matmul-async:tiny").jobs[0]
    static, executed = (
        {(a.block, a.instruction, a.turn): a for a in summed(job, kind)}
        for kind in ("static", "executed")
    )
    copies = {place: a for place, a in static.items() if place[2]}
    assert copies
    for block, instruction, _ in copies:
        for turn in (0, 1):
            place = block, instruction, turn
            assert static.get(place) == executed.get(place)
