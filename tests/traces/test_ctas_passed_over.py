"""CTAs before a chosen one run where their results may be seen, and are passed over where not."""

import json

import numpy as np
import pytest

from tests.traces.test_executed_traces import of, tracer
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.cli.main import main

HEAD = """.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 index, .param .u64 y)
{
.reg .b32 %r<20>; .reg .b64 %rd<20>;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [index]; ld.param.u64 %rd3, [y];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
mad.lo.s32 %r4, %r2, %r3, %r1;
mul.wide.s32 %rd4, %r4, 4;
add.s64 %rd5, %rd2, %rd4; add.s64 %rd6, %rd3, %rd4;
"""
GATHER = """ld.global.u32 %r5, [%rd5]; mul.wide.s32 %rd7, %r5, 4; add.s64 %rd8, %rd1, %rd7;
ld.global.u32 %r6, [%rd8]; st.global.u32 [%rd6], %r6; ret; }"""
"""y[i] = x[index[i]]: data tell what is loaded, not what is stored."""
SCATTER = """ld.global.u32 %r5, [%rd5]; mul.wide.s32 %rd7, %r5, 4; add.s64 %rd8, %rd3, %rd7;
ld.global.u32 %r6, [%rd1]; st.global.u32 [%rd8], %r6; ret; }"""
"""y[index[i]] = x[0]"""
CHAIN = """add.s32 %r7, %r4, -32; max.s32 %r7, %r7, 0; mul.wide.s32 %rd7, %r7, 4;
add.s64 %rd8, %rd3, %rd7; ld.global.u32 %r6, [%rd8]; add.s32 %r6, %r6, 1;
st.global.u32 [%rd6], %r6; ret; }"""
"""y[i] = y[i - 32] + 1: each CTA sees what the one before has stored."""
SAME = """ld.global.u32 %r6, [%rd5]; mul.wide.u32 %rd7, %r1, 4; add.s64 %rd8, %rd3, %rd7;
st.global.u32 [%rd8], %r6; ret; }"""
"""y[threadIdx.x] = index[i]: all CTAs write the same bytes, and none reads them."""
CTAS, THREADS = 8, 32
WORDS = CTAS * THREADS


def traced(body, index):
    """A tracer of a launch of 8 CTAs of a warp."""
    module = parse(Source("k.ptx", HEAD + body)).module
    numbers = np.arange(WORDS, dtype=np.uint32)
    buffers = {"x": numbers * 3, "index": index, "y": np.zeros(WORDS, np.uint32)}
    return tracer(module.kernels[0], 32, (CTAS, 1, 1), (THREADS, 1, 1), buffers, module=module)


def executed_before(made, cta):
    """How many CTAs run for the events of one; and these are those of a run in order."""
    alone = of(made.batches([cta]))
    ran = made._ran
    made.restore()
    assert alone == {k: v for k, v in of(made.batches(range(CTAS))).items() if k[0] == cta}
    return ran


ANYWHERE = np.random.default_rng(3).integers(0, WORDS, WORDS).astype(np.uint32)


@pytest.mark.parametrize("cta", [0, 3, CTAS - 1])
def test_loads_at_places_that_data_tell_need_no_cta_before(cta):
    assert executed_before(traced(GATHER, ANYWHERE), cta) == 1


def test_bytes_that_many_ctas_write_and_none_reads_need_no_cta_before():
    assert executed_before(traced(SAME, ANYWHERE), 5) == 1


@pytest.mark.parametrize(("body", "reads"), [(SAME, False), (CHAIN, True)])
def test_of_the_largest_grid_no_more_runs_than_is_asked_for_or_a_limit_says_why(
    body, reads, tmp_path, capsys
):
    """Indices of 32 bits wrap in such a grid, so that many CTAs write the same bytes."""
    guard = "setp.ge.u32 %p1, %r4, 64; @%p1 ret;\n"
    kernel = HEAD.replace("{\n", "{\n.reg .pred %p<2>;\n", 1) + guard + body
    (tmp_path / "k.ptx").write_text(kernel)
    launch = f"--grid {2**31 - 1} --block 32 --trace executed --max-instructions 1000000".split()
    words = ["trace", str(tmp_path / "k.ptx"), *launch, *["--arg", "buffer=u32:64"] * 3]
    code = main([*words, "--ctas", "3", "--format", "json"])
    out, err = capsys.readouterr()
    if reads:
        assert code == 3
        assert "are executed too, line 16: a CTA may write what another reads (line 15)" in err
    else:
        assert code == 0, err
        assert json.loads(out)["launches"][0]["traced"]["summary"]["ctas"] == 3


@pytest.mark.parametrize("body", [SCATTER, CHAIN])
def test_all_before_run_where_one_may_have_stored_what_is_loaded(body):
    assert executed_before(traced(body, ANYWHERE), 5) == 6


def test_a_load_that_leaves_its_buffer_has_all_before_run():
    """x[index[i]] reaches y, which other CTAs store: only running them tells what is there."""
    distance = addresses_apart()
    stray = ANYWHERE.copy()
    stray[5 * THREADS] = distance  # the word of y that the first CTA stores first
    made = traced(GATHER, stray)
    assert executed_before(made, 5) == 6
    assert executed_before(made, 6) == 7  # and from then on


def addresses_apart():
    """How many words y begins behind x."""
    made = traced(GATHER, ANYWHERE)
    starts = [a.address for a in made._launch.memory.allocations]
    assert len(starts) == 3
    return np.uint32((starts[2] - starts[0]) // 4)
