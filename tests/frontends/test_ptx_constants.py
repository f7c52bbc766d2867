"""Constants stand where ptxas takes them, with the values that it gives them."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.executor.host.device import Device

HEAD = """.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 o) {
.reg .b16 %h<4>; .reg .f16 %g<4>; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .f64 %d<4>;
.reg .b64 %l<4>; .reg .pred %p<3>; ld.param.u64 %l1, [o]; mov.b32 %r7, 7;
setp.eq.u32 %p1, %r7, 7;
"""

TAKEN = [  # by ptxas 13.0 and 13.5, with what is stored then
    ("mov.b16 %h1, 0x3c00; st.global.b16 [%l1], %h1;", np.uint16(0x3C00)),
    ("st.global.b16 [%l1], 0x3c00;", np.uint16(0x3C00)),
    ("mov.b16 %g1, 0x3c00; st.global.b16 [%l1], %g1;", np.float16(1)),
    ("selp.b16 %h1, 0x3c00, 0, %p1; st.global.b16 [%l1], %h1;", np.float16(1)),
    ("cvt.rn.f16.f32 %h1, 0f3f800000; st.global.b16 [%l1], %h1;", np.float16(1)),
    ("cvt.rn.f16.f32 %h1, 1.5; st.global.b16 [%l1], %h1;", np.float16(1.5)),
    ("cvt.rn.f16.s32 %h1, 3; st.global.b16 [%l1], %h1;", np.float16(3)),
    ("mov.b16 %h1, {0x1, 0x2}; st.global.b16 [%l1], %h1;", np.uint16(0x0201)),
    ("mov.b32 %r1, {%h1, 0x3c00}; st.global.b32 [%l1], %r1;", np.uint32(0x3C000201)),
    ("mov.b32 %r1, 0f3f800000; st.global.b32 [%l1], %r1;", np.float32(1)),
    ("st.global.b32 [%l1], 0f40000000;", np.float32(2)),
    ("mov.f64 %d1, 0f3f800000; st.global.f64 [%l1], %d1;", np.float64(1)),
    ("add.f32 %f1, 0f3f800000, 0d4000000000000000; st.global.f32 [%l1], %f1;", np.float32(3)),
    ("mov.b64 %l2, 1.5; st.global.b64 [%l1], %l2;", np.float64(1.5)),
    ("mov.b64 %l2, {0f3f800000, 0f00000000}; st.global.b64 [%l1], %l2;", np.uint64(0x3F800000)),
    ("xor.b32 %r1, %r7, 0f80000000; st.global.b32 [%l1], %r1;", np.uint32(0x80000007)),
    ("selp.b32 %r1, 0f3f800000, 0f00000000, %p1; st.global.b32 [%l1], %r1;", np.float32(1)),
]  # fmt: skip

REFUSED = [  # by both; the words name what is wanted
    ("add.f16 %g1, %g2, 0x3c00;", ".f16"),
    ("add.f16 %g1, %g2, 1.0;", ".f16"),
    ("add.f16 %g1, %g2, 0f3f800000;", ".f16"),
    ("fma.rn.f16 %g1, %g2, %g3, 1;", ".f16"),
    ("neg.f16 %g1, 0x3c00;", ".f16"),
    ("setp.lt.f16 %p1, %g1, 0x3c00;", ".f16"),
    ("setp.lt.f16 %p1, %g1, 0;", ".f16"),
    ("set.lt.u32.f16 %r1, %g2, 0x3c00;", ".f16"),
    ("cvt.f32.f16 %f1, 0x3c00;", ".f16"),
    ("cvt.f32.bf16 %f1, 0x3f80;", ".bf16"),
    ("add.f16x2 %r1, %r2, 0x3c003c00;", ".f16x2"),
    ("add.bf16 %h1, %h2, 0x3f80;", ".bf16"),
    ("atom.global.add.noftz.f16 %g1, [%l1], 0x3c00;", ".f16"),
    ("mov.b16 %h1, 1.0;", ".b16"),
    ("mov.b16 %h1, 0f3f800000;", ".b16"),
    ("st.global.b16 [%l1], 1.0;", ".b16"),
    ("st.global.b32 [%l1], 1.0;", ".b32"),
    ("st.global.b32 [%l1], 0d3ff0000000000000;", ".b32"),
    ("st.global.b64 [%l1], 0f3f800000;", ".b64"),
    ("mov.b32 %r1, 1.0;", ".b32"),
    ("mov.b64 %l2, 0f3f800000;", ".b64"),
    ("mov.b32 %r1, {1.0, 2.0};", ".b16"),
    ("selp.b16 %h1, 1.0, 0, %p1;", ".b16"),
    ("setp.eq.b32 %p1, %r1, 1.0;", ".b32"),
    ("shfl.sync.idx.b32 %r1, 1.0, 0, 31, -1;", ".b32"),
    ("lop3.b32 %r1, 1.0, 0, 0, 1;", ".b32"),
    ("mov.u32 %r1, 0f3f800000;", ".u32"),
    ("mov.f32 %f1, 1;", ".f32"),
]


def test_what_ptxas_takes_has_its_value():
    device = Device()
    places = [s.replace("[%l1]", f"[%l1+{8 * n}]") for n, (s, _) in enumerate(TAKEN)]
    out = device.zeros(8 * len(TAKEN), np.uint8)
    device.launch(device.load(f"{HEAD}{' '.join(places)} ret; }}")["k"], 1, 1, [out])
    stored = out.get().tobytes()
    for number, (statement, value) in enumerate(TAKEN):
        found = stored[8 * number :][: value.nbytes]
        assert found == value.tobytes(), statement


def test_what_ptxas_refuses_is_refused_at_its_place():
    for statement, wanted in REFUSED:
        with pytest.raises(InputError) as caught:
            parse(Source("k.ptx", f"{HEAD}{statement}\nret; }}"))
        (fault,) = caught.value.diagnostics
        assert fault.span.line == HEAD.count("\n") + 1, statement
        assert f"wants {wanted}," in fault.message or f"constant of {wanted};" in fault.message
