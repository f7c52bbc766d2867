"""What integers of all widths become computes the values that LLVM's own folding gives.

Operands lie in memory, so that loads and stores of odd widths are part of what is checked.
"""

import random

import llvmlite.binding as llvm
import pytest
from llvm_inputs.evaluate import run

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.analyzer.ir.verifier import verify

A, B, RESULT = 0, 256, 512
WIDTHS = [3, 8, 16, 20, 24, 32, 48, 63, 64, 65, 96, 100, 128, 200, 256]
BINARY = [
    "add",
    "sub",
    "mul",
    "and",
    "or",
    "xor",
    "shl",
    "lshr",
    "ashr",
    "udiv",
    "sdiv",
    "urem",
    "srem",
]
PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
INTRINSICS = ["smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"]
ONE = ["ctpop", "ctlz", "cttz", "bitreverse", "bswap", "abs"]


def folded(width, statement, around=""):
    """The value that LLVM folds an expression to; ``%r`` is the result, of any integer type."""
    result = statement.split("; ")[-1]
    text = f"define {result} @f() {{\n{statement.split('; ')[0]}\n  ret {result} %r\n}}\n{around}"
    module = llvm.parse_assembly(text)
    llvm.initialize_all_targets()
    machine = llvm.Target.from_default_triple().create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    passes.add_instruction_combine_pass()
    passes.run(module, builder)
    value = str(module).split(f"ret {result} ")[1].split("\n")[0]
    if value in ("true", "false"):
        return int(value == "true")
    assert value != "poison"
    return int(value) % (1 << int(result[1:]))


def lowered(width, lines, result, around=""):
    """Load ``%a`` and ``%b``, do the lines, store ``%r``; give a kernel."""
    text = (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
        f"  %a = load i{width}, ptr addrspace(1) %p, align 4\n"
        f"  %q = getelementptr i8, ptr addrspace(1) %p, i64 {B}\n"
        f"  %b = load i{width}, ptr addrspace(1) %q, align 1\n{lines}\n"
        f"  %z = getelementptr i8, ptr addrspace(1) %p, i64 {RESULT}\n"
        f"  store {result} %r, ptr addrspace(1) %z, align 2\n  ret void\n}}\n{around}"
    )
    parsed = parse(Source("t.ll", text))
    assert [str(d) for d in verify(parsed.module)] == []
    assert [d.message for d in parsed.diagnostics if d.severity.value == "warning"] == []
    return parsed.module.kernels[0]


def computed(kernel, a, b, size):
    """Run the kernel on two values; give the one that it stores."""
    memory = bytearray(1024)
    memory[A : A + 40] = a.to_bytes(40, "little")
    memory[B : B + 40] = b.to_bytes(40, "little")
    run(kernel, memory)
    return int.from_bytes(memory[RESULT : RESULT + size], "little")


