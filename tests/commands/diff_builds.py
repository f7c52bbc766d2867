"""Pairs of PTX whose differences are known by construction."""

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 data, .param .u32 n)
{
.reg .pred %p<2>; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [data];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x;
"""

ROLLED = (
    HEAD
    + """mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd2, %rd3;
mov.u32 %r2, 0;
LOOP:
ld.global.f32 %f1, [%rd4];
add.f32 %f2, %f1, %f1;
st.global.f32 [%rd4], %f2;
add.s64 %rd4, %rd4, 128;
add.s32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 8;
@%p1 bra LOOP;
ret;
}
"""
)
"""Eight iterations; each doubles one number."""

UNROLLED = (
    HEAD
    + """mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd2, %rd3;
mov.u32 %r2, 0;
LOOP:
ld.global.f32 %f1, [%rd4];
add.f32 %f2, %f1, %f1;
st.global.f32 [%rd4], %f2;
ld.global.f32 %f3, [%rd4+128];
add.f32 %f4, %f3, %f3;
st.global.f32 [%rd4+128], %f4;
add.s64 %rd4, %rd4, 256;
add.s32 %r2, %r2, 2;
setp.lt.u32 %p1, %r2, 8;
@%p1 bra LOOP;
ret;
}
"""
)
"""The same in four iterations of two numbers each."""

FLAT = (
    HEAD
    + "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
    + "".join(
        f"ld.global.f32 %f1, [%rd4+{128 * i}];\nadd.f32 %f2, %f1, %f1;\n"
        f"st.global.f32 [%rd4+{128 * i}], %f2;\n"
        for i in range(8)
    )
    + "ret;\n}\n"
)
"""The same without a loop."""

SCALAR = (
    HEAD
    + """mul.wide.u32 %rd3, %r1, 16;
add.s64 %rd4, %rd2, %rd3;
ld.global.f32 %f1, [%rd4];
ld.global.f32 %f2, [%rd4+4];
ld.global.f32 %f3, [%rd4+8];
ld.global.f32 %f4, [%rd4+12];
add.f32 %f5, %f1, %f2;
add.f32 %f6, %f3, %f4;
add.f32 %f7, %f5, %f6;
st.global.f32 [%rd4], %f7;
ret;
}
"""
)
"""Four loads of neighbours."""

VECTOR = SCALAR.replace(
    "ld.global.f32 %f1, [%rd4];\nld.global.f32 %f2, [%rd4+4];\n"
    "ld.global.f32 %f3, [%rd4+8];\nld.global.f32 %f4, [%rd4+12];\n",
    "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];\n",
)
"""The same bytes in one load."""

SHIFTED = SCALAR.replace("[%rd4+12]", "[%rd4+16]")
"""The last of the loads is four bytes further on."""

RENAMED = (
    SCALAR.replace("data", "p_0").replace("%rd", "%q").replace("%f", "%z").replace(" n)", " count)")
)
"""The same with other names of registers and parameters."""


def many_live(count: int) -> str:
    """A kernel that turns so many numbers round: all are loaded before the first is stored."""
    loads = "".join(f"ld.volatile.global.f32 %f{i}, [%rd4+{4 * i}];\n" for i in range(count))
    stores = "".join(f"st.global.f32 [%rd4+{4 * i}], %f{count - 1 - i};\n" for i in range(count))
    return (
        HEAD.replace("%f<9>", f"%f<{count}>")
        + f"mul.wide.u32 %rd3, %r1, {4 * count};\nadd.s64 %rd4, %rd2, %rd3;\n"
        + f"{loads}{stores}ret;\n}}\n"
    )


def with_lines(text: str, lines: dict[str, int]) -> str:
    """Record the source line of each instruction that starts with one of some words."""
    out = ['.file 1 "scale.cu"'] if lines else []
    body = []
    for line in text.splitlines():
        number = next((n for word, n in lines.items() if line.startswith(word)), None)
        if number is not None:
            body.append(f".loc 1 {number} 0")
        body.append(line)
    head, rest = body[:3], body[3:]
    return "\n".join([*head, *out, *rest]) + "\n"


TESTED_IN_THE_MIDDLE = ROLLED.replace(
    "ld.global.f32", "setp.eq.u32 %p1, %r2, 7;\nld.global.f32"
).replace(
    "add.s64 %rd4, %rd4, 128;\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 8;\n@%p1 bra LOOP;\n",
    "@%p1 bra DONE;\nadd.s64 %rd4, %rd4, 128;\nadd.s32 %r2, %r2, 1;\nbra LOOP;\nDONE:\n",
)
"""Eight times through the accesses, seven times back."""
