"""A constant's bits count, not whether it is written as signed or as unsigned."""

import json

import pytest

from warpmill.cli.main import main

KERNEL = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{{
 .reg .pred %p; .reg .b32 %t, %i; .reg .b64 %a, %w; .reg .f32 %f;
 ld.param.u64 %a, [out];
 mov.u32 %t, %tid.x;
 {line}
 ld.global.f32 %f, [%a+128];
 st.global.f32 [%a+128], %f;
 ret;
}}
"""
LAUNCH = ["--grid", "2", "--block", "64", "--arg", "buffer=f32:256"]
LINES = [
    "mul.wide.u32 %w, %t, 4; add.u64 %a, %a, %w; add.u64 %a, %a, {};",
    "mul.lo.u32 %t, %t, {}; cvt.s64.s32 %w, %t; add.s64 %a, %a, %w;",
    "mad.lo.u32 %t, %t, {}, 64; cvt.s64.s32 %w, %t; add.s64 %a, %a, %w;",
    "mul.wide.s32 %w, %t, {}; add.s64 %a, %a, %w;",
    "mul.wide.u32 %w, %t, 4; sub.u64 %a, %a, {}; add.u64 %a, %a, %w;",
]


def analysed(text, tmp_path, capsys):
    (tmp_path / "k.ptx").write_text(text)
    assert main(["analyze", str(tmp_path / "k.ptx"), *LAUNCH, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("line", LINES)
def test_the_analysis_of_either_spelling_is_the_same(line, tmp_path, capsys):
    bits = 64 if ".u64 %a, %a, {}" in line else 32
    texts = [KERNEL.format(line=line.format(n)) for n in ("-4", hex((1 << bits) - 4))]
    reports = [analysed(text, tmp_path, capsys) for text in texts]
    assert reports[0] == reports[1]
    for access in reports[0]["analyses"][0]["accesses"]:  # 128 B that begin within a sector
        sectors = access["in_launch"]["first"]["sectors"]
        assert (access["pattern"], sectors["least"], sectors["most"]) == ("contiguous", 5, 5)


def test_factors_of_wide_unsigned_products_are_not_negative(tmp_path, capsys):
    line = "mul.wide.u32 %w, %t, {}; add.u64 %a, %a, %w;"
    texts = [KERNEL.format(line=line.format(n)) for n in ("-4", hex((1 << 32) - 4))]
    reports = [analysed(text, tmp_path, capsys) for text in texts]
    assert reports[0] == reports[1]
    access = reports[0]["analyses"][0]["accesses"][0]
    assert str((1 << 32) - 4) in access["access"]["address"]
