"""Device functions in place of their calls: what executes, where it is from, what stays a call."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.base.diagnostics import CALL_ASSUMED, CALL_KEPT
from warpmill.analyzer.frontends.load import LoadedModule, load_kernel
from warpmill.analyzer.ir.kernel import Imm, Kernel
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.ir.verifier import verify
from warpmill.executor.host.device import Device

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"

SUM = """
.func (.param .b32 out) total(.param .b32 count, .param .b64 data)
{
.reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
ld.param.u32 %r1, [count]; ld.param.u64 %rd1, [data];
mov.u32 %r2, 0; mov.u32 %r3, 0;
setp.lt.s32 %p1, %r1, 1;
@%p1 bra DONE;
LOOP: ld.global.u32 %r4, [%rd1]; add.s32 %r3, %r3, %r4; add.s64 %rd1, %rd1, 4;
add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r1; @%p1 bra LOOP;
DONE: st.param.b32 [out], %r3;
ret;
}
"""

CALLER = """
.visible .entry k(.param .u64 p, .param .u32 n)
{
.reg .b32 %r<9>; .reg .b64 %rd<5>;
ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; cvta.to.global.u64 %rd2, %rd1;
{ .param .b32 a0; st.param.b32 [a0], %r1; .param .b64 a1; st.param.b64 [a1], %rd2;
  .param .b32 back; call.uni (back), total, (a0, a1); ld.param.b32 %r2, [back]; }
st.global.u32 [%rd2], %r2;
ret;
}
"""


def inlined(tmp_path: Path, text: str, suffix: str = ".ptx") -> tuple[LoadedModule, Kernel]:
    file = tmp_path / f"k{suffix}"
    file.write_text(HEAD + text if suffix == ".ptx" else text)
    loaded, kernel = load_kernel(file, "k")
    assert verify(replace(loaded.module, kernels=(kernel,))) == ()
    return loaded, kernel


def test_the_callees_loop_is_the_kernels(tmp_path: Path) -> None:
    loaded, kernel = inlined(tmp_path, SUM + CALLER)
    structure = analyse_structure(kernel)
    (bound,) = loop_bounds(structure)
    assert str(bound.trips) == "max(1, n)"
    load, store = memory_accesses(loaded.module, structure)
    assert str(load.address) == "p + 4*i(total.1.LOOP)"
    assert str(store.address) == "p"
    assert loaded.diagnostics == ()
    assert not [i for i in kernel.instructions if i.operation.op_class is OpClass.CALL]


def test_arguments_in_param_memory_become_registers(tmp_path: Path) -> None:
    _, kernel = inlined(tmp_path, SUM + CALLER)
    assert kernel.variables == ()
    in_param = [i for i in kernel.instructions if i.operation.space is Space.PARAM]
    assert [i.operation.opcode for i in in_param] == ["ld.param.u64", "ld.param.u32"]


def test_each_copy_knows_its_function_and_its_call(tmp_path: Path) -> None:
    outer = SUM.replace("total", "inner").split("ld.global.u32")[0]
    outer = outer.replace("inner(", "outer(") + (
        "{ .param .b32 c0; st.param.b32 [c0], %r1; .param .b64 c1; st.param.b64 [c1], %rd1;\n"
        ".param .b32 b0; call (b0), total, (c0, c1); ld.param.b32 %r3, [b0]; }\n"
        "DONE: st.param.b32 [out], %r3; ret; }\n"
    )
    _, kernel = inlined(tmp_path, SUM + outer + CALLER.replace("total", "outer"))
    chains = set()
    for instruction in kernel.instructions:
        site = instruction.inlined
        chain = []
        while site is not None:
            chain.append(site.function)
            site = site.inner
        chains.add(tuple(chain))
    assert chains == {(), ("outer",), ("outer", "total")}
    call_line = next(
        i.inlined.call.line for i in kernel.instructions if i.inlined and i.inlined.inner is None
    )
    assert "call.uni" in (tmp_path / "k.ptx").read_text().splitlines()[call_line - 1]


@pytest.mark.parametrize(
    ("callee", "words"),
    [
        (".extern .func (.param .b32 o) total(.param .b32 c, .param .b64 d);", "has no body here"),
    ],
)
def test_calls_that_stay_are_reported_at_their_place(
    tmp_path: Path, callee: str, words: str
) -> None:
    loaded, kernel = inlined(tmp_path, callee + CALLER)
    (said,) = [d for d in loaded.diagnostics if words in d.message]
    assert said.span is not None
    assert "call" in (said.excerpt or "")
    assert [i for i in kernel.instructions if i.operation.op_class is OpClass.CALL]


def test_a_guarded_call_is_inlined_behind_a_branch(tmp_path: Path) -> None:
    leaf = ".func leaf() { membar.gl; ret; }\n"
    body = ".reg .pred %p; @%p call leaf; @!%p call leaf; ret;"
    loaded, kernel = inlined(tmp_path, f"{leaf}.entry k() {{ {body} }}\n")
    assert loaded.diagnostics == ()
    branches = [i.guard.negated for i in kernel.instructions if i.guard and i.is_branch]
    assert branches == [True, False]
    assert [i.operation.name for i in kernel.instructions].count("membar") == 2


def test_a_call_through_a_register_of_no_known_function_is_reported(tmp_path: Path) -> None:
    body = ".reg .b64 %d; proto: .callprototype _ (); call %d, (), proto; ret;"
    loaded, kernel = inlined(tmp_path, f".func leaf() {{ ret; }}\n.entry k() {{ {body} }}\n")
    (said,) = loaded.diagnostics
    assert "no function whose address is taken has its prototype" in said.message
    assert said.kind == CALL_KEPT
    assert [i.operation.name for i in kernel.instructions].count("call") == 1


def test_a_recursive_function_is_reported_once(tmp_path: Path) -> None:
    leaf = ".func leaf() { call leaf; call leaf; ret; }\n"
    loaded, _ = inlined(tmp_path, f"{leaf}.entry k() {{ call leaf; call leaf; ret; }}\n")
    assert ["calls itself" in d.message for d in loaded.diagnostics] == [True]


def test_accesses_that_do_not_agree_become_local_memory(tmp_path: Path) -> None:
    halves = CALLER.replace(
        ".param .b64 a1; st.param.b64 [a1], %rd2;",
        ".param .b64 a1; st.param.b32 [a1], %r1; st.param.b32 [a1+4], %r1;",
    )
    _, kernel = inlined(tmp_path, SUM + halves)
    assert [(v.name, v.space) for v in kernel.variables] == [("a1", Space.LOCAL)]
    spaces = [i.operation.space for i in kernel.instructions if i.operation.op_class.is_memory]
    assert spaces.count(Space.LOCAL) == 3


def test_a_parameter_whose_address_is_taken_is_local_memory_however_it_is_read(
    tmp_path: Path,
) -> None:
    by_address = "mov.b64 %rd2, count; ld.param::func.u32 %r1, [%rd2]; ld.param.u32 %r1, [count];"
    callee = SUM.replace("ld.param.u32 %r1, [count];", by_address)
    _, kernel = inlined(tmp_path, callee + CALLER)
    assert [(v.name, v.space) for v in kernel.variables] == [("a0", Space.LOCAL)]
    opcodes = [i.operation.opcode for i in kernel.instructions if i.inlined]
    assert [o for o in opcodes if o.startswith("ld.local")] == [
        "ld.local.u32",
        "ld.local.u32",
    ]


def test_edges_of_a_block_that_calls_leave_from_its_end(tmp_path: Path) -> None:
    text = """
