"""Valid but unusual modules: names, numbers and types that few compilers write."""

import pytest
from llvm_inputs.rendered import NVPTX, kernel_text, parsed, rendered

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.analyzer.ir.kernel import FloatImm, Symbol


def warnings(result):
    return [d.message for d in result.diagnostics if d.severity.value == "warning"]


def module_of(around, body, parameters="ptr %p"):
    return f"{NVPTX}{around}\ndefine ptx_kernel void @k({parameters}) {{\n{body}\n  ret void\n}}\n"


# -- names
def test_a_kernel_that_names_itself_is_there_once():
    body = "  %a = ptrtoint ptr @k to i64\n  call void @k(ptr %p)"
    module = parsed(module_of("", body)).module
    assert [k.name for k in module.kernels] == ["k"]
    assert module.functions == module.declarations == ()


def test_functions_in_a_variables_table_are_lowered_or_declared():
    around = (
        "@table = constant [3 x ptr] [ptr @twice, ptr @other, ptr @deep]\n"
        "@deep = constant ptr @inner\n"
        "define i32 @twice(i32 %x) {\n  %a = shl i32 %x, 1\n  ret i32 %a\n}\n"
        "define void @inner() {\n  ret void\n}\ndefine void @unused() {\n  ret void\n}\n"
        "declare i32 @other(i32)\n"
    )
    module = parsed(module_of(around, "  store ptr @table, ptr %p")).module
    assert [f.name for f in module.functions] == ["twice", "inner"]
    assert [d.name for d in module.declarations] == ["other"]
    table, deep = module.variables
    assert table.initialiser == (Symbol("twice"), Symbol("other"), Symbol("deep"))
    assert deep.initialiser == (Symbol("inner"),)


def test_an_alias_is_what_it_stands_for():
    around = (
        "@v = addrspace(1) global i32 1\n@w = alias i32, ptr addrspace(1) @v\n"
        "@g = alias void (), ptr @f\n@h = alias void (), ptr @g\n"
        "define void @f() {\n  ret void\n}\n"
    )
    body = "  call void @h()\n  store i32 2, ptr addrspace(1) @w"
    module = parsed(module_of(around, body)).module
    assert rendered(module.kernels[0])[:2] == ["call {}, &f, {}", "st.global.b32 [&v], 2"]
    assert [f.name for f in module.functions] == ["f"]


@pytest.mark.parametrize(
    "what", ["ifunc void (), ptr @f", "alias i8, getelementptr (i8, ptr @v, i64 1)"]
)
def test_an_address_that_is_not_known_is_said(what):
    around = f"@v = global i32 1\n@a = {what}\ndefine ptr @f() {{\n  ret ptr null\n}}\n"
    result = parsed(module_of(around, "  store ptr @a, ptr %p"))
    assert [d.name for d in result.module.declarations] == ["a"]
    assert "what `a` is an address of is not known" in warnings(result)


def test_metadata_of_any_name_is_cut_from_a_branch():
    text = module_of("", "  br label %e, !\\0Em.x !0, !a-b$ !0\ne:") + "!0 = !{}\n"
    result = parsed(text)
    assert warnings(result) == []
    assert rendered(result.module.kernels[0]) == ["bra e", "ret"]


def test_a_number_of_very_many_digits_is_a_warning():
    digits = "1" * 5000
    body = f"%a = add i64 %l, {digits}\n%b = getelementptr i32, ptr %q, i64 {digits}"
    result = parsed(kernel_text(body))
    assert warnings(result) == [
        "an integer of 5000 digits is not understood; its operands are kept, its work is unknown"
    ] * 2  # fmt: skip


@pytest.mark.parametrize("count", ["", "x", "1,,2", "1" * 5000])
def test_launch_bounds_that_are_no_numbers_say_nothing(count):
    text = module_of("", "").replace(") {", f') "nvvm.maxntid"="{count}" {{')
    assert parsed(text).module.kernels[0].bounds.max_threads is None


def test_a_mangled_name_with_a_length_beyond_all_names():
    name = "_Z" + "1" * 5000 + "x"
    result = parsed(module_of(f"declare void @{name}()", f"  call void @{name}()"))
    assert [d.name for d in result.module.declarations] == [name]


