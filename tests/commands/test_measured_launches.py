"""Which launch a row is of: files, workloads and kernels, and what does not say enough."""

from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, UsageError, WarpmillError
from warpmill.measurements.launches import SharedParts, TargetLaunches, launch_key, target_sizes
from warpmill.measurements.rows import MeasuredLaunch

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = "vecadd/vecadd.sm_80.ptx"
THREE = ("buffer=f32:1024",) * 3


def measured(target=None, **parts):
    return MeasuredLaunch(2, 1.0, "us", "a100", target, **parts)


def job(target, **parts):
    key = launch_key(measured(target, **parts), SharedParts(), SAMPLES)
    return TargetLaunches().job(key)


def refused(target, **parts):
    with pytest.raises(WarpmillError) as caught:
        job(target, **parts)
    return str(caught.value)


def test_a_launch_file_beside_the_table():
    found = job("reduce/launch.toml", sizes=(("n", "65536"),))
    assert found.kernel.name == "reduce"
    assert dict(found.required_launch().sizes) == {"n": 65536}
    assert found.required_launch().grid == (128, 1, 1)


def test_a_file_where_warpmill_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(SAMPLES)
    key = launch_key(measured("reduce/launch.toml"), SharedParts(), tmp_path)
    assert TargetLaunches().job(key).kernel.name == "reduce"


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ({"launch": 1}, "scan_sums"),
        ({"launch": "scan_sums"}, "scan_sums"),
        ({"kernel": "scan_add"}, "scan_add"),
        ({"kernel": "scan_blocks", "grid": (512, 1, 1)}, "scan_blocks"),
        ({"kernel": "scan_blocks", "grid": (1, 1, 1), "block": (256, 1, 1)}, "scan_sums"),
        ({"launch": 0, "kernel": "scan_blocks", "grid": (512, 1, 1)}, "scan_blocks"),
    ],
)
def test_one_of_several_launches(parts, name):
    assert job("scan/launch.toml", **parts).required_launch().name == name


@pytest.mark.parametrize(
    ("target", "parts", "words"),
    [
        ("scan/launch.toml", {}, "has 3 launches that this can be, of scan_blocks, scan_add"),
        ("scan/launch.toml", {"kernel": "scan_blocks"}, "has 2 launches that this can be"),
        ("scan/launch.toml", {"launch": 3}, "has no launch 3; its launches are 0 to 2"),
        ("scan/launch.toml", {"launch": "x"}, "launches are scan_blocks, scan_sums, scan_add"),
        ("scan/launch.toml", {"kernel": "sum"}, "launches no kernel sum; it launches scan_blocks"),
        (
            "scan/launch.toml",
            {"kernel": "scan_blocks", "grid": (7, 1, 1)},
            "a grid of 512x1x1 or 1x1x1, and 7x1x1 was measured",
        ),
        ("reduce/launch.toml", {"block": (64, 1, 1)}, "a block of 256x1x1, and 64x1x1 was"),
        (
            "reduce/launch.toml",
            {"shared": 4},
            "launches with 0 B of dynamic shared memory, and 4 B was measured",
        ),
        ("reduce/launch.toml", {"arguments": ("4",)}, "arguments cannot be given"),
        ("reduce/launch.toml", {"sizes": (("m", "4"),)}, "no size `m`"),
        ("reduce/launch.toml", {"sizes": (("n", "0"),)}, "reduce/launch.toml"),
        ("nothing/launch.toml", {}, "there is no such file"),
        ("vecad", {}, "no file and no workload `vecad`"),
        ("vecadd.ptx", {}, "vecadd.ptx: error: cannot be read: No such file"),
        ("vecadd.txt", {"grid": (1, 1, 1), "block": (1, 1, 1)}, "vecadd.txt"),
        ("x" * 5000, {}, "cannot be read"),
        (VECADD, {"block": (256, 1, 1)}, "nothing says the grid"),
        (VECADD, {"grid": (4, 1, 1)}, "nothing says the block"),
        (VECADD, {"launch": 0}, "knows no launch 0"),
        (VECADD, {"grid": (4, 1, 1), "block": (256, 1, 1)}, "takes 4 arguments, not 0"),
    ],
)
def test_what_does_not_say_which_launch(target, parts, words):
    assert words in refused(target, **parts)


