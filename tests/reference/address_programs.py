"""Random kernels whose accesses follow ids, masks, shifts, packs, branches and loops."""

from hypothesis import strategies as st

BLOCKS = ((32, 3), (96, 1), (48, 2), (16, 6))
GRID = 3
WORDS = 1 << 18
HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 n)
{bounds}
{{
    .reg .pred %p<9>;
    .reg .b16 %h<9>;
    .reg .b32 %r<900>;
    .reg .b64 %d<9>;
    ld.param.u64 %d1, [data]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %laneid;
    mov.u32 %r9, %ntid.x; mad.lo.s32 %r6, %r3, %r9, %r2; mad.lo.s32 %r7, %r4, 96, %r6;
    mov.u32 %r8, 0;
"""

# What leaves a word of at most 20 bits as it is, in the spellings of compilers.
SAME = (
    "and.b32 %r90, {a}, 1048575; mov.u32 {d}, %r90;",
    "and.b32 %r90, {a}, {low}; shr.u32 %r91, {a}, {k}; bfi.b32 {d}, %r91, %r90, {k}, 20;",
    "and.b32 %r90, {a}, {low}; shr.u32 %r91, {a}, {k}; shl.b32 %r91, %r91, {k};"
    "or.b32 {d}, %r90, %r91;",
    "and.b32 %r90, {a}, {low}; bfe.u32 %r91, {a}, {k}, 20; shl.b32 %r91, %r91, {k};"
    "lop3.b32 {d}, %r90, %r91, 0, 0xfc;",
    "prmt.b32 {d}, {a}, 0, 0x3210;",
    "prmt.b32 %r90, {a}, {a}, 0x1032; prmt.b32 {d}, %r90, 0, 0x1032;",
    "shf.l.wrap.b32 %r90, {a}, {a}, 16; shf.r.wrap.b32 {d}, %r90, %r90, 16;",
    "mov.b64 %d5, {{{a}, %r8}}; cvt.u32.u64 {d}, %d5;",
    "mov.b64 %d5, {{%r8, {a}}}; mov.b64 {{_, {d}}}, %d5;",
    "mov.b64 %d5, {{{a}, %r3}}; mov.b64 {{{d}, %r90}}, %d5;",
    "mov.b64 %d5, {{%r3, {a}}}; shr.u64 %d5, %d5, 32; cvt.u32.u64 {d}, %d5;",
    "and.b32 %r90, {a}, 255; shr.u32 %r91, {a}, 8; mov.b32 %r92, {a}; cvt.u16.u32 %h1, %r91;"
    "cvt.u32.u16 %r91, %h1; shl.b32 %r91, %r91, 8; xor.b32 {d}, %r90, %r91;",
    "shr.s32 %r90, {a}, 31; shr.u32 %r90, %r90, 27; add.s32 %r90, {a}, %r90;"
    "and.b32 %r91, %r90, -32; sub.s32 %r91, {a}, %r91; shr.s32 %r90, %r90, 5;"
    "mad.lo.s32 {d}, %r90, 32, %r91;",
)
OTHER = (
    "and.b32 {d}, {a}, {low};",
    "and.b32 {d}, {a}, {high};",
    "shr.u32 {d}, {a}, {k};",
    "shl.b32 {d}, {a}, {k};",
    "add.s32 {d}, {a}, {b};",
    "mad.lo.s32 {d}, {b}, {c}, {a};",
    "mad.lo.s32 {d}, {b}, 32, {a};",
    "xor.b32 {d}, {a}, {b};",
    "xor.b32 {d}, {a}, {c};",
    "or.b32 {d}, {a}, {low};",
    "rem.u32 {d}, {a}, {c};",
    "div.u32 {d}, {a}, {c};",
    "min.u32 {d}, {a}, {c};",
    "max.s32 {d}, {a}, {c};",
    "sub.s32 {d}, {c}, {a};",
    "bfi.b32 {d}, {b}, {a}, {k}, 4;",
    "bfe.u32 {d}, {a}, {k}, 4;",
    "setp.{word}.u32 %p1, {b}, {c}; selp.b32 {d}, {a}, {b}, %p1;",
    "setp.{word}.s32 %p1, {b}, {c}; mov.u32 {d}, {a}; @%p1 add.s32 {d}, {d}, {c};",
)

# Where an access stands: {LOAD} may be there several times; {a} is its index, %r99 what it moves.
AROUND = (
    "mov.u32 %r99, {a}; {LOAD}",
    "mov.u32 %r99, {a}; {LOAD}",
    "mov.u32 %r99, {a}; setp.{word}.u32 %p2, {b}, {c}; @!%p2 bra E{n}; {LOAD} E{n}:",
    "mov.u32 %r99, {a}; setp.{word}.s32 %p2, {b}, {c}; {GUARDED}",
    # a prologue of iterations that a wider loop leaves over
    "mov.u32 %r99, {a}; and.b32 %r98, {b}, 3; setp.eq.s32 %p2, %r98, 0; @%p2 bra E{n};"
    "add.s32 %r99, {a}, 32; setp.eq.s32 %p2, %r98, 1; @%p2 bra E{n}; add.s32 %r99, {a}, {c};"
    "E{n}: {LOAD}",
    "mov.u32 %r99, {a}; mov.u32 %r98, 0; L{n}: {LOAD} add.s32 %r99, %r99, {step};"
    "add.s32 %r98, %r98, 1; setp.lt.u32 %p2, %r98, {trips}; @%p2 bra L{n};",
    "mov.u32 %r98, 0; L{n}: add.s32 %r97, {a}, %r98; and.b32 %r99, %r97, {low}; {LOAD}"
    "add.s32 %r98, %r98, {step}; setp.lt.u32 %p2, %r98, {c}; @%p2 bra L{n};",
    # a tail whose lanes are those that are left over
    "mov.u32 %r98, 0; L{n}: shl.b32 %r97, %r98, 3; and.b32 %r96, {b}, 7; add.s32 %r96, %r96, %r97;"
    "mad.lo.s32 %r99, %r98, 64, {a}; setp.lt.u32 %p2, %r96, {c}; {GUARDED}"
    "add.s32 %r98, %r98, 1; setp.lt.u32 %p2, %r98, {trips}; @%p2 bra L{n};",
    "mov.u32 %r98, {b}; mov.u32 %r99, {a}; L{n}: setp.ge.u32 %p2, %r98, {c}; @%p2 bra E{n}; {LOAD}"
    "add.s32 %r98, %r98, {trips}; add.s32 %r99, %r99, {trips}; bra L{n}; E{n}:",
    # a carried value that only some iterations, or some lanes, move
    "mov.u32 %r99, {a}; mov.u32 %r98, 0; L{n}: {LOAD} setp.{word}.u32 %p2, {b}, %r98;"
    "@%p2 bra M{n}; add.s32 %r99, %r99, {step}; M{n}: add.s32 %r98, %r98, 1;"
    "setp.lt.u32 %p2, %r98, {trips}; @%p2 bra L{n};",
    "mov.u32 %r99, {a}; mov.u32 %r98, 64; L{n}: add.s32 %r99, {a}, %r98; {LOAD} shr.u32 %r98, %r98,"
    "1; setp.gt.u32 %p2, %r98, {trips}; @%p2 bra L{n};",
)
LOAD = (
    "and.b32 %r95, %r99, 262143; mul.wide.u32 %d2, %r95, 4; add.s64 %d3, %d1, %d2;"
    "{GUARD} ld.global.u32 %r94, [%d3];"
)
LEAVES = ("%r2", "%r2", "%r2", "%r5", "%r6", "%r7", "%r7", "%r3", "%r4", "%r1", "%r8")


@st.composite
def address_programs(draw, accesses=8):
    """The text of a kernel with so many accesses, its argument ``n``, and a block."""
    body, number = [], 100
    for access in range(accesses):
        made = [draw(st.sampled_from(LEAVES)) for _ in range(3)]
        made[0] = draw(st.sampled_from(("%r2", "%r6", "%r7", "%r5")))
        for _ in range(draw(st.integers(0, 3))):
            is_same = draw(st.integers(0, 3)) > 0
            line = draw(st.sampled_from(SAME if is_same else OTHER))
            register, number = f"%r{number}", number + 1
            place = 0 if is_same else draw(st.integers(0, 2))
            given = {"a": made[place], "b": made[draw(st.integers(1, 2))]}
            body.append(_filled(draw, line, access, given | {"d": register}))
            made[place] = register
        around = draw(st.sampled_from(AROUND))
        for name, guard in (("LOAD", ""), ("GUARDED", "@%p2")):
            around = around.replace(f"{{{name}}}", LOAD.replace("{GUARD}", guard))
        body.append(_filled(draw, around, access, {"a": made[0], "b": made[1]}))
    block = draw(st.sampled_from(BLOCKS))
    bounds = f".reqntid {block[0]}, {block[1]}, 1" if draw(st.booleans()) else ""
    text = HEAD.format(bounds=bounds) + "\n".join(body) + "\nret;\n}\n"
    return text, draw(st.integers(0, 100)), block


def _filled(draw, line, access, registers):
    places = draw(st.integers(1, 6))
    return line.format(
        n=access,
        k=places,
        low=(1 << places) - 1,
        high=(1 << 20) - (1 << places),
        c=draw(st.sampled_from((1, 3, 8, 15, 16, 31, 32, 64))),
        word=draw(st.sampled_from(("lt", "ge", "eq", "ne", "gt", "le"))),
        step=draw(st.sampled_from((1, 4, 32, 33))),
        trips=draw(st.integers(1, 6)),
        **registers,
    )
