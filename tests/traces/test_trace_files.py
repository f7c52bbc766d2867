"""Saved traces: what is read equals what was written, and what is no whole file is refused."""

import os
import random
import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reference.programs import Lowering
from tests.reference.random_programs import NAMES, random_program
from tests.reference.saved_traces import job_of, read, saved
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.launch import BufferArgument, Launch, ScalarArgument, load_launches
from warpmill.analyzer.traces import files
from warpmill.analyzer.traces.files import FileSource, header_of, write_traces
from warpmill.analyzer.traces.model import WarpTrace
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.walk import WalkLimits
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.cli.main import main
from warpmill.session.estimates import estimate
from warpmill.session.options import TraceOptions
from warpmill.session.traces import save_traces, trace, trace_source

SAMPLES = Path(__file__).parents[2] / "samples"
FOLDED = ["bitonic", "lud", "matmul", "nw", "reduce", "scan", "stencil5", "transpose", "vecadd"]
"""Samples whose static traces are a matter of a second."""


@pytest.fixture
def reduce(tmp_path):
    """A job, and the path of its saved traces."""
    job, path = job_of("reduce"), tmp_path / "traces"
    saved(job, path)
    return job, path


# -- round trip ----------------------------------------------------------------------------------


def kernels():
    for sample in [*FOLDED, "spmv"]:
        launches = load_launches(SAMPLES / sample / "launch.toml")
        yield from dict.fromkeys((sample, launch.kernel) for launch in launches)


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("sample", "kernel"), list(kernels()))
def test_what_is_read_is_what_was_written(sample, kernel, tmp_path):
    job = job_of(sample, kernel)
    ctas, traces = saved(job, tmp_path / "traces")
    source = read(job, tmp_path / "traces")
    assert source.ctas == ctas
    assert list(source.many(ctas)) == traces
    assert [source.warps(cta) for cta in reversed(ctas)] == traces[::-1]
    static = trace_source(job, TraceOptions("static"))
    list(static.many(ctas))
    assert source.assumptions == static.assumptions


def random_job(seed):
    """A kernel made at random with a launch: (module, source of its traces, launch)."""
    rng = random.Random(seed)
    kernel = Lowering(NAMES, phis=rng.random() < 0.5).kernel(random_program(rng))
    module = Module("random", "sm_70", "7.0", 64, rng.choice([4, 32, 64]), (kernel,))
    block = rng.choice([(4, 1, 1), (5, 2, 1), (33, 3, 2)])
    arguments = (
        BufferArgument("f32", (64,)),
        ScalarArgument("i32", rng.randint(0, 6)),
        ScalarArgument("i32", rng.randint(-2, 4)),
    )
    launch = Launch.of("random", grid=(3, 2, 1), block=block, arguments=arguments)
    limits = WalkLimits(visits=3_000)
    return module, StaticSource(module, analyse_structure(kernel), launch, limits=limits), launch


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(40))
def test_traces_of_random_programs_come_back_alike(seed, tmp_path):
    module, source, launch = random_job(seed)
    ctas = sampled_ctas(launch.grid, 6)
    try:
        made = list(source.many(ctas))
    except LimitError:
        return  # squares and the like, each iteration by itself
    path = tmp_path / "traces"
    write_traces(path, source, ctas, lambda: header_of(source, launch, module.warp_size))
    assert list(FileSource(path, module, source.kernel, launch).many(ctas)) == made


def test_addresses_from_the_largest_to_the_least_come_back(tmp_path):
    job = job_of("vecadd")
    source = trace_source(job, TraceOptions("static"))
    (warp, *_) = source.warps((0, 0, 0))
    ends = (-(2**63), 2**63 - 1, 0)
    made = [
        tuple(WarpTrace((x, 0, 0), w, warp.nodes, ends[x:] + ends[:x]) for w in range(8))
        for x in range(3)
    ]  # the differences from one to the next do not fit into 64 bits

    class Given:
        kind, kernel, assumptions, data = "static", source.kernel, (), ""

        def batches(self, _):
            return None

        def many(self, _):
            return iter(made)

    ctas = [warps[0].cta for warps in made]
    write_traces(tmp_path / "t", Given(), ctas, lambda: header_of(Given(), job.launch, 32))
    assert list(read(job, tmp_path / "t").many(ctas)) == made


def test_equal_traces_give_equal_bytes(reduce, tmp_path):
    job, path = reduce
    saved(job, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_warps_that_share_a_tree_share_it_when_read(tmp_path):
    job = job_of("reduce")
    ctas, _ = saved(job, tmp_path / "traces", most=64)
    source = read(job, tmp_path / "traces")
    trees = {id(w.nodes) for warps in source.many(ctas) for w in warps}
    assert len(trees) == 4  # warp 0; 1; 2 and 3; 4 to 7: in so many steps they take no part


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["matmul", "reduce", "spmv"])
def test_estimates_from_a_file_are_those_from_the_source(sample, tmp_path):
    job, path = job_of(sample), tmp_path / "traces"
    source = trace_source(job, TraceOptions("static"))
    save_traces(job, source, path, sampled_ctas(job.launch.grid, job.launch.cta_count))
    made = estimate(job, "a100", trace_options=TraceOptions("static"))
    taken = estimate(job, "a100", trace_options=TraceOptions(str(path)))
    for field in set(vars(made)) - {"trace", "trace_reason"}:
        assert getattr(taken, field) == getattr(made, field), field
    summary = trace(job, TraceOptions(str(path))).summary
    assert summary == trace(job, TraceOptions("static")).summary


