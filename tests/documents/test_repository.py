"""The repository itself: nothing left open in it, nothing of the machine it was made on."""

import json
import os
import re
import tomllib
from pathlib import Path

import pytest

import warpmill

ROOT = Path(__file__).parents[2]
OUTPUTS = {"build", "dist", "__pycache__"}
LEFT_OPEN = re.compile(r"\b(TO" r"DO|FIX" r"ME)\b")
MACHINE_PATH = re.compile(
    r"(?<![\w.})*])/((root|home|Users|work|mnt|srv)/|tmp/tmp)\w|[A-Z]:\\Users"
)
REGISTRY = re.compile(r"(pypi|pythonhosted|npmjs|anaconda|golang)\.(org|com)|crates\.io")
LINK = re.compile(r"\]\((?!\w+:|#)(?P<target>[^)#\s]+)")
CODE = re.compile(r"`[^`\n]+`")


def is_ours(folder):
    hidden = folder.name.startswith(".") and folder.name != ".ci"
    built = folder.name in OUTPUTS or folder.suffix == ".egg-info"
    return not (hidden or built or (folder / "pyvenv.cfg").exists())


def walk(root):
    for folder, inside, names in os.walk(root):
        inside[:] = sorted(name for name in inside if is_ours(Path(folder, name)))
        yield from (Path(folder, name) for name in sorted(names))


FILES = tuple(walk(ROOT))
OUTSIDE_TESTS = tuple(p for p in FILES if ROOT / "tests" not in p.parents)


def found(pattern, paths=FILES):
    """List where a pattern stands, in binary files too."""
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="latin-1").split("\n"), start=1):
            if match := pattern.search(line):
                yield f"{path.relative_to(ROOT)}:{number}: {match[0]}"


def with_suffix(suffix):
    """The files of a kind; tests may hold broken ones."""
    chosen = [p for p in OUTSIDE_TESTS if p.suffix == suffix]
    assert chosen
    return chosen


def test_the_files_are_found():
    names = {str(p.relative_to(ROOT)) for p in FILES}
    assert {"pyproject.toml", ".ci/run", "analyzer/ir/kernel.py", "samples/spmv/spmv.bc"} <= names
    assert not any(name.startswith((".venv/", ".git/")) or "__pycache__" in name for name in names)


@pytest.mark.parametrize("pattern", [LEFT_OPEN, MACHINE_PATH, REGISTRY])
def test_nothing_that_does_not_belong_here(pattern):
    ours = [path for path in FILES if not path.name.endswith(".min.js")]  # libraries: see NOTICE
    assert list(found(pattern, ours)) == []


def test_what_does_not_belong_here_would_be_seen(tmp_path):
    path = tmp_path / "a.bin"
    root, top = "ro" + "ot", "TO" + "DO"
    path.write_bytes(f"\xff# {top}: x\nsee /{root}/x\nhttps://pypi.{'org'}/simple\n".encode())
    text = path.read_text(encoding="latin-1")
    assert [bool(p.search(text)) for p in (LEFT_OPEN, MACHINE_PATH, REGISTRY)] == [True] * 3
    assert not MACHINE_PATH.search("samples/work/x.ptx and ../home/a and a.b/root/c")


def test_toml_and_json_files_parse():
    assert all(tomllib.loads(p.read_text(encoding="utf-8")) for p in with_suffix(".toml"))
    assert all(json.loads(p.read_bytes()) for p in with_suffix(".json"))


def test_links_lead_somewhere():
    missing = [
        f"{path.relative_to(ROOT)}: {match['target']}"
        for path in with_suffix(".md")
        for match in LINK.finditer(CODE.sub("", path.read_text(encoding="utf-8")))
        if not (path.parent / match["target"]).exists()
    ]
    assert missing == []


def test_no_file_is_large():
    """But libraries as they are published, of up to 1.5 MiB."""
    most = {True: 3 << 19, False: 1 << 20}
    assert [str(p) for p in FILES if p.stat().st_size > most[p.name.endswith(".min.js")]] == []


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == warpmill.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {warpmill.__version__}\n" in citation
