"""Kernels of Triton by the door of Python, and by the files that Triton's cache keeps."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.launch import BufferArgument, NullArgument, RefArgument, ScalarArgument
from warpmill.analyzer.launch.triton import TritonLaunch, triton_launch_beside
from warpmill.cli.main import main
from warpmill.doors import triton as door
from warpmill.session.launch_options import launch_of_options
from warpmill.session.options import LaunchOptions

HERE = Path(__file__).parent / "doors"
ROWS, COLUMNS = 5, 37


def softmax(rows):
    powers = np.exp(rows.astype(np.float64) - rows.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def stand_in(kernel, arguments, meta, chip):
    """What Triton compiles for softmax_rows(source, result, stride, columns, BLOCK=1024), sm_80."""
    if "no" in meta:
        raise InputError(f"{kernel} does not compile")
    names = ("source", "result", "stride", "columns")
    types = ("*fp32", "*fp32", "i32", "i32")
    values = dict(zip(names, arguments, strict=False)) | meta
    return door.CompiledKernel(
        (HERE / "softmax_rows.ptx").read_text(),
        str(HERE / "softmax_rows.ptx"),
        json.loads((HERE / "softmax_rows.json").read_text()),
        tuple((name, type_, values[name]) for name, type_ in zip(names, types, strict=True)),
        values,
    )


@pytest.fixture
def arrays(monkeypatch):
    monkeypatch.setattr(door, "compiled", stand_in)
    source = np.random.default_rng(3).normal(size=(ROWS, COLUMNS)).astype(np.float32)
    return source, np.zeros_like(source)


def test_the_arrays_have_the_results_after_a_run(arrays):
    source, result = arrays
    before = source.copy()
    done = warpmill.triton.run("softmax", (ROWS,), source, result, COLUMNS, COLUMNS)
    assert np.allclose(result, softmax(source), rtol=1e-5, atol=0)
    assert np.array_equal(source, before)
    assert [launch.name for launch in done.launches] == ["softmax_rows"]


def test_a_job_is_launched_as_the_metadata_say(arrays):
    grid = lambda meta: (meta["columns"] // 8, 2)  # noqa: E731
    launch = warpmill.triton.prepare("softmax", grid, *arrays, COLUMNS, 40).required_launch()
    assert (launch.grid, launch.block) == ((5, 2, 1), (128, 1, 1))
    assert launch.dynamic_shared_bytes == 16
    source, result, *numbers = launch.arguments
    assert (source.name, source.shape, result.name) == ("source", (ROWS, COLUMNS), "result")
    assert numbers == [
        ScalarArgument("i32", COLUMNS),
        ScalarArgument("i32", 40),
        NullArgument(),
        NullArgument(),
    ]


def test_parameters_have_the_names_of_the_function(arrays):
    job = warpmill.triton.prepare("softmax", 5, *arrays, COLUMNS, COLUMNS)
    assert [p.name for p in job.kernel.parameters] == [
        "source", "result", "stride", "columns", "global_scratch", "profile_scratch",
    ]  # fmt: skip


def test_lines_are_those_of_the_function_also_where_a_library_is_inlined(arrays):
    job = warpmill.triton.prepare("softmax", 5, *arrays, COLUMNS, COLUMNS)
    lines = {"max.f32": {11}, "ex2.approx.f32": {11}, "ld.global.b32": {10}, "bar.sync": {11, 12}}
    for opcode, expected in lines.items():
        found = {
            (i.debug.place.file, i.debug.place.line)
            for i in job.kernel.instructions
            if i.operation.opcode == opcode
        }
        assert found == {("softmax_triton.py", line) for line in expected}


def test_estimates_take_shapes_alone(arrays):
    known = warpmill.triton.estimate("softmax", 64, *(np.ones((64, 37), "f4"),) * 2, 37, 37)
    shape = ("*fp32", (64, 37))
    found = warpmill.triton.estimate("softmax", 64, shape, shape, 37, 37, machine="a100")
    assert found.time_us == pytest.approx(known.time_us, rel=0.2)
    job = warpmill.triton.prepare("softmax", 64, shape, shape, 37, 37)
    assert job.launch.arguments[0] == BufferArgument("f32", (64, 37), name="source")


def test_check_finds_what_leaves_an_array_and_leaves_arrays_alone(arrays):
    source, result = arrays
    short = result[:-1]
    found = warpmill.triton.check("softmax", ROWS, source, short, COLUMNS, COLUMNS)
    assert found.fails()
    assert "past\n  the end of `result` of 592 B" in str(found)
    assert "softmax_triton.py:12" in str(found)
    assert not result.any()
    assert not warpmill.triton.check("softmax", ROWS, source, result, COLUMNS, COLUMNS).fails()


def test_an_array_that_is_passed_twice_is_one_buffer(arrays):
    source, _ = arrays
    expected = softmax(source)
    job = warpmill.triton.prepare("softmax", ROWS, source, source, COLUMNS, COLUMNS)
    first, second = job.required_launch().arguments[:2]
    assert second == RefArgument(first, 0)
    warpmill.triton.run("softmax", ROWS, source, source, COLUMNS, COLUMNS)
    assert np.allclose(source, expected, rtol=1e-5, atol=0)


def test_jobs_that_share_an_array_run_one_after_the_other(arrays):
    source, result = arrays
    again = np.zeros_like(source)
    jobs = [
        warpmill.triton.prepare("softmax", ROWS, one, other, COLUMNS, COLUMNS)
        for one, other in ((source, result), (result, again))
    ]
    outputs = warpmill.run(jobs).buffers
    assert np.allclose(outputs[-1].values, softmax(softmax(source)), rtol=1e-4, atol=0)
    assert len(outputs) == 3


def test_configurations_are_ranked_and_those_that_cannot_run_come_last(arrays):
    configs = [{"no": True}, {"num_warps": 4}, {"num_warps": 8}]
    found = warpmill.triton.rank("softmax", 5, (*arrays, 37, 37), configs, machine="a100")
    assert [one.config for one in found] == [*configs[1:], configs[0]]
    assert found[0].time_us > 0
    assert (found[-1].time_us, found[-1].reason) == (None, "softmax does not compile")


class Config:
    def __init__(self, **kwargs):
        self.kwargs = kwargs

    def all_kwargs(self):
        return self.kwargs


class Tuner:
    """Calls the hook as Triton's autotuner does: with configurations and arguments alone."""

    def __init__(self, hook, configs):
        self.fn, self.hook, self.configs = "softmax", hook, configs

    def prune_configs(self, arguments, **given):
        names = ("source", "result")
        return self.hook(self.configs, dict(zip(names, arguments, strict=True)), **given)