target triple = "nvptx64-nvidia-cuda"
define internal i32 @twice(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %c = icmp slt i32 %n, 4
  br i1 %c, label %a, label %b
a:
  %v = call i32 @twice(i32 %n)
  br label %b
b:
  %m = phi i32 [ 7, %entry ], [ %v, %a ]
  store i32 %m, ptr addrspace(1) %p
  ret void
}
"""
    _, kernel = inlined(tmp_path, text, ".ll")
    labels = [b.label for b in kernel.blocks]
    merge = kernel.blocks[labels.index("b")]
    assert sorted(labels[e.predecessor] for e in merge.incoming) == ["a.1", "entry"]
    value = {labels[e.predecessor]: e.copies[0][1] for e in merge.incoming}["a.1"]
    assert kernel.registers[value.index].name == "%v"  # type: ignore[union-attr]


def test_hints_stay_with_the_part_of_a_block_that_goes_back(tmp_path: Path) -> None:
    leaf = '.func leaf() { L: .pragma "nounroll"; bra L; }\n'
    body = '.reg .pred %p; LOOP: .pragma "nounroll"; call leaf; @%p bra LOOP; ret;'
    _, kernel = inlined(tmp_path, f"{leaf}.entry k() {{ {body} }}\n")
    hints = {block.label: block.attributes for block in kernel.blocks}
    assert hints == {
        "LOOP": (),
        "leaf.1.L": ("pragma=nounroll",),
        "LOOP.1": ("pragma=nounroll",),
        "bb1": (),
    }


def test_arguments_of_another_type_keep_the_call(tmp_path: Path) -> None:
    leaf = ".func leaf(.reg .b16 %x) { ret; }\n"
    text = f"{leaf}.entry k() {{ .reg .f32 %f; call leaf, (%f); ret; }}\n"
    loaded, kernel = inlined(tmp_path, text)
    assert [i.operation.name for i in kernel.instructions] == ["call", "ret"]
    (said,) = loaded.diagnostics
    assert "leaf takes arguments of other types" in said.message


def test_a_text_on_a_device_tells_of_calls_that_stay_as_a_file_does(tmp_path: Path) -> None:
    text = ".extern .func (.param .b32 o) total(.param .b32 c, .param .b64 d);" + CALLER
    of_file = [d.message for d in inlined(tmp_path, text)[0].diagnostics]
    loaded = Device("cpu").load(HEAD + text, "k.ptx")["k"].loaded
    assert [d.message for d in loaded.diagnostics] == of_file != []
    assert all(d.file == "k.ptx" and "call" in (d.excerpt or "") for d in loaded.diagnostics)


NARROW = """
.func (.param .b8 back) same(.param .b8 given)
{ .reg .b16 %h; ld.param.s8 %h, [given]; st.param.b8 [back], %h; ret; }
.visible .entry k(.param .u64 p)
{
.reg .b16 %h<4>; .reg .b32 %r<3>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [p]; mov.u16 %h1, -5;
{ .param .b8 a0; st.param.b8 [a0], %h1; .param .b8 back; call (back), same, (a0);
  ld.param.s8 %h2, [back]; }
cvt.s32.s16 %r1, %h2; st.global.u32 [%rd1], %r1; ret;
}
"""


def test_narrow_numbers_that_are_handed_over_keep_their_sign(tmp_path: Path) -> None:
    inlined(tmp_path, NARROW)
    device = Device("cpu")
    out = device.array([0], "i4")
    device.launch(device.load(tmp_path / "k.ptx").kernel("k"), 1, 1, [out])
    assert out.get().tolist() == [-5]


@pytest.mark.parametrize("case", ["04b-function-pointers", "10b-recursion-kinds"])
def test_kernels_of_recursion_and_calls_through_registers_are_sound(case: str) -> None:
    file = Path(__file__).parents[1] / "cases" / case / "kernel.ptx"
    loaded, kernel = load_kernel(file)
    assert verify(replace(loaded.module, kernels=(kernel,))) == ()
    assert not [i for i in kernel.instructions if i.operation.op_class is OpClass.CALL]
    assert {d.kind for d in loaded.diagnostics} == {CALL_ASSUMED}


CANDIDATES = {
    "same": "(.param .b32 back) same(.param .b32 given)",
    "in_register": "(.reg .b32 %back) in_register(.reg .f32 %given)",
    "two": "(.param .b32 back) two(.param .b32 given, .param .b32 more)",
    "none": "(.param .b32 back) none()",
    "wide": "(.param .b32 back) wide(.param .b64 given)",
    "wide_back": "(.param .b64 back) wide_back(.param .b32 given)",
    "wide_register": "(.param .b32 back) wide_register(.reg .b64 %given)",
    "silent": "silent(.param .b32 given)",
}


def test_a_call_through_a_register_may_be_of_what_takes_and_gives_as_many_bytes(
    tmp_path: Path,
) -> None:
    functions = "".join(f".func {head} {{ ret; }}\n" for head in CANDIDATES.values())
    taken = "".join(f"mov.u64 %d, {name}; st.global.u64 [%d], %d;" for name in CANDIDATES)
    call = """proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    { .param .b32 a; .param .b32 b; st.param.b32 [a], %r; call (b), %d, (a), proto;
      ld.param.b32 %r, [b]; }"""
    registers = ".reg .b64 %d; .reg .b32 %r; mov.u32 %r, 0;"
    loaded, _ = inlined(tmp_path, f"{functions}.entry k() {{ {registers} {taken} {call} ret; }}\n")
    (said,) = (d.message for d in loaded.diagnostics if d.kind == CALL_ASSUMED)
    assert "is taken to be of same, in_register: " in said


SUM_TO = """
.func (.param .b32 back) sum_to(.param .b32 n, .param .b32 more)
{
.reg .pred %p; .reg .b32 %n, %more, %less, %r, %dead;
ld.param.u32 %n, [n]; ld.param.u32 %more, [more]; mov.u32 %r, 0; mov.u32 %dead, 7;
setp.eq.u32 %p, %n, 0; @%p bra DONE;
sub.u32 %less, %n, 1; add.u32 %less, %less, %dead; sub.u32 %less, %less, 7;
{ .param .b32 a; .param .b32 b; .param .b32 c; st.param.b32 [a], %less; st.param.b32 [b], %more;
  call (c), sum_to, (a, b); ld.param.b32 %r, [c]; }
add.u32 %r, %r, %n; add.u32 %r, %r, %more; setp.lt.u32 %p, %r, %n; @%p bra DONE; add.u32 %r, %r, 1;
DONE: st.param.b32 [back], %r; ret;
}
.entry k() { .reg .b32 %r; mov.u32 %r, 3; { .param .b32 a; .param .b32 b; .param .b32 c;
st.param.b32 [a], %r; st.param.b32 [b], %r; call (c), sum_to, (a, b); ld.param.b32 %r, [c]; } ret; }
"""


def test_a_frame_has_room_for_what_lives_on_behind_the_call_and_no_more(tmp_path: Path) -> None:
    """``n`` and ``more``, 4 B each, beside 24 B of the frame itself: two times 16 B, just full."""
    _, kernel = inlined(tmp_path, SUM_TO)
    (frame,) = (i.operands[1] for i in kernel.instructions if i.operation.name == "alloca")
    assert frame == Imm(32)
