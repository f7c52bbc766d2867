"""Random functions that call each other, also through registers and under guards, against Python.

``f(depth, x)`` gives ``a * x + b`` at depth 0; else each of its calls goes deeper, and what it
gives is added to a value that lives on behind the call.
"""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from warpmill.executor.host.device import Device

WORD = (1 << 32) - 1
THREADS = 40
TAKES = "(.param .b32 r) f{}(.param .b32 depth, .param .b32 given)"
KERNEL = """.visible .entry k(.param .u64 out)
{
.reg .b32 %r<9>; .reg .b64 %q<9>; ld.param.u64 %q1, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3;
{ .param .b32 p0; .param .b32 p1; .param .b32 q; st.param.b32 [p0], %r2; st.param.b32 [p1], %r1;
call (q), f0, (p0, p1); ld.param.b32 %r3, [q]; }
mul.wide.u32 %q2, %r1, 4; add.u64 %q3, %q1, %q2; st.global.u32 [%q3], %r3; ret;
}
"""


@dataclass(frozen=True)
class Call:
    callee: int
    deeper: int
    mask: int
    factor: int
    is_guarded: bool
    is_indirect: bool


@dataclass(frozen=True)
class Drawn:
    a: int
    b: int
    calls: tuple
    has_local: bool


def draw(rng):
    count = rng.randint(1, 4)

    def call():
        numbers = rng.randrange(count), rng.randint(1, 2), rng.randint(0, 7), rng.randint(1, 5)
        return Call(*numbers, rng.random() < 0.3, rng.random() < 0.4)

    return [
        Drawn(
            rng.randint(1, 9),
            rng.randint(0, 9),
            tuple(call() for _ in range(rng.randint(1, 3))),
            rng.random() < 0.5,
        )
        for _ in range(count)
    ]


def right(functions, number, depth, x):
    f = functions[number]
    if depth <= 0:
        return x * f.a + f.b & WORD
    value = x
    for call in f.calls:
        if not (call.is_guarded and value & 1):
            found = right(functions, call.callee, depth - call.deeper, value ^ call.mask)
            value = value * call.factor + found + x & WORD
    return value + x + depth & WORD


def call_text(call, name):
    at = "@%even " if call.is_guarded else ""
    target, prototype, lines = f"f{call.callee}", "", []
    if call.is_indirect:
        target, prototype = "%fn", f", {name}"
        lines.append(f"mov.u64 %fn, f{call.callee};")
        lines.append(f"{name}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);")
    return [
        f"sub.s32 %e, %d, {call.deeper}; xor.b32 %y, %v, {call.mask};",
        "and.b32 %o, %v, 1; setp.eq.u32 %even, %o, 0;",
        *lines,
        "{ .param .b32 p0; .param .b32 p1; .param .b32 q;",
        "st.param.b32 [p0], %e; st.param.b32 [p1], %y;",
        f"{at}call (q), {target}, (p0, p1){prototype}; {at}ld.param.b32 %w, [q]; }}",
        f"{at}mad.lo.u32 %v, %v, {call.factor}, %w; {at}add.u32 %v, %v, %keep;",
    ]


def function_text(number, f):
    body = [
        "ld.param.s32 %d, [depth]; ld.param.u32 %x, [given]; setp.le.s32 %end, %d, 0;",
        "@%end bra END; mov.u32 %v, %x; mov.u32 %keep, %x;",
    ]
    if f.has_local:
        body = [".local .align 4 .b8 box[8];", *body, "st.local.u32 [box+4], %keep;"]
    for place, call in enumerate(f.calls):
        body += ["ld.local.u32 %keep, [box+4];"] if f.has_local else []
        body += call_text(call, f"type_{number}_{place}")
    body.append("add.u32 %v, %v, %x; add.u32 %v, %v, %d; st.param.b32 [r], %v; ret;")
    body.append(f"END: mad.lo.u32 %v, %x, {f.a}, {f.b}; st.param.b32 [r], %v; ret;")
    registers = (
        ".reg .pred %end, %even; .reg .b64 %fn; .reg .b32 %d, %x, %v, %e, %y, %w, %o, %keep;"
    )
    return "\n".join([f".func {TAKES.format(number)}", "{", registers, *body, "}"])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(8))
def test_random_functions_give_what_python_does(tmp_path, seed):
    functions = draw(random.Random(seed))
    declared = [f".func {TAKES.format(number)};" for number in range(len(functions))]
    bodies = [function_text(number, f) for number, f in enumerate(functions)]
    head = ".version 8.0\n.target sm_80\n.address_size 64"
    (tmp_path / "k.ptx").write_text("\n".join([head, *declared, *bodies, KERNEL]))
    device = Device("cpu")
    out = device.array(np.zeros(THREADS, np.uint32))
    device.launch(device.load(tmp_path / "k.ptx").kernel("k"), 1, THREADS, [out])
    assert out.get().tolist() == [right(functions, 0, t & 3, t) for t in range(THREADS)]
