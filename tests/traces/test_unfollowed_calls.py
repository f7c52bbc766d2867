"""Calls that stay calls in static traces: told where code of the device is missing."""

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.launch.model import BufferArgument, Launch, ScalarArgument
from warpmill.analyzer.traces.source import StaticSource
from warpmill.session.estimates import estimate
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace

PTX = """\
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func elsewhere();
.func again(.param .b32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [n];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra END;
    sub.s32 %r2, %r1, 1;
    { .param .b32 p0; st.param.b32 [p0], %r2; call.uni again, (p0); }
END:
    ret;
}
.func leaf(.param .b32 n)
{
    ret;
}
.visible .entry k(.param .u64 x, .param .u32 n)
{
    .reg .pred %p<9>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [x];
    ld.param.u32 %r1, [n];
    setp.gt.s32 %p1, %r1, 9;
    BODY
    ret;
}
"""
AGAIN = "{ .param .b32 p0; st.param.b32 [p0], %r1; call.uni again, (p0); }"
PRINT = """{ .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1; st.param.b64 [p1], 0;
    .param .b32 r0; call.uni (r0), vprintf, (p0, p1); }"""
INDIRECT = """mov.u64 %rd2, again;
    { .param .b32 p0; st.param.b32 [p0], %r1; proto : .callprototype _ (.param .b32 _);
    call %rd2, (p0), proto; }"""
PLACE = 1 + PTX[: PTX.index("BODY")].count("\n")


def source_of(tmp_path, body, n=5):
    (tmp_path / "k.ptx").write_text(PTX.replace("BODY", body))
    loaded, kernel = load_kernel(tmp_path / "k.ptx")
    arguments = [BufferArgument("u32", (32,)), ScalarArgument("u32", n)]
    launch = Launch.of("k", grid=[4], block=[32], arguments=arguments)
    source = StaticSource(loaded.module, analyse_structure(kernel), launch)
    source.warps((0, 0, 0))
    return source


def told(tmp_path, body, n=5):
    texts = [a.text for a in source_of(tmp_path, body, n).assumptions]
    assert all(text.endswith(" is not followed; what it executes is missing") for text in texts)
    return [text.partition(" is not")[0] for text in texts]


def test_calls_of_what_is_not_here(tmp_path):
    assert told(tmp_path, "call.uni elsewhere;") == [f"line {PLACE}: the call of elsewhere"]
    assert len(told(tmp_path, "call.uni elsewhere;\ncall.uni elsewhere;")) == 2


def test_how_often_a_function_calls_itself_is_assumed(tmp_path):
    source = source_of(tmp_path, AGAIN)
    assert source.reason == "data decide in 1 place, assumed"


def test_a_call_through_a_register_is_followed(tmp_path):
    """Of a function whose address is known, at that."""
    through = source_of(tmp_path, INDIRECT.replace("again", "leaf"))
    assert through.reason == "no data decide what executes"
    assert through.assumptions == ()


def test_calls_that_no_lane_makes_are_not_told(tmp_path):
    assert told(tmp_path, "@%p1 call elsewhere;", n=9) == []
    assert len(told(tmp_path, "@%p1 call elsewhere;", n=10)) == 1


def test_what_the_host_does_is_not_missing(tmp_path):
    assert told(tmp_path, PRINT) == []


def test_no_data_decide_but_nothing_is_said_of_the_callee(tmp_path):
    source = source_of(tmp_path, "call.uni elsewhere;")
    assert source.data_decide() is None
    assert source.reason == "no data decide what executes outside of calls that are not followed"
    assert source_of(tmp_path, PRINT).reason == "no data decide what executes"


def test_totals_are_assumed_in_all_commands(tmp_path):
    (tmp_path / "k.ptx").write_text(PTX.replace("BODY", "call.uni elsewhere;"))
    (tmp_path / "launch.toml").write_text(
        '[[launch]]\nmodule = "k.ptx"\nkernel = "k"\ngrid = [4]\nblock = [32]\n'
        'args = [{ buffer = "u32", shape = [32] }, { i32 = 5 }]\n'
    )
    job = prepare(tmp_path / "launch.toml")
    (expected,) = trace(job).assumptions
    assert "the call of elsewhere" in expected
    assert not trace(job).is_exact
    assert expected in estimate(job, "a100").assumptions
