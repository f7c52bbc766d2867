"""Sources compiled: which compiler is asked for what, what is kept, and what is told of problems.

A stand-in takes a compiler's place; nothing but the last part here needs a compiler.
"""

import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from tests.reference.stand_in_compiler import nvcc_calls, stand_in, working_folder  # noqa: F401 - fixtures
from warpmill.analyzer.base.diagnostics import InputError, LimitError, Source, UsageError
from warpmill.analyzer.frontends.compilers import compile as compiling
from warpmill.analyzer.frontends.compilers import toolchains
from warpmill.analyzer.frontends.compilers.compile import compile_source
from warpmill.analyzer.frontends.compilers.languages import kernel_templates, language_of
from warpmill.analyzer.frontends.compilers.options import CompileOptions
from warpmill.analyzer.frontends.compilers.toolchains import (
    MAX_SECONDS_VARIABLE,
    Tool,
    Unit,
    clang_command,
    nvrtc_options,
)
from warpmill.analyzer.frontends.load import kernel_names, load_all, load_kernel
from warpmill.executor.host.device import Device

CASES = Path(__file__).parents[1] / "cases"

PLAIN = "// kernel: plain\n__global__ void plain() {}\n"


def _written(folder, text=PLAIN, name="k.cu"):
    (folder / name).write_text(text)
    return name


# What is asked for.


def test_a_source_is_compiled_for_its_chip_with_lines(folder, nvcc):
    made = compile_source(_written(folder))
    assert (made.format, made.language) == ("PTX", "CUDA")
    assert (made.compiler, made.version) == ("nvcc", "13.0.1")
    assert made.by == "nvcc 13.0.1 --arch sm_80"
    (call,) = nvcc()
    assert {"-ptx", "-lineinfo", "-arch=sm_80"} <= set(call)
    assert call[-1] == str(folder / "k.cu")


def test_options_reach_the_compiler_each_as_one_word(folder, nvcc):
    options = CompileOptions(("in c",), ("TILE=64", "F(x)=x + 1"), "c++20", "sm_90a")
    compile_source(_written(folder), options)
    (call,) = nvcc()
    wanted = [f"-I{folder}/in c", "-DTILE=64", "-DF(x)=x + 1", "-std=c++20", "-arch=sm_90a"]
    assert set(wanted) <= set(call)


def test_macros_may_be_a_mapping():
    assert CompileOptions(define={"TILE": 64}).define == ("TILE=64",)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"define": ["-x"]}, "--define -x: a macro is NAME or NAME=VALUE"),
        ({"define": ["A=1\n#include <x>"]}, "a macro is NAME or NAME=VALUE"),
        ({"arch": "volta"}, "--arch volta: chips are called sm_NN"),
        ({"std": "-E"}, "--std -E: this is no name of a language standard"),
        ({"compiler": "gcc"}, "--compiler gcc: compilers are nvcc, nvrtc, clang"),
    ],
)
def test_options_that_no_compiler_takes_are_refused(options, said):
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        CompileOptions(**options)


def test_all_that_is_wrong_with_options_is_said_at_once():
    with pytest.raises(UsageError) as caught:
        CompileOptions(define=["1"], arch="x")
    assert len(caught.value.diagnostics) == 2


def _unit(language, arch, instance=None, **options):
    how = CompileOptions(arch=arch, **options)
    return Unit(Path("/w/k.cu"), language, how, instance, Path("/t"))


CLANG = Tool("clang", Path("/bin/clang"), "22.1.8", "clang")


@pytest.mark.parametrize(
    ("language", "arch", "words"),
    [
        ("CUDA", "sm_90", ["-x", "cuda", "--cuda-gpu-arch=sm_90", "-nocudainc", "-std=c++17"]),
        ("HIP", "gfx942", ["-x", "hip", "--offload-arch=gfx942", "-nogpulib", "-std=c++17"]),
        ("OpenCL", "sm_80", ["--target=nvptx64-nvidia-cuda", "-march=sm_80", "-cl-std=c++17"]),
        ("OpenCL", "gfx90a", ["--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a"]),
        ("OpenCL", "spir64", ["--target=spir64"]),
    ],
)
def test_clang_gets_the_language_and_the_chip(language, arch, words):
    command = clang_command(CLANG, _unit(language, arch, std="c++17"), Path("/t/k.ll"))
    assert set(words) <= set(command)
    assert {"-emit-llvm", "-S", "-gline-tables-only"} <= set(command)


