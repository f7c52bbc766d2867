"""Kernels by name, each leaning on one part of a machine."""

from tests.timing.machine_kernels import Case


def _chain(body, **more):
    """A kernel whose instructions wait for one another: 64 times the body in one warp."""
    return Case(body, **({"turns": 4, "unroll": 16} | more))


def _many(body, warps=8, **more):
    """A kernel of instructions that wait for nothing, in eight warps: # counts to 4."""
    four = "\n".join(body.replace("#", str(k)) for k in range(4))
    return Case(four, **({"turns": 6, "unroll": 6, "block": 32 * warps} | more))


_ACCUMULATORS = "{%f8,%f9,%f10,%f11}"
_MMA = (
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    f"{_ACCUMULATORS},{{%r8,%r9,%r10,%r11}},{{%r12,%r13}},{_ACCUMULATORS};"
)
_SHARED = "mov.u32 %r20, s; "

CHAINS = {
    "int_add": _chain("add.u32 %r8, %r8, %r2; xor.b32 %r8, %r8, %r4;", unroll=8),  # no IADD3
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
    "branch": Case("add.u32 %r8, %r8, 1;", turns=32, block=256),
    "barrier": _many("bar.sync 0;"),
}  # fmt: skip
"""By the pipe that they keep busy."""

_OWN_16 = "mul.wide.u32 %rd4, %r5, 16; add.u64 %rd6, %rd1, %rd4;"  # the thread's own 16 bytes
_SCRAMBLE = (
    "mad.lo.u32 %r8, %r8, 1664525, 1013904223; shr.u32 %r9, %r8, 12; and.b32 %r9, %r9, {mask}; "
    "mul.wide.u32 %rd4, %r9, 32; add.u64 %rd5, %rd1, %rd4; {load}"
)


