"""``warpmill FILE``: what it is, and a command that runs as it is printed."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.frontends.compilers.options import CompileOptions
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.cli.main import main
from warpmill.commands.start.result import start_report
from warpmill.executor.sanitizers.findings import Severity, Tool
from warpmill.session.checking import checked
from warpmill.session.first_launch import first_launch
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.run import run

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"


def ptx(sample):
    return str(SAMPLES / sample / f"{sample}.sm_80.ptx")


def launch_of(sample, kernel=None):
    loaded, found = load_kernel(ptx(sample), kernel)
    return first_launch(loaded.module, found)


def counts(launch):
    return [int(a.partition(":")[2]) for a in launch.arguments if a.startswith("buffer=")]


N = 1024


@pytest.mark.parametrize(
    ("sample", "kernel", "elements"),
    [
        ("vecadd", None, [N, N, N]),
        ("matmul", None, [N * N] * 3),
        ("transpose", None, [N * N] * 2),
        ("stencil5", None, [N * N, N * N]),
        ("reduce", None, [N, 4]),  # a sum by CTA
        ("scan", "scan_blocks", [N, N, 4]),
        ("bitonic", "bitonic_sort", [2 * N]),  # two words a thread
        ("spmv", None, [N + 1, N * N, N * N, N * N, N]),  # what the rows say is not known
    ],
)
@pytest.mark.one_in(1)
def test_buffers_are_as_large_as_accesses_need(sample, kernel, elements):
    launch = launch_of(sample, kernel)
    assert counts(launch) == elements
    unknown = [words for words in launch.assumed if "do not tell" in words]
    assert len(unknown) == {"spmv": 3}.get(sample, 0)


def faults(sample, kernel, launch, arguments):
    options = LaunchOptions(grid=launch.grid, block=launch.block, args=arguments)
    found = checked(
        frozenset({Tool.MEMCHECK}),
        RunOptions(),
        lambda own: run(ptx(sample), kernel, options, own),
    )
    return [one for one in found.findings if one.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("sample", "kernel"), [("vecadd", None), ("scan", "scan_add"), ("bitonic", "bitonic_sort")]
)
def test_no_access_leaves_them_and_one_element_less_is_too_few(sample, kernel):
    launch = launch_of(sample, kernel)
    assert faults(sample, kernel, launch, launch.arguments) == []
    for place, text in enumerate(launch.arguments):
        if text.startswith("buffer="):
            type_, _, count = text.partition(":")
            fewer = [*launch.arguments]
            fewer[place] = f"{type_}:{int(count) - 1}"
            assert faults(sample, kernel, launch, fewer)


STRUCT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry by_value(.param .align 8 .b8 s[16]) { ret; }
"""
LARGE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry cube(.param .u64 a, .param .u32 n)
{ .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<2>;
ld.param.u64 %d0, [a]; ld.param.u32 %r0, [n]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;
mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
setp.ge.u32 %p0, %r1, %r0; @%p0 ret;
mul.lo.u32 %r4, %r0, %r0; mul.lo.u32 %r1, %r1, %r4;
mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d0, %d1; st.global.u32 [%d1], %r3; ret; }
"""


THROUGH_MEMORY = """.version 8.0
.target sm_80
.address_size 64
.visible .entry hop(.param .u64 a, .param .u64 b)
{ .reg .b32 %r<4>; .reg .b64 %d<9>;
ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4;
ld.global.u64 %d3, [%d0]; ld.global.u32 %r1, [%d3];
add.u64 %d4, %d1, %d2; st.global.u32 [%d4], %r1; ret; }
"""


def test_an_address_that_lies_in_memory_says_nothing_of_other_buffers(tmp_path):
    (tmp_path / "hop.ptx").write_text(THROUGH_MEMORY)
    launch = first_launch(*_loaded(tmp_path / "hop.ptx"))
    assert launch.arguments == ("buffer=u64:1", "buffer=u32:256")


def test_where_buffers_would_be_large_integers_are_smaller(tmp_path):
    (tmp_path / "cube.ptx").write_text(LARGE)
    loaded, kernel = load_kernel(tmp_path / "cube.ptx")
    launch = first_launch(loaded.module, kernel)
    assert launch.arguments == ("buffer=u32:16711681", "256")  # 255 * 256 * 256 + 1
    assert launch.assumed == ("block: 256; nothing in the kernel tells which", "n: 256")


FIXED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry tiles(.param .u64 a, .param .u32 n)
{ .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<3>; SHARED
ld.param.u64 %d0, [a]; ld.param.u32 %r0, [n];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r1, %r1, 32, %r2;
mov.u32 %r3, %ctaid.y; mov.u32 %r4, %tid.y; mad.lo.u32 %r3, %r3, 8, %r4;
setp.ge.u32 %p0, %r1, %r0; @%p0 ret; setp.ge.u32 %p1, %r3, %r0; @%p1 ret;
mad.lo.u32 %r1, %r3, %r0, %r1; mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d0, %d1;
st.global.u32 [%d1], %r2; ret; }
"""