def test_nvrtc_gets_a_virtual_chip_and_looks_beside_the_source_for_files():
    options = nvrtc_options(_unit("CUDA", "sm_90a", include=["/i"], define=["N=1"]))
    assert options[:2] == ["--gpu-architecture=compute_90a", "-lineinfo"]
    assert options.index("-I/i") < options.index("-I/w")
    assert "-DN=1" in options


def test_the_language_is_that_of_the_name_or_of_the_text():
    assert language_of(Source("a.hip", "")) == "HIP"
    assert language_of(Source("a.cu", '#include "hip/hip_runtime.h"')) == "HIP"
    assert language_of(Source("a.cu", "// #include <hip/hip_runtime.h>\n")) == "CUDA"
    assert language_of(Source("a.cpp", "__global__ void k();")) == "CUDA"
    assert language_of(Source("a.c", "kernel void k() {}")) == "OpenCL"


@pytest.mark.parametrize(
    ("text", "said"), [("int main() {}", "no `__global__`"), ("#include <sycl/sycl.hpp>", "SYCL")]
)
def test_a_source_without_kernels_of_ours_is_refused(text, said):
    with pytest.raises(InputError, match=said):
        language_of(Source("a.cpp", text))


# Which compiler.


def test_without_a_compiler_all_that_was_looked_for_is_said_once(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    for name in ("_wheel_folders", "_cuda_folders", "_file_in"):
        monkeypatch.setattr(toolchains, name, lambda *_: [])
    monkeypatch.setattr("ctypes.util.find_library", lambda _: None)
    with pytest.raises(UsageError) as caught:
        compile_source(_written(folder))
    (problem,) = caught.value.diagnostics
    assert all(word in problem.message for word in ("nvcc", "NVRTC", "clang"))
    assert "warpmill[cuda]" in problem.hint
    with pytest.raises(UsageError) as caught:
        compile_source(_written(folder, name="k.hip"))
    assert "nvcc" not in str(caught.value)


def test_a_compiler_of_another_language_is_refused(folder):
    with pytest.raises(UsageError, match="--compiler nvcc does not compile OpenCL: clang does"):
        compile_source(_written(folder, name="k.cl"), CompileOptions(compiler="nvcc"))


# What is kept.


def test_what_was_compiled_is_kept_until_something_changes(folder, nvcc, tmp_path, monkeypatch):
    (folder / "a.h").write_text('#include "b.h"\n')
    (folder / "b.h").write_text("// one\n")
    name = _written(folder, '#include "a.h"\n' + PLAIN)

    def calls():
        compiling._MEMORY.clear()
        compile_source(name)
        return len(nvcc())

    assert [calls(), calls()] == [1, 1]
    (folder / "b.h").write_text("// two\n")
    assert calls() == 2, "an included file has changed"
    (folder / name).write_text((folder / name).read_text() + "\n")
    assert calls() == 3, "the source has changed"
    stand_in(tmp_path / "bin", monkeypatch, "13.1")
    compiling._FOUND.clear()
    toolchains._asked.cache_clear()
    assert calls() == 4, "the compiler has changed"
    compile_source(name, CompileOptions(define=["A"]))
    assert len(nvcc()) == 5, "the options have changed"


def test_a_header_that_is_found_earlier_counts(folder, nvcc):
    for place in ("one", "two"):
        (folder / place).mkdir()
    (folder / "two" / "a.h").write_text("")
    name = _written(folder, "#include <a.h>\n" + PLAIN)
    options = CompileOptions(include=["one", "two"])
    compile_source(name, options)
    (folder / "one" / "a.h").write_text("")
    compile_source(name, options)
    assert len(nvcc()) == 2


@pytest.mark.parametrize("line", ["#include NAME", "int t = __TIME__[0];"])
def test_what_cannot_be_told_beforehand_is_compiled_each_time(folder, nvcc, line):
    name = _written(folder, f"{line}\n" + PLAIN)
    compile_source(name)
    compile_source(name)
    assert len(nvcc()) == 2


def test_a_damaged_file_of_the_cache_is_made_anew(folder, nvcc):
    name = _written(folder)
    first = compile_source(name)
    (kept,) = compiling.cache_folder().iterdir()
    kept.write_bytes(kept.read_bytes()[:20])
    compiling._MEMORY.clear()
    assert compile_source(name) == first
    assert len(nvcc()) == 2


def test_a_cache_that_cannot_be_written_keeps_nothing_from_being_compiled(
    folder, nvcc, tmp_path, monkeypatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert compile_source(_written(folder)).source.text


# What is told.


def test_the_compilers_errors_are_shown_as_they_are_once(folder, nvcc):
    with pytest.raises(InputError) as caught:
        compile_source(_written(folder, "// wrong\n" + PLAIN))
    (problem,) = caught.value.diagnostics
    assert problem.message.count('k.cu(1): error: identifier "b" is undefined') == 1
    assert str(folder) not in problem.message, "files are called as they were given"
    assert problem.message.startswith("nvcc 13.0.1 does not compile it:\n")


def test_a_host_compiler_that_is_lacking_is_no_end(folder, nvcc):
    (folder / "k.cu").write_text("// wrong: sh: 1: gcc: not found\n" + PLAIN)
    with pytest.raises(InputError, match="--compiler nvrtc and --compiler clang need none"):
        compile_source("k.cu")


def test_warnings_are_a_note_also_of_what_was_kept(folder, nvcc):
    name = _written(folder, "// warned\n" + PLAIN)
    for _ in range(2):
        loaded, _ = load_kernel(name)
        (note,) = loaded.diagnostics
        assert note.severity.value == "note"
        assert "k.cu(1): warning: unused" in note.message


def test_a_compiler_that_does_not_end_is_stopped(folder, nvcc, monkeypatch):
    monkeypatch.setenv(MAX_SECONDS_VARIABLE, "1")
    begun = time.monotonic()
    with pytest.raises(LimitError, match="nvcc has taken 1 s") as caught:
        compile_source(_written(folder, "// slow\n" + PLAIN))
    assert time.monotonic() - begun < 40, "it would have taken a minute"
    assert MAX_SECONDS_VARIABLE in str(caught.value)


def test_nothing_is_left_of_a_run(folder, nvcc, tmp_path, monkeypatch):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    compile_source(Source("k.cu", PLAIN))
    assert list(place.iterdir()) == []


# Kernels, and where they stand.


def test_a_text_is_compiled_under_its_name(folder, nvcc):
    made = compile_source(Source("made/up.cu", PLAIN))
    assert '.file 1 "made/up.cu"' in made.source.text
    assert made.source.name == "made/up.cu (PTX)"
    assert made.compiled_from.name == "made/up.cu"


def test_lines_point_into_the_source(folder, nvcc):
    loaded, kernel = load_kernel(_written(folder))
    assert loaded.path == "k.cu"
    assert {(i.debug.file, i.debug.line) for i in kernel.instructions} == {("k.cu", 3)}


TEMPLATE = """// kernel: _Z1kILi32EEvPi
template <int N>
__global__ void k(int *a) { a[N] = 0; }
"""


def test_an_instance_is_made_by_a_file_that_includes_the_source(folder, nvcc):
    name = _written(folder, TEMPLATE)
    _, kernel = load_kernel(name, "k<64>")
    assert kernel.name == "_Z1kILi64EEvPi"
    assert kernel_names(name) == ("_Z1kILi32EEvPi",)
    assert nvcc()[0][-1].endswith("instance.cu")
    assert {i.debug.file for i in kernel.instructions} == {"k.cu"}


def test_an_instance_that_is_spelt_otherwise_is_the_one_that_came_with_it(folder, nvcc):
    _, kernel = load_kernel(_written(folder, TEMPLATE), "k<(32 * 2)>")
    assert kernel.name == "_Z1kILi64EEvPi"


def test_what_is_wrong_with_an_instance_is_said_of_the_option(folder, nvcc):
    with pytest.raises(InputError) as caught:
        load_kernel(_written(folder, "// wrong\n" + TEMPLATE), "k<64>")
    assert '\n--kernel(1): error: identifier "b" is undefined' in str(caught.value)


def test_no_code_comes_of_a_kernels_name(folder, nvcc):
    with pytest.raises(UsageError, match="no name of a template's instance"):
        load_kernel(_written(folder, TEMPLATE), 'k<1>; asm("x"); k<2>')


@pytest.mark.parametrize("kernel", [None, "k"])
def test_templates_are_listed_where_a_kernel_is_not_there(folder, nvcc, kernel):
    name = _written(folder, TEMPLATE.replace("// kernel: _Z1kILi32EEvPi", "// none"))
    with pytest.raises((InputError, UsageError)) as caught:
        load_kernel(name, kernel)
    assert "templates: k<N> (line 2)" in str(caught.value)
    assert "--kernel 'k<N>' with values for N" in str(caught.value)


def test_templates_are_a_note_where_a_file_has_no_other_kernels(folder, nvcc):
    name = _written(folder, TEMPLATE.replace("// kernel: _Z1kILi32EEvPi", "// none"))
    (note,) = load_all(name)[0].diagnostics
    assert note.severity.value == "note"
    assert "k<N> (line 2)" in note.message


def test_templates_are_found_with_all_that_stands_around_a_name():
    text = """
    template <typename T, int N = 4, template <class> class P>
    // template <int X> __global__ void commented()
    static __global__ void __launch_bounds__(256, 2) one(T *a) {}
    template <int A>
    __global__ __launch_bounds__(128) void two(int *a);
    template <class T> __device__ T helper(T a) { return a; }
    __global__ void plain(int *a) {}
    template <> __global__ void seven<float>(float *a) {}
    """
    found = [str(template) for template in kernel_templates(text)]
    assert found == ["one<T, N, P>", "two<A>"]


# With the compilers that are there.


def _there(name):
    compiler = next(c for c in toolchains.COMPILERS if c.name == name)
    return pytest.mark.skipif(compiler.find() is None, reason=f"{name} is not there")


EACH = [pytest.param(name, marks=_there(name)) for name in ("nvcc", "nvrtc", "clang")]


@pytest.mark.parametrize("compiler", EACH)
@pytest.mark.parametrize(
    ("file", "kernel", "line"),
    [
        ("63-tune-softmax/softmax.cu", None, "m = fmaxf(m, row[i])"),
        ("doors/reduce.cu", "reduce_sum<128>", "sum += in[i]"),
        ("65-clone-stencil/stencil.cu", None, "float above = p[plane]"),
    ],
)
@pytest.mark.one_in(2)
def test_each_compiler_makes_a_kernel_with_the_lines_of_its_source(
    folder, compiler, file, kernel, line
):
    file = Path(shutil.copy(CASES / file, folder)).name
    loaded, found = load_kernel(file, kernel, compile_options=CompileOptions(compiler=compiler))
    assert loaded.compiled.compiler == compiler
    lines = (folder / file).read_text().splitlines()
    number = next(n for n, text in enumerate(lines, 1) if line in text)
    loads = {
        (i.debug.file, i.debug.line)
        for i in found.instructions
        if i.debug is not None and i.operation.name == "ld"
    }
    assert (file, number) in loads


@_there("clang")
@pytest.mark.parametrize(("file", "warp"), [("saxpy.hip", 64), ("saxpy.cl", 32)])
def test_clang_compiles_hip_and_opencl_without_their_toolkits(folder, file, warp):
    loaded, found = load_kernel(CASES / "doors" / file)
    assert loaded.module.warp_size == warp
    assert found.name == "saxpy"
    assert [d for d in loaded.diagnostics if d.severity.value != "note"] == []


SCAN = """#include <hip/hip_runtime.h>
__global__ void scan(const float *x, float *y, int *hits, int *moved) {
    int lane = threadIdx.x & (warpSize - 1), at = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[at];
    for (int d = 1; d < warpSize; d *= 2) {
        float below = __shfl_up(v, d);
        if (lane >= d) v += below;
    }
    y[at] = v;
    moved[at] = __shfl_down(lane, 1) + 1000 * __shfl_xor(lane, 1) + 1000000 * __shfl(lane, 3);
    if (__any(v > 3.f)) atomicAdd(hits, __popcll(__ballot(v > 3.f)));
}
"""


@_there("clang")
@pytest.mark.parametrize(("arch", "lanes"), [("gfx90a", 64), ("sm_80", 32)])
@pytest.mark.one_in(1)
def test_hips_words_mean_what_hip_says_on_chips_of_both_makers(folder, arch, lanes):
    (folder / "scan.hip").write_text(SCAN)
    device = Device("cpu")
    module = device.load("scan.hip", compile_options=CompileOptions(arch=arch))
    x, y = device.array(np.ones(128, np.float32)), device.array(np.zeros(128, np.float32))
    hits, moved = (device.array(np.zeros(size, np.int32)) for size in (1, 128))
    device.launch(module.kernel("scan"), 2, 64, [x, y, hits, moved])
    assert y.get().tolist() == [1 + n % lanes for n in range(128)]
    assert hits.get().tolist() == [128 * (lanes - 3)]
    of_lane = [min(n + 1, lanes - 1) + 1000 * (n ^ 1) + 3000000 for n in range(lanes)]
    assert moved.get().tolist() == of_lane * (128 // lanes)


def test_where_no_compiler_is_found_it_is_said_what_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "_found", lambda _: None)
    (tmp_path / "k.cu").write_text("__global__ void k(float *x) { *x = 1; }")
    with pytest.raises(UsageError, match=r"Looked for: .*nvcc.*clang") as caught:
        compiling.compile_source(tmp_path / "k.cu")
    assert "warpmill[cuda]" in caught.value.diagnostics[0].hint
