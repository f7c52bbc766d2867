"""Constants of clones: a module has room for 64 KiB of them, however many kernels it has."""

import pytest

from tests.reference.clone_kernels import HEAD, ROUND, TAIL, TID, hashed, loop, opcodes
from warpmill.analyzer.ir.types import Space
from warpmill.cloning.clone import clone_studied, study
from warpmill.cloning.options import CloneOptions

TABLE = ".const .align 16 .b8 table[{bytes}];\n"
FETCH = """mov.u64 %rd7, table; cvt.u64.u32 %rd8, %r30; shl.b64 %rd8, %rd8, 2;
add.s64 %rd8, %rd8, %rd7; ld.const.f32 %f4, [%rd8]; add.f32 %f3, %f3, %f4;
"""
LAUNCH = """[[launch]]
module = "original.ptx"
kernel = "{kernel}"
grid = [8]
block = [64]
symbols = {{ table = {{ buffer = "f32", shape = [{words}], init = "zeros" }} }}
args = [{{ buffer = "u32", shape = [65536], init = "zeros" }}, {{ u32 = {n} }}]
"""


@pytest.mark.parametrize("size", [4096, 1 << 16])
def test_all_kernels_of_a_clone_have_one_array_of_constants(tmp_path, size):
    """One kernel draws from a table at random, one goes through it."""
    words = size // 4
    bodies = {
        "draws": loop(hashed("%r30", TID, ROUND, bits=words.bit_length() - 1) + FETCH, "%r0"),
        "walks": loop(f"add.u32 %r30, {ROUND}, 0; {FETCH}", "%r0"),
    }
    head, entries = HEAD.split(".visible", 1)
    kernels = [(".visible" + entries).format(name=k) + body + TAIL for k, body in bodies.items()]
    kernels[1] = kernels[1].replace("LOOP", "AGAIN").replace("END:", "")
    (tmp_path / "original.ptx").write_text(head + TABLE.format(bytes=size) + "".join(kernels))
    launches = [
        LAUNCH.format(kernel=k, words=words, n=n) for k, n in (("draws", 99), ("walks", words))
    ]
    (tmp_path / "original.toml").write_text("".join(launches))
    cloned = clone_studied(study(tmp_path / "original.toml"), CloneOptions(reduction=4))
    module = cloned.application.module
    (constants,) = (v for v in module.variables if v.space is Space.CONST)
    assert 0 < constants.size_bytes <= 1 << 16
    assert [opcodes(kernel).count("ld.const.f32") > 0 for kernel in module.kernels] == [True, True]
    assert f"{constants.name}[{constants.size_bytes}]" in cloned.files.text("clone.ptx")