_TILE = """.shared .b32 tile[SIZE]; mov.u32 %r5, %tid.x; mov.u32 %r6, %tid.y; mov.u32 %r7, tile;
mad.lo.u32 %r5, %r6, ROW, %r5; shl.b32 %r5, %r5, 2; add.u32 %r7, %r7, %r5; st.shared.u32 [%r7], %r5;
"""


def _tile(size, row):
    return _TILE.replace("SIZE", str(size)).replace("ROW", str(row))


@pytest.mark.parametrize(
    ("shared", "grid", "block"),
    [
        ("", "32,128", "32,8"),
        (_tile(256, 32), "32,128", "32,8"),
        (_tile(128, 32), "32,256", "32,4"),  # each thread takes two rows
        (_tile(256, 16), "64,128", "16,8"),  # a longer row would run into the next
    ],
)
def test_a_block_fits_indices_of_ctas_and_shared_arrays(tmp_path, shared, grid, block):
    (tmp_path / "tiles.ptx").write_text(FIXED.replace("SHARED", shared))
    launch = first_launch(*_loaded(tmp_path / "tiles.ptx"))
    assert (launch.grid, launch.block) == (grid, block)
    assert "made for" in launch.assumed[0]


IN_ALL_DIRECTIONS = """
@__spirv_BuiltInGlobalInvocationId = external addrspace(1) constant <3 x i64>, align 32
define spir_kernel void @k(ptr addrspace(1) %p) {
  %v = load <3 x i64>, ptr addrspace(1) @__spirv_BuiltInGlobalInvocationId, align 32
  %x = extractelement <3 x i64> %v, i64 0
  %y = extractelement <3 x i64> %v, i64 1
  %row = mul i64 %y, WIDTH
  %i = add i64 %row, %x
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %q, align 4
  ret void
}
"""


@pytest.mark.parametrize(("sums", "block"), [("%i", "16,16"), ("%x", "256")])
def test_an_id_that_is_read_in_all_directions_counts_in_those_that_are_used(tmp_path, sums, block):
    """As SYCL's compiler reads it: a vector, of which elements are taken."""
    text = IN_ALL_DIRECTIONS.replace("WIDTH", "4096").replace("i64 %i\n", f"i64 {sums}\n")
    (tmp_path / "k.ll").write_text(text)
    assert first_launch(*_loaded(tmp_path / "k.ll")).block == block


@pytest.mark.parametrize(
    ("sample", "kernel", "block"),
    [("transpose", None, "32,8"), ("lud", "lud_diagonal", "16"), ("matmul", None, "16,16"),
     ("binomial", "binomial_pair", "128"), ("vecadd", None, "256")],
)  # fmt: skip
def test_blocks_of_samples_are_those_they_are_launched_with(sample, kernel, block):
    launch = launch_of(sample, kernel)
    assert launch.block == block
    assert ("nothing in the kernel tells" in launch.assumed[0]) == (sample == "vecadd")


def test_what_is_tiled_is_clean_with_its_first_launch():
    launch = launch_of("transpose")
    assert faults("transpose", None, launch, launch.arguments) == []


