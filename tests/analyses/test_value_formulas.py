"""Formulas of values that bit operations make of ids and arguments, against what is executed.

A formula holds modulo two to the word's width where what it was made of is no number that has left
the word: nothing that a chain of operations goes through is at or above two to the 31.
"""

import random

import numpy as np
import pytest

from tests.reference.formulas import OPERATIONS, compute
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.values.symbolic import FOLDS, AtomKind
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse as parse_llvm
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.types import Space
from warpmill.executor.host.device import Device

CHAINS, LONG, LANES, CTAS = 60, 3, 32, (0, 1, 255, 299)
HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
.reqntid 32
{{
.local .align 4 .b8 box[4];
.reg .pred %p; .reg .b16 %h; .reg .b32 %r<999>; .reg .b64 %d<9>;
ld.param.u64 %d1, [out]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;
mad.lo.u32 %r4, %r3, 32, %r2; mul.wide.u32 %d2, %r4, {bytes}; add.u64 %d1, %d1, %d2;
{body}
ret;
}}
"""
OPERATION_FORMS = """
and.b32 {d}, {a}, {mask}; or.b32 {d}, {a}, {mask}; xor.b32 {d}, {a}, {mask}; and.b32 {d}, {a}, {b};
or.b32 {d}, {a}, {b}; xor.b32 {d}, {a}, {b}; not.b32 {d}, {a}; neg.s32 {d}, {a}; abs.s32 {d}, {a};
shl.b32 {d}, {a}, {k}; shr.u32 {d}, {a}, {k}; shr.s32 {d}, {a}, {k}; add.u32 {d}, {a}, {b};
sub.s32 {d}, {a}, {b}; add.s32 {d}, {a}, {c}; mul.lo.s32 {d}, {a}, {c};
mad.lo.s32 {d}, {a}, {c}, {b}; bfe.u32 {d}, {a}, {k}, {width}; bfe.s32 {d}, {a}, {k}, {width};
bfi.b32 {d}, {a}, {b}, {k}, {width}; bfi.b32 {d}, {b}, {a}, {k}, {width};
prmt.b32 {d}, {a}, {b}, {bytes}; prmt.b32 {d}, {a}, 0, {bytes}; prmt.b32 {d}, {b}, {a}, {bytes};
shf.l.wrap.b32 {d}, {a}, {b}, {k}; shf.r.wrap.b32 {d}, {a}, {b}, {k};
shf.l.clamp.b32 {d}, {a}, {b}, {far}; shf.r.clamp.b32 {d}, {a}, {b}, {far};
lop3.b32 {d}, {a}, {b}, {c}, {table}; lop3.b32 {d}, {a}, {b}, {mask}, {table};
min.u32 {d}, {a}, {c}; max.s32 {d}, {a}, {b}; rem.u32 {d}, {a}, {c}; div.u32 {d}, {a}, {c};
rem.s32 {d}, {a}, {c}; div.s32 {d}, {a}, {c}; cvt.u32.u8 {d}, {a}; cvt.s32.s8 {d}, {a};
cvt.u16.u32 %h, {a}|cvt.u32.u16 {d}, %h; cvt.u16.u32 %h, {a}|cvt.s32.s16 {d}, %h;
st.local.u16 [box], {a}|ld.local.u16 {d}, [box]; st.local.u8 [box], {a}|ld.local.s8 {d}, [box];
st.local.u32 [box], {a}|ld.local.u8 {d}, [box+1]; st.local.u32 [box], {a}|ld.local.s16 {d}, [box+2];
st.local.u16 [box], {a}|st.local.u16 [box+2], {b}|ld.local.u32 {d}, [box];
setp.lt.s32 %p, {a}, {b}|selp.b32 {d}, {a}, {c}, %p;
setp.ne.u32 %p, {a}, {c}|selp.b32 {d}, {b}, {a}, %p;
mov.b64 %d5, {{{a}, {b}}}|shr.u64 %d5, %d5, 32|cvt.u32.u64 {d}, %d5;
mul.wide.u32 %d5, {a}, {c}|cvt.u32.u64 {d}, %d5
"""
FORMS = [
    form.strip().replace("|", "; ") + ";" for form in OPERATION_FORMS.split(";") if form.strip()
]
NUMBERS = {
    "k": [0, 1, 2, 3, 4, 5, 8, 16, 27, 31], "far": [1, 4, 31, 32, 40], "width": range(33),
    "mask": [1, 3, 7, 31, 28, 255, 0xFFFF, -32, -4, 1 << 31, 0xF0], "c": [1, 2, 3, 4, 7, 32, 96],
    "bytes": [0x3210, 0x4321, 0x6543, 0x7654, 0x4440, 0x3240, 0x1032, 0x5410, 0x2107],
    "table": [0xFE, 0xFC, 0xF8, 0xC0, 0x80, 0x96, 0x3C, 0xEA, *range(0, 256, 17)],
}  # fmt: skip


def kernel_text(rng):
    """Chains of operations, each of which stores what it makes."""
    body, place = [], 0
    for _ in range(CHAINS):
        made = ["%r2", rng.choice(["%r1", "%r2", "%r3", "%r4"]), "%r4"]
        for _ in range(LONG):
            given = {name: rng.choice(some) for name, some in NUMBERS.items()}
            given |= {"a": rng.choice(made[-2:]), "b": rng.choice(made), "d": f"%r{10 + place}"}
            body.append(rng.choice(FORMS).format(**given))
            body.append(f"st.global.u32 [%d1+{4 * place}], {given['d']};")
            made.append(given["d"])
            place += 1
    return HEAD.format(bytes=4 * CHAINS * LONG, body="\n".join(body))


def read(text):
    return parse(Source("k.ptx", text)).module.kernels[0]


def stored(kernel):
    """The formulas of what a kernel of one block stores in global memory."""
    structure = analyse_structure(kernel)
    (block,) = structure.kernel.blocks
    for index, one in enumerate(block.instructions):
        if one.operation.space is Space.GLOBAL:
            yield structure.values.of_operand(block.id, index, one.operands[1])


def is_followed(formula):
    """Whether a formula is of ids, arguments and operations that are done by number alone."""
    return all(
        a.kind in (AtomKind.SPECIAL, AtomKind.ARGUMENT)
        or (
            a.kind is AtomKind.OPERATION
            and a.key < 0
            and (a.name in FOLDS or a.name.split(".")[0] in {"setp", *OPERATIONS})
            and all(map(is_followed, a.operands))
        )
        for a in formula.atoms
    )


@pytest.mark.parametrize("seed", range(5))
def test_formulas_are_what_is_executed_modulo_the_word(seed):
    text, n = kernel_text(random.Random(seed)), (5, 0, 31, 1000, 70000)[seed]
    device = Device("cpu")
    out = device.array(np.zeros((300, LANES, CHAINS, LONG), np.uint32))
    device.launch(device.load(text, "k.ptx")["k"], 300, LANES, [out, np.uint32(n)])
    executed = out.get()[list(CTAS)]
    compared = 0
    for place, formula in enumerate(stored(read(text))):
        chain, k = divmod(place, LONG)
        if (executed[:, :, chain, :k] >> 31).any() or not is_followed(formula):
            continue
        for at, lane in np.ndindex(len(CTAS), LANES):
            known = {"tid.x": lane, "ctaid.x": CTAS[at], "ntid.x": LANES, "n": n}
            told = compute(formula, lambda atom, _, known=known: known[atom.name])
            assert told % (1 << 32) == executed[at, lane, chain, k], (place, str(formula), text)
        compared += 1
    assert compared > 110


@pytest.mark.parametrize(
    ("constant", "shown"),
    [
        ("float 4.0", "4.0"),
        ("half 0xH3C00", "1.0"),
        ("double 1.0e-9", "1e-09"),
        ("bfloat 0xR3F80", "bf16:0x3f80"),  # as a half that would be 1.875
    ],
)
def test_float_constants_are_named_by_their_value_or_their_bits(constant, shown):
    text = (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr addrspace(1) %out) {\n"
        f"  store {constant}, ptr addrspace(1) %out\n  ret void\n}}\n"
    )
    kernel = parse_llvm(Source("k.ll", text)).module.kernels[0]
    assert [str(formula) for formula in stored(kernel)] == [shown]


@pytest.mark.parametrize("type_", ["u8", "s8", "u16", "s16"])
def test_ids_are_cut_to_narrow_types_but_threads_to_those_that_hold_1024(type_):
    bits, low = int(type_[1:]), -(1 << int(type_[1:]) - 1) if type_[0] == "s" else 0
    for name, most in (
        ("tid.x", 1023),
        ("ntid.x", 1024),
        ("ctaid.x", 1 << 20),
        ("nctaid.x", 1 << 20),
    ):
        body = f"mov.u32 %r8, %{name}; cvt.u16.u32 %h, %r8; cvt.s32.{type_} %r9, %h;"
        text = HEAD.format(bytes=4, body=f"{body} st.global.u32 [%d1], %r9;")
        (formula,) = stored(read(text))
        for value in (0, 100, most // 2 + 1, most, most - 3):
            told = compute(formula, lambda *_, value=value: value)
            assert told == (value - low) % (1 << bits) + low, (name, str(formula))
        assert (str(formula) == name) is (most <= 1024 and bits == 16)
