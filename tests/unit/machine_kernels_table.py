"""Kernels by name, each leaning on one part of a machine."""

from tests.unit.machine_kernels import Case


def _chain(body, **more):
    """Give a kernel whose instructions wait for one another: 64 times the body in one warp."""
    return Case(body, **({"turns": 4, "unroll": 16} | more))


def _many(body, warps=8, **more):
    """Give a kernel of instructions that wait for nothing, in eight warps: # counts to 4."""
    four = "\n".join(body.replace("#", str(k)) for k in range(4))
    return Case(four, **({"turns": 6, "unroll": 6, "block": 32 * warps} | more))


_ACCUMULATORS = "{%f8,%f9,%f10,%f11}"
_MMA = (
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    f"{_ACCUMULATORS},{{%r8,%r9,%r10,%r11}},{{%r12,%r13}},{_ACCUMULATORS};"
)
_SHARED = "mov.u32 %r20, s; "

CHAINS = {
    "int_add": _chain("add.u32 %r8, %r8, %r2;"),
    "int_mul": _chain("mul.lo.u32 %r8, %r8, %r2;"),
    "int_mad": _chain("mad.lo.u32 %r8, %r8, %r2, %r2;"),
    "int_logic": _chain("xor.b32 %r8, %r8, %r2;"),
    "int_minmax": _chain("min.u32 %r8, %r8, %r2;"),
    "int_div": _chain("div.u32 %r8, %r8, %r4;"),
    "mov": _chain("mov.b32 %r8, %r9; mov.b32 %r9, %r8;", unroll=8),
    "setp": _chain("setp.eq.u32 %p1, %r8, %r2; selp.b32 %r8, %r2, %r4, %p1;"),
    "fp32_add": _chain("add.f32 %f2, %f2, %f1;"),
    "fp32_mul": _chain("mul.f32 %f2, %f2, %f1;"),
    "fp32_fma": _chain("fma.rn.f32 %f2, %f2, %f1, %f1;"),
    "fp32_minmax": _chain("min.f32 %f2, %f2, %f1;"),
    "fp32_div": _chain("div.rn.f32 %f2, %f2, %f1;"),
    "fp16_fma": _chain("fma.rn.f16 %h1, %h1, %h2, %h2;"),
    "fp64_add": _chain("add.f64 %fd1, %fd1, %fd2;"),
    "fp64_mul": _chain("mul.f64 %fd1, %fd1, %fd2;"),
    "fp64_fma": _chain("fma.rn.f64 %fd1, %fd1, %fd2, %fd2;"),
    "fp64_div": _chain("div.rn.f64 %fd1, %fd1, %fd2;"),
    "mufu": _chain("sin.approx.f32 %f2, %f2;"),
    "sfu_rcp": _chain("div.approx.f32 %f2, %f2, %f1;"),
    "conv": _chain("cvt.rn.f32.s32 %f2, %r8; cvt.rzi.s32.f32 %r8, %f2;", unroll=8),
    "popc": _chain("popc.b32 %r8, %r8;"),
    "clz": _chain("clz.b32 %r8, %r8;"),
    "shuffle": _chain("shfl.sync.bfly.b32 %r8, %r8, 1, 31, -1;"),
    "vote": _chain("setp.ne.u32 %p1, %r8, 0; vote.sync.ballot.b32 %r8, %p1, -1;"),
    "branch": Case("add.u32 %r8, %r8, 1;", turns=64),
    "barrier": _chain("bar.sync 0;"),
    "shared_load": _chain(
        "ld.shared.u32 %r8, [%r8];",
        shared_bytes=64,
        before=_SHARED + "st.shared.u32 [%r20], %r20; mov.u32 %r8, %r20;",
    ),
    "shared_store": _chain(
        "st.shared.u32 [%r20], %r2; membar.cta;", shared_bytes=64, before=_SHARED
    ),
    "shared_atomic": _chain(
        "atom.shared.add.u32 %r8, [%r20], %r8;",
        shared_bytes=64,
        before=_SHARED + "st.shared.u32 [%r20], %r20;",
    ),
    "tensor_mma": _chain(_MMA),
}
"""By what of ``latency`` they wait for, 64 times."""

STREAMS = {
    "fp32": _many("fma.rn.f32 %f1#, %f1#, %f1, %f1;"),
    "fp64": _many("fma.rn.f64 %fd1#, %fd1#, %fd2, %fd2;"),
    "fp16": _many("fma.rn.f16 %h4, %h1, %h2, %h2;"),
    "int_add": _many("add.u32 %r1#, %r1#, %r2;"),
    "int_mul": _many("mul.lo.u32 %r1#, %r1#, %r2;"),
    "int_mad": _many("mad.lo.u32 %r1#, %r1#, %r2, %r2;"),
    "int_shift": _many("shl.b32 %r1#, %r1#, 1;"),
    "int_logic": _many("xor.b32 %r1#, %r1#, %r2;"),
    "compare": _many("min.u32 %r1#, %r1#, %r2;"),
    "int_div": _many("div.u32 %r1#, %r1#, %r4;"),
    "fp32_div": _many("div.rn.f32 %f1#, %f1#, %f1;"),
    "fp64_div": _many("div.rn.f64 %fd1#, %fd1#, %fd2;"),
    "sfu": _many("sin.approx.f32 %f1#, %f1#;"),
    "conv": _many("cvt.rn.f32.s32 %f1#, %r2;"),
    "conv64": _many("cvt.rn.f64.s32 %fd1#, %r2;"),
    "popc": _many("popc.b32 %r1#, %r2;"),
    "shuffle": _many("shfl.sync.bfly.b32 %r1#, %r2, 1, 31, -1;"),
    "ldst": _many("ld.shared.u32 %r1#, [%r20];", shared_bytes=64,
                  before=_SHARED + "st.shared.u32 [%r20], %r2; bar.sync 0;"),
    "tensor": _many(_MMA.replace("%f8,%f9", "%f2#,%f9"), warps=16),
    "branch": _many("@%p1 bra T%;\nT%:", turns=6),
}  # fmt: skip
"""By the pipe that they keep busy."""
