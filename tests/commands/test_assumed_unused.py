"""Trips assumed of a loop that bounds cannot tell, and that the launch decides after all."""

import pytest

from warpmill.cli.main import main

# while (i * i < n) i++: no formula, but every number is known
SQUARES = """.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, 0;
LOOP:
    st.global.u32 [%rd1], %r2;
    add.s32 %r2, %r2, 1;
    mul.lo.s32 %r3, %r2, %r2;
    setp.lt.s32 %p, %r3, %r1;
    @%p bra LOOP;
    ret;
}
"""
LAUNCH = ("--grid", "4", "--block", "32", "--arg", "buffer=u32:64", "--arg", "100")


@pytest.mark.parametrize("command", [["analyze"], ["trace"], ["estimate", "-m", "a100"]])
def test_it_is_refused_and_nothing_is_shown(command, tmp_path, capsys):
    path = tmp_path / "k.ptx"
    path.write_text(SQUARES)
    assert main([*command, str(path), *LAUNCH]) == 0
    capsys.readouterr()
    assert main([*command, str(path), *LAUNCH, "--assume", "LOOP=3"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "the launch decides how often loop LOOP runs" in err