def _random(load, words, **more):
    """A kernel in which each lane goes to another sector of the buffer, which looks random."""
    body = _SCRAMBLE.format(mask=words // 8 - 1, load=load)
    before = "mad.lo.u32 %r8, %r5, 747796405, 277803737;"
    return Case(body, **({"turns": 4, "before": before, "block": 128, "words": words} | more))


def _chase(words, step, turns, unroll=16):
    """A kernel of one warp that follows pointers ``step`` bytes apart, ``words`` around."""
    body, before = "ld.global.u64 %rd6, [%rd6];", "mov.u64 %rd6, %rd1;"
    return Case(body, turns=turns, unroll=unroll, before=before, words=words, chase=step)


def _shared_stride(words):
    """A kernel whose lanes load shared words so far apart."""
    return Case(
        "\n".join(f"ld.shared.u32 %r1{k}, [%r21];" for k in range(4)),
        turns=8,
        unroll=4,
        block=256,
        shared_bytes=32 * 4 * 32,
        before=f"{_SHARED} and.b32 %r21, %r2, 31; mul.lo.u32 %r21, %r21, {4 * words}; "
        "add.u32 %r21, %r21, %r20; st.shared.u32 [%r21], %r2; bar.sync 0;",
    )


def _constants(bytes_, stride, **more):
    """A kernel that walks over constants; its lanes are ``stride`` bytes apart."""
    body = (
        f"ld.const.u32 %r10, [%rd5]; add.u32 %r9, %r9, 64; and.b32 %r9, %r9, {bytes_ - 1}; "
        "cvt.u64.u32 %rd4, %r9; add.u64 %rd5, %rd7, %rd4;"
    )
    before = (
        f"mov.u64 %rd7, c; and.b32 %r8, %r2, 31; mul.lo.u32 %r9, %r8, {stride}; "
        "cvt.u64.u32 %rd4, %r9; add.u64 %rd5, %rd7, %rd4;"
    )
    module = f".const .align 16 .b8 c[{max(bytes_, 64)}];"
    return Case(body, **({"module": module, "before": before, "unroll": 4} | more))


def _texels(where, place, rows, **words):
    """A kernel that looks rows of 128 B of texels up, one after another; %r9 is 0."""
    body = f"{where} tex.2d.v4.f32.s32 {{%f8,%f9,%f10,%f11}}, [%rd30, {place}]; "
    before = "mov.u64 %rd30, 1; mov.u32 %r11, 0; mov.u32 %r9, 0;"
    added = "add.f32 %f12, %f12, %f8; add.u32 %r11, %r11, 1;"
    return Case(body + added, before=before, unroll=4, texels=(rows, 32), **words)


MEMORY = {
    "read": Case(
        "\n".join(f"ld.global.v4.u32 {{%r8,%r9,%r10,%r11}}, [%rd6+{k << 17}];" for k in range(4)),
        before=_OWN_16, grid=32, block=256, words=4 * 32 * 1024,
    ),
    "copy": Case(
        "ld.global.v4.u32 {%r8,%r9,%r10,%r11}, [%rd6];"
        "st.global.v4.u32 [%rd6+524288], {%r8,%r9,%r10,%r11};",
        before=_OWN_16, grid=128, block=256, words=2 * 128 * 1024,
    ),
    "parts": Case(
        "\n".join(f"st.global.u32 [%rd5+{k << 20}], %r2;" for k in range(4)),
        before="mul.wide.u32 %rd4, %r5, 32; add.u64 %rd5, %rd1, %rd4;",
        grid=128, block=256, words=1 << 20,
    ),
    "random": _random("ld.global.u32 %r1#, [%rd5];", 1 << 16, unroll=4, grid=16),
    "random_wait": _random("ld.global.u32 %r10, [%rd5]; add.u32 %r11, %r11, %r10;", 1 << 16,
         grid=4),
    "hits": Case(
        "\n".join(f"ld.global.u32 %r1{k % 4}, [%rd3+{1024 * k}];" for k in range(12)),
        turns=8, unroll=1, block=256, words=1 << 12,
    ),
    "banks": Case(
        "\n".join(f"ld.global.u32 %r1{k}, [%rd5];" for k in range(4)), turns=8, unroll=2, block=256,
        before="and.b32 %r8, %r2, 31; mul.wide.u32 %rd4, %r8, 32; add.u64 %rd5, %rd1, %rd4;",
        words=32 * 32,
    ),
    "lines": Case(
        "\n".join(f"ld.global.u32 %r1{k}, [%rd5];" for k in range(4)), turns=8, unroll=2, block=256,
        before="and.b32 %r8, %r2, 31; mul.wide.u32 %rd4, %r8, 132; add.u64 %rd5, %rd1, %rd4;",
        words=33 * 32,
    ),
    "sparse": Case(
        "ld.global.u32 %r10, [%rd5]; add.u32 %r11, %r11, %r10;", turns=8, block=192, words=192 * 48,
        before="mul.wide.u32 %rd4, %r2, 192; add.u64 %rd5, %rd1, %rd4;",
    ),
    "few_loads": Case(
        "\n".join(f"ld.global.u32 %r1{k}, [%rd3+{k << 12}];" for k in range(6)), words=1 << 13
    ),
    "constant_apart": Case(
        "ld.const.u32 %r10, [c]; add.u32 %r11, %r11, %r10;"
        "ld.const.u32 %r10, [c+8192]; add.u32 %r11, %r11, %r10;",
        turns=8, module=".const .align 16 .b8 c[16384];",
    ),
    "sets": Case(
        "ld.global.u32 %r10, [%rd5]; add.u32 %r11, %r11, %r10; add.u64 %rd5, %rd5, 16384;"
        "ld.global.u32 %r10, [%rd5]; add.u32 %r11, %r11, %r10; sub.u64 %rd5, %rd5, 16384;",
        turns=8, block=128, words=1 << 13,
        before="mul.wide.u32 %rd4, %r2, 32; add.u64 %rd5, %rd1, %rd4;",
    ),
    "sets_far": Case(
        "ld.global.u32 %r10, [%rd5]; add.u32 %r11, %r11, %r10; add.u64 %rd5, %rd5, 524288;"
        "ld.global.u32 %r10, [%rd5]; add.u32 %r11, %r11, %r10; sub.u64 %rd5, %rd5, 524288;",
        turns=8, block=128, words=1 << 18,
        before="mul.wide.u32 %rd4, %r2, 32; add.u64 %rd5, %rd1, %rd4;",
    ),
    "reuse": Case(
        "ld.global.u32 %r10, [%rd6]; add.u32 %r11, %r11, %r10; add.u64 %rd6, %rd6, 4096;"
        "and.b64 %rd6, %rd6, -65537;",
        turns=48, block=256, words=1 << 15,
        before="mul.wide.u32 %rd4, %r2, 16; add.u64 %rd6, %rd1, %rd4;",
    ),
    "same_lines": Case(
        "ld.global.u32 %r10, [%rd5]; add.u64 %rd5, %rd5, 128;", turns=16, block=512, words=1 << 14,
        before="and.b32 %r8, %r2, 31; mul.wide.u32 %rd4, %r8, 4; add.u64 %rd5, %rd1, %rd4;",
    ),
    "same_lines_many_sms": Case(
        "ld.global.u32 %r10, [%rd5]; add.u64 %rd5, %rd5, 128;", turns=16, grid=16, words=1 << 14,
        before="and.b32 %r8, %r2, 31; mul.wide.u32 %rd4, %r8, 4; add.u64 %rd5, %rd1, %rd4;",
    ),
    "own_loads": Case(
        "\n".join(f"ld.global.u32 %r1{k}, [%rd6+{k << 13}];" for k in range(6)),
        before="mul.wide.u32 %rd4, %r5, 32; add.u64 %rd6, %rd1, %rd4;", block=256, words=1 << 15,
    ),
    "stores": Case(
        "st.global.u32 [%rd3], %r2;", turns=16, unroll=2, block=256, grid=4, words=4096
    ),
    "locals": Case(
        "st.local.u32 [%rd7], %r2; ld.local.u32 %r10, [%rd7]; add.u32 %r2, %r10, 1;",
        turns=16, block=128, before=".local .align 16 .b8 d[64]; mov.u64 %rd7, d; "
        "and.b32 %r8, %r2, 15; mul.wide.u32 %rd4, %r8, 4; add.u64 %rd7, %rd7, %rd4;",
    ),
    "atomics": Case(
        "atom.global.exch.b32 %r10, [%rd1], %r2;", turns=4, unroll=2, block=256, grid=2
    ),
    "many_ctas": Case("add.u32 %r8, %r8, %r2;", turns=4, unroll=4, grid=512, block=64),
    "busy_ctas": Case(
        "ld.global.u32 %r10, [%rd3]; add.u32 %r11, %r11, %r10; add.u64 %rd3, %rd3, 4096;",
        turns=8, grid=64, block=64, words=1 << 14,
    ),
    "mixed": Case(
        "fma.rn.f32 %f2, %f2, %f1, %f1; add.u32 %r8, %r8, %r2;", turns=8, unroll=8, block=512
    ),
    "turns": Case(
        "setp.gt.u32 %p1, %r2, %r1; @%p1 bra AWAY;\nadd.u32 %r8, %r8, %r1;\nAWAY:", turns=24,
        block=64,
    ),
    "long": Case("add.u32 %r8, %r8, %r2;", turns=3, unroll=640),
    "operands": _chain("fma.rn.f32 %f2, %f2, %f3, %f4;"),
    "chase_l1": _chase(256, 128, 4),
    "chase_l2": _chase(1 << 16, 2048 + 128, 2),
    "chase_dram": _chase(1 << 20, (1 << 16) + 256 + 128, 2),
    "shared_1": _shared_stride(1),
    "shared_2": _shared_stride(2),
    "shared_8": _shared_stride(8),
    "shared_32": _shared_stride(32),
    "constant_one": _constants(64, 0, turns=16, block=32),
    "constant_words": _constants(2048, 64, turns=16, block=256),
    "constant_walk": _constants(16384, 0, turns=192, block=32),
    "narrow": Case(
        "\n".join(f"ld.global.u32 %r1{k}, [%rd3+{k << 12}];" for k in range(4)), block=256,
        grid=4, words=1 << 13,
    ),
    "copy_random": _random("ld.global.u32 %r10, [%rd5]; st.global.u32 [%rd5+4], %r10;", 1 << 16,
                           unroll=4, grid=8),
    "chase_turns": _chase(1 << 18, 4096 + 128, 8, unroll=64),
    "shared_ctas": Case(
        "ld.global.u32 %r10, [%rd3]; add.u32 %r11, %r11, %r10; add.u64 %rd3, %rd3, 4096;",
        turns=8, grid=32, block=64, words=1 << 14, shared_bytes=4000,
    ),
    "textures": Case(
        "tex.2d.v4.f32.s32 {%f8,%f9,%f10,%f11}, [t, {%r8,%r9}]; cvt.rzi.s32.f32 %r8, %f8;",
        module=".global .texref t;", turns=4, unroll=16, static=True,
    ),
    "texture_walk": _texels("and.b32 %r8, %r11, 31;", "{%r2, %r8}", 32, turns=32),
    "texture_apart": _texels(
        "and.b32 %r8, %r11, 3; shl.b32 %r8, %r8, 5;", "{%r2, %r8}", 128, turns=16
    ),
    "texture_lines": _texels(
        "and.b32 %r8, %r11, 1; shl.b32 %r8, %r8, 5; or.b32 %r8, %r8, %r2;", "{%r9, %r8}", 64,
        turns=16,
    ),
    "texture_columns": _texels("and.b32 %r8, %r2, 31;", "{%r9, %r8}", 32, turns=4, block=512),
}  # fmt: skip

KERNELS = {f"{name}_chain": case for name, case in CHAINS.items()}
KERNELS |= {f"{name}_stream": case for name, case in STREAMS.items()} | MEMORY