def test_a_kernel_file():
    found = job(VECADD, grid=(4, 1, 1), block=(256, 1, 1), arguments=(*THREE, "1024"), shared=64)
    launch = found.required_launch()
    assert (launch.grid, launch.block) == ((4, 1, 1), (256, 1, 1))
    assert launch.dynamic_shared_bytes == 64


def test_the_largest_launch_of_a_workload_s_kernel():
    launches = TargetLaunches()
    largest = launches.job(
        launch_key(measured("bfs:tiny", kernel="bfs_expand"), SharedParts(), SAMPLES)
    )
    second = launches.job(launch_key(measured("bfs:tiny", launch=2), SharedParts(), SAMPLES))
    assert largest.kernel.name == second.kernel.name == "bfs_expand"
    assert second.recorded.number == 2
    each = largest.recorded.launches
    executed = {n: x.warp_instructions for n, x in enumerate(each) if x.kernel == largest.kernel}
    assert len(executed) == 7
    assert executed[largest.recorded.number] == max(executed.values()) > min(executed.values())
    with pytest.raises(UsageError, match="launches that this can be, of bfs_expand, bfs_advance"):
        launches.job(launch_key(measured("bfs:tiny"), SharedParts(), SAMPLES))


def test_what_holds_for_all_rows_gives_way_to_the_row():
    parts = SharedParts("a.toml", "f", {"n": "3", "m": "4"}, ("1",))
    key = launch_key(
        measured("b.ptx", kernel="g", arguments=("2",), sizes=(("n", "5"),)), parts, SAMPLES
    )
    assert (key.target, key.kernel, key.arguments) == ("b.ptx", "g", ("2",))
    assert dict(key.sizes) == {"m": "4", "n": "5"}
    rest = launch_key(measured(), parts, SAMPLES)
    assert (rest.target, rest.kernel, rest.arguments) == ("a.toml", "f", ("1",))
    with pytest.raises(UsageError, match="there is no --target for all rows"):
        launch_key(measured(), SharedParts(), SAMPLES)


def test_a_table_runs_no_program(tmp_path):
    program = tmp_path / "p.py"
    program.write_text("def main(device, n=3, *, m): ...\nraise SystemExit(3)\n")
    with pytest.raises(UsageError, match="is run only where --target names it"):
        launch_key(measured("p.py"), SharedParts(), tmp_path)
    assert launch_key(measured(), SharedParts(str(program)), tmp_path).target == str(program)
    assert target_sizes([str(program)]) == ("n", "m")


def test_sizes_of_targets(tmp_path):
    (tmp_path / "bad.toml").write_text("sizes = 3\n")
    (tmp_path / "worse.toml").write_text("[[[")
    (tmp_path / "p.py").write_text("def main(")
    targets = [
        str(SAMPLES / "transpose" / "launch.toml"), "bfs:tiny", "none.toml", VECADD, "\0.toml",
        str(tmp_path / "bad.toml"), str(tmp_path / "worse.toml"), str(tmp_path / "p.py"),
        "bfs:nothing", "x" * 5000,
    ]  # fmt: skip
    found = target_sizes(targets)
    assert found[:2] == ("rows", "columns")
    assert "nodes" in found


def test_a_target_that_cannot_be_read_is_tried_once(tmp_path):
    (tmp_path / "a.toml").write_text("[[launch]]\n")
    launches = TargetLaunches()
    key = launch_key(measured("a.toml"), SharedParts(), tmp_path)
    with pytest.raises(InputError):
        launches.job(key)
    (tmp_path / "a.toml").unlink()
    with pytest.raises(InputError, match=r"a\.toml:1"):
        launches.job(key)
