"""Modules: targets, kernels, launch bounds, promotion of unoptimised code, bitcode, samples."""

import re
from pathlib import Path

import pytest
from llvm_inputs.rendered import parsed, rendered

from warpmill.analyzer.base.diagnostics import Source, Span
from warpmill.analyzer.frontends.llvm import parse, read_bitcode, scan
from warpmill.analyzer.frontends.llvm.calls import is_dropped
from warpmill.analyzer.ir.verifier import verify

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MODULES = sorted(SAMPLES.glob("*/*.bc"))
TWO = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @first() #0 #1 {
  ret void
}
define ptx_kernel void @second() #1 !reqd_work_group_size !1 {
  ret void
}
define void @device() {
  ret void
}
attributes #0 = { "nvvm.maxntid"="256,2" "nvvm.minctasm"="3" "nvvm.maxnreg"="40" }
attributes #1 = { "target-cpu"="sm_90" }
!llvm.ident = !{!0}
!0 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!1 = !{i32 16, i32 8, i32 1}
"""


def test_scan_lists_kernels_with_their_places():
    headers = scan(Source("t.ll", TWO))
    assert [(h.name, h.span.line) for h in headers] == [("first", 2), ("second", 5)]


def test_only_the_asked_kernel_is_parsed():
    assert [k.name for k in parse(Source("t.ll", TWO), "second").module.kernels] == ["second"]
    assert [k.name for k in parsed(TWO).module.kernels] == ["first", "second"]


def test_module_facts():
    module = parsed(TWO).module
    assert (module.target, module.version) == ("sm_90", "22.1.8")
    assert (module.address_bits, module.warp_size) == (64, 32)


def test_launch_bounds():
    first, second = (k.bounds for k in parsed(TWO).module.kernels)
    assert first.max_threads == (256, 2)
    assert (first.min_ctas_per_sm, first.max_registers) == (3, 40)
    assert second.required_threads == (16, 8, 1)
    assert (second.max_threads, second.min_ctas_per_sm) == (None, None)


def test_annotated_kernels_of_older_compilers():
    text = (
        "define void @k() {\n  ret void\n}\n!nvvm.annotations = !{!0, !1}\n"
        '!0 = !{ptr @k, !"kernel", i32 1}\n!1 = !{ptr @k, !"maxntidx", i32 128}\n'
    )
    (kernel,) = parsed(text).module.kernels
    assert (kernel.name, kernel.bounds.max_threads) == ("k", (128,))


@pytest.mark.parametrize(
    ("triple", "convention", "features", "expected"),
    [
        ("amdgcn-amd-amdhsa", "amdgpu_kernel", "", (64, 64, "gfx90a")),
        ("amdgcn-amd-amdhsa", "amdgpu_kernel", "+wavefrontsize32", (32, 64, "gfx90a")),
        ("spir64-unknown-unknown", "spir_kernel", "", (32, 64, "spir64-unknown-unknown")),
        ("spir-unknown-unknown", "spir_kernel", "", (32, 32, "spir-unknown-unknown")),
    ],
)
def test_other_targets(triple, convention, features, expected):
    text = (
        f'target triple = "{triple}"\ndefine {convention} void @k(ptr addrspace(3) %s) #0 {{\n'
        "  store i32 1, ptr addrspace(3) %s\n  ret void\n}\n"
        f'attributes #0 = {{ "target-cpu"="gfx90a" "target-features"="{features}" }}\n'
    )
    module = parsed(text).module
    assert (module.warp_size, module.address_bits, module.target) == expected
    assert rendered(module.kernels[0])[0] == "st.shared.b32 [%s], 1"


WRAPPED = """target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %0, i32 %1) !reqd_work_group_size !0 {
  call spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) %0, i32 %1)
  ret void
}
define spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) %0, i32 %1) {
  store i32 %1, ptr addrspace(1) %0
  ret void
}
!0 = !{i32 64, i32 1, i32 1}
"""


def test_an_opencl_kernel_and_its_implementation_are_one():
    assert [h.name for h in scan(Source("t.ll", WRAPPED))] == ["k"]
    module = parsed(WRAPPED).module
    (kernel,) = module.kernels
    assert rendered(kernel) == ["st.global.b32 [%0], %1", "ret"]
    assert (kernel.span.line, kernel.bounds.required_threads) == (2, (64, 1, 1))
    assert module.functions == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  ret void\n}\ndefine spir_func", "  fence seq_cst\n  ret void\n}\ndefine spir_func"),
        ("imp_k(ptr addrspace(1) %0, i32 %1)\n", "imp_k(ptr addrspace(1) %0, i32 7)\n"),
        ("  call spir_func", "  br label %3\n3:\n  call spir_func"),
    ],
)
def test_a_kernel_that_does_more_than_pass_its_parameters_on_keeps_its_own_body(old, new):
    assert WRAPPED.count(old) == 1
    module = parsed(WRAPPED.replace(old, new)).module
    assert any(line.startswith("call ") for line in rendered(module.kernels[0]))
    assert [f.name for f in module.functions] == ["__clang_ocl_kern_imp_k"]


UNOPTIMISED = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %0, i32 %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %5 = load ptr, ptr %3, align 8
  %6 = load i32, ptr %4, align 4
  store i32 %6, ptr %5, align 4
  ret void
}
attributes #0 = { noinline optnone "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
"""


