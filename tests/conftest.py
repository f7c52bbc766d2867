"""What all tests share: switches that rewrite expectations, and that run every case."""

import os
from collections import Counter
from pathlib import Path

import pytest

from warpmill.cli.main import QUIET_VARIABLE
from warpmill.session.registers import NO_PTXAS
from warpmill.simulator.machine_limits import STRICT

os.environ[STRICT] = "1"  # a result that contradicts its machine is an error of ours
os.environ[NO_PTXAS] = "1"  # figures are those of a machine without CUDA's tools
os.environ[QUIET_VARIABLE] = "1"  # whether a test is the first to compile is chance


def pytest_addoption(parser):
    parser.addoption(
        "--bless", action="store_true", help="rewrite the expectations of the file tests"
    )
    parser.addoption(
        "--every", action="store_true", help="every case of tests of which only some run else"
    )


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "one_in(n): of the cases of a test run the first and every n-th after it; all with --every",
    )
    config.addinivalue_line("markers", "slow: takes seconds; runs with --every alone")
    config.addinivalue_line("markers", "cases: inputs of tests/cases, which once came out wrong")


def pytest_collection_modifyitems(config, items):
    """Leave out cases of tests that are marked, always the same ones."""
    if config.getoption("--every"):
        return
    seen, left_out = Counter(), []
    for item in items:
        test, mark = item.nodeid.partition("[")[0], item.get_closest_marker("one_in")
        if item.get_closest_marker("slow") or (mark and seen[test] % mark.args[0]):
            left_out.append(item)
        seen[test] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(map(id, left_out))
        items[:] = [item for item in items if id(item) not in gone]


@pytest.fixture
def bless(request):
    """Whether to write down what came out instead of comparing it."""
    return request.config.getoption("--bless")


# Where commands of the documentation's pages are typed.

ROOT = Path(__file__).parents[1]


@pytest.fixture
def at_the_root(monkeypatch):
    """Stand in the project's root, with a terminal of 80 columns."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """Stand in an empty folder, with a terminal of 80 columns and nothing kept of earlier runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def beside_samples(alone):
    """Stand in such a folder beside the samples."""
    (alone / "samples").symlink_to(ROOT / "samples")
    return alone
