"""Workloads by name: targets of commands, presets, sizes, and what is told of wrong ones."""

import pytest

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.session.jobs import is_application, is_workload
from warpmill.session.prepare import prepare_all
from warpmill.session.run import run
from warpmill.session.workloads import find_workload, parse_workload, workload_names, workloads


def test_every_folder_with_a_table_is_a_workload():
    assert set(workloads()) == workload_names()
    assert list(workloads()) == sorted(workloads())


@pytest.mark.parametrize(
    ("text", "preset", "build"),
    [
        ("bfs", "small", "sm_80"),
        ("bfs:tiny", "tiny", "sm_80"),
        ("bfs:opencl", "small", "opencl"),
        ("bfs:tiny:sm_90", "tiny", "sm_90"),
        ("bfs:sm_75:tiny", "tiny", "sm_75"),
    ],
)
def test_a_target_names_preset_and_build(text, preset, build):
    target = parse_workload(text)
    assert (target.workload.name, target.preset, target.build) == ("bfs", preset, build)
    assert parse_workload(target.title) == target


def test_other_targets_are_none():
    assert parse_workload("launch.toml") is None
    assert is_workload("bfs:tiny")
    assert is_application("bfs")
    assert not is_workload("samples/matmul/launch.toml")
    assert not is_application("samples/matmul/launch.toml")


def test_a_file_comes_before_a_workload_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_workload("bfs")
    (tmp_path / "bfs").write_bytes(b"")
    assert not is_workload("bfs")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bfs:tyny", "bfs has no preset `tyny`"),
        ("bfs:tiny:small", "NAME:PRESET"),
        ("mst:opencl", "mst has no build `opencl`"),
    ],
)
def test_wrong_targets_are_told(text, words):
    with pytest.raises(UsageError, match=words):
        parse_workload(text)


@pytest.mark.parametrize("take", [prepare_all, run])
def test_what_is_neither_file_nor_workload_is_told_with_a_hint(take):
    with pytest.raises(UsageError, match="no file and no workload `bsf`") as caught:
        take("bsf:tiny")
    assert "bfs" in caught.value.diagnostics[0].hint
    with pytest.raises(UsageError, match="no file and no workload `quicksort`") as caught:
        take("quicksort")
    assert "warpmill samples" in caught.value.diagnostics[0].hint
    with pytest.raises(UsageError, match="the target is empty"):
        take("")
    with pytest.raises(InputError, match="No such file"):
        take("folder/bfs")


def test_hints_say_what_there_is():
    with pytest.raises(UsageError) as caught:
        parse_workload("bfs:tyny")
    assert "tiny" in caught.value.diagnostics[0].hint
    with pytest.raises(UsageError) as caught:
        find_workload("hotspto")
    assert "hotspot" in caught.value.diagnostics[0].hint


def test_sizes_of_a_preset_can_be_replaced():
    bfs = find_workload("bfs")
    assert bfs.preset("tiny")["nodes"] == 2000
    assert bfs.preset("tiny", {"nodes": "4096", "graph": "road"}) == {
        **bfs.preset("tiny"), "nodes": 4096, "graph": "road",
    }  # fmt: skip
    with pytest.raises(UsageError, match="bfs has no size `node`"):
        bfs.preset("tiny", {"node": "1"})
    with pytest.raises(UsageError, match="--size nodes=many: a whole number"):
        bfs.preset("tiny", {"nodes": "many"})