DYNAMIC = """.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 raw[];
.visible .entry sums(.param .u64 a, .param .u64 .ptr .shared .align 4 part)
{ .reg .b32 %r<9>; .reg .b64 %d<9>;
ld.param.u64 %d0, [a]; ld.param.u64 %d4, [part]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;
add.u64 %d2, %d0, %d1; ld.global.b32 %r2, [%d2];
add.u64 %d5, %d4, %d1; st.shared.b32 [%d5], %r2; ld.shared.b32 %r3, [%d5]; add.s32 %r4, %r3, 1;
mov.u32 %r5, raw; shl.b32 %r6, %r1, 3; add.u32 %r7, %r5, %r6; st.shared.b32 [%r7+4], %r4; ret; }
"""


def test_dynamic_shared_memory_and_types_of_elements_are_told_by_accesses(tmp_path):
    """``raw`` has two words a thread; what is added to, two copies later, is an integer."""
    (tmp_path / "sums.ptx").write_text(DYNAMIC)
    launch = first_launch(*_loaded(tmp_path / "sums.ptx"), {"a": "values"})
    assert " ".join(launch.words) == (
        "--grid 4 --block 256 --shared 2048 --arg buffer=i32:256 --arg 0"
    )
    assert "dynamic shared memory: 2,048 B" in launch.assumed


def _loaded(path):
    loaded, kernel = load_kernel(path)
    return loaded.module, kernel


@pytest.mark.parametrize("what", [ptx("vecadd"), "bfs:tiny", str(SAMPLES / "lud/launch.toml")])
def test_the_first_command_runs_as_it_is_printed(what, capsys):
    assert main([what]) == 0
    said = capsys.readouterr().out
    (line,) = [line for line in said.splitlines() if line.strip().startswith("$ warpmill")]
    command = shlex.split(line.strip().removeprefix("$ warpmill "))
    assert command[0] == "estimate"
    assert main([*command, "-m", "a100"]) == 0
    assert "µs" in capsys.readouterr().out


def test_it_is_said_what_there_is(tmp_path, capsys):
    (tmp_path / "by_value.ptx").write_text(STRUCT)
    own = start_report(str(tmp_path / "by_value.ptx"))
    assert own.commands[0].command.startswith("warpmill analyze")
    assert "fields of s: --arg struct=" in own.commands[0].tells
    folder = start_report(str(SAMPLES / "matmul"))
    assert folder.commands[0].command == "warpmill estimate samples/matmul/launch.toml"
    lud = start_report(ptx("lud"))
    assert len(lud.kernels) == 4
    assert lud.kernel == "lud_diagonal"  # of most instructions
    assert "--kernel lud_diagonal" in lud.commands[0].command
    assert main(["estimat"]) == 2
    assert main([str(tmp_path / "none.ptx")]) == 2
    assert main([str(tmp_path)]) == 0
    assert main(["start", str(ROOT / "grammars")]) == 2
    assert "a folder without a kernel file" in capsys.readouterr().err


def test_hip_is_compiled_for_the_machines_that_the_command_has():
    if not any(map(shutil.which, ("clang", "clang-22"))):
        pytest.skip("there is no clang")
    path = ROOT / "tests/cases/doors/saxpy.hip"
    command = start_report(str(path)).commands[0].command
    assert command.startswith(f"warpmill estimate {path} --arch sm_80 --grid 4 --block 256 ")


SOURCE = """template <typename T> __global__ void scaled(const T *values, T *out, T factor)
{
    extern __shared__ double part[];
    part[threadIdx.x] = factor * values[blockIdx.x * blockDim.x + threadIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = part[threadIdx.x];
}
template __global__ void scaled<float>(const float *, float *, float);
__global__ void cleared(int *out) { out[threadIdx.x] = STEP; }
"""


