"""Texels of several channels: in launch files, on command lines, in runs and clones."""

import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError, Source, UsageError
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch import (
    Arange,
    BufferArgument,
    Constant,
    FromFile,
    Launch,
    TextureArgument,
    load_launches,
)
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.check import check_launch
from warpmill.analyzer.launch.options import launch_from_options
from warpmill.cloning.clone import clone
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneBuffer,
    CloneLaunch,
    CloneTexture,
)
from warpmill.codegen.emission.files import cuda_text, emit
from warpmill.codegen.emission.preparing import EmissionLimits
from warpmill.codegen.model import TEXTURE_WIDTH, Texel, models_of, models_text, without_names
from warpmill.codegen.synthesis.addressing import texel_of
from warpmill.executor.host.device import Device
from warpmill.executor.host.launch_run import LaunchSession
from warpmill.executor.host.recording import TextureCall
from warpmill.executor.host.replay import recorded_launches
from warpmill.report.facts import launch_facts
from warpmill.session.data import data_digest
from warpmill.session.prepare import prepare_all
from warpmill.session.run import run

NVCC, PTXAS = shutil.which("nvcc"), shutil.which("ptxas")
KERNEL = """.version 8.7
.target sm_80
.address_size 64
.visible .entry fetch(.param .u64 plane, .param .u64 line, .param .u64 floats, .param .u64 words)
{
	.reg .f32 %f<5>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [plane];
	ld.param.u64 %rd2, [line];
	ld.param.u64 %rd3, [floats];
	ld.param.u64 %rd4, [words];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %tid.y;
	mov.u32 %r3, %ntid.x;
	tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];
	mad.lo.u32 %r4, %r2, %r3, %r1;
	tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%rd2, {%r4}];
	mul.wide.u32 %rd5, %r4, 16;
	add.s64 %rd3, %rd3, %rd5;
	st.global.v4.f32 [%rd3], {%f1, %f2, %f3, %f4};
	add.s64 %rd4, %rd4, %rd5;
	st.global.v4.u32 [%rd4], {%r5, %r6, %r7, %r8};
	ret;
}
"""
HEIGHT, WIDTH = 8, 16
PLANE = '{ texture = "f32", channels = 4, shape = [8, 16], init = { file = "plane.npy" } }'
LINE = '{ texture = "u32", channels = 2, shape = [128], init = "arange" }'
HEAD = '[[launch]]\nmodule = "fetch.ptx"\ngrid = [1]\n'


def launch_text(plane=PLANE, line=LINE):
    buffers = [f'{{ buffer = "{kind}", shape = [8, 16, 4] }}' for kind in ("f32", "u32")]
    return f"{HEAD}block = [16, 8]\nargs = [\n{','.join([plane, line, *buffers])}]\n"


@pytest.fixture
def files(tmp_path):
    """The path of a launch file that is written as its text says; its module is there."""
    plane = np.random.default_rng(4).standard_normal((HEIGHT, WIDTH, 4)).astype(np.float32)
    np.save(tmp_path / "plane.npy", plane)
    (tmp_path / "fetch.ptx").write_text(KERNEL, encoding="utf-8")

    def write(text):
        path = tmp_path / "launch.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


# ------------------------------------------------------------------------------ launch files


def test_kernels_get_the_channels_that_there_are(files, tmp_path):
    floats, words = run(files(launch_text())).buffers
    assert floats.values.tolist() == np.load(tmp_path / "plane.npy").tolist()
    # what a texel of two channels lacks is 0 and 1
    expected = np.stack([np.array([2 * k, 2 * k + 1, 0, 1]) for k in range(128)])
    assert words.values.reshape(128, 4).tolist() == expected.tolist()


def test_they_are_read(files, tmp_path):
    (launch,) = load_launches(files(launch_text()))
    plane, line, *_ = launch.arguments
    file = FromFile(tmp_path / "plane.npy")
    assert plane == TextureArgument("f32", (8, 16), file, channels=4)
    assert line == TextureArgument("u32", (128,), Arange(), channels=2)
    assert (plane.element_count, plane.bytes, line.bytes) == (512, 2048, 1024)
    assert materialise(line).tolist() == [[2 * k, 2 * k + 1] for k in range(128)]
    assert TextureArgument("f32", (4,)).channels == 1


@pytest.mark.parametrize(
    ("plane", "words"),
    [
        ('{ texture = "f32", channels = 3, shape = [4] }', r"`channels` must be 1, 2 or 4"),
        ('{ texture = "f32", channels = "4", shape = [4] }', "`channels` must be an integer"),
        ('{ texture = "f32", channels = true, shape = [4] }', "`channels` must be an integer"),
        ('{ texture = "f32", channels = 4.0, shape = [4] }', "`channels` must be an integer"),
        ('{ buffer = "f32", channels = 4, shape = [4] }', "unknown key `channels`"),
        ('{ texture = "u8", channels = 4, shape = ["0x400000000000"] }', r"2\^48 elements"),
        (
            '{ texture = "u8", channels = 4, shape = [65], init = "permutation" }',
            "259 does not fit",
        ),
    ],
)
def test_what_there_is_not_is_told(files, plane, words):
    with pytest.raises(InputError) as caught:
        load_launches(files(launch_text(plane)))
    (problem,) = caught.value.diagnostics
    assert re.search(words, problem.message), problem.message
    assert problem.span.line == 6


