"""Variables that nothing defines, and what the executor takes where nothing gives a value."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.ir.externs import undefined_uses
from warpmill.executor.native.specials import stand_ins
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.session.run import run

_BODY = """.version 8.6
.target sm_80
.address_size 64
.extern .global .u32 x;
.extern .global .u32 open[];
.global .u64 holder[2] = {{generic(x), 0}};
.weak .global .u32 weak;
.visible .entry k(.param .u64 p)
{{
.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %d<12>;
ld.param.u64 %d1, [p];
{body}
ret;
}}
"""


def kernel_file(folder: Path, body: str) -> Path:
    """A kernel with this body."""
    path = folder / "k.ptx"
    path.write_text(_BODY.format(body=body))
    return path


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("ld.global.u32 %r2, [x];", ["x"]),
        ("mov.u64 %d2, x; add.u64 %d2, %d2, 0; ld.global.u32 %r2, [%d2];", ["x"]),
        ("atom.global.add.u32 %r2, [x], 1;", ["x"]),
        ("red.global.add.u32 [x], 1;", ["x"]),
        ("mov.u64 %d2, x; st.global.u64 [%d1], %d2;", ["x"]),  # who knows who reads it
        ("ld.global.u64 %d2, [holder]; ld.u32 %r2, [%d2];", ["x"]),
        ("ld.global.u32 %r2, [open + 4]; ld.global.u32 %r3, [x];", ["open", "x"]),
        ("st.global.u32 [x], 5;", []),
        ("prefetch.global.L2 [x];", []),
        ("ld.global.u32 %r2, [weak];", []),
    ],
)
def test_uses_of_contents(tmp_path: Path, body: str, names: list[str]) -> None:
    """Loads, atomics and addresses that go elsewhere; stores need nothing."""
    loaded, kernel = load_kernel(kernel_file(tmp_path, body), "k")
    found = undefined_uses(loaded.module, kernel)
    assert [use.variable.name for use in found] == names
    assert not undefined_uses(loaded.module, kernel, frozenset({"x", "open"}))


def test_the_launch_sizes_open_arrays(tmp_path: Path) -> None:
    """An array of open size is as long as what is given."""
    path = kernel_file(tmp_path, "ld.global.u32 %r2, [open + 12]; st.global.u32 [%d1], %r2;")
    options = LaunchOptions("1", "1", args=("buffer=u32:1",), symbols=("open=u32:4:arange",))
    job = prepare(path, None, options)
    sizes = {v.name: v.size_bytes for v in job.loaded.module.variables}
    assert sizes["open"] == 16
    assert np.array_equal(run(path, None, options).outputs["p"], [3])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("mov.u32 %r2, %smid;", ["`%smid` is taken as 0: there is one SM here"]),
        ("mov.u32 %r2, %envreg1; mov.u32 %r3, %envreg3;", ["`%envreg3` is taken as 0"]),
        ("mov.u32 %r2, %tid.x; add.u32 %r3, %r2, %r2;", []),
        ("add.u32 %r3, %r2, 1;", ["nothing writes `%r2`: what is read here is undefined"]),
        ("@%p1 st.global.u32 [%d1], 1;", ["nothing writes `%p1`"]),
    ],
)
def test_what_is_taken_for_values_that_nothing_gives(
    tmp_path: Path, body: str, said: list[str]
) -> None:
    """Special registers that only a GPU has, and registers that nothing writes."""
    loaded, kernel = load_kernel(kernel_file(tmp_path, body), "k")
    found = stand_ins(kernel, loaded.source)
    assert len(found) == len(said)
    for diagnostic, words in zip(found, said, strict=True):
        assert diagnostic.message.startswith(words)
        assert diagnostic.span is not None and diagnostic.span.line == 12