@pytest.mark.parametrize("kernel", [None, "cleared", "scaled<double>"])
def test_a_source_keeps_its_options_and_the_kernel_that_is_meant(kernel, tmp_path, capsys):
    if not any(map(shutil.which, ("nvcc", "clang", "clang-22"))):
        pytest.skip("there is no compiler")
    path = tmp_path / "scaled.cu"
    path.write_text(SOURCE)
    named = [] if kernel is None else ["--kernel", kernel]
    assert main([str(path), "-D", "STEP=3", "--arch", "sm_90", *named, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    command = shlex.split(report["commands"][0]["command"])
    assert command[2:5] == [str(path), "--kernel", kernel or "scaled"]
    assert command[5:9] == ["-D", "STEP=3", "--arch", "sm_90"]
    assert ("--shared" in command) == (kernel != "cleared")
    assert report["kernels"][0]["parameters"].startswith(
        "out: " if kernel == "cleared" else "values: "
    )
    assert main([*command[1:], "-m", "a100"]) == 0


def test_a_sample_is_named_as_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for given in ("samples/vecadd/launch.toml", str(SAMPLES / "vecadd/launch.toml")):
        own = start_report(given)
        assert own.commands[0].command == "warpmill estimate samples/vecadd/launch.toml"
    (tmp_path / "samples/vecadd").mkdir(parents=True)
    (tmp_path / "samples/vecadd/launch.toml").write_text("")
    own = start_report(str(SAMPLES / "vecadd/launch.toml"))  # the word means another file here
    assert own.file == str(SAMPLES / "vecadd/launch.toml")


def test_what_triton_wrote_beside_a_kernel_is_not_asked_for(tmp_path, capsys):
    """Threads, shared memory and hidden arguments; its cache has a folder for each kernel."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        for suffix in (".ptx", ".json"):
            shutil.copy(ROOT / f"tests/commands/doors/softmax_rows{suffix}", tmp_path / name)
    (tmp_path / "other/softmax_rows.ptx").rename(tmp_path / "other/softmax_columns.ptx")
    report = start_report(str(tmp_path))
    assert "2 such files (softmax_rows, softmax_columns)" in report.what
    command = shlex.split(report.commands[0].command)
    assert command[2:4] == [str(tmp_path / "one/softmax_rows.ptx"), "--grid"]
    assert "--block" not in command
    assert "--shared" not in command
    assert command.count("--arg") == 4  # of six parameters: two are scratch memory
    assert report.launch.assumed == ("param_2, param_3: 1024",)
    assert main([*command[1:], "-m", "a100"]) == 0


def test_sources_in_strings_take_options_of_compilers(tmp_path, capsys):
    if not any(map(shutil.which, ("nvcc", "clang", "clang-22"))):
        pytest.skip("there is no compiler")
    path = tmp_path / "raw.py"
    kernel = 'extern "C" __global__ void put(int *out) { out[threadIdx.x] = STEP; }'
    path.write_text(f"import cupy\nKERNEL = cupy.RawKernel({kernel!r}, 'put')\n")
    options = ["-D", "STEP=3", "--arch", "sm_90"]
    started = start_report(str(path), None, CompileOptions(define=("STEP=3",)))
    assert f"{path} -D STEP=3 --grid" in started.commands[0].command
    for word in ("inspect", "start", "analyze"):
        assert main([word, str(path), *options]) == 0
    assert "sm_90" in capsys.readouterr().out


FIELDS = """.version 8.0
.target sm_80
.address_size 64
.visible .entry by_value(.param .align 8 .b8 s[40])
{ .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<3>;
ld.param.u64 %d0, [s+8]; ld.param.v2.u32 {%r0, %r1}, [s+16]; ld.param.f32 %f0, [s+28];
mov.u32 %r2, %tid.x; mul.wide.u32 %d1, %r2, 4; add.u64 %d1, %d0, %d1;
st.global.f32 [%d1], %f0; ret; }
"""


def test_fields_of_a_struct_are_what_a_kernel_loads_of_it(tmp_path):
    """Eight bytes before them, four between and eight behind them are not loaded."""
    (tmp_path / "s.ptx").write_text(FIELDS)
    launch = first_launch(*_loaded(tmp_path / "s.ptx"))
    fields = "i32=0,buffer=f32:1048576,i32=1024,i32=1024,i32=0,f32=1.0,i32=0"
    assert launch.arguments == (f"struct={fields}",)
    assert "s: i32=0, buffer=f32:1048576" in launch.assumed[1]
    options = LaunchOptions(grid=1, block=64, args=launch.arguments)
    (job,) = prepare_all(tmp_path / "s.ptx", None, options)
    assert job.launch.arguments[0].offsets == (0, 8, 16, 20, 24, 28, 32)
    for words, message in (
        ("struct=i32=5", "struct of 40 bytes, the argument a struct of 4"),
        ("struct=i32=5,6", "`6` is no field"),
        ("5", "a struct or an array by value"),
    ):
        with pytest.raises(WarpmillError, match=message):
            prepare_all(tmp_path / "s.ptx", None, LaunchOptions(grid=1, block=64, args=(words,)))


LOOPED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry tiles(.param .u64 a, .param .u32 n)
{ .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<3>; .shared .b32 tile[320];
ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, tile;
mad.lo.u32 %r4, %r2, 160, %r3; mov.u32 %r5, 0;
L: mad.lo.u32 %r6, %r5, 512, %r4; st.shared.u32 [%r6], %r1; add.u32 %r5, %r5, 1;
setp.lt.u32 %p0, %r5, 3; @%p0 bra L;
shl.b32 %r7, %r1, 2; add.u32 %r7, %r7, %r4; ld.shared.u32 %r8, [%r7+32]; ret; }
"""


def test_a_loop_with_wide_bounds_makes_no_block_shorter(tmp_path):
    (tmp_path / "t.ptx").write_text(LOOPED)
    assert first_launch(*_loaded(tmp_path / "t.ptx")).block == "32,8"


REMAINDER = """.version 7.0
.target sm_80
.address_size 64
.visible .entry rest(.param .u64 a, .param .u64 out, .param .u32 n)
{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<3>;
    ld.param.u64 %d1, [a]; ld.param.u64 %d2, [out]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4; setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra END;
    mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d1, %d3; ld.global.f32 %f1, [%d4];
    and.b32 %r6, %r1, 3; setp.eq.s32 %p2, %r6, 0;
    @%p2 bra STORE;
    add.s64 %d4, %d4, 4;
LOOP:
    ld.global.f32 %f2, [%d4]; add.f32 %f1, %f1, %f2; add.s64 %d4, %d4, 4;
    add.s32 %r6, %r6, -1; setp.ne.s32 %p2, %r6, 0;
    @%p2 bra LOOP;
STORE:
    add.s64 %d5, %d2, %d3; st.global.f32 [%d5], %f1;
END:
    ret;
}
"""


def test_a_loop_for_what_is_left_over_that_never_runs_needs_no_memory(tmp_path):
    """1,024 is a multiple of 4: a compiler's loop behind an unrolled one would go round 2^32."""
    path = tmp_path / "rest.ptx"
    path.write_text(REMAINDER)
    command = start_report(str(path)).commands[0].command
    assert command.endswith("--arg buffer=f32:1024 --arg buffer=f32:1024 --arg 1024")


PAGE = """==PROF== Connected to process 7
"ID","Kernel Name","Block Size","Grid Size","CC","gpu__time_duration.sum"
"","","","","","us"
"0","void copy<4>(const float *, int)","(256, 1, 1)","(8, 8, 1)","CC_SAID","243.78"
"1","scan","(64, 1, 1)","(8, 1, 1)","CC_SAID","12"
"""


@pytest.mark.parametrize(
    ("capability", "machine"), [("8.0", "a100"), ("7.5", "gtx1650"), ("99.9", "MACHINE")]
)
def test_measured_launches_are_to_be_correlated(tmp_path, capability, machine):
    """A page of Nsight Compute names neither the file nor the GPU."""
    (tmp_path / "page.csv").write_text(PAGE.replace("CC_SAID", capability))
    found = start_report(str(tmp_path / "page.csv"))
    assert found.what == "2 measured launches of copy, scan"
    (command,) = found.commands
    words = ["correlate", str(tmp_path / "page.csv"), "--target", "KERNEL", "--machine", machine]
    assert command.command.split() == ["warpmill", *words]
    assert "KERNEL is the file of the kernels" in command.tells


def test_a_table_that_names_all_needs_no_more(tmp_path):
    (tmp_path / "t.csv").write_text("target,gpu,time [us]\nk.ptx,V100,7\n")
    found = start_report(str(tmp_path / "t.csv"))
    assert found.what == "1 measured launch"
    assert found.commands[0].command == f"warpmill correlate {tmp_path / 't.csv'}"
    assert found.launch is None