@pytest.mark.parametrize("channels", [0, 3, 8])
def test_launches_made_in_python_are_checked(channels):
    module = parse(Source("fetch.ptx", KERNEL)).module
    arguments = [TextureArgument("f32", (8, 16), channels=channels), TextureArgument("u32", (128,))]
    arguments += [BufferArgument("f32", (512,)), BufferArgument("u32", (512,))]
    launch = Launch.of("fetch.ptx", "fetch", block=32, arguments=arguments)
    with pytest.raises(InputError, match=f"1, 2 or 4 channels, not {channels}"):
        check_launch(launch, module, module.kernel("fetch"))


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("texture=f32x4:4x8", TextureArgument("f32", (4, 8), channels=4)),
        ("texture=u32x2:8:arange", TextureArgument("u32", (8,), Arange(), channels=2)),
        ("texture=u8x1:8", TextureArgument("u8", (8,))),
    ],
)
def test_on_a_command_line(text, argument):
    assert _options(text).arguments[0] == argument


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("texture=f32x3:4", "a texel has 1, 2 or 4 channels, not `3`"),
        ("texture=f32x:4", "a texel has 1, 2 or 4 channels, not ``"),
        ("texture=f33x4:4", "unknown element type `f33`"),
        ("buffer=f32x4:4", "unknown element type `f32x4`"),
        ("texture=u8x4:70368744177664", "2\\^48 - 1 elements"),
        ("texture=u8x4:65:permutation", "259 does not fit u8"),
    ],
)
def test_what_a_command_line_may_not_say(text, words):
    with pytest.raises(UsageError, match=words):
        _options(text)


def _options(text):
    kernel = parse(Source("fetch.ptx", KERNEL)).module.kernel("fetch")
    return launch_from_options(kernel, "fetch.ptx", 1, 32, args=[text, "null", "null", "null"])


# ----------------------------------------------------------------------- runs and recordings


def _textures_made(jobs):
    device = Device(record=True)
    session = LaunchSession(device)
    for job in jobs:
        session.run(job.loaded, job.kernel, job.required_launch())
    return [c for c in device.recording.calls if isinstance(c, TextureCall)]


def test_textures_that_are_alike_are_made_once(files):
    as_halves = LINE.replace("[128]", "[64]").replace("channels = 2", "channels = 4")
    zero, minus = (f'{{ texture = "f32", shape = [2, 2], init = {{ constant = {n} }} }}'
                   for n in ("0.0", "-0.0"))  # fmt: skip
    text = "".join(
        [
            launch_text(),
            launch_text(),
            launch_text(line=as_halves),
            launch_text(zero),
            launch_text(minus),
        ]
    )
    made = _textures_made(prepare_all(files(text)))
    assert [(call.extent, call.channels) for call in made] == [
        ((16, 8), 4),
        ((128,), 2),
        ((64,), 4),
        ((2, 2), 1),
        ((2, 2), 1),
    ]


def test_recorded_launches_have_them_too():
    device = Device(record=True)
    kernel = device.load(KERNEL, "fetch.ptx")["fetch"]
    plane = device.texture(np.zeros((8, 16, 4), np.float32), channels=4)
    line = device.texture(np.zeros(128, np.uint32))
    device.launch(kernel, 1, 32, [plane, line, *(device.zeros(512, "f4") for _ in range(2))])
    (one,) = recorded_launches(device.recording)
    found = [(a.element, a.shape, a.channels) for a in one.launch.arguments[:2]]
    assert found == [("f32", (8, 16), 4), ("u32", (128,), 1)]
    assert one.launch.arguments[0].bytes == 2048


def test_reports_and_digests_tell_them_apart(files):
    def digest(line):
        (job,) = prepare_all(files(launch_text(line=line)))
        return data_digest(job)

    flat = '{ texture = "f16", shape = [64, 4] }'
    lines = [flat, flat.replace("[64, 4]", "[64], channels = 4")]
    lines.append(flat.replace(" }", ', filter = "linear" }'))
    assert len(set(map(digest, lines))) == 3
    (job,) = prepare_all(files(launch_text()))
    values = [a.value for a in launch_facts(job.required_launch(), job.kernel).arguments]
    assert values[:2] == ["f32x4[8 x 16] fromfile", "u32x2[128] arange"]


# ------------------------------------------------------------------------------------- clones

OF_PLANE, OF_LINE = (
    CloneTexture("f32", (8, 16), channels=4),
    CloneTexture("u32", (128,), "point", 2),
)


def application(*textures):
    module = parse(Source("fetch.ptx", KERNEL)).module
    buffers = tuple(CloneBuffer(name, "f32", 512) for name in ("floats", "words"))
    arguments = (*textures, BufferPointer("floats"), BufferPointer("words"))
    launch = CloneLaunch("fetch", (1, 1, 1), (16, 8, 1), 0, arguments)
    return CloneApplication("mini", module, buffers, (launch,))