def test_the_bits_of_an_integer_constant_as_a_float():
    result = parsed(kernel_text("%a = bitcast i32 1065353216 to float\n%b = fadd float %a, %f"))
    (move, *_) = result.module.kernels[0].instructions
    assert isinstance(move.operands[1], FloatImm)
    assert move.operands[1].bits == 1065353216


# -- types
WIDE = """%b = load iN, ptr %q
%x1 = add iN %b, 3
%x2 = mul iN %x1, %b
%x3 = shl iN %x2, 3
%x4 = ashr iN %x3, %x1
%x5 = icmp slt iN %x4, %b
%x6 = select i1 %x5, iN %x4, iN -1
%x7 = trunc iN %x6 to i32
%x8 = sitofp iN %x6 to float
%x9 = bitcast iN %x6 to <N x i1>
%y1 = bitcast <N x i1> %x9 to iN
%y2 = insertvalue { i32, iN } undef, iN %y1, 1
%y3 = freeze iN %y1
%y4 = sext i32 %x7 to iN
%y5 = xor iN %y4, %y3
store iN %y5, ptr %q
store { i32, iN } %y2, ptr %q
store iN 5, ptr %q"""


@pytest.mark.parametrize("bits", [65, 66, 72, 80, 96, 97, 128, 129])
def test_words_of_wide_integers_are_no_narrow_registers(bits):
    result = parsed(kernel_text(WIDE.replace("iN", f"i{bits}").replace("<N", f"<{bits}")))
    assert warnings(result) == []


def test_vectors_of_wide_integers_are_made_of_narrow_ones():
    body = (
        "%v = load <16 x float>, ptr %q\n%w = bitcast <16 x float> %v to <4 x i128>\n"
        "%e = extractelement <4 x i128> %w, i64 2\nstore i128 %e, ptr %q"
    )
    assert warnings(parsed(kernel_text(body))) == []


NAMES = "".join(f"%t{n} = type {{ %t{n + 1}, %t{n + 1} }}\n" for n in range(50))
CHAIN = "".join(f"%t{n} = type {{ %t{n + 1} }}\n" for n in range(3000))


@pytest.mark.parametrize(
    ("around", "type_", "parts"),
    [
        ("", "[1000000000 x i32]", 10**9),
        ("", "[1000000 x { i32, [1000 x i8] }]", 1001 * 10**6),
        (NAMES + "%t50 = type { i32 }\n", "%t0", 2**50),
    ],
)
def test_a_value_of_very_many_parts_is_a_warning(around, type_, parts):
    result = parsed(module_of(around, f"  %x = load {type_}, ptr %p"))
    assert [w.split(" is not")[0] for w in warnings(result)] == [f"a value of {parts} parts"]


def test_very_many_elements_of_nothing_take_no_time():
    result = parsed(module_of("", "  %x = load { i32, [4000000000 x {}] }, ptr %p"))
    assert rendered(result.module.kernels[0]) == ["ld.global.b32 %x.0, [%p]", "ret"]


def test_types_that_nest_too_deep_are_an_error():
    text = module_of(CHAIN + "%t3000 = type { i32 }\n", "  %x = load %t0, ptr %p")
    with pytest.raises(InputError, match="nest deeper than can be followed"):
        parse(Source("t.ll", text))


def test_a_large_table_is_not_too_many_parts():
    around = f'@t = constant [70000 x i8] c"{"a" * 70000}"'
    (variable,) = parsed(module_of(around, "  store ptr @t, ptr %p")).module.variables
    assert variable.initialiser == (97,) * 70000


@pytest.mark.parametrize(
    ("name", "given"),
    [("_Z5clampiii", "i32 %x, i1 0, i32 %y"), ("_Z3maxii", "i64 %l, i32 %x"),
     ("_Z3maxii", "i64 %l, i8 %c"), ("_Z4fmaxff", "float %f, double %d")],
)  # fmt: skip
def test_a_known_name_with_arguments_of_other_types_is_not_the_known_function(name, given):
    types = [argument.split()[0] for argument in given.split(", ")]
    around = f"declare {types[0]} @{name}({', '.join(types)})"
    call = f"call {types[0]} @{name}({given})"
    result = parsed(kernel_text(f"%a = {call}\n%b = {call}", around=around))
    assert [d.name for d in result.module.declarations] == [name]
    assert "is not in the table" in warnings(result)[0]
