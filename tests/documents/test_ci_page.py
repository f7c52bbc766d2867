"""docs/ci.md: it shows the files of docs/ci, the workflow is one, and its steps do what it says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.reference.pages import excerpt

DOCS = Path(__file__).parents[2] / "docs"
PAGE, FOLDER = DOCS / "ci.md", DOCS / "ci"
FILES = {
    "yaml": "gpu-tests.yml",
    "cuda": "kernels/blur.cu",
    "toml": "kernels/blur.toml",
    "python": "tests/test_blur.py",
}
"""The files that the page shows, by the language of their blocks."""

_CONSOLE = re.compile(r"```console\n\$ (?P<command>.*)\n(?P<output>(?:(?!```).*\n)*)```")


def workflow():
    yaml = pytest.importorskip("ruamel.yaml")
    return yaml.YAML(typ="safe").load(FOLDER / FILES["yaml"])


@pytest.fixture
def repository(tmp_path):
    """A repository with the kernels and tests of the page."""
    ignore = shutil.ignore_patterns("__pycache__", "*.yml")
    return Path(shutil.copytree(FOLDER, tmp_path / "repository", ignore=ignore))


def ran(command, folder):
    """Run a step or a command as a runner does: its exit code, and what it printed."""
    plugin = "-p no:warpmill -p warpmill.testing.plugin"  # whether it is installed or lies here
    beside = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}",
        "PYTEST_ADDOPTS": f"{plugin} -p no:cacheprovider",
        "COLUMNS": "80",
    }
    shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command)
    done = subprocess.run(
        shell, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def steps():
    """The commands of the workflow behind the one that installs."""
    (job,) = workflow()["jobs"].values()
    install, *others = [step["run"] for step in job["steps"] if "run" in step]
    assert install == "pip install 'warpmill[pytest]'"
    return others


def test_the_page_shows_the_files(bless):
    text = PAGE.read_text("utf-8")
    for language, name in FILES.items():
        block = f"```{language}\n{(FOLDER / name).read_text('utf-8')}```"
        text, count = re.subn(rf"```{language}\n(?:(?!```).*\n)*```", lambda _, b=block: b, text)
        assert count == 1
    if bless:
        PAGE.write_text(text, "utf-8")
    assert text == PAGE.read_text("utf-8")


@pytest.mark.parametrize(("of", "to", "rc"), [("", "", 0), ("runs-on", "runs-of", 1)])
def test_the_workflow_is_one_of_github(tmp_path, of, to, rc):
    pytest.importorskip("check_jsonschema")
    path = tmp_path / "workflow.yml"
    path.write_text((FOLDER / FILES["yaml"]).read_text("utf-8").replace(of, to), "utf-8")
    command = (sys.executable, "-m", "check_jsonschema", "--builtin-schema")
    done = subprocess.run(
        (*command, "vendor.github-workflows", path), capture_output=True, text=True, check=False
    )
    assert done.returncode == rc, done.stdout + done.stderr


def test_the_steps_of_the_workflow_pass(repository):
    for step in steps():
        rc, told = ran(step, repository)
        assert rc == 0, told
    made = {path.name for path in (repository / "checked").iterdir()}
    assert made == {"blur.html", "blur.sarif", "tests.xml"}
    tests = ET.parse(repository / "checked/tests.xml").iter("property")
    assert {one.get("value") for one in tests} == {"clean"}


@pytest.mark.slow
def test_they_fail_by_a_race(repository):
    kernel = repository / "kernels/blur.ptx"
    kernel.write_text(kernel.read_text("utf-8").replace("bar.sync", "//"), "utf-8")
    for step in steps():
        rc, told = ran(step, repository)
        assert rc == 1
        assert "racecheck: race" in told
    (run,) = json.loads((repository / "checked/blur.sarif").read_text("utf-8"))["runs"]
    found = {one["ruleId"]: one for one in run["results"]}
    # Without the barrier words are taken that no thread has written yet.
    assert found.keys() == {"racecheck/race", "initcheck/undefined-result"}
    (place,) = found["racecheck/race"]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "kernels/blur.cu"


@pytest.mark.slow
def test_the_page_shows_what_is_printed(repository, bless):
    written = PAGE.read_text("utf-8")

    def printed(match):
        _, told = ran(match["command"], repository)
        return f"```console\n$ {match['command']}\n{excerpt(match['output'], told)}```"

    renewed = _CONSOLE.sub(printed, written)
    if bless:
        PAGE.write_text(renewed, "utf-8")
    assert renewed == PAGE.read_text("utf-8")
