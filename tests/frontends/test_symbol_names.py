"""A launch's symbols are found by the names that people write, wherever they are looked up."""

import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.launch.check import with_sizes
from warpmill.analyzer.launch.model import BufferArgument, Launch
from warpmill.analyzer.traces.layout import lay_out

MODULE = """.version 8.0\n.target sm_80\n.address_size 64
.extern .global .align 4 .f32 _ZN2ns6filterE[];
.global .align 4 .f32 other[4];
.visible .entry k(.param .u64 p) {
.reg .b64 %rd<4>; .reg .f32 %f<3>;
mov.u64 %rd1, other; mov.u64 %rd2, _ZN2ns6filterE;
ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret; }
"""


@pytest.mark.parametrize("name", ["_ZN2ns6filterE", "ns::filter", "filter"])
def test_the_layout_places_a_symbol_by_any_of_its_names(name):
    given = {name: BufferArgument("f32", (25,)), "other": BufferArgument("f32", (4,))}
    launch = Launch.of("k.ptx", "k", symbols=given, arguments=(BufferArgument("f32", (8,)),))
    module = with_sizes(parse(Source("k.ptx", MODULE)).module, launch)
    layout = lay_out(module, module.kernels[0], launch)
    placed = [(region.name, region.size_bytes) for region in layout.regions]
    assert placed == [("_ZN2ns6filterE", 100), ("other", 16), ("p", 32)]
