"""Textures of clones: as launch files have them, as CUDA makes them, and what is refused."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, LimitError, Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.launch import TextureArgument, load_launches
from warpmill.codegen.emission.application import (
    ELEMENTS,
    MOST_LINEAR,
    BufferPointer,
    CloneApplication,
    CloneBuffer,
    CloneLaunch,
    CloneTexture,
)
from warpmill.codegen.emission.files import cuda_text, emit
from warpmill.codegen.emission.preparing import EmissionLimits
from warpmill.executor.host.texture_objects import ELEMENTS as OF_DEVICES
from warpmill.session.prepare import prepare_all
from warpmill.session.run import run

NVCC = shutil.which("nvcc")
HEAD = """.version 8.7
.target sm_80
.address_size 64
"""
KERNEL = """
.visible .entry {name}(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c)
{{
	.reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [a];
	ld.param.u64 %rd3, [b];
	ld.param.u64 %rd4, [c];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 3;
	cvt.rn.f32.u32 %f8, %r1;
	{body}
	mul.wide.u32 %rd5, %r1, 16;
	add.s64 %rd1, %rd1, %rd5;
	st.global.v4.f32 [%rd1], {{%f1, %f4, %f5, %f6}};
	ret;
}}
"""
WHOLE = """tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r1}];
	tex.2d.v4.f32.s32 {%f5, %f2, %f3, %f7}, [%rd3, {%r1, %r2}];
	tex.3d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [%rd4, {%r1, %r2, %r2, %r2}];
	cvt.rn.f32.u32 %f6, %r6;"""
FRACTIONS = WHOLE.replace("tex.1d.v4.f32.s32", "tex.1d.v4.f32.f32").replace("{%r1}", "{%f8}")
LINE, PLANE = CloneTexture("f32", (64,)), CloneTexture("f32", (8, 32))
SOLID = CloneTexture("u16", (2, 4, 32))
OTHER = CloneTexture("f32", (128,))


def launch_of(kernel, *textures, repeats=1):
    arguments = (BufferPointer("memory"), *textures)
    return CloneLaunch(kernel, (1, 1, 1), (32, 1, 1), 0, arguments, repeats)


def application(*launches, bodies=(("whole", WHOLE), ("fractions", FRACTIONS))):
    text = HEAD + "".join(KERNEL.format(name=name, body=body) for name, body in bodies)
    module = parse(Source("clone.ptx", text)).module
    given = launches or (launch_of("whole", LINE, PLANE, SOLID, repeats=2),)
    return CloneApplication("mini", module, (CloneBuffer("memory", "f32", 128),), given)


def written(app, folder):
    for name, text in emit(app).files:
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "launch.toml"


def test_the_launch_file_reads_back(tmp_path):
    path = written(application(), tmp_path)
    line = '{ texture = "f32", shape = [8, 32], filter = "point" },'
    assert path.read_text(encoding="utf-8").count(line) == 2
    wanted = (
        TextureArgument("f32", (64,)),
        TextureArgument("f32", (8, 32)),
        TextureArgument("u16", (2, 4, 32)),
    )
    assert [launch.arguments[1:] for launch in load_launches(path)] == [wanted] * 2


@pytest.mark.parametrize("kernel", ["whole", "fractions"])
def test_what_is_written_runs(tmp_path, kernel):
    path = written(application(launch_of(kernel, LINE, PLANE, SOLID)), tmp_path)
    (buffer,) = run(path).buffers
    # texels are 0 and the channel that they lack is 1, of floats and of integers alike
    assert buffer.values.reshape(32, 4).tolist() == [[0.0, 1.0, 0.0, 1.0]] * 32


def test_what_is_written_is_simulated(tmp_path):
    path = written(application(), tmp_path)
    result = warpmill.simulate(
        prepare_all(path), "gtx480_gpgpusim", overrides={"l1.sector_bytes": 32}
    )
    # each of two launches fetches 32 floats twice and 32 half words, in sectors of 32 bytes
    assert result.cache("tex").accesses == 2 * (4 + 4 + 2)


def rows(text):
    """The textures of a host program: kind of memory, channel, extent and bytes."""
    found = re.findall(
        r"\{ cudaResourceType(\w+), \{ (\d+), 0, 0, 0, cudaChannelFormatKind(\w+) \}, "
        r"\{ ([\d, ]+) \}, (\d+)ull, nullptr, nullptr, 0 \},",
        text,
    )
    assert len(found) == text.count("cudaChannelFormatKind")
    return found


def test_cuda_makes_equal_textures_once():
    text = cuda_text(
        application(
            launch_of("whole", LINE, PLANE, SOLID, repeats=3),
            launch_of("whole", OTHER, PLANE, SOLID),
            launch_of("whole", replace(LINE), PLANE, SOLID),
        )
    )
    assert rows(text) == [
        ("Linear", "32", "Float", "64, 0, 0", "256"),
        ("Array", "32", "Float", "32, 8, 0", "1024"),
        ("Array", "16", "Unsigned", "32, 4, 2", "512"),
        ("Linear", "32", "Float", "128, 0, 0", "512"),
    ]
    passed = re.findall(r"ull\), (.*)\);", text)
    handle = "(unsigned long long)textures[{}].object"
    assert passed == [
        ", ".join(handle.format(n) for n in numbers)
        for numbers in ((0, 1, 2), (3, 1, 2), (0, 1, 2))
    ]


def test_places_between_texels_need_an_array():
    text = cuda_text(
        application(
            launch_of("whole", LINE, PLANE, SOLID),
            launch_of("fractions", LINE, PLANE, SOLID),
            launch_of("whole", OTHER, PLANE, SOLID),
        )
    )
    kinds = {(extent, kind) for kind, _, _, extent, _ in rows(text)}
    assert {("64, 0, 0", "Array"), ("128, 0, 0", "Linear")} < kinds


def test_without_textures_nothing_is_said_of_them():
    bodies = (("plain", "mov.f32 %f1, %f8; mov.f32 %f4, %f8; mov.f32 %f5, %f8; mov.f32 %f6, %f8;"),)
    plain = CloneLaunch("plain", (1, 1, 1), (32, 1, 1), 0, (BufferPointer("memory"),) * 4)
    assert "texture" not in cuda_text(application(plain, bodies=bodies)).lower()


def test_elements_are_those_of_devices():
    assert set(ELEMENTS) == set(OF_DEVICES.values())
    signed = (CloneTexture("i8", (64,)), CloneTexture("f16", (8, 32)), SOLID)
    found = rows(cuda_text(application(launch_of("whole", *signed))))
    assert [row[1:3] for row in found[:2]] == [("8", "Signed"), ("16", "Float")]


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        (launch_of("whole", CloneTexture("f64", (4,)), PLANE, SOLID), "elements that no texture"),
        (launch_of("whole", CloneTexture("bf16", (4,)), PLANE, SOLID), "elements that no texture"),
        (launch_of("whole", CloneTexture("f33", (4,)), PLANE, SOLID), "elements that no texture"),
        (launch_of("whole", CloneTexture("f32", ()), PLANE, SOLID), "has 0 dimensions"),
        (launch_of("whole", CloneTexture("f32", (2,) * 4), PLANE, SOLID), "has 4 dimensions"),
        (launch_of("whole", CloneTexture("f32", (0,)), PLANE, SOLID), "f32 [0] has no elements"),
        (launch_of("whole", replace(LINE, filter="linear"), PLANE, SOLID), "filter `linear`"),
        (launch_of("whole", CloneTexture("u8", (MOST_LINEAR + 1,)), PLANE, SOLID), "134217728"),
        (launch_of("fractions", CloneTexture("u8", (131073,)), PLANE, SOLID), "than 131072, which"),
        (launch_of("whole", LINE, CloneTexture("u8", (65537, 1)), SOLID), "131072 x 65536"),
        (launch_of("whole", LINE, PLANE, CloneTexture("u8", (16385, 1, 1))), "16384 x 16384"),
        (launch_of("whole", PLANE, PLANE, SOLID), "`whole` and gives it no 1d texture"),
        (launch_of("whole", LINE, PLANE, SOLID, SOLID), "takes 4 arguments, not 5"),
    ],
)
def test_what_no_gpu_has_is_refused(launch, words):
    with pytest.raises(InputError, match=re.escape(words)):
        emit(application(launch))


def test_what_is_allowed_at_most():
    wide = CloneTexture("u8", (MOST_LINEAR,))
    emit(application(launch_of("whole", wide, CloneTexture("u8", (1, 131072)), SOLID)))


def test_a_parameter_that_takes_no_handle():
    text = HEAD + KERNEL.format(name="whole", body=WHOLE).replace(".u64 c", ".u32 c").replace(
        "ld.param.u64 %rd4, [c]", "ld.param.u32 %r7, [c]"
    )
    narrow = replace(application(), module=parse(Source("clone.ptx", text)).module)
    with pytest.raises(InputError, match="the argument a texture of 8 bytes"):
        emit(narrow)


def test_limits_count_each_texture_once():
    bytes_ = 512 + 256 + 1024 + 512
    emit(application(), EmissionLimits(memory_bytes=bytes_))
    with pytest.raises(LimitError, match=f"has {bytes_} bytes"):
        emit(application(), EmissionLimits(memory_bytes=bytes_ - 1))


@pytest.mark.slow
@pytest.mark.skipif(NVCC is None, reason="nvcc is not installed")
def test_nvcc_takes_kernels_and_host_program(tmp_path):
    app = application(
        launch_of("whole", LINE, PLANE, SOLID), launch_of("fractions", OTHER, PLANE, SOLID)
    )
    written(app, tmp_path)
    command = [NVCC, "-arch=sm_80", "-Werror=all-warnings", "-c", "mini.cu", "-o", "mini.o"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
