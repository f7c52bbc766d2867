"""``warpmill cache``: what is kept and where, and what clearing leaves."""

import json
from pathlib import Path

import pytest
from numba.core import config
from numba.core.caching import UserWideCacheLocator

from warpmill.cli.main import main
from warpmill.session.caches import KINDS, clear, kept_files

ROOT = Path(__file__).parents[2]


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Folders of its own for all that is kept, some of it there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "warpmill").mkdir()
    (tmp_path / "warpmill" / "studies.db").write_bytes(bytes(100))
    return tmp_path


def report(capsys, *words):
    assert main(["cache", *words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return tuple({one["kind"]: one for one in found[key]} for key in ("kept", "removed"))


def test_studies_are_shown_and_cleared_alone(own, capsys):
    before, removed = report(capsys)
    assert removed == {}
    assert list(before) == list(KINDS)
    assert before["studies"]["folders"] == [str(own / "warpmill")]
    assert (before["studies"]["files"], before["studies"]["size_bytes"]) == (1, 100)
    after, removed = report(capsys, "--clear", "studies")
    assert after["studies"]["files"] == 0
    assert {kind: one["size_bytes"] for kind, one in removed.items()} == {"studies": 100}
    assert not (own / "warpmill" / "studies.db").exists()


def test_another_kind_is_refused(own, capsys):
    assert main(["cache", "--clear", "studies,traces"]) == 2
    assert (
        "there is no cache `traces`: engines, tables, sources, studies, or all"
        in capsys.readouterr().err
    )
    assert (own / "warpmill" / "studies.db").exists()


def test_engines_are_found_where_numba_was_told_to_keep_them(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    engine = ROOT / "simulator" / "memory" / "cache_step.py"
    folder = tmp_path / UserWideCacheLocator.get_suitable_cache_subpath(str(engine))
    folder.mkdir()
    (folder / "cache_step.step-9.py311.nbi").write_bytes(bytes(10))
    (folder / "cache_step.step-9.py311.1.nbc").write_bytes(bytes(90))
    (tmp_path / "another_0123").mkdir()
    (tmp_path / "another_0123" / "other.nbi").write_bytes(bytes(5))
    (engines,) = (one for one in kept_files() if one.kind == "engines")
    names = [path.name for path in engines.paths if path.is_relative_to(tmp_path)]
    assert names == ["cache_step.step-9.py311.nbi", "cache_step.step-9.py311.1.nbc"]


def test_a_file_that_is_gone_meanwhile_is_no_error(own, monkeypatch):
    found = kept_files()
    (own / "warpmill" / "studies.db").unlink()
    monkeypatch.setattr("warpmill.session.caches.kept_files", lambda: found)
    assert [one.size_bytes for one in clear(["studies"])] == [100]
