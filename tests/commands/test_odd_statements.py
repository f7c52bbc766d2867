"""Statements that no compiler writes: an answer or an error in words, and nothing else."""

import pytest

from warpmill.cli.main import main

KERNEL = """.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r2, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r3, %ctaid.x;
{}
    ret;
}}
"""
LAUNCHED = ["--grid", "4", "--block", "64", "--arg", "buffer=u32:256", "--arg", "4"]
UNKNOWN = "zzz.surfref [%r1], %rd1;"
WIDE = "mul.wide.s64 %rd2, %rd1, 8; ld.global.u32 %r4, [%rd2];"
BEYOND = """
    mad.lo.s32 %r4, [%rd8+-9223372036854775808], %r3, %r1;
    mul.wide.s32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r5, [%rd3];
"""
FOR_EVER = """
    ld.global.u32 %r4, [%rd1];
    setp.ne.u32 %p1, %r3, 1;
    @%p1 bra DONE;
L:  setp.lt.u32 %p2, %r4, 77;
    @%p2 bra L;
DONE:
"""


@pytest.mark.parametrize("text", [UNKNOWN, WIDE, BEYOND])
@pytest.mark.parametrize("command", ["analyze", "trace"])
def test_they_are_analysed(text, command, tmp_path, capsys):
    path = tmp_path / "k.ptx"
    path.write_text(KERNEL.format(text))
    static = ["--trace", "static"] if command == "trace" else []
    assert main([command, str(path), *LAUNCHED, *static]) == 0, capsys.readouterr().err


def test_a_cta_that_goes_round_for_ever_is_told(tmp_path, capsys):
    path = tmp_path / "k.ptx"
    path.write_text(KERNEL.format(FOR_EVER))
    words = ["estimate", str(path), *LAUNCHED, "--machine", "a100", "--trace", "executed"]
    assert main(words) == 2
    assert "go round a loop for ever" in capsys.readouterr().err