def test_stack_slots_of_unoptimised_code_are_promoted():
    result = parsed(UNOPTIMISED)
    (kernel,) = result.module.kernels
    assert rendered(kernel) == ["st.global.b32 [%0], %1", "ret"]
    assert kernel.variables == ()
    assert result.source.derived and result.source.name == "t.ll"
    store = kernel.blocks[0].instructions[0]
    assert result.source.line(store.span.line).strip() == "store i32 %1, ptr %0, align 4"


def test_optimised_text_keeps_its_own_spans():
    result = parsed(TWO)
    assert not result.source.derived
    assert result.module.kernels[1].span == Span(5, 1, 63)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.name)
def test_every_statement_of_the_samples_has_an_instruction(path):
    result = parse(read_bitcode(path.read_bytes(), path.name))
    assert verify(result.module) == ()
    assert [d for d in result.diagnostics if d.severity.value == "warning"] == []
    assert result.module.kernels
    for kernel in result.module.kernels:
        found = {i.span.line for i in kernel.instructions}
        wanted = statement_lines(result.source.lines, kernel.name)
        assert found == wanted
        assert len(wanted) >= 10


def statement_lines(lines, kernel):
    """Lines of the kernel's statements that have to become instructions, found independently."""
    heads = [n for n, line in enumerate(lines) if re.match(rf"define .*[@_]{kernel}\(", line)]
    ends = [next(n for n in range(head, len(lines)) if lines[n] == "}") for head in heads]
    # a kernel of two statements is a wrapper around its implementation
    is_wrapper = ends[0] - heads[0] == 3
    start, end = (heads[-1], ends[-1]) if is_wrapper else (heads[0], ends[0])
    wanted = set()
    for number in range(start + 1, end):
        line = lines[number].strip()
        callee = re.search(r"@([\w.]+)\(", line) if " call " in f" {line}" else None
        skipped = not line or line.startswith((";", "#dbg")) or re.match(r"[\w.]+:", line)
        if skipped or re.search(r"= (phi|alloca) ", line) or (callee and is_dropped(callee[1])):
            continue
        wanted.add(number + 1)
    return wanted


@pytest.mark.parametrize("name", ["vecadd", "matmul"])
def test_bitcode_gives_the_same_kernel_as_text(name):
    folder = SAMPLES / name
    source = read_bitcode((folder / f"{name}.bc").read_bytes(), f"{name}.bc")
    assert source.derived and source.name == f"{name}.bc"
    from_bitcode = parse(source).module.kernels[0]
    from_text = parse(Source("t", (folder / f"{name}.ll").read_text())).module.kernels[0]
    assert rendered(from_bitcode) == rendered(from_text)


def test_opencl_and_cuda_samples_read_the_same_special_registers():
    def specials(path):
        kernel = parse(read_bitcode(path.read_bytes(), path.name)).module.kernels[0]
        return {w for line in rendered(kernel) for w in re.findall(r"%n?(?:tid|ctaid)\.\w", line)}

    folder = SAMPLES / "matmul"
    assert specials(folder / "matmul.bc") == specials(folder / "matmul.opencl.bc")
    assert specials(folder / "matmul.bc") == {"%tid.x", "%tid.y", "%ctaid.x", "%ctaid.y"}
