import importlib
import sys

import pytest

from warpmill.benchmarks import keeping
from warpmill.benchmarks.keeping import ROOT, keep, reached, recorded, snapshot
from warpmill.studies.sources import statements

PATTERNS = ["kept_package/**/*.toml"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a package of which one module is loaded, and a table."""
    package = tmp_path / "kept_package"
    package.mkdir()
    (package / "__init__.py").write_text("NAME = 'kept'\n")
    (package / "loaded.py").write_text("VALUE = 1\n")
    (package / "other.py").write_text("VALUE = 2\n")
    (package / "table.toml").write_text("a = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    importlib.import_module("kept_package.loaded")
    yield tmp_path
    for name in ("kept_package", "kept_package.loaded"):
        sys.modules.pop(name, None)


def changed(project):
    """The files of which a kept result says that they are not what they were."""
    return recorded("speed", project)["changed"]


def test_nothing_is_kept_at_first(project):
    assert recorded("speed", project) is None


def test_what_is_kept_comes_back_with_when_and_where(project):
    keep("speed", {"rate": 2.5}, snapshot(PATTERNS, project))
    found = recorded("speed", project)
    assert found["result"] == {"rate": 2.5}
    assert found["changed"] == []
    assert found["date"][:2] == "20"
    assert found["version"]
    assert set(found["computer"]) == {"processor", "cores", "system", "python"}
    assert [p.name for p in (project / "benchmarks/results").iterdir()] == ["speed.json"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["loaded.py", "__init__.py", "table.toml"])
@pytest.mark.parametrize("what", ["other contents", "gone"])
def test_it_is_stale_when_a_file_that_it_rests_on_is_no_longer_the_same(project, name, what):
    keep("speed", {}, snapshot(PATTERNS, project))
    path = project / "kept_package" / name
    path.unlink() if what == "gone" else path.write_text("b = 2\n")
    assert changed(project) == [f"kept_package/{name}"]


def test_it_is_stale_when_a_file_of_data_is_new(project):
    keep("speed", {}, snapshot(PATTERNS, project))
    (project / "kept_package/new.toml").write_text("")
    assert changed(project) == ["kept_package/new.toml"]


def test_modules_that_were_not_loaded_and_other_files_do_not_matter(project):
    keep("speed", {}, snapshot(PATTERNS, project))
    (project / "kept_package/other.py").write_text("VALUE = 3\n")
    (project / "kept_package/notes.md").write_text("words\n")
    assert changed(project) == []


def test_what_changes_while_it_is_measured_counts_as_changed(project):
    before = snapshot(PATTERNS, project)
    (project / "kept_package/loaded.py").write_text("VALUE = 4\n")
    keep("speed", {}, before)
    assert changed(project) == ["kept_package/loaded.py"]


def test_a_module_that_was_loaded_but_new_counts_as_changed(project):
    before = snapshot(PATTERNS, project)
    (project / "kept_package/late.py").write_text("LATE = 1\n")
    importlib.invalidate_caches()
    importlib.import_module("kept_package.late")
    keep("speed", {}, before)
    assert changed(project) == ["kept_package/late.py"]
    sys.modules.pop("kept_package.late")


MOVED = """
from kept_package.{where} import {what}


@cache
def twice(
    value: int,
) -> int:
    return {call}(value) * 2
"""
HELPER = "def helper(value):\n    return value + 1\n"


@pytest.fixture
def helped(project, monkeypatch):
    """The result of a module that takes a helper from another one."""
    monkeypatch.setattr("warpmill.studies.sources._renamed", dict)
    monkeypatch.setattr(keeping, "_statements_of", statements)  # which keeps nothing
    package = project / "kept_package"
    (package / "loaded.py").write_text(MOVED.format(where="other", what="helper", call="helper"))
    (package / "other.py").write_text(HELPER)
    keep("speed", {}, snapshot(PATTERNS, project))
    return package


def test_code_that_was_moved_has_not_changed(project, helped):
    (helped / "other.py").rename(helped / "deeper.py")
    (helped / "loaded.py").write_text(MOVED.format(where="deeper", what="helper", call="helper"))
    assert changed(project) == []
    (helped / "deeper.py").write_text(HELPER.replace("1", "2"))
    assert changed(project) == ["kept_package/deeper.py", "kept_package/other.py"]


def test_code_that_became_part_of_what_takes_it_in_has_not_changed(project, helped):
    text = (helped / "loaded.py").read_text()
    (helped / "loaded.py").write_text(f"{HELPER}\n\n# taken in\n{text}")
    (helped / "other.py").unlink()
    assert changed(project) == []


def test_the_module_that_stands_above_all_may_move(project, helped):
    (helped / "loaded.py").rename(helped / "above.py")
    assert changed(project) == []


def test_code_that_is_taken_from_elsewhere_under_the_same_name_is_other_code(project, helped):
    (helped / "third.py").write_text(HELPER.replace("1", "3"))
    (helped / "loaded.py").write_text(MOVED.format(where="third", what="helper", call="helper"))
    assert "kept_package/third.py" in changed(project)


def test_names_that_stand_for_old_ones_are_the_same_code(project, helped, monkeypatch):
    (helped / "other.py").write_text(HELPER.replace("helper", "plus_one"))
    (helped / "loaded.py").write_text(MOVED.format(where="other", what="plus_one", call="plus_one"))
    assert changed(project)
    monkeypatch.setattr("warpmill.studies.sources._renamed", lambda: {"plus_one": "helper"})
    assert changed(project) == []


@pytest.mark.parametrize(
    "name", ["warpmill/report/page.py", "warpmill/cli/options.py", "benchmarks/speed/page.py"]
)
def test_what_only_shows_it_may_change(tmp_path, monkeypatch, name):
    monkeypatch.setattr("warpmill.benchmarks.keeping._loaded", lambda _: {"warpmill/job.py"})
    shown, job = tmp_path / name, tmp_path / "warpmill/job.py"
    shown.parent.mkdir(parents=True)
    job.parent.mkdir(parents=True, exist_ok=True)
    shown.write_text("LABEL = 1\n")
    job.write_text(f"import {name[:-3].replace('/', '.')}\n")
    keep("speed", {}, snapshot([], tmp_path))
    shown.write_text("LABEL = 2\n")
    assert changed(tmp_path) == []
    job.write_text("VALUE = 1\n")
    assert changed(tmp_path) == ["warpmill/job.py"]


LATE = """
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kept_package.named import Name
else:
    Name = None


def parse() -> Name:
    {statement}
"""


@pytest.mark.parametrize(
    "statement",
    [
        "from kept_package.other import VALUE",
        "from kept_package import other",
        "import kept_package.other as one",
        "import_module('kept_package.other')",
    ],
)
def test_what_a_worker_would_load_counts(project, statement):
    package = project / "kept_package"
    (package / "loaded.py").write_text(LATE.format(statement=statement))
    (package / "other.py").write_text("import kept_package.deep.end\n")
    (package / "named.py").write_text("")
    (package / "deep").mkdir()
    (package / "deep" / "__init__.py").write_text("")
    (package / "deep" / "end.py").write_text("import kept_package.loaded  # a circle\n")
    keep("speed", {}, snapshot(PATTERNS, project))
    for name in ("other.py", "deep/__init__.py", "deep/end.py"):
        path = package / name
        before = path.read_text()
        path.write_text("VALUE = 5\n")
        assert changed(project) == [f"kept_package/{name}"]
        path.write_text(before)
    (package / "named.py").write_text("VALUE = 5\n")
    assert changed(project) == []


@pytest.mark.slow
def test_an_estimate_of_a_ptx_file_rests_on_its_parser():
    files = reached(ROOT, ["warpmill/session/estimates.py"])
    assert {"analyzer/frontends/ptx/module.py", "analyzer/frontends/llvm/module.py"} <= files
    assert not [name for name in files if name.startswith("warpmill/cli/")]


def test_modules_of_other_benchmarks_count_where_the_own_ones_take_them_in(project, monkeypatch):
    """The command line loads all of them."""
    folder = project / "benchmarks"
    folder.mkdir()
    for name, text in {"own": "import benchmarks.shared", "shared": "A = 1", "other": ""}.items():
        (folder / f"{name}.py").write_text(f"{text}\n")
    (folder / "__init__.py").touch()
    loaded = {f"benchmarks/{name}.py" for name in ("own", "shared", "other")}
    monkeypatch.setattr(keeping, "_loaded", lambda _: {*loaded, "kept_package/loaded.py"})
    used = snapshot((), project).used("benchmarks/own")
    assert {"benchmarks/own.py", "benchmarks/shared.py", "kept_package/loaded.py"} <= set(used)
    assert "benchmarks/other.py" not in used
