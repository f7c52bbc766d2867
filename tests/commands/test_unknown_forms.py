"""Types that an instruction has no rule for: told in words, before LLVM would end the process."""

import pytest

from warpmill.cli.main import main

KERNEL = """.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{{
    .reg .b32 %r<9>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    {} %r1, %r1;
    st.global.u32 [%rd1], %r2;
    ret;
}}
"""


@pytest.mark.parametrize(
    "text", ["fma.rn.e5m2x4 %r2, %r1,", "fma.rn.tf32 %r2, %r1,", "mad.lo.e5m2x4 %r2, %r1,"]
)
def test_operations_on_floats_are_not_done_on_words(text, tmp_path, capsys):
    path = tmp_path / "k.ptx"
    path.write_text(KERNEL.format(text))
    assert main(["run", str(path), "--grid", "1", "--block", "32", "--arg", "buffer=u32:32"]) == 2
    said = capsys.readouterr().err
    assert f"{path}:10:5: error: `{text.split()[0]}` cannot be executed" in said
    assert "llvm.fma of i32 and i32 and i32" in said