def test_the_examples_of_the_page_about_the_format_work(tmp_path, monkeypatch, capsys):
    ctas, _ = saved(job_of("reduce"), tmp_path / "reduce.traces", most=3)
    (tmp_path / "samples").symlink_to(SAMPLES)
    monkeypatch.chdir(tmp_path)
    page = (SAMPLES.parent / "docs" / "trace-file.md").read_text(encoding="utf-8")
    with_warpmill, without = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(with_warpmill, {})
    assert len(capsys.readouterr().out.splitlines()) == 8 * len(ctas)
    exec(without, {})
    assert "reduce [32768, 1, 1] 4 trees, 3 CTAs\n" in capsys.readouterr().out


# -- whole or not at all -------------------------------------------------------------------------


def write_failing(path, error):
    """Fail in the middle of writing a large file."""
    job = job_of("vecadd")
    source = trace_source(job, TraceOptions("static"))
    ctas = sampled_ctas(job.launch.grid, 4000)

    class Failing:
        kind, kernel, assumptions, data = "static", source.kernel, (), ""

        def batches(self, _):
            return None

        def many(self, ctas):
            yield from source.many(ctas)
            raise error

    write_traces(path, Failing(), ctas, lambda: header_of(source, job.launch, 32))


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt()])
def test_an_error_in_the_middle_leaves_nothing(error, tmp_path):
    with pytest.raises((UsageError, KeyboardInterrupt)):
        write_failing(tmp_path / "traces", error)
    assert list(tmp_path.iterdir()) == []


def test_an_error_leaves_the_file_that_was_there(tmp_path):
    (tmp_path / "traces").write_text("old")
    with pytest.raises(UsageError, match="traces cannot be written: No space left"):
        write_failing(tmp_path / "traces", OSError(28, "No space left"))
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]


def test_a_file_that_is_replaced_keeps_its_permissions_and_its_link(reduce, tmp_path):
    job, path = reduce
    path.chmod(0o640)
    (tmp_path / "link").symlink_to(path)
    saved(job, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_is_no_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, tmp_path / "nowhere" / "traces"):
        with pytest.raises(UsageError, match="cannot be written"):
            saved(job_of("vecadd"), place)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_more_than_the_most_bytes_is_a_limit_even_where_it_was_not_foreseen(tmp_path):
    job = job_of("stencil5")
    source = trace_source(job, TraceOptions("static"))
    ctas = sampled_ctas(job.launch.grid, 4000)
    with pytest.raises(LimitError, match="more than 5000 bytes; raise the limit with --max-trace"):
        write_traces(tmp_path / "t", source, ctas, lambda: None, 5_000)
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_could_not_be_read_back_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST_FRAME", 1000)
    with pytest.raises(LimitError, match="--ctas"):
        saved(job_of("reduce"), tmp_path / "traces")
    assert list(tmp_path.iterdir()) == []


# -- the command line ----------------------------------------------------------------------------

LAUNCH = str(SAMPLES / "reduce" / "launch.toml")


def said(capsys, arguments, code):
    assert main(list(map(str, arguments))) == code
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured


def test_the_size_is_told_beforehand_and_is_about_right(tmp_path, capsys):
    path = tmp_path / "traces"
    err = said(capsys, ["trace", LAUNCH, "--size", "n=262144", "--save", path], 0).err
    (line,) = [x for x in err.splitlines() if "bytes" in x]
    assert line.startswith("512 CTAs, about ")
    told = int(line.split("about ")[1].split()[0].replace(",", ""))
    assert path.stat().st_size / 3 < told < path.stat().st_size * 3


def test_the_limit_ends_with_its_own_code_and_leaves_nothing(tmp_path, capsys):
    arguments = ["trace", LAUNCH, "--save", tmp_path / "traces", "--max-trace-bytes", "100"]
    captured = said(capsys, arguments, 3)
    assert "--max-trace-bytes" in captured.err
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []


def test_saved_traces_sum_up_to_the_same(tmp_path, capsys):
    path = tmp_path / "traces"
    few = ["trace", LAUNCH, "--ctas", "5", "--format", "csv"]
    made = said(capsys, [*few, "--save", path], 0).out
    assert said(capsys, [*few, "--trace", path], 0).out == made


@pytest.mark.parametrize(
    ("sample", "options", "words"),
    [
        ("vecadd", [], "kernel reduce, not vecadd"),
        ("reduce", ["--size", "n=4096"], "grid"),
        ("reduce", ["--size", "n=16777215"], "argument 1: buffer of f32, 16777216, not buffer"),
    ],
)
def test_traces_of_something_else_are_refused_by_name(sample, options, words, reduce, capsys):
    _, path = reduce
    target = SAMPLES / sample / "launch.toml"
    assert words in said(capsys, ["trace", target, *options, "--trace", path], 2).err


def test_another_build_is_refused(reduce, capsys):
    _, path = reduce
    other = SAMPLES / "reduce" / "launch.bc.toml"
    assert (
        "another build of kernel reduce" in said(capsys, ["trace", other, "--trace", path], 2).err
    )


def test_another_block_warp_size_or_argument_is_refused(reduce):
    job, path = reduce
    module, launch = job.loaded.module, job.launch
    for changed, other, words in [
        (module, replace(launch, block=(128, 1, 1)), "block 256 x 1 x 1, not 128 x 1 x 1"),
        (replace(module, warp_size=64), launch, "warp size 32, not 64"),
        (
            module,
            replace(launch, arguments=(*launch.arguments[:2], ScalarArgument("i32", 7))),
            "argument 3: i32 16777216, not i32 7",
        ),
    ]:
        with pytest.raises(InputError, match=words):
            FileSource(path, changed, job.kernel, other)


def test_a_cta_that_was_not_saved_is_named(reduce):
    job, path = reduce
    with pytest.raises(UsageError, match=r"no traces of CTA 1,0,0; it has 6 of 32768 CTAs"):
        read(job, path).warps((1, 0, 0))