def values(width, seed):
    rng = random.Random(f"{width} {seed}")
    top = 1 << width
    special = [0, 1, top - 1, top // 2, top // 2 - 1, 5 % top]
    pairs = [(rng.choice(special), rng.choice(special)) for _ in range(4)]
    return pairs + [(rng.getrandbits(width), rng.getrandbits(width)) for _ in range(3)]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("opcode", BINARY)
def test_a_binary_operation(opcode, width):
    if width > 64 and opcode.endswith(("div", "rem")):
        pytest.skip("divisions beyond 64 bits are not lowered")
    kernel = lowered(width, f"  %r = {opcode} i{width} %a, %b", f"i{width}")
    for a, other in values(width, opcode):
        b = other % width if opcode in ("shl", "lshr", "ashr") else other
        if opcode.endswith(("div", "rem")):
            b = b or 1
            if b == (1 << width) - 1:
                continue  # the least number by -1 has no value
        want = folded(width, f"  %r = {opcode} i{width} {a}, {b}; i{width}")
        assert computed(kernel, a, b, (width + 7) // 8) == want


@pytest.mark.one_in(12)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("opcode", ["shl", "lshr", "ashr"])
def test_a_shift_by_a_constant(opcode, width):
    for amount in sorted({1, width // 2, width - 1, min(64, width - 1)}):
        kernel = lowered(width, f"  %r = {opcode} i{width} %a, {amount}", f"i{width}")
        for a, _ in values(width, opcode)[3:]:
            want = folded(width, f"  %r = {opcode} i{width} {a}, {amount}; i{width}")
            assert computed(kernel, a, 0, (width + 7) // 8) == want


@pytest.mark.one_in(12)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("predicate", PREDICATES)
def test_a_comparison(predicate, width):
    kernel = lowered(width, f"  %r = icmp {predicate} i{width} %a, %b", "i1")
    for a, b in [*values(width, predicate), (3, 3)]:
        want = folded(width, f"  %r = icmp {predicate} i{width} {a}, {b}; i1")
        assert computed(kernel, a, b, 1) == want


@pytest.mark.one_in(12)
@pytest.mark.parametrize("to", WIDTHS)
@pytest.mark.parametrize("source", WIDTHS)
def test_a_cast(source, to):
    for opcode in ["trunc"] if to < source else ["zext", "sext"] if to > source else []:
        kernel = lowered(source, f"  %r = {opcode} i{source} %a to i{to}", f"i{to}")
        for a, _ in values(source, to):
            want = folded(source, f"  %r = {opcode} i{source} {a} to i{to}; i{to}")
            assert computed(kernel, a, 0, (to + 7) // 8) == want


@pytest.mark.one_in(12)
@pytest.mark.parametrize("width", [8, 16, 24, 32, 48, 64])
@pytest.mark.parametrize("name", INTRINSICS)
def test_an_intrinsic_of_two(name, width):
    type_ = f"i{width}"
    around = f"declare {type_} @llvm.{name}.{type_}({type_}, {type_})\n"
    call = f"  %r = call {type_} @llvm.{name}.{type_}({type_} %a, {type_} %b)"
    kernel = lowered(width, call, type_, around)
    for a, b in values(width, name):
        text = call.replace("%a", str(a)).replace("%b", str(b))
        assert computed(kernel, a, b, width // 8) == folded(width, f"{text}; {type_}", around)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("width", [16, 24, 32, 48, 64])
@pytest.mark.parametrize("name", ONE)
def test_an_intrinsic_of_one(name, width):
    if name == "bswap" and width == 24:
        pytest.skip("LLVM swaps whole pairs of bytes only")
    type_, flag = f"i{width}", ", i1 false" if name in ("ctlz", "cttz", "abs") else ""
    declared = flag.replace(" false", "")
    around = f"declare {type_} @llvm.{name}.{type_}({type_}{declared})\n"
    call = f"  %r = call {type_} @llvm.{name}.{type_}({type_} %a{flag})"
    kernel = lowered(width, call, type_, around)
    for a, b in values(width, name):
        text = call.replace("%a", str(a))
        assert computed(kernel, a, b, width // 8) == folded(width, f"{text}; {type_}", around)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("width", [8, 16, 24, 32, 48, 64])
@pytest.mark.parametrize("name", ["sadd", "uadd", "ssub", "usub", "smul", "umul"])
def test_overflow(name, width):
    if name.endswith("mul") and width in (24, 48):
        pytest.skip("products of odd widths are not lowered")
    type_ = f"i{width}"
    around = f"declare {{{type_}, i1}} @llvm.{name}.with.overflow.{type_}({type_}, {type_})\n"
    call = f"  %t = call {{{type_}, i1}} @llvm.{name}.with.overflow.{type_}({type_} %a, {type_} %b)"
    for part, result in ((0, type_), (1, "i1")):
        lines = f"{call}\n  %r = extractvalue {{{type_}, i1}} %t, {part}"
        kernel = lowered(width, lines, result, around)
        for a, b in values(width, name):
            text = lines.replace("%a", str(a)).replace("%b", str(b))
            want = folded(width, f"{text}; {result}", around)
            assert computed(kernel, a, b, 1 if part else width // 8) == want


@pytest.mark.parametrize(
    ("source", "to"),
    [("<8 x i1>", "i8"), ("<4 x i3>", "i12"), ("<3 x i20>", "<2 x i30>"), ("<5 x i24>", "i120"),
     ("<16 x i8>", "i128"), ("<4 x i16>", "<2 x i32>"), ("<12 x i1>", "<3 x i4>"),
     ("<3 x i32>", "i96"), ("<12 x i25>", "<3 x i100>"), ("<16 x i16>", "<2 x i128>")],
)  # fmt: skip
def test_a_bit_cast_keeps_the_bits_in_memory(source, to):
    text = (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
        f"  %a = load {source}, ptr addrspace(1) %p, align 1\n  %r = bitcast {source} %a to {to}\n"
        f"  %s = bitcast {to} %r to {source}\n"
        f"  %z = getelementptr i8, ptr addrspace(1) %p, i64 {RESULT}\n"
        f"  store {to} %r, ptr addrspace(1) %z, align 1\n"
        f"  %y = getelementptr i8, ptr addrspace(1) %p, i64 {B}\n"
        f"  store {source} %s, ptr addrspace(1) %y, align 1\n  ret void\n}}\n"
    )
    kernel = parse(Source("t.ll", text)).module.kernels[0]
    numbers = [int(n) for n in source.strip("<>").replace("x i", "").split()]
    bits = numbers[0] * numbers[1]
    value = random.Random(source).getrandbits(bits)
    memory = bytearray(1024)
    memory[0:40] = value.to_bytes(40, "little")
    run(kernel, memory)
    size = (bits + 7) // 8
    assert int.from_bytes(memory[RESULT : RESULT + size], "little") == value
    assert int.from_bytes(memory[B : B + size], "little") == value


@pytest.mark.parametrize("bits", [32, 72, 96, 128])
@pytest.mark.parametrize("index", ["0", "1", "%i"])
def test_elements_of_any_width_are_moved_whole(bits, index):
    vector = f"<2 x i{bits}>"
    text = (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
        f"  %v = load {vector}, ptr addrspace(1) %p, align 1\n"
        f"  %y = getelementptr i8, ptr addrspace(1) %p, i64 {B}\n"
        "  %i = load i32, ptr addrspace(1) %y, align 4\n"
        f"  %e = extractelement {vector} %v, i32 {index}\n"
        f"  %o = insertelement {vector} %v, i{bits} 7, i32 {index}\n"
        f"  %s = shufflevector {vector} %o, {vector} %v, <3 x i32> <i32 1, i32 0, i32 2>\n"
        f"  %r = insertelement <3 x i{bits}> %s, i{bits} %e, i32 2\n"
        f"  %z = getelementptr i8, ptr addrspace(1) %p, i64 {RESULT}\n"
        f"  store <3 x i{bits}> %r, ptr addrspace(1) %z, align 1\n  ret void\n}}\n"
    )
    module = parse(Source("t.ll", text)).module
    assert [str(d) for d in verify(module)] == []
    size, number = bits // 8, 1 if index == "%i" else int(index)
    elements = [random.Random(n).getrandbits(bits) for n in range(2)]
    memory = bytearray(1024)
    memory[0 : 2 * size] = b"".join(e.to_bytes(size, "little") for e in elements)
    memory[B] = number
    run(module.kernels[0], memory)
    stored = memory[RESULT : RESULT + 3 * size]
    got = [int.from_bytes(stored[k * size :][:size], "little") for k in range(3)]
    changed = [7 if k == number else e for k, e in enumerate(elements)]
    assert got == [changed[1], changed[0], elements[number]]
