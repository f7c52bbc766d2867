"""A command is a folder, its pages and a test; an option is a field and its line in the guide."""

import filecmp
import json
from pathlib import Path

import pytest

from tools.additions import COMMAND, ROOT, add_command, add_option, copy_to, figures, run

PTX = "samples/vecadd/vecadd.sm_80.ptx"


@pytest.fixture
def copy(tmp_path):
    return copy_to(tmp_path / "copy")


def changed(copy):
    """The files of a copy that are not as they are in the project."""
    files = [
        p for p in copy.rglob("*") if p.is_file() and not p.parent.name.startswith((".", "__"))
    ]
    names = [str(p.relative_to(copy)) for p in files]
    return {n for n in names if not Path(ROOT, n).exists() or not filecmp.cmp(ROOT / n, copy / n)}


ADDED_COMMAND = f"""
import contextlib, io, sys
from warpmill.cli.completion import candidates
from warpmill.cli.main import main
import warpmill

def said(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(list(words)) == 0, words
    return out.getvalue()

assert "Read a kernel:" in said("--help").partition("  lines ")[0].split("\\n\\n")[-1]
assert "Examples:" in said("lines", "--help")
assert "blank lines" in said("lines", {PTX!r})
assert said("lines", {PTX!r}, "-f", "csv").startswith("file,lines,blank\\n")
assert [one.value for one in candidates([], "lin")] == ["lines"]
assert [one.value for one in candidates(["lines"], "--form")] == ["--format"]
assert warpmill.lines({PTX!r}).lines > warpmill.lines({PTX!r}).blank > 0
sys.stdout.write(said("lines", {PTX!r}, "--format", "json") + "\\0" + said("schema", "lines"))
"""


def test_a_command_is_its_folder_its_pages_and_a_test(copy):
    touched = add_command(copy)
    found, schema = map(json.loads, run(copy, "-c", ADDED_COMMAND).split("\0"))
    assert found.keys() == schema["properties"].keys()
    assert found["marks"] == {"lines": "exact", "blank": "exact"}
    held = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--every", "-k", "lines")
    assert "13 passed" in held  # what tests of all commands ask, and its own
    assert changed(copy) == set(touched)
    assert len(touched) == figures()["files_to_add_a_command"] <= 6
    assert sum("commands/lines/" in name for name in COMMAND) == 3


ADDED_OPTION = """
import functools
import warpmill
from warpmill.cli.main import main
from warpmill.report.manifest import CommandEntry

taken, function = [], CommandEntry.function

def taking(entry, subcommand=None):
    real = function(entry, subcommand)
    return functools.wraps(real)(lambda **given: taken.append(given["model"].extra))

CommandEntry.function = taking
assert main(["estimate", "x.toml", "--extra", "3"]) == main(["estimate", "x.toml"]) == 0
assert main(["estimate", "x.toml", "--extra", "0"]) == 2
assert taken == [3, 7]
assert warpmill.EstimateOptions(extra=5).extra == 5
assert main(["estimate", "--help"]) == 0
"""


def test_an_option_is_a_field_and_its_line_in_the_guide(copy):
    touched = add_option(copy)
    assert "--extra N" in run(copy, "-c", ADDED_OPTION)
    assert changed(copy) == set(touched)
    assert len(touched) == figures()["files_to_add_an_option"] <= 2