def test_the_hook_of_the_autotuner_keeps_a_share(arrays):
    configs = [Config(no=True), *(Config(num_warps=n) for n in (1, 2, 4, 8))]
    given = {"stride": 37, "columns": 37, "grid": (5,), "warmup": False}
    fifth = Tuner(warpmill.triton.prune(machine="a100", keep=0.2), configs)
    assert fifth.prune_configs(arrays, **given) == [configs[1]]
    least = Tuner(warpmill.triton.prune(machine="a100", keep=0.01), configs)
    assert least.prune_configs(arrays, **given) == [configs[1]]
    three = Tuner(warpmill.triton.prune(machine="a100", keep=3), configs)
    assert three.prune_configs(arrays, **given) == configs[1:4]
    none = Tuner(warpmill.triton.prune(machine="a100"), configs[:1])
    assert none.prune_configs(arrays, **given) == configs[:1]


def test_what_is_lacking_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "triton", None)
    with pytest.raises(UsageError, match=r"needs triton .*: pip install triton"):
        warpmill.triton.prepare("softmax", 1)
    with pytest.raises(UsageError, match="it has no sm_NN"):
        warpmill.triton.prepare("softmax", 1, machine="mi250x_gcd")


# The files of Triton's cache.

ARGUMENTS = ("--arg", "buffer=f32:5x37", "--arg", "buffer=f32:5x37", "--arg", "37", "--arg", "37")


def test_a_file_of_the_cache_takes_its_launch_from_the_metadata_beside_it(tmp_path, capsys):
    target = str(HERE / "softmax_rows.ptx")
    assert main(["run", target, "--grid", "5", *ARGUMENTS]) == 0
    assert "0.02703  0.02703  0.02703" in capsys.readouterr().out  # 1 / 37: softmax of zeros
    alone = shutil.copy(target, tmp_path)
    assert main(["run", alone, "--grid", "5", *ARGUMENTS]) == 2
    assert "takes 6 arguments, not 4" in capsys.readouterr().err


def options(**more):
    words = ("buffer=f32:185", "buffer=f32:185", "37", "37")
    return LaunchOptions(grid="5,2", args=(*words, *more.pop("args", ())), **more)


def test_what_options_say_stands(tmp_path):
    job = warpmill.prepare(HERE / "softmax_rows.ptx", options=options(shared=64, args=["null"] * 2))
    assert job.required_launch().dynamic_shared_bytes == 64
    assert job.required_launch().grid == (5, 2, 1)


def test_clusters_and_scratch_memory_are_those_of_programs(tmp_path):
    shutil.copy(HERE / "softmax_rows.ptx", tmp_path)
    known = json.loads((HERE / "softmax_rows.json").read_text())
    known |= {"num_ctas": 2, "global_scratch_size": 128}
    (tmp_path / "softmax_rows.json").write_text(json.dumps(known))
    path = tmp_path / "softmax_rows.ptx"
    plain = warpmill.prepare(path)
    launch = launch_of_options(plain.loaded.module, plain.kernel, path, options())
    assert launch.grid == (10, 2, 1)
    assert launch.arguments[4:] == (BufferArgument("u8", (128 * 20,)), NullArgument())


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"name": "k", "num_warps": 4, "shared": 0}, TritonLaunch("k", 128, 0, 1, ())),
        (
            {"name": "k", "num_warps": 2, "shared": 8, "cluster_dims": [2, 1, 1], "warp_size": 64,
             "global_scratch_size": 0},
            TritonLaunch("k", 128, 8, 2, (("global_scratch", 0),)),
        ),
        ({"name": "k"}, None),
        ([1], None),
    ],
)  # fmt: skip
def test_metadata_are_read_in_all_their_forms(metadata, expected):
    assert TritonLaunch.of(metadata) == expected


def test_no_other_json_is_taken_for_metadata(tmp_path):
    (tmp_path / "a.json").write_text('{"name": 1')
    assert triton_launch_beside(tmp_path / "a.ptx") is None
    assert triton_launch_beside(HERE / "softmax_rows.ttir") is None
    assert triton_launch_beside(HERE / "softmax_rows.ptx").threads == 128