def test_what_is_written_reads_back_and_runs(tmp_path):
    for name, text in emit(application(OF_PLANE, OF_LINE)).files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    (launch,) = load_launches(tmp_path / "launch.toml")
    assert launch.arguments[:2] == (
        TextureArgument("f32", (8, 16), channels=4),
        TextureArgument("u32", (128,), channels=2),
    )
    floats, words = run(tmp_path / "launch.toml").buffers
    assert not floats.values.any()
    assert words.values.view(np.uint32).reshape(128, 4).tolist() == [[0, 0, 0, 1]] * 128


def test_cuda_makes_texels_of_as_many_channels():
    text = cuda_text(application(OF_PLANE, OF_LINE))
    assert re.findall(r"\{ cudaResourceType(.*), nullptr, nullptr, 0 \},", text) == [
        "Array, { 32, 32, 32, 32, cudaChannelFormatKindFloat }, { 16, 8, 0 }, 2048ull",
        "Linear, { 32, 32, 0, 0, cudaChannelFormatKindUnsigned }, { 128, 0, 0 }, 1024ull",
    ]


def test_limits_count_all_channels():
    app = application(OF_PLANE, OF_LINE)
    bytes_ = 2 * 2048 + 2048 + 1024
    emit(app, EmissionLimits(memory_bytes=bytes_))
    with pytest.raises(LimitError, match=f"has {bytes_} bytes"):
        emit(app, EmissionLimits(memory_bytes=bytes_ - 1))


@pytest.mark.parametrize("channels", [0, 3, 8])
def test_what_no_gpu_has_is_refused(channels):
    words = f"a texture of f32x{channels} [8, 16] has texels of {channels} channels, not of 1, 2 or"
    with pytest.raises(InputError, match=re.escape(words)):
        emit(application(replace(OF_PLANE, channels=channels), OF_LINE))


@pytest.mark.slow
@pytest.mark.skipif(NVCC is None or PTXAS is None, reason="nvcc is not installed")
def test_compilers_take_them(tmp_path):
    for name, text in emit(application(OF_PLANE, OF_LINE)).files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    for command in (
        [NVCC, "-arch=sm_80", "-Werror=all-warnings", "-c", "mini.cu", "-o", "mini.o"],
        [PTXAS, "-arch=sm_80", "mini.ptx", "-o", "mini.cubin"],
    ):
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("opcode", "bytes_", "texel"),
    [
        ("tex.2d.v4.f32.s32", 16, Texel(2, "f32", 4, 16)),
        ("tex.2d.v4.u32.f32", 16, Texel(2, "u32", 4, 16)),
        ("tex.1d.v4.u32.s32", 8, Texel(1, "u32", 2, 8)),
        ("tex.1d.v4.f32.s32", 8, Texel(1, "f32", 2, 8)),
        ("tex.1d.v4.f32.s32", 4, Texel(1, "f32", 1, 4)),
        ("tex.3d.v4.f32.s32", 16, None),
    ],
)
def test_the_kind_of_texture_that_a_clone_gets(opcode, bytes_, texel):
    assert texel_of(decode(opcode), bytes_) == texel


@pytest.fixture(scope="module")
def cloned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fetch")
    np.save(folder / "plane.npy", np.ones((HEIGHT, WIDTH, 4), np.float32))
    (folder / "fetch.ptx").write_text(KERNEL, encoding="utf-8")
    text = launch_text().replace("grid = [1]", "grid = [4]")
    (folder / "launch.toml").write_text(text, encoding="utf-8")
    return clone(folder / "launch.toml")


def test_clones_fetch_from_textures_alike(cloned, tmp_path):
    (launch,) = cloned.application.launches
    found = {a.element: a for a in launch.arguments if isinstance(a, CloneTexture)}
    assert {e: (a.channels, len(a.shape)) for e, a in found.items()} == {
        "f32": (4, 2),
        "u32": (2, 1),
    }
    assert found["f32"].shape[1] == TEXTURE_WIDTH
    kernel = cloned.application.module.kernel(launch.kernel)
    opcodes = [i.operation.opcode for i in kernel.instructions]
    assert opcodes.count("tex.2d.v4.f32.s32") == opcodes.count("tex.1d.v4.u32.s32") == 1
    for name, text in cloned.files.files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(tmp_path / "launch.toml").launches


def test_models_with_them_come_back_equal(cloned):
    (model,) = models_of(models_text(cloned.models))
    assert model == without_names(cloned.models[0])
    texels = [a.texel for a in model.arrays if a.space is Space.TEXTURE]
    assert sorted(texels, key=lambda t: t.channels) == [
        Texel(1, "u32", 2, 8),
        Texel(2, "f32", 4, 16),
    ]


def test_constants_differ_by_their_sign_alone():
    one, other = (TextureArgument("f32", (4,), Constant(n)) for n in (0.0, -0.0))
    assert one == other
    assert one.text != other.text
