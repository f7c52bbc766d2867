"""Where commands of the documentation's pages are typed."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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
